/* The columns of batch text follow what is counted. */
#include "out/text_columns.h"

#include <string.h>

static int
metric_index(const struct sink_about *a, const char *name)
{
	for (unsigned i = 0; i < a->nmetrics; i++)
		if (strcmp(a->metric[i]->name, name) == 0)
			return (int)i;
	return -1;
}

static void
add_column(struct text_columns *c, unsigned metric)
{
	for (unsigned i = 0; i < c->n; i++)
		if (c->metric[i] == metric)
			return;
	if (c->n < TEXT_COLUMNS_MAX)
		c->metric[c->n++] = metric;
}

/* Can any row of this frame ever show it? */
static bool
supported(const struct frame *f, unsigned metric)
{
	for (unsigned i = 0; i < f->nscopes; i++)
		if (frame_state(f, i, metric) != VALUE_UNSUPPORTED &&
		    frame_state(f, i, metric) != VALUE_OFF)
			return true;
	return false;
}

static bool
counted_now(const struct frame *f, unsigned metric)
{
	for (unsigned i = 0; i < f->nscopes; i++) {
		enum value_state s = frame_state(f, i, metric);

		if (s != VALUE_UNSUPPORTED && s != VALUE_NOT_COUNTED &&
		    s != VALUE_OFF)
			return true;
	}
	return false;
}

/* Is it the rate of an event that no other column says anything of? */
static bool
is_left(const struct metric *m, const struct eventset *set, uint32_t told)
{
	uint32_t slots = metric_slots(m, set);

	return metric_of_set(m, set) && (slots == 0 || (slots & ~told) != 0);
}

/*
 * A set that is no built-in preset: what its events allow to say, own metrics
 * first; then the rate of each event that is left, also where it cannot be
 * measured, which always finds room.
 */
static void
choose_own(const struct sink_about *a, const struct frame *f,
	   struct text_columns *c)
{
	enum { ROOM = TEXT_COLUMNS_MAX - EVENTSET_MAX };
	uint32_t told = 0;

	for (unsigned i = metric_count; i < a->nmetrics; i++)
		if (!a->metric[i]->event && counted_now(f, i) && c->n < ROOM)
			add_column(c, i);
	for (unsigned i = 0; i < metric_count && i < a->nmetrics; i++)
		if (counted_now(f, i) && c->n < ROOM)
			add_column(c, i);
	for (unsigned i = 0; i < c->n; i++)
		told |= frame_slots_told(f, c->metric[i],
					 a->metric[c->metric[i]]);
	for (unsigned i = 0; i < a->nmetrics; i++)
		if (is_left(a->metric[i], f->set, told))
			add_column(c, i);
}

bool
text_without_pmu(const struct sink_about *a, const struct frame *f)
{
	int ipc = metric_index(a, "ipc");

	return ipc >= 0 && !supported(f, (unsigned)ipc);
}

void
text_always_find(struct text_always *t, const struct sink_about *a)
{
	static const char *const name[] = { "ghz", "ipc", "gips" };

	t->n = 0;
	for (unsigned i = 0; i < sizeof name / sizeof *name; i++) {
		int m = metric_index(a, name[i]);

		if (m >= 0)
			t->metric[t->n++] = (unsigned)m;
	}
}

void
text_choose(const struct sink_about *a, const struct text_always *always,
	    const struct frame *f, struct text_columns *c)
{
	int preset = f->set->len > 0 ? preset_find(f->set->name) : -1;
	bool no_pmu = text_without_pmu(a, f);

	c->n = 0;
	for (unsigned i = 0; i < always->n; i++)
		add_column(c, always->metric[i]);
	if (preset < 0) {
		if (f->set->len > 0)
			choose_own(a, f, c);
		return;
	}
	const char *const *name = preset_table[preset].metrics;

	for (unsigned i = 0; i < PRESET_METRICS && name[i] != NULL; i++) {
		int m = metric_index(a, name[i]);

		if (m >= 0 && (supported(f, (unsigned)m) ||
			       metric_refused(a->metric[m], f->set) ||
			       (no_pmu && !a->metric[m]->optional)))
			add_column(c, (unsigned)m);
	}
}

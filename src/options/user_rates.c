/* Rates of events that were chosen by name: columns wherever metrics are. */
#include "options/user_rates.h"

#include <string.h>

#include "base/buf.h"
#include "base/parse.h"

static char
lower(char c)
{
	if (c >= 'A' && c <= 'Z')
		return (char)(c - 'A' + 'a');
	return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ? c : '_';
}

/* By a column that says something else? */
static bool
label_taken(const struct user *u, const char *name, const char *label)
{
	for (unsigned i = 0; i < u->nmetrics; i++)
		if (strcmp(u->metric[i].label, label) == 0)
			return true;
	for (unsigned i = 0; i < metric_count; i++) {
		const struct metric *m = &metric_table[i];

		if (strcmp(m->label, label) == 0 &&
		    (m->unit != UNIT_PER_S ||
		     strcmp(m->num[0].event, name) != 0))
			return true;
	}
	return false;
}

/* A title that no other column has: "brmiss/s", or "brmis2/s". */
static void
make_label(const struct user *u, const char *name, char out[USER_LABEL_SIZE])
{
	char label[EVENT_LABEL_SIZE];

	event_label(name, label);
	for (unsigned i = 1; i <= USER_RATES + USER_SPARES; i++) {
		struct buf b = buf_over(out, USER_LABEL_SIZE);
		size_t room = EVENT_LABEL_SIZE - (i > 9 ? 3 : i > 1 ? 2 : 1);
		size_t n = strlen(label);

		buf_bytes(&b, label, n < room ? n : room);
		if (i > 1)
			buf_u64(&b, i);
		buf_str(&b, "/s");
		buf_cstr(&b);
		if (!label_taken(u, name, out))
			return;
	}
}

/* What is the same in every rate; its strings are to be set. */
static struct metric
rate_of(const struct event *v)
{
	return (struct metric){
		.text = v->text != NULL ? v->text : "chosen by name",
		.unit = UNIT_PER_S,
		.scale = 1e9,
		.den = { { v->fixed ? METRIC_WALL_NS : METRIC_EVENT_NS, 1 } },
		.event = true
	};
}

static void
make_name(const struct event *v, char out[USER_NAME_SIZE])
{
	size_t n = 0;

	for (; v->name[n] != '\0' && n < EVENT_NAME_SIZE; n++)
		out[n] = lower(v->name[n]);
	memcpy(out + n, "_per_s", sizeof "_per_s");
}

static void
add_rate(struct user *u, const struct event *v)
{
	char name[USER_NAME_SIZE], label[USER_LABEL_SIZE];
	struct metric m = rate_of(v);
	struct err e;

	make_name(v, name);
	if (user_metric_find(u, name) != NULL || u->nmetrics >= USER_RATES ||
	    metric_count + u->nmetrics >= METRIC_MAX)
		return;
	make_label(u, v->name, label);
	m.name = user_keep(u, name, strlen(name), &e);
	m.label = user_keep(u, label, strlen(label), &e);
	m.num[0] =
		(struct term){ user_keep(u, v->name, strlen(v->name), &e), 1 };
	m.text = user_keep(u, m.text, strlen(m.text), &e);
	if (m.name != NULL && m.label != NULL && m.num[0].event != NULL &&
	    m.text != NULL)
		u->metric[u->nmetrics++] = m;
}

bool
user_find_events(const struct catalog *c, const char *at,
		 const struct event *event[EVENTSET_MAX], unsigned *n,
		 struct err *e)
{
	for (*n = 0;; at++) {
		size_t len = parse_word(at);
		const struct event *v = catalog_find_n(c, at, (unsigned)len);

		if (v == NULL)
			return err_set(
				e, ERR_USAGE,
				"--events: %s has no event \"%.*s\"; --list-events lists what it has",
				c->name, (int)len, at);
		for (unsigned i = 0; i < *n; i++)
			if (event[i] == v)
				return err_set(e, ERR_USAGE,
					       "--events names %s twice (%.*s)",
					       v->name, (int)len, at);
		if (*n == EVENTSET_MAX)
			return err_set(e, ERR_USAGE,
				       "--events takes at most %d events",
				       EVENTSET_MAX);
		event[(*n)++] = v;
		at += len;
		if (*at == '\0')
			return true;
	}
}

static void
add_presets(struct user *u, const struct catalog *c)
{
	for (unsigned p = 0; p < u->npresets; p++)
		for (unsigned i = 0; i < u->nevents[p]; i++) {
			const struct event *v = catalog_find(c, u->event[p][i]);

			if (v != NULL)
				add_rate(u, v);
		}
}

void
user_add_rates(struct user *u, const struct source_info *i, const char *asked)
{
	const struct event *event[EVENTSET_MAX];
	unsigned n = 0;

	if (i->catalog == NULL)
		return;
	if (!i->ends && asked != NULL)
		(void)user_find_events(i->catalog, asked, event, &n, NULL);
	if (i->ends && i->set != NULL && user_preset_find(u, i->set->name) < 0)
		for (; n < i->set->len; n++)
			event[n] = i->set->slot[n].event;
	for (unsigned k = 0; k < n; k++)
		add_rate(u, event[k]);
	add_presets(u, i->catalog);
}

/* ---- of events that nobody named before ---- */

void
user_add_spares(struct user *u)
{
	enum { ALL = sizeof u->metric / sizeof u->metric[0] };

	for (; u->nspares < USER_SPARES && u->nmetrics < ALL &&
	       metric_count + u->nmetrics < METRIC_MAX;
	     u->nspares++) {
		u->spare[u->nspares].metric = u->nmetrics;
		/* An event that no machine has: never counted, never shown. */
		u->metric[u->nmetrics++] =
			(struct metric){ .name = "",
					 .label = "",
					 .text = "",
					 .unit = UNIT_PER_S,
					 .num = { { "", 1 } },
					 .den = { { METRIC_WALL_NS, 1 } } };
	}
}

/* The one that has not been of use for the longest time; NULL: there is none.
 */
static struct user_spare *
spare_take(struct user *u)
{
	struct user_spare *oldest = NULL;

	for (unsigned i = 0; i < u->nspares; i++)
		if (oldest == NULL || u->spare[i].used < oldest->used)
			oldest = &u->spare[i];
	return oldest;
}

/* Is it a metric already? If a spare one, it is of use again. */
static bool
rate_known(struct user *u, const struct event *v)
{
	char name[USER_NAME_SIZE];

	make_name(v, name);
	for (unsigned i = 0; i < u->nspares; i++)
		if (strcmp(u->spare[i].name, name) == 0) {
			u->spare[i].used = u->uses;
			return true;
		}
	return user_metric_find(u, name) != NULL;
}

static unsigned
spare_bind(struct user *u, struct user_spare *s, const struct event *v)
{
	struct metric *m = &u->metric[s->metric];
	struct buf event = buf_over(s->event, sizeof s->event);
	struct buf text = buf_over(s->text, sizeof s->text);

	m->label = ""; /* its own is free */
	make_label(u, v->name, s->label);
	make_name(v, s->name);
	*m = rate_of(v);
	buf_str(&event, v->name);
	buf_str(&text, m->text);
	m->name = s->name;
	m->label = s->label;
	m->num[0] = (struct term){ buf_cstr(&event), 1 };
	m->text = buf_cstr(&text);
	s->used = u->uses;
	return s->metric;
}

unsigned
user_rates_follow(struct user *u, const struct eventset *set,
		  unsigned changed[EVENTSET_MAX])
{
	int preset = user_preset_find(u, set->name);
	unsigned n = 0;

	/* A preset of metrics shows these. */
	if (u->nspares == 0 ||
	    (preset >= 0 && user_preset(u, preset)->metrics[0] != NULL))
		return 0;
	u->uses++;
	/* First those that have one: it is not to be taken for another. */
	for (unsigned i = 0; i < set->len; i++)
		(void)rate_known(u, set->slot[i].event);
	for (unsigned i = 0; i < set->len; i++) {
		const struct event *v = set->slot[i].event;
		struct user_spare *s = rate_known(u, v) ? NULL : spare_take(u);

		if (s != NULL && s->used < u->uses)
			changed[n++] = metric_count + spare_bind(u, s, v);
	}
	return n;
}

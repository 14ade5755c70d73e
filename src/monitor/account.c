#include "monitor/account.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

bool
totals_init(struct totals *t, const struct topology *topology)
{
	unsigned n = topology->ncpus + topology->nclusters;
	size_t cells = (size_t)n * TOTALS_EVENTS;

	*t = (struct totals){ .nrows = n };
	t->row = calloc(n, sizeof *t->row);
	t->event = calloc(TOTALS_EVENTS, sizeof *t->event);
	t->counts = calloc(cells, sizeof *t->counts);
	t->times = calloc(cells, sizeof *t->times);
	if (t->row == NULL || t->event == NULL || t->counts == NULL ||
	    t->times == NULL)
		return false;
	for (unsigned i = 0; i < TOTALS_EVENTS; i++) {
		t->event[i].count = t->counts + (size_t)i * n;
		t->event[i].time_s = t->times + (size_t)i * n;
	}
	return true;
}

void
totals_free(struct totals *t)
{
	free(t->row);
	free(t->event);
	free(t->counts);
	free(t->times);
	*t = (struct totals){ 0 };
}

bool
totals_move(struct totals *t, const struct topology *now,
	    const struct topology *was)
{
	struct totals to;

	if (!totals_init(&to, now)) {
		totals_free(&to);
		return false;
	}
	to.nevents = t->nevents;
	to.frames = t->frames;
	to.interval_s = t->interval_s;
	for (unsigned k = 0; k < t->nevents; k++) {
		memcpy(to.event[k].name, t->event[k].name,
		       sizeof to.event[k].name);
		to.event[k].domain = t->event[k].domain;
	}
	for (unsigned i = 0; i < to.nrows; i++) {
		unsigned from = topology_match(now, i, was);

		if (from >= t->nrows)
			continue;
		to.row[i] = t->row[from];
		for (unsigned k = 0; k < t->nevents; k++) {
			to.event[k].count[i] = t->event[k].count[from];
			to.event[k].time_s[i] = t->event[k].time_s[from];
		}
	}
	totals_free(t);
	*t = to;
	return true;
}

/* -1 when there is no room for one more. */
static int
event_index(struct totals *s, const char *name, enum domain domain)
{
	for (unsigned i = 0; i < s->nevents; i++)
		if (s->event[i].domain == domain &&
		    strcmp(s->event[i].name, name) == 0)
			return (int)i;
	if (s->nevents == TOTALS_EVENTS)
		return -1;
	struct totals_event *v = &s->event[s->nevents];
	struct buf b = buf_over(v->name, sizeof v->name);

	buf_str(&b, name);
	(void)buf_cstr(&b);
	v->domain = domain;
	return (int)s->nevents++;
}

static void
add_fixed(struct totals *s, const struct frame *f)
{
	for (unsigned i = 0; i < s->nrows; i++) {
		const struct tally *t = &f->tally[i];
		struct totals_row *r = &s->row[i];

		if (t->fixed_known) {
			r->cycles += t->cycles;
			r->instructions += t->instructions;
			r->measured_s += t->cpu_ns / 1e9;
			r->counted = true;
		}
		if (!isnan(t->busy_ns))
			r->busy_s += t->busy_ns / 1e9;
	}
}

/* Linux's own events happen in the kernel: user mode alone has none. */
static enum domain
domain_of(const char *event, enum domain of_set)
{
	return strncmp(event, "SW_", 3) == 0 ? DOMAIN_ALL : of_set;
}

void
totals_add(struct totals *s, const struct frame *f)
{
	s->frames++;
	s->interval_s += f->interval_s;
	add_fixed(s, f);
	for (unsigned k = 0; k < f->set->len; k++) {
		const char *name = f->set->slot[k].event->name;
		int at = event_index(s, name, domain_of(name, f->domain));

		for (unsigned i = 0; i < s->nrows && at >= 0; i++) {
			const struct tally *t = &f->tally[i];

			if (!t->slot_known[k])
				continue;
			s->event[at].count[i] += t->slot[k];
			s->event[at].time_s[i] +=
				t->event_s *
				(t->n_ok > 0 ? t->n_ok : f->scope[i].ncpus);
		}
	}
}

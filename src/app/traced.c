#include "app/traced.h"

#include <stdio.h>

#include "source/source.h"

static void
add(struct traced *t, const struct process_traced *now)
{
	const struct process_counts *c = process_traced_find(now, t->pid, 0);

	t->slots = t->intervals++ == 0 ? now->slots : t->slots & now->slots;
	if (c == NULL) /* it did not run */
		return;
	process_counts_add(&t->sum, c);
}

static void
refuse(struct traced *t, const char *why)
{
	t->state = PROCESS_TRACING_REFUSED;
	snprintf(t->why, sizeof t->why, "%s", why);
}

void
traced_take(struct traced *t, struct source *s)
{
	const struct process_wish w = { .top = 1,
					.opened = -1,
					.pin = &t->pid,
					.npins = 1,
					.trace = true };
	const struct process_traced *now = &t->reading.traced;
	bool traced = t->state == PROCESS_TRACING_ON;
	struct err e = { ERR_NONE, "" };

	if (t->pid == 0)
		return;
	if (!s->info.processes || s->ops->processes == NULL) {
		refuse(t, "this source tells nothing of processes");
		return;
	}
	if (!s->ops->processes(s, &w, &t->reading, &e)) {
		refuse(t, e.text);
		return;
	}
	t->state = (enum process_tracing)now->state;
	t->gaps = now->gaps;
	t->dropped = now->dropped;
	if (t->state == PROCESS_TRACING_NONE)
		refuse(t,
		       "the kernel of this machine cannot be traced for them");
	else if (t->state == PROCESS_TRACING_REFUSED)
		refuse(t, now->why);
	else if (traced)
		add(t, now);
}

void
traced_free(struct traced *t)
{
	process_reading_free(&t->reading);
}

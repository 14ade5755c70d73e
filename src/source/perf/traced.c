/* Events of processes, in the groups of their threads: taken on request. */
#include "base/bits.h"
#include "source/perf/state.h"

#include <stdio.h>
#include <string.h>

/* Of what ran: less than that says nothing, and of more lost they are short. */
static const uint64_t ran_least_ns = 10000000;
enum { LOST_OF = 50 };

/* ---- who counts what ---- */

static void
plan_slot(const struct perf_source *s, struct task_part *to, unsigned slot,
	  uint32_t left_out)
{
	const struct perf_event_code *c = perf_catalog_code(
		&s->catalog, s->set.slot[slot].event, to->kind);
	bool by_cycles =
		c->how == LINUX_CYCLES_TIMES || c->how == LINUX_NOTHING;

	if (!c->known || c->how == LINUX_SLOTS_SUM ||
	    (!by_cycles && (left_out >> slot & 1) != 0))
		return;
	to->slots |= UINT32_C(1) << slot;
	if (by_cycles)
		to->cycles[slot] = c->factor;
	else
		to->factor[slot] = c->factor != 0 ? c->factor : 1;
}

void
perf_traced_plan_pair(const struct perf_source *s, struct task_part *to)
{
	const struct perf_kind *k = &s->catalog.kind[to->kind];

	*to = (struct task_part){ .kind = to->kind, .group = { .len = 2 } };
	to->group.member[FIXED_CYCLES].code = k->cycles;
	to->group.member[FIXED_CYCLES].what = FIXED_CYCLES;
	to->group.member[FIXED_INSTRUCTIONS].code = k->instructions;
	to->group.member[FIXED_INSTRUCTIONS].what = FIXED_INSTRUCTIONS;
}

/* As the cores are, of what fits next to them. */
static void
plan_part(struct perf_source *s, struct task_part *to)
{
	unsigned kind = to->kind;
	uint32_t left_out = perf_beyond(s, kind, s->traced.keep);

	if (s->yields == 0) /* to others, then */
		left_out |= s->fit[kind].left_out;
	perf_traced_plan_pair(s, to);
	perf_plan_kind(s, &s->set, kind, left_out);
	to->group = s->next[kind];
	to->group.apart = false;
	for (unsigned i = 0; i < s->set.len; i++)
		plan_slot(s, to, i, left_out);
	/* What is open of the cores is as it was. */
	perf_plan_kind(s, &s->set, kind, s->fit[kind].left_out);
}

/* All are opened again, by another plan. */
static void
plan_again(struct perf_source *s, bool on)
{
	struct perf_processes *p = &s->processes;
	struct task_plan *plan = &p->plan;

	perf_tracks_close(s);
	s->traced.on = plan->traced = on;
	plan->off = 0;
	for (unsigned i = 0; i < plan->nparts; i++)
		if (on)
			plan_part(s, &plan->part[i]);
		else
			perf_traced_plan_pair(s, &plan->part[i]);
}

void
perf_traced_stop(struct perf_source *s)
{
	s->traced.in_vain = false;
	s->traced.other = true;
	if (s->traced.on)
		plan_again(s, false);
}

static void
give_back(struct perf_source *s)
{
	perf_traced_stop(s);
	(void)perf_yield(s, 0);
}

static void
refuse(struct perf_source *s, const char *why, int bytes)
{
	give_back(s);
	s->traced.refused = true;
	snprintf(s->traced.why, sizeof s->traced.why, "%.*s", bytes, why);
}

/*
 * The kernel places the cores' groups first, and what then does not fit never
 * counts: the cores keep the pair alone. That sits on counters, too, maybe on
 * those that hold the processes' own.
 */
static void
make_place(struct perf_source *s)
{
	static const char none[] =
		"no counter is free for events of processes: the cores' pair, another profiler or the NMI watchdog holds them";
	const uint32_t general = (1u << 16) - 1;
	unsigned n = (unsigned)bits_count(s->catalog.catalog.config_counters &
					  general);
	struct perf_traced *t = &s->traced;

	if (t->keep > s->set.len)
		t->keep = s->set.len;
	if (s->yields < s->set.len && perf_yield(s, s->set.len))
		n = n > FIXED_COUNT ? n - FIXED_COUNT : 0;
	else
		n = t->keep > 0 ? t->keep - 1 : 0;
	if (n < t->keep)
		t->keep = n;
	if (t->keep == 0)
		refuse(s, none, (int)sizeof none);
	else
		plan_again(s, true);
}

/* ---- what they counted ---- */

static bool
take(struct task_set *set, const struct process_counts *who,
     struct process_counts *row)
{
	const struct task_counts counts = set->counts;

	memset(&set->counts, 0, sizeof set->counts);
	if (counts.cycles == 0)
		return false;
	*row = *who;
	row->cycles = counts.cycles;
	row->instructions = counts.instructions;
	memcpy(row->slot, counts.slot, sizeof row->slot);
	return true;
}

/* A pid that came back at once: the row is of the one that lives. */
static bool
is_of_the_dead(const struct proc_list *l, const struct track *k, unsigned i)
{
	const struct proc_entry *e = proc_list_find(l, k->pid);

	return e != NULL && e->group != (int)i;
}

static void
take_rows(struct perf_source *s, struct process_traced *out)
{
	struct perf_processes *p = &s->processes;
	uint64_t ran = 0, lost = 0;

	for (unsigned i = 0;
	     i < TRACKS_PROCESSES && out->n < PROCESS_TRACED_MAX; i++) {
		struct track *k = &p->track[i];
		const struct process_counts who = { .pid = k->pid };
		/* What is open has its threads' groups to share with. */
		bool shares = p->threads.dir != NULL && p->opened == k->pid;

		if (!k->used)
			continue;
		ran += shares ? 0 : k->set.counts.ran_ns;
		lost += shares ? 0 : k->set.counts.lost_ns;
		if (is_of_the_dead(&p->list, k, i) ||
		    !take(&k->set, &who, &out->row[out->n]))
			continue;
		out->cycles += out->row[out->n++].cycles;
	}
	process_traced_sort(out);
	s->traced.crowded = p->plan.absent == 0 && ran >= ran_least_ns &&
			    lost > ran / LOST_OF;
}

static void
take_threads(struct perf_processes *p, struct process_traced *out)
{
	for (unsigned i = 0;
	     i < p->threads.n && out->nthreads < PROCESS_TRACED_THREADS; i++) {
		const struct proc_entry *e = &p->threads.entry[i];
		const struct process_counts who = { .pid = p->opened,
						    .thread =
							    (uint64_t)e->pid };

		if (e->group >= 0 && take(&p->track[e->group].set, &who,
					  &out->thread[out->nthreads]))
			out->nthreads++;
	}
	process_traced_sort(out);
}

void
perf_traced_finish(struct perf_source *s, struct process_traced *out)
{
	struct perf_processes *p = &s->processes;

	if (out->state == PROCESS_TRACING_NONE)
		return;
	if (s->traced.on)
		take_threads(p, out);
	/* What they take, or would take. */
	out->files = p->files;
	if (!s->traced.on)
		out->files += out->files / FIXED_COUNT * s->set.len;
}

/* ---- the pair alone ---- */

static bool
is_starved(struct perf_processes *p)
{
	uint64_t ran = 0, lost = 0;

	for (unsigned i = 0; i < TRACKS_PROCESSES; i++) {
		struct task_counts *c = &p->track[i].set.counts;

		if (!p->track[i].used)
			continue;
		ran += c->ran_ns;
		lost += c->lost_ns;
		memset(c, 0, sizeof *c);
	}
	return p->plan.absent == 0 && ran >= ran_least_ns &&
	       lost > ran / 10 * 9;
}

/*
 * Where processes come first it has to be counted of them: a set that takes all
 * counters of the cores gives up as much as the pair needs.
 */
static void
pair_first(struct perf_source *s, bool first)
{
	struct perf_traced *t = &s->traced;
	bool starved = is_starved(&s->processes) && !t->other;

	t->other = false;
	if (!first) {
		t->in_vain = false;
		(void)perf_yield(s, 0);
		return;
	}
	if (!starved || t->in_vain)
		return;
	t->in_vain = s->yields >= s->set.len;
	(void)perf_yield(s, t->in_vain ? 0 : s->yields + FIXED_COUNT);
}

/* ---- as it is wished ---- */

/* Is there anything that could count them? */
static bool
could_be(const struct perf_source *s)
{
	const struct perf_ops *ops = s->port.ops;

	return ops != NULL && ops->open_task != NULL &&
	       (s->counts || !denied_is_absent(s->hardware));
}

static void
begin(struct perf_source *s)
{
	s->traced.keep = EVENTSET_MAX;
	s->traced.crowded = false;
	plan_again(s, true);
}

static void
go_on(struct perf_source *s)
{
	const struct perf_processes *t = &s->processes;
	struct err e = { ERR_NONE, "" };

	if (t->why != PROCESS_COUNTED) {
		(void)denied_explain(s->root, t->code, &e);
		refuse(s, e.text, source_why_bytes(&e));
	} else if (t->plan.user_only) {
		refuse(s,
		       "the kernel lets ktop count processes in user mode alone, which the cores' events are not",
		       PROCESS_TRACED_WHY);
	} else if (s->traced.crowded) {
		make_place(s);
	}
}

static void
say_refused(const struct perf_source *s, struct process_traced *out)
{
	const struct err *why = &s->source.info.why;

	if (s->traced.refused)
		snprintf(out->why, sizeof out->why, "%s", s->traced.why);
	else if (!s->counts)
		snprintf(out->why, sizeof out->why, "%.*s",
			 source_why_bytes(why), why->text);
	else
		snprintf(
			out->why, sizeof out->why,
			"events of processes are those of the cores: i takes them");
}

static void
say(const struct perf_source *s, bool wished, struct process_traced *out)
{
	const struct perf_processes *t = &s->processes;

	out->own = true;
	if (s->traced.on) {
		out->state = PROCESS_TRACING_ON;
		out->slots = task_plan_slots(&t->plan) &
			     ((UINT32_C(1) << s->set.len) - 1);
		return;
	}
	out->state = wished ? PROCESS_TRACING_REFUSED : PROCESS_TRACING_OFF;
	if (wished)
		say_refused(s, out);
}

void
perf_traced_read(struct perf_source *s, const struct process_wish *w,
		 struct process_traced *out)
{
	struct perf_traced *t = &s->traced;

	process_traced_clear(out);
	if (!could_be(s))
		return;
	if (!w->trace) {
		if (t->on)
			give_back(s);
		t->refused = false;
	} else if (t->on) {
		take_rows(s, out);
		go_on(s);
	} else if (s->counts && s->set.len > 0 && !t->refused) {
		begin(s);
	}
	if (!t->on && s->counts)
		pair_first(s, w->first);
	say(s, w->trace, out);
}

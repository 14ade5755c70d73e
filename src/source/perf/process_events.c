/* Counts events of processes, on request, in the groups of their threads. */
#include "base/bits.h"
#include "source/perf/state.h"

#include <stdio.h>
#include <string.h>

/* Counters are too few if processes ran at least this long and lost more than
 * 1/LOST_OF of this time. */
static const uint64_t ran_least_ns = 10000000;
enum { LOST_OF = 50 };

static void
part_plan_slot(const struct perf_source *s, struct task_part *to, unsigned slot,
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
perf_traced_plan_fixed(const struct perf_source *s, struct task_part *to)
{
	const struct perf_kind *k = &s->catalog.kind[to->kind];

	*to = (struct task_part){ .kind = to->kind, .group = { .len = 2 } };
	to->group.member[FIXED_CYCLES].code = k->cycles;
	to->group.member[FIXED_CYCLES].what = FIXED_CYCLES;
	to->group.member[FIXED_INSTRUCTIONS].code = k->instructions;
	to->group.member[FIXED_INSTRUCTIONS].what = FIXED_INSTRUCTIONS;
}

static void
part_plan_events(struct perf_source *s, struct task_part *to)
{
	unsigned kind = to->kind;
	uint32_t left_out = perf_slots_beyond(s, kind, s->traced.keep);

	if (s->yields == 0)
		left_out |= s->fit[kind].left_out;
	perf_traced_plan_fixed(s, to);
	perf_plan_kind(s, &s->set, kind, left_out);
	to->group = s->next[kind];
	to->group.apart = false;
	for (unsigned i = 0; i < s->set.len; i++)
		part_plan_slot(s, to, i, left_out);
	perf_plan_kind(s, &s->set, kind, s->fit[kind].left_out);
}

static void
processes_replan(struct perf_source *s, bool on)
{
	struct perf_processes *p = &s->processes;
	struct task_plan *plan = &p->plan;

	perf_tracks_close(s);
	s->traced.on = plan->traced = on;
	plan->off = 0;
	for (unsigned i = 0; i < plan->nparts; i++)
		if (on)
			part_plan_events(s, &plan->part[i]);
		else
			perf_traced_plan_fixed(s, &plan->part[i]);
}

void
perf_traced_close(struct perf_source *s)
{
	s->traced.yield_failed = false;
	s->traced.other = true;
	if (s->traced.on)
		processes_replan(s, false);
}

static void
release_counters_to_cores(struct perf_source *s)
{
	perf_traced_close(s);
	(void)perf_yield_slots(s, 0);
}

static void
traced_refuse(struct perf_source *s, const char *why, int bytes)
{
	release_counters_to_cores(s);
	s->traced.refused = true;
	snprintf(s->traced.why, sizeof s->traced.why, "%.*s", bytes, why);
}

/* The kernel schedules the CPUs' groups first, so CPUs yield all events. Even
 * the fixed counters of CPUs may use counters that processes need. */
static void
traced_free_counters(struct perf_source *s)
{
	static const char none[] =
		"no counter is free for events of processes: the CPUs' fixed counters, another profiler or the NMI watchdog uses them";
	const uint32_t general = (1u << 16) - 1;
	unsigned n = (unsigned)bits_count(s->catalog.catalog.config_counters &
					  general);
	struct perf_traced *t = &s->traced;

	if (t->keep > s->set.len)
		t->keep = s->set.len;
	if (s->yields < s->set.len && perf_yield_slots(s, s->set.len))
		n = n > FIXED_COUNT ? n - FIXED_COUNT : 0;
	else
		n = t->keep > 0 ? t->keep - 1 : 0;
	if (n < t->keep)
		t->keep = n;
	if (t->keep == 0)
		traced_refuse(s, none, (int)sizeof none);
	else
		processes_replan(s, true);
}

static bool
task_set_take_counts(struct task_set *set, const struct process_counts *who,
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

static bool
track_pid_reused(const struct proc_list *l, const struct track *k, unsigned i)
{
	const struct proc_entry *e = proc_list_find(l, k->pid);

	return e != NULL && e->group != (int)i;
}

static void
traced_take_processes(struct perf_source *s, struct process_traced *out)
{
	struct perf_processes *p = &s->processes;
	uint64_t ran = 0, lost = 0;

	for (unsigned i = 0;
	     i < TRACKS_PROCESSES && out->n < PROCESS_TRACED_MAX; i++) {
		struct track *k = &p->track[i];
		const struct process_counts who = { .pid = k->pid };
		/* The opened process's group shares counters with the groups of
		 * its threads. */
		bool shares = p->threads.dir != NULL && p->opened == k->pid;

		if (!k->used)
			continue;
		ran += shares ? 0 : k->set.counts.ran_ns;
		lost += shares ? 0 : k->set.counts.lost_ns;
		if (track_pid_reused(&p->list, k, i) ||
		    !task_set_take_counts(&k->set, &who, &out->row[out->n]))
			continue;
		out->cycles += out->row[out->n++].cycles;
	}
	process_traced_sort(out);
	s->traced.lacks_counters = p->plan.absent == 0 && ran >= ran_least_ns &&
				   lost > ran / LOST_OF;
}

static void
traced_take_threads(struct perf_processes *p, struct process_traced *out)
{
	for (unsigned i = 0;
	     i < p->threads.n && out->nthreads < PROCESS_TRACED_THREADS; i++) {
		const struct proc_entry *e = &p->threads.entry[i];
		const struct process_counts who = { .pid = p->opened,
						    .thread =
							    (uint64_t)e->pid };

		if (e->group >= 0 &&
		    task_set_take_counts(&p->track[e->group].set, &who,
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
		traced_take_threads(p, out);
	out->files = p->files;
	if (!s->traced.on)
		out->files += out->files / FIXED_COUNT * s->set.len;
}

static bool
fixed_counters_lose_time(struct perf_processes *p)
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

/* If processes have priority but lack counters, CPUs yield events to them. */
static void
processes_set_priority(struct perf_source *s, bool first)
{
	struct perf_traced *t = &s->traced;
	bool not_counting =
		fixed_counters_lose_time(&s->processes) && !t->other;

	t->other = false;
	if (!first) {
		t->yield_failed = false;
		(void)perf_yield_slots(s, 0);
		return;
	}
	if (!not_counting || t->yield_failed)
		return;
	t->yield_failed = s->yields >= s->set.len;
	(void)perf_yield_slots(s,
			       t->yield_failed ? 0 : s->yields + FIXED_COUNT);
}

static bool
can_count_tasks(const struct perf_source *s)
{
	const struct perf_ops *ops = s->port.ops;

	return ops != NULL && ops->open_task != NULL &&
	       (s->counts || !errno_means_no_pmu(s->hardware));
}

static void
traced_begin(struct perf_source *s)
{
	s->traced.keep = EVENTSET_MAX;
	s->traced.lacks_counters = false;
	processes_replan(s, true);
}

static void
traced_check(struct perf_source *s)
{
	const struct perf_processes *t = &s->processes;
	struct err e = { ERR_NONE, "" };

	if (t->why != PROCESS_COUNTED) {
		(void)permission_explain(s->root, t->code, &e);
		traced_refuse(s, e.text, source_why_bytes(&e));
	} else if (t->plan.user_only) {
		traced_refuse(
			s,
			"the kernel allows ktop to count processes in user mode only, but the CPUs' events count all modes; run ktop as root",
			PROCESS_TRACED_WHY);
	} else if (s->traced.lacks_counters) {
		traced_free_counters(s);
	}
}

static void
traced_refused_text(const struct perf_source *s, struct process_traced *out)
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
			"events of processes need the configurable counters: press i to acquire them");
}

static void
traced_fill_state(const struct perf_source *s, bool wished,
		  struct process_traced *out)
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
		traced_refused_text(s, out);
}

void
perf_traced_read(struct perf_source *s, const struct process_request *w,
		 struct process_traced *out)
{
	struct perf_traced *t = &s->traced;

	process_traced_reset(out);
	if (!can_count_tasks(s))
		return;
	if (!w->trace) {
		if (t->on)
			release_counters_to_cores(s);
		t->refused = false;
	} else if (t->on) {
		traced_take_processes(s, out);
		traced_check(s);
	} else if (s->counts && s->set.len > 0 && !t->refused) {
		traced_begin(s);
	}
	if (!t->on && s->counts)
		processes_set_priority(s, w->first);
	traced_fill_state(s, w->trace, out);
}

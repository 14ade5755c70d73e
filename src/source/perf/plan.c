#include "source/perf/denied.h"
#include "source/perf/state.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>

static unsigned
places(const struct event *e)
{
	unsigned n = 0;

	for (uint32_t m = e->counters; m != 0; m &= m - 1)
		n++;
	return n;
}

static void
put(struct group_plan *p, const struct perf_code *code, unsigned what,
    bool exclude_kernel, unsigned rank)
{
	if (p->len == GROUP_MAX)
		return;
	p->member[p->len].code = *code;
	p->member[p->len].what = what;
	p->member[p->len].rank = rank;
	p->member[p->len++].exclude_kernel = exclude_kernel;
}

static void
put_slot(struct perf_source *s, struct group_plan *p, unsigned kind,
	 const struct eventset *set, unsigned i)
{
	const struct perf_event_code *c =
		perf_catalog_code(&s->catalog, set->slot[i].event, kind);

	bool user = s->user_only && c->how != LINUX_SOFTWARE;
	/* A leader is of use to all the others, and after the pair. */
	unsigned rank = c->leader ? 1 : 2 + perf_importance(s, set, i);

	put(p, &c->code, GROUP_SLOT + i, user, rank);
	if (c->summed)
		put(p, &c->more, GROUP_SLOT + i, user, rank);
}

enum pass { LEADERS, COUNTED, SOFTWARE };

static enum pass
pass_of(const struct perf_event_code *c)
{
	if (c->leader)
		return LEADERS;
	return c->how == LINUX_SOFTWARE ? SOFTWARE : COUNTED;
}

/*
 * Drivers that place in group order, lowest free counter first (Apple's), then
 * place as slots_place did: most constrained first, then by counter.
 */
static void
put_slots(struct perf_source *s, struct group_plan *p, unsigned kind,
	  const struct eventset *set, uint32_t left_out, enum pass pass)
{
	for (unsigned width = 0; width <= 32; width++)
		for (unsigned i = 0; set != NULL && i < set->len; i++) {
			const struct event *e = set->slot[i].event;
			const struct perf_event_code *c =
				perf_catalog_code(&s->catalog, e, kind);

			if (places(e) == width && c->known &&
			    c->how != LINUX_CYCLES_TIMES &&
			    c->how != LINUX_NOTHING && pass_of(c) == pass &&
			    (left_out >> i & 1) == 0)
				put_slot(s, p, kind, set, i);
		}
}

void
perf_plan_kind(struct perf_source *s, const struct eventset *set, unsigned k,
	       uint32_t left_out)
{
	struct group_plan *p = &s->next[k];
	const struct perf_kind *kind = &s->catalog.kind[k];

	p->len = 0;
	p->apart = s->turns;
	put_slots(s, p, k, set, left_out, LEADERS);
	if (s->counts) {
		put(p, &kind->cycles, FIXED_CYCLES, false, 0);
		put(p, &kind->instructions, FIXED_INSTRUCTIONS, false, 0);
		put_slots(s, p, k, set, left_out, COUNTED);
	}
	put_slots(s, p, k, set, left_out, SOFTWARE);
}

void
perf_plan(struct perf_source *s, const struct eventset *set)
{
	for (unsigned k = 0; k < s->catalog.nkinds; k++)
		perf_plan_kind(s, set, k, 0);
}

/*
 * Opens every CPU by `plan`. An errno is why none counts what it should, the
 * hardware's events where there are any, or why no more can be opened; 0: all
 * did that may.
 */
static int
open_all(struct perf_source *s, const struct group_plan *plan)
{
	struct source_info *info = &s->source.info;
	bool any = false;
	int why = ENOENT;

	info->interrupts_per_read = 0;
	for (unsigned i = 0; i < s->topology->ncpus; i++) {
		const struct group_plan *p = &plan[s->topology->cpu[i].kind];
		struct perf_cpu *c = &s->cpu[i];
		int code;

		group_close(&c->group, &s->port);
		if (p->len == 0 || c->off)
			continue;
		code = group_open(&c->group, &s->port, p,
				  s->topology->cpu[i].id);
		if (code == 0)
			info->interrupts_per_read += group_parts(&c->group);
		if (group_without_pmu(&c->group))
			code = c->group.refused[FIXED_CYCLES];
		any = any || code == 0;
		if (code != 0 && code != ENODEV)
			why = code;
		if (perf_files_short(code))
			return code;
	}
	return any ? 0 : why;
}

/* Opens one event on some CPU and closes it again. 0, or an errno. */
static int
try_one(struct perf_source *s, bool hardware)
{
	struct group_plan one = {
		.len = 1,
		.member[0] = { .code = { .type = PERF_TYPE_SOFTWARE,
					 .config =
						 PERF_COUNT_SW_CONTEXT_SWITCHES },
			       .what = GROUP_SLOT },
	};
	int code = ENOENT;

	for (unsigned i = 0; i < s->topology->ncpus; i++) {
		const struct topology_cpu *t = &s->topology->cpu[i];
		struct group g = { .open = false };

		if (hardware) {
			one.member[0].code = s->catalog.kind[t->kind].cycles;
			one.member[0].what = FIXED_CYCLES;
		}
		if (s->cpu[i].off)
			continue;
		code = group_open(&g, &s->port, &one, t->id);
		group_close(&g, &s->port);
		if (code == 0)
			break;
	}
	return code;
}

static void
close_groups(struct perf_source *s)
{
	for (unsigned i = 0; i < s->topology->ncpus; i++)
		group_close(&s->cpu[i].group, &s->port);
}

bool
perf_adopt(struct perf_source *s, struct err *e)
{
	uint64_t need = perf_files(s);
	int code;

	if (!perf_files_fit(s, need, e)) {
		/* There may be nothing to open them for. */
		code = s->counts ? try_one(s, true) : 0;
		if (code != 0 && !perf_files_short(code)) {
			s->hardware = code;
			return denied_explain(s->root, code, e);
		}
		s->short_of_files = true;
		return false;
	}
	/* What is open outlives the right to open it: not to be closed then. */
	code = s->counts && s->source.info.interrupts_per_read > 0
		       ? try_one(s, true)
		       : 0;
	if (code != 0 && !perf_files_short(code)) {
		s->hardware = code;
		return denied_explain(s->root, code, e);
	}
	code = open_all(s, s->next);
	if (code == 0) {
		memcpy(s->plan, s->next,
		       s->catalog.nkinds * sizeof(s->plan[0]));
		for (unsigned i = 0; i < s->topology->ncpus; i++)
			s->cpu[i].shared = 0;
		return true;
	}
	close_groups(s);
	(void)open_all(s, s->plan); /* as before */
	s->hardware = code;
	if (!perf_files_short(code))
		return denied_explain(s->root, code, e);
	s->short_of_files = true;
	return perf_files_explain(s, need, code, e);
}

int
perf_hardware_errno(struct perf_source *s)
{
	return try_one(s, true);
}

int
perf_software_errno(struct perf_source *s)
{
	return try_one(s, false);
}

bool
perf_could_count(struct perf_source *s, struct err *e)
{
	bool hardware = s->counts || s->counted;
	int code;

	if (s->port.ops == NULL ||
	    (!hardware && s->source.info.catalog == NULL))
		return true;
	code = try_one(s, hardware);
	return code == 0 || denied_explain(s->root, code, e);
}

/*
 * The kernel's own events are always of all modes: without user mode context
 * switches would be none. So a set of nothing else is not of user mode.
 */
static enum domain
domain_of(const struct perf_source *s)
{
	if (s->set.len == 0)
		return DOMAIN_NONE;
	for (unsigned i = 0; s->user_only && i < s->set.len; i++)
		for (unsigned k = 0; k < s->catalog.nkinds; k++) {
			const struct perf_event_code *c = perf_catalog_code(
				&s->catalog, s->set.slot[i].event, k);

			if (c->known && c->how != LINUX_SOFTWARE)
				return DOMAIN_USER;
		}
	return DOMAIN_ALL;
}

bool
perf_program(struct source *base, const struct eventset *set, struct err *e)
{
	struct perf_source *s = perf_of(base);
	struct source_info *info = &s->source.info;
	static const struct eventset none;

	if (s->port.ops == NULL || (s->source.info.mode == SOURCE_BUSY_ONLY &&
				    info->catalog == NULL)) {
		if (set == NULL)
			return true;
		if (e != NULL)
			*e = info->why;
		return false;
	}
	perf_plan(s, set);
	if (!s->counts && set == NULL) {
		close_groups(s);
		memcpy(s->plan, s->next,
		       s->catalog.nkinds * sizeof(s->plan[0]));
	} else if (!perf_adopt(s, e)) {
		s->baseline = s->set.len > 0;
		return false;
	}
	for (unsigned i = 0; i < s->topology->ncpus; i++)
		group_forget_slots(&s->cpu[i].group);
	s->set = set != NULL ? *set : none;
	s->baseline = true;
	perf_note_refusals(s);
	perf_fit_anew(s);
	memcpy(info->notice, s->refused, sizeof(s->refused));
	info->domain = domain_of(s);
	if (s->counts)
		info->mode = s->set.len > 0 ? SOURCE_FULL : SOURCE_IPC;
	if (s->counts && s->set.len > 0)
		info->why = (struct err){ ERR_NONE, "" };
	else if (s->counts)
		err_set(&info->why, ERR_NONE,
			"the events are released: cycles and instructions "
			"only");
	return true;
}

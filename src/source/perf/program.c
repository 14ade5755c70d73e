/* Counting a set: opened on every CPU, or as it was before. */
#include "source/perf/denied.h"
#include "source/perf/state.h"

#include <errno.h>
#include <string.h>

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
		code = s->counts ? perf_hardware_errno(s) : 0;
		if (code != 0 && !perf_files_short(code)) {
			s->hardware = code;
			return denied_explain(s->root, code, e);
		}
		s->short_of_files = true;
		return false;
	}
	/* What is open outlives the right to open it: not to be closed then. */
	code = s->counts && s->source.info.interrupts_per_read > 0
		       ? perf_hardware_errno(s)
		       : 0;
	if (code != 0 && !perf_files_short(code)) {
		s->hardware = code;
		return denied_explain(s->root, code, e);
	}
	code = open_all(s, s->next);
	if (code == 0) {
		memcpy(s->plan, s->next, s->catalog.nkinds * sizeof s->plan[0]);
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
	perf_traced_stop(s); /* of another set from now on */
	perf_plan(s, set);
	if (!s->counts && set == NULL) {
		close_groups(s);
		memcpy(s->plan, s->next, s->catalog.nkinds * sizeof s->plan[0]);
	} else if (!perf_adopt(s, e)) {
		s->baseline = s->set.len > 0;
		return false;
	}
	for (unsigned i = 0; i < s->topology->ncpus; i++)
		group_forget_slots(&s->cpu[i].group);
	s->set = set != NULL ? *set : none;
	s->baseline = true;
	perf_note_refusals(s);
	perf_fit_new_set(s);
	memcpy(info->notice, s->refused, sizeof s->refused);
	info->domain = domain_of(s);
	if (s->counts)
		info->mode = s->set.len > 0 ? SOURCE_FULL : SOURCE_IPC;
	if (s->counts && s->set.len > 0)
		info->why = (struct err){ ERR_NONE, "" };
	else if (s->counts)
		err_set(&info->why, ERR_NONE,
			"the events are released: cycles and instructions only");
	return true;
}

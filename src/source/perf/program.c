#include "source/perf/state.h"

#include "base/buf.h"
#include "base/plural.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* For files that are opened later: recordings, saved screens. */
enum { SPARE_FILES = 2 };

static uint64_t
process_files(const struct perf_source *s)
{
	const struct perf_processes *p = &s->processes;

	return p->files + p->list.kept + p->threads.kept;
}

static bool
is_file_shortage(int code)
{
	return code == EMFILE || code == ENFILE || code == ENOMEM;
}

/* code 0: `limit` leaves only `left` files. Always false. */
static bool
explain_file_shortage(const struct perf_source *s, uint64_t need, int code,
		      uint64_t limit, uint64_t left, struct err *e)
{
	/* The first open is for the fixed counters, before any set. */
	bool pair = s->counts && s->plan[0].len == 0;
	unsigned n = s->topology->ncpus;
	const char *cpus = plural(n, "CPU", "CPUs");
	char why[160];

	if (code == 0)
		snprintf(why, sizeof why,
			 "for %u %s and the limit of %" PRIu64
			 " leaves %" PRIu64
			 " for counters (raise it with ulimit -Hn)",
			 n, cpus, limit, left);
	else if (code == ENFILE)
		snprintf(
			why, sizeof why,
			"and the system's table of them is full (ENFILE; close other programs, or raise sysctl fs.file-max)");
	else if (code == ENOMEM)
		snprintf(
			why, sizeof why,
			"and the kernel has no memory left for that (ENOMEM; close other programs)");
	else
		snprintf(
			why, sizeof why,
			"for %u %s, more than this process may have (EMFILE; raise the limit with ulimit -Hn)",
			n, cpus);
	return err_set(
		e, pair ? ERR_NO_PMU : ERR_FAIL, "%s %" PRIu64 " %s %s: %s",
		pair ? "cycles and instructions need" : "this set needs", need,
		code == ENOMEM ? plural(need, "counter", "counters")
			       : plural(need, "open file", "open files"),
		why,
		s->set.len > 0       ? "the previous events are still counted"
		: s->counts && !pair ? "cycles and instructions only"
				     : "only busy time is shown");
}

/* Raises the limit of open files if possible. False and *e: too few files. */
static bool
reserve_files(struct perf_source *s, uint64_t need, struct err *e)
{
	uint64_t processes = process_files(s), kept = s->used + SPARE_FILES;
	uint64_t limit =
		s->port.ops->limit(s->port.ops->self, need + kept + processes);
	uint64_t left = limit > kept ? limit - kept : 0;

	/* CPUs have precedence: processes get the remaining files. */
	if (need > left || left - need < processes) {
		perf_tracks_close(s);
		proc_list_trim(&s->processes.list, 0);
	}
	return need <= left ||
	       explain_file_shortage(s, need, 0, limit, left, e);
}

enum { NOT_ASKED = -1 };

/* Returns 0 if a CPU of the kind counts the event, errno, or NOT_ASKED. */
static int
slot_refusal(const struct perf_source *s, unsigned slot, unsigned kind)
{
	const struct perf_event_code *c =
		perf_catalog_code(&s->catalog, s->set.slot[slot].event, kind);
	int code = NOT_ASKED;

	if (!c->known)
		return NOT_ASKED;
	for (unsigned i = 0; i < s->topology->ncpus; i++) {
		const struct group *g = &s->cpu[i].group;

		if (!g->open || s->topology->cpu[i].kind != kind ||
		    (group_without_pmu(g) && c->how != LINUX_SOFTWARE))
			continue;
		code = g->refused[GROUP_SLOT + slot];
		if (code == 0)
			return 0;
	}
	return code;
}

static int
pmu_refusal(const struct perf_source *s, unsigned kind)
{
	int code = 0;

	for (unsigned i = 0; i < s->topology->ncpus; i++) {
		const struct group *g = &s->cpu[i].group;

		if (!g->open || s->topology->cpu[i].kind != kind)
			continue;
		if (!group_without_pmu(g))
			return 0;
		code = g->refused[FIXED_CYCLES];
	}
	return code;
}

static const char *
kind_short_name(const struct topology_kind *k)
{
	return k->letter[0] != '\0' ? k->letter : k->name;
}

/* Returns errno or 0. *where: " on P and E"; "": no kind counts the event. */
static int
slot_refused_kinds(const struct perf_source *s, unsigned slot,
		   struct buf *where)
{
	bool counted = false;
	int why = 0;

	for (unsigned k = 0; k < s->catalog.nkinds; k++) {
		int code = slot_refusal(s, slot, k);

		counted = counted || code == 0;
		if (code <= 0)
			continue;
		buf_printf(where, "%s%s", why == 0 ? " on " : " and ",
			   kind_short_name(&s->topology->kind[k]));
		why = code;
	}
	if (!counted)
		where->len = 0;
	return why;
}

static void
set_drop_slot(struct perf_source *s, unsigned slot, int code, const char *where,
	      struct buf *said)
{
	unsigned n = s->set.ndropped;
	const char *name = s->set.slot[slot].event->name;
	char why[sizeof s->set.dropped[0].why];

	if (code == EINVAL)
		snprintf(why, sizeof why,
			 "refused%s (EINVAL): no counter is left for it",
			 where);
	else
		snprintf(why, sizeof why, "refused%s by the kernel: %s", where,
			 strerror(code));
	buf_printf(said, "%s%s%s", said->len > 0 ? ", " : "not counted: ", name,
		   where);
	if (n == EVENTSET_MAX)
		return;
	s->set.dropped[n].event = name;
	memcpy(s->set.dropped[n].why, why, sizeof why);
	s->set.ndropped++;
}

void
perf_note_without_pmu(struct perf_source *s)
{
	struct buf said = buf_over(s->refused, sizeof s->refused - 1);
	int why = 0;

	said.len = s->refused_len;
	for (unsigned k = 0; k < s->catalog.nkinds; k++) {
		int code = pmu_refusal(s, k);

		if (code == 0)
			continue;
		buf_printf(&said, "%s%s",
			   why != 0       ? " and "
			   : said.len > 0 ? "; no hardware counters on "
					  : "no hardware counters on ",
			   kind_short_name(&s->topology->kind[k]));
		why = code;
	}
	if (why != 0)
		buf_printf(
			&said,
			" (%s): only the kernel's own events are counted there; ktop doctor shows what was tried",
			strerror(why));
	buf_cstr(&said);
}

static void
note_refused_slots(struct perf_source *s)
{
	struct buf said = buf_over(s->refused, sizeof s->refused - 1);
	int first = 0;

	if (!s->counts) { /* keep this reason for a set of software events */
		buf_printf(&said, "%.198s", s->source.info.why.text);
		buf_cstr(&said);
	}
	for (unsigned i = 0; i < s->set.len; i++) {
		char text[64];
		struct buf where = buf_over(text, sizeof text - 1);
		int code = slot_refused_kinds(s, i, &where);

		if (code == 0)
			continue;
		first = first != 0 ? first : code;
		set_drop_slot(s, i, code, buf_cstr(&where), &said);
	}
	if (first != 0 && s->counts)
		buf_printf(&said, " (%s)",
			   first == EINVAL ? "EINVAL: no counter is left"
					   : strerror(first));
	if (s->catalog.no_topdown != NULL &&
	    strcmp(s->set.name, "topdown") == 0)
		buf_printf(&said, "%s%s", said.len > 0 ? "; " : "",
			   s->catalog.no_topdown);
	s->refused_len = said.len;
	perf_note_without_pmu(s);
}

/* Returns 0, or errno: no CPU counts hardware events, or too few descriptors or
 * too little kernel memory is left. */
static int
open_groups(struct perf_source *s, const struct group_plan *plan)
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
			info->interrupts_per_read +=
				group_read_cost(&c->group) + c->clocks.open;
		if (group_without_pmu(&c->group))
			code = c->group.refused[FIXED_CYCLES];
		any = any || code == 0;
		if (code != 0 && code != ENODEV)
			why = code;
		if (is_file_shortage(code))
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
perf_open_plan(struct perf_source *s, struct err *e)
{
	uint64_t need = perf_count_files(s);
	bool room = reserve_files(s, need, e);
	/* Without permission, open counters still count: do not close them. If
	 * nothing can be counted anyway, too few files are not the reason. */
	bool tries =
		s->counts && (!room || s->source.info.interrupts_per_read > 0);
	int code = tries ? perf_try_open(s, true) : 0;

	if (code != 0 && !is_file_shortage(code)) {
		s->hardware = code;
		return permission_explain(s->root, code, e);
	}
	if (!room) {
		s->short_of_files = true;
		return false;
	}
	code = open_groups(s, s->next);
	if (code == 0) {
		memcpy(s->plan, s->next, s->catalog.nkinds * sizeof s->plan[0]);
		for (unsigned i = 0; i < s->topology->ncpus; i++)
			s->cpu[i].shared = 0;
		return true;
	}
	close_groups(s);
	(void)open_groups(s, s->plan);
	s->hardware = code;
	if (!is_file_shortage(code))
		return permission_explain(s->root, code, e);
	s->short_of_files = true;
	return explain_file_shortage(s, need, code, 0, 0, e);
}

/* Software events count all modes, so a set of only these has DOMAIN_ALL. */
static enum domain
set_domain(const struct perf_source *s)
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
	perf_traced_close(s); /* its events are those of the old set */
	perf_plan(s, set);
	if (!s->counts && set == NULL) {
		close_groups(s);
		memcpy(s->plan, s->next, s->catalog.nkinds * sizeof s->plan[0]);
	} else if (!perf_open_plan(s, e)) {
		s->baseline = s->set.len > 0;
		return false;
	}
	for (unsigned i = 0; i < s->topology->ncpus; i++)
		group_forget_slots(&s->cpu[i].group);
	s->set = set != NULL ? *set : none;
	s->baseline = true;
	note_refused_slots(s);
	perf_fit_begin(s);
	memcpy(info->notice, s->refused, sizeof s->refused);
	info->domain = set_domain(s);
	if (s->counts)
		info->mode = s->set.len > 0 ? SOURCE_FULL : SOURCE_IPC;
	if (s->counts && s->set.len > 0)
		info->why = (struct err){ ERR_NONE, "" };
	else if (s->counts)
		err_set(&info->why, ERR_NONE,
			"the events are released: cycles and instructions only");
	return true;
}

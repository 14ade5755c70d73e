#include "source/denied_linux.h"
#include "source/perf_state_linux.h"

#include <errno.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>

enum { SPARE_FILES = 64 };

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
    bool exclude_kernel)
{
	p->member[p->len].code = *code;
	p->member[p->len].what = what;
	p->member[p->len++].exclude_kernel = exclude_kernel;
}

static void
put_slot(struct perf_source *s, struct group_plan *p, unsigned kind,
	 const struct eventset *set, unsigned i)
{
	const struct perf_event_code *c =
		perf_catalog_code(&s->catalog, set->slot[i].event, kind);

	put(p, &c->code, GROUP_SLOT + i,
	    s->user_only && c->how != LINUX_SOFTWARE);
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
perf_plan(struct perf_source *s, const struct eventset *set,
	  const uint32_t *left_out)
{
	for (unsigned k = 0; k < s->catalog.nkinds; k++) {
		uint32_t out = left_out != NULL ? left_out[k] : 0;
		struct group_plan *p = &s->next[k];
		const struct perf_kind *kind = &s->catalog.kind[k];

		p->len = 0;
		put_slots(s, p, k, set, out, LEADERS);
		if (s->counts) {
			put(p, &kind->cycles, FIXED_CYCLES, false);
			put(p, &kind->instructions, FIXED_INSTRUCTIONS, false);
			put_slots(s, p, k, set, out, COUNTED);
		}
		put_slots(s, p, k, set, out, SOFTWARE);
	}
}

static uint64_t
files_needed(const struct perf_source *s)
{
	uint64_t n = SPARE_FILES;

	for (unsigned i = 0; i < s->topology->ncpus; i++)
		n += s->next[s->topology->cpu[i].kind].len;
	return n;
}

/* Opens every CPU by `plan`. Its errno is why none opened; 0: some did. */
static int
open_all(struct perf_source *s, const struct group_plan *plan, bool *enough)
{
	struct source_info *info = &s->source.info;
	int why = ENOENT;

	*enough = true;
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
			info->interrupts_per_read++;
		else if (code != ENODEV)
			why = code;
		*enough = *enough && code != EMFILE && code != ENFILE &&
			  code != ENOMEM;
	}
	return info->interrupts_per_read > 0 ? 0 : why;
}

static bool
too_few_files(const struct perf_source *s, uint64_t have, uint64_t need,
	      struct err *e)
{
	/* Nothing runs: it was the first attempt, for the fixed pair. */
	bool pair = s->counts && s->plan[0].len == 0;

	return err_set(e, pair ? ERR_NO_PMU : ERR_FAIL,
		       "%s %" PRIu64 " open files for %u CPUs and the limit "
		       "is %" PRIu64 ": %s; raise it with ulimit -Hn",
		       pair ? "cycles and instructions need" : "this set needs",
		       need, s->topology->ncpus, have,
		       pair ? "utilisation only"
			    : "cycles and instructions only");
}

static void
go_back(struct perf_source *s)
{
	bool enough;

	(void)open_all(s, s->plan, &enough);
}

bool
perf_adopt(struct perf_source *s, struct err *e)
{
	uint64_t need = files_needed(s);
	uint64_t have = s->port.ops->limit(s->port.ops->self, need);
	bool enough;
	int code;

	if (have < need) {
		s->short_of_files = true;
		return too_few_files(s, have, need, e);
	}
	code = open_all(s, s->next, &enough);
	if (enough && code == 0) {
		memcpy(s->plan, s->next,
		       s->catalog.nkinds * sizeof(s->plan[0]));
		for (unsigned i = 0; i < s->topology->ncpus; i++)
			s->cpu[i].shared = 0;
		return true;
	}
	for (unsigned i = 0; i < s->topology->ncpus; i++)
		group_close(&s->cpu[i].group, &s->port);
	go_back(s);
	s->short_of_files = s->short_of_files || !enough;
	if (!enough)
		return too_few_files(s, have, need, e);
	return denied_explain(s->root, code, e);
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

bool
perf_software_works(struct perf_source *s)
{
	return try_one(s, false) == 0;
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

/* Did any CPU take the event? Else the errno that says why not. */
static int
refusal(const struct perf_source *s, unsigned slot)
{
	int code = ENOENT;

	for (unsigned i = 0; i < s->topology->ncpus; i++) {
		const struct group *g = &s->cpu[i].group;
		const struct perf_event_code *c =
			perf_catalog_code(&s->catalog, s->set.slot[slot].event,
					  s->topology->cpu[i].kind);

		if (!g->open || !c->known)
			continue;
		if (g->refused[GROUP_SLOT + slot] == 0)
			return 0;
		code = g->refused[GROUP_SLOT + slot];
	}
	return code;
}

/* What the kernel did not take although the table did, with the reason. */
static void
note_refusals(struct perf_source *s)
{
	char *out = s->refused;

	out[0] = '\0';
	if (!s->counts) /* a set of the kernel's own events hides no lack */
		snprintf(out, sizeof(s->refused), "%.199s",
			 s->source.info.why.text);
	for (unsigned i = 0; i < s->set.len; i++) {
		int code = refusal(s, i);
		unsigned n = s->set.ndropped;

		if (code == 0 || n == EVENTSET_MAX)
			continue;
		s->set.dropped[n].event = s->set.slot[i].event->name;
		snprintf(s->set.dropped[n].why, sizeof(s->set.dropped[n].why),
			 code == EINVAL ? "refused (EINVAL): no counter is "
					  "left for it"
					: "refused by the kernel: %s",
			 strerror(code));
		s->set.ndropped++;
		if (out[0] == '\0')
			snprintf(out, sizeof(s->refused),
				 "%.60s is not counted: %s",
				 s->set.dropped[n].event,
				 s->set.dropped[n].why);
	}
}

bool
perf_program(struct source *base, const struct eventset *set, struct err *e)
{
	struct perf_source *s = (struct perf_source *)(void *)base;
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
	perf_plan(s, set, NULL);
	if (!s->counts && set == NULL) {
		for (unsigned i = 0; i < s->topology->ncpus; i++)
			group_close(&s->cpu[i].group, &s->port);
		memcpy(s->plan, s->next,
		       s->catalog.nkinds * sizeof(s->plan[0]));
	} else if (!perf_adopt(s, e)) {
		return false;
	}
	for (unsigned i = 0; i < s->topology->ncpus; i++)
		group_forget_slots(&s->cpu[i].group);
	s->set = set != NULL ? *set : none;
	s->baseline = true;
	note_refusals(s);
	perf_fit_anew(s);
	memcpy(info->notice, s->refused, sizeof(s->refused));
	info->domain = DOMAIN_NONE;
	if (s->set.len > 0)
		info->domain = s->user_only ? DOMAIN_USER : DOMAIN_ALL;
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

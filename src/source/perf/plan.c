#include "source/perf/state.h"

#include "base/bits.h"
#include "model/metric.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>

static bool
formula_has_event(const char *formula, const char *event)
{
	size_t len = strlen(event);
	const char *at = formula;

	while ((at = strstr(at, event)) != NULL) {
		if ((at == formula || strchr(" (+|", at[-1]) != NULL) &&
		    (at[len] == '\0' || strchr(" )+|", at[len]) != NULL))
			return true;
		at += len;
	}
	return false;
}

static unsigned
first_metric_with(const struct perf_source *s, const char *const *metric,
		  unsigned most, const char *event)
{
	for (unsigned i = 0; i < most && metric[i] != NULL; i++) {
		char text[512];
		int m = metric_find(metric[i]);

		if (formula_has_event(
			    m < 0 ? metric[i]
				  : metric_formula(&metric_table[m],
						   &s->catalog.catalog, text,
						   sizeof text),
			    event))
			return i;
	}
	return most;
}

unsigned
perf_slot_rank(const struct perf_source *s, const struct eventset *set,
	       unsigned kind, unsigned slot)
{
	const struct event *event = set->slot[slot].event;
	int preset = preset_find(set->name);
	unsigned at;

	/* Other events need the leader, so it is dropped last. */
	if (perf_catalog_code(&s->catalog, event, kind)->leader)
		return 1;
	if (preset < 0)
		return 2 + slot;
	at = first_metric_with(s, preset_table[preset].keep, PRESET_KEEP,
			       event->name);
	if (at == PRESET_KEEP)
		at += first_metric_with(s, preset_table[preset].metrics,
					PRESET_METRICS, event->name);
	return 2 + at;
}

static void
plan_add_member(struct group_plan *p, const struct perf_code *code,
		unsigned what, bool exclude_kernel, unsigned rank,
		bool together)
{
	if (p->len == GROUP_MAX)
		return;
	p->member[p->len].code = *code;
	p->member[p->len].what = what;
	p->member[p->len].rank = rank;
	p->member[p->len].together = together;
	p->member[p->len].exclude_user = false;
	p->member[p->len++].exclude_kernel = exclude_kernel;
}

static void
plan_add_slot(struct perf_source *s, struct group_plan *p, unsigned kind,
	      const struct eventset *set, unsigned i)
{
	const struct perf_event_code *c =
		perf_catalog_code(&s->catalog, set->slot[i].event, kind);

	bool user = (s->user_only && c->how != LINUX_SOFTWARE) || c->no_kernel;
	bool together = c->leader || c->led;
	unsigned rank = perf_slot_rank(s, set, kind, i), before = p->len;

	plan_add_member(p, &c->code, GROUP_SLOT + i, user, rank, together);
	if (c->summed)
		plan_add_member(p, &c->more, GROUP_SLOT + i, user, rank,
				together);
	for (unsigned k = before; k < p->len; k++)
		p->member[k].exclude_user = c->no_user;
}

enum plan_pass { LEADERS, COUNTED, SOFTWARE };

static enum plan_pass
code_choose_pass(const struct perf_event_code *c)
{
	if (c->leader)
		return LEADERS;
	return c->how == LINUX_SOFTWARE ? SOFTWARE : COUNTED;
}

/* Apple's driver gives an event the lowest free counter, in group order. Adds
 * events as slots_place places them: fewest allowed counters first. */
static void
plan_add_slots(struct perf_source *s, struct group_plan *p, unsigned kind,
	       const struct eventset *set, uint32_t left_out,
	       enum plan_pass pass)
{
	for (unsigned width = 0; width <= 32; width++)
		for (unsigned i = 0; set != NULL && i < set->len; i++) {
			const struct event *e = set->slot[i].event;
			const struct perf_event_code *c =
				perf_catalog_code(&s->catalog, e, kind);

			if (bits_count(e->counters) == width && c->known &&
			    c->how != LINUX_CYCLES_TIMES &&
			    c->how != LINUX_NOTHING &&
			    c->how != LINUX_SLOTS_SUM &&
			    code_choose_pass(c) == pass &&
			    (left_out >> i & 1) == 0)
				plan_add_slot(s, p, kind, set, i);
		}
}

static void
plan_add_leader(struct perf_source *s, struct group_plan *p, unsigned kind,
		const struct eventset *set, uint32_t left_out)
{
	const struct catalog *all = &s->catalog.catalog;
	bool led = false;

	for (unsigned i = 0; set != NULL && i < set->len; i++)
		led = led ||
		      ((left_out >> i & 1) == 0 &&
		       perf_catalog_code(&s->catalog, set->slot[i].event, kind)
			       ->led);
	for (unsigned i = 0; led && p->len == 0 && i < all->len; i++) {
		const struct perf_event_code *c =
			perf_catalog_code(&s->catalog, &all->event[i], kind);

		if (c->known && c->leader)
			plan_add_member(p, &c->code, GROUP_LEADER, s->user_only,
					1, true);
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
	plan_add_slots(s, p, k, set, left_out, LEADERS);
	plan_add_leader(s, p, k, set, left_out);
	if (s->counts) {
		plan_add_member(p, &kind->cycles, FIXED_CYCLES, false, 0, true);
		if ((left_out >> FIT_INSTRUCTIONS & 1) == 0)
			plan_add_member(p, &kind->instructions,
					FIXED_INSTRUCTIONS, false, 0, true);
		plan_add_slots(s, p, k, set, left_out, COUNTED);
	}
	plan_add_slots(s, p, k, set, left_out, SOFTWARE);
}

void
perf_plan(struct perf_source *s, const struct eventset *set)
{
	for (unsigned k = 0; k < s->catalog.nkinds; k++)
		perf_plan_kind(s, set, k, 0);
}

int
perf_try_open(struct perf_source *s, bool hardware)
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
perf_could_count(struct perf_source *s, struct err *e)
{
	bool hardware = s->counts || s->counted;
	int code;

	if (s->port.ops == NULL ||
	    (!hardware && s->source.info.catalog == NULL))
		return true;
	code = perf_try_open(s, hardware);
	return code == 0 || permission_explain(s->root, code, e);
}

uint64_t
perf_count_files(const struct perf_source *s)
{
	uint64_t n = 0;

	for (unsigned i = 0; i < s->topology->ncpus; i++)
		if (!s->cpu[i].off)
			n += s->next[s->topology->cpu[i].kind].len;
	return n;
}

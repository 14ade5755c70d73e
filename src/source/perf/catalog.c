/* Builds the catalog from the event tables of the PMU families. */
#include "source/perf/machine.h"

#include "model/metric.h"
#include "pmu/pmu.h"

#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CYCLES "CORE_ACTIVE_CYCLE"
#define INSTRUCTIONS "INST_ALL"

enum { APPLE_FIRST = 2, FREE_END = 32 };

static bool
kind_has_smt(const struct build *b, unsigned kind)
{
	const struct topology *t = b->topology;

	for (unsigned i = 0; t->smt && i < t->ncpus; i++)
		for (unsigned k = 0; k < i && t->cpu[i].kind == kind; k++)
			if (t->cpu[k].core == t->cpu[i].core)
				return true;
	return false;
}

/* LP-E cores have no L3: LLC events mean the L2 and cannot be compared. */
static bool
is_unlike_cache(const struct build *b, unsigned kind, const char *name)
{
	return b->topology->nkinds > 1 && strncmp(name, "LLC_", 4) == 0 &&
	       strcmp(b->topology->kind[kind].letter, "LP-E") == 0;
}

static bool
event_fits_smt(const struct linux_event *v, bool smt)
{
	return v->smt == LINUX_SMT_ANY || (v->smt == LINUX_SMT_ONLY) == smt;
}

static bool
event_encode(const struct perf_kind *k, const struct linux_event *v,
	     struct perf_event_code *out)
{
	*out = (struct perf_event_code){
		.known = true, .how = v->how, .leader = v->leader, .led = v->led
	};
	switch (v->how) {
	case LINUX_RAW:
		out->summed = v->plus != NULL;
		out->factor = v->config;
		return kind_resolve_event(k, v->native, &out->code) &&
		       (!out->summed ||
			kind_resolve_event(k, v->plus, &out->more));
	case LINUX_GENERIC:
		out->code.type = PERF_TYPE_HARDWARE;
		out->code.config = v->config;
		return true;
	case LINUX_SOFTWARE:
		out->code.type = PERF_TYPE_SOFTWARE;
		out->code.config = v->config;
		return true;
	case LINUX_CYCLES_TIMES:
		out->factor = v->config != 0 ? v->config : k->pmu.slots;
		return out->factor != 0;
	case LINUX_NOTHING:
	case LINUX_SLOTS_SUM:
		return true;
	}
	return false;
}

/* Fixed counters count every mode; cycles in user mode need another counter. */
static void
event_count_user_cycles(const struct perf_kind *k, struct perf_event_code *c)
{
	if (c->how != LINUX_CYCLES_TIMES)
		return;
	c->how = LINUX_RAW;
	c->code = k->cycles;
}

static bool
event_needs_counter(const struct linux_event *v,
		    const struct perf_event_code *c)
{
	return !v->free && (c->how == LINUX_RAW || c->how == LINUX_GENERIC);
}

static const char *
event_name_on_kind(const struct perf_kind *k, const struct linux_event *v)
{
	if (strncmp(k->pmu.name, "armv", 4) == 0 && event_is_slots(v->name) &&
	    k->pmu.slots == 0)
		return v->alias;
	return v->name;
}

static const char no_topdown_with_smt[] =
	"top-down of one of a core's two threads takes five counters, and a thread has four: switch SMT off";

static bool
catalog_add_event(struct build *b, unsigned kind, const struct linux_event *v)
{
	struct perf_kind *k = &b->out->kind[kind];
	struct candidate c = { .alias = v->alias,
			       .text = v->text,
			       .native = v->native,
			       .counters = v->counters };
	struct build_row *r;
	char both[NATIVE_SIZE];

	if (v->unless != NULL && kind_resolve_event(k, v->unless, &c.code.code))
		return true;
	if (!event_fits_smt(v, kind_has_smt(b, kind))) {
		if (strcmp(v->name, "SLOT_TOTAL") == 0)
			b->out->no_topdown = no_topdown_with_smt;
		return true;
	}
	c.name = event_name_on_kind(k, v);
	if (c.name == NULL || !event_encode(k, v, &c.code))
		return true;
	if (b->o->user_only)
		event_count_user_cycles(k, &c.code);
	c.general = event_needs_counter(v, &c.code);
	c.pmu = v->how == LINUX_RAW ? k->pmu.name : NULL;
	if (v->native != NULL && v->native[0] == '@')
		c.native++;
	if (v->native != NULL && v->plus != NULL) {
		snprintf(both, sizeof both, "%s/ %s/%s", c.native, k->pmu.name,
			 v->plus);
		c.native = both;
	}
	r = catalog_add_candidate(b, kind, &c);
	if (r == NULL)
		return false;
	r->event.unlike = r->event.unlike || is_unlike_cache(b, kind, c.name);
	return true;
}

static bool
is_fixed_event_name(const char *name)
{
	return strcmp(name, CYCLES) == 0 || strcmp(name, INSTRUCTIONS) == 0;
}

/* Linux's driver of Apple's PMU uses Apple's event numbers. */
static bool
catalog_add_apple(struct build *b, unsigned kind)
{
	struct perf_kind *k = &b->out->kind[kind];
	const struct pmu *db = pmu_by_db(k->family->apple_db);

	for (unsigned i = 0; db != NULL && i < db->nevents; i++) {
		const struct pmu_event *e = &db->events[i];
		char terms[32];
		struct linux_event v = { .name = e->name,
					 .text = e->text,
					 .native = terms,
					 .counters = e->counters };

		if (e->fixed >= 0 || e->number > UINT8_MAX ||
		    is_fixed_event_name(e->name))
			continue;
		snprintf(terms, sizeof terms, "event=%#04x",
			 (unsigned)e->number);
		if (!catalog_add_event(b, kind, &v))
			return false;
	}
	return true;
}

static const struct linux_event only_thread = {
	.name = METRIC_CORE_CYCLES,
	.how = LINUX_CYCLES_TIMES,
	.config = 1,
	.text = "cycles of the core, which has one thread",
};

static bool
catalog_add_kind(struct build *b, unsigned kind)
{
	const struct linux_pmu *f = b->out->kind[kind].family;

	if (f->apple_db != NULL)
		return catalog_add_apple(b, kind);
	for (unsigned i = 0; i < f->nevents; i++)
		if (!catalog_add_event(b, kind, &f->events[i]))
			return false;
	return !b->topology->smt || kind_has_smt(b, kind) ||
	       catalog_add_event(b, kind, &only_thread);
}

static bool
catalog_add_software(struct build *b)
{
	for (unsigned k = 0; k < b->out->nkinds; k++)
		for (unsigned i = 0; i < linux_software.nevents; i++)
			if (!catalog_add_event(b, k, &linux_software.events[i]))
				return false;
	return true;
}

/* With user_only, cycles and instructions are ordinary events. */
static bool
catalog_add_fixed(struct build *b)
{
	for (unsigned n = 0; n < 2 * b->out->nkinds; n++) {
		const struct perf_kind *k = &b->out->kind[n / 2];
		bool cycles = n % 2 == 0;
		const char *of =
			cycles ? k->family->cycles : k->family->instructions;
		struct candidate c = {
			.name = cycles ? CYCLES : INSTRUCTIONS,
			.text = cycles ? "core clock cycles while not halted"
				       : "instructions retired",
			.pmu = k->pmu.name,
			.native = cycles ? "cpu-cycles" : "instructions",
			.general = b->o->user_only,
		};
		struct build_row *r;

		if (!k->counts)
			continue;
		if (of != NULL)
			c.native = of + (of[0] == '@');
		if (b->o->user_only) {
			c.code.known = true;
			c.code.code = cycles ? k->cycles : k->instructions;
		}
		r = catalog_add_candidate(b, n / 2, &c);
		if (r == NULL)
			return false;
		r->event.fixed = !b->o->user_only;
	}
	return true;
}

static unsigned
watchdog_counters(const struct build *b, const struct perf_kind *k)
{
	int64_t on = 0;

	return strncmp(k->pmu.name, "cpu", 3) == 0 &&
	       sysfs_number(b->o->root, "/proc/sys/kernel/nmi_watchdog", &on) &&
	       on == 1;
}

static bool
family_needs_spare(const struct linux_pmu *f)
{
	for (unsigned i = 0; i < f->nevents; i++)
		if (strcmp(f->events[i].name, "SLOT_DISPATCHED") == 0)
			return true;
	return false;
}

static void
catalog_count_counters(struct build *b)
{
	unsigned least = 0, first = 0, by_watchdog, spare = 0;

	for (unsigned i = 0; i < b->out->nkinds; i++) {
		const struct perf_kind *k = &b->out->kind[i];
		unsigned n = k->family->counters;

		if (!k->counts || n == 0)
			continue;
		by_watchdog = watchdog_counters(b, k);
		n -= by_watchdog;
		if (least == 0 || n < least) {
			least = n;
			spare = by_watchdog != 0 &&
				family_needs_spare(k->family);
		}
		if (k->family->apple)
			first = APPLE_FIRST;
	}
	b->counters = ((1u << least) - 1) << first;
	b->spare = spare << (least + first);
}

static int
compare_row_names(const void *a, const void *b)
{
	const struct build_row *x = a, *y = b;

	return strcmp(x->event.name, y->event.name);
}

static bool
catalog_finish(struct build *b)
{
	struct perf_catalog *c = b->out;
	uint32_t all = b->counters;
	unsigned next_free = EVENT_FREE_FIRST;

	qsort(b->row, b->nrows, sizeof b->row[0], compare_row_names);
	c->event = calloc(b->nrows + 1, sizeof *c->event);
	c->code = calloc((size_t)b->nrows * c->nkinds + 1, sizeof *c->code);
	if (c->event == NULL || c->code == NULL)
		return false;
	for (unsigned i = 0; i < b->nrows; i++) {
		struct build_row *r = &b->row[i];

		if (!r->general && !r->event.fixed && next_free < FREE_END)
			r->event.counters = 1u << next_free++;
		all |= r->event.counters;
		c->event[i] = r->event;
		memcpy(&c->code[(size_t)i * c->nkinds], r->code,
		       c->nkinds * sizeof *r->code);
	}
	c->catalog = (struct catalog){ .event = c->event,
				       .len = b->nrows,
				       .config_counters = all };
	c->catalog.name = c->nkinds > 0 && c->kind[0].counts
				  ? c->kind[0].family->name
				  : linux_software.name;
	return true;
}

static bool
catalog_fill(struct build *b, struct err *e)
{
	bool ok = true, any = false;

	catalog_find_kinds(b->out, b->topology, b->o->root);
	catalog_count_counters(b);
	for (unsigned i = 0; ok && i < b->out->nkinds; i++) {
		if (b->out->kind[i].counts)
			ok = catalog_add_kind(b, i);
		any = any || b->out->kind[i].counts;
	}
	ok = ok && (!any || catalog_add_fixed(b)) && catalog_add_software(b);
	if (!ok)
		return err_set(e, ERR_FAIL, "perf: out of memory");
	if (b->o->events != NULL && !catalog_add_words(b, e))
		return false;
	return catalog_finish(b) || err_set(e, ERR_FAIL, "perf: out of memory");
}

bool
perf_catalog_build(struct perf_catalog *c, const struct topology *t,
		   const struct perf_catalog_options *o, struct err *e)
{
	struct build *b = calloc(1, sizeof *b);
	bool ok;

	memset(c, 0, sizeof *c);
	c->nkinds = t->nkinds;
	c->kind = calloc(t->nkinds, sizeof *c->kind);
	if (b == NULL || c->kind == NULL) {
		free(b);
		return err_set(e, ERR_FAIL, "perf: out of memory");
	}
	b->out = c;
	b->topology = t;
	b->o = o;
	ok = catalog_fill(b, e);
	for (unsigned i = 0; i < b->nrows; i++)
		free(b->row[i].code);
	free(b);
	return ok;
}

void
perf_catalog_free(struct perf_catalog *c)
{
	for (unsigned i = 0; i < c->ntexts; i++)
		free(c->text[i]);
	free(c->text);
	free(c->event);
	free(c->code);
	free(c->kind);
	memset(c, 0, sizeof *c);
}

const struct perf_event_code *
perf_catalog_code(const struct perf_catalog *c, const struct event *e,
		  unsigned kind)
{
	size_t at = (size_t)(e - c->event);

	return &c->code[at * c->nkinds + kind];
}

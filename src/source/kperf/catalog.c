#include "source/kperf/state.h"

#include "kperf/text.h"

#include <stdlib.h>
#include <string.h>

static void
fill(struct event *ev, const struct kps_event *live, const struct pmu *pmu,
     bool layout_known, uint32_t fixed_bits)
{
	const struct pmu_event *ours =
		pmu == NULL ? NULL : pmu_event_find(pmu, live->name);

	ev->name = live->name;
	ev->alias = live->alias;
	if (ev->alias == NULL && ours != NULL)
		ev->alias = ours->as;
	ev->narrow = ours != NULL && ours->narrow;
	ev->less = ours != NULL ? ours->less : NULL;
	if (layout_known) {
		ev->fallback = live->fallback;
		ev->counters = live->counters;
		ev->number = live->number < 0 ? 0 : (uint32_t)live->number;
	} else if (ours != NULL) {
		ev->fallback = ours->fallback;
		ev->counters = ours->counters;
		ev->number = ours->number;
	}
	ev->fixed = live->fixed || (ev->counters & fixed_bits) != 0;
	if (ev->fixed)
		ev->number = 0;
	ev->text = ours != NULL && ours->text != NULL ? ours->text
						      : live->description;
}

static unsigned
count_events(const struct kps_database *d)
{
	unsigned n = 0;

	while (kps_database_event(d, n) != NULL)
		n++;
	return n;
}

/* The library's errors are its own; the codes mean the same. */
static bool
database_err(struct err *e, const struct kps_error *from)
{
	struct err why = { ERR_NONE, "" };

	if (from->framework_code == 0)
		return err_set(e, ERR_FAIL, "%s", from->text);
	(void)kperf_kpep_err(&why, from->call, from->framework_code,
			     from->sys_errno);
	return err_set(e, why.code,
		       "only cycles and instructions can be counted: %s",
		       why.text);
}

/* The internal name ("a14") stands only in the private struct. */
static void
name_it(struct kperf_catalog *c, const struct pmu *pmu)
{
	const char *name = kps_database_name(c->database);

	if (name[0] == '\0' && pmu != NULL)
		name = pmu->db;
	strncat(c->name, name, sizeof c->name - 1);
	c->catalog.name = c->name;
}

bool
kperf_catalog_load(struct kperf_catalog *c, const struct kperfdata_api *kpep,
		   const struct pmu *pmu, struct err *e)
{
	struct kps_error why;
	const struct kps_database *d;
	unsigned n;

	memset(c, 0, sizeof *c);
	c->database = kps_database_new(kpep, NULL, &why);
	if (c->database == NULL)
		return database_err(e, &why);
	d = c->database;
	c->db = kps_database_raw(d);
	name_it(c, pmu);
	c->fixed_bits = kps_database_counter_bits(d, KPC_CLASS_FIXED);
	c->catalog.config_counters =
		kps_database_counter_bits(d, KPC_CLASS_CONFIGURABLE);
	n = count_events(d);
	c->event = calloc(n + 1, sizeof *c->event);
	c->live = calloc(n + 1, sizeof(struct kpep_event *));
	if (c->event == NULL || c->live == NULL) {
		kperf_catalog_free(c, kpep);
		return err_set(e, ERR_FAIL, "event database: out of memory");
	}
	for (unsigned i = 0; i < n; i++) {
		const struct kps_event *live = kps_database_event(d, i);

		fill(&c->event[i], live, pmu, kps_database_event_layout(d) != 0,
		     c->fixed_bits);
		c->live[i] = kps_event_raw(d, live);
	}
	c->catalog.event = c->event;
	c->catalog.len = n;
	return true;
}

void
kperf_catalog_free(struct kperf_catalog *c, const struct kperfdata_api *kpep)
{
	(void)kpep;
	free(c->event);
	free(c->live);
	kps_database_free(c->database);
	memset(c, 0, sizeof *c);
}

/* The events of all core PMUs of a machine as one catalog. */
#ifndef SOURCE_PERF_CATALOG_H
#define SOURCE_PERF_CATALOG_H

#include "model/event.h"
#include "model/topology.h"
#include "pmu/perf/table.h"
#include "source/perf/pmu.h"

/* How one kind of CPU counts an event. */
struct perf_event_code {
	bool known; /* false: this kind cannot */
	enum linux_count how;
	unsigned factor; /* of LINUX_CYCLES_TIMES; 0: none */
	bool leader;
	struct perf_code code;
	bool summed; /* with what `more` counts, on a counter of its own */
	struct perf_code more;
};

struct perf_kind {
	bool counts; /* it has a PMU */
	struct pmu_linux pmu;
	const struct linux_pmu *family;
	struct perf_code cycles, instructions;
};

/*
 * A set placed on catalog.config_counters fits every kind at once: there are
 * as many as the poorest kind has, an event may sit where all kinds that know
 * it can put it, and what needs no counter gets a bit of its own (16 up).
 */
struct perf_catalog {
	struct catalog catalog;
	unsigned nkinds;
	struct perf_kind *kind;       /* [nkinds] */
	struct event *event;          /* [len] */
	struct perf_event_code *code; /* [len * nkinds] */
	char **text;                  /* strings of its own */
	unsigned ntexts;
};

struct perf_catalog_options {
	const char *root;
	bool user_only;     /* the fixed pair does not stand for INST_ALL */
	const char *events; /* the user's, comma-separated, or NULL */
};

/* False and *e on a user's event that no PMU has, or without memory. */
bool perf_catalog_build(struct perf_catalog *c, const struct topology *t,
			const struct perf_catalog_options *o, struct err *e);
void perf_catalog_free(struct perf_catalog *c);

/* How the event is counted that this is in the catalog. */
const struct perf_event_code *perf_catalog_code(const struct perf_catalog *c,
						const struct event *e,
						unsigned kind);

#endif

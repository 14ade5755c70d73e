/* Inside of the catalog's builder: rows that grow, then are sorted. */
#ifndef SOURCE_PERF_BUILD_H
#define SOURCE_PERF_BUILD_H

#include "source/perf/catalog.h"

enum {
	BUILD_ROWS_MAX = 160,
	BUILD_FREE_FIRST = EVENT_FREE_FIRST,
	BUILD_FREE_END = 32
};

struct build_row {
	struct event event;
	bool general;                 /* takes a general counter on some kind */
	struct perf_event_code *code; /* [nkinds] */
};

struct build {
	struct perf_catalog *out;
	const struct topology *topology;
	const struct perf_catalog_options *o;
	uint32_t counters; /* bits of the general ones */
	unsigned next_free;
	unsigned nrows;
	struct build_row row[BUILD_ROWS_MAX];
};

/* A copy that the catalog keeps; NULL when memory is short. */
const char *build_text(struct build *b, const char *text);

/* The row of that name, new if there is none yet; NULL: no room. */
struct build_row *build_row(struct build *b, const char *name);

/* Adds "pmu/terms/" to what the row says of itself. */
bool build_native(struct build *b, struct build_row *r, const char *pmu,
		  const char *terms);

/* kinds.c: fills b->out->kind. */
void build_kinds(struct build *b);

/* Have cores of the kind several threads? */
bool build_kind_smt(const struct build *b, unsigned kind);

/* The last level of cores without an L3 is their L2: unlike the others'. */
bool build_other_cache(const struct build *b, unsigned kind, const char *name);

/* A table's "event=0xd1,umask=0x08" or "@alias" as this PMU codes it. */
bool build_resolve(const struct perf_kind *k, const char *native,
		   struct perf_code *out);

/* user.c: all of o->events; *e names the one nobody has. */
bool build_user_events(struct build *b, struct err *e);

#endif

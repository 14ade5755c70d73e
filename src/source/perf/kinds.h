/* The kinds of cores of a machine, and what counts for each. */
#ifndef SOURCE_PERF_KINDS_H
#define SOURCE_PERF_KINDS_H

#include "source/perf/catalog.h"

/* Fills c->kind; root: of sysfs, NULL: the system. */
void kinds_find(struct perf_catalog *c, const struct topology *t,
		const char *root);

/* A table's "event=0xd1,umask=0x08" or "@alias" as this PMU codes it. */
bool kinds_resolve(const struct perf_kind *k, const char *native,
		   struct perf_code *out);

#endif

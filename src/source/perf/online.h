/* Which CPUs are on line, asked again on every reading: one small pread. */
#ifndef SOURCE_PERF_ONLINE_H
#define SOURCE_PERF_ONLINE_H

#include "source/perf/sysfs.h"

#include <stdbool.h>
#include <stdint.h>

struct online {
	int fd; /* -1: unknown, all are */
	char *text, *before;
	size_t size;
	int64_t asked_ns;
	struct cpu_list list;
};

/* False when memory is short; a missing file is no failure. */
bool online_open(struct online *o, const char *root);
void online_close(struct online *o);

/* Is it time to ask? At most every 250 ms. */
bool online_due(struct online *o, int64_t now_ns);

/* True when the list has changed. */
bool online_ask(struct online *o);

/* Is that CPU on line, as far as is known? */
bool online_has(const struct online *o, int id);

#endif

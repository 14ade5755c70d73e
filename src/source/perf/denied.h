/* Why the kernel does not let ktop count, in a sentence with the remedy. */
#ifndef SOURCE_PERF_DENIED_H
#define SOURCE_PERF_DENIED_H

#include "base/err.h"

#include <stdbool.h>
#include <stdint.h>

enum { DENIED_CAP_SYS_ADMIN = 21, DENIED_CAP_PERFMON = 38 };

/* What decides who may count, as /proc says. */
struct denied_rights {
	bool has_level;                /* no: a kernel without perf events */
	int64_t level;                 /* of perf_event_paranoid */
	uint64_t permitted, effective; /* capabilities, 1 << number */
	bool inner;  /* they hold in a container's user namespace only */
	int seccomp; /* 0: off, 1: strict, 2: a filter; -1: not said */
};
void denied_rights(const char *root, struct denied_rights *out);

/* Has the process what this level asks of it? */
bool denied_may_count(const struct denied_rights *r);

/*
 * The least of the capabilities permitted, 1 << number, that lets the process
 * count at this level; 0: none is permitted.
 */
uint64_t denied_capability(const struct denied_rights *r);

/* Does that errno mean that there is nothing to count with? */
bool denied_is_absent(int error);

/* What an errno of perf_event_open says about one event, in a few words. */
const char *denied_meaning(int error);

/* For an open that failed with errno `why`. root as everywhere. False. */
bool denied_explain(const char *root, int why, struct err *e);

#endif

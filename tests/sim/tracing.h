/* kdebug by its numbers, on a kernel of the test's own. */
#ifndef TESTS_SIM_TRACING_H
#define TESTS_SIM_TRACING_H

#include "sim/inside.h"
#include "sim/world.h"

enum {
	EFLAGS = 1,
	DFLAGS,
	ENABLE,
	SETBUF,
	GETBUF,
	SETUP,
	REMOVE,
	SETREG,
	GETREG,
	READTR,
	THRMAP = 12,
	READCURTHRMAP = 21,
	SET_TYPEFILTER,
	BUFWAIT
};

#define DATA_THREAD 0x25060020u
#define VALCHECK 0x200000u

struct info {
	int32_t nkdbufs, nolog;
	uint32_t flags;
	int32_t nkdthreads, bufid;
};

/* With a structure in, or room. */
static inline int
kd(struct world *w, const struct sim_caller *who, int op, void *old,
   size_t *size)
{
	int mib[3] = { 1, 24, op };

	return sim_kernel_kdebug(&w->k, who, mib, 3, old, size, NULL);
}

static inline int
kd_op(struct world *w, const struct sim_caller *who, int op)
{
	return kd(w, who, op, NULL, NULL);
}

static inline int
kd_value(struct world *w, const struct sim_caller *who, int op, int value)
{
	int mib[4] = { 1, 24, op, value };
	size_t out = 0;

	return sim_kernel_kdebug(&w->k, who, mib, 4, NULL, &out, NULL);
}

static inline struct info
kd_info(struct world *w, const struct sim_caller *who)
{
	struct info i;
	size_t size = sizeof(i);

	OK(kd(w, who, GETBUF, &i, &size));
	assert_int_equal(size, sizeof(i));
	return i;
}

/* Up to max records; how many came. */
static inline size_t
kd_read(struct world *w, const struct sim_caller *who, struct sim_record *out,
	size_t max)
{
	size_t n = max * sizeof(*out);

	OK(kd(w, who, READTR, out, &n));
	return n;
}

static inline int
kd_only(struct world *w, const struct sim_caller *who, uint32_t debugid)
{
	uint32_t reg[5] = { VALCHECK, debugid };
	size_t size = sizeof(reg);

	return kd(w, who, SETREG, reg, &size);
}

#endif

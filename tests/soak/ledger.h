/* What the simulated kernel counted, kept beside what ktop's frames say. */
#ifndef TESTS_SOAK_LEDGER_H
#define TESTS_SOAK_LEDGER_H

#include "model/frame.h"
#include "sim/machine.h"

#include <stdbool.h>
#include <stdint.h>

enum { LEDGER_CPUS = SIM_MAX_CPUS, LEDGER_DEAD = 16 };

/* One slot's covered time without a hole, and the frames' sum over it. */
struct ledger_span {
	bool open;
	const char *event;
	uint64_t truth; /* at its begin */
	uint64_t sum;
	int64_t end_ns;
};

struct ledger_cpu {
	bool open;      /* the fixed pair has a baseline */
	uint64_t reads; /* up to its last row */
	uint64_t base[FIXED_COUNT], sum[FIXED_COUNT];
	struct ledger_span slot[EVENTSET_MAX];
};

/* When the simulator's event counts nothing. */
struct ledger_dead {
	char event[32];
	int64_t from_ns, to_ns;
};

struct ledger {
	const struct topology *topology;
	struct ledger_cpu cpu[LEDGER_CPUS];
	uint64_t frames, rows, missing_rows; /* of cores */
	uint64_t fixed_checks, slot_checks, dead_checks, spans;
	struct ledger_dead dead[LEDGER_DEAD]; /* the last so many */
	unsigned ndead;
	char wrong[400]; /* the first thing that was; "" */
};

/* All CPUs have just been read, and that reading is the baseline. */
void ledger_start(struct ledger *l, const struct topology *t);

/* The event counts nothing for so long: what its slot says then is not held
   against the totals, but for never being more. */
void ledger_dead(struct ledger *l, const char *event, int64_t from_ns,
		 int64_t to_ns);

/* Takes a frame; false, and why, when it cannot be. */
bool ledger_take(struct ledger *l, const struct frame *f);

/*
 * Compares every sum with the kernel's totals, of the CPUs that came in this
 * frame; all of them must have when `all`.
 */
bool ledger_check(struct ledger *l, const struct frame *f, bool all);

#endif

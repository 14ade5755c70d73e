/* The counters of one CPU, or of one thread, opened and read as groups. */
#ifndef SOURCE_PERF_GROUP_H
#define SOURCE_PERF_GROUP_H

#include "model/sample.h"
#include "source/perf/ops.h"
#include "source/perf/pmu.h"

#include <stdbool.h>
#include <stdint.h>

enum {
	/* What a member counts: the fixed pair, then the slots of the set. */
	GROUP_SLOT = FIXED_COUNT,
	GROUP_WHATS = FIXED_COUNT + EVENTSET_MAX,
	GROUP_SUMS = 4, /* slots that two members count together */
	GROUP_MAX = GROUP_WHATS + GROUP_SUMS,
	/*
	 * Groups of the kernel's that the members are in: hardware counters,
	 * the kernel's own events, which need none and never wait for one, and,
	 * where it may take turns, one for each slot.
	 */
	GROUP_HARDWARE = 0,
	GROUP_SOFTWARE,
	GROUP_APART
};

/* The members to open, leader first; of two of one slot it is their sum. */
struct group_plan {
	unsigned len;
	bool apart; /* the pair and every slot may take turns: --mux */
	struct {
		struct perf_code code;
		unsigned what; /* FIXED_CYCLES ... or GROUP_SLOT + slot */
		unsigned rank; /* importance, lower is more; 0: the pair */
		bool exclude_kernel;
	} member[GROUP_MAX];
};

/* How to reach the kernel; attr_size shrinks for one older than the headers. */
struct group_port {
	const struct perf_ops *ops;
	uint32_t attr_size;
	uint64_t rights; /* capabilities to have while opening; 0: as it is */
	bool no_threads; /* a kernel that follows no threads alone (5.12) */
};

/* Who is counted: what runs on a CPU, or a thread wherever it runs. */
struct group_whom {
	int cpu; /* of a thread: -1 */
	int32_t tid;
	bool follow;    /* threads that it makes count too, if that can be */
	bool user_only; /* no right to count the kernel's mode */
};

struct group_count {
	uint64_t count, enabled, running;
};

/* Zeroed, it is closed. Totals go on over a close and a new open. */
struct group {
	bool open, fresh; /* fresh: not read since it was opened */
	bool sleeps;      /* a thread's: its time may stand still */
	unsigned len;
	uint32_t has; /* 1 << what its members count */
	int fd[GROUP_MAX];
	unsigned char what[GROUP_MAX];
	unsigned char part[GROUP_MAX]; /* its first member leads */
	int refused[GROUP_WHATS];      /* by what: errno of the open, 0: open */
	struct group_count base[GROUP_WHATS], last[GROUP_WHATS]; /* by what */
	/* From the last reading, since the one before; hardware if there is
	 * any.
	 */
	uint64_t enabled, running;
};

/* Only while an open goes on are its rights to be had. */
void group_rights(const struct group_port *port, bool on);

/* What all events have: see linux's perf_event.h. The leader is enabled later.
 */
void group_attr(struct perf_event_attr *attr, const struct group_port *port,
		const struct perf_code *code, bool leads);

/*
 * 0, or the errno of the cycles, or one that says no more can be opened
 * (EMFILE ...). Members that the PMU refuses are left out: see `refused`. Where
 * there are too few counters it is the least important ones. Without its PMU a
 * CPU still has the kernel's own events, if the plan has any.
 */
int group_open(struct group *g, struct group_port *port,
	       const struct group_plan *plan, int cpu);

/* The same of a thread; without its PMU it has nothing. */
int group_open_thread(struct group *g, struct group_port *port,
		      const struct group_plan *plan,
		      const struct group_whom *whom);
void group_close(struct group *g, const struct group_port *port);

/*
 * Is all of it on a counter at this moment? To be asked right after the open:
 * the kernel places a group at once, behind what others hold, or it waits.
 */
bool group_runs(const struct group *g, const struct group_port *port);

/* System calls, and interrupts of its CPU, that a reading takes. */
unsigned group_parts(const struct group *g);

/* Open, but for the kernel's own events only: its PMU refused to count. */
bool group_without_pmu(const struct group *g);

/* Forgets the totals of the slots: another set is counted from now on. */
void group_forget_slots(struct group *g);

enum group_state {
	GROUP_READ,
	GROUP_DEAD,  /* since its CPU was off line: close, and open again */
	GROUP_SILENT /* no reading, for now */
};

enum group_state group_read(struct group *g, const struct group_port *port);

/* The total of what a member counts; false where none does. */
bool group_total(const struct group *g, unsigned what, struct reading *out);

#endif

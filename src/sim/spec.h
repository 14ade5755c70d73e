/* Parses MACHINE[,key=value]... of --sim, KTOP_SIM and tests. */
#ifndef SIM_SPEC_H
#define SIM_SPEC_H

#include "base/err.h"
#include "sim/machine.h"
#include "sim/program.h"

#include <stdbool.h>
#include <stdint.h>

#define SIM_FAULTS_MAX 16
#define SIM_PROCS_WANTED 60
#define SIM_PROCS_MOST 20000
#define SIM_OS(major, minor) ((major)*100u + (minor))
#define SIM_NEVER INT64_MAX
#define SIM_SELECTOR_ALL (-1) /* every selector except 0 */
#define SIM_WALL_MOST_NS 86400000000000LL

enum sim_fault_kind {
	SIM_FAULT_STEAL, /* another root process reprograms the counters
			    repeatedly */
	SIM_FAULT_BUSY,
	SIM_FAULT_TAKEN, /* another task has set force */
	SIM_FAULT_EPERM,
	SIM_FAULT_REFUSE,
	SIM_FAULT_OFF,
	SIM_FAULT_SLEEP,
	SIM_FAULT_SLOW,
	SIM_FAULT_WALL,
	SIM_FAULT_DEAD, /* a selector counts nothing */
	SIM_FAULT_LAG,
	SIM_FAULT_REUSE,
	SIM_FAULT_NOZOMBIE,
	SIM_FAULT_DENIED,
	SIM_FAULT_VANISH,   /* every third request for usage fails */
	SIM_FAULT_STORM,    /* short processes that are never listed */
	SIM_FAULT_OLDOS,    /* calls that came with macOS 13 fail */
	SIM_FAULT_KTRACE,   /* another tool owns tracing */
	SIM_FAULT_EVICT,    /* another tool takes over tracing */
	SIM_FAULT_TAILSPIN, /* the background tool owns tracing */
	SIM_FAULT_RING,     /* the ring is full at each read */
	SIM_FAULT_DROP
};

/* Times are awake ns since the start of the simulation; in sim_state, since
 * boot. */
struct sim_fault {
	int32_t kind;
	uint64_t cpus;
	/* REFUSE, DEAD: selector; SLOW, WALL, LAG: ns; DENIED, KTRACE: pid;
	 * STORM: processes per second; DROP: one of N samples. */
	int64_t arg;
	int64_t from_ns, to_ns; /* to_ns SIM_NEVER: no end */
};

/* power=WORD[+WORD]...: how libIOReport publishes energy and other values. */
enum {
	SIM_POWER_SAMPLE = 1 << 0,
	SIM_POWER_2S = 1 << 1, /* published every 2.1 s and 14 ms later */
	SIM_POWER_30MIN = 1 << 2,
	SIM_POWER_NEVER = 1 << 3,
	SIM_POWER_DENIED = 1 << 4,  /* memory traffic cannot be subscribed to */
	SIM_POWER_NOTHING = 1 << 5, /* memory traffic has no value */
	SIM_POWER_PMP0 = 1 << 6,
	SIM_POWER_NOTOTAL = 1 << 7, /* the total of all clusters is missing */
	SIM_POWER_FALLS = 1 << 8,   /* totals of clusters are lower from the
				       fourth sample on */
	SIM_POWER_TIME0 = 1 << 9,
	SIM_POWER_FROZEN = 1 << 10,
	SIM_POWER_FUTURE = 1 << 11,
	SIM_POWER_SATURATED = 1 << 12, /* memory traffic is in the last range */
	SIM_POWER_UNKNOWN = 1 << 13,   /* only channels with unknown names */
	SIM_POWER_NOSAMPLE = 1 << 14,
	SIM_POWER_OS = 1 << 16,  /* as in the machine's macOS */
	SIM_POWER_HOT = 1 << 17, /* heavy thermal pressure after 10 s */
	SIM_POWER_NOHEAT = 1 << 18,
	SIM_POWER_THROTTLE = 1 << 15 /* clocks are below the requested ones */
};

struct sim_spec {
	const struct sim_machine *machine;
	uint64_t seed;
	bool step;
	uint32_t os;
	bool no_pm;
	uint32_t pm; /* the power manager's counters; bit i: counter i */
	uint32_t euid;
	bool lib_errno;   /* library calls return the errno, not -1 */
	bool rows_copied; /* libkperf copies its whole buffer to the caller */
	bool layout_48;
	bool new_chip;
	uint32_t cpusubtype;
	bool raw17;
	char state[256];
	uint8_t program[SIM_MAX_CPUS];
	unsigned procs; /* lowest number of processes; 0: SIM_PROCS_WANTED */
	bool rest;      /* some work belongs to no process */
	bool wide;      /* chip properties beyond those of known chips */
	bool skew;      /* the records of a sample have different times */
	uint32_t power;
	unsigned nfaults;
	struct sim_fault fault[SIM_FAULTS_MAX];
};

bool sim_spec_parse(struct sim_spec *s, const char *text, struct err *e);

/* Parses KIND[:ARG]@FROM[-TO], such as "steal@3s-6s". */
bool sim_fault_parse(const struct sim_machine *m, const char *text,
		     struct sim_fault *out, struct err *e);

#endif

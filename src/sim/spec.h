/* MACHINE[,key=value]...: what --sim, KTOP_SIM and tests say. */
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
#define SIM_SELECTOR_ALL (-1)             /* every selector but 0 */
#define SIM_WALL_MOST_NS 86400000000000LL /* a fault's largest step */

enum sim_fault_kind {
	SIM_FAULT_STEAL,  /* another root process reprograms the counters */
	SIM_FAULT_BUSY,   /* another kernel client owns them */
	SIM_FAULT_TAKEN,  /* another task holds force */
	SIM_FAULT_EPERM,  /* callers are no longer root */
	SIM_FAULT_REFUSE, /* a selector is not allowed */
	SIM_FAULT_OFF,    /* CPUs are powered down */
	SIM_FAULT_SLEEP,  /* the system sleeps */
	SIM_FAULT_SLOW,   /* every kpc call takes a while */
	SIM_FAULT_WALL,   /* the wall clock is set to another time */
	SIM_FAULT_DEAD,   /* a selector counts nothing */
	/* For processes: */
	SIM_FAULT_LAG,      /* counts are late */
	SIM_FAULT_REUSE,    /* a pid goes on to the next process */
	SIM_FAULT_NOZOMBIE, /* nobody is listed after its end */
	SIM_FAULT_DENIED,   /* one is not for anybody to see */
	SIM_FAULT_VANISH,   /* every third is gone when it is read */
	SIM_FAULT_STORM,    /* some are too short to be seen */
	SIM_FAULT_OLDOS,    /* the call of macOS 13 is refused */
	/* For tracing: */
	SIM_FAULT_KTRACE,   /* somebody else owns it */
	SIM_FAULT_EVICT,    /* somebody takes it away from its owner */
	SIM_FAULT_TAILSPIN, /* the tool in the background has it */
	SIM_FAULT_RING,     /* the ring fills up during each read */
	SIM_FAULT_DROP      /* some samples lack a record */
};

/* Times are awake nanoseconds since the start of the simulation. */
struct sim_fault {
	int32_t kind;
	uint64_t cpus; /* OFF */
	/* REFUSE, DEAD: selector; SLOW, WALL, LAG: nanoseconds; DENIED: pid */
	int64_t arg;            /* STORM: how many a second; KTRACE: pid */
	int64_t from_ns, to_ns; /* to_ns: SIM_NEVER without an end */
};

/* power=WORD[+WORD]...: how energy is published, and what is odd about it. */
enum {
	SIM_POWER_SAMPLE = 1 << 0,     /* at each sample */
	SIM_POWER_2S = 1 << 1,         /* every 2.1 s, with a tail */
	SIM_POWER_30MIN = 1 << 2,      /* every half hour */
	SIM_POWER_NEVER = 1 << 3,      /* the values stand still */
	SIM_POWER_DENIED = 1 << 4,     /* traffic cannot be subscribed to */
	SIM_POWER_NOTHING = 1 << 5,    /* traffic has no value */
	SIM_POWER_PMP0 = 1 << 6,       /* the group of ranges is called PMP0 */
	SIM_POWER_NOTOTAL = 1 << 7,    /* no total of the clusters */
	SIM_POWER_FALLS = 1 << 8,      /* clusters begin again */
	SIM_POWER_TIME0 = 1 << 9,      /* no times */
	SIM_POWER_FROZEN = 1 << 10,    /* times stand still, values do not */
	SIM_POWER_FUTURE = 1 << 11,    /* times are an hour ahead */
	SIM_POWER_SATURATED = 1 << 12, /* all traffic is in the last range */
	SIM_POWER_UNKNOWN = 1 << 13,   /* names that nobody knows */
	SIM_POWER_NOSAMPLE = 1 << 14,  /* the third sample is refused */
	SIM_POWER_OS = 1 << 16,        /* as the macOS has it */
	SIM_POWER_THROTTLE = 1 << 15   /* clocks are lower than asked for */
};

struct sim_spec {
	const struct sim_machine *machine;
	uint64_t seed;
	bool step;   /* clock=step */
	uint32_t os; /* SIM_OS(26, 0) */
	bool no_pm;  /* no power manager */
	uint32_t pm; /* counters it reserves, absolute bits */
	uint32_t euid;
	bool lib_errno;   /* failures return the errno instead of -1 */
	bool rows_copied; /* libkperf copies its whole buffer */
	bool layout_48;
	bool new_chip;       /* of a family and a database nobody knows */
	uint32_t cpusubtype; /* hw.cpusubtype */
	bool raw17;          /* 17 raw words instead of 7, from macOS 26.5 */
	char state[256];     /* "" for none */
	uint8_t program[SIM_MAX_CPUS]; /* enum sim_program */
	unsigned procs; /* as many processes at least; 0: nothing is said */
	bool rest;      /* some work is in no process */
	bool wide;      /* physics beyond what chips are known to have */
	bool skew;      /* records of a sample are not all of one moment */
	uint32_t power; /* SIM_POWER_ */
	unsigned nfaults;
	struct sim_fault fault[SIM_FAULTS_MAX];
};

/* The sentence names the key and what it may be. */
bool sim_spec_parse(struct sim_spec *s, const char *text, struct err *e);

/* One fault of a machine: "steal@3s-6s". */
bool sim_fault_parse(const struct sim_machine *m, const char *text,
		     struct sim_fault *out, struct err *e);

#endif

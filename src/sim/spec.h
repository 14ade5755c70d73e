/* MACHINE[,key=value]...: --sim, KTOP_SIM and tests. */
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
#define SIM_SELECTOR_ALL (-1)             /* all but 0 */
#define SIM_WALL_MOST_NS 86400000000000LL /* largest clock step */

enum sim_fault_kind {
	SIM_FAULT_STEAL,  /* another root process reprograms the counters */
	SIM_FAULT_BUSY,   /* another kernel client owns them */
	SIM_FAULT_TAKEN,  /* another task holds force */
	SIM_FAULT_EPERM,  /* callers are no longer root */
	SIM_FAULT_REFUSE, /* a selector is not allowed */
	SIM_FAULT_OFF,    /* CPUs are powered down */
	SIM_FAULT_SLEEP,  /* system sleep */
	SIM_FAULT_SLOW,   /* kpc calls are slow */
	SIM_FAULT_WALL,   /* the wall clock steps */
	SIM_FAULT_DEAD,   /* a selector counts nothing */
	/* Processes: */
	SIM_FAULT_LAG,      /* counts lag */
	SIM_FAULT_REUSE,    /* a pid is reused */
	SIM_FAULT_NOZOMBIE, /* no zombies */
	SIM_FAULT_DENIED,   /* a process is unreadable */
	SIM_FAULT_VANISH,   /* every third process ends while it is read */
	SIM_FAULT_STORM,    /* processes too short to be seen */
	SIM_FAULT_OLDOS,    /* macOS 13's call is refused */
	/* Tracing: */
	SIM_FAULT_KTRACE,   /* another tool owns tracing */
	SIM_FAULT_EVICT,    /* another tool takes tracing over */
	SIM_FAULT_TAILSPIN, /* the background tool owns tracing */
	SIM_FAULT_RING,     /* reads fill the ring */
	SIM_FAULT_DROP      /* samples lack records */
};

/* Times are awake ns since the simulation's start. */
struct sim_fault {
	int32_t kind;
	uint64_t cpus; /* OFF */
	/* REFUSE, DEAD: selector; SLOW, WALL, LAG: nanoseconds; DENIED: pid */
	int64_t arg;            /* STORM: per second; KTRACE: pid */
	int64_t from_ns, to_ns; /* to_ns SIM_NEVER: no end */
};

/* power=WORD[+WORD]...: how energy is published. */
enum {
	SIM_POWER_SAMPLE = 1 << 0,     /* at each sample */
	SIM_POWER_2S = 1 << 1,         /* every 2.1 s, with a tail */
	SIM_POWER_30MIN = 1 << 2,      /* every half hour */
	SIM_POWER_NEVER = 1 << 3,      /* the values never change */
	SIM_POWER_DENIED = 1 << 4,     /* subscribing to traffic is refused */
	SIM_POWER_NOTHING = 1 << 5,    /* traffic has no value */
	SIM_POWER_PMP0 = 1 << 6,       /* the group is called PMP0 */
	SIM_POWER_NOTOTAL = 1 << 7,    /* no cluster total */
	SIM_POWER_FALLS = 1 << 8,      /* clusters restart at 0 */
	SIM_POWER_TIME0 = 1 << 9,      /* no time stamps */
	SIM_POWER_FROZEN = 1 << 10,    /* time stamps stop */
	SIM_POWER_FUTURE = 1 << 11,    /* time stamps are an hour ahead */
	SIM_POWER_SATURATED = 1 << 12, /* all traffic in the last range */
	SIM_POWER_UNKNOWN = 1 << 13,   /* unknown names */
	SIM_POWER_NOSAMPLE = 1 << 14,  /* the third sample fails */
	SIM_POWER_OS = 1 << 16,        /* rules of the machine's macOS */
	SIM_POWER_HOT = 1 << 17,       /* heavy thermal pressure after 10 s */
	SIM_POWER_NOHEAT = 1 << 18,    /* thermal pressure is unavailable */
	SIM_POWER_THROTTLE = 1 << 15   /* clocks below the requested ones */
};

struct sim_spec {
	const struct sim_machine *machine;
	uint64_t seed;
	bool step;   /* clock=step */
	uint32_t os; /* SIM_OS(26, 0) */
	bool no_pm;  /* no power manager */
	uint32_t pm; /* reserved counters, absolute bits */
	uint32_t euid;
	bool lib_errno;   /* failures return errno, not -1 */
	bool rows_copied; /* libkperf copies its whole buffer */
	bool layout_48;
	bool new_chip;                 /* unknown family and database */
	uint32_t cpusubtype;           /* hw.cpusubtype */
	bool raw17;                    /* macOS 26.5: 17 raw words, not 7 */
	char state[256];               /* "": none */
	uint8_t program[SIM_MAX_CPUS]; /* enum sim_program */
	unsigned procs;                /* least number; 0: default */
	bool rest;                     /* some work has no process */
	bool wide;      /* chip properties beyond those of known chips */
	bool skew;      /* a sample's records differ in time */
	uint32_t power; /* SIM_POWER_ */
	unsigned nfaults;
	struct sim_fault fault[SIM_FAULTS_MAX];
};

/* e: the key and its valid values. */
bool sim_spec_parse(struct sim_spec *s, const char *text, struct err *e);

/* "steal@3s-6s". */
bool sim_fault_parse(const struct sim_machine *m, const char *text,
		     struct sim_fault *out, struct err *e);

#endif

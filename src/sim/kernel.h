/*
 * The simulated kernel at the level of sysctlbyname for a caller: XNU's kpc,
 * kperf and ktrace rules, errno by errno. Its whole state is one plain struct,
 * so that it can live in a file that several processes share.
 */
#ifndef SIM_KERNEL_H
#define SIM_KERNEL_H

#include "base/clock.h"
#include "base/err.h"
#include "kperf/host.h"
#include "pmu/pmu.h"
#include "sim/machine.h"
#include "sim/procs.h"
#include "sim/spec.h"
#include "sim/work.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SIM_PMCS 8       /* configurable counters at most */
#define SIM_RAW_WORDS 17 /* of the RAWPMU class, at most */
#define SIM_ROW_MAX (3 + SIM_PMCS)
#define SIM_BUFFER_LEN (1 + SIM_MAX_CPUS * SIM_ROW_MAX)
#define SIM_THREADS 64 /* that read their own counters */
#define SIM_NAME 17
#define SIM_ACTIONS 32
#define SIM_TIMERS 8
#define SIM_NO_TIMER 999 /* kperf.timer.pet_timer of nobody */
/* Awake nanoseconds since boot at which every simulation starts. */
#define SIM_START_NS 1000000000000LL
/* 2026-01-01T00:00:00Z, the wall clock at the start of clock=step. */
#define SIM_WALL_NS 1767225600000000000LL
/* What one read costs every CPU that answers, in kernel mode. */
#define SIM_READ_CYCLES 2000u
#define SIM_READ_INSTRUCTIONS 900u

/*
 * Who calls. A process keeps pid and born for life; exec gives it a new task.
 * thread names the calling thread, cpu is where it runs.
 */
struct sim_caller {
	int32_t pid;
	uint32_t euid;
	int64_t born;
	uint64_t task;
	uint64_t thread;
	uint64_t table_thread; /* 0, or the id of one of the process table */
	unsigned cpu;
	char name[SIM_NAME]; /* of its program, cut as the kernel does */
};

/* Who holds something; pid 0: nobody. */
struct sim_holder {
	int32_t pid;
	int64_t born;
	uint64_t task;
};

/* Counts of one thread that reads its own counters. */
struct sim_thread {
	uint64_t id; /* 0: unused */
	int32_t pid;
	int64_t since_ns;
	uint64_t total[SIM_PMCS], base[SIM_PMCS];
};

struct sim_action {
	uint32_t samplers, userdata;
	int32_t task, pid;
	uint32_t user_depth, kernel_depth; /* of call stacks */
};

struct sim_timer {
	uint64_t period;
	uint32_t action;
};

/* What a thread of the machine has counted, if it has a buffer for it. */
struct sim_counted {
	uint8_t has;
	uint64_t generation; /* of its last sample */
	uint64_t value[SIM_ROW_MAX];
};

/* Jobs' threads, then one a CPU: the kernel's, a program's, the idle one. */
#define SIM_TRACED_JOBS (SIM_SLOT_PROGRAM * SIM_PROC_THREADS)
#define SIM_TRACED (SIM_TRACED_JOBS + 3 * SIM_MAX_CPUS)

/* Values of a row: three fixed, then the configurable ones by place. */
struct sim_pet {
	int64_t done_ns; /* all up to here is dealt with */
	int64_t start_ns;
	uint64_t start_ticks; /* with the time asleep in it */
	uint64_t samples;     /* while a fault drops records of some */
	uint64_t fired;       /* ticks of the timer, before macOS 15.4 */
	/* As of the last switch; and what came before a change since. */
	uint64_t ref[SIM_MAX_CPUS][SIM_ROW_MAX];
	uint64_t pending[SIM_MAX_CPUS][SIM_ROW_MAX];
	struct sim_counted thread[SIM_TRACED];
};

#define SIM_KD_UNITS_MOST 8192u /* 1 GiB */

/* kperf.kdebug.*: whoever passes one of these tracepoints is sampled. */
#define SIM_TRIGGERS 32
struct sim_trigger {
	uint32_t action, n;
	uint8_t type[SIM_TRIGGERS / 2]; /* four bits each */
	uint32_t id[SIM_TRIGGERS];
};

/* kdebug, but for the ring and the map of threads. */
struct sim_kd {
	uint32_t asked, units; /* events by KDSETBUF; of the ring, 0: none */
	uint32_t flags;
	uint32_t setup; /* counts KDSETUPs: which ring is the right one */
	uint32_t value[4];
	uint32_t map_threads;
	uint64_t oldest;       /* ticks: what is older is not delivered */
	uint8_t enabled, logs; /* logs: what KDGETBUF says of it */
	uint8_t types[8192];   /* a bit for each class and subclass */
};

/* Who counts what with the counters, and what they have: kpc and CPC. */
struct sim_kpc {
	uint8_t force;
	uint8_t cpmu_owned; /* by another kernel client */
	/* macOS 26.5: `word` is what was asked for, until a set is made. */
	uint8_t made, stale, applied;
	struct sim_holder force_by, perfmon, uncore;
	uint32_t run_classes, run_mask;
	uint64_t word[SIM_PMCS]; /* as kpc.config gives it back */
	uint64_t live[SIM_PMCS]; /* as the hardware counts */
	uint64_t set[SIM_PMCS], shown[SIM_PMCS]; /* as read back */
	uint64_t raw[SIM_RAW_WORDS], raw_set[SIM_RAW_WORDS];
	uint64_t raw_shown[SIM_RAW_WORDS];
	uint64_t period[SIM_ROW_MAX];
	uint32_t actionid[SIM_ROW_MAX];
	uint32_t enabled[SIM_MAX_CPUS]; /* PMC mask */
	uint64_t total[SIM_MAX_CPUS][SIM_PMCS], base[SIM_MAX_CPUS][SIM_PMCS];
	uint64_t answers[SIM_MAX_CPUS]; /* reads this CPU took part in */
	/* Cycles of loops (host_api.loop), by what their rates are. */
	uint64_t looped[SIM_MAX_CPUS][WORK_STEADY + 1];
	/* Never cleared, shared by every request of every process. */
	uint64_t buffer[SIM_BUFFER_LEN];
};

/* Threads that read their own counters. */
struct sim_thread_counting {
	uint32_t classes;
	uint32_t kept;  /* the last that were not 0 */
	int64_t off_ns; /* when they stopped; SIM_NEVER: they run */
	struct sim_thread thread[SIM_THREADS];
};

/* Who owns tracing. */
struct sim_ktrace {
	struct sim_holder owner, background; /* a tool behind the owner */
	uint8_t keep, blessed_preempt;
	uint8_t dead; /* the owner is, and nobody came since */
	uint8_t mask, state;
	char by[SIM_NAME]; /* the last who became the owner */
};

/* kperf: its actions and timers. */
struct sim_kperf {
	uint32_t action_count, timer_count, pet_timer, sampling;
	uint32_t lightweight_pet, pet_idle_rate;
	uint32_t pet_action; /* of the timer, as it was when it became this */
	struct sim_trigger trigger;
	struct sim_action action[SIM_ACTIONS + 1];
	struct sim_timer timer[SIM_TIMERS];
};

/* Moments of awake time, but for the first. */
struct sim_time {
	int64_t origin_ns;    /* clock=real: the system's at the start */
	int64_t awake_ns;     /* clock=step: now */
	int64_t now_ns;       /* the moment being dealt with */
	int64_t next_edge_ns; /* when something happens by itself */
	int64_t idle_ns;      /* when cores idle after a change */
	int64_t slept_ns;     /* by faults that are over and forgotten */
	int64_t off_ns[SIM_MAX_CPUS];
};

/*
 * Everything the kernel remembers; see docs/SIMULATION.md. Truth values are
 * bytes, since the struct may come from a file.
 */
struct sim_state {
	char magic[8];
	uint32_t version, size;
	char machine[16];
	uint64_t seed;
	uint32_t os, pm;
	uint8_t step, has_pm, pm_custom, skew;
	uint8_t wide;                  /* physics */
	uint8_t raw_words;             /* macOS 26.5: 7, or 17 */
	uint8_t program[SIM_MAX_CPUS]; /* enum sim_program */
	uint32_t nfaults;
	struct sim_fault fault[SIM_FAULTS_MAX]; /* times since boot */
	struct sim_time time;
	struct sim_kpc kpc;
	struct sim_thread_counting threads;
	struct sim_ktrace ktrace;
	struct sim_kperf kperf;
	struct sim_kd kd;
	struct sim_pet pet;
	struct sim_procs procs;
};

struct sim_ring;
struct sim_map_entry;
struct sim_map {
	struct sim_map_entry *entry;
	uint32_t len;
};

struct sim_off {
	int64_t from_ns, to_ns;
};

/* Who follows time and changes: so that nobody here has to know them. */
struct sim_watch {
	void (*until)(struct sim_kernel *k, int64_t at_ns);
	void (*turned)(struct sim_kernel *k, unsigned slot, int64_t at_ns);
	void (*before)(struct sim_kernel *k); /* what counts changes */
	void (*after)(struct sim_kernel *k);
};

/* How cycles become events: of each kind. */
struct sim_rates {
	struct work_rate *event; /* [kind * nevents + event] */
	uint16_t *at;            /* [selector]: index of its event + 1, or 0 */
	struct work_rate cycles[SIM_MAX_KINDS], inst[SIM_MAX_KINDS];
	struct work_physics physics[SIM_MAX_KINDS];
};

/* When CPUs are off. */
struct sim_power {
	unsigned off_len[SIM_MAX_CPUS];
	struct sim_off off[SIM_MAX_CPUS][SIM_FAULTS_MAX];
	uint64_t nap_cpus; /* of the cluster that powers down by itself */
	int64_t nap_first_ns, nap_len_ns, nap_every_ns;
};

/* What a machine's table of processes is made of. */
struct sim_table {
	uint8_t sources[SIM_SLOTS]; /* whose grains a slot may have */
	uint8_t there[SIM_SLOTS];   /* those the machine has, rising */
	unsigned nslots;
	uint64_t steps; /* grains, or parts of them, given to processes */
	bool adopts;    /* children of this process are of the machine */
	bool listed;    /* it has seen the machine's own processes */
	struct sim_adopted adopted[SIM_ADOPTED];
	unsigned nadopted; /* no more places were ever taken */
};

/* kdebug's ring: of who set it up; no other process has it. */
struct sim_tracing {
	struct sim_ring *ring;
	uint32_t ring_setup;
	unsigned nth;                     /* record of a sample, with skew=1 */
	uint64_t last_tick[SIM_MAX_CPUS]; /* of each CPU's last record */
	struct sim_map map;               /* of the last KDENABLE */
};

/* One process's way to a state. */
struct sim_kernel {
	struct sim_state *s;
	const struct sim_machine *m;
	const struct pmu *pmu; /* NULL: no counters */
	unsigned ncpus;
	uint32_t cpusubtype, cpufamily;
	unsigned pmu_version; /* as struct sim_machine's pmu */
	struct work work;
	struct sim_rates rates;
	struct sim_power power;
	struct sim_table table;
	struct sim_tracing tracing;
	const struct sim_watch *watch;
	const struct clock *real;  /* clock=real: what time passes by */
	void (*pause)(int64_t ns); /* clock=real: lets it pass */
	bool before_edge; /* totals are taken as they stand just before now */
	int64_t dead_done_ns; /* edges of dead events before this are behind */
	bool shared;
	int fd;
	uint64_t lib_buffer[SIM_BUFFER_LEN]; /* libkperf's own, remembers */
};

/*
 * A kernel after boot. `s` is the caller's memory, filled with zeros except
 * when `old` says that it holds a kernel already. False: out of memory.
 */
bool sim_kernel_init(struct sim_kernel *k, struct sim_state *s, bool old,
		     const struct sim_spec *spec, struct err *e);
void sim_kernel_free(struct sim_kernel *k);

/*
 * sysctlbyname: 0 or the errno. A NULL old or fresh is as in the system call,
 * old_size may be NULL without old.
 */
int sim_kernel_sysctl(struct sim_kernel *k, const struct sim_caller *who,
		      const char *name, void *old, size_t *old_size,
		      const void *fresh, size_t fresh_size);

/*
 * sysctl {CTL_KERN, KERN_KDEBUG, op[, value]}: 0 or the errno. Structures go in
 * through `old`; *old_size comes back as each op has it.
 */
int sim_kernel_kdebug(struct sim_kernel *k, const struct sim_caller *who,
		      const int *mib, unsigned n, void *old, size_t *old_size,
		      const void *fresh);

/* The task ended, however it did; the process too unless it was an exec. */
void sim_kernel_exit(struct sim_kernel *k, const struct sim_caller *who);
void sim_kernel_exec(struct sim_kernel *k, const struct sim_caller *who);

/* /dev/perfmon_core, /dev/monotonic/uncore, read-write: 0 or the errno. */
int sim_kernel_open(struct sim_kernel *k, const struct sim_caller *who,
		    const char *device);
int sim_kernel_close(struct sim_kernel *k, const struct sim_caller *who,
		     const char *device);

/* The time; step() for clock=step only, never backwards. */
void sim_kernel_now(struct sim_kernel *k, struct stamp *out);
void sim_kernel_step(struct sim_kernel *k, int64_t until_ns);

/*
 * One fault more while the kernel runs, its times counted from now. Those that
 * are over make room. Not with a state file, nor powers down what naps by
 * itself. False: no room, or not here.
 */
bool sim_kernel_fault(struct sim_kernel *k, const struct sim_fault *f,
		      struct err *e);

/*
 * host_api.loop: of 10^9 cycles, on the first CPU of the kind that is on, in no
 * time and in no process. The instructions; 0: there is no such CPU.
 */
uint64_t sim_kernel_loop(struct sim_kernel *k, unsigned kind, unsigned loop,
			 int *cpu);

/* Every online core goes through idle once. */
void sim_kernel_idle(struct sim_kernel *k);

/* What host_processor_info would say; 100 ticks a second. */
void sim_kernel_load(struct sim_kernel *k, unsigned cpu,
		     struct host_cpu_load *out);

/*
 * The documented total of an event (by name or number) on a CPU at a moment,
 * the cost of reads not counted. user: user mode only.
 */
bool sim_kernel_total(const struct sim_kernel *k, unsigned cpu,
		      const char *event, bool user, int64_t awake_ns,
		      uint64_t *out);

#endif

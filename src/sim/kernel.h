/* The simulated kernel below sysctlbyname: XNU's kpc, kperf and ktrace rules
 * with their errnos. The state is one plain struct, which a file can hold for
 * several processes. */
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

#define SIM_PMCS 8       /* configurable counters */
#define SIM_RAW_WORDS 17 /* of the RAWPMU class */
#define SIM_ROW_MAX (3 + SIM_PMCS)
#define SIM_BUFFER_LEN (1 + SIM_MAX_CPUS * SIM_ROW_MAX)
#define SIM_THREADS 64 /* threads that read their own counters */
#define SIM_NAME 17
#define SIM_ACTIONS 32
#define SIM_TIMERS 8
#define SIM_NO_TIMER 999 /* kperf.timer.pet_timer: none */
/* Every simulation starts at this awake time since boot. */
#define SIM_START_NS 1000000000000LL
/* 2026-01-01T00:00:00Z: wall clock at the start with clock=step. */
#define SIM_WALL_NS 1767225600000000000LL
/* Cost of a read on each CPU that answers, in kernel mode. */
#define SIM_READ_CYCLES 2000u
#define SIM_READ_INSTRUCTIONS 900u

/* The caller: pid and born identify the process; exec changes the task. */
struct sim_caller {
	int32_t pid;
	uint32_t euid;
	int64_t born;
	uint64_t task;
	uint64_t thread;
	uint64_t table_thread; /* id in the process table, or 0 */
	unsigned cpu;
	char name[SIM_NAME]; /* cut as by the kernel */
};

struct sim_holder {
	int32_t pid;
	int64_t born;
	uint64_t task;
};

/* A thread that reads its own counters. */
struct sim_thread {
	uint64_t id;
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

/* Counts of a machine's thread with a buffer. */
struct sim_counted {
	uint8_t has;
	uint64_t generation; /* of the last sample */
	uint64_t value[SIM_ROW_MAX];
};

/* Threads of jobs, then of each CPU: kernel, program, idle. */
#define SIM_TRACED_JOBS (SIM_SLOT_PROGRAM * SIM_PROC_THREADS)
#define SIM_TRACED (SIM_TRACED_JOBS + 3 * SIM_MAX_CPUS)

/* Rows have three fixed counters, then the configurable ones by place. */
struct sim_pet {
	int64_t done_ns; /* complete up to here */
	int64_t start_ns;
	uint64_t start_ticks; /* includes sleep */
	uint64_t samples;     /* for the fault that drops records */
	uint64_t fired;       /* ticks of the timer before macOS 15.4 */
	/* Counts at the last switch; then counts before a later change. */
	uint64_t ref[SIM_MAX_CPUS][SIM_ROW_MAX];
	uint64_t pending[SIM_MAX_CPUS][SIM_ROW_MAX];
	struct sim_counted thread[SIM_TRACED];
};

#define SIM_KD_UNITS_MOST 8192u /* 1 GiB */

/* kperf.kdebug.*: tracepoints that take a sample. */
#define SIM_TRIGGERS 32
struct sim_trigger {
	uint32_t action, n;
	uint8_t type[SIM_TRIGGERS / 2]; /* four bits each */
	uint32_t id[SIM_TRIGGERS];
};

/* kdebug without ring and map. */
struct sim_kd {
	uint32_t asked, units; /* events by KDSETBUF; ring units, 0: none */
	uint32_t flags;
	uint32_t setup; /* number of KDSETUPs: identifies the ring */
	uint32_t value[4];
	uint32_t map_threads;
	uint64_t oldest;       /* ticks; older records are dropped */
	uint8_t enabled, logs; /* logs: as KDGETBUF returns it */
	uint8_t types[8192];   /* a bit per class and subclass */
};

struct sim_kpc {
	uint8_t force;
	uint8_t cpmu_owned; /* owned by another kernel client */
	/* macOS 26.5: `word` is pending until a set is made. */
	uint8_t made, stale, applied;
	struct sim_holder force_by, perfmon, uncore;
	uint32_t run_classes, run_mask;
	uint64_t word[SIM_PMCS];                 /* as kpc.config returns it */
	uint64_t live[SIM_PMCS];                 /* as the hardware counts */
	uint64_t set[SIM_PMCS], shown[SIM_PMCS]; /* as read back */
	uint64_t raw[SIM_RAW_WORDS], raw_set[SIM_RAW_WORDS];
	uint64_t raw_shown[SIM_RAW_WORDS];
	uint64_t period[SIM_ROW_MAX];
	uint32_t actionid[SIM_ROW_MAX];
	uint32_t enabled[SIM_MAX_CPUS]; /* mask of enabled PMCs */
	uint64_t total[SIM_MAX_CPUS][SIM_PMCS], base[SIM_MAX_CPUS][SIM_PMCS];
	uint64_t answers[SIM_MAX_CPUS]; /* reads that this CPU answered */
	/* Cycles of loops (host_api.loop), by rates. */
	uint64_t looped[SIM_MAX_CPUS][WORK_STEADY + 1];
	/* Never cleared; shared by all requests of all processes. */
	uint64_t buffer[SIM_BUFFER_LEN];
};

struct sim_thread_counting {
	uint32_t classes;
	uint32_t kept;  /* last nonzero value */
	int64_t off_ns; /* time it stopped; SIM_NEVER: running */
	struct sim_thread thread[SIM_THREADS];
};

struct sim_ktrace {
	struct sim_holder owner, background; /* background: the tool that waits
						behind the owner */
	uint8_t keep, blessed_preempt;
	uint8_t dead; /* the owner died; no successor yet */
	uint8_t mask, state;
	char by[SIM_NAME]; /* the last owner's name */
};

struct sim_kperf {
	uint32_t action_count, timer_count, pet_timer, sampling;
	uint32_t lightweight_pet, pet_idle_rate;
	uint32_t pet_action; /* the PET timer's action at its selection */
	struct sim_trigger trigger;
	struct sim_action action[SIM_ACTIONS + 1];
	struct sim_timer timer[SIM_TIMERS];
};

/* All are awake times, except the first. */
struct sim_time {
	int64_t origin_ns;    /* clock=real: the system's at the start */
	int64_t awake_ns;     /* clock=step: now */
	int64_t now_ns;       /* the moment being handled */
	int64_t next_edge_ns; /* time of the next planned event */
	int64_t idle_ns;      /* next idle moment after a change */
	int64_t slept_ns;     /* time asleep of removed faults */
	int64_t off_ns[SIM_MAX_CPUS];
};

/* The kernel's whole state (docs/SIMULATION.md). Booleans are bytes, since a
 * file may hold the struct. */
struct sim_state {
	char magic[8];
	uint32_t version, size;
	char machine[16];
	uint64_t seed;
	uint32_t os, pm;
	uint8_t step, has_pm, pm_custom, skew;
	uint8_t wide;                  /* physics=wide */
	uint8_t raw_words;             /* macOS 26.5: 7 or 17 */
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

struct sim_watch {
	void (*until)(struct sim_kernel *k, int64_t at_ns);
	void (*turned)(struct sim_kernel *k, unsigned slot, int64_t at_ns);
	void (*before)(struct sim_kernel *k); /* before counters change */
	void (*after)(struct sim_kernel *k);
};

/* Events per cycle, by kind. */
struct sim_rates {
	struct work_rate *event; /* [kind * nevents + event] */
	uint16_t *at;            /* [selector]: event index + 1, or 0 */
	struct work_rate cycles[SIM_MAX_KINDS], inst[SIM_MAX_KINDS];
	struct work_physics physics[SIM_MAX_KINDS];
};

struct sim_power {
	unsigned off_len[SIM_MAX_CPUS];
	struct sim_off off[SIM_MAX_CPUS][SIM_FAULTS_MAX];
	uint64_t nap_cpus; /* CPUs of the cluster that powers down by itself */
	int64_t nap_first_ns, nap_len_ns, nap_every_ns;
};

/* The part of the process table that does not change. */
struct sim_table {
	uint8_t sources[SIM_SLOTS]; /* jobs that a slot may get grains of */
	uint8_t there[SIM_SLOTS];   /* existing slots, ascending */
	unsigned nslots;
	uint64_t steps; /* grains, or parts, given to processes */
	bool adopts;    /* children of this process are in the table */
	bool listed;    /* this process has already listed the table */
	struct sim_adopted adopted[SIM_ADOPTED];
	unsigned nadopted; /* largest number of entries used */
};

/* kdebug's ring, in the process that set it up. */
struct sim_tracing {
	struct sim_ring *ring;
	uint32_t ring_setup;
	unsigned nth; /* number of a sample's record, with skew=1 */
	uint64_t last_tick[SIM_MAX_CPUS]; /* of each CPU's last record */
	struct sim_map map;               /* thread map of the last KDENABLE */
};

/* A process's access to a state. */
struct sim_kernel {
	struct sim_state *s;
	const struct sim_machine *m;
	const struct pmu *pmu; /* NULL: no counters */
	unsigned ncpus;
	uint32_t cpusubtype, cpufamily;
	unsigned pmu_version; /* as sim_machine.pmu */
	struct work work;
	struct sim_rates rates;
	struct sim_power power;
	struct sim_table table;
	struct sim_tracing tracing;
	const struct sim_watch *watch;
	const struct clock *real;  /* clock=real: the system's clock */
	void (*pause)(int64_t ns); /* clock=real: sleeps */
	bool before_edge;          /* close totals just before the event */
	int64_t dead_done_ns; /* events of dead selectors are done up to here */
	bool shared;
	int fd;
	uint64_t lib_buffer[SIM_BUFFER_LEN]; /* libkperf's buffer, never cleared
					      */
};

/* Boots a kernel in the caller's zeroed memory, or with `old` attaches to the
 * state there. False: out of memory. */
bool sim_kernel_init(struct sim_kernel *k, struct sim_state *s, bool old,
		     const struct sim_spec *spec, struct err *e);
void sim_kernel_free(struct sim_kernel *k);

/* sysctlbyname: 0 or errno. old, fresh and (without old) old_size may be NULL.
 */
int sim_kernel_sysctl(struct sim_kernel *k, const struct sim_caller *who,
		      const char *name, void *old, size_t *old_size,
		      const void *fresh, size_t fresh_size);

/* sysctl {CTL_KERN, KERN_KDEBUG, op[, value]}: 0 or errno. Input goes through
 * `old`; *old_size as each op returns it. */
int sim_kernel_kdebug(struct sim_kernel *k, const struct sim_caller *who,
		      const int *mib, unsigned n, void *old, size_t *old_size,
		      const void *fresh);

/* Ends the task; exec: the process continues. */
void sim_kernel_exit(struct sim_kernel *k, const struct sim_caller *who);
void sim_kernel_exec(struct sim_kernel *k, const struct sim_caller *who);

/* /dev/perfmon_core, /dev/monotonic/uncore, read-write: 0 or errno. */
int sim_kernel_open(struct sim_kernel *k, const struct sim_caller *who,
		    const char *device);
int sim_kernel_close(struct sim_kernel *k, const struct sim_caller *who,
		     const char *device);

/* The clock's step(), for clock=step; never moves backwards. */
void sim_kernel_now(struct sim_kernel *k, struct stamp *out);
void sim_kernel_step(struct sim_kernel *k, int64_t until_ns);

/* Adds a fault, times from now; replaces ended ones. False: too many, a state
 * file, or an automatic power-down. */
bool sim_kernel_fault(struct sim_kernel *k, const struct sim_fault *f,
		      struct err *e);

/* host_api.loop: 10^9 cycles on the kind's first online CPU, in no time and no
 * process. Returns instructions; 0: no such CPU. */
uint64_t sim_kernel_loop(struct sim_kernel *k, unsigned kind, unsigned loop,
			 int *cpu);

/* Every online core idles once. */
void sim_kernel_idle(struct sim_kernel *k);

void sim_kernel_load(struct sim_kernel *k, unsigned cpu,
		     struct host_cpu_load *out);

/* An event's documented total (docs/SIMULATION.md) at a moment, without the
 * cost of reads. */
bool sim_kernel_total(const struct sim_kernel *k, unsigned cpu,
		      const char *event, bool user, int64_t awake_ns,
		      uint64_t *out);

#endif

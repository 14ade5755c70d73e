/* The simulated kernel below sysctlbyname: XNU's rules and errnos of kpc,
 * kperf, ktrace and kdebug. The state is one plain struct, which several
 * processes can share in a file. */
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

#define SIM_PMCS 8 /* most configurable counters */
#define SIM_RAW_WORDS 17
#define SIM_ROW_MAX (3 + SIM_PMCS)
#define SIM_BUFFER_LEN (1 + SIM_MAX_CPUS * SIM_ROW_MAX)
#define SIM_THREADS 64
#define SIM_NAME 17
#define SIM_ACTIONS 32
#define SIM_TIMERS 8
#define SIM_NO_TIMER 999 /* kperf.timer.pet_timer: no PET timer */
/* Awake time at the start of each simulation */
#define SIM_START_NS 1000000000000LL
/* Wall time at the start with clock=step: 2026-01-01T00:00:00Z */
#define SIM_WALL_NS 1767225600000000000LL
/* Cost of each read, in kernel mode on each CPU read */
#define SIM_READ_CYCLES 2000u
#define SIM_READ_INSTRUCTIONS 900u

/* A calling thread. pid and born identify its process; exec changes task. */
struct sim_caller {
	int32_t pid;
	uint32_t euid;
	int64_t born;
	uint64_t task;
	uint64_t thread;
	uint64_t table_thread; /* id in the process table, or 0 */
	unsigned cpu;
	char name[SIM_NAME];
};

struct sim_holder {
	int32_t pid;
	int64_t born;
	uint64_t task;
};

/* A thread that reads its own counters; id 0: unused entry. */
struct sim_thread {
	uint64_t id;
	int32_t pid;
	int64_t since_ns;
	uint64_t total[SIM_PMCS], base[SIM_PMCS];
};

struct sim_action {
	uint32_t samplers, userdata;
	int32_t task, pid;
	uint32_t user_depth, kernel_depth;
};

struct sim_timer {
	uint64_t period;
	uint32_t action;
};

struct sim_counted {
	uint8_t has;
	uint64_t generation; /* PET generation at the last sample */
	uint64_t value[SIM_ROW_MAX];
};

/* Threads of jobs, then a kernel, a program and an idle thread per CPU. */
#define SIM_TRACED_JOBS (SIM_SLOT_PROGRAM * SIM_PROC_THREADS)
#define SIM_TRACED (SIM_TRACED_JOBS + 3 * SIM_MAX_CPUS)

/* Rows have three fixed counters, then the configurable counters. */
struct sim_pet {
	int64_t done_ns; /* awake time up to which samples are made */
	int64_t start_ns;
	uint64_t start_ticks; /* start_ns in ticks, including time asleep */
	uint64_t samples;     /* samples with counters during a drop fault */
	uint64_t fired; /* ticks of the PET timer; used before macOS 15.4 */
	/* ref: counts at the last switch or change of counters. pending: counts
	 * from the switch to that change. */
	uint64_t ref[SIM_MAX_CPUS][SIM_ROW_MAX];
	uint64_t pending[SIM_MAX_CPUS][SIM_ROW_MAX];
	struct sim_counted thread[SIM_TRACED];
};

#define SIM_KD_UNITS_MOST 8192u /* 1 GiB */

/* kperf.kdebug.*: tracepoints that trigger an action. */
#define SIM_TRIGGERS 32
struct sim_trigger {
	uint32_t action, n;
	uint8_t type[SIM_TRIGGERS / 2];
	uint32_t id[SIM_TRIGGERS];
};

struct sim_kd {
	uint32_t asked, units; /* requested events; ring units, 0: no ring */
	uint32_t flags;
	uint32_t setup;
	uint32_t value[4];
	uint32_t map_threads;
	uint64_t oldest;       /* time in ticks; older records are dropped */
	uint8_t enabled, logs; /* logs: records are kept (KDGETBUF: nolog) */
	uint8_t types[8192];
};

struct sim_kpc {
	uint8_t force;
	uint8_t cpmu_owned;
	/* State of CPC's set. stale: words or periods have changed since the
	 * set was made; applied: the set counts. */
	uint8_t made, stale, applied;
	struct sim_holder force_by, perfmon, uncore;
	uint32_t run_classes, run_mask;
	uint64_t word[SIM_PMCS];
	uint64_t live[SIM_PMCS]; /* words that the hardware counts */
	/* CPC: words of the set; words that kpc.config returns. */
	uint64_t set[SIM_PMCS], shown[SIM_PMCS];
	uint64_t raw[SIM_RAW_WORDS], raw_set[SIM_RAW_WORDS];
	uint64_t raw_shown[SIM_RAW_WORDS];
	uint64_t period[SIM_ROW_MAX];
	uint32_t actionid[SIM_ROW_MAX];
	uint32_t enabled[SIM_MAX_CPUS];
	uint64_t total[SIM_MAX_CPUS][SIM_PMCS], base[SIM_MAX_CPUS][SIM_PMCS];
	uint64_t answers[SIM_MAX_CPUS];
	uint64_t looped[SIM_MAX_CPUS][WORK_STEADY + 1];
	/* kpc's shared buffer, never cleared; all requests of all processes use
	 * it. */
	uint64_t buffer[SIM_BUFFER_LEN];
};

struct sim_thread_counting {
	uint32_t classes;
	uint32_t kept;
	int64_t off_ns; /* when counting stopped; SIM_NEVER: it runs */
	struct sim_thread thread[SIM_THREADS];
};

struct sim_ktrace {
	struct sim_holder owner, background;
	uint8_t keep, blessed_preempt;
	uint8_t dead; /* the owner has ended; tracing has no new owner */
	uint8_t mask, state;
	char by[SIM_NAME];
};

struct sim_kperf {
	uint32_t action_count, timer_count, pet_timer, sampling;
	uint32_t lightweight_pet, pet_idle_rate;
	uint32_t pet_action; /* action of PET's samples */
	struct sim_trigger trigger;
	struct sim_action action[SIM_ACTIONS + 1];
	struct sim_timer timer[SIM_TIMERS];
};

/* Awake times, except origin_ns, are those of the simulation. */
struct sim_time {
	int64_t origin_ns; /* system's awake time at the start */
	int64_t awake_ns;
	int64_t now_ns;
	int64_t next_edge_ns;
	int64_t idle_ns;  /* next time all CPUs idle; SIM_NEVER: none */
	int64_t slept_ns; /* sum of the ended sleeps that are no longer in
			     `fault` */
	int64_t off_ns[SIM_MAX_CPUS];
};

/* The kernel's whole state (docs/SIMULATION.md). Booleans are bytes, as the
 * struct may come from a file. */
struct sim_state {
	char magic[8];
	uint32_t version, size;
	char machine[16];
	uint64_t seed;
	uint32_t os, pm;
	uint8_t step, has_pm, pm_custom, skew;
	uint8_t wide;
	uint8_t raw_words; /* with CPC: 7 or 17 */
	uint8_t program[SIM_MAX_CPUS];
	uint32_t nfaults;
	struct sim_fault fault[SIM_FAULTS_MAX];
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
	void (*before)(struct sim_kernel *k);
	void (*after)(struct sim_kernel *k);
};

/* Events per cycle, by kind of core. */
struct sim_rates {
	struct work_rate *event; /* [kind * nevents + event] */
	uint16_t *at; /* [selector]: index in `event` + 1; 0: unknown event */
	struct work_rate cycles[SIM_MAX_KINDS], inst[SIM_MAX_KINDS];
	struct work_physics physics[SIM_MAX_KINDS];
};

struct sim_power {
	unsigned off_len[SIM_MAX_CPUS];
	struct sim_off off[SIM_MAX_CPUS][SIM_FAULTS_MAX];
	uint64_t nap_cpus; /* CPUs of the cluster that powers down by itself */
	int64_t nap_first_ns, nap_len_ns, nap_every_ns;
};

struct sim_table {
	uint8_t sources[SIM_SLOTS]; /* number of jobs whose grains a slot may
				       get */
	uint8_t there[SIM_SLOTS];   /* existing slots, ascending */
	unsigned nslots;
	uint64_t steps;
	bool adopts; /* this process's children are in the table */
	bool listed; /* this process has listed the table */
	struct sim_adopted adopted[SIM_ADOPTED];
	unsigned nadopted;
};

/* kdebug's ring, only in the process that set it up. */
struct sim_tracing {
	struct sim_ring *ring;
	uint32_t ring_setup;
	unsigned nth; /* with skew=1, index of the next record in its sample */
	uint64_t last_tick[SIM_MAX_CPUS]; /* time of each CPU's last record */
	struct sim_map map;
};

struct sim_kernel {
	struct sim_state *s;
	const struct sim_machine *m;
	const struct pmu *pmu; /* NULL: the machine has no counters */
	unsigned ncpus;
	uint32_t cpusubtype, cpufamily;
	unsigned pmu_version;
	struct work work;
	struct sim_rates rates;
	struct sim_power power;
	struct sim_table table;
	struct sim_tracing tracing;
	const struct sim_watch *watch;
	const struct clock *real;
	void (*pause)(int64_t ns);
	bool before_edge;     /* `dead` faults are as they were 1 ns ago */
	int64_t dead_done_ns; /* `dead` faults are handled before this time */
	bool shared;
	int fd;
	/* libkperf's buffer, never cleared */
	uint64_t lib_buffer[SIM_BUFFER_LEN];
};

/* Initializes k. Boots a kernel in *s, which must be zeroed; old: attaches k to
 * the state in *s. False and *e: out of memory. Release with
 * sim_kernel_free. */
bool sim_kernel_init(struct sim_kernel *k, struct sim_state *s, bool old,
		     const struct sim_spec *spec, struct err *e);
void sim_kernel_free(struct sim_kernel *k);

/* sysctlbyname: 0 or errno. old, fresh and old_size may be NULL. */
int sim_kernel_sysctl(struct sim_kernel *k, const struct sim_caller *who,
		      const char *name, void *old, size_t *old_size,
		      const void *fresh, size_t fresh_size);

/* sysctl {CTL_KERN, KERN_KDEBUG, op[, value]}: 0 or errno. `old` is input or
 * output, by op. */
int sim_kernel_kdebug(struct sim_kernel *k, const struct sim_caller *who,
		      const int *mib, unsigned n, void *old, size_t *old_size,
		      const void *fresh);

void sim_kernel_exit(struct sim_kernel *k, const struct sim_caller *who);
void sim_kernel_exec(struct sim_kernel *k, const struct sim_caller *who);

/* 0 or errno. device: /dev/perfmon_core or /dev/monotonic/uncore. */
int sim_kernel_open(struct sim_kernel *k, const struct sim_caller *who,
		    const char *device);
int sim_kernel_close(struct sim_kernel *k, const struct sim_caller *who,
		     const char *device);

/* sim_kernel_step works only with clock=step and never moves backwards. */
void sim_kernel_now(struct sim_kernel *k, struct stamp *out);
void sim_kernel_step(struct sim_kernel *k, int64_t until_ns);

/* Adds a fault, whose times count from now, and removes ended faults. False and
 * *e: too many faults, clock=real, a state file, or CPUs that power down
 * automatically. */
bool sim_kernel_fault(struct sim_kernel *k, const struct sim_fault *f,
		      struct err *e);

/* host_api.loop: adds 10^9 cycles to the first online CPU of the kind, without
 * time or a process. Returns instructions; 0: no such CPU. */
uint64_t sim_kernel_loop(struct sim_kernel *k, unsigned kind, unsigned loop,
			 int *cpu);

/* Every online CPU idles once, which rebuilds its enabled counters. */
void sim_kernel_idle(struct sim_kernel *k);

void sim_kernel_load(struct sim_kernel *k, unsigned cpu,
		     struct host_cpu_load *out);

/* The total at a moment, without the cost of reads. user: user mode only.
 * False: unknown event or CPU. */
bool sim_kernel_total(const struct sim_kernel *k, unsigned cpu,
		      const char *event, bool user, int64_t awake_ns,
		      uint64_t *out);

#endif

/* libkperf-sampler: the CPU's performance counters for C and C++ programs on a
 * Mac with Apple silicon, through the private frameworks kperf and kperfdata.
 * kperf-sampler(3) is the introduction; this file is the reference. Errors: a
 * function with a parameter e returns false or NULL on failure and fills *e (e
 * may be NULL). Unless stated otherwise a failed call has changed nothing.
 * Ownership: the result of a _new or _load function is freed by its _free or
 * _unload; freeing NULL is allowed. A returned `const` pointer is borrowed and
 * valid as long as the object that returned it. Threads: counters are
 * programmed for the whole machine, so every function that starts, stops,
 * acquires or releases takes a lock inside the library and may be called from
 * any thread. A sampler and its database may be used by many threads at once. A
 * thread sampler is bound to the thread that started it; a thread sampler, a
 * CPU sampler and a sampler of processes may be used by one thread at a time.
 * Do not use an object after a fork: the kernel gives the child no counters.
 * Privileges: functions that acquire, program, check or read counters or kernel
 * tracing need root. The kernel checks at each call (xnu bsd/kern/kern_kpc.c),
 * so root cannot be dropped in between. */
#ifndef KPERF_SAMPLER_H
#define KPERF_SAMPLER_H

#include "kperf/api.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __GNUC__
#define KPS_API __attribute__((visibility("default")))
#else
#define KPS_API
#endif

/* Number in the soname and the symbol version; incremented when programs built
 * with an older header would break. */
#define KPS_ABI 1

#define KPS_EVENTS_MAX 32

/* ---- errors ---- */

enum kps_status {
	KPS_OK = 0,

	/* Up to KPS_NOT_RUNNING the names follow darwin-kperf's SamplerError.
	 */
	KPS_LOAD = 1,         /* a library or one of its symbols is missing */
	KPS_FRAMEWORK,        /* kperfdata returned an unknown code */
	KPS_INVALID_CPU_NAME, /* known_chip_only is set, name not printable */
	KPS_UNKNOWN_CPU,      /* known_chip_only is set, unknown chip */
	KPS_EVENT_UNAVAILABLE,
	KPS_EVENT_LAYOUT,       /* the layout of events in memory is unknown */
	KPS_NULL_POINTER,       /* a framework succeeded without a result */
	KPS_MISSING_PRIVILEGES, /* EPERM: run as root */
	KPS_FORCE_FAILED,       /* counters cannot be acquired */
	KPS_CONFIG_FAILED,
	KPS_START_COUNTING, /* kpc_set_counting failed */
	KPS_STOP_COUNTING,  /* words or counting cannot be restored */
	KPS_START_THREADS,  /* kpc_{get,set}_thread_counting failed */
	KPS_STOP_THREADS,   /* thread counting cannot be restored */
	KPS_READ_COUNTERS,
	KPS_RESET_CONTROL,
	KPS_NOT_RUNNING,

	KPS_TAKEN_BY_TASK = 40, /* EACCES: forced by another program */
	KPS_TAKEN_BY_KERNEL,    /* EBUSY: used by another kernel client */
	KPS_EVENT_REFUSED,      /* EPERM as root: macOS refuses the event */
	KPS_NO_COUNTERS,        /* ENOENT, ENOTSUP, as in virtual machines */
	KPS_CONFLICT,           /* not enough counters for the events */
	KPS_REPROGRAMMED,       /* another tool changed the set-up */
	KPS_RELEASED,
	KPS_WRONG_THREAD, /* another thread started the sampler */
	KPS_OUT_OF_MEMORY,
	KPS_USAGE,         /* invalid argument */
	KPS_HELD_BY_TASK,  /* in use by another program (see take_anyway) */
	KPS_NO_TRACE,      /* the sampler has no struct kperf_system */
	KPS_TRACE_OWNED,   /* another tool or sampler traces the kernel */
	KPS_TRACE_EVICTED, /* another tool took over kernel tracing */
	KPS_TRACE_LOST,    /* the kernel's ring of records is gone */
	KPS_TRACE_FAILED,  /* a call of kperf or kdebug failed */

	/* 100 + enum kpep_error: codes of kperfdata. */
	KPS_KPEP_NONE = 100,
	KPS_KPEP_INVALID_ARGUMENT,
	KPS_KPEP_OUT_OF_MEMORY,
	KPS_KPEP_IO,
	KPS_KPEP_BUFFER_TOO_SMALL,
	KPS_KPEP_SYSTEM_UNKNOWN,
	KPS_KPEP_DB_PATH_INVALID,
	KPS_KPEP_DB_NOT_FOUND,
	KPS_KPEP_ARCH_UNSUPPORTED,
	KPS_KPEP_VERSION_UNSUPPORTED,
	KPS_KPEP_DB_CORRUPT,
	KPS_KPEP_EVENT_NOT_FOUND,
	KPS_KPEP_CONFLICT,
	KPS_KPEP_FORCE_NEEDED,
	KPS_KPEP_EVENT_UNAVAILABLE,
	KPS_KPEP_ERRNO,
	KPS_KPEP_NO_COUNTERS
};

struct kps_error {
	enum kps_status code;
	int framework_code; /* kperfdata's code, or 0 */
	int sys_errno;      /* errno, or 0 */
	const char *call;   /* name of the failed call, or NULL; a constant */
	char text[512]; /* what failed, for which object, why, and what to do */
};

/* Return constants: a name such as "KPS_LOAD"; a message. NULL: unknown code.
 */
KPS_API const char *kps_status_name(enum kps_status code);
KPS_API const char *kps_status_text(enum kps_status code);
/* Returns what the user can do; NULL: no advice. */
KPS_API const char *kps_status_advice(enum kps_status code);

KPS_API const char *kps_version(void);

KPS_API unsigned kps_abi(void);

/* ---- the frameworks ---- */

struct kps_frameworks;

/* Opens both frameworks and finds all 57 functions. KPS_LOAD: e->text has the
 * library and the reason. A NULL path means the environment variable KTOP_KPERF
 * or KTOP_KPERFDATA, else the system's framework. Under sudo or with privileges
 * the variables are ignored. A process with privileges loads, besides the
 * system's frameworks, only files that only root can replace. */
KPS_API struct kps_frameworks *kps_load(const char *kperf_path,
					const char *kperfdata_path,
					struct kps_error *e);
/* Call this after freeing all objects that use the functions. */
KPS_API void kps_unload(struct kps_frameworks *f);

KPS_API const struct kperf_api *kps_kperf(const struct kps_frameworks *f);
KPS_API const struct kperfdata_api *
kps_kperfdata(const struct kps_frameworks *f);
KPS_API const char *kps_kperf_path(const struct kps_frameworks *f);
KPS_API const char *kps_kperfdata_path(const struct kps_frameworks *f);

/* ---- chips and names ---- */

enum kps_chip {
	KPS_CHIP_UNKNOWN,
	KPS_CHIP_M1, /* database a14 */
	KPS_CHIP_M2, /* a15 */
	KPS_CHIP_M3, /* a16, as1, as2, as3 */
	KPS_CHIP_M4, /* as4, as4-1, as4-2 */
	KPS_CHIP_M5  /* as5, as5-1, as5-2 */
};

KPS_API enum kps_chip kps_chip_of(const char *database);
KPS_API const char *kps_chip_name(enum kps_chip chip);

enum kps_unit {
	KPS_UNIT_COUNTS,
	KPS_UNIT_INSTRUCTIONS,
	KPS_UNIT_CYCLES,
	KPS_UNIT_BRANCH_MISSES,
	KPS_UNIT_CACHE_MISSES,
	KPS_UNIT_TLB_MISSES,
	KPS_UNIT_UOPS,
	KPS_UNIT_SECONDS /* wall-clock time of kps_measure */
};

/* Returns the i-th chip-agnostic name in alphabetical order, as in
 * darwin-kperf's Event ("BranchMispredNonspec"); NULL past the end. */
KPS_API const char *kps_name_at(unsigned i);
/* Returns the event's name in the chip's database; NULL: the name is unknown,
 * or the chip has no such event. */
KPS_API const char *kps_name_on(const char *name, enum kps_chip chip);
KPS_API enum kps_unit kps_name_unit(const char *name);

/* ---- databases ---- */

struct kps_event {
	const char *name;     /* database name: "INST_ALL" */
	const char *agnostic; /* "InstAll"; NULL: none, as in the texts below */
	const char *description;
	const char *errata;
	const char *alias;    /* "Instructions" */
	const char *fallback; /* name of the event to use instead */
	uint32_t counters;    /* absolute counter bits; 0: unknown */
	int number;           /* selector; -1: unknown, or a fixed event */
	unsigned umask;       /* Intel only */
	bool fixed;
	enum kps_unit unit;
};

struct kps_database;

/* name: a database ("as4") or a CPU string; NULL: this machine. kperfdata must
 * outlive the database. Most failures have a KPS_KPEP_ code. */
KPS_API struct kps_database *
kps_database_new(const struct kperfdata_api *kperfdata, const char *name,
		 struct kps_error *e);
KPS_API void kps_database_free(struct kps_database *d);

/* Returns "a14"; "" if the layout of struct kpep_db is unknown. */
KPS_API const char *kps_database_name(const struct kps_database *d);
/* Returns "cpu_100000c_2_1b588bb3", or "", as above. */
KPS_API const char *kps_database_cpu_id(const struct kps_database *d);
/* Returns "Apple A14/M1"; "": unknown. */
KPS_API const char *kps_database_marketing_name(const struct kps_database *d);
/* Returns enum kpep_arch; -1: unknown. */
KPS_API int kps_database_architecture(const struct kps_database *d);
/* Return the number and the absolute bits of a class's counters.
 * KPC_CLASS_CONFIGURABLE includes the power manager's. */
KPS_API unsigned kps_database_counters(const struct kps_database *d,
				       enum kpc_class_id which);
KPS_API uint32_t kps_database_counter_bits(const struct kps_database *d,
					   enum kpc_class_id which);
/* Returns the size of kperfdata's event, 48 or 56 bytes. 0: unknown; then the
 * events' counters, number, errata and fallback are unknown, too, and only the
 * framework can place events. */
KPS_API unsigned kps_database_event_layout(const struct kps_database *d);
KPS_API struct kpep_db *kps_database_raw(const struct kps_database *d);

/* Returns kperfdata's event; `event` must be of this database. */
KPS_API struct kpep_event *kps_event_raw(const struct kps_database *d,
					 const struct kps_event *event);

/* Returns the i-th alias of an event of this database, event->alias first; NULL
 * past the end. */
KPS_API const char *kps_event_alias(const struct kps_database *d,
				    const struct kps_event *event, unsigned i);

/* Returns the i-th event in order of names; NULL past the end. */
KPS_API const struct kps_event *kps_database_event(const struct kps_database *d,
						   unsigned i);
/* Returns the event of the i-th fixed counter; NULL: none. */
KPS_API const struct kps_event *
kps_database_fixed_event(const struct kps_database *d, unsigned i);
/* Finds an event by alias, name or chip-agnostic name; NULL: none. On an
 * unknown chip a chip-agnostic name is translated for each known chip, newest
 * first, until the database has the event. */
KPS_API const struct kps_event *kps_database_find(const struct kps_database *d,
						  const char *name);

/* Assigns a counter of its own to each of n events, 1 to KPS_EVENTS_MAX;
 * succeeds if any assignment exists. counter[i]: absolute; counter may be NULL.
 * KPS_EVENT_UNAVAILABLE; KPS_EVENT_LAYOUT: the layout of events is unknown;
 * KPS_CONFLICT: the text has events and counters. */
KPS_API bool kps_place(const struct kps_database *d, const char *const *names,
		       unsigned n, unsigned *counter, struct kps_error *e);

/* ---- tables: built in; no framework, Mac or root ---- */

struct kps_table {
	const char *database;       /* "as4" */
	const char *marketing_name; /* "Apple M4" */
	enum kps_chip chip;         /* KPS_CHIP_UNKNOWN: not in the enum */
	uint32_t fixed_bits;  /* absolute counter bits, like the next two */
	uint32_t config_bits; /* includes power_bits */
	uint32_t power_bits;
	unsigned counter_width;
	unsigned events;
};

/* Gets the i-th table, Intel first, then oldest first; false past the end. */
KPS_API bool kps_table_at(unsigned i, struct kps_table *t);
/* Finds a table by database ("as4") or CPU string; false: unknown. */
KPS_API bool kps_table_find(const char *name, struct kps_table *t);
/* Gets the i-th event, fixed events first; false past the end. Texts are
 * constants; descriptions are ktop's. */
KPS_API bool kps_table_event(const char *database, unsigned i,
			     struct kps_event *event);

/* ---- the sampler ---- */

/* All zeros are the defaults. The struct may be freed after kps_sampler_new;
 * the functions must outlive the sampler. */
struct kps_options {
	const char *kperf_path, *kperfdata_path; /* NULL: see kps_load */
	/* The frameworks' functions, to call instead of loading libraries; give
	 * both or neither. */
	const struct kperf_api *kperf;
	const struct kperfdata_api *kperfdata;
	/* System calls for samplers of processes. NULL: those of the loaded
	 * library or of macOS; none if `kperf` is given. */
	const struct kperf_system *system;
	/* Rows of a reading of all CPUs; 0: the system's number. */
	unsigned cpus;
	/* Count configurable events in user mode only. macOS 15 and later do so
	 * anyway (xnu arm64/kpc.c: kpc_allows_counting_system). Fixed counters
	 * count all modes: never divide a configurable event by a fixed event.
	 */
	bool user_only;
	bool known_chip_only;   /* unknown chip: fail */
	bool known_layout_only; /* unknown layout: KPS_EVENT_LAYOUT */
	/* Since macOS 26.5 the kernel grants counters that another program
	 * uses: take them instead of failing with KPS_HELD_BY_TASK. Without a
	 * power manager (virtual machines) counters left by an ended program
	 * also appear to be in use. */
	bool take_anyway;
};

struct kps_sampler;

/* Loads the frameworks or uses the given functions, opens this machine's
 * database, saves the state of the counters and acquires all counters,
 * including the power manager's. o NULL: defaults. All samplers of a process
 * share the counters; the last release or free restores the state, unless
 * another tool changed it. */
KPS_API struct kps_sampler *kps_sampler_new(const struct kps_options *o,
					    struct kps_error *e);
/* Stops, releases and frees the sampler. Its samplers of threads, CPUs and
 * processes can then only be freed. Failures are not reported: to see them,
 * call kps_sampler_release first. */
KPS_API void kps_sampler_free(struct kps_sampler *s);

/* Stops this sampler's samplers of threads, CPUs and processes and releases the
 * counters; true if already released. KPS_RESET_CONTROL: the restore is
 * incomplete. */
KPS_API bool kps_sampler_release(struct kps_sampler *s, struct kps_error *e);
/* Reacquires the counters after a release; true if already acquired. */
KPS_API bool kps_sampler_acquire(struct kps_sampler *s, struct kps_error *e);

/* True: the counters still count what was programmed. KPS_REPROGRAMMED: counts
 * since the last check are void; stop and start the samplers. KPS_RELEASED. The
 * check interrupts no CPU. */
KPS_API bool kps_sampler_check(struct kps_sampler *s, struct kps_error *e);

KPS_API const struct kps_database *
kps_sampler_database(const struct kps_sampler *s);
KPS_API enum kps_chip kps_sampler_chip(const struct kps_sampler *s);
KPS_API const struct kperf_api *kps_sampler_kperf(const struct kps_sampler *s);
KPS_API const struct kperfdata_api *
kps_sampler_kperfdata(const struct kps_sampler *s);

/* ---- counting the calling thread ---- */

struct kps_thread;

/* The n events (1 to KPS_EVENTS_MAX) are named as for kps_database_find. The
 * counters stay unchanged until kps_thread_start. KPS_EVENT_UNAVAILABLE,
 * KPS_CONFLICT or a kperfdata code. */
KPS_API struct kps_thread *kps_thread_new(struct kps_sampler *s,
					  const char *const *names, unsigned n,
					  struct kps_error *e);
KPS_API void kps_thread_free(struct kps_thread *t);

/* Programs the counters for the calling thread; true if this thread has already
 * started the sampler. Running samplers share counters: common events are
 * counted once, other events need free counters, else KPS_CONFLICT.
 * Reprogramming stops all counting for microseconds. After a failure other
 * samplers keep running. */
KPS_API bool kps_thread_start(struct kps_thread *t, struct kps_error *e);

/* values[i]: running total of event i on this thread; differences are valid
 * only without a stop in between. A failure (KPS_NOT_RUNNING, KPS_WRONG_THREAD,
 * KPS_READ_COUNTERS) leaves values unchanged. One system call, no lock. */
KPS_API bool kps_thread_sample(struct kps_thread *t, uint64_t *values,
			       struct kps_error *e);

/* Any thread may call this while no other call uses the sampler; true if
 * already stopped. The stop of the last running sampler restores the counters.
 * KPS_STOP_COUNTING, KPS_STOP_THREADS: the restore is incomplete. */
KPS_API bool kps_thread_stop(struct kps_thread *t, struct kps_error *e);
KPS_API bool kps_thread_running(const struct kps_thread *t);
KPS_API const struct kps_event *kps_thread_event(const struct kps_thread *t,
						 unsigned i);

/* ---- counting every CPU ---- */

struct kps_cpus;

/* CPU samplers are like thread samplers, but not bound to a thread. KPS_USAGE:
 * the number of CPUs is unknown. */
KPS_API struct kps_cpus *kps_cpus_new(struct kps_sampler *s,
				      const char *const *names, unsigned n,
				      struct kps_error *e);
KPS_API void kps_cpus_free(struct kps_cpus *c);
KPS_API bool kps_cpus_start(struct kps_cpus *c, struct kps_error *e);
KPS_API bool kps_cpus_stop(struct kps_cpus *c, struct kps_error *e);
KPS_API bool kps_cpus_running(const struct kps_cpus *c);
KPS_API const struct kps_event *kps_cpus_event(const struct kps_cpus *c,
					       unsigned i);
KPS_API unsigned kps_cpus_count(const struct kps_cpus *c);

/* values[cpu * n + i]: total of event i of the sampler's n events.
 * delivered[cpu] (delivered may be NULL): the CPU answered. An off CPU does not
 * answer, and its values stay unchanged. Interrupts every CPU for microseconds
 * (xnu kern/kpc_common.c). KPS_REPROGRAMMED: the number of counters changed. */
KPS_API bool kps_cpus_sample(struct kps_cpus *c, uint64_t *values,
			     bool *delivered, struct kps_error *e);

/* ---- sampling processes ---- */

/* The tool that owns kernel tracing, which has at most one owner. kps_tracer
 * needs root. */
struct kps_tracer {
	int pid;         /* 0: none */
	bool background; /* the system's background tool, which yields */
};

KPS_API bool kps_tracer(struct kps_sampler *s, struct kps_tracer *out,
			struct kps_error *e);

/* NULL or all zeros: the defaults. */
struct kps_processes_options {
	int pid;              /* 0: all processes */
	uint64_t period_ns;   /* 0: 50 ms; raised to the system's minimum */
	unsigned threads_max; /* threads to remember; 0: 16384 */
	double hz_max;        /* highest clock rate, Hz; 0: 6e9 */
};

struct kps_processes;

/* names, n: as for kps_cpus_new. kperf's timer (lightweight PET) samples each
 * running thread once a period; kdebug's ring delivers the counts. Nothing
 * changes until kps_processes_start. KPS_NO_TRACE. */
KPS_API struct kps_processes *
kps_processes_new(struct kps_sampler *s, const char *const *names, unsigned n,
		  const struct kps_processes_options *o, struct kps_error *e);
KPS_API void kps_processes_free(struct kps_processes *p);

/* Takes over kernel tracing: Instruments, fs_usage and ktrace cannot trace
 * until kps_processes_stop. Sleeps 200 ms in the kernel; the ring takes 13 MB
 * or more. KPS_TRACE_OWNED: another tool traces. */
KPS_API bool kps_processes_start(struct kps_processes *p, struct kps_error *e);

/* Reads new records and every CPU, for the functions below. KPS_TRACE_EVICTED:
 * another tool took over tracing; kps_processes_stop leaves that tool tracing,
 * and a later start may succeed. KPS_TRACE_LOST: the ring is gone; stop and
 * start the sampler. */
KPS_API bool kps_processes_read(struct kps_processes *p, struct kps_error *e);

KPS_API bool kps_processes_stop(struct kps_processes *p, struct kps_error *e);
KPS_API bool kps_processes_running(const struct kps_processes *p);
KPS_API const struct kps_event *
kps_processes_event(const struct kps_processes *p, unsigned i);
KPS_API uint64_t kps_processes_period(const struct kps_processes *p);

struct kps_sampled {
	int pid;
	uint64_t thread; /* 0 for a process */
	uint64_t unique; /* the process's id that is never reused; 0: unknown */
	uint64_t samples;
	unsigned threads;
	uint64_t ticks; /* of a thread: mach time of its last sample */
	bool ended;     /* of a thread: this is its last row */
	uint64_t values[KPS_EVENTS_MAX];
};

/* Get the i-th row, in no order; false past the end. A thread's counts before
 * its first sample are in no row, unless the thread started during tracing;
 * counts after its last sample appear when it runs again or ends. */
KPS_API bool kps_processes_process(const struct kps_processes *p, unsigned i,
				   struct kps_sampled *out);
KPS_API bool kps_processes_thread(const struct kps_processes *p, unsigned i,
				  struct kps_sampled *out);

/* Totals since the start, never scaled. The difference of machine and
 * attributed is from idle CPUs, kernel threads, and time without samples. */
struct kps_processes_quality {
	uint64_t machine[KPS_EVENTS_MAX];
	uint64_t attributed[KPS_EVENTS_MAX];
	uint64_t records, samples;
	uint64_t gaps; /* losses of records, also at a change of events */
	uint64_t torn;
	uint64_t rejected; /* impossible differences */
	uint64_t first;
	uint64_t unbuffered; /* samples of threads that have no buffer yet */
	uint64_t forgotten;  /* times that the table of threads was full */
	bool every_cpu;      /* no CPU stopped answering */
};

KPS_API void kps_processes_quality(const struct kps_processes *p,
				   struct kps_processes_quality *out);

/* ---- measuring a function ---- */

struct kps_measurement {
	double per_iteration; /* in `unit`; NAN: no iterations */
	uint64_t total;       /* in `unit`; ns for KPS_UNIT_SECONDS */
	uint64_t iterations;
	enum kps_unit unit;
};

/* Calls fn(arg) `iterations` times between two readings of one event on this
 * thread. s NULL: measures wall-clock time, on any system. Counts include the
 * loop and the readings. */
KPS_API bool kps_measure(struct kps_sampler *s, const char *event,
			 void (*fn)(void *arg), void *arg, uint64_t iterations,
			 struct kps_measurement *out, struct kps_error *e);

/* *sum starts zeroed. False: units differ. */
KPS_API bool kps_measure_add(struct kps_measurement *sum,
			     const struct kps_measurement *batch);

KPS_API const char *kps_unit_name(enum kps_unit unit);

/* Writes "12.35 Kinstr" or "1.070 ms"; returns buf, terminated. */
KPS_API const char *kps_format(char *buf, size_t size, double value,
			       enum kps_unit unit);
/* Writes value / of, such as "0.520 cycles/byte" if `what` is "byte". */
KPS_API const char *kps_format_per(char *buf, size_t size, double value,
				   enum kps_unit unit, double of,
				   const char *what);

#ifdef __cplusplus
}
#endif

#endif

/*
 * libkperf-sampler: the CPU's performance counters for a C or C++ program on
 * a Mac with Apple silicon, through the private frameworks kperf and
 * kperfdata. kperf-sampler(3) is the tour; this file says the rest.
 *
 * Errors. A function that can fail returns false or NULL and fills *e, which
 * may be NULL. It has changed nothing then, unless it says so.
 *
 * Ownership. What a _new or _load function gives is freed by its _free or
 * _unload; freeing NULL is fine. A `const` pointer that comes out is borrowed
 * and lives as long as the object it was asked of.
 *
 * Threads. Counters are programmed for the whole machine, so every function
 * that starts, stops, takes or gives back is serialised by a lock inside the
 * library and may be called from any thread. A sampler and its database may be
 * used by many threads at once. A thread sampler is bound to the thread that
 * started it; it, a CPU sampler and a sampler of processes are for one thread
 * at a time. Never carry an object over a fork: the kernel gives the child no
 * counters.
 *
 * Privilege. Loading, databases and placement need none. Everything else
 * needs root: the kernel asks at each call (xnu bsd/kern/kern_kpc.c), so root
 * cannot be given up in between.
 */
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

/*
 * Of the shared object: its name ends in this number, and its symbols have the
 * version KPERF_SAMPLER_n. It grows where a program built with an older header
 * would not run right.
 */
#define KPS_ABI 1

/* Events of one thread or CPU sampler, at most. */
#define KPS_EVENTS_MAX 32

/* ---- errors ---- */

enum kps_status {
	KPS_OK = 0,

	/* What darwin-kperf calls SamplerError; the names follow it. */
	KPS_LOAD = 1,           /* a library or a symbol of it is missing */
	KPS_FRAMEWORK,          /* a code of kperfdata that nobody knows */
	KPS_INVALID_CPU_NAME,   /* the database's name cannot be read */
	KPS_UNKNOWN_CPU,        /* known_chip_only, and the chip is not */
	KPS_EVENT_UNAVAILABLE,  /* this chip has no such event */
	KPS_EVENT_LAYOUT,       /* known_layout_only, and it is not known */
	KPS_NULL_POINTER,       /* a framework said yes and gave nothing */
	KPS_MISSING_PRIVILEGES, /* EPERM: run as root */
	KPS_FORCE_FAILED,       /* counters could not be taken */
	KPS_CONFIG_FAILED,      /* kpc_set_config */
	KPS_START_COUNTING,     /* kpc_set_counting */
	KPS_STOP_COUNTING,      /* kpc_set_counting, putting it back */
	KPS_START_THREADS,      /* kpc_set_thread_counting */
	KPS_STOP_THREADS,       /* kpc_set_thread_counting, putting it back */
	KPS_READ_COUNTERS,      /* kpc_get_thread_counters or _cpu_counters */
	KPS_RESET_CONTROL,      /* the machine is not as it was found */
	KPS_NOT_RUNNING,        /* a reading of a sampler that is stopped */

	/* Beyond the crates: one errno, one meaning, one piece of advice. */
	KPS_TAKEN_BY_TASK = 40, /* EACCES: another program forces them */
	KPS_TAKEN_BY_KERNEL,    /* EBUSY: another client in the kernel */
	KPS_EVENT_REFUSED,      /* EPERM as root: macOS will not count it */
	KPS_NO_COUNTERS,        /* ENOENT, ENOTSUP: a virtual machine */
	KPS_CONFLICT,           /* the events do not fit the counters */
	KPS_REPROGRAMMED,       /* another tool changed the set-up */
	KPS_RELEASED,           /* the sampler has given its counters back */
	KPS_WRONG_THREAD,       /* another thread started this sampler */
	KPS_OUT_OF_MEMORY,
	KPS_USAGE,         /* an argument makes no sense */
	KPS_HELD_BY_TASK,  /* macOS 26.5 on: another counts under force */
	KPS_NO_TRACE,      /* the kernel cannot be traced from here */
	KPS_TRACE_OWNED,   /* EBUSY: another tool traces the kernel */
	KPS_TRACE_EVICTED, /* another tool has taken tracing away */
	KPS_TRACE_LOST,    /* the kernel's ring of records is gone */
	KPS_TRACE_FAILED,  /* a call of kperf or kdebug fails */

	/* kperfdata's own codes (enum kpep_error), 100 and up. */
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
	int framework_code; /* of kperfdata (api.h), 0: not its failure */
	int sys_errno;      /* 0: no system call, or none was told */
	const char *call;   /* "kpc_set_config"; NULL: none; a constant */
	char text[512];     /* a sentence: what, which, why, what next */
};

/* "KPS_LOAD"; NULL for a number that is no status. All are constants. */
KPS_API const char *kps_status_name(enum kps_status code);
KPS_API const char *kps_status_text(enum kps_status code);
/* What a person can do about it; NULL: nothing beyond the text. */
KPS_API const char *kps_status_advice(enum kps_status code);

/* The version of ktop, which it is built with: "MAJOR.MINOR.PATCH". */
KPS_API const char *kps_version(void);

/* The KPS_ABI of the library that runs. */
KPS_API unsigned kps_abi(void);

/* ---- the frameworks ---- */

struct kps_frameworks;

/*
 * Opens both frameworks and finds all 57 functions, or fails with KPS_LOAD and
 * a text that has the library, the symbol and dlerror's words. A path that is
 * NULL comes from KTOP_KPERF and KTOP_KPERFDATA in the environment, then from
 * the system. Root ignores the environment, and opens a file it is given only
 * if nobody but root can write to it.
 */
KPS_API struct kps_frameworks *kps_load(const char *kperf_path,
					const char *kperfdata_path,
					struct kps_error *e);
/* Only after everything that was made with them is freed. */
KPS_API void kps_unload(struct kps_frameworks *f);

/* The bare functions, for whatever this library does not do; see api.h. */
KPS_API const struct kperf_api *kps_kperf(const struct kps_frameworks *f);
KPS_API const struct kperfdata_api *
kps_kperfdata(const struct kps_frameworks *f);
KPS_API const char *kps_kperf_path(const struct kps_frameworks *f);
KPS_API const char *kps_kperfdata_path(const struct kps_frameworks *f);

/* ---- chips and names ---- */

enum kps_chip {
	KPS_CHIP_UNKNOWN,
	KPS_CHIP_M1, /* a14 */
	KPS_CHIP_M2, /* a15 */
	KPS_CHIP_M3, /* a16, as1, as2, as3 */
	KPS_CHIP_M4, /* as4, as4-1, as4-2 */
	KPS_CHIP_M5  /* as5, as5-1, as5-2 */
};

/* By the name of a database; KPS_CHIP_UNKNOWN for others and NULL. */
KPS_API enum kps_chip kps_chip_of(const char *database);
KPS_API const char *kps_chip_name(enum kps_chip chip); /* "M1" */

enum kps_unit {
	KPS_UNIT_COUNTS,
	KPS_UNIT_INSTRUCTIONS,
	KPS_UNIT_CYCLES,
	KPS_UNIT_BRANCH_MISSES,
	KPS_UNIT_CACHE_MISSES,
	KPS_UNIT_TLB_MISSES,
	KPS_UNIT_UOPS,
	KPS_UNIT_SECONDS /* of the wall clock; kps_measure */
};

/*
 * The chip-agnostic names are those of darwin-kperf's Event: CamelCase, as
 * "BranchMispredNonspec". kps_name_at gives the i-th in alphabetical order,
 * NULL past the end.
 */
KPS_API const char *kps_name_at(unsigned i);
/* The database's name for it on a chip; NULL: the chip has none. */
KPS_API const char *kps_name_on(const char *name, enum kps_chip chip);
KPS_API enum kps_unit kps_name_unit(const char *name);

/* ---- databases ---- */

/* kps_database_... ask the machine's; kps_table_..., below, ask nobody. */

/* Texts are NULL where there are none, except the name. */
struct kps_event {
	const char *name;        /* the database's: "INST_ALL" */
	const char *agnostic;    /* "InstAll" */
	const char *description; /* Apple's words */
	const char *errata;
	const char *alias;    /* "Instructions" */
	const char *fallback; /* the event that may stand in for it */
	uint32_t counters;    /* absolute counter bits; 0: not known */
	int number;           /* selector; -1: not known, or fixed */
	unsigned umask;       /* Intel */
	bool fixed;
	enum kps_unit unit;
};

struct kps_database;

/*
 * name NULL: this machine's; or a database ("as4"), or a CPU string. Fails
 * with KPS_KPEP_... codes. `kperfdata` is borrowed.
 */
KPS_API struct kps_database *
kps_database_new(const struct kperfdata_api *kperfdata, const char *name,
		 struct kps_error *e);
KPS_API void kps_database_free(struct kps_database *d);

/* "a14". "" where the private struct's layout is not known. */
KPS_API const char *kps_database_name(const struct kps_database *d);
/* "cpu_100000c_2_1b588bb3"; "" as above. */
KPS_API const char *kps_database_cpu_id(const struct kps_database *d);
/* "Apple A14/M1" */
KPS_API const char *kps_database_marketing_name(const struct kps_database *d);
/* enum kpep_arch; -1: not known. */
KPS_API int kps_database_architecture(const struct kps_database *d);
/* Number and absolute bits of the counters of a class (abi.h, class ids);
 * configurable ones include those of the power manager. */
KPS_API unsigned kps_database_counters(const struct kps_database *d,
				       enum kpc_class_id which);
KPS_API uint32_t kps_database_counter_bits(const struct kps_database *d,
					   enum kpc_class_id which);
/* Bytes of an event in memory, 48 or 56; 0: neither, private fields of
 * events are not known then, and placement is left to the framework. */
KPS_API unsigned kps_database_event_layout(const struct kps_database *d);
/* The pointer that kperfdata's own functions take. */
KPS_API struct kpep_db *kps_database_raw(const struct kps_database *d);

/* Likewise for an event that came from this database. */
KPS_API struct kpep_event *kps_event_raw(const struct kps_database *d,
					 const struct kps_event *event);

/* The i-th alias of an event that came from this database, event->alias first;
 * NULL past the end. kps_database_find knows them all. */
KPS_API const char *kps_event_alias(const struct kps_database *d,
				    const struct kps_event *event, unsigned i);

/* In order of their names; NULL past the end. */
KPS_API const struct kps_event *kps_database_event(const struct kps_database *d,
						   unsigned i);
/* The i-th fixed event, in order of counters; NULL past the end. */
KPS_API const struct kps_event *
kps_database_fixed_event(const struct kps_database *d, unsigned i);
/*
 * By alias, by the database's name, by chip-agnostic name. On an unknown chip
 * a chip-agnostic name is what any known chip calls it, the newest first.
 */
KPS_API const struct kps_event *kps_database_find(const struct kps_database *d,
						  const char *name);

/*
 * Puts n events on distinct counters, those with the fewest possible counters
 * first, and finds a place for all wherever there is one. counter[i], unless
 * NULL, is the absolute counter of names[i]. KPS_EVENT_UNAVAILABLE, or
 * KPS_CONFLICT with the events and the counters that they compete for; both
 * need a known layout of events.
 */
KPS_API bool kps_place(const struct kps_database *d, const char *const *names,
		       unsigned n, unsigned *counter, struct kps_error *e);

/* ---- tables: known databases, without a framework, a Mac or root ---- */

struct kps_table {
	const char *database;       /* "as4" */
	const char *marketing_name; /* "Apple M4" */
	enum kps_chip chip;         /* KPS_CHIP_UNKNOWN: none of the enum */
	uint32_t fixed_bits;        /* absolute counter bits, as these */
	uint32_t config_bits;       /* those of the power manager among them */
	uint32_t power_bits;
	unsigned counter_width; /* bits of a counter */
	unsigned events;
};

/* The i-th, those of Intel first, then oldest first; false past the end. */
KPS_API bool kps_table_at(unsigned i, struct kps_table *t);
/* By the name of a database ("as4") or a CPU string; false: not known. */
KPS_API bool kps_table_find(const char *name, struct kps_table *t);
/* The i-th event, fixed ones first, then by name; false past the end. Texts are
 * constants, the description is not Apple's but ours; there are no errata. */
KPS_API bool kps_table_event(const char *database, unsigned i,
			     struct kps_event *event);

/* ---- the sampler ---- */

/* All zeros: the defaults. Borrowed during kps_sampler_new; the tables are
 * copied, the code behind them must outlive the sampler. */
struct kps_options {
	const char *kperf_path, *kperfdata_path; /* NULL: see kps_load */
	/* Both or neither: functions of somebody's own, nothing is loaded. */
	const struct kperf_api *kperf;
	const struct kperfdata_api *kperfdata;
	/* For samplers of processes, next to the two or to paths. NULL: with
	 * those there are none; else the system's own. */
	const struct kperf_system *system;
	/* Rows of a reading of all CPUs; 0: ask the system. */
	unsigned cpus;
	/* Configurable events in user mode only. From macOS 15 on they are that
	 * anyhow (xnu arm64/kpc.c: kpc_allows_counting_system), while the
	 * fixed ones count all modes: never divide one by the other. */
	bool user_only;
	bool known_chip_only;   /* KPS_UNKNOWN_CPU for a chip of tomorrow */
	bool known_layout_only; /* KPS_EVENT_LAYOUT instead of less detail */
	/*
	 * From macOS 26.5 on the kernel gives the counters to whoever asks,
	 * also those that another program counts with: take them all the same,
	 * not KPS_HELD_BY_TASK. Without a power manager (as in most virtual
	 * machines) what a program that ended left counting reads so, too.
	 */
	bool take_anyway;
};

struct kps_sampler;

/*
 * Loads the frameworks, opens this machine's database, remembers how the
 * counters were and takes them all, also those of the power manager. o NULL:
 * defaults. Several samplers of a process share one acquisition: the counters
 * are put back when the last is released or freed, and only as far as they
 * still read as they were left, so that another tool's work is not undone.
 */
KPS_API struct kps_sampler *kps_sampler_new(const struct kps_options *o,
					    struct kps_error *e);
/*
 * Stops what runs, releases, frees. Thread and CPU samplers that are left
 * can then only be freed; call release before to hear of failures.
 */
KPS_API void kps_sampler_free(struct kps_sampler *s);

/*
 * Gives the counters back early: stops this sampler's thread and CPU
 * samplers. KPS_RESET_CONTROL: something could not be put back. Again: true.
 */
KPS_API bool kps_sampler_release(struct kps_sampler *s, struct kps_error *e);
/* Takes them again after a release; true if they are held already. */
KPS_API bool kps_sampler_acquire(struct kps_sampler *s, struct kps_error *e);

/*
 * Do the counters still count what was programmed? KPS_REPROGRAMMED if
 * another tool changed them: counts since the last good check are void, and
 * stop and start programs them again. Costs three system calls, interrupts
 * no CPU.
 */
KPS_API bool kps_sampler_check(struct kps_sampler *s, struct kps_error *e);

KPS_API const struct kps_database *
kps_sampler_database(const struct kps_sampler *s);
KPS_API enum kps_chip kps_sampler_chip(const struct kps_sampler *s);
KPS_API const struct kperf_api *kps_sampler_kperf(const struct kps_sampler *s);
KPS_API const struct kperfdata_api *
kps_sampler_kperfdata(const struct kps_sampler *s);

/* ---- counting the calling thread ---- */

struct kps_thread;

/*
 * For n events, 1 to KPS_EVENTS_MAX, fixed and configurable mixed, named as
 * kps_database_find takes them. Nothing of the machine changes yet. Fails with
 * KPS_EVENT_UNAVAILABLE, KPS_CONFLICT or what kperfdata says.
 */
KPS_API struct kps_thread *kps_thread_new(struct kps_sampler *s,
					  const char *const *names, unsigned n,
					  struct kps_error *e);
KPS_API void kps_thread_free(struct kps_thread *t);

/*
 * Programs the counters and binds to the calling thread; true at once if it
 * runs already. Samplers that run at the same time share the counters: events
 * in common are counted once, others take what is free, else KPS_CONFLICT
 * names them. Reprogramming stops all counting for some microseconds. On
 * failure whatever ran before goes on running.
 */
KPS_API bool kps_thread_start(struct kps_thread *t, struct kps_error *e);

/*
 * values[i]: events named i-th that this thread has had, a total that only
 * differences of two readings give meaning to, and only without a stop in
 * between. The kernel's stale first reading has been dropped by start (a
 * thread gets its buffer late: xnu kern/kpc_thread.c).
 * KPS_NOT_RUNNING, KPS_WRONG_THREAD, KPS_READ_COUNTERS; values are then as
 * they were. One system call, no lock.
 */
KPS_API bool kps_thread_sample(struct kps_thread *t, uint64_t *values,
			       struct kps_error *e);

/* Any thread may stop it, while its own does not use it. Again: true. The
 * last to stop puts words and counting back; KPS_STOP_... if that fails. */
KPS_API bool kps_thread_stop(struct kps_thread *t, struct kps_error *e);
KPS_API bool kps_thread_running(const struct kps_thread *t);
/* What the i-th event became: a fallback may stand in (Intel). */
KPS_API const struct kps_event *kps_thread_event(const struct kps_thread *t,
						 unsigned i);

/* ---- counting every CPU ---- */

struct kps_cpus;

/* As the functions for threads; a reading may be taken from any thread. */
KPS_API struct kps_cpus *kps_cpus_new(struct kps_sampler *s,
				      const char *const *names, unsigned n,
				      struct kps_error *e);
KPS_API void kps_cpus_free(struct kps_cpus *c);
KPS_API bool kps_cpus_start(struct kps_cpus *c, struct kps_error *e);
KPS_API bool kps_cpus_stop(struct kps_cpus *c, struct kps_error *e);
KPS_API bool kps_cpus_running(const struct kps_cpus *c);
KPS_API const struct kps_event *kps_cpus_event(const struct kps_cpus *c,
					       unsigned i);
/* Rows of a reading: CPUs as the kernel numbers them. */
KPS_API unsigned kps_cpus_count(const struct kps_cpus *c);

/*
 * values[cpu * n + i]: the total of event i on a CPU; delivered[cpu], unless
 * NULL: whether it answered. One that is powered down does not; its values
 * are left as they were. Interrupts every CPU: some microseconds each (xnu
 * kern/kpc_common.c).
 * KPS_REPROGRAMMED: another tool changed the number of counters.
 */
KPS_API bool kps_cpus_sample(struct kps_cpus *c, uint64_t *values,
			     bool *delivered, struct kps_error *e);

/* ---- sampling processes ---- */

/*
 * Who traces the kernel now: one tool at a time can, and a sampler of processes
 * is one. Takes nothing. Needs root.
 */
struct kps_tracer {
	int pid;         /* 0: nobody */
	bool background; /* the system's own, which gives way */
};

KPS_API bool kps_tracer(struct kps_sampler *s, struct kps_tracer *out,
			struct kps_error *e);

/* All zeros: every process, 50 ms, as much as there is room for. */
struct kps_processes_options {
	int pid;            /* only this one; 0: all */
	uint64_t period_ns; /* of the samples; raised to what the system allows
			     */
	unsigned threads_max; /* to remember; 0: 16384 */
	double hz_max; /* no CPU is faster: what is, is rejected; 0: 6e9 */
};

struct kps_processes;

/*
 * For n events, as kps_cpus_new. Each thread is sampled about once a period
 * while it runs, by kperf's timer (lightweight PET), and its counters come
 * through kdebug's ring. Nothing of the machine changes yet.
 */
KPS_API struct kps_processes *
kps_processes_new(struct kps_sampler *s, const char *const *names, unsigned n,
		  const struct kps_processes_options *o, struct kps_error *e);
KPS_API void kps_processes_free(struct kps_processes *p);

/*
 * Takes kernel tracing for this process: Instruments, fs_usage, ktrace and the
 * like cannot trace until it stops. Sleeps for 200 ms in the kernel, which
 * takes 13 MB or more for its ring. KPS_TRACE_OWNED: another tool has it. From
 * the first start on nothing is allocated but by a start.
 */
KPS_API bool kps_processes_start(struct kps_processes *p, struct kps_error *e);

/*
 * Takes what is new, and reads every CPU. The rows below are of this reading.
 * KPS_TRACE_EVICTED: another tool has taken tracing over; stop leaves it alone,
 * and a start later may succeed. KPS_TRACE_LOST: somebody else in this process
 * has removed the ring; stop and start.
 */
KPS_API bool kps_processes_read(struct kps_processes *p, struct kps_error *e);

/* Lets go of kernel tracing first, then of the counters. Again: true. */
KPS_API bool kps_processes_stop(struct kps_processes *p, struct kps_error *e);
KPS_API bool kps_processes_running(const struct kps_processes *p);
KPS_API const struct kps_event *
kps_processes_event(const struct kps_processes *p, unsigned i);
/* Of the samples, as the last start set it. */
KPS_API uint64_t kps_processes_period(const struct kps_processes *p);

/* One that was sampled since the reading before. */
struct kps_sampled {
	int pid;
	uint64_t thread;  /* its id; of a process 0 */
	uint64_t unique;  /* never used again, as pids are; 0: not known */
	uint64_t samples; /* that made the difference */
	unsigned threads; /* of a process: how many of it are known */
	uint64_t ticks;   /* a thread: mach time of its last sample */
	bool ended;       /* a thread: this is its last */
	uint64_t values[KPS_EVENTS_MAX]; /* the difference, by event */
};

/*
 * The i-th process and the i-th thread, in no order that means anything; false
 * past the end. What a thread counted before its first sample is not known and
 * in no row, unless the thread began while it was looked at. What it counted
 * after its last sample comes with the next one: when it runs again, or ends.
 */
KPS_API bool kps_processes_process(const struct kps_processes *p, unsigned i,
				   struct kps_sampled *out);
KPS_API bool kps_processes_thread(const struct kps_processes *p, unsigned i,
				  struct kps_sampled *out);

/*
 * Since the start. Nothing is scaled up: machine less attributed is what idle
 * time, the kernel's own threads, and whatever was not sampled have counted.
 */
struct kps_processes_quality {
	uint64_t machine[KPS_EVENTS_MAX];    /* all CPUs, by event */
	uint64_t attributed[KPS_EVENTS_MAX]; /* all rows of processes */
	uint64_t records, samples;
	uint64_t gaps;       /* times that records were lost */
	uint64_t torn;       /* samples that lacked a record */
	uint64_t rejected;   /* differences that no CPU can have counted */
	uint64_t first;      /* samples before which nothing is known */
	uint64_t unbuffered; /* samples of threads that are not counted yet */
	uint64_t forgotten;  /* threads for lack of room */
	bool every_cpu;      /* each that was there answered each time */
};

KPS_API void kps_processes_quality(const struct kps_processes *p,
				   struct kps_processes_quality *out);

/* ---- measuring a function ---- */

struct kps_measurement {
	double per_iteration; /* in `unit` */
	uint64_t total;       /* nanoseconds for KPS_UNIT_SECONDS */
	uint64_t iterations;
	enum kps_unit unit;
};

/*
 * Calls fn(arg) `iterations` times between two readings of one event of the
 * calling thread; s NULL: by the wall clock, so that a benchmark runs off a
 * Mac as well. The loop and the readings are part of what is measured.
 */
KPS_API bool kps_measure(struct kps_sampler *s, const char *event,
			 void (*fn)(void *arg), void *arg, uint64_t iterations,
			 struct kps_measurement *out, struct kps_error *e);

/*
 * Adds a batch to those before: a function that needs fresh input each time is
 * measured batch by batch, and its input made in between. *sum begins zeroed.
 * False, and nothing added: they are of different units.
 */
KPS_API bool kps_measure_add(struct kps_measurement *sum,
			     const struct kps_measurement *batch);

/*
 * For programs: "instructions", "cycles", "branch-misses", "cache-misses",
 * "tlb-misses", "uops", "seconds", "counts".
 */
KPS_API const char *kps_unit_name(enum kps_unit unit);

/* "12.35 Kinstr", "3.2 cycles", "1.07 ms"; returns buf, always terminated. */
KPS_API const char *kps_format(char *buf, size_t size, double value,
			       enum kps_unit unit);
/* The same for each of `of` bytes or elements: "0.52 cycles/byte". */
KPS_API const char *kps_format_per(char *buf, size_t size, double value,
				   enum kps_unit unit, double of,
				   const char *what);

#ifdef __cplusplus
}
#endif

#endif

/* What the files of the simulated Mac share; outside are sim.h and, for tests,
 * kernel.h. */
#ifndef SIM_INSIDE_H
#define SIM_INSIDE_H

#include "sim/kernel.h"
#include "sim/machine.h"
#include "sim/spec.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SIM_SECOND_NS 1000000000LL

/* Arguments of one sysctl with what has been copied so far. */
struct sim_req {
	struct sim_kernel *k;
	const struct sim_caller *who;
	char *old;
	size_t old_size, old_at; /* old NULL: only counted */
	const char *fresh;
	size_t fresh_size, fresh_at;
	bool root; /* effective, after faults */
};

/* newsysctl.c: ENOMEM copies nothing; EINVAL; a NULL side is no error. */
int sim_req_out(struct sim_req *r, const void *from, size_t size);
int sim_req_in(struct sim_req *r, void *to, size_t size);
/* sysctl_io_number: old value out, then the new one, if any, in. */
int sim_req_int(struct sim_req *r, int32_t old, int32_t *fresh, bool *set);

/* A name's handler; ENOENT where the name is not theirs. */
int sim_kpc(struct sim_req *r, const char *name);
int sim_kpc_counters(struct sim_req *r, bool shadow);
int sim_kpc_thread_counters(struct sim_req *r);
void sim_thread_counting(struct sim_req *r, uint32_t classes);
int sim_kperf_node(struct sim_req *r, const char *name);
int sim_hw(struct sim_req *r, const char *name);

/* May the caller read: root or the owner of ktrace (kern_ktrace.c). */
bool sim_ktrace_allows(const struct sim_req *r);

/* ---- mask.c: read off the state ---- */

/* Ticks of the timebase: 24 MHz on Apple silicon. */
uint64_t sim_ticks(const struct sim_kernel *k, uint64_t ns);

bool sim_arm(const struct sim_kernel *k);
uint32_t sim_all_pmcs(const struct sim_kernel *k);
/* PMC masks and numbers of words and counters for a class mask. */
uint32_t sim_config_mask(const struct sim_kernel *k);
uint32_t sim_power_mask(const struct sim_kernel *k);
unsigned sim_raw_words(const struct sim_kernel *k);
unsigned sim_config_count(const struct sim_kernel *k, uint32_t classes);
unsigned sim_counter_count(const struct sim_kernel *k, uint32_t classes);
uint32_t sim_classes(const struct sim_kernel *k);

uint32_t sim_counting(const struct sim_kernel *k);
/* 0 or the errno: from macOS 26.5 on it can fail. */
int sim_counting_set(struct sim_kernel *k, uint32_t classes);
uint64_t sim_word_normal(const struct sim_kernel *k, uint64_t word);
void sim_words_set(struct sim_kernel *k, const uint64_t *word);
int sim_force_set(struct sim_kernel *k, const struct sim_holder *who, bool on);
bool sim_holds(const struct sim_holder *h, const struct sim_caller *who);
struct sim_holder sim_holder_of(const struct sim_caller *who);

/* cpc.c: macOS 26.5 and later on Apple silicon. */
bool sim_cpc(const struct sim_kernel *k);
int sim_cpc_words(struct sim_kernel *k, uint32_t classes, const uint64_t *word);
int sim_cpc_counting(struct sim_kernel *k, uint32_t classes);
uint32_t sim_cpc_enabled(const struct sim_kernel *k);
void sim_cpc_back(struct sim_kernel *k, unsigned cpu);
int sim_cpc_periods(struct sim_kernel *k, uint32_t classes,
		    const uint64_t *word, unsigned n);
void sim_cpc_periods_read(const struct sim_kernel *k, uint32_t classes,
			  uint64_t *word);

/* How long the system had slept at a moment of awake time. */
int64_t sim_kernel_slept(const struct sim_kernel *k, int64_t awake_ns);

/* Around any change of what counts: totals are taken, then counted on. */
void sim_counts_close(struct sim_kernel *k);
void sim_counts_open(struct sim_kernel *k);
/* Work of a CPU up to now_ns, time off left out. */
void sim_counts_done(const struct sim_kernel *k, unsigned cpu, int64_t at_ns,
		     struct work_done *out);
/*
 * What a CPU has at a moment since the last change, without the cost of reads
 * in the fixed counters: three places for those, then one each PMC.
 */
void sim_counts_row(const struct sim_kernel *k, unsigned cpu, int64_t at_ns,
		    uint64_t out[SIM_ROW_MAX]);
/* The event's number in a word. */
uint64_t sim_selector(const struct sim_kernel *k, uint64_t word);
/* -1: no such event in the machine's database. */
int sim_counts_event(const struct sim_kernel *k, uint64_t word);

/* ---- faults.c ---- */

/* Deals with all that happened up to now. */
void sim_kernel_enter(struct sim_kernel *k);
/* Lets the next planned thing happen. */
void sim_faults_advance(struct sim_kernel *k);

/* ---- windows.c: what faults and power say of a moment ---- */

/* A thief looks whether its words still stand this often. */
#define SIM_STEAL_EVERY_NS (SIM_SECOND_NS / 2)

void sim_faults_prepare(struct sim_kernel *k);
void sim_off_add(struct sim_kernel *k, unsigned cpu, struct sim_off w);
bool sim_fault_in(const struct sim_fault *f, int64_t at);
/* The earliest moment after `after`. */
static inline void
sim_earliest(int64_t *best, int64_t t, int64_t after)
{
	if (t > after && t < *best)
		*best = t;
}

/* What a core counts with after it was idle. */
uint32_t sim_enabled_after_idle(const struct sim_kernel *k);
/* Says when the next thing happens by itself; after any change. */
void sim_faults_plan(struct sim_kernel *k);
/* The first of a kind (f NULL), or the one behind f; NULL: there is none. */
const struct sim_fault *sim_fault_next(const struct sim_kernel *k,
				       enum sim_fault_kind kind,
				       const struct sim_fault *f);
const struct sim_fault *sim_fault_at(const struct sim_kernel *k,
				     enum sim_fault_kind kind, int64_t at);
const struct sim_fault *sim_fault_now(const struct sim_kernel *k,
				      enum sim_fault_kind kind);
bool sim_fault_refuses(const struct sim_kernel *k, uint64_t selector);
/* Does it count nothing now? */
bool sim_fault_dead(const struct sim_kernel *k, uint64_t selector);
bool sim_online(const struct sim_kernel *k, unsigned cpu, int64_t at_ns);
int64_t sim_off_ns(const struct sim_kernel *k, unsigned cpu, int64_t at_ns);

/*
 * ---- sim.c, shared.c: the one instance, for the layers on top of the kernel
 * ----
 */

/*
 * Locks the instance and notices tasks that died; NULL, with nothing locked,
 * while it is not started.
 */
struct sim_kernel *sim_lock(void);
void sim_unlock(void);

const struct sim_spec *sim_spec_now(void);

/* The calling thread, as the kernel sees it; under the lock. */
struct sim_caller sim_caller_now(void);

/* sysctlbyname for the calling thread: 0 or the errno; locks by itself. */
int sim_sysctl(const char *name, void *old, size_t *old_size, const void *fresh,
	       size_t fresh_size);

/* sysctl, of kdebug's numbers only; else as sim_sysctl. */
int sim_sysctl_mib(const int *mib, unsigned n, void *old, size_t *old_size,
		   const void *fresh);

/* The host's functions; the caller fills in text and clock. */

/* Start of a process in clock ticks or so; -1: there is no such process. */
int64_t sim_process_born(int32_t pid);
/* What this process's program is called; size is SIM_NAME. */
void sim_process_name(char *out, size_t size);

/* Maps the state file, made or joined; sets k->s. */
bool sim_shared_open(struct sim_kernel *k, const struct sim_spec *spec,
		     struct err *e);
void sim_shared_close(struct sim_kernel *k);
bool sim_shared_lock(struct sim_kernel *k);
void sim_shared_unlock(struct sim_kernel *k);
/* Tasks that hold something and are gone get what XNU does at their end. */
void sim_shared_reap(struct sim_kernel *k, const struct sim_caller *who);

/*
 * ---- procs.c: the processes of slots: when they live, what they are called
 * ----
 */

/* A process's last thread ends so long after its birth. */
#define SIM_THREAD_NS (10 * INT64_C(1000000000))
/* So long after its birth a process execs, if it does. */
#define SIM_EXEC_NS (3 * INT64_C(1000000000))

/* What the process that lives has, from its beginning. */
void sim_slot_life(const struct sim_slot *s,
		   struct sim_count out[SIM_MAX_KINDS]);

/* What the machine says once and for all of its slots. */
void sim_slots_prepare(struct sim_kernel *k);
/* Lists those that are there: most of all there may be are not. After boot. */
void sim_slots_list(struct sim_kernel *k);
/* The slot whose processes get such pids; SIM_SLOTS: none. */
unsigned sim_slot_of(int32_t pid);
/* Threads of a job's process; slots of the kernel and programs: 0. */
unsigned sim_slot_threads(const struct sim_kernel *k, unsigned slot);
bool sim_thread_ended(const struct sim_kernel *k, unsigned slot,
		      unsigned thread, int64_t at);
/* An id in the life-th process of a slot. */
uint64_t sim_thread_id(unsigned slot, uint32_t life, unsigned thread);
uint32_t sim_slot_uid(unsigned slot);
/* Borrowed for ever; `at` since a process may exec. */
const char *sim_life_name(const struct sim_kernel *k, unsigned slot,
			  const struct sim_life *life, int64_t at);
bool sim_slot_zombie(const struct sim_slot *s, int64_t at);

/*
 * ---- traced.c: which thread has a CPU, and the counts of threads:
 * osfmk/kern/kpc_thread.c ----
 */

struct sim_traced {
	unsigned at; /* in sim_pet's threads */
	uint64_t thread;
	int32_t pid;
	bool user; /* it can have a buffer */
	bool idle; /* nothing but the idle thread */
};

/*
 * Whose a CPU's own time is, all of its grain: the idle thread of work that is
 * nobody's. at_ns: now, for who lives.
 */
void sim_traced_owner(const struct sim_kernel *k, unsigned cpu, int64_t own_ns,
		      int64_t at_ns, struct sim_traced *out);
/* A thread of the process that lives in a slot. */
void sim_traced_thread(const struct sim_kernel *k, unsigned slot,
		       unsigned thread, struct sim_traced *out);
void sim_traced_idle(unsigned cpu, struct sim_traced *out);

/* What the CPU counted since its last switch is the thread's. */
void sim_traced_switch(struct sim_kernel *k, unsigned cpu, unsigned at,
		       int64_t at_ns);
/* A buffer of zeros. */
void sim_traced_give(struct sim_kernel *k, unsigned at);
/* A sample's values, and how many. */
unsigned sim_traced_values(const struct sim_kernel *k, unsigned at,
			   uint64_t out[32]);

/* kpc.thread_counters of a caller that is one of the table's threads. */
int sim_traced_own(struct sim_req *r);

/* Around a change of the counters nothing is lost or counted twice. */
void sim_traced_save(struct sim_kernel *k);
void sim_traced_resume(struct sim_kernel *k);

/*
 * ---- kperf_node.c: the one right to trace, and what it covers: kperf and
 * kdebug ----
 */

/* bsd/sys/ktrace.h */
enum { SIM_KTRACE_KDEBUG = 1, SIM_KTRACE_KPERF = 2 };
enum { SIM_KTRACE_OFF, SIM_KTRACE_FG, SIM_KTRACE_BG };

/* The caller sets up a subsystem: it becomes the owner, or 0, EPERM, EBUSY. */
int sim_ktrace_configure(struct sim_req *r, unsigned bit);
/* Without any subsystem left nobody owns it. */
void sim_ktrace_reset(struct sim_kernel *k, unsigned bit);
/* Who owns it and lives; 0: nobody. */
int32_t sim_ktrace_owner(struct sim_kernel *k);
void sim_ktrace_ended(struct sim_kernel *k, const struct sim_caller *who);

/* A fault of another tool begins, or ends. */
void sim_ktrace_fault(struct sim_kernel *k, const struct sim_fault *f,
		      bool begins);

int sim_ktrace_node(struct sim_req *r, const char *name);

/*
 * ---- ring.c: each CPU fills units of its own, taken from one store; a full
 * store gives up the oldest unit of any CPU. A read merges them by time. ----
 */

#define SIM_UNIT_RECORDS 2048u

/* kd_buf of every 64-bit kernel. */
struct sim_record {
	uint64_t timestamp;
	uint64_t arg[4];
	uint64_t thread; /* arg5: who emits */
	uint32_t debugid, cpu;
	uint64_t unused;
};

struct sim_ring;

/* NULL: no memory. */
struct sim_ring *sim_ring_new(unsigned units);
void sim_ring_free(struct sim_ring *ring);

/*
 * The oldest first, of equals the lowest CPU's; at most max, none of after
 * `newest`, and none that is older than `oldest`: those are dropped. How many
 * there were.
 */
size_t sim_ring_read(struct sim_ring *ring, uint64_t oldest, uint64_t newest,
		     struct sim_record *out, size_t max);

/*
 * ---- ring.c, kdebug.c: what is traced, the ring it goes to, and the sysctl
 * that reads it ----
 */

/* bsd/sys/kdebug_private.h */
enum {
	SIM_KD_NOWRAP = 0x2,
	SIM_KD_WRAPPED = 0x8,
	SIM_KD_MAPINIT = 0x20,
	SIM_KD_LP64 = 0x100,
	SIM_KD_CONTINUOUS = 0x200,
	SIM_KD_RANGECHECK = 0x100000,
	SIM_KD_VALCHECK = 0x200000,
	SIM_KD_TYPEFILTER = 0x400000
};
#define SIM_KD_USERFLAGS 0xe02u /* those that KDEFLAGS may set */
#define SIM_KD_BUFINIT 0x80000000u

#define SIM_KD_START 1u
#define SIM_KD_END 2u
#define SIM_KD_LOST 0x07020008u

/* One call of sysctl {CTL_KERN, KERN_KDEBUG, op[, value]}. */
struct sim_kd_call {
	struct sim_req req;
	const int *mib;
	unsigned n;
	size_t out;      /* what *oldlenp becomes */
	int64_t wait_ns; /* the call takes so long */
	bool until_half; /* or less: until half of the ring is used */
};

int sim_kdebug(struct sim_kd_call *c);

/* Is there a ring in this process, and is it the one that is set up? */
bool sim_kd_ring(const struct sim_kernel *k);
/* Would anything be kept now? */
bool sim_kd_live(const struct sim_kernel *k);
/* Is an event wanted, whoever has the ring? */
bool sim_kd_traced(const struct sim_kernel *k, uint32_t debugid);
bool sim_kd_half(const struct sim_kernel *k);
void sim_kd_reset(struct sim_kernel *k);
uint64_t sim_kd_ticks(const struct sim_kernel *k, int64_t awake_ns);
/*
 * A tracepoint: through the filter, into the ring. Its timestamp comes as how
 * many ticks after the moment it is.
 */
void sim_kd_emit(struct sim_kernel *k, int64_t at_ns,
		 const struct sim_record *record);

/* ---- kdebug.c: the map of threads that kdebug hands out ---- */

/* kd_threadmap */
struct sim_map_entry {
	uint64_t thread;
	int32_t pid; /* 1 for the kernel's and launchd's: look at the name */
	char command[20];
};

/*
 * ---- pet.c: kperf's samples of threads on their CPUs, by timers and
 * lightweight PET. Who is on a CPU is what the process table says. ----
 */

/* A slice of a CPU's own time: first its thread, then the idle one. */
#define SIM_SLICE_NS 10000000LL
/* With a gap longer than this there are counts, and no samples. */
#define SIM_PET_GAP_NS (10 * SIM_SECOND_NS)
/* Ids of threads that no process lists: the idle one of CPU 0, and so on. */
#define SIM_IDLE_THREAD 8193u

/* Before anything that counts, or what is sampled, changes. */
void sim_pet_advance(struct sim_kernel *k);
/* kperf.sampling went on. */
void sim_pet_start(struct sim_kernel *k);

const struct sim_watch *sim_pet_watch(void);

/*
 * ---- pet.c: the records of kperf's samples, and of threads that come and go
 * ----
 */

enum {
	SIM_SAMPLER_TH_INFO = 0x1,
	SIM_SAMPLER_PMC_THREAD = 0x10,
	SIM_SAMPLER_TK_INFO = 0x2000
};

#endif

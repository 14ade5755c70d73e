/* Declarations shared by the simulator's files. The public headers are sim.h
 * and, for tests, kernel.h. */
#ifndef SIM_INSIDE_H
#define SIM_INSIDE_H

#include "sim/kernel.h"
#include "sim/machine.h"
#include "sim/spec.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SIM_SECOND_NS 1000000000LL

/* Arguments of one sysctl, and the bytes copied so far. */
struct sim_req {
	struct sim_kernel *k;
	const struct sim_caller *who;
	char *old;
	size_t old_size, old_at; /* old NULL: only the size is wanted */
	const char *fresh;
	size_t fresh_size, fresh_at;
	bool root; /* euid 0 and no eperm fault */
};

/* As newsysctl.c: ENOMEM (nothing copied) if old is too short, EINVAL if fresh
 * is. A NULL old or fresh is ignored. */
int sim_req_out(struct sim_req *r, const void *from, size_t size);
int sim_req_in(struct sim_req *r, void *to, size_t size);
/* As sysctl_io_number: copies the old value out and an optional new one in. */
int sim_req_int(struct sim_req *r, int32_t old, int32_t *fresh, bool *set);

/* Handlers of sysctl names; ENOENT: the name is unknown. */
int sim_kpc(struct sim_req *r, const char *name);
int sim_kpc_counters(struct sim_req *r, bool shadow);
int sim_kpc_thread_counters(struct sim_req *r);
void sim_thread_counting(struct sim_req *r, uint32_t classes);
int sim_kperf_node(struct sim_req *r, const char *name);
int sim_hw(struct sim_req *r, const char *name);

/* Is the caller root or the owner of ktrace (kern_ktrace.c)? */
bool sim_ktrace_allows(const struct sim_req *r);

/* ---- mask.c: values derived from the state ---- */

/* Converts ns to timebase ticks: 24 MHz on Apple silicon, 1 GHz on Intel. */
uint64_t sim_ticks(const struct sim_kernel *k, uint64_t ns);

bool sim_arm(const struct sim_kernel *k);
uint32_t sim_all_pmcs(const struct sim_kernel *k);
/* PMC masks, and the numbers of words and counters of a mask of classes. */
uint32_t sim_config_mask(const struct sim_kernel *k);
uint32_t sim_power_mask(const struct sim_kernel *k);
unsigned sim_raw_words(const struct sim_kernel *k);
unsigned sim_config_count(const struct sim_kernel *k, uint32_t classes);
unsigned sim_counter_count(const struct sim_kernel *k, uint32_t classes);
uint32_t sim_classes(const struct sim_kernel *k);

uint32_t sim_counting(const struct sim_kernel *k);
/* Sets the running classes: 0 or errno; can fail from macOS 26.5 on. */
int sim_counting_set(struct sim_kernel *k, uint32_t classes);
uint64_t sim_word_normal(const struct sim_kernel *k, uint64_t word);
void sim_words_set(struct sim_kernel *k, const uint64_t *word);
int sim_force_set(struct sim_kernel *k, const struct sim_holder *who, bool on);
bool sim_holds(const struct sim_holder *h, const struct sim_caller *who);
struct sim_holder sim_holder_of(const struct sim_caller *who);

/* Does kpc use CPC (macOS 26.5 and later on Apple silicon)? */
bool sim_cpc(const struct sim_kernel *k);
int sim_cpc_words(struct sim_kernel *k, uint32_t classes, const uint64_t *word);
int sim_cpc_counting(struct sim_kernel *k, uint32_t classes);
uint32_t sim_cpc_enabled(const struct sim_kernel *k);
void sim_cpc_back(struct sim_kernel *k, unsigned cpu);
int sim_cpc_periods(struct sim_kernel *k, uint32_t classes,
		    const uint64_t *word, unsigned n);
void sim_cpc_periods_read(const struct sim_kernel *k, uint32_t classes,
			  uint64_t *word);

int64_t sim_kernel_slept(const struct sim_kernel *k, int64_t awake_ns);

/* Call before and after a change of counters: saves totals, then resumes. */
void sim_counts_close(struct sim_kernel *k);
void sim_counts_open(struct sim_kernel *k);
/* A CPU's work up to at_ns, without the time it was off. */
void sim_counts_done(const struct sim_kernel *k, unsigned cpu, int64_t at_ns,
		     struct work_done *out);
/* A CPU's counters at a moment: three fixed counters without the cost of reads,
 * then one per PMC. */
void sim_counts_row(const struct sim_kernel *k, unsigned cpu, int64_t at_ns,
		    uint64_t out[SIM_ROW_MAX]);
uint64_t sim_selector(const struct sim_kernel *k, uint64_t word);
/* The event's index; -1: it is not in the machine's database. */
int sim_counts_event(const struct sim_kernel *k, uint64_t word);

void sim_kernel_enter(struct sim_kernel *k);
void sim_faults_advance(struct sim_kernel *k);

/* ---- windows.c: faults and CPUs that are off, at a moment ---- */

/* A `steal` fault checks its words at this interval. */
#define SIM_STEAL_EVERY_NS (SIM_SECOND_NS / 2)

void sim_faults_prepare(struct sim_kernel *k);
void sim_off_add(struct sim_kernel *k, unsigned cpu, struct sim_off w);
bool sim_fault_in(const struct sim_fault *f, int64_t at);
static inline void
sim_earliest(int64_t *best, int64_t t, int64_t after)
{
	if (t > after && t < *best)
		*best = t;
}

uint32_t sim_enabled_after_idle(const struct sim_kernel *k);
/* Finds the time of the next planned event. Call it after any change. */
void sim_faults_plan(struct sim_kernel *k);
/* The first fault of a kind (f NULL), or the next one after f, or NULL. */
const struct sim_fault *sim_fault_next(const struct sim_kernel *k,
				       enum sim_fault_kind kind,
				       const struct sim_fault *f);
const struct sim_fault *sim_fault_at(const struct sim_kernel *k,
				     enum sim_fault_kind kind, int64_t at);
const struct sim_fault *sim_fault_now(const struct sim_kernel *k,
				      enum sim_fault_kind kind);
bool sim_fault_refuses(const struct sim_kernel *k, uint64_t selector);
bool sim_fault_dead(const struct sim_kernel *k, uint64_t selector);
bool sim_online(const struct sim_kernel *k, unsigned cpu, int64_t at_ns);
int64_t sim_off_ns(const struct sim_kernel *k, unsigned cpu, int64_t at_ns);

/* ---- sim.c, shared.c: the one simulation ---- */

/* Locks the simulation and handles the death of tasks. NULL, not locked: no
 * simulation is running. */
struct sim_kernel *sim_lock(void);
void sim_unlock(void);

const struct sim_spec *sim_spec_now(void);

/* Describes the calling thread. Call it with the lock held. */
struct sim_caller sim_caller_now(void);

/* Returns code as a system call does: 0, or -1 and errno. */
int sim_system_result(int code);
/* As sim_system_result; with lib=errno returns the errno itself. */
int sim_library_result(int code);

/* sysctlbyname by the calling thread: 0 or errno. Takes the lock. */
int sim_sysctl(const char *name, void *old, size_t *old_size, const void *fresh,
	       size_t fresh_size);

/* sysctl by number, for kdebug only; results as sim_sysctl. */
int sim_sysctl_mib(const int *mib, unsigned n, void *old, size_t *old_size,
		   const void *fresh);

/* Start time in a unit of the system; -1: no such process. */
int64_t sim_process_born(int32_t pid);
/* The name of this process's program, cut to the size. */
void sim_process_name(char *out, size_t size);

/* Maps a new or existing state file and sets k->s. */
bool sim_shared_open(struct sim_kernel *k, const struct sim_spec *spec,
		     struct err *e);
void sim_shared_close(struct sim_kernel *k);
bool sim_shared_lock(struct sim_kernel *k);
void sim_shared_unlock(struct sim_kernel *k);
/* Handles the death of tasks that have force or own tracing, as XNU does. */
void sim_shared_reap(struct sim_kernel *k, const struct sim_caller *who);

/* ---- procs.c: slots of the process table, lifetimes, names ---- */

/* A job's last thread ends at this age of its process. */
#define SIM_THREAD_NS (10 * INT64_C(1000000000))
/* A process that calls exec does so at this age. */
#define SIM_EXEC_NS (3 * INT64_C(1000000000))

void sim_slot_life(const struct sim_slot *s,
		   struct sim_count out[SIM_MAX_KINDS]);

void sim_slots_prepare(struct sim_kernel *k);
/* Lists the existing slots, as most do not exist. Call it after boot. */
void sim_slots_list(struct sim_kernel *k);
unsigned sim_slot_of(int32_t pid);
/* Number of threads of a job's process; 0 for the kernel and programs. */
unsigned sim_slot_threads(const struct sim_kernel *k, unsigned slot);
bool sim_thread_ended(const struct sim_kernel *k, unsigned slot,
		      unsigned thread, int64_t at);
uint64_t sim_thread_id(unsigned slot, uint32_t life, unsigned thread);
uint32_t sim_slot_uid(unsigned slot);
/* A static string. It depends on `at`, as processes may call exec. */
const char *sim_life_name(const struct sim_kernel *k, unsigned slot,
			  const struct sim_life *life, int64_t at);
bool sim_slot_zombie(const struct sim_slot *s, int64_t at);

/* ---- traced.c: threads on CPUs and their counts (osfmk/kern/kpc_thread.c)
 * ---- */

struct sim_traced {
	unsigned at; /* index in sim_pet.thread */
	uint64_t thread;
	int32_t pid;
	bool user; /* thread of a user process */
	bool idle;
};

/* Finds the thread at a moment of a CPU's own time (without off time), or the
 * idle thread if no process has the grain. at_ns: awake time now. */
void sim_traced_owner(const struct sim_kernel *k, unsigned cpu, int64_t own_ns,
		      int64_t at_ns, struct sim_traced *out);
/* As sim_traced_owner, but at a grain's start finds the previous thread. */
void sim_traced_until(const struct sim_kernel *k, unsigned cpu, int64_t own_ns,
		      int64_t at_ns, struct sim_traced *out);
void sim_traced_thread(const struct sim_kernel *k, unsigned slot,
		       unsigned thread, struct sim_traced *out);
void sim_traced_idle(unsigned cpu, struct sim_traced *out);

/* Credits the thread with its CPU's counts since the CPU's last switch. */
void sim_traced_switch(struct sim_kernel *k, unsigned cpu, unsigned at,
		       int64_t at_ns);
void sim_traced_give(struct sim_kernel *k, unsigned at);
unsigned sim_traced_values(const struct sim_kernel *k, unsigned at,
			   uint64_t out[32]);

/* kpc.thread_counters for a caller with table_thread. */
int sim_traced_own(struct sim_req *r);

/* Call before and after a change of the counters, to keep the counts so far. */
void sim_traced_save(struct sim_kernel *k);
void sim_traced_resume(struct sim_kernel *k);

/* ---- kperf_node.c: owners of tracing, for kperf and kdebug ---- */

/* bsd/sys/ktrace.h */
enum { SIM_KTRACE_KDEBUG = 1, SIM_KTRACE_KPERF = 2 };
enum { SIM_KTRACE_OFF, SIM_KTRACE_FG, SIM_KTRACE_BG };

/* Sets up a subsystem, with the caller as the owner: 0, EPERM or EBUSY. */
int sim_ktrace_configure(struct sim_req *r, unsigned bit);
/* Resets a subsystem; after the last one tracing has no owner. */
void sim_ktrace_reset(struct sim_kernel *k, unsigned bit);
int32_t sim_ktrace_owner(struct sim_kernel *k);
void sim_ktrace_ended(struct sim_kernel *k, const struct sim_caller *who);

void sim_ktrace_fault(struct sim_kernel *k, const struct sim_fault *f,
		      bool begins);

int sim_ktrace_node(struct sim_req *r, const char *name);

/* ---- ring.c: each CPU fills units of one ring. A full ring drops its oldest
 * unit. Reads merge the CPUs' records by time. ---- */

#define SIM_UNIT_RECORDS 2048u

/* kd_buf of 64-bit kernels. */
struct sim_record {
	uint64_t timestamp;
	uint64_t arg[4];
	uint64_t thread; /* arg5: the thread that emitted the record */
	uint32_t debugid, cpu;
	uint64_t unused;
};

struct sim_ring;

struct sim_ring *sim_ring_new(unsigned units);
void sim_ring_free(struct sim_ring *ring);

/* Reads at most max records up to time `newest`, by time, then CPU; drops
 * records before `oldest`. Times are ticks. Returns the number read. */
size_t sim_ring_read(struct sim_ring *ring, uint64_t oldest, uint64_t newest,
		     struct sim_record *out, size_t max);

/* ---- ring.c, kdebug.c: kdebug's filters, ring and sysctl ---- */

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
#define SIM_KD_USERFLAGS 0xe02u /* flags that KDEFLAGS can set */
#define SIM_KD_BUFINIT 0x80000000u

#define SIM_KD_START 1u
#define SIM_KD_END 2u
#define SIM_KD_LOST 0x07020008u

/* sysctl {CTL_KERN, KERN_KDEBUG, op[, value]}. */
struct sim_kd_call {
	struct sim_req req;
	const int *mib;
	unsigned n;
	size_t out;      /* new *oldlenp */
	int64_t wait_ns; /* how long the call blocks */
	bool until_half; /* ends when half the ring is used */
};

int sim_kdebug(struct sim_kd_call *c);

bool sim_kd_ring(const struct sim_kernel *k);
bool sim_kd_live(const struct sim_kernel *k);
/* Is kdebug on, and does its filter pass the debugid? */
bool sim_kd_traced(const struct sim_kernel *k, uint32_t debugid);
bool sim_kd_half(const struct sim_kernel *k);
void sim_kd_reset(struct sim_kernel *k);
uint64_t sim_kd_ticks(const struct sim_kernel *k, int64_t awake_ns);
/* Adds a record at at_ns; record->timestamp is an offset in ticks. */
void sim_kd_emit(struct sim_kernel *k, int64_t at_ns,
		 const struct sim_record *record);

/* ---- kdebug.c: the thread map ---- */

struct sim_map_entry {
	uint64_t thread;
	int32_t pid; /* 1 for both kernel_task and launchd */
	char command[20];
};

/* ---- pet.c: samples by timers and by lightweight PET; the process table
 * defines which threads run ---- */

/* In each slice of its own time a CPU runs a thread, then the idle thread. */
#define SIM_SLICE_NS 10000000LL
/* A longer time without a call is counted, but not sampled. */
#define SIM_PET_GAP_NS (10 * SIM_SECOND_NS)
/* Thread id of CPU 0's idle thread; idle threads belong to no process. */
#define SIM_IDLE_THREAD 8193u

/* Call it before counters or sampling change. */
void sim_pet_advance(struct sim_kernel *k);
void sim_pet_start(struct sim_kernel *k);

const struct sim_watch *sim_pet_watch(void);

/* ---- pet.c: samplers of actions ---- */

enum {
	SIM_SAMPLER_TH_INFO = 0x1,
	SIM_SAMPLER_PMC_THREAD = 0x10,
	SIM_SAMPLER_TK_INFO = 0x2000
};

#endif

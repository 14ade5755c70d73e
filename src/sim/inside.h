/* Declarations shared by the simulator's files */
#ifndef SIM_INSIDE_H
#define SIM_INSIDE_H

#include "sim/kernel.h"
#include "sim/machine.h"
#include "sim/spec.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SIM_SECOND_NS 1000000000LL

struct sim_req {
	struct sim_kernel *k;
	const struct sim_caller *who;
	char *old;
	size_t old_size, old_at;
	const char *fresh;
	size_t fresh_size, fresh_at;
	bool root;
};

/* As newsysctl.c: sim_req_out returns ENOMEM if old is too short, sim_req_in
 * EINVAL if fresh is. A NULL old or fresh is no error. */
int sim_req_out(struct sim_req *r, const void *from, size_t size);
int sim_req_in(struct sim_req *r, void *to, size_t size);
/* As sysctl_io_number: *set tells whether *fresh has a new value. */
int sim_req_int(struct sim_req *r, int32_t old, int32_t *fresh, bool *set);

int sim_kpc(struct sim_req *r, const char *name);
int sim_kpc_counters(struct sim_req *r, bool shadow);
int sim_kpc_thread_counters(struct sim_req *r);
void sim_thread_counting(struct sim_req *r, uint32_t classes);
int sim_kperf_node(struct sim_req *r, const char *name);
int sim_hw(struct sim_req *r, const char *name);

/* Is the caller root or the owner of ktrace (kern_ktrace.c)? */
bool sim_ktrace_allows(const struct sim_req *r);

/* Converts ns to timebase ticks: 24 MHz on Apple silicon, 1 GHz on Intel. */
uint64_t sim_ticks(const struct sim_kernel *k, uint64_t ns);

bool sim_arm(const struct sim_kernel *k);
uint32_t sim_all_pmcs(const struct sim_kernel *k);
uint32_t sim_config_mask(const struct sim_kernel *k);
uint32_t sim_power_mask(const struct sim_kernel *k);
unsigned sim_raw_words(const struct sim_kernel *k);
unsigned sim_config_count(const struct sim_kernel *k, uint32_t classes);
unsigned sim_counter_count(const struct sim_kernel *k, uint32_t classes);
uint32_t sim_classes(const struct sim_kernel *k);

uint32_t sim_counting(const struct sim_kernel *k);
/* 0, or an errno (only with CPC) */
int sim_counting_set(struct sim_kernel *k, uint32_t classes);
uint64_t sim_word_normal(const struct sim_kernel *k, uint64_t word);
void sim_words_set(struct sim_kernel *k, const uint64_t *word);
int sim_force_set(struct sim_kernel *k, const struct sim_holder *who, bool on);
bool sim_holds(const struct sim_holder *h, const struct sim_caller *who);
struct sim_holder sim_holder_of(const struct sim_caller *who);

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

/* Counters may change only between sim_counts_close, which saves the counts,
 * and sim_counts_open. */
void sim_counts_close(struct sim_kernel *k);
void sim_counts_open(struct sim_kernel *k);
void sim_counts_done(const struct sim_kernel *k, unsigned cpu, int64_t at_ns,
		     struct work_done *out);
/* out: three fixed counters (on Apple silicon the third is 0) without the cost
 * of reads, then one counter per PMC. */
void sim_counts_row(const struct sim_kernel *k, unsigned cpu, int64_t at_ns,
		    uint64_t out[SIM_ROW_MAX]);
uint64_t sim_selector(const struct sim_kernel *k, uint64_t word);
/* Index of the event in the machine's database; -1: unknown event */
int sim_counts_event(const struct sim_kernel *k, uint64_t word);

void sim_kernel_enter(struct sim_kernel *k);
void sim_faults_advance(struct sim_kernel *k);

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
/* Sets the time of the next planned event. Call it after each change of faults
 * or counters. */
void sim_faults_plan(struct sim_kernel *k);
/* f NULL: the first fault of the kind, else the next one after f; NULL:
 * none. */
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

/* Locks the simulation; with a state file, handles the end of tasks. NULL, not
 * locked: no simulation is running, or the file cannot be locked. */
struct sim_kernel *sim_lock(void);
void sim_unlock(void);

const struct sim_spec *sim_spec_now(void);

/* Call it with the lock held. */
struct sim_caller sim_caller_now(void);

int sim_system_result(int code);
/* As sim_system_result, but with lib=errno returns the errno itself. */
int sim_library_result(int code);

/* 0 or errno. Takes the lock. */
int sim_sysctl(const char *name, void *old, size_t *old_size, const void *fresh,
	       size_t fresh_size);

int sim_sysctl_mib(const int *mib, unsigned n, void *old, size_t *old_size,
		   const void *fresh);

/* Start time in a unit of the system; -1: no such process, or a zombie */
int64_t sim_process_born(int32_t pid);
void sim_process_name(char *out, size_t size);

/* Initializes k from the state file, which may be new. */
bool sim_shared_open(struct sim_kernel *k, const struct sim_spec *spec,
		     struct err *e);
void sim_shared_close(struct sim_kernel *k);
bool sim_shared_lock(struct sim_kernel *k);
void sim_shared_unlock(struct sim_kernel *k);
/* Handles the end of tasks that have force or own tracing, as XNU does. who:
 * the calling thread, or NULL. */
void sim_shared_reap(struct sim_kernel *k, const struct sim_caller *who);

/* The last thread of a job's process ends at this age of the process. */
#define SIM_THREAD_NS (10 * INT64_C(1000000000))
#define SIM_EXEC_NS (3 * INT64_C(1000000000))

void sim_slot_life(const struct sim_slot *s,
		   struct sim_count out[SIM_MAX_KINDS]);

void sim_slots_prepare(struct sim_kernel *k);
void sim_slots_list(struct sim_kernel *k);
unsigned sim_slot_of(int32_t pid);
unsigned sim_slot_threads(const struct sim_kernel *k, unsigned slot);
bool sim_thread_ended(const struct sim_kernel *k, unsigned slot,
		      unsigned thread, int64_t at);
uint64_t sim_thread_id(unsigned slot, uint32_t life, unsigned thread);
uint32_t sim_slot_uid(unsigned slot);
/* A static string. It depends on `at`, as processes may call exec. */
const char *sim_life_name(const struct sim_kernel *k, unsigned slot,
			  const struct sim_life *life, int64_t at);
bool sim_slot_zombie(const struct sim_slot *s, int64_t at);

struct sim_traced {
	unsigned at; /* index in sim_pet.thread */
	uint64_t thread;
	int32_t pid;
	bool user;
	bool idle;
};

/* Finds the thread at a moment of a CPU's own time (awake time minus time off);
 * the idle thread if no process has the grain. at_ns: awake time. */
void sim_traced_owner(const struct sim_kernel *k, unsigned cpu, int64_t own_ns,
		      int64_t at_ns, struct sim_traced *out);
/* As sim_traced_owner, but at a grain's start finds the thread of the previous
 * grain. */
void sim_traced_until(const struct sim_kernel *k, unsigned cpu, int64_t own_ns,
		      int64_t at_ns, struct sim_traced *out);
void sim_traced_thread(const struct sim_kernel *k, unsigned slot,
		       unsigned thread, struct sim_traced *out);
void sim_traced_idle(unsigned cpu, struct sim_traced *out);

/* Adds the CPU's counts since its last switch to thread `at`, if the thread has
 * a counter buffer. */
void sim_traced_switch(struct sim_kernel *k, unsigned cpu, unsigned at,
		       int64_t at_ns);
void sim_traced_give(struct sim_kernel *k, unsigned at);
unsigned sim_traced_values(const struct sim_kernel *k, unsigned at,
			   uint64_t out[32]);

int sim_traced_own(struct sim_req *r);

/* The counters may change only between sim_traced_save and
 * sim_traced_resume. */
void sim_traced_save(struct sim_kernel *k);
void sim_traced_resume(struct sim_kernel *k);

/* Values of bsd/sys/ktrace.h */
enum { SIM_KTRACE_KDEBUG = 1, SIM_KTRACE_KPERF = 2 };
enum { SIM_KTRACE_OFF, SIM_KTRACE_FG, SIM_KTRACE_BG };

/* As ktrace_configure: makes the caller the owner of tracing and the subsystem
 * active. 0, EPERM or EBUSY. */
int sim_ktrace_configure(struct sim_req *r, unsigned bit);
/* Resets the subsystem. When no subsystem is active, tracing has no owner
 * unless the owner is blessed. */
void sim_ktrace_reset(struct sim_kernel *k, unsigned bit);
int32_t sim_ktrace_owner(struct sim_kernel *k);
void sim_ktrace_ended(struct sim_kernel *k, const struct sim_caller *who);

void sim_ktrace_fault(struct sim_kernel *k, const struct sim_fault *f,
		      bool begins);

int sim_ktrace_node(struct sim_req *r, const char *name);

/* Each CPU fills units of one ring. A full ring drops its oldest unit. Reads
 * merge the CPUs' records by time. */

#define SIM_UNIT_RECORDS 2048u

/* Layout of kd_buf in 64-bit kernels */
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

/* Values of bsd/sys/kdebug_private.h */
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

/* A sysctl {CTL_KERN, KERN_KDEBUG, op[, value]} */
struct sim_kd_call {
	struct sim_req req;
	const int *mib;
	unsigned n;
	size_t out;      /* new *oldlenp */
	int64_t wait_ns; /* how long the call blocks */
	bool until_half; /* the call ends when half of the ring is used */
};

int sim_kdebug(struct sim_kd_call *c);

bool sim_kd_ring(const struct sim_kernel *k);
bool sim_kd_live(const struct sim_kernel *k);
bool sim_kd_traced(const struct sim_kernel *k, uint32_t debugid);
bool sim_kd_half(const struct sim_kernel *k);
void sim_kd_reset(struct sim_kernel *k);
uint64_t sim_kd_ticks(const struct sim_kernel *k, int64_t awake_ns);
/* Adds the record if kdebug is on and its filter passes. record->timestamp:
 * ticks to add to at_ns. */
void sim_kd_emit(struct sim_kernel *k, int64_t at_ns,
		 const struct sim_record *record);

struct sim_map_entry {
	uint64_t thread;
	int32_t pid; /* 1 for both kernel_task and launchd */
	char command[20];
};

/* In each slice of its own time a CPU runs a thread, then the idle thread. */
#define SIM_SLICE_NS 10000000LL
/* If no call comes for a longer time, that time is counted but not sampled. */
#define SIM_PET_GAP_NS (10 * SIM_SECOND_NS)
/* CPU n's idle thread has the id SIM_IDLE_THREAD + n. */
#define SIM_IDLE_THREAD 8193u

/* Call it before counters or sampling change. */
void sim_pet_advance(struct sim_kernel *k);
void sim_pet_start(struct sim_kernel *k);

const struct sim_watch *sim_pet_watch(void);

enum {
	SIM_SAMPLER_TH_INFO = 0x1,
	SIM_SAMPLER_PMC_THREAD = 0x10,
	SIM_SAMPLER_TK_INFO = 0x2000
};

#endif

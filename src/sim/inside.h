/* What the kernel's own files share: requests, masks, counting, faults. */
#ifndef SIM_INSIDE_H
#define SIM_INSIDE_H

#include "sim/kernel.h"

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
bool sim_word_allowed(const struct sim_kernel *k, uint64_t word);
uint64_t sim_word_normal(const struct sim_kernel *k, uint64_t word);
void sim_words_set(struct sim_kernel *k, const uint64_t *word);
int sim_force_set(struct sim_kernel *k, const struct sim_holder *who, bool on);
bool sim_holds(const struct sim_holder *h, const struct sim_caller *who);
struct sim_holder sim_holder_of(const struct sim_caller *who);

/* cpc.c: macOS 26.5 and later on Apple silicon. */
bool sim_cpc(const struct sim_kernel *k);
int sim_cpc_words(struct sim_kernel *k, uint32_t classes, const uint64_t *word);
uint64_t sim_cpc_read_word(const struct sim_kernel *k, unsigned pmc);
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
sim_sooner(int64_t *best, int64_t t, int64_t after)
{
	if (t > after && t < *best)
		*best = t;
}

/* What a core counts with after it was idle. */
uint32_t sim_enabled_after_idle(const struct sim_kernel *k);
/* Says when the next thing happens by itself; after any change. */
void sim_faults_plan(struct sim_kernel *k);
const struct sim_fault *sim_fault_at(const struct sim_kernel *k,
				     enum sim_fault_kind kind, int64_t at);
const struct sim_fault *sim_fault_now(const struct sim_kernel *k,
				      enum sim_fault_kind kind);
bool sim_fault_refuses(const struct sim_kernel *k, uint64_t selector);
/* Does it count nothing now? */
bool sim_fault_dead(const struct sim_kernel *k, uint64_t selector);
bool sim_online(const struct sim_kernel *k, unsigned cpu, int64_t at_ns);
int64_t sim_off_ns(const struct sim_kernel *k, unsigned cpu, int64_t at_ns);

#endif

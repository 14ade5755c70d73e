#include "sim/inside.h"

#include <errno.h>
#include <string.h>

#include "base/bits.h"
#include "kperf/abi.h"

/* A counter's value is `total` plus its event's count minus `base`.
 * sim_counts_close sets `total`, sim_counts_open sets `base`. */

enum { MODE_USER = 1, MODE_KERNEL = 2 };

/* A thread's counts start this long before the call that adds the thread. */
#define SINCE_SWITCH_NS 40000

static unsigned
modes(const struct sim_kernel *k, uint64_t word)
{
	if (k->m->pmu != 2)
		return (word & 0x10000 ? MODE_USER : 0u) |
		       (word & 0x20000 ? MODE_KERNEL : 0u);
	return (word & KPC_CONFIG_EL0_64 ? MODE_USER : 0u) |
	       (word & KPC_CONFIG_EL1 ? MODE_KERNEL : 0u);
}

uint64_t
sim_selector(const struct sim_kernel *k, uint64_t word)
{
	bool narrow = k->pmu->event_bits == 8 && !k->pmu->intel;

	return word & (narrow ? KPC_CONFIG_EVENT_8 : KPC_CONFIG_EVENT_16);
}

int
sim_counts_event(const struct sim_kernel *k, uint64_t word)
{
	uint64_t number = sim_selector(k, word);

	return number == 0 ? -1 : (int)k->rates.at[number] - 1;
}

void
sim_counts_done(const struct sim_kernel *k, unsigned cpu, int64_t at_ns,
		struct work_done *out)
{
	work_until(&k->work, cpu, at_ns - sim_off_ns(k, cpu, at_ns), out);
}

static uint64_t
loop_count(const struct sim_kernel *k, unsigned cpu, const struct work_rate *r)
{
	uint64_t sum = 0;

	for (unsigned a = 0; a <= WORK_STEADY; a++)
		sum += work_scale(k->s->kpc.looped[cpu][a], r->q20[a]);
	return sum;
}

/* The count includes the loops of host_api.loop and, in kernel mode, the cost
 * of reads. */
static uint64_t
cpu_count(const struct sim_kernel *k, unsigned cpu, const struct work_done *d,
	  uint64_t word)
{
	unsigned kind = k->work.cpu[cpu].kind, mode = modes(k, word);
	int i = sim_counts_event(k, word);
	uint64_t sum = 0;

	if (i < 0 || mode == 0 || sim_fault_dead(k, sim_selector(k, word)))
		return 0;
	const struct work_rate *r =
		&k->rates.event[kind * k->pmu->nevents + (unsigned)i];
	if (mode & MODE_USER)
		sum += work_user(d, r) + loop_count(k, cpu, r);
	if (mode & MODE_KERNEL) {
		sum += work_kernel(d, r);
		if (memcmp(r, &k->rates.cycles[kind], sizeof *r) == 0)
			sum += k->s->kpc.answers[cpu] * SIM_READ_CYCLES;
		if (memcmp(r, &k->rates.inst[kind], sizeof *r) == 0)
			sum += k->s->kpc.answers[cpu] * SIM_READ_INSTRUCTIONS;
	}
	return sum;
}

static uint64_t
sim_counts_pmc(const struct sim_kernel *k, unsigned cpu,
	       const struct work_done *d, unsigned pmc)
{
	const struct sim_state *s = k->s;

	if ((s->kpc.enabled[cpu] >> pmc & 1) == 0)
		return s->kpc.total[cpu][pmc];
	return s->kpc.total[cpu][pmc] + cpu_count(k, cpu, d, s->kpc.live[pmc]) -
	       s->kpc.base[cpu][pmc];
}

/* Threads that read their own counters are assumed to run always, on a core of
 * kind 0 at its highest clock. */
static uint64_t
thread_cycles(const struct sim_kernel *k, const struct sim_thread *t)
{
	int64_t now = k->s->time.now_ns < k->s->threads.off_ns
			      ? k->s->time.now_ns
			      : k->s->threads.off_ns;

	if (now < t->since_ns)
		return 0;
	return (uint64_t)(now - t->since_ns) *
	       k->m->kind[0].mhz[SIM_STEPS - 1] / 1000;
}

static uint64_t
thread_count(const struct sim_kernel *k, const struct sim_thread *t,
	     uint64_t word)
{
	int i = sim_counts_event(k, word);

	if (i < 0 || (modes(k, word) & MODE_USER) == 0 ||
	    sim_fault_dead(k, sim_selector(k, word)))
		return 0;
	return work_scale(thread_cycles(k, t),
			  k->rates.event[i].q20[WORK_COMPUTE]);
}

static bool
thread_counts_pmc(const struct sim_kernel *k, unsigned pmc)
{
	return k->s->kpc.run_mask >> pmc & 1;
}

void
sim_counts_close(struct sim_kernel *k)
{
	struct sim_state *s = k->s;

	if (k->watch != NULL)
		k->watch->before(k);
	for (unsigned cpu = 0; cpu < k->ncpus; cpu++) {
		struct work_done d;
		if (s->kpc.enabled[cpu] == 0)
			continue;
		sim_counts_done(k, cpu, s->time.now_ns, &d);
		for (unsigned i = 0; i < k->m->nconfig; i++)
			s->kpc.total[cpu][i] = sim_counts_pmc(k, cpu, &d, i);
	}
	for (struct sim_thread *t = s->threads.thread;
	     t < s->threads.thread + SIM_THREADS; t++)
		for (unsigned i = 0; t->id != 0 && i < k->m->nconfig; i++)
			if (thread_counts_pmc(k, i))
				t->total[i] +=
					thread_count(k, t, s->kpc.live[i]) -
					t->base[i];
}

void
sim_counts_open(struct sim_kernel *k)
{
	struct sim_state *s = k->s;

	for (unsigned cpu = 0; cpu < k->ncpus; cpu++) {
		struct work_done d;
		if (s->kpc.enabled[cpu] == 0)
			continue;
		sim_counts_done(k, cpu, s->time.now_ns, &d);
		for (unsigned i = 0; i < k->m->nconfig; i++)
			s->kpc.base[cpu][i] =
				cpu_count(k, cpu, &d, s->kpc.live[i]);
	}
	for (struct sim_thread *t = s->threads.thread;
	     t < s->threads.thread + SIM_THREADS; t++)
		for (unsigned i = 0; t->id != 0 && i < k->m->nconfig; i++)
			t->base[i] = thread_count(k, t, s->kpc.live[i]);
	if (k->watch != NULL)
		k->watch->after(k);
}

static unsigned
row_fixed(const struct sim_kernel *k, unsigned cpu, const struct work_done *d,
	  uint64_t reads, uint64_t *out)
{
	unsigned kind = k->work.cpu[cpu].kind;
	const struct work_rate *c = &k->rates.cycles[kind],
			       *i = &k->rates.inst[kind];
	uint64_t cycles = work_user(d, c) + work_kernel(d, c) +
			  loop_count(k, cpu, c) + reads * SIM_READ_CYCLES;
	uint64_t inst = work_user(d, i) + work_kernel(d, i) +
			loop_count(k, cpu, i) + reads * SIM_READ_INSTRUCTIONS;

	/* The order is that of osfmk/arm64/monotonic.h and
	 * osfmk/x86_64/monotonic.h. */
	if (k->m->pmu == 2) {
		out[0] = cycles;
		out[1] = inst;
		return 2;
	}
	out[0] = inst;
	out[1] = cycles;
	out[2] = (d->user_ns + d->kernel_ns) * 4; /* 4 GHz reference clock */
	return 3;
}

static unsigned
row_pmcs(const struct sim_kernel *k, unsigned cpu, const struct work_done *d,
	 uint32_t mask, uint64_t *out)
{
	unsigned n = 0;

	for (unsigned i = 0; i < k->m->nconfig; i++)
		if (mask >> i & 1)
			out[n++] = sim_counts_pmc(k, cpu, d, i);
	return n;
}

/* The order of the classes is that of kpc_common.c. */
static unsigned
row_read(struct sim_kernel *k, unsigned cpu, uint32_t classes, uint64_t *out)
{
	struct work_done d;
	unsigned n = 0;

	k->s->kpc.answers[cpu]++;
	sim_counts_done(k, cpu, k->s->time.now_ns, &d);
	if (classes & KPC_CLASS_FIXED_MASK)
		n += row_fixed(k, cpu, &d, k->s->kpc.answers[cpu], out);
	if (classes & KPC_CLASS_CONFIGURABLE_MASK)
		n += row_pmcs(k, cpu, &d, sim_config_mask(k), out + n);
	if (classes & KPC_CLASS_POWER_MASK)
		n += row_pmcs(k, cpu, &d, sim_power_mask(k), out + n);
	return n;
}

void
sim_counts_row(const struct sim_kernel *k, unsigned cpu, int64_t at_ns,
	       uint64_t out[SIM_ROW_MAX])
{
	struct work_done d;

	memset(out, 0, SIM_ROW_MAX * sizeof *out);
	if (k->pmu == NULL)
		return;
	sim_counts_done(k, cpu, at_ns, &d);
	(void)row_fixed(k, cpu, &d, 0, out);
	for (unsigned i = 0; i < k->m->nconfig; i++)
		out[3 + i] = sim_counts_pmc(k, cpu, &d, i);
}

static unsigned
caller_cpu(const struct sim_req *r)
{
	struct sim_kernel *k = r->k;
	unsigned cpu = r->who->cpu < k->ncpus ? r->who->cpu : 0;

	for (unsigned i = 0; i < k->ncpus; i++) {
		unsigned c = (cpu + i) % k->ncpus;
		if (sim_online(k, c, k->s->time.now_ns))
			return c;
	}
	return cpu;
}

/* As kern_kpc.c and a64/kpc.c: each CPU has its place in the shared buffer, but
 * only as many words as were read are copied out. The place of a CPU that is
 * off has an old row; for each such CPU, one row is missing at the end. */
int
sim_kpc_counters(struct sim_req *r, bool shadow)
{
	struct sim_kernel *k = r->k;
	uint64_t *buf = k->s->kpc.buffer;
	uint32_t classes = 0;
	size_t words = 0;
	int code = sim_req_in(r, &classes, sizeof classes);

	if (code != 0)
		return code;
	unsigned stride = sim_counter_count(k, classes);
	unsigned cpu = caller_cpu(r);
	if (stride == 0)
		return EINVAL;
	buf[0] = cpu;
	if ((classes & KPC_ALL_CPUS) == 0) {
		words = row_read(k, cpu, classes, buf + 1);
	} else if (shadow) {
		words = (size_t)k->ncpus * stride;
		memset(buf + 1, 0, words * sizeof *buf);
	} else {
		for (unsigned c = 0; c < k->ncpus; c++)
			if (sim_online(k, c, k->s->time.now_ns))
				words += row_read(k, c, classes,
						  buf + 1 + c * stride);
	}
	return sim_req_out(r, buf, (1 + words) * sizeof *buf);
}

static struct sim_thread *
own_thread_find(struct sim_state *s, const struct sim_caller *who)
{
	for (struct sim_thread *t = s->threads.thread;
	     t < s->threads.thread + SIM_THREADS; t++)
		if (t->id == who->thread && t->pid == who->pid && t->id != 0)
			return t;
	return NULL;
}

static void
own_thread_start(struct sim_kernel *k, const struct sim_caller *who)
{
	struct sim_thread *at = &k->s->threads.thread[0];

	for (struct sim_thread *t = k->s->threads.thread;
	     t < k->s->threads.thread + SIM_THREADS; t++)
		if (at->id != 0 && (t->id == 0 || t->since_ns < at->since_ns))
			at = t;
	memset(at, 0, sizeof *at);
	at->id = who->thread;
	at->pid = who->pid;
	at->since_ns = k->s->time.now_ns - SINCE_SWITCH_NS;
}

static void
thread_row(const struct sim_kernel *k, const struct sim_thread *t,
	   uint32_t classes, uint64_t *row)
{
	uint64_t cycles = thread_cycles(k, t);
	uint64_t inst = work_scale(cycles, k->rates.inst[0].q20[WORK_COMPUTE]);
	bool arm = k->m->pmu == 2;

	if (classes & KPC_CLASS_FIXED_MASK) {
		*row++ = arm ? cycles : inst;
		*row++ = arm ? inst : cycles;
		if (!arm)
			*row++ = cycles;
	}
	if ((classes & KPC_CLASS_CONFIGURABLE_MASK) == 0)
		return;
	for (unsigned i = 0; i < k->m->nconfig; i++) {
		uint64_t more = 0;

		if ((sim_config_mask(k) >> i & 1) == 0)
			continue;
		if (thread_counts_pmc(k, i))
			more = thread_count(k, t, k->s->kpc.live[i]) -
			       t->base[i];
		*row++ = t->total[i] + more;
	}
}

/* As kpc_thread.c: a thread gets its buffer on its first return to user mode,
 * so its first request fails with EINVAL. The buffer stays after counting
 * ends. */
int
sim_kpc_thread_counters(struct sim_req *r)
{
	struct sim_kernel *k = r->k;
	struct sim_state *s = k->s;
	uint64_t row[SIM_ROW_MAX];
	uint32_t tid = 0, classes = s->threads.kept;
	int code = sim_req_in(r, &tid, sizeof tid);
	unsigned n = sim_counter_count(k, classes);

	if (code != 0)
		return code;
	if (tid != 0 || n == 0)
		return EINVAL;
	struct sim_thread *t = own_thread_find(s, r->who);
	if (t == NULL) {
		own_thread_start(k, r->who);
		return EINVAL;
	}
	if (r->old != NULL && r->old_size < n * sizeof *row)
		return EINVAL;
	memset(row, 0, sizeof row);
	thread_row(k, t, classes, row);
	return sim_req_out(r, row, n * sizeof *row);
}

static void
threads_resume(struct sim_kernel *k)
{
	struct sim_state *s = k->s;

	if (s->threads.off_ns == SIM_NEVER)
		return;
	for (struct sim_thread *t = s->threads.thread;
	     t < s->threads.thread + SIM_THREADS; t++)
		t->since_ns += s->time.now_ns - s->threads.off_ns;
	s->threads.off_ns = SIM_NEVER;
}

void
sim_thread_counting(struct sim_req *r, uint32_t classes)
{
	struct sim_state *s = r->k->s;

	if (classes == 0 && s->threads.classes != 0)
		s->threads.off_ns = r->k->s->time.now_ns;
	if (classes != 0) {
		threads_resume(r->k);
		s->threads.kept = classes;
	}
	s->threads.classes = classes;
	if (classes != 0 && r->who->thread != 0 &&
	    own_thread_find(s, r->who) == NULL)
		own_thread_start(r->k, r->who);
}

/* From macOS 26.5 on, Apple silicon's kpc uses CPC: words are pending until
 * counting is set, kpc.config returns the hardware's words, and counts restart
 * at 0 when the set is removed. */

#define SELECTOR 0xffffull

/* Longest period: 2^63 - 2; 2^47 - 2 for the M1's 47-bit counters. */
static uint64_t
longest_period(const struct sim_kernel *k)
{
	bool m1 = strcmp(k->m->db, "a14") == 0;

	return (UINT64_C(1) << (m1 ? 47 : 63)) - 2;
}

static bool
selector_known(const struct sim_kernel *k, uint64_t word)
{
	uint64_t selector = word & SELECTOR;

	if (selector == 0)
		return true;
	return !sim_fault_refuses(k, selector) &&
	       (k->pmu->event_bits > 8 || selector < 0x100) &&
	       sim_counts_event(k, selector) >= 0;
}

int
sim_cpc_words(struct sim_kernel *k, uint32_t classes, const uint64_t *word)
{
	struct sim_state *s = k->s;
	uint32_t mask = sim_config_mask(k);
	bool config = classes & KPC_CLASS_CONFIGURABLE_MASK;
	unsigned n = config ? bits_count(mask) : 0;

	for (unsigned i = 0; i < n; i++)
		if (!selector_known(k, word[i]))
			return EPERM;
	memset(s->kpc.word, 0, sizeof s->kpc.word);
	for (unsigned i = 0; config && i < k->m->nconfig; i++)
		if (mask >> i & 1)
			s->kpc.word[i] = *word++;
	memset(s->kpc.raw, 0, sizeof s->kpc.raw);
	if (classes & KPC_CLASS_RAWPMU_MASK)
		memcpy(s->kpc.raw, word, sim_raw_words(k) * sizeof *word);
	s->kpc.stale = true;
	return 0;
}

static void
counters_clear(struct sim_kernel *k)
{
	struct sim_state *s = k->s;

	for (unsigned c = 0; c < k->ncpus; c++)
		if (sim_online(k, c, s->time.now_ns)) {
			s->kpc.enabled[c] = 0;
			memset(s->kpc.total[c], 0, sizeof s->kpc.total[c]);
		}
	for (unsigned i = 0; i < SIM_PMCS; i++)
		s->kpc.shown[i] &= SELECTOR;
	s->kpc.applied = false;
}

/* The kernel writes PMESR only if there is an event, and the raw registers only
 * if one of their words is not 0. */
static void
set_apply(struct sim_kernel *k)
{
	static const uint64_t no_raw[SIM_RAW_WORDS];
	struct sim_state *s = k->s;
	bool events = false;

	for (unsigned i = 0; i < SIM_PMCS; i++) {
		uint64_t selector = s->kpc.set[i] & SELECTOR;

		/* With CPC, every event counts in 64-bit user mode only. */
		s->kpc.live[i] =
			selector != 0 ? selector | KPC_CONFIG_EL0_64 : 0;
		events |= selector != 0;
	}
	if (events)
		memcpy(s->kpc.shown, s->kpc.live, sizeof s->kpc.shown);
	if (memcmp(s->kpc.raw_set, no_raw, sizeof no_raw) != 0)
		memcpy(s->kpc.raw_shown, s->kpc.raw_set,
		       sizeof s->kpc.raw_shown);
	for (unsigned c = 0; c < k->ncpus; c++)
		if (sim_online(k, c, s->time.now_ns))
			s->kpc.enabled[c] = sim_all_pmcs(k);
	s->kpc.applied = true;
}

static bool
set_make(struct sim_kernel *k)
{
	struct sim_state *s = k->s;

	s->kpc.made = false;
	for (unsigned i = 0; i < 2 + k->m->nconfig; i++)
		if (s->kpc.period[i] >= longest_period(k))
			return false;
	memcpy(s->kpc.set, s->kpc.word, sizeof s->kpc.set);
	memcpy(s->kpc.raw_set, s->kpc.raw, sizeof s->kpc.raw_set);
	s->kpc.made = true;
	s->kpc.stale = false;
	return true;
}

static int
set_change(struct sim_kernel *k, uint32_t classes)
{
	const uint32_t slots =
		KPC_CLASS_CONFIGURABLE_MASK | KPC_CLASS_POWER_MASK;
	struct sim_state *s = k->s;

	if ((classes & slots) == 0) {
		if ((s->kpc.run_classes & KPC_CLASS_CONFIGURABLE_MASK) &&
		    s->kpc.applied)
			counters_clear(k);
		return 0;
	}
	if (!s->kpc.made || s->kpc.stale) {
		if (s->kpc.applied)
			counters_clear(k);
		if (!set_make(k))
			return EINVAL;
	}
	if (!s->kpc.applied)
		set_apply(k);
	return 0;
}

int
sim_cpc_counting(struct sim_kernel *k, uint32_t classes)
{
	struct sim_state *s = k->s;

	sim_counts_close(k);
	int code = set_change(k, classes);
	if (code == 0) {
		s->kpc.run_classes =
			classes | (classes & KPC_CLASS_POWER_MASK
					   ? KPC_CLASS_CONFIGURABLE_MASK
					   : 0);
		s->kpc.run_mask =
			(classes & KPC_CLASS_CONFIGURABLE_MASK
				 ? sim_config_mask(k)
				 : 0) |
			(classes & KPC_CLASS_POWER_MASK ? sim_power_mask(k)
							: 0);
	}
	sim_counts_open(k);
	s->time.idle_ns = SIM_NEVER;
	sim_faults_plan(k);
	return code;
}

/* If a set is applied, a core that powers on continues its counts; otherwise
 * they restart at 0. */
void
sim_cpc_back(struct sim_kernel *k, unsigned cpu)
{
	if (!k->s->kpc.applied)
		memset(k->s->kpc.total[cpu], 0, sizeof k->s->kpc.total[cpu]);
}

static unsigned
first_counter(const struct sim_kernel *k, uint32_t class, unsigned *n)
{
	*n = class == KPC_CLASS_FIXED_MASK ? k->m->nfixed : k->m->nconfig;
	return class == KPC_CLASS_FIXED_MASK ? 0 : k->m->nfixed;
}

int
sim_cpc_periods(struct sim_kernel *k, uint32_t classes, const uint64_t *word,
		unsigned n)
{
	struct sim_state *s = k->s;
	uint64_t fresh[SIM_ROW_MAX] = { 0 };
	unsigned at = 0, len, first;

	for (unsigned i = 0; i < n; i++)
		if (word[i] > longest_period(k))
			return EINVAL;
	for (uint32_t c = KPC_CLASS_FIXED_MASK;
	     c <= KPC_CLASS_CONFIGURABLE_MASK; c <<= 1) {
		first = first_counter(k, c, &len);
		for (unsigned i = 0; (classes & c) && i < len && at < n; i++)
			if (c == KPC_CLASS_FIXED_MASK ||
			    (sim_config_mask(k) >> i & 1))
				fresh[first + i] = word[at++];
	}
	memcpy(s->kpc.period, fresh, sizeof s->kpc.period);
	s->kpc.stale = true;
	return 0;
}

void
sim_cpc_periods_read(const struct sim_kernel *k, uint32_t classes,
		     uint64_t *word)
{
	unsigned len, first;

	for (uint32_t c = KPC_CLASS_FIXED_MASK;
	     c <= KPC_CLASS_CONFIGURABLE_MASK; c <<= 1) {
		first = first_counter(k, c, &len);
		for (unsigned i = 0; (classes & c) && i < len; i++)
			if (c == KPC_CLASS_FIXED_MASK ||
			    (sim_config_mask(k) >> i & 1))
				*word++ = k->s->kpc.period[first + i];
	}
}

/*
 * The kernel from macOS 26.5 on, where kpc is a layer over CPC: words are a
 * wish until counting starts or is asked for again, what is read back is the
 * hardware's, and sums begin at zero whenever the set goes.
 */
#include <errno.h>
#include <string.h>

#include "base/bits.h"
#include "kperf/abi.h"
#include "sim/inside.h"

#define SELECTOR 0xffffull

/* The largest period: 2^63 - 2, on the 47-bit counters of the M1 2^47 - 2. */
static uint64_t
longest(const struct sim_kernel *k)
{
	bool m1 = strcmp(k->m->db, "a14") == 0;

	return (UINT64_C(1) << (m1 ? 47 : 63)) - 2;
}

/* cpc_find_event: the selector has 16 bits on every chip. */
static bool
known(const struct sim_kernel *k, uint64_t word)
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
		if (!known(k, word[i]))
			return EPERM;
	/* Words of a class that is not named are gone. */
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

/*
 * PMESR and the mode bits of PMCR1, of the CPU the call runs on. Taking the
 * set away clears the modes and leaves the selectors.
 */
uint64_t
sim_cpc_read_word(const struct sim_kernel *k, unsigned pmc)
{
	const struct sim_state *s = k->s;

	return s->kpc.shown[pmc];
}

/* PMCs off and their sums zero, on the CPUs that take the interrupt. */
static void
take_away(struct sim_kernel *k)
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

/* Without any event PMESR is not written, nor raw registers where all are 0. */
static void
apply(struct sim_kernel *k)
{
	static const uint64_t no_raw[SIM_RAW_WORDS];
	struct sim_state *s = k->s;
	bool events = false;

	for (unsigned i = 0; i < SIM_PMCS; i++) {
		uint64_t selector = s->kpc.set[i] & SELECTOR;

		/* No mode, or AArch32 alone, or the kernel: user mode. */
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

/* The set from what was asked for; false: it cannot be made. */
static bool
make(struct sim_kernel *k)
{
	struct sim_state *s = k->s;

	s->kpc.made = false;
	for (unsigned i = 0; i < 2 + k->m->nconfig; i++)
		if (s->kpc.period[i] >= longest(k))
			return false;
	memcpy(s->kpc.set, s->kpc.word, sizeof s->kpc.set);
	memcpy(s->kpc.raw_set, s->kpc.raw, sizeof s->kpc.raw_set);
	s->kpc.made = true;
	s->kpc.stale = false;
	return true;
}

static int
change(struct sim_kernel *k, uint32_t classes)
{
	const uint32_t slots =
		KPC_CLASS_CONFIGURABLE_MASK | KPC_CLASS_POWER_MASK;
	struct sim_state *s = k->s;

	if ((classes & slots) == 0) {
		if ((s->kpc.run_classes & KPC_CLASS_CONFIGURABLE_MASK) &&
		    s->kpc.applied)
			take_away(k);
		return 0;
	}
	if (!s->kpc.made || s->kpc.stale) {
		if (s->kpc.applied)
			take_away(k);
		if (!make(k))
			return EINVAL;
	}
	if (!s->kpc.applied)
		apply(k);
	return 0;
}

int
sim_cpc_counting(struct sim_kernel *k, uint32_t classes)
{
	struct sim_state *s = k->s;
	int code;

	sim_counts_close(k);
	code = change(k, classes);
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

/* A core that comes back goes on from its sums, if there is a set. */
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

/* All periods are replaced, those of a class that is not named by 0. */
int
sim_cpc_periods(struct sim_kernel *k, uint32_t classes, const uint64_t *word,
		unsigned n)
{
	struct sim_state *s = k->s;
	uint64_t fresh[SIM_ROW_MAX] = { 0 };
	unsigned at = 0, len, first;

	for (unsigned i = 0; i < n; i++)
		if (word[i] > longest(k))
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

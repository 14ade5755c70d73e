/* Config words: what may be written, what the registers keep of it. */
#include <string.h>

#include "kperf/abi.h"
#include "sim/inside.h"

static uint64_t
selector_of(const struct sim_kernel *k, uint64_t word)
{
	bool narrow = k->pmu->event_bits == 8 && !k->pmu->intel;

	return word & (narrow ? KPC_CONFIG_EVENT_8 : KPC_CONFIG_EVENT_16);
}

/* What the registers keep of a word, by version (a64/kpc.c set_modes). */
uint64_t
sim_word_normal(const struct sim_kernel *k, uint64_t word)
{
	uint64_t user = KPC_CONFIG_EL0_32 | KPC_CONFIG_EL0_64, mode;

	if (!sim_arm(k))
		return word & 0xffc7ffff;
	if (word == 0)
		return 0;
	if (k->s->os < SIM_OS(15, 0)) {
		mode = word & (user | KPC_CONFIG_EL1);
		if (mode == 0)
			mode = KPC_CONFIG_MODES;
		if (mode & KPC_CONFIG_EL1)
			mode |= KPC_CONFIG_EL3;
		return selector_of(k, word) | mode;
	}
	mode = word & user;
	if (mode == 0)
		mode = KPC_CONFIG_EL0_64;
	if (k->s->os >= SIM_OS(15, 4))
		mode &= ~KPC_CONFIG_EL0_32;
	return selector_of(k, word) | mode;
}

/* xnu-7195.81.3: the list of 11.0 to 11.3. */
static bool
allowed_11(uint64_t selector)
{
	static const uint8_t list[] = { 0x00, 0x02, 0x8a, 0x8b, 0x8c,
					0x8d, 0xbf, 0xc0, 0xc1, 0xc4,
					0xcb, 0xd3, 0xd4 };

	for (unsigned i = 0; i < sizeof list; i++)
		if (list[i] == selector)
			return true;
	return false;
}

/* The first version whose list knows the chip; M5's is not public. */
static uint32_t
listed_since(const struct sim_kernel *k)
{
	if (k->pmu->event_bits == 8)
		return SIM_OS(14, 2);
	if (strcmp(k->m->db, "as4-1") == 0)
		return SIM_OS(15, 4);
	return k->pmu->allowed != NULL ? SIM_OS(15, 0) : SIM_OS(26, 0);
}

bool
sim_word_allowed(const struct sim_kernel *k, uint64_t word)
{
	uint64_t selector = selector_of(k, word);
	uint32_t os = k->s->os;

	if (sim_fault_refuses(k, selector))
		return false;
	if (!sim_arm(k) || selector == 0)
		return true;
	if (os < SIM_OS(11, 4))
		return allowed_11(selector);
	if (os < SIM_OS(14, 2))
		return true;
	if (os >= SIM_OS(26, 0))
		return sim_counts_event(k, selector) >= 0;
	return os >= listed_since(k) && pmu_allows(k->pmu, selector);
}

/* words: one for each PMC that is visible now, in their order. */
void
sim_words_set(struct sim_kernel *k, const uint64_t *word)
{
	struct sim_state *s = k->s;
	uint32_t mask = sim_config_mask(k);

	if (sim_cpc(k)) {
		(void)sim_cpc_words(k, KPC_CLASS_CONFIGURABLE_MASK, word);
		return;
	}
	sim_counts_close(k);
	for (unsigned i = 0; i < k->m->nconfig; i++)
		if (mask >> i & 1)
			s->kpc.word[i] = sim_word_normal(k, *word++);
	memcpy(s->kpc.live, s->kpc.word, sizeof s->kpc.live);
	sim_counts_open(k);
}

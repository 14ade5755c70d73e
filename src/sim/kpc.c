#include "sim/inside.h"

#include <errno.h>
#include <string.h>

#include "kperf/abi.h"

/* The word in the registers after `word` is set, by macOS (a64/kpc.c,
 * set_modes) */
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
		return sim_selector(k, word) | mode;
	}
	mode = word & user;
	if (mode == 0)
		mode = KPC_CONFIG_EL0_64;
	if (k->s->os >= SIM_OS(15, 4))
		mode &= ~KPC_CONFIG_EL0_32;
	return sim_selector(k, word) | mode;
}

/* The allow list of macOS 11.0 to 11.3 (xnu-7195.81.3). */
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

/* The first macOS whose allow list has the chip. The M5's list is not
 * published. */
static uint32_t
allow_list_since(const struct sim_kernel *k)
{
	if (k->pmu->event_bits == 8)
		return SIM_OS(14, 2);
	if (strcmp(k->m->db, "as4-1") == 0)
		return SIM_OS(15, 4);
	return k->pmu->allowed != NULL ? SIM_OS(15, 0) : SIM_OS(26, 0);
}

static bool
sim_word_allowed(const struct sim_kernel *k, uint64_t word)
{
	uint64_t selector = sim_selector(k, word);
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
	return os >= allow_list_since(k) && pmu_allows(k->pmu, selector);
}

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

int
sim_counting_set(struct sim_kernel *k, uint32_t classes)
{
	struct sim_state *s = k->s;

	if (sim_cpc(k))
		return sim_cpc_counting(k, classes);
	uint32_t config = sim_config_mask(k), power = sim_power_mask(k);
	uint32_t target = config | power;
	uint32_t on = (classes & KPC_CLASS_CONFIGURABLE_MASK ? config : 0) |
		      (classes & KPC_CLASS_POWER_MASK ? power : 0);

	sim_counts_close(k);
	for (unsigned c = 0; c < k->ncpus; c++)
		if (sim_online(k, c, s->time.now_ns))
			s->kpc.enabled[c] = (s->kpc.enabled[c] & ~target) | on;
	s->kpc.run_classes = classes | (classes & KPC_CLASS_POWER_MASK
						? KPC_CLASS_CONFIGURABLE_MASK
						: 0);
	s->kpc.run_mask = on;
	sim_counts_open(k);
	s->time.idle_ns = SIM_NEVER;
	sim_faults_plan(k);
	return 0;
}

int
sim_force_set(struct sim_kernel *k, const struct sim_holder *who, bool on)
{
	struct sim_state *s = k->s;

	if (s->kpc.force && (s->kpc.force_by.pid != who->pid ||
			     s->kpc.force_by.born != who->born ||
			     s->kpc.force_by.task != who->task))
		return sim_cpc(k) ? 0 : EACCES;
	if (s->kpc.force == on)
		return 0;
	s->kpc.force = on;
	memset(&s->kpc.force_by, 0, sizeof s->kpc.force_by);
	if (on)
		s->kpc.force_by = *who;
	s->time.idle_ns = SIM_NEVER;
	sim_faults_plan(k);
	return 0;
}

/* As x86/kpc.c: the version field of CPUID 0xA. */
static uint32_t
pmu_version(const struct sim_kernel *k)
{
	if (sim_arm(k))
		return KPC_PMU_ARM_APPLE;
	return k->pmu_version == 3   ? KPC_PMU_INTEL_V3
	       : k->pmu_version == 2 ? KPC_PMU_INTEL_V2
				     : KPC_PMU_ERROR;
}

static int
count_request(struct sim_req *r, bool config)
{
	uint32_t classes = 0;
	int code = sim_req_in(r, &classes, sizeof classes);

	if (code != 0)
		return code;
	int32_t n = (int32_t)(config ? sim_config_count(r->k, classes)
				     : sim_counter_count(r->k, classes));
	return sim_req_out(r, &n, sizeof n);
}

static int
counting_request(struct sim_req *r)
{
	int32_t fresh;
	bool set;
	int code = sim_req_int(r, (int32_t)sim_counting(r->k), &fresh, &set);

	return code == 0 && set ? sim_counting_set(r->k, (uint32_t)fresh)
				: code;
}

static int
thread_counting_request(struct sim_req *r)
{
	int32_t fresh;
	bool set;
	uint32_t now = r->k->s->threads.classes & sim_classes(r->k) &
		       ~KPC_CLASS_RAWPMU_MASK;
	int code = sim_req_int(r, (int32_t)now, &fresh, &set);

	if (code == 0 && set)
		sim_thread_counting(r, (uint32_t)fresh);
	return code;
}

static int
force_request(struct sim_req *r)
{
	struct sim_holder me = sim_holder_of(r->who);
	int32_t fresh;
	bool set;
	/* As cpc.c: without a power manager, force reads as 1. */
	bool held = r->k->s->kpc.force || (sim_cpc(r->k) && !r->k->s->has_pm);
	int code = sim_req_int(r, held, &fresh, &set);

	if (code == 0 && set)
		code = sim_force_set(r->k, &me, fresh != 0);
	return code;
}

static int
sw_inc_request(struct sim_req *r)
{
	int32_t fresh;
	bool set;
	int code = sim_req_int(r, 0, &fresh, &set);

	return code != 0 ? code : ENOTSUP;
}

/* Checks all words before any change, as sysctl_getset_bigarray does. */
static int
words_check(const struct sim_kernel *k, uint32_t classes, const uint64_t *word)
{
	unsigned at = sim_config_count(k, classes & KPC_CLASS_FIXED_MASK);
	unsigned n = sim_config_count(k, KPC_CLASS_CONFIGURABLE_MASK);

	if (classes & KPC_CLASS_POWER_MASK)
		return EPERM;
	if (classes & KPC_CLASS_RAWPMU_MASK && k->s->has_pm && !k->s->kpc.force)
		return EPERM;
	if (classes & KPC_CLASS_CONFIGURABLE_MASK)
		for (unsigned i = 0; i < n; i++)
			if (!sim_word_allowed(k, word[at + i]))
				return EPERM;
	return 0;
}

static void
words_store(struct sim_kernel *k, uint32_t classes, const uint64_t *word)
{
	word += sim_config_count(k, classes & KPC_CLASS_FIXED_MASK);
	if (classes & KPC_CLASS_CONFIGURABLE_MASK) {
		sim_words_set(k, word);
		word += sim_config_count(k, KPC_CLASS_CONFIGURABLE_MASK);
		sim_faults_plan(k);
	}
	if (sim_config_count(k, classes & KPC_CLASS_RAWPMU_MASK) != 0)
		memcpy(k->s->kpc.raw, word, sim_raw_words(k) * sizeof *word);
}

static int
words_write(struct sim_req *r, uint32_t classes)
{
	struct sim_holder me = sim_holder_of(r->who);
	uint64_t *buf = r->k->s->kpc.buffer;
	int code;

	if (!sim_cpc(r->k)) {
		if ((code = words_check(r->k, classes, buf)) == 0)
			words_store(r->k, classes, buf);
		return code;
	}
	if (classes & KPC_CLASS_POWER_MASK)
		return EPERM;
	/* As kpc_set_config_kernel: "user space always forces". */
	(void)sim_force_set(r->k, &me, true);
	return sim_cpc_words(r->k, classes, buf);
}

static void
words_load(const struct sim_kernel *k, uint32_t classes, uint64_t *word)
{
	/* With CPC, these are PMESR and the mode bits of PMCR1. */
	const uint64_t *shown = sim_cpc(k) ? k->s->kpc.shown : k->s->kpc.word;
	uint32_t mask = 0;

	/* IA32_FIXED_CTR_CTRL: all fixed counters count in both modes. */
	if (sim_config_count(k, classes & KPC_CLASS_FIXED_MASK) != 0)
		*word++ = 0x333;
	if (classes & KPC_CLASS_CONFIGURABLE_MASK)
		mask |= sim_config_mask(k);
	for (unsigned i = 0; i < k->m->nconfig; i++)
		if (mask >> i & 1)
			*word++ = shown[i];
	mask = classes & KPC_CLASS_POWER_MASK ? sim_power_mask(k) : 0;
	for (unsigned i = 0; i < k->m->nconfig; i++)
		if (mask >> i & 1)
			*word++ = shown[i];
	if (sim_config_count(k, classes & KPC_CLASS_RAWPMU_MASK) != 0)
		memcpy(word, sim_cpc(k) ? k->s->kpc.raw_shown : k->s->kpc.raw,
		       sim_raw_words(k) * sizeof *word);
}

static int
config_request(struct sim_req *r)
{
	struct sim_kernel *k = r->k;
	uint64_t *buf = k->s->kpc.buffer, arg = 0;
	int code = sim_req_in(r, &arg, sizeof arg);
	uint32_t classes = (uint32_t)arg;
	size_t size = sim_config_count(k, classes) * sizeof *buf;

	if (code != 0)
		return code;
	if (size == 0)
		return EINVAL;
	if (r->fresh != NULL && sim_req_in(r, buf, size) == 0) {
		if ((code = words_write(r, classes)) != 0)
			return code;
	} else if (r->fresh != NULL && r->old == NULL) {
		return EINVAL;
	}
	if (r->old == NULL)
		return 0;
	words_load(k, classes, buf);
	return sim_req_out(r, buf, size);
}

static int
period_check(const struct sim_kernel *k, uint32_t classes)
{
	if (classes & KPC_CLASS_POWER_MASK)
		return EPERM;
	if (!sim_arm(k) && classes & KPC_CLASS_FIXED_MASK)
		return EINVAL;
	return sim_arm(k) && !sim_cpc(k) && classes & KPC_CLASS_FIXED_MASK &&
			       k->s->has_pm && k->s->pm_custom &&
			       !k->s->kpc.force
		       ? EPERM
		       : 0;
}

/* kpc.period has 8-byte words, kpc.actionid 4-byte words. No interrupts are
 * simulated. */
static int
per_counter_request(struct sim_req *r, void *kept, size_t word, bool period)
{
	struct sim_kernel *k = r->k;
	uint64_t arg = 0;
	int code = sim_req_in(r, &arg, sizeof arg);
	size_t size = sim_counter_count(k, (uint32_t)arg) * word;

	if (code != 0)
		return code;
	if (size == 0)
		return EINVAL;
	if (r->fresh != NULL && sim_req_in(r, k->s->kpc.buffer, size) == 0) {
		if (period && (code = period_check(k, (uint32_t)arg)) != 0)
			return code;
		if (period && sim_cpc(k))
			code = sim_cpc_periods(k, (uint32_t)arg,
					       k->s->kpc.buffer,
					       (unsigned)(size / word));
		else
			memcpy(kept, k->s->kpc.buffer, size);
		if (code != 0)
			return code;
	} else if (r->fresh != NULL && r->old == NULL) {
		return EINVAL;
	}
	if (r->old == NULL)
		return 0;
	if (period && (code = period_check(k, (uint32_t)arg)) != 0)
		return code;
	if (period && sim_cpc(k))
		sim_cpc_periods_read(k, (uint32_t)arg, k->s->kpc.buffer);
	else
		memcpy(k->s->kpc.buffer, kept, size);
	return sim_req_out(r, k->s->kpc.buffer, size);
}

static int
value_request(struct sim_req *r, uint32_t value)
{
	return sim_req_out(r, &value, sizeof value);
}

/* clang-format off */
#define REQUEST(name, call) \
static int \
name(struct sim_req *r) \
{ \
	return call; \
}

REQUEST(classes_node, value_request(r, sim_classes(r->k)))
REQUEST(config_count_node, count_request(r, true))
REQUEST(counter_count_node, count_request(r, false))
REQUEST(thread_counters_node, r->who->table_thread != 0 ? sim_traced_own(r) : sim_kpc_thread_counters(r))
REQUEST(counters_node, sim_kpc_counters(r, false))
REQUEST(shadow_node, sim_kpc_counters(r, true))
REQUEST(period_node, per_counter_request(r, r->k->s->kpc.period, sizeof(uint64_t), true))
REQUEST(actionid_node, per_counter_request(r, r->k->s->kpc.actionid, sizeof(uint32_t), false))
REQUEST(version_node, value_request(r, pmu_version(r->k)))
REQUEST(pc_capture_node, value_request(r, sim_arm(r->k)))

static const struct {
	const char *name;
	int (*answer)(struct sim_req *r);
	bool public, readonly;
	uint32_t since, until; /* as SIM_OS; until 0: no end */
} nodes[] = {
	{ "classes", classes_node, true, true, 0, 0 },
	{ "config_count", config_count_node, true, false, 0, 0 },
	{ "counter_count", counter_count_node, true, false, 0, 0 },
	{ "counting", counting_request, false, false, 0, 0 },
	{ "thread_counting", thread_counting_request, false, false, 0, 0 },
	{ "thread_counters", thread_counters_node, false, false, 0, 0 },
	{ "counters", counters_node, false, false, 0, 0 },
	{ "shadow_counters", shadow_node, false, false, 0, SIM_OS(26, 5) },
	{ "config", config_request, false, false, 0, 0 },
	{ "period", period_node, false, false, 0, 0 },
	{ "actionid", actionid_node, false, false, 0, 0 },
	{ "sw_inc", sw_inc_request, false, false, 0, SIM_OS(26, 5) },
	{ "pmu_version", version_node, false, true, 0, 0 },
	{ "force_all_ctrs", force_request, false, false, 0, 0 },
	{ "pc_capture_supported", pc_capture_node, true, true, SIM_OS(12, 0), 0 }
};
enum { NODES = sizeof nodes / sizeof *nodes };
/* clang-format on */

int
sim_kpc(struct sim_req *r, const char *name)
{
	const struct sim_kernel *k = r->k;
	unsigned i = 0;

	if (k->m->pmu == 0)
		return ENOENT; /* a kernel without CONFIG_CPU_COUNTERS */
	while (i < NODES &&
	       (strcmp(nodes[i].name, name) != 0 || k->s->os < nodes[i].since))
		i++;
	if (i < NODES && nodes[i].until != 0 && sim_cpc(k))
		i = NODES;
	if (i == NODES)
		return ENOENT;
	if (nodes[i].readonly && r->fresh != NULL)
		return EPERM;
	if (nodes[i].answer == pc_capture_node)
		return nodes[i].answer(r);
	if (k->pmu_version < 2)
		return ENOTSUP;
	if (!nodes[i].public && !sim_ktrace_allows(r))
		return EPERM;
	if (k->s->os >= SIM_OS(12, 0) && !sim_cpc(k) &&
	    (k->s->kpc.cpmu_owned || sim_fault_now(k, SIM_FAULT_BUSY) != NULL))
		return EBUSY;
	return nodes[i].answer(r);
}

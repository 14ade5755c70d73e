#include "model/event.h"

#include <stdio.h>
#include <string.h>

#include "base/bits.h"
#include "base/buf.h"

const char *const domain_name[] = { "", "all", "user", "kernel", "mixed" };

static int
name_compare(const char *name, size_t n, const char *whole)
{
	int d = strncmp(name, whole, n);

	if (d == 0 && whole[n] != '\0')
		return -1;
	return d;
}

const struct event *
catalog_find_n(const struct catalog *c, const char *name, unsigned n)
{
	unsigned low = 0, high = c->len;

	while (low < high) {
		unsigned mid = low + (high - low) / 2;
		int d = name_compare(name, n, c->event[mid].name);

		if (d == 0)
			return &c->event[mid];
		if (d < 0)
			high = mid;
		else
			low = mid + 1;
	}
	for (unsigned i = 0; i < c->len; i++)
		if (c->event[i].alias != NULL &&
		    name_compare(name, n, c->event[i].alias) == 0)
			return &c->event[i];
	return NULL;
}

const struct event *
catalog_find(const struct catalog *c, const char *name)
{
	return catalog_find_n(c, name, (unsigned)strlen(name));
}

const struct event *
catalog_find_any(const struct catalog *c, const char *names)
{
	for (;;) {
		unsigned n = (unsigned)strcspn(names, "|");
		const struct event *e = catalog_find_n(c, names, n);

		if (e != NULL || names[n] == '\0')
			return e;
		names += n + 1;
	}
}

uint32_t
eventset_own(const struct eventset *s)
{
	uint32_t own = 0;

	for (unsigned i = 0; i < s->len; i++)
		if (strncmp(s->slot[i].event->name, "SW_", 3) == 0)
			own |= 1u << i;
	return own;
}

int
eventset_find_n(const struct eventset *s, const char *name, unsigned n)
{
	for (unsigned i = 0; i < s->len; i++) {
		const struct event *e = s->slot[i].event;

		if (name_compare(name, n, e->name) == 0 ||
		    (e->alias != NULL && name_compare(name, n, e->alias) == 0))
			return (int)i;
	}
	return -1;
}

int
eventset_find(const struct eventset *s, const char *name)
{
	return eventset_find_n(s, name, (unsigned)strlen(name));
}

bool
eventset_same_events(const struct eventset *a, const struct eventset *b)
{
	if (a->len != b->len)
		return false;
	for (unsigned i = 0; i < a->len; i++)
		if (a->slot[i].event != b->slot[i].event)
			return false;
	return true;
}

bool
eventset_same(const struct eventset *a, const struct eventset *b)
{
	if (!eventset_same_events(a, b) || strcmp(a->name, b->name) != 0)
		return false;
	for (unsigned i = 0; i < a->len; i++)
		if (a->slot[i].counter != b->slot[i].counter)
			return false;
	return true;
}

void
eventset_drop(struct eventset *s, const char *event, const char *why)
{
	if (s->ndropped == EVENTSET_MAX)
		return;
	snprintf(s->dropped[s->ndropped].why, sizeof s->dropped[0].why, "%s",
		 why);
	s->dropped[s->ndropped++].event = event;
}

unsigned
eventset_uncounted(const struct eventset *s)
{
	uint32_t slots = 0;

	for (unsigned k = 0; k < s->ndropped; k++) {
		int slot = eventset_find(s, s->dropped[k].event);

		slots |= slot >= 0 ? 1u << slot : 0;
	}
	return bits_count(slots);
}

/* ---- labels ---- */

struct label {
	const char *event, *label;
};

/* + in a label: the event counts wrong paths, too. */
/* clang-format off */
static const struct label label_table[] = {
	{ "ARM_BR_MIS_PRED", "brmis+" }, { "ARM_BR_PRED", "br+" },
	{ "ARM_L1D_CACHE", "L1Dacc" }, { "ARM_L1D_CACHE_LMISS_RD", "L1Dlms" },
	{ "ARM_L1D_CACHE_RD", "L1Drd" }, { "ARM_L1D_CACHE_REFILL", "L1Dfil" },
	{ "ARM_L1I_CACHE", "L1Iacc" }, { "ARM_MEM_ACCESS", "mem" },
	{ "ARM_MEM_ACCESS_CHECKED", "memck" }, { "ARM_MEM_ACCESS_CHECKED_RD", "memckr" },
	{ "ARM_MEM_ACCESS_CHECKED_WR", "memckw" }, { "ARM_MEM_ACCESS_RD", "memrd" },
	{ "ARM_MEM_ACCESS_WR", "memwr" }, { "ARM_STALL", "nosend" },
	{ "ARM_STALL_BACKEND", "be-stl" }, { "ARM_STALL_FRONTEND", "fe-stl" },
	{ "ARM_STALL_SLOT", "stlslt" }, { "ARM_STALL_SLOT_BACKEND", "be-slt" },
	{ "ARM_STALL_SLOT_FRONTEND", "fe-slt" },
	{ "ATOMIC_OR_EXCLUSIVE_FAIL", "atfail" }, { "ATOMIC_OR_EXCLUSIVE_SUCC", "atomic" },
	{ "BRANCH_ANY", "br+" }, { "BRANCH_BR_INDIR_MISPRED_NONSPEC", "brimis" },
	{ "BRANCH_CALL_INDIR_MISPRED_NONSPEC", "icamis" }, { "BRANCH_COND_MISPRED_NONSPEC", "cndmis" },
	{ "BRANCH_INDIR_MISPRED_NONSPEC", "indmis" }, { "BRANCH_MISPRED_ANY", "brmis+" },
	{ "BRANCH_MISPRED_NONSPEC", "brmiss" }, { "BRANCH_RET_INDIR_MISPRED_NONSPEC", "retmis" },
	{ "CORE_ACTIVE_CYCLE", "cycles" }, { "CORE_CYCLE_ANY", "corcyc" }, { "CORE_CYCLE_PART", "cycprt" },
	{ "CORE_WAITING_SME_ENGINE_CYCLE", "SMEwt" }, { "DECODE_UOP", "decode" }, { "DRAM_FILL", "DRAM" },
	{ "FETCH_RESTART", "refet" }, { "FIXED_CYCLES", "fixcyc" }, { "FIXED_INSTRUCTIONS", "fixins" },
	{ "FLUSH_RESTART_OTHER_NONSPEC", "flush" },
	{ "INST_ALL", "inst" }, { "INST_BARRIER", "barr" }, { "INST_BRANCH", "branch" },
	{ "INST_BRANCH_CALL", "calls" }, { "INST_BRANCH_CALL_INDIR", "icalls" }, { "INST_BRANCH_COND", "cond" },
	{ "INST_BRANCH_INDIR", "indir" }, { "INST_BRANCH_RET", "rets" }, { "INST_BRANCH_TAKEN", "taken" },
	{ "INST_INT_ALU", "intalu" }, { "INST_INT_LD", "intld" }, { "INST_INT_ST", "intst" },
	{ "INST_LDST", "ldst" }, { "INST_LOAD", "loads" }, { "INST_MICROCODED", "ucode" },
	{ "INST_SIMD_ALU", "valu" }, { "INST_SIMD_ALU_VEC", "valu-v" }, { "INST_SIMD_LD", "vld" },
	{ "INST_SIMD_ST", "vst" }, { "INST_SME_ENGINE_ALU", "SMEalu" }, { "INST_SME_ENGINE_LD", "SMEld" },
	{ "INST_SME_ENGINE_PACKING_FUSED", "SMEpk" }, { "INST_SME_ENGINE_SCALARFP", "SMEfp" },
	{ "INST_SME_ENGINE_ST", "SMEst" }, { "INTERRUPT_PENDING", "irqpnd" },
	{ "L1D_ACCESS", "L1Dacc" }, { "L1D_CACHE_MISS_LD", "L1Dld+" }, { "L1D_CACHE_MISS_LD_NONSPEC", "L1D-ld" },
	{ "L1D_CACHE_MISS_ST", "L1Dst+" }, { "L1D_CACHE_MISS_ST_NONSPEC", "L1D-st" },
	{ "L1D_CACHE_WRITEBACK", "L1D-wb" }, { "L1D_FILL", "L1Dfil" }, { "L1D_TLB_ACCESS", "DTLBac" },
	{ "L1D_TLB_FILL", "DTLBfl" }, { "L1D_TLB_MISS", "DTLB+" }, { "L1D_TLB_MISS_NONSPEC", "DTLB" },
	{ "L1I_ACCESS", "L1Iacc" }, { "L1I_CACHE_MISS_DEMAND", "L1I" }, { "L1I_TLB_FILL", "ITLBfl" },
	{ "L1I_TLB_HIT_L2", "ITLBL2" }, { "L1I_TLB_MISS_DEMAND", "ITLB" },
	{ "L2_MISS", "L2miss" }, { "L2_MISS_CODE", "L2m-i" }, { "L2_REF", "L2ref" },
	{ "L2_TLB_MISS_DATA", "L2TLB" }, { "L2_TLB_MISS_INSTRUCTION", "L2TLBi" },
	{ "LDST_MEM_ACCESS_CHECKED_X2K", "x2kchk" }, { "LDST_OLDEST_MTE_TAG_CHECK_CYCLE", "MTEchk" },
	{ "LDST_SME_PRED_INACTIVE", "SMEoff" }, { "LDST_SME_XPG_UOP", "SMExpg" },
	{ "LDST_UNIT_OLD_L1D_CACHE_MISS", "oldmis" }, { "LDST_UNIT_WAITING_OLD_L1D_CACHE_MISS", "ldwait" },
	{ "LDST_UNIT_WAITING_SME_ENGINE_INST_QUEUE_FULL", "SMEque" },
	{ "LDST_UNIT_WAITING_SME_ENGINE_MEM_DATA", "SMEmem" },
	{ "LDST_X64_UOP", "xline" }, { "LDST_XPG_UOP", "xpage" }, { "LD_BLOCKED_BY_SME_LDST", "ldSME" },
	{ "LD_NT_UOP", "nt-ld" }, { "LD_SME_NORMAL_UOP", "SMEldu" }, { "LD_SME_NT_UOP", "SMEldn" },
	{ "LD_SRC_CORE_SAMECLUSTER_NONSPEC", "peer" }, { "LD_SRC_LL_CACHE_NONSPEC", "LLC" },
	{ "LD_SRC_MEMSYS_NONSPEC", "memsys" }, { "LD_SRC_MEMSYS_OTHERDIE_NONSPEC", "xd-mem" },
	{ "LD_SRC_OTHERCLUSTER_NONSPEC", "xclust" }, { "LD_SRC_OTHERCLUSTER_OTHERDIE_NONSPEC", "xd-clu" },
	{ "LD_SRC_PL2_CACHE_NONSPEC", "L2" }, { "LD_SRC_STORE_NONSPEC", "stfwd" }, { "LD_UNIT_UOP", "ld" },
	{ "LD_UNIT_WAITING_YOUNG_L1D_CACHE_MISS", "yngmis" }, { "LLC_MISS", "LLCmis" }, { "LLC_REF", "LLCref" },
	{ "LOAD_BEYOND_L2", "L2m-ld" }, { "MAP_DISPATCH_BUBBLE", "bubble" }, { "MAP_DISPATCH_BUBBLE_IC", "bubL1I" },
	{ "MAP_DISPATCH_BUBBLE_ITLB", "bubTLB" }, { "MAP_DISPATCH_BUBBLE_SLOT", "bubslt" },
	{ "MAP_DISPATCH_BUBBLE_TAKENBR_SLOT", "bubtkn" },
	{ "MAP_INT_SME_UOP", "SMEuop" }, { "MAP_INT_UOP", "intuop" }, { "MAP_LDST_UOP", "lsuop" },
	{ "MAP_RECOVERY", "recov" }, { "MAP_REWIND", "rewind" }, { "MAP_SIMD_UOP", "vuop" },
	{ "MAP_STALL", "stall" }, { "MAP_STALL_DISPATCH", "bkprs" }, { "MAP_STALL_NONRECOVERY", "stalnr" },
	{ "MAP_UOP", "uop" }, { "MMU_TABLE_WALK_DATA", "walk-d" }, { "MMU_TABLE_WALK_INSTRUCTION", "walk-i" },
	{ "MMU_VIRTUAL_MEMORY_FAULT_NONSPEC", "vmflt" }, { "OFFCORE_RESPONSE", "offcor" },
	{ "PL2_CACHE_ACCESS", "L2acc" }, { "PL2_CACHE_ACCESS_INSTRUCTION", "L2a-i" },
	{ "PL2_CACHE_ACCESS_LD", "L2a-ld" }, { "PL2_CACHE_ACCESS_MMU", "L2a-tw" }, { "PL2_CACHE_ACCESS_ST", "L2a-st" },
	{ "PL2_CACHE_MISS", "L2miss" }, { "PL2_CACHE_MISS_INSTRUCTION", "L2m-i" }, { "PL2_CACHE_MISS_LD", "L2m-ld" },
	{ "PL2_CACHE_MISS_MMU", "L2m-tw" }, { "PL2_CACHE_MISS_ST", "L2m-st" },
	{ "RETIRE_UOP", "retuop" }, { "SCHEDULE_EMPTY", "empty" }, { "SCHEDULE_UOP", "sched" },
	{ "SCHEDULE_UOP_ANY", "sched+" }, { "SCHEDULE_WAITING_SME_ENGINE_REG_DATA", "SMEreg" },
	{ "SLOT_CLEARED", "clrslt" }, { "SLOT_DELIVERY", "deliv" }, { "SLOT_DELIVERY_REST", "deliv" }, { "SLOT_DISCARDED", "discrd" }, { "SLOT_DISPATCHED", "dispat" },
	{ "SLOT_MISCOUNTED", "miscnt" }, { "SLOT_OTHER_THREAD", "thrd2" }, { "SLOT_PROCESSING", "procss" },
	{ "SLOT_PROCESSING_REST", "procss" },
	{ "SLOT_RECOVERY", "recslt" }, { "SLOT_RECOVERY_BACK", "recslt" }, { "SLOT_RECOVERY_SHARED", "recslt" }, { "SLOT_REST", "rest" }, { "SLOT_SMT", "smtslt" },
	{ "SLOT_SPECULATED", "specul" }, { "SLOT_STALLED", "stlslt" }, { "SLOT_TOTAL", "slots" },
	{ "SLOT_USEFUL", "useful" }, { "SME_ENGINE_SM_ENABLE", "SMEin" }, { "SME_ENGINE_SM_ZA_ENABLE", "SMEza" },
	{ "SME_ENGINE_ZA_ENABLED_SM_DISABLED", "ZAonly" }, { "ST_BARRIER_BLOCKED_BY_SME_LDST", "stbSME" },
	{ "ST_MEMORY_ORDER_VIOLATION_NONSPEC", "mordst" }, { "ST_MEM_ORDER_VIOL_LD_NONSPEC", "morder" },
	{ "ST_NT_UOP", "nt-st" }, { "ST_SME_NORMAL_UOP", "SMEstu" }, { "ST_SME_NT_UOP", "SMEstn" },
	{ "ST_UNIT_UOP", "st" }, { "SW_CONTEXT_SWITCHES", "ctx" }, { "SW_MIGRATIONS", "migr" },
	{ "SW_PAGE_FAULTS", "fault" },
};
/* clang-format on */

static char
to_lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool
is_label_char(char c)
{
	return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
	       (c >= '0' && c <= '9');
}

/* Keeps n characters of each word: "UOPS_RETIRED.SLOTS" becomes "UoReSl". */
static void
abbreviate(struct buf *b, const char *name, unsigned n)
{
	unsigned at = 0;

	for (; *name != '\0'; name++) {
		if (!is_label_char(*name)) {
			at = 0;
			continue;
		}
		if (at < n)
			buf_char(b, at > 0 ? to_lower(*name) : *name);
		at++;
	}
}

static const char *
known_label(const char *name)
{
	for (unsigned i = 0; i < sizeof label_table / sizeof *label_table; i++)
		if (strcmp(label_table[i].event, name) == 0)
			return label_table[i].label;
	return name;
}

void
event_label(const char *name, char out[EVENT_LABEL_SIZE])
{
	struct buf b = buf_over(out, EVENT_LABEL_SIZE - 1);

	buf_str(&b, known_label(name));
	for (unsigned n = EVENT_LABEL_SIZE; b.full && n > 0; n--) {
		b = buf_over(out, EVENT_LABEL_SIZE - 1);
		abbreviate(&b, name, n);
	}
	out[b.len] = '\0';
}

static const char *const head[] = {
	[EVENT_NOTE_ZERO] = "counts nothing:", [EVENT_NOTE_UNLIKE] = "unlike:"
};

void
event_note_put(struct buf *b, enum event_note note, const struct eventset *set,
	       uint32_t slots)
{
	bool begun = false;

	for (unsigned i = 0; i < set->len; i++) {
		if ((slots >> i & 1) == 0)
			continue;
		if (!begun)
			buf_printf(b, "%s%s", b->len > 0 ? "; " : "",
				   head[note]);
		begun = true;
		buf_printf(b, " %s", set->slot[i].event->name);
	}
}

static bool
is_note_word(const char *words, const char *name)
{
	size_t len = strlen(name);

	while (*words == ' ') {
		size_t n = strcspn(++words, " ;");

		if (n == len && memcmp(words, name, n) == 0)
			return true;
		words += n;
	}
	return false;
}

bool
event_note_has(const char *text, enum event_note note, const char *event)
{
	size_t len = strlen(head[note]);

	while (*text != '\0') {
		if (strncmp(text, head[note], len) == 0)
			return is_note_word(text + len, event);
		text += strcspn(text, ";");
		text += strspn(text, "; ");
	}
	return false;
}

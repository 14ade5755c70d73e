/* The presets' event sets on every Apple database, counter by counter. */
#include "model/metric.h"

#include "model/events_tsv.h"

#include <cmocka.h>

enum family { M1 = 1, M2 = 2, M3 = 4, M4 = 8, M5 = 16 };

static enum family
family_of(const char *db)
{
	if (strcmp(db, "a14") == 0)
		return M1;
	if (strcmp(db, "a15") == 0)
		return M2;
	if (strncmp(db, "as4", 3) == 0)
		return M4;
	if (strncmp(db, "as5", 3) == 0)
		return M5;
	return M3;
}

/*
 * The published lists, ordered by counter, with their corrections: the stalled
 * share is MAP_STALL_NONRECOVERY from M4 on, `memory` is called ldst, and
 * ldsrc counts INST_ALL instead of LD_SRC_STORE_NONSPEC.
 */
static const struct vector {
	const char *preset;
	unsigned families;
	const char *set;
} vector[] = {
	{ "basic", M1 | M2 | M3,
	  "CORE_ACTIVE_CYCLE@2 L1I_CACHE_MISS_DEMAND@3 MAP_REWIND@4 "
	  "BRANCH_MISPRED_NONSPEC@5 L1D_CACHE_MISS_LD_NONSPEC@6 INST_ALL@7 "
	  "MAP_STALL@8 MAP_DISPATCH_BUBBLE@9" },
	{ "basic", M4 | M5,
	  "INST_ALL@2 BRANCH_MISPRED_NONSPEC@3 L1D_CACHE_MISS_LD_NONSPEC@4 "
	  "CORE_ACTIVE_CYCLE@5 L1I_CACHE_MISS_DEMAND@6 "
	  "MAP_DISPATCH_BUBBLE_SLOT@7 MAP_STALL_NONRECOVERY@8 MAP_DISPATCH_BUBBLE@9" },
	{ "topdown", M1 | M2,
	  "CORE_ACTIVE_CYCLE@2 MAP_STALL@3 MAP_REWIND@4 MAP_INT_UOP@5 "
	  "MAP_LDST_UOP@6 RETIRE_UOP@7 MAP_SIMD_UOP@8 MAP_DISPATCH_BUBBLE@9" },
	{ "topdown", M3,
	  "CORE_ACTIVE_CYCLE@2 MAP_STALL@3 MAP_REWIND@4 MAP_UOP@5 "
	  "MAP_DISPATCH_BUBBLE@6 RETIRE_UOP@7 MAP_DISPATCH_BUBBLE_IC@8 "
	  "MAP_DISPATCH_BUBBLE_ITLB@9" },
	{ "topdown", M4 | M5,
	  "RETIRE_UOP@2 CORE_ACTIVE_CYCLE@3 MAP_STALL_NONRECOVERY@4 "
	  "MAP_RECOVERY@5 MAP_UOP@6 MAP_DISPATCH_BUBBLE_SLOT@7 "
	  "MAP_DISPATCH_BUBBLE@8 MAP_DISPATCH_BUBBLE_IC@9" },
	{ "branch", M1 | M2 | M3,
	  "CORE_ACTIVE_CYCLE@2 FETCH_RESTART@3 MAP_REWIND@4 INST_BRANCH@5 "
	  "BRANCH_MISPRED_NONSPEC@6 INST_ALL@7 MAP_DISPATCH_BUBBLE@8 "
	  "FLUSH_RESTART_OTHER_NONSPEC@9" },
	{ "branch", M4 | M5,
	  "INST_ALL@2 INST_BRANCH@3 BRANCH_MISPRED_NONSPEC@4 "
	  "INST_BRANCH_COND@5 BRANCH_COND_MISPRED_NONSPEC@6 "
	  "INST_BRANCH_TAKEN@7 CORE_ACTIVE_CYCLE@8 FETCH_RESTART@9" },
	{ "branchkind", M1 | M2 | M3,
	  "CORE_ACTIVE_CYCLE@2 FETCH_RESTART@3 BRANCH_COND_MISPRED_NONSPEC@5 "
	  "BRANCH_INDIR_MISPRED_NONSPEC@6 INST_ALL@7" },
	{ "branchkind", M4 | M5,
	  "INST_ALL@2 BRANCH_COND_MISPRED_NONSPEC@3 "
	  "BRANCH_INDIR_MISPRED_NONSPEC@4 BRANCH_RET_INDIR_MISPRED_NONSPEC@5 "
	  "BRANCH_CALL_INDIR_MISPRED_NONSPEC@6 INST_BRANCH_INDIR@7 "
	  "CORE_ACTIVE_CYCLE@8 FETCH_RESTART@9" },
	{ "l1d", M1 | M2 | M3,
	  "CORE_ACTIVE_CYCLE@2 MAP_STALL@3 MAP_REWIND@4 "
	  "L1D_CACHE_MISS_LD_NONSPEC@5 L1D_CACHE_MISS_ST_NONSPEC@6 "
	  "INST_ALL@7 L1D_CACHE_MISS_LD@8 LD_UNIT_UOP@9" },
	{ "l1d", M4 | M5,
	  "INST_ALL@2 L1D_CACHE_MISS_LD_NONSPEC@3 "
	  "L1D_CACHE_MISS_ST_NONSPEC@4 CORE_ACTIVE_CYCLE@5 "
	  "MAP_STALL_NONRECOVERY@6 MAP_DISPATCH_BUBBLE_SLOT@7 "
	  "L1D_CACHE_MISS_LD@8 LD_UNIT_UOP@9" },
	{ "dtlb", M1 | M2 | M3,
	  "L1D_TLB_ACCESS@2 L1D_TLB_MISS@3 L1D_TLB_FILL@4 "
	  "L1D_TLB_MISS_NONSPEC@5 L2_TLB_MISS_DATA@6 INST_ALL@7 "
	  "MMU_TABLE_WALK_DATA@8 CORE_ACTIVE_CYCLE@9" },
	{ "dtlb", M4 | M5,
	  "INST_ALL@2 L1D_TLB_MISS_NONSPEC@3 L1D_TLB_ACCESS@4 "
	  "L1D_TLB_MISS@5 L1D_TLB_FILL@6 L2_TLB_MISS_DATA@7 "
	  "MMU_TABLE_WALK_DATA@8 CORE_ACTIVE_CYCLE@9" },
	{ "frontend", M1 | M2 | M3,
	  "L1I_CACHE_MISS_DEMAND@2 L1I_TLB_MISS_DEMAND@3 L1I_TLB_FILL@4 "
	  "L2_TLB_MISS_INSTRUCTION@5 MMU_TABLE_WALK_INSTRUCTION@6 "
	  "INST_ALL@7 FETCH_RESTART@8 CORE_ACTIVE_CYCLE@9" },
	{ "frontend", M4 | M5,
	  "INST_ALL@2 L1I_CACHE_MISS_DEMAND@3 L1I_TLB_MISS_DEMAND@4 "
	  "L1I_TLB_FILL@5 L2_TLB_MISS_INSTRUCTION@6 "
	  "MMU_TABLE_WALK_INSTRUCTION@7 FETCH_RESTART@8 CORE_ACTIVE_CYCLE@9" },
	{ "stalls", M1 | M2,
	  "FLUSH_RESTART_OTHER_NONSPEC@2 CORE_ACTIVE_CYCLE@3 MAP_STALL@4 "
	  "MAP_STALL_DISPATCH@5 MAP_REWIND@6 RETIRE_UOP@7 "
	  "MAP_DISPATCH_BUBBLE@8 SCHEDULE_EMPTY@9" },
	{ "stalls", M3,
	  "CORE_ACTIVE_CYCLE@2 MAP_STALL@3 MAP_STALL_DISPATCH@4 "
	  "MAP_REWIND@5 SCHEDULE_EMPTY@6 RETIRE_UOP@7 "
	  "LDST_UNIT_OLD_L1D_CACHE_MISS@8 "
	  "LDST_UNIT_WAITING_OLD_L1D_CACHE_MISS@9" },
	{ "stalls", M4 | M5,
	  "RETIRE_UOP@2 CORE_ACTIVE_CYCLE@3 MAP_STALL_NONRECOVERY@4 "
	  "MAP_STALL_DISPATCH@5 MAP_REWIND@6 SCHEDULE_EMPTY@7 "
	  "LDST_UNIT_OLD_L1D_CACHE_MISS@8 "
	  "LDST_UNIT_WAITING_OLD_L1D_CACHE_MISS@9" },
	{ "mix", M1 | M2,
	  "CORE_ACTIVE_CYCLE@2 MAP_INT_UOP@3 MAP_LDST_UOP@4 INST_SIMD_LD@5 "
	  "INST_SIMD_ST@6 INST_SIMD_ALU@7 MAP_SIMD_UOP@8 LD_UNIT_UOP@9" },
	{ "mix", M3,
	  "CORE_ACTIVE_CYCLE@2 MAP_INT_UOP@3 MAP_LDST_UOP@4 INST_SIMD_LD@5 "
	  "INST_SIMD_ST@6 INST_SIMD_ALU@7 MAP_SIMD_UOP@8 MAP_UOP@9" },
	{ "mix", M4 | M5,
	  "INST_ALL@2 INST_SIMD_LD@3 INST_SIMD_ST@4 INST_INT_LD@5 "
	  "INST_BRANCH@6 INST_SIMD_ALU@7 MAP_SIMD_UOP@8 MAP_UOP@9" },
	{ "ldst", M1 | M2,
	  "LDST_X64_UOP@2 LDST_XPG_UOP@3 LD_UNIT_UOP@4 "
	  "ST_MEM_ORDER_VIOL_LD_NONSPEC@5 ST_UNIT_UOP@6 INST_LDST@7 "
	  "L1D_CACHE_WRITEBACK@8 CORE_ACTIVE_CYCLE@9" },
	{ "ldst", M3 | M4,
	  "LDST_X64_UOP@2 LDST_XPG_UOP@3 LD_UNIT_UOP@4 "
	  "ST_MEM_ORDER_VIOL_LD_NONSPEC@5 L1D_CACHE_WRITEBACK@6 INST_LDST@7 "
	  "LDST_UNIT_OLD_L1D_CACHE_MISS@8 CORE_ACTIVE_CYCLE@9" },
	{ "ldst", M5,
	  "ST_MEM_ORDER_VIOL_LD_NONSPEC@2 LDST_X64_UOP@3 LDST_XPG_UOP@4 "
	  "LD_UNIT_UOP@5 L1D_CACHE_WRITEBACK@6 INST_LDST@7 "
	  "LDST_UNIT_OLD_L1D_CACHE_MISS@8 CORE_ACTIVE_CYCLE@9" },
	{ "sync", M1 | M2 | M3,
	  "ATOMIC_OR_EXCLUSIVE_SUCC@2 ATOMIC_OR_EXCLUSIVE_FAIL@3 "
	  "INTERRUPT_PENDING@4 INST_BARRIER@5 LD_NT_UOP@6 INST_ALL@7 "
	  "ST_NT_UOP@8 CORE_ACTIVE_CYCLE@9" },
	{ "sync", M4 | M5,
	  "INST_ALL@2 INST_BARRIER@3 ATOMIC_OR_EXCLUSIVE_SUCC@4 "
	  "ATOMIC_OR_EXCLUSIVE_FAIL@5 INTERRUPT_PENDING@6 LD_NT_UOP@7 "
	  "ST_NT_UOP@8 CORE_ACTIVE_CYCLE@9" },
	{ "ldsrc", M5,
	  "LD_SRC_PL2_CACHE_NONSPEC@2 LD_SRC_LL_CACHE_NONSPEC@3 "
	  "LD_SRC_MEMSYS_NONSPEC@4 LD_SRC_CORE_SAMECLUSTER_NONSPEC@5 "
	  "LD_SRC_OTHERCLUSTER_NONSPEC@6 INST_ALL@7 PL2_CACHE_ACCESS@8 "
	  "PL2_CACHE_MISS@9" },
	{ "ldsrc", M1 | M2 | M3 | M4, "" },
	{ "sme", M4 | M5,
	  "INST_ALL@2 INST_SME_ENGINE_ALU@3 INST_SME_ENGINE_SCALARFP@4 "
	  "INST_SME_ENGINE_LD@5 INST_SME_ENGINE_ST@6 SME_ENGINE_SM_ENABLE@7 "
	  "SCHEDULE_WAITING_SME_ENGINE_REG_DATA@8 CORE_ACTIVE_CYCLE@9" },
	{ "sme", M1 | M2 | M3, "" },
};
enum { VECTORS = sizeof vector / sizeof vector[0] };

static const char *
set_text(const struct eventset *set, char *text, size_t size)
{
	size_t n = 0;

	text[0] = '\0';
	for (unsigned i = 0; i < set->len; i++)
		n += (size_t)snprintf(
			text + n, size - n, "%s%s@%u", i > 0 ? " " : "",
			set->slot[i].event->name, set->slot[i].counter);
	return text;
}

static const char *
derived(const char *preset, const struct catalog *c, enum domain domain,
	char *text, size_t size)
{
	const struct preset *p = &preset_table[preset_find(preset)];
	struct eventset set;
	struct err e;

	if (!preset_derive(p, c, domain, &set, &e)) {
		assert_int_equal(e.code, ERR_NO_PMU);
		return "";
	}
	assert_string_equal(set.name, preset);
	return set_text(&set, text, size);
}

UNIT(test_published_lists)
{
	char text[1024];
	unsigned seen = 0;

	for (unsigned d = 0; d < TSV_DBS; d++) {
		struct tsv_catalog *t = tsv_load(tsv_db[d], TSV_ANY);
		struct tsv_catalog *new = tsv_load(tsv_db[d], TSV_MACOS_26);

		for (unsigned v = 0; v < VECTORS; v++) {
			if ((vector[v].families & family_of(tsv_db[d])) == 0)
				continue;
			seen++;
			assert_string_equal(derived(vector[v].preset,
						    &t->catalog, DOMAIN_USER,
						    text, sizeof text),
					    vector[v].set);
			assert_string_equal(derived(vector[v].preset,
						    &t->catalog, DOMAIN_ALL,
						    text, sizeof text),
					    vector[v].set);
			assert_string_equal(derived(vector[v].preset,
						    &new->catalog, DOMAIN_USER,
						    text, sizeof text),
					    vector[v].set);
		}
		free(t);
		free(new);
	}
	assert_int_equal(seen, 13 * TSV_DBS);
}

UNIT(test_older_databases)
{
	struct tsv_catalog *m4 = tsv_load("as4", TSV_MACOS_15);
	struct tsv_catalog *m1 = tsv_load("a14", TSV_MACOS_15);
	char text[1024];

	assert_string_equal(
		derived("topdown", &m4->catalog, DOMAIN_USER, text,
			sizeof text),
		"RETIRE_UOP@2 CORE_ACTIVE_CYCLE@3 MAP_STALL@4 MAP_REWIND@5 "
		"MAP_UOP@6 MAP_DISPATCH_BUBBLE@7 MAP_DISPATCH_BUBBLE_IC@8 "
		"MAP_DISPATCH_BUBBLE_ITLB@9");
	assert_string_equal(
		derived("basic", &m4->catalog, DOMAIN_USER, text, sizeof text),
		"INST_ALL@2 BRANCH_MISPRED_NONSPEC@3 "
		"L1D_CACHE_MISS_LD_NONSPEC@4 CORE_ACTIVE_CYCLE@5 "
		"L1I_CACHE_MISS_DEMAND@6 MAP_REWIND@7 MAP_STALL@8 "
		"MAP_DISPATCH_BUBBLE@9");
	assert_string_equal(
		derived("sme", &m4->catalog, DOMAIN_USER, text, sizeof text),
		"");
	/* The same event under its older name, and no SCHEDULE_EMPTY. */
	assert_string_equal(
		derived("ldst", &m1->catalog, DOMAIN_USER, text, sizeof text),
		"LDST_X64_UOP@2 LDST_XPG_UOP@3 LD_UNIT_UOP@4 "
		"ST_MEMORY_ORDER_VIOLATION_NONSPEC@5 ST_UNIT_UOP@6 INST_LDST@7 "
		"L1D_CACHE_WRITEBACK@8 CORE_ACTIVE_CYCLE@9");
	assert_string_equal(
		derived("stalls", &m1->catalog, DOMAIN_USER, text, sizeof text),
		"FLUSH_RESTART_OTHER_NONSPEC@2 CORE_ACTIVE_CYCLE@3 MAP_STALL@4 "
		"MAP_STALL_DISPATCH@5 MAP_REWIND@6 RETIRE_UOP@7 "
		"MAP_DISPATCH_BUBBLE@8");
	free(m4);
	free(m1);
}

static const char *
why_dropped(const struct eventset *set, const char *event)
{
	for (unsigned i = 0; i < set->ndropped; i++)
		if (strcmp(set->dropped[i].event, event) == 0)
			return set->dropped[i].why;
	return "";
}

UNIT(test_reasons)
{
	struct tsv_catalog *t = tsv_load("a14", TSV_MACOS_26);
	struct tsv_catalog *m4 = tsv_load("as4", TSV_ANY);
	struct tsv_catalog *old = tsv_load("a14", TSV_ANY);
	struct eventset set;

	assert_true(preset_derive(&preset_table[preset_find("branchkind")],
				  &t->catalog, DOMAIN_ALL, &set, NULL));
	assert_string_equal(
		why_dropped(&set, "BRANCH_RET_INDIR_MISPRED_NONSPEC"),
		"counters 5,6,7 are taken by metrics before it");
	assert_true(preset_derive(&preset_table[preset_find("stalls")],
				  &t->catalog, DOMAIN_ALL, &set, NULL));
	assert_string_equal(why_dropped(&set, "LDST_UNIT_OLD_L1D_CACHE_MISS"),
			    "not in this machine's database");
	for (unsigned i = 0; i < old->catalog.len; i++)
		if (strcmp(old->event[i].name, "INST_BRANCH_COND") == 0)
			old->event[i].narrow = true;
	assert_true(preset_derive(&preset_table[preset_find("branch")],
				  &old->catalog, DOMAIN_ALL, &set, NULL));
	assert_string_equal(why_dropped(&set, "INST_BRANCH_COND"),
			    "counts less here than its name says");
	assert_true(preset_derive(&preset_table[preset_find("topdown")],
				  &m4->catalog, DOMAIN_ALL, &set, NULL));
	assert_string_equal(why_dropped(&set, "MAP_DISPATCH_BUBBLE_ITLB"),
			    "all counters are taken by metrics before it");
	/* Counted after all, by a later metric: not dropped. */
	assert_true(preset_derive(&preset_table[preset_find("basic")],
				  &m4->catalog, DOMAIN_ALL, &set, NULL));
	assert_int_equal(set.ndropped, 0);
	free(t);
	free(m4);
	free(old);
}

static bool
names_event(const char *const *name, unsigned n, const char *event,
	    const struct catalog *c)
{
	char formula[512];

	for (unsigned i = 0; i < n && name[i] != NULL; i++) {
		int m = metric_find(name[i]);
		const char *text =
			m < 0 ? name[i]
			      : metric_formula(&metric_table[m], c, formula,
					       sizeof formula);

		if (strstr(text, event) != NULL)
			return true;
	}
	return false;
}

/*
 * Every event of a set serves a metric of the preset that then is counted, or
 * what bottlenecks are judged by.
 */
UNIT(test_every_slot_serves)
{
	for (unsigned d = 0; d < TSV_DBS; d++) {
		struct tsv_catalog *t = tsv_load(tsv_db[d], TSV_ANY);

		for (unsigned p = 0; p < preset_count; p++) {
			struct eventset set;

			if (!preset_derive(&preset_table[p], &t->catalog,
					   DOMAIN_USER, &set, NULL))
				continue;
			for (unsigned i = 0; i < set.len; i++)
				assert_true(names_event(preset_table[p].metrics,
							PRESET_METRICS,
							set.slot[i].event->name,
							&t->catalog) ||
					    names_event(preset_table[p].keep,
							PRESET_KEEP,
							set.slot[i].event->name,
							&t->catalog));
		}
		free(t);
	}
}

/* The metric and preset tables lint themselves. */
#include "model/metric.h"
#include "model/topdown.h"

#include "model/events_tsv.h"

#include <cmocka.h>

static bool
ends_with(const char *s, const char *tail)
{
	size_t n = strlen(s), k = strlen(tail);

	return n >= k && strcmp(s + n - k, tail) == 0;
}

/* A label's bytes are its cells: plain ASCII. */
static void
check_text(const char *s, size_t most)
{
	assert_true(strlen(s) > 0 && strlen(s) <= most);
	for (; *s != '\0'; s++)
		assert_true(*s >= ' ' && *s <= '~');
}

UNIT(test_metric_rows)
{
	assert_true(metric_count <= METRIC_MAX - 16); /* room for the user's */
	for (unsigned i = 0; i < metric_count; i++) {
		const struct metric *m = &metric_table[i];

		check_text(m->label, 7);
		check_text(m->text, 160);
		assert_false(ends_with(m->text, "."));
		assert_int_equal(
			strspn(m->name,
			       "abcdefghijklmnopqrstuvwxyz0123456789_"),
			strlen(m->name));
		assert_true(m->decimals >= 0 && m->decimals <= 3);
		assert_true(m->scale > 0);
		assert_non_null(m->num[0].event);
		assert_non_null(m->den[0].event);
		assert_true(m->share >= 0 && m->share <= TOPDOWN_SHARES);
		assert_int_equal(ends_with(m->name, "_pct"),
				 m->unit == UNIT_PCT);
		assert_int_equal(ends_with(m->name, "_mpki"),
				 m->unit == UNIT_MPKI);
		assert_int_equal(ends_with(m->name, "_per_s"),
				 m->unit == UNIT_PER_S);
		assert_true(m->good >= 0 && m->bad >= 0);
		if (m->see != NULL)
			assert_true(preset_find(m->see) >= 0);
		assert_int_equal(metric_find(m->name), i);
		for (unsigned j = 0; j < i; j++)
			assert_string_not_equal(m->label,
						metric_table[j].label);
	}
	assert_int_equal(metric_find("nonsense"), -1);
}

/* Configurable counts are never divided by fixed ones, user_pct apart. */
UNIT(test_like_by_like)
{
	for (unsigned i = 0; i < metric_count; i++) {
		const struct metric *m = &metric_table[i];
		bool fixed_num = strncmp(m->num[0].event, "FIXED_", 6) == 0;
		bool fixed_den = strncmp(m->den[0].event, "FIXED_", 6) == 0;

		if (fixed_den)
			assert_true(fixed_num || m->user_only);
		if (fixed_num)
			assert_true(fixed_den || m->core ||
				    strstr(m->den[0].event, "_NS") != NULL);
	}
}

static bool
is_event_somewhere(const char *name, size_t n,
		   struct tsv_catalog *const t[TSV_DBS])
{
	char one[EVENT_NAME_SIZE];

	snprintf(one, sizeof one, "%.*s", (int)n, name);
	/* Other machines' are in src/pmu; the source's tests look there. */
	if (ends_with(one, "_NS") || strcmp(one, METRIC_NOTHING) == 0 ||
	    strncmp(one, "SLOT_", 5) == 0)
		return true;
	for (unsigned d = 0; d < TSV_DBS; d++)
		if (catalog_find(&t[d]->catalog, one) != NULL)
			return true;
	return false;
}

static void
check_terms(const struct term *term, struct tsv_catalog *const t[TSV_DBS])
{
	for (unsigned i = 0; i < METRIC_TERMS && term[i].event != NULL; i++) {
		assert_true(term[i].weight > 0 || i > 0);
		for (const char *s = term[i].event; *s != '\0';) {
			size_t n = strcspn(s, "|+");

			assert_true(is_event_somewhere(s, n, t));
			s += n;
			s += *s != '\0';
		}
	}
}

UNIT(test_event_names_exist)
{
	struct tsv_catalog *t[TSV_DBS];

	for (unsigned d = 0; d < TSV_DBS; d++)
		t[d] = tsv_load(tsv_db[d], TSV_ANY);
	for (unsigned i = 0; i < metric_count; i++) {
		if (metric_table[i].optional)
			continue;
		check_terms(metric_table[i].num, t);
		check_terms(metric_table[i].den, t);
	}
	for (unsigned p = 0; p < preset_count; p++)
		for (unsigned i = 0; i < 16; i++)
			if (preset_table[p].order[i] != NULL)
				assert_true(is_event_somewhere(
					preset_table[p].order[i],
					strlen(preset_table[p].order[i]), t));
	for (unsigned d = 0; d < TSV_DBS; d++)
		free(t[d]);
}

UNIT(test_presets)
{
	/* What keys 1 to 9 have always been; others come behind them. */
	static const char *const names[] = { "basic",  "topdown", "branch",
					     "l1d",    "dtlb",    "frontend",
					     "stalls", "mix",     "ldst" };
	enum { KEYS = sizeof names / sizeof *names };
	bool used[METRIC_MAX] = { false };

	assert_true(preset_count >= KEYS);
	for (unsigned p = 0; p < preset_count; p++) {
		const struct preset *s = &preset_table[p];

		if (p < KEYS)
			assert_string_equal(s->name, names[p]);
		assert_int_equal(preset_find(s->name), p);
		assert_int_equal(s->key, p < KEYS ? '1' + (int)p : 0);
		check_text(s->label, 8);
		check_text(s->text, 80);
		assert_true(ends_with(s->text, "?"));
		assert_null(s->metrics[PRESET_METRICS - 1]); /* the list ends */
		for (unsigned i = 0; s->metrics[i] != NULL; i++) {
			assert_true(metric_find(s->metrics[i]) >= 0);
			used[metric_find(s->metrics[i])] = true;
			for (unsigned j = 0; j < i; j++)
				assert_string_not_equal(s->metrics[i],
							s->metrics[j]);
		}
	}
	for (unsigned i = 0; i < metric_count; i++)
		/* Every metric that counts can be seen. */
		assert_int_equal(used[i], !metric_table[i].judged);
	assert_int_equal(preset_find("memory"), -1);
}

UNIT(test_formulas)
{
	struct tsv_catalog *m1 = tsv_load("a14", TSV_MACOS_26);
	struct tsv_catalog *m4 = tsv_load("as4", TSV_ANY);
	struct tsv_catalog *m4_old = tsv_load("as4", TSV_MACOS_15);
	char text[512];

#define formula(name, c)                                                      \
	metric_formula(&metric_table[metric_find(name)], &(c)->catalog, text, \
		       sizeof text)
	assert_string_equal(formula("ipc", m1),
			    "FIXED_INSTRUCTIONS / FIXED_CYCLES");
	assert_string_equal(formula("branch_mpki", m1),
			    "1000 x BRANCH_MISPRED_NONSPEC / INST_ALL");
	assert_string_equal(formula("stall_pct", m1),
			    "100 x MAP_STALL / CORE_ACTIVE_CYCLE");
	assert_string_equal(formula("stall_pct", m4),
			    "100 x MAP_STALL_NONRECOVERY / CORE_ACTIVE_CYCLE");
	assert_string_equal(formula("stall_pct", m4_old),
			    "100 x (MAP_STALL - MAP_REWIND) / "
			    "CORE_ACTIVE_CYCLE");
	assert_string_equal(formula("simd_uop_pct", m1),
			    "100 x MAP_SIMD_UOP / (MAP_INT_UOP + MAP_LDST_UOP "
			    "+ MAP_SIMD_UOP)");
	assert_string_equal(formula("simd_uop_pct", m4),
			    "100 x MAP_SIMD_UOP / MAP_UOP");
	assert_string_equal(
		formula("atomic_fail_pct", m1),
		"100 x ATOMIC_OR_EXCLUSIVE_FAIL / (ATOMIC_OR_EXCLUSIVE_SUCC + "
		"ATOMIC_OR_EXCLUSIVE_FAIL)");
	assert_string_equal(
		formula("retiring_pct", m4),
		"share of CORE_ACTIVE_CYCLE x width, from RETIRE_UOP, "
		"MAP_STALL_NONRECOVERY, MAP_RECOVERY, MAP_UOP, "
		"MAP_DISPATCH_BUBBLE_SLOT");
	assert_string_equal(metric_formula(&metric_table[0], NULL, text, 9),
			    "FIXED_IN"); /* cut, not overrun */
	free(m1);
	free(m4);
	free(m4_old);
}

UNIT(test_possible)
{
	struct tsv_catalog *m1 = tsv_load("a14", TSV_MACOS_26);
	const char *missing;

#define can(name)                                                       \
	metric_possible(&metric_table[metric_find(name)], &m1->catalog, \
			&missing)
	assert_true(can("ipc"));
	assert_true(can("stall_pct"));
	assert_true(can("mem_order_pkls"));
	assert_false(can("branch_cond_miss_pct"));
	assert_string_equal(missing, "INST_BRANCH_COND");
	assert_false(can("pl2_miss_pct"));
	assert_true(metric_possible(&metric_table[0], NULL, NULL));
	free(m1);
}

/* Of "A|B" what the set has, by either name; pseudo events take no slot. */
UNIT(test_slots_of_a_metric)
{
	static const struct event event[] = {
		{ .name = "INST_BRANCH" },
		{ .name = "BRANCHES_MISSED",
		  .alias = "BRANCH_MISPRED_NONSPEC" },
		{ .name = "MAP_STALL" },
		{ .name = "CORE_ACTIVE_CYCLE" },
	};
	struct eventset set = { .name = "custom", .len = 4 };

	for (unsigned i = 0; i < 4; i++)
		set.slot[i].event = &event[i];
#define SLOTS(name) metric_slots(&metric_table[metric_find(name)], &set)
	assert_int_equal(SLOTS("branch_miss_pct"), 3);
	assert_int_equal(SLOTS("stall_pct"), 4 | 8);
	assert_int_equal(SLOTS("user_pct"), 8);
	assert_int_equal(SLOTS("ipc"), 0);
	assert_int_equal(SLOTS("l1i_mpki"), 0);
#undef SLOTS
}

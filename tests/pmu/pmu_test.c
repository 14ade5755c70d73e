/* The chip tables against the collected data in tests/data, and themselves. */
#include "pmu/pmu.h"

#include "base/bits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { FIELDS = 20, LINE = 1024, DATABASES = 64 };

/* Splits a line at tabs in place; missing fields are empty. */
static void
split(char *line, const char *field[FIELDS])
{
	line[strcspn(line, "\r\n")] = '\0';
	for (int i = 0; i < FIELDS; i++) {
		field[i] = line;
		line += strcspn(line, "\t");
		if (*line == '\t')
			*line++ = '\0';
	}
}

/* Calls row() for each line that has data; returns how many. */
static int
each_row(const char *path, const char *heading,
	 void (*row)(const char *const field[FIELDS]))
{
	FILE *f = fopen(path, "r");
	char line[LINE];
	int n = 0;

	assert_non_null(f);
	while (fgets(line, sizeof(line), f) != NULL) {
		const char *field[FIELDS];

		if (line[0] == '#')
			continue;
		split(line, field);
		if (strcmp(field[0], heading) == 0)
			continue;
		row(field);
		n++;
	}
	fclose(f);
	return n;
}

static uint32_t
hex(const char *s)
{
	return (uint32_t)strtoul(s, NULL, 16);
}

static void
assert_text(const char *ours, const char *theirs)
{
	if (theirs[0] == '\0')
		assert_null(ours);
	else
		assert_string_equal(ours, theirs);
}

static const struct pmu_event *
by_name(const struct pmu *p, const char *name)
{
	for (unsigned i = 0; i < p->nevents; i++) {
		if (strcmp(p->events[i].name, name) == 0)
			return &p->events[i];
	}
	return NULL;
}

static unsigned rows_of[DATABASES]; /* of the data, by the order of pmu_at */

static void
check_event(const char *const f[FIELDS])
{
	const struct pmu *p = pmu_by_db(f[0]);
	unsigned at = 0;
	uint32_t mask = f[4][0] != '\0' ? hex(f[4]) : 0x3fc;

	assert_non_null(p);
	while (pmu_at(at) != p)
		at++;
	assert_true(at < DATABASES);
	rows_of[at]++;
	const struct pmu_event *e = by_name(p, f[2]);
	assert_non_null(e);
	assert_int_equal(e->number, hex(f[3]));
	assert_int_equal(e->umask, 0);
	assert_int_equal(e->counters, mask);
	assert_int_equal(e->fixed, f[5][0] != '\0' ? atoi(f[5]) : -1);
	assert_text(e->fallback, f[6]);
	assert_text(e->alias, f[7]);
	assert_text(e->text, f[8]);
}

UNIT(test_apple_events_are_the_collected_ones)
{
	unsigned collected = 0;

	memset(rows_of, 0, sizeof rows_of);
	assert_true(each_row("tests/data/events.tsv", "db", check_event) > 0);
	/* Of a database that was collected, no event is ours alone. */
	for (unsigned i = 0; pmu_at(i) != NULL; i++) {
		if (rows_of[i] == 0)
			continue;
		assert_int_equal(rows_of[i], pmu_at(i)->nevents);
		collected++;
	}
	assert_true(collected >= 13);
}

static void
check_intel_event(const char *const f[FIELDS])
{
	const struct pmu *p = pmu_by_db(f[0]);

	assert_non_null(p);
	assert_true(p->intel);
	const struct pmu_event *e = by_name(p, f[2]);
	assert_non_null(e);
	assert_int_equal(e->number, hex(f[3]));
	assert_int_equal(e->umask, hex(f[8]));
	assert_int_equal(e->counters, p->config_counters);
	assert_int_equal(e->fixed, -1);
}

UNIT(test_intel_events_are_the_collected_ones)
{
	int fixed = 3; /* not in the data */

	assert_int_equal(each_row("tests/data/events-intel.tsv", "db",
				  check_intel_event) +
				 fixed,
			 (int)pmu_by_db("skylake")->nevents);
}

static void
check_chip(const char *const f[FIELDS])
{
	const struct pmu *p = pmu_by_db(f[2]);

	assert_ptr_equal(pmu_by_cpu(f[0]), p);
	if (p == NULL) /* no data for it: no Mac's, not yet out, old Intel */
		return;
	assert_int_equal(hex(strrchr(f[0], '_') + 1), hex(f[1]));
	assert_string_equal(p->marketing, f[3]);
	assert_int_equal(p->map_width_p, atoi(f[14]));
	assert_int_equal(p->counter_bits, atoi(f[13]));
	if (p->intel)
		return;
	assert_int_equal(p->fixed_counters, hex(f[7]));
	assert_int_equal(p->config_counters, hex(f[8]));
	assert_int_equal(p->power_counters, hex(f[9]));
	assert_int_equal(p->map_width_e, atoi(strchr(f[14], '/') + 1));
	if (strcmp(p->db, "a16") != 0) /* a phone's, of the M3's kind */
		assert_string_equal(p->generation, f[6]);
}

UNIT(test_chips_are_the_collected_ones)
{
	assert_true(each_row("tests/data/chips.tsv", "cpu_string",
			     check_chip) >= 38);
}

static void
check_rows(const struct pmu *p)
{
	unsigned nfixed = 0;

	for (unsigned i = 0; i < p->nevents; i++) {
		const struct pmu_event *e = &p->events[i];

		assert_true(e->name[0] != '\0');
		assert_true(strlen(e->name) < 64);
		assert_true(e->counters != 0);
		assert_int_equal(e->number >> p->event_bits, 0);
		if (e->fixed >= 0) {
			nfixed++;
			assert_int_equal(e->counters, 1u << e->fixed);
			assert_true((e->counters & p->fixed_counters) != 0);
		} else {
			assert_int_equal(e->counters & ~p->config_counters, 0);
			assert_true(e->number != 0);
		}
		if (!p->intel)
			assert_true(e->text != NULL && e->text[0] != '\0');
		if (e->fallback != NULL)
			assert_true(by_name(p, e->fallback)->fixed < 0);
		for (unsigned j = 0; j < i; j++) {
			assert_string_not_equal(e->name, p->events[j].name);
			if (e->fixed >= 0)
				assert_true(e->fixed != p->events[j].fixed);
		}
	}
	assert_true(nfixed >= 2 && nfixed <= bits_count(p->fixed_counters));
}

/* Of two masks one holds the other: that is what makes greedy placing best. */
static void
check_masks_nested(const struct pmu *p)
{
	for (unsigned i = 0; i < p->nevents; i++) {
		for (unsigned j = 0; j < i; j++) {
			uint32_t a = p->events[i].counters;
			uint32_t b = p->events[j].counters;

			if (p->events[i].fixed < 0 && p->events[j].fixed < 0)
				assert_true((a & b) == a || (a & b) == b);
		}
	}
}

static void
check_database(const struct pmu *p)
{
	assert_true(p->db[0] != '\0' && p->marketing[0] != '\0');
	assert_true(p->cpu[0] != NULL);
	assert_int_equal(p->fixed_counters & p->config_counters, 0);
	assert_int_equal(p->power_counters & ~p->config_counters, 0);
	assert_int_equal(p->event_bits,
			 p->intel || strcmp(p->generation, "M1") == 0 ||
					 strcmp(p->generation, "M2") == 0
				 ? 8
				 : 16);
	assert_int_equal(p->exact_topdown, strcmp(p->generation, "M1") == 0);
	for (unsigned i = 1; i < p->nallowed; i++)
		assert_true(p->allowed[i - 1] < p->allowed[i]);
	/* What the kernel allows the database knows. */
	for (unsigned i = 0; i < p->nallowed; i++) {
		unsigned n = 0;

		for (unsigned j = 0; j < p->nevents; j++)
			n += p->events[j].number == p->allowed[i];
		assert_true(n > 0);
	}
}

UNIT(test_tables_hold_together)
{
	const struct pmu *p;
	unsigned n = 0;

	for (; (p = pmu_at(n)) != NULL; n++) {
		check_database(p);
		check_rows(p);
		check_masks_nested(p);
		assert_ptr_equal(pmu_by_db(p->db), p);
	}
	assert_true(n >= 13 + 1);
	assert_null(pmu_at(n + 1));
}

UNIT(test_lookups)
{
	const struct pmu *m1 = pmu_by_db("a14");

	assert_null(pmu_by_db(NULL));
	assert_null(pmu_by_db(""));
	assert_null(pmu_by_db("a1"));
	assert_null(pmu_by_db("A14"));
	assert_null(pmu_by_cpu(NULL));
	assert_null(pmu_by_cpu(""));
	assert_null(pmu_by_cpu("cpu_100000c_2_1b588bb"));
	assert_null(pmu_by_cpu("cpu_100000c_2_1b588bb3_46"));
	/* Intel only: the model may follow. */
	assert_ptr_equal(pmu_by_cpu("cpu_7_8_37fc219f_5e"),
			 pmu_by_db("skylake"));
	assert_null(pmu_by_cpu("cpu_7_8_37fc219f_"));
	assert_null(pmu_by_cpu("cpu_7_8_37fc219f_x"));
	/* Two chips of one database, whatever the subtype. */
	assert_ptr_equal(pmu_by_cpu("cpu_100000c_2_72015832"),
			 pmu_by_db("as3"));
	assert_ptr_equal(pmu_by_cpu("cpu_100000c_c_5f4dea93"),
			 pmu_by_db("as3"));

	assert_string_equal(pmu_event_find(m1, "Cycles")->name, "FIXED_CYCLES");
	assert_string_equal(pmu_event_find(m1, "Instructions")->name,
			    "FIXED_INSTRUCTIONS");
	assert_int_equal(pmu_event_find(m1, "INST_ALL")->number, 0x8c);
	assert_null(pmu_event_find(m1, "inst_all"));
	assert_null(pmu_event_find(NULL, "INST_ALL"));
	assert_null(pmu_event_find(m1, NULL));
}

/* xnu cpc_arm64_events.c of macOS 15.4: rows picked from its lists. */
UNIT(test_allow_list)
{
	const struct pmu *m1 = pmu_by_db("a14"), *m2 = pmu_by_db("a15");
	const struct pmu *m3 = pmu_by_db("as3"), *m4 = pmu_by_db("as4-1");

	assert_int_equal(m1->nallowed, 59);
	assert_int_equal(m2->nallowed, 58);
	assert_int_equal(m3->nallowed, 61);
	assert_int_equal(m4->nallowed, 61);
	assert_true(pmu_allows(m1, 0) && pmu_allows(m4, 0));
	assert_true(pmu_allows(m1, 0x52)); /* SCHEDULE_UOP */
	assert_false(pmu_allows(m2, 0x52));
	assert_false(pmu_allows(m1, 0x51)); /* SCHEDULE_EMPTY: macOS 26 */
	assert_true(pmu_allows(m1, 0xb4));
	assert_false(pmu_allows(m3, 0xb4));
	assert_true(pmu_allows(m3, 0x5b4) && pmu_allows(m4, 0x5b4));
	assert_true(pmu_allows(m3, 0x1db) && !pmu_allows(m4, 0x1db));
	assert_true(pmu_allows(m4, 0x4006)); /* L1I_CACHE_MISS_DEMAND */
	assert_false(pmu_allows(m4, 0x10));  /* ARM_BR_MIS_PRED */
	assert_null(pmu_by_db("as5")->allowed);
	assert_false(pmu_allows(pmu_by_db("as5"), 0x8));
	assert_true(pmu_allows(pmu_by_db("skylake"), 0x1234));
}

#include "model/columns.h"

#include <string.h>

#include <cmocka.h>

#include "model/metric.h"

/* The documented order; recordings of other versions depend on it. */
UNIT(fixed_columns_stand_where_they_stood)
{
	static const char *const order[] = {
		"schema",       "row",       "run",
		"frame",        "time",      "elapsed_s",
		"interval_s",   "event_s",   "source",
		"model",        "chip",      "package",
		"die",          "cluster",   "kind",
		"level",        "core",      "cpu",
		"n_cpus",       "n_ok",      "preset",
		"domain",       "quality",   "coverage",
		"note",         "busy_pct",  "cycles",
		"instructions", "ev_cycles", "ev_instructions",
		"e1",           "c1",        "e2",
		"c2",           "e3",        "c3",
		"e4",           "c4",        "e5",
		"c5",           "e6",        "c6",
		"e7",           "c7",        "e8",
		"c8",           "e9",        "c9",
		"e10",          "c10"
	};
	enum { N = sizeof order / sizeof *order };

	assert_int_equal(COLUMN_METRICS, N);
	for (unsigned i = 0; i < N; i++)
		assert_string_equal(column_at(i).name, order[i]);
	assert_string_equal(column_at(COLUMN_WALL_TIME).name, "time");
	assert_string_equal(column_at(COLUMN_NOTE).name, "note");
	assert_string_equal(column_at(COLUMN_SLOTS).name, "e1");
}

UNIT(metrics_follow_by_name)
{
	assert_int_equal(column_count(), COLUMN_PID + metric_count);
	for (unsigned i = 0, at = COLUMN_METRICS; i < metric_count; i++, at++) {
		at += at == COLUMN_VERDICT_AT;
		assert_string_equal(column_at(at).name, metric_table[i].name);
	}
	/* The place that it got in the first recordings that have it. */
	assert_string_equal(column_at(COLUMN_VERDICT_AT).name, "verdict");
	assert_string_equal(column_at(COLUMN_VERDICT_AT - 1).name, "impact");
}

/* Files have them behind all others, and only where they are asked for. */
UNIT(processes_come_last)
{
	assert_int_equal(column_count_all(), column_count() + PROCESS_COLUMNS);
	assert_string_equal(column_at(column_count()).name, "pid");
	assert_string_equal(column_at(column_count_all() - 1).name,
			    "event_instructions");
}

UNIT(names_are_unique_and_plain)
{
	for (unsigned i = 0; i < column_count_all(); i++) {
		struct column c = column_at(i);

		assert_int_equal(strspn(c.name, "abcdefghijklmnopqrstuvwxyz"
						"0123456789_"),
				 strlen(c.name));
		assert_true(strlen(c.text) > 3);
		assert_int_equal(column_find(c.name), i);
	}
	assert_int_equal(column_find("no_such"), -1);
}

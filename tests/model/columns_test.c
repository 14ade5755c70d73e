#include "model/columns.h"

#include <string.h>

#include <cmocka.h>

#include "model/metric.h"

/* Fields as they stand in the table, then metrics by name: none twice. */
UNIT(metrics_follow_the_fields)
{
	unsigned at = COLUMN_FIELDS;

	assert_string_equal(column_at(COLUMN_WALL_TIME).name, "time");
	assert_string_equal(column_at(COLUMN_SLOTS).name, "e1");
	assert_string_equal(column_at(COLUMN_SLOTS + 19).name, "c10");
	for (unsigned i = 0; i < metric_count; i++) {
		if (metric_table[i].judged) {
			assert_int_equal(column_find(metric_table[i].name),
					 COLUMN_LOST_PCT);
			continue;
		}
		assert_string_equal(column_at(at).name, metric_table[i].name);
		assert_int_equal(column_at(at).id, COLUMN_FIELDS + i);
		at++;
	}
	assert_int_equal(column_count(), at);
}

/* What ktop/1 called them; every word of ktop/2 is a word of its own. */
UNIT(names_of_before_are_found)
{
	static const struct {
		const char *was;
		enum column_id is;
	} fields[] = { { "frame", COLUMN_SAMPLE },
		       { "verdict", COLUMN_BOTTLENECK },
		       { "impact", COLUMN_LOST_CYCLES } };
	static const struct {
		const char *was;
		enum column_row is;
	} rows[] = { { "core", ROW_OF_CPU },      { "all", ROW_OF_MACHINE },
		     { "others", ROW_OF_OTHERS }, { "rest", ROW_OF_NOBODY },
		     { "mark", ROW_OF_MARKER },   { "swap", ROW_OF_CHANGE },
		     { "lost", ROW_OF_LOSS },     { "cores", COLUMN_ROWS } };

	for (unsigned i = 0; i < sizeof fields / sizeof *fields; i++)
		assert_int_equal(column_find(fields[i].was), fields[i].is);
	assert_int_equal(column_find("td_delivery_pct"),
			 column_find("frontend_pct"));
	assert_int_equal(column_find("starve_pct"),
			 column_find("frontend_stall_pct"));
	assert_int_equal(column_find("td_smt_pct"),
			 column_find("smt_contention_pct"));
	for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
		assert_int_equal(
			column_row_find(rows[i].was, strlen(rows[i].was)),
			rows[i].is);
	for (unsigned i = 0; i < COLUMN_ROWS; i++)
		assert_int_equal(column_row_find(column_row_name[i],
						 strlen(column_row_name[i])),
				 i);
}

UNIT(names_are_unique_and_plain)
{
	for (unsigned i = 0; i < column_count(); i++) {
		struct column c = column_at(i);

		assert_int_equal(strspn(c.name, "abcdefghijklmnopqrstuvwxyz"
						"0123456789_"),
				 strlen(c.name));
		assert_true(strlen(c.text) > 3);
		assert_int_equal(column_find(c.name), i);
	}
	assert_int_equal(column_find("no_such"), -1);
}

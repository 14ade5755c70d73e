#include "model/columns.h"

#include <assert.h>

static_assert(COLUMN_POWER_W == COLUMN_SLOTS + 2 * EVENTSET_MAX,
	      "two columns for each event of a set");

const char *const column_type_name[] = { "text", "time", "integer",
					 "real", "real", "text" };

#define COLUMN(id, name, type, limit, unit, text) \
	{ id, name, type, limit, unit, text },
static const struct column fields[COLUMN_FIELDS] = { COLUMN_TABLE(COLUMN) };
#undef COLUMN

const char *const column_row_name[COLUMN_ROWS] = {
	"cpu",          "cluster", "kind",
	"machine",      "process", "other-processes",
	"unattributed", "marker",  "event-change",
	"lost",         "power"
};

/* Names in older recordings, with today's names. */
static const char *const renamed[][2] = {
	{ "frame", "sample" },
	{ "verdict", "bottleneck" },
	{ "impact", "lost_cycles" },
	{ "td_useful_pct", "retiring_pct" },
	{ "td_discarded_pct", "bad_spec_pct" },
	{ "td_delivery_pct", "frontend_pct" },
	{ "td_processing_pct", "backend_pct" },
	{ "sme_active_pct", "sme_entries_per_s" },
	{ "starve_pct", "frontend_stall_pct" },
	{ "starve_ic_pct", "frontend_l1i_pct" },
	{ "starve_itlb_pct", "frontend_itlb_pct" },
	{ "td_bandwidth_pct", "frontend_bandwidth_pct" },
	{ "td_unaccounted_pct", "unaccounted_pct" },
	{ "td_other_thread_pct", "other_thread_pct" },
	{ "td_smt_pct", "smt_contention_pct" },
};
static const char *const row_before[COLUMN_ROWS] = {
	[ROW_OF_CPU] = "core",      [ROW_OF_MACHINE] = "all",
	[ROW_OF_OTHERS] = "others", [ROW_OF_NOBODY] = "rest",
	[ROW_OF_MARKER] = "mark",   [ROW_OF_CHANGE] = "swap",
};

static bool
word_equals(const char *word, const char *s, size_t n)
{
	return word != NULL && strlen(word) == n && memcmp(word, s, n) == 0;
}

enum column_row
column_row_find(const char *word, size_t n)
{
	unsigned i = 0;

	while (i < COLUMN_ROWS && !word_equals(column_row_name[i], word, n) &&
	       !word_equals(row_before[i], word, n))
		i++;
	return (enum column_row)i;
}

static unsigned
judged_before(unsigned metric)
{
	unsigned n = 0;

	for (unsigned i = 0; i < metric; i++)
		n += metric_table[i].judged;
	return n;
}

unsigned
column_count(void)
{
	return COLUMN_FIELDS + metric_count - judged_before(metric_count);
}

const struct column *
column_of(enum column_id id)
{
	return &fields[id];
}

struct column
column_at(unsigned i)
{
	if (i < COLUMN_FIELDS)
		return fields[i];
	unsigned at = i - COLUMN_FIELDS;

	while (metric_table[at].judged ||
	       at - judged_before(at) < i - COLUMN_FIELDS)
		at++;
	const struct metric *m = &metric_table[at];

	return (struct column){
		COLUMN_FIELDS + at,        m->name, COLUMN_REAL, 0,
		metric_unit_name[m->unit], m->text
	};
}

int
column_find(const char *name)
{
	for (unsigned i = 0; i < sizeof renamed / sizeof *renamed; i++)
		if (strcmp(renamed[i][0], name) == 0)
			name = renamed[i][1];
	for (unsigned i = 0; i < COLUMN_FIELDS; i++)
		if (strcmp(fields[i].name, name) == 0)
			return (int)i;
	int metric = metric_find(name);

	if (metric < 0 || metric_table[metric].judged)
		return -1;
	return (int)(COLUMN_FIELDS + (unsigned)metric -
		     judged_before((unsigned)metric));
}

#include "model/columns.h"

#include <assert.h>

static_assert(COLUMN_METRICS == COLUMN_SLOTS + 2 * EVENTSET_MAX,
	      "two columns for each slot of a set");

const char *const column_type_name[] = { "text", "time", "integer",
					 "real", "real", "text" };

#define COLUMN(id, name, type, limit, unit, text) \
	{ id, name, type, limit, unit, text },
static const struct column fields[COLUMN_FIELDS] = { COLUMN_TABLE(COLUMN) };
#undef COLUMN

unsigned
column_count(void)
{
	return COLUMN_PID + metric_count;
}

unsigned
column_count_all(void)
{
	return column_count() + PROCESS_COLUMNS;
}

const struct column *
column_of(enum column_id id)
{
	return &fields[id];
}

struct column
column_at(unsigned i)
{
	if (i < COLUMN_METRICS)
		return fields[i];
	if (i == COLUMN_VERDICT_AT)
		return fields[COLUMN_VERDICT];
	unsigned at = i - COLUMN_METRICS - (i > COLUMN_VERDICT_AT);

	if (at >= metric_count)
		return fields[COLUMN_VERDICT + 1 + at - metric_count];
	const struct metric *m = &metric_table[at];

	return (struct column){
		COLUMN_FIELDS + at,        m->name, COLUMN_REAL, 0,
		metric_unit_name[m->unit], m->text
	};
}

int
column_find(const char *name)
{
	for (unsigned i = 0; i < column_count_all(); i++)
		if (strcmp(column_at(i).name, name) == 0)
			return (int)i;
	return -1;
}

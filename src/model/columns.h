/* The columns of a recording, schema ktop/1: the same on every machine. */
#ifndef MODEL_COLUMNS_H
#define MODEL_COLUMNS_H

#define COLUMN_SCHEMA_TEXT "ktop/1"

enum column_type { COLUMN_TEXT, COLUMN_TIME, COLUMN_INTEGER, COLUMN_REAL };
extern const char *const column_type_name[];

enum column_id { /* the columns that are not metrics, in their order */
		 COLUMN_SCHEMA,
		 COLUMN_ROW,
		 COLUMN_RUN,
		 COLUMN_FRAME,
		 COLUMN_WALL_TIME,
		 COLUMN_ELAPSED_S,
		 COLUMN_INTERVAL_S,
		 COLUMN_EVENT_S,
		 COLUMN_SOURCE,
		 COLUMN_MODEL,
		 COLUMN_CHIP,
		 COLUMN_PACKAGE,
		 COLUMN_DIE,
		 COLUMN_CLUSTER,
		 COLUMN_KIND,
		 COLUMN_LEVEL,
		 COLUMN_CORE,
		 COLUMN_CPU,
		 COLUMN_N_CPUS,
		 COLUMN_N_OK,
		 COLUMN_PRESET,
		 COLUMN_DOMAIN,
		 COLUMN_QUALITY,
		 COLUMN_COVERAGE,
		 COLUMN_NOTE,
		 COLUMN_BUSY_PCT,
		 COLUMN_CYCLES,
		 COLUMN_INSTRUCTIONS,
		 COLUMN_EV_CYCLES,
		 COLUMN_EV_INSTRUCTIONS,
		 COLUMN_SLOTS, /* e1; c1, e2, c2 ... follow */
		 COLUMN_METRICS =
			 COLUMN_SLOTS + 20, /* metric_table from here on */
		 /* Between two metrics, since columns only come at the end. */
		 COLUMN_VERDICT = COLUMN_METRICS + 106
};

/* The events whose slots are the columns ev_cycles and ev_instructions. */
#define COLUMN_CYCLES_EVENT "CORE_ACTIVE_CYCLE"
#define COLUMN_INSTRUCTIONS_EVENT "INST_ALL"

struct column {
	const char *name;
	enum column_type type;
	const char *unit; /* "" where there is none */
	const char *text; /* one sentence without its full stop */
};

/* COLUMN_METRICS, the verdict, and one for each row of metric_table. */
unsigned column_count(void);

/* Column i of column_count(). */
struct column column_at(unsigned i);

/* Index of the column with that name, or -1. */
int column_find(const char *name);

#endif

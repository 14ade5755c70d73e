/* Catalogs for tests, out of the collected events in tests/data. */
#ifndef TESTS_MODEL_EVENTS_TSV_H
#define TESTS_MODEL_EVENTS_TSV_H

#include "model/event.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TSV_EVENTS = 256, TSV_LINE = 1024, TSV_FIELDS = 10 };

enum tsv_age {
	TSV_ANY,      /* every event known for the chip */
	TSV_MACOS_15, /* as in the databases before macOS 26 */
	TSV_MACOS_26  /* as in those of macOS 26 */
};

struct tsv_catalog {
	struct catalog catalog;
	struct event event[TSV_EVENTS];
	char text[TSV_EVENTS][EVENT_NAME_SIZE];
};

static const char *const tsv_db[] = { "a14",   "a15", "a16",   "as1",
				      "as2",   "as3", "as4",   "as4-1",
				      "as4-2", "as5", "as5-1", "as5-2" };
enum { TSV_DBS = sizeof tsv_db / sizeof tsv_db[0] };

static inline int
tsv_compare(const void *a, const void *b)
{
	return strcmp(((const struct event *)a)->name,
		      ((const struct event *)b)->name);
}

static inline bool
tsv_wanted(const char *note, enum tsv_age age)
{
	if (age == TSV_MACOS_15)
		return strncmp(note, "macOS 26", 8) != 0 &&
		       strstr(note, "mid-2026") == NULL;
	if (age == TSV_MACOS_26)
		return strstr(note, "macOS 15 plist only") == NULL;
	return true;
}

/* NULL when the file or the database is missing. free() it. */
static inline struct tsv_catalog *
tsv_load(const char *db, enum tsv_age age)
{
	struct tsv_catalog *t = calloc(1, sizeof *t);
	FILE *f = fopen("tests/data/events.tsv", "r");
	char line[TSV_LINE];

	if (t == NULL || f == NULL)
		abort();
	while (fgets(line, sizeof line, f) != NULL) {
		char *field[TSV_FIELDS], *at = line;
		unsigned n = t->catalog.len;

		line[strcspn(line, "\r\n")] = '\0';
		for (int i = 0; i < TSV_FIELDS; i++) {
			field[i] = at;
			at += strcspn(at, "\t");
			if (*at != '\0')
				*at++ = '\0';
		}
		if (strcmp(field[0], db) != 0 || !tsv_wanted(field[9], age))
			continue;
		if (n == TSV_EVENTS)
			abort();
		snprintf(t->text[n], sizeof t->text[n], "%s", field[2]);
		t->event[n].name = t->text[n];
		t->event[n].number = (uint32_t)strtoul(field[3], NULL, 0);
		t->event[n].counters =
			field[4][0] == '\0'
				? 0x3fc
				: (uint32_t)strtoul(field[4], NULL, 0);
		t->event[n].fixed = field[5][0] != '\0';
		if (db[1] == 's' && db[2] >= '4' && /* as pmu/events_m4.h */
		    strcmp(field[2], "MAP_STALL") == 0)
			t->event[n].less = "MAP_REWIND";
		t->catalog.len++;
	}
	fclose(f);
	qsort(t->event, t->catalog.len, sizeof t->event[0], tsv_compare);
	t->catalog.name = db;
	t->catalog.event = t->event;
	t->catalog.config_counters = 0x3fc;
	return t;
}

#endif

/* Which columns a table of batch text has. */
#ifndef OUT_TEXT_COLUMNS_H
#define OUT_TEXT_COLUMNS_H

#include "out/sink.h"

enum { /* always shown, of a preset, of events */
       TEXT_COLUMNS_MAX = 3 + PRESET_METRICS + EVENTSET_MAX
};

/* Indices in sink_about.metric. */
struct text_columns {
	unsigned n, metric[TEXT_COLUMNS_MAX];
};

/* Those that every table begins with. */
struct text_always {
	unsigned n, metric[3];
};

void text_always_find(struct text_always *t, const struct sink_about *a);

/*
 * Left out is what the machine's tables do not know. What an event in force
 * cannot be had for stays, as n/a, and so do a preset's usual columns where
 * there is no PMU at all.
 */
void text_choose(const struct sink_about *a, const struct text_always *always,
		 const struct frame *f, struct text_columns *c);

/* Is there not a row whose cycles could be counted? */
bool text_without_pmu(const struct sink_about *a, const struct frame *f);

#endif

/* ktop summary: what its files share. */
#ifndef COMMANDS_SUMMARY_H
#define COMMANDS_SUMMARY_H

#include "analysis/analysis.h"

#include <stdio.h>

/* A line each of what is known of the row: energy, traffic, throttled time. */
void summary_power_print(FILE *out, const struct digest *d, unsigned row);

/* The same as values. quality: words with semicolons, or "". */
void summary_power_report(const struct digest *d, unsigned row,
			  void (*put)(void *self, const char *metric,
				      const char *unit, double value,
				      uint64_t frames, const char *quality),
			  void *self);

#endif

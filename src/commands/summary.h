/* ktop summary: shared by its files. */
#ifndef COMMANDS_SUMMARY_H
#define COMMANDS_SUMMARY_H

#include "analysis/analysis.h"

#include <stdio.h>

/* Lines of energy, traffic and throttled time, where known. */
void summary_power_print(FILE *out, const struct digest *d, unsigned row);

/* quality: words with semicolons. */
void summary_power_report(const struct digest *d, unsigned row,
			  void (*put)(void *self, const char *metric,
				      const char *unit, double value,
				      uint64_t frames, const char *quality),
			  void *self);

#endif

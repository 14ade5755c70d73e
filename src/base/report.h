/* Prints reports: "key: text" lines under "== section" headings. */
#ifndef BASE_REPORT_H
#define BASE_REPORT_H

#include "base/buf.h"

#include <stdint.h>
#include <stdio.h>

enum { REPORT_OUTCOME_SIZE = 48 };

void report_section(FILE *out, const char *name);

void report_line(FILE *out, const char *key, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Returns the name, such as "EPERM", of errnos that kpc and perf return; for
 * others writes "errno N" to buf. */
const char *report_errno(int error, char buf[24]);

/* Returns "ok" if error is 0, else the reason, such as "not permitted
 * (EACCES)". */
const char *report_outcome(int error, char buf[REPORT_OUTCOME_SIZE]);

#endif

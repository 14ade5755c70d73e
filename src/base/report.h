/* Prints reports: "key: text" lines under "== section" headings. */
#ifndef BASE_REPORT_H
#define BASE_REPORT_H

#include "base/buf.h"

#include <stdint.h>
#include <stdio.h>

enum { REPORT_OUTCOME_SIZE = 48 };

void report_section(FILE *out, const char *name);

/* Prints "key: text", wrapped before column 80; later lines are indented. */
void report_line(FILE *out, const char *key, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* "EPERM" for the errnos of kpc and perf, else "errno N" in buf. */
const char *report_errno(int error, char buf[24]);

/* "ok" if error is 0, else the reason: "not permitted (EACCES)". */
const char *report_outcome(int error, char buf[REPORT_OUTCOME_SIZE]);

#endif

/* A report to be pasted: "key: text" lines under "== section" headings. */
#ifndef BASE_REPORT_H
#define BASE_REPORT_H

#include "base/buf.h"

#include <stdint.h>
#include <stdio.h>

enum { REPORT_OUTCOME_SIZE = 48 };

void report_section(FILE *out, const char *name);

/* "key: text", broken at blanks before column 80, indented from there on. */
void report_line(FILE *out, const char *key, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* "EPERM" for the errnos that kpc and perf give; else "errno N". */
const char *report_errno(int error, char buf[24]);

/* "ok", or why not: "not permitted (EACCES)". */
const char *report_outcome(int error, char buf[REPORT_OUTCOME_SIZE]);

#endif

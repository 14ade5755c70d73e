/* Output of summary, compare and stat: text or rows. */
#ifndef COMMANDS_REPORT_H
#define COMMANDS_REPORT_H

#include "analysis/analysis.h"
#include "base/buf.h"
#include "options/options.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum report_form { REPORT_TEXT, REPORT_CSV, REPORT_JSON };

struct report {
	enum report_form form;
	FILE *out;
	bool owned;
	const char *name;
	bool header_done;
	unsigned nfields;
	struct buf line, head;
	char line_text[8192], head_text[1024];
};

/* Opens the file of --csv or --json, else standard output for text. False and
 * *e: wrong options, or the file cannot be opened. */
bool report_open(struct report *r, const struct options *o, struct err *e);

/* path "-": standard output. False and *e: the file cannot be opened. */
bool report_open_file(struct report *r, enum report_form form, const char *path,
		      bool force, struct err *e);

/* False and *e (may be NULL): output was lost. */
bool report_close(struct report *r, struct err *e);

/* Write a field of a CSV or JSON record. NAN: an empty field, or null. */
void report_text(struct report *r, const char *name, const char *text);
void report_number(struct report *r, const char *name, double v);
void report_count(struct report *r, const char *name, uint64_t v);
void report_end(struct report *r);

/* Prints text in lines of at most 79 bytes. */
void report_wrap(FILE *out, const char *text);

void compare_print_answer(FILE *out, const struct compare *c);
void changes_print(FILE *out, const struct digest *d);
void process_events_print(FILE *out, const struct digest_processes *p);

void summary_power_print(FILE *out, const struct digest *d, unsigned row);

/* Calls put for each known value. quality: words separated by semicolons. */
void summary_power_report(const struct digest *d, unsigned row,
			  void (*put)(void *self, const char *metric,
				      const char *unit, double value,
				      uint64_t frames, const char *quality),
			  void *self);

#endif

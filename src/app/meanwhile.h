/* What the machine does while commands run, one after the other: ktop stat. */
#ifndef APP_MEANWHILE_H
#define APP_MEANWHILE_H

#include "app/totals.h"
#include "app/traced.h"
#include "options/options.h"

struct meanwhile;

/*
 * Counts what the options ask for, for so many commands; they are borrowed.
 * NULL and *e: it cannot, and why; nothing has been said then.
 */
struct meanwhile *meanwhile_open(const struct options *o, unsigned commands,
				 struct err *e);
/* NULL is fine. False and *e: the counters are not back yet. */
bool meanwhile_close(struct meanwhile *m, struct err *e);

/*
 * A run of the command begins and ends; there may be many of each. In between
 * it is looked at each interval: ns until the next look.
 */
int64_t meanwhile_begin(struct meanwhile *m, unsigned command);
int64_t meanwhile_look(struct meanwhile *m);
void meanwhile_end(struct meanwhile *m);

/* ktop stops, and goes on: nothing is held in between. */
void meanwhile_pause(struct meanwhile *m);
void meanwhile_go_on(struct meanwhile *m);

/* Of this process the events are wanted, too: by tracing the kernel. */
void meanwhile_trace(struct meanwhile *m, int32_t pid);

/* ---- what came of it ---- */

/* The events are those of the set; NULL: none was wanted. */
const struct traced *meanwhile_traced(const struct meanwhile *m);

/* For totals.h. */
const struct app *meanwhile_app(const struct meanwhile *m);
struct totals meanwhile_totals(const struct meanwhile *m, unsigned command);

/* "preset overview, events in user mode only" */
void meanwhile_name(const struct meanwhile *m, char *to, size_t size);
/* What is counted, and in which modes; NULL: nothing but the pair. */
const struct eventset *meanwhile_set(const struct meanwhile *m,
				     enum domain *domain);
/* Modes of cycles and instructions. */
enum domain meanwhile_domain(const struct meanwhile *m);

/* What was to be said since the call before; NULL: no more. */
const char *meanwhile_news(struct meanwhile *m);

#endif

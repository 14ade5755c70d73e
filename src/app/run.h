/* What measuring around a command needs of the wiring; all of it is nothing
   where there is no command. */
#ifndef APP_RUN_H
#define APP_RUN_H

#include "process/child.h"
#include "out/totals.h"

struct app;

struct run {
	struct child child;
	struct totals totals;
	bool moved; /* the machine got other CPUs */
};

/* Starts the command once counting runs; false and *e, and a->code is set. */
bool run_start(struct app *a, struct err *e);

/* The machine has other CPUs: the totals go on. False and *e: no memory. */
struct topology;
bool run_machine(struct app *a, const struct topology *was, struct err *e);

/* Counts a->frame in. */
void run_frame(struct app *a);

/* After SIGCHLD: the command's end ends the loop. */
void run_child(struct app *a);

/* A signal to ktop that was meant for the command; false: it was not. */
bool run_signal(struct app *a, int number);

/* After the loop: the last, short frame; waits where frames ended first. */
void run_finish(struct app *a);

/* Totals to standard error, and the command's status as ktop's code. */
void run_report(struct app *a);
void run_free(struct app *a);

#endif

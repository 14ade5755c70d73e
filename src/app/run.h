/* What measuring around a command needs; nothing where there is no command. */
#ifndef APP_RUN_H
#define APP_RUN_H

#include "monitor/account.h"
#include "process/child.h"

struct app;
struct topology;

struct run {
	struct child child;
	struct account account;
	bool moved; /* the machine got other CPUs */
};

/* Starts the command once counting runs; false and *e. */
bool run_start(struct app *a, struct err *e);

/* The machine has other CPUs: the totals go on. False and *e: no memory. */
bool run_machine(struct app *a, const struct topology *was, struct err *e);

/* Counts a->frame in. */
void run_frame(struct app *a);

/* After SIGCHLD, or before leaving: has the command ended? */
bool run_ended(struct app *a);

/* A signal to ktop that was meant for the command; false: it was not. */
bool run_signal(struct app *a, int number);

/* In the end: totals to standard error. */
void run_report(const struct app *a);
void run_free(struct app *a);

/* The command's own exit code, or why it could not be run; 0: there is none. */
int run_code(const struct app *a);

#endif

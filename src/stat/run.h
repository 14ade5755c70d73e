/* One run of a command, or a look at a process: from its start to its end. */
#ifndef STAT_RUN_H
#define STAT_RUN_H

#include "stat/counter.h"

#include <signal.h>

struct stat_run {
	bool started;
	int code;    /* as struct child has it; 0 of a process */
	int stopped; /* the signal that ktop got meanwhile; 0: none */
	double elapsed_s;
	bool has_use; /* what the system keeps of a child: */
	double user_s, system_s;
	uint64_t faults, major_faults, switches, preempted;
	uint64_t max_rss_bytes; /* 0: not known, see stat_run_command */
	bool counted;
	struct counter_reading end;
};

/*
 * What is counted besides, of the whole machine: around a run, and each time
 * that it asks for; ns until then.
 */
struct stat_machine {
	int64_t (*begin)(void *self);
	int64_t (*look)(void *self);
	void (*end)(void *self);
	void (*pause)(void *self); /* ktop stops, and */
	void (*go_on)(void *self);
	void *self;
};

/* While it runs, each interval: what has been counted so far. */
struct stat_watch {
	int64_t interval_ns; /* 0: never */
	void (*look)(void *self, double at_s, const struct counter_reading *);
	void *self;
	const struct stat_machine *machine; /* NULL: none */
};

/*
 * A child begins as a copy of ktop, and the system keeps that one's memory as
 * the most it had: what is not more than ktop's own is not known.
 *
 * wait: as signals_open gave it. What ends ktop is handed on to the command,
 * unless that has it from the terminal; one that came before leaves it unrun
 * (out->stopped, not out->started). False and *e: it could not be run
 * (out->code says how that is told), or not be counted.
 */
bool stat_run_command(struct counter *c, char *const argv[],
		      const sigset_t *wait, const struct stat_watch *watch,
		      struct stat_run *out, struct err *e);

/* A process that runs, until it ends or ktop is told to. */
bool stat_run_process(struct counter *c, int32_t pid, const sigset_t *wait,
		      const struct stat_watch *watch, struct stat_run *out,
		      struct err *e);

#endif

/* Counting commands and processes: counters, runs, and the values of runs. */
#ifndef STAT_STAT_H
#define STAT_STAT_H

#include "base/clock.h"
#include "base/err.h"
#include "kperf/host.h"
#include "model/process.h"
#include "model/stat.h"
#include "options/options.h"

#include <signal.h>

/*
 * A counter is opened once, set to the process of each run, and read while it
 * runs and when it has ended. One for each way that systems offer.
 */
enum { COUNTER_EVENTS = 16, COUNTER_NAME_SIZE = 64 };

/* Since it was set to the process. */
struct counter_reading {
	uint32_t known; /* PROCESS_HAS_... */
	uint32_t flags; /* PROCESS_SCALED, PROCESS_PARTIAL */
	struct process_totals total;
	double cpu_s;                 /* of all its threads; NAN: unknown */
	double event[COUNTER_EVENTS]; /* NAN: not counted */
	bool ended;                   /* it does not run any more */
};

struct counter;
struct counter_ops {
	/*
	 * To a process that is held before its exec, or that runs. False and
	 * *e: it cannot be counted at all.
	 */
	bool (*attach)(struct counter *c, int32_t pid, bool held,
		       struct err *e);
	/* Of a process that runs: what it has done by now is not counted.
	   NULL, as look and detach: there is nothing to do. */
	void (*begin)(struct counter *c);
	/* False: it is gone, and left nothing. */
	bool (*read)(struct counter *c, struct counter_reading *out);
	void (*detach)(struct counter *c);
	void (*close)(struct counter *c);
	/* Every look_ns while a command runs. */
	void (*look)(struct counter *c);
};

/* Every counter embeds this first. */
struct counter {
	const struct counter_ops *ops;
	const struct clock *clock;
	struct process_parts parts;
	enum domain domain; /* of cycles, instructions and events, */
	enum domain events; /* unless those have one of their own; else 0 */
	bool tree;          /* what it starts is counted with it */
	int64_t look_ns;
	unsigned others; /* processes it started that are counted with it */
	/* What it had used when it was set to the process, where known. */
	double before_user_s, before_system_s;
	bool simulated;
	const char *text; /* of a simulation: what it is */
	char why[400];    /* what is not counted, and why; "" */
	unsigned nevents;
	char event[COUNTER_EVENTS][COUNTER_NAME_SIZE];
};

/* The one for this system and these options; linux/ or mac/. */
struct counter *counter_open(const struct options *o, struct err *e);

/*
 * By what a Mac, real or simulated, says of a pid; host is borrowed. The other
 * starts the simulation unless it runs, and stops it when it is closed.
 */
struct counter *counter_host_open(const struct host_api *host, struct err *e);
struct counter *counter_sim_open(const struct options *o, struct err *e);

/* Of nothing but the times that the system keeps of commands. */
struct counter *counter_none_open(const char *why, struct err *e);

/* A process that runs, by the errno of the attempt; false. */
bool counter_refused(int32_t pid, int why, struct err *e);

/* One that was asked for here, not the config file's for the screen. */
static inline bool
counter_has_preset(const struct options *o)
{
	const char *given = option_given(o, "preset");

	/* The table's own word is there when nobody says one. */
	return given != NULL && given != option_find("preset", 6)->initial &&
	       option_line(o, "preset") == 0;
}

/* Of its events. */
static inline enum domain
counter_events_domain(const struct counter *c)
{
	return c->events != DOMAIN_NONE ? c->events : c->domain;
}

void counter_detach(struct counter *c);
void counter_close(struct counter *c); /* NULL is fine */

/* What struct rusage has in ru_maxrss: bytes each. linux/ or mac/. */
extern const uint64_t counter_rss_bytes;

/* ---- one run of a command, or a look at a process ---- */

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
	/* Of the whole machine meanwhile; NAN: unknown. */
	double machine_joules, machine_bytes;
};

enum stat_moment { STAT_BEGINS, STAT_LOOK, STAT_ENDS, STAT_PAUSE, STAT_GO_ON };

/* What wants to know of a run. */
struct stat_watch {
	int64_t interval_ns; /* 0: never */
	/* Each interval while it runs: what has been counted so far. */
	void (*look)(void *self, double at_s, const struct counter_reading *);
	/* What counts the whole machine besides; ns until STAT_LOOK. NULL: none
	 */
	int64_t (*machine)(void *self, enum stat_moment moment);
	void *self;
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

/* ---- values of runs: as the system has them, and ratios of two ---- */

/* What is measured: a run has each once, and of the last four also parts. */
enum {
	VALUE_ELAPSED,
	VALUE_USER,
	VALUE_SYSTEM,
	VALUE_FAULTS,
	VALUE_MAJOR,
	VALUE_SWITCHES,
	VALUE_PREEMPTED,
	VALUE_RSS,
	VALUE_MACHINE_ENERGY,
	VALUE_MACHINE_TRAFFIC,
	VALUE_COUNTED,
	VALUE_CPU,
	VALUE_CYCLES,
	VALUE_INSTRUCTIONS,
	VALUE_ENERGY,
	VALUE_COUNT,
	VALUE_PARTED = VALUE_CPU, /* from here on of parts, too */
	VALUE_OF_PARTS = VALUE_COUNT - VALUE_PARTED,
	VALUE_EVENT = VALUE_COUNT + VALUE_OF_PARTS * PROCESS_PARTS,
	VALUES = VALUE_EVENT + COUNTER_EVENTS,
	VALUE_IPC = VALUES, /* ratios of two of these */
	VALUE_GHZ,
	VALUE_CPUS,
	VALUE_NJ,
	VALUES_AND_RATIOS
};

struct value_texts {
	const char *name, *label, *unit; /* in files; in the report */
	const char *part;                /* the kind of core; "" */
	enum domain domain;              /* its modes; DOMAIN_NONE: of a time */
};

/* False: there is no such part or event here. */
bool value_texts(const struct counter *c, unsigned value,
		 struct value_texts *out);

extern const char value_times_why[];

/* All runs of one command. */
struct value_set {
	unsigned n, room;
	double *v;    /* [VALUES * room]: the runs of a value are neighbours */
	double *work; /* [2 * room] */
	bool times_exceed; /* user and system are unknown: value_times_why */
};

bool value_set_init(struct value_set *s, unsigned room);
void value_set_free(struct value_set *s);

/* Adds a run; there is room. `c` says how it was counted. */
void value_set_add(struct value_set *s, const struct counter *c,
		   const struct stat_run *run);

static inline const double *
value_runs(const struct value_set *s, unsigned value)
{
	return s->v + (size_t)value * s->room;
}

/* part -1: the whole. A ratio of too few cycles is unknown. */
void value_describe(const struct value_set *s, unsigned value, int part,
		    struct stat_series *out);

/* Of the whole. */
void value_compare(const struct value_set *a, const struct value_set *b,
		   unsigned value, bool by_turns, struct stat_change *out);

#endif

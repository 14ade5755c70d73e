/* Counts commands and processes: counters, runs, and values of runs. */
#ifndef STAT_STAT_H
#define STAT_STAT_H

#include "base/clock.h"
#include "base/err.h"
#include "kperf/host.h"
#include "model/process.h"
#include "model/stat.h"
#include "options/options.h"

#include <signal.h>

enum { COUNTER_EVENTS = 16, COUNTER_NAME_SIZE = 64 };

/* Totals of a command or process since the counter was attached to it. */
struct counter_reading {
	uint32_t known;
	uint32_t flags; /* PROCESS_SCALED, PROCESS_PARTIAL */
	struct process_totals total;
	double cpu_s; /* CPU time of all its threads; NAN: unknown */
	double event[COUNTER_EVENTS]; /* NAN: not counted */
	bool ended;
};

struct counter;
struct counter_ops {
	/* Attaches to a running process; with at_exec to a child that waits
	 * before its exec. False and *e: the process cannot be counted. */
	bool (*attach)(struct counter *c, int32_t pid, bool at_exec,
		       struct err *e);
	/* Starts the counts of a running process. May be NULL, as look and
	 * detach. */
	void (*begin)(struct counter *c);
	/* False: the process has ended, or its counts cannot be read. */
	bool (*read)(struct counter *c, struct counter_reading *out);
	void (*detach)(struct counter *c);
	void (*close)(struct counter *c);
	/* Called every look_ns while a command runs. */
	void (*look)(struct counter *c);
};

struct counter {
	const struct counter_ops *ops;
	const struct clock *clock;
	struct process_parts parts;
	enum domain domain; /* of cycles, instructions and events */
	enum domain
		events; /* domain of events if it differs, else DOMAIN_NONE */
	bool tree;      /* the kernel adds the counts of children */
	int64_t look_ns;
	unsigned others;
	/* CPU time of a process before the counter was attached; 0: unknown. */
	double before_user_s, before_system_s;
	bool simulated;
	const char *text;
	char why[400]; /* why something is not counted; "": everything is */
	unsigned nevents;
	char event[COUNTER_EVENTS][COUNTER_NAME_SIZE];
};

struct counter *counter_open(const struct options *o, struct err *e);

/* Counts by the totals that macOS keeps for each process; host is borrowed. */
struct counter *counter_host_open(const struct host_api *host, struct err *e);
struct counter *counter_sim_open(const struct options *o, struct err *e);

/* A counter that counts nothing: only the times of wait4 are known. */
struct counter *counter_none_open(const char *why, struct err *e);

/* Sets *e from the errno `why` of a refused attach; returns false. */
bool counter_refused(int32_t pid, int why, struct err *e);

/* Is a preset given on the command line, not in the config file? */
static inline bool
counter_has_preset(const struct options *o)
{
	const char *given = option_given(o, "preset");

	return given != NULL && given != option_find("preset", 6)->initial &&
	       option_line(o, "preset") == 0;
}

static inline enum domain
counter_events_domain(const struct counter *c)
{
	return c->events != DOMAIN_NONE ? c->events : c->domain;
}

void counter_detach(struct counter *c);
void counter_close(struct counter *c);

/* Bytes in a unit of ru_maxrss. */
extern const uint64_t counter_rss_bytes;

struct stat_run {
	bool started;
	int code;    /* as in struct child; 0 for --pid */
	int stopped; /* signal that ktop received; 0: none */
	double elapsed_s;
	bool has_use; /* user_s to max_rss_bytes are known */
	double user_s, system_s;
	uint64_t faults, major_faults, switches, preempted;
	uint64_t max_rss_bytes; /* 0: unknown */
	bool counted;
	struct counter_reading end;
	/* Energy and memory traffic of the whole machine in this run; NAN:
	 * unknown. */
	double machine_joules, machine_bytes;
};

enum stat_moment { STAT_BEGINS, STAT_LOOK, STAT_ENDS, STAT_PAUSE, STAT_GO_ON };

struct stat_watch {
	int64_t interval_ns; /* 0: never */
	void (*look)(void *self, double at_s, const struct counter_reading *);
	/* Counts the whole machine; returns the ns until it wants STAT_LOOK.
	 * May be NULL. */
	int64_t (*machine)(void *self, enum stat_moment moment);
	void *self;
};

/* Runs a command to its end. The child begins as a copy of ktop, so that a
 * maximum RSS below ktop's own is unknown. wait: from signals_open. Signals
 * that end ktop are passed to the command; if one came earlier, the command is
 * not run (out->stopped is set, out->started is not). False and *e: the command
 * could not be run (exit code in out->code) or counted. */
bool stat_run_command(struct counter *c, char *const argv[],
		      const sigset_t *wait, const struct stat_watch *watch,
		      struct stat_run *out, struct err *e);

/* Counts a running process until it ends or ktop receives a signal. */
bool stat_run_process(struct counter *c, int32_t pid, const sigset_t *wait,
		      const struct stat_watch *watch, struct stat_run *out,
		      struct err *e);

/* Values of a run. From VALUE_PARTED on, each kind of core has its own, too. */
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
	VALUE_PARTED = VALUE_CPU,
	VALUE_OF_PARTS = VALUE_COUNT - VALUE_PARTED,
	VALUE_EVENT = VALUE_COUNT + VALUE_OF_PARTS * PROCESS_PARTS,
	VALUES = VALUE_EVENT + COUNTER_EVENTS,
	VALUE_IPC = VALUES,
	VALUE_GHZ,
	VALUE_CPUS,
	VALUE_NJ,
	VALUES_AND_RATIOS
};

struct value_texts {
	const char *name, *label,
		*unit;    /* name is used in files, label in the report */
	const char *part; /* kind of core; "": all */
	enum domain domain;
};

bool value_texts(const struct counter *c, unsigned value,
		 struct value_texts *out);

extern const char value_times_why[];

struct value_set {
	unsigned n, room;
	double *v;
	double *work;
	bool times_exceed; /* user and system times are unknown, see
			      value_times_why */
};

bool value_set_init(struct value_set *s, unsigned room);
void value_set_free(struct value_set *s);

/* Adds a run; s->n must be below s->room. */
void value_set_add(struct value_set *s, const struct counter *c,
		   const struct stat_run *run);

static inline const double *
value_runs(const struct value_set *s, unsigned value)
{
	return s->v + (size_t)value * s->room;
}

/* part: index of a kind of core, -1 for all. A ratio of too few cycles is
 * unknown. */
void value_describe(const struct value_set *s, unsigned value, int part,
		    struct stat_series *out);

void value_compare(const struct value_set *a, const struct value_set *b,
		   unsigned value, bool by_turns, struct stat_change *out);

#endif

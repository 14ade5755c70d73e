/*
 * What counts a command: opened once, set to the process of each run, read
 * while it runs and when it has ended. One for each way that systems offer.
 */
#ifndef STAT_COUNTER_H
#define STAT_COUNTER_H

#include "base/clock.h"
#include "base/err.h"
#include "model/process.h"
#include "options/options.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

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
	/* Of a process that runs: what it has done by now is not counted. */
	void (*begin)(struct counter *c);
	/* False: it is gone, and left nothing. */
	bool (*read)(struct counter *c, struct counter_reading *out);
	void (*detach)(struct counter *c);
	void (*close)(struct counter *c);
	/* Every look_ns while a command runs; NULL: nothing to look at. */
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

/* Of nothing but the times that the system keeps of commands. */
struct counter *counter_none_open(const char *why, struct err *e);

/* A process that runs, by the errno of the attempt. */
static inline bool
counter_refused(int32_t pid, int why, struct err *e)
{
	if (why == ESRCH)
		return err_set(e, ERR_FAIL, "there is no process %d", (int)pid);
	if (why == EACCES || why == EPERM)
		return err_set(
			e, ERR_PERM,
			"process %d is another user's, or protected; sudo ktop stat -p %d may count it",
			(int)pid, (int)pid);
	return err_set(e, ERR_FAIL, "process %d cannot be counted: %s",
		       (int)pid, strerror(why));
}

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

static inline void
counter_close(struct counter *c)
{
	if (c != NULL)
		c->ops->close(c);
}

/* What struct rusage has in ru_maxrss: bytes each. linux/ or mac/. */
extern const uint64_t counter_rss_bytes;

#endif

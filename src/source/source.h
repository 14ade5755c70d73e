/* The source interface. A source delivers raw counts. */
#ifndef SOURCE_SOURCE_H
#define SOURCE_SOURCE_H

#include "base/clock.h"
#include "base/err.h"
#include "model/event.h"
#include "model/process.h"
#include "model/sample.h"
#include "model/topology.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum source_status { SOURCE_OK, SOURCE_END, SOURCE_ERROR };

enum source_mode {
	SOURCE_BUSY_ONLY, /* no counters, only the OS's busy time */
	SOURCE_IPC,       /* fixed counters only; the machine is unchanged */
	SOURCE_FULL       /* fixed and configurable counters */
};

struct source;
struct power_source;
struct examine_question;

/* Values of the options. Strings are borrowed; NULL: not given. */
struct source_options {
	const char *kperf_path, *kperfdata_path;
	const char *sim;  /* MACHINE[,key=value]... */
	const char *root; /* folder with sys/ and proc/ to read (Linux) */
	bool ipc;         /* --ipc: do not program events */
	bool user_only;   /* count configurable events in user mode only */
	bool lazy;        /* read idle CPUs at every tenth reading (Linux) */
	bool mux; /* --mux: multiplex events if counters are too few (Linux) */
	const char *events; /* user's own events, comma-separated (Linux) */
	const char *const *replay; /* [nreplay] files of a recording */
	unsigned nreplay;
	bool skip_damaged;
	const char *from, *to, *mark; /* part to replay */
	bool replay_index; /* make an index, for jumps; needs a seekable file */
	int64_t period_ns;
	int server; /* the counter server's socket; 0: none */
};

/* The counter server sends this struct as is: no padding (server/wire.h). */
#pragma GCC diagnostic push
#pragma GCC diagnostic warning "-Wpadded"
/* Only the source writes this struct, in open(), program() and read(). */
struct source_info {
	char source[16]; /* "kperf", "perf", "sim", "replay" */
	char model[64];  /* "Apple M1 Max"; Linux: CPU name */
	char chip[32];   /* event database or PMU: "a14"; "": unknown */
	char os[64];     /* "macOS 26.1", "Linux 6.12" */
	char origin[16]; /* in a replay: the source that was recorded */
	enum source_mode mode;
	enum domain domain; /* modes that the configurable counters count */
	/* Why the mode is not SOURCE_FULL, and what to do; else empty. */
	struct err why;
	/* Message for the user, or "". */
	char notice[200];
	unsigned interrupts_per_read;
	bool simulated;
	bool rows_may_be_stale; /* rows may be old (monitor/monitor.h) */
	bool outdated; /* the CPUs differ from `topology`: call renew() */
	bool restores; /* changes the machine, which source_end() restores */
	bool lost;     /* the counter server has ended: all later calls fail */
	/* Busy time is available without permission to count. */
	bool utilisation;
	bool processes;
	bool ends; /* read() can return SOURCE_END (replay) */
	/* The pointers below are valid in this process only. */
	const struct topology *topology;
	const struct catalog *catalog; /* NULL: no configurable counters */
	const struct eventset *set;    /* set in force; len 0: none */
	const struct clock *clock;
	/* Readable when the counter server has ended; NULL: no server. */
	const int *watch;
};
#pragma GCC diagnostic pop

struct source_ops {
	const char *name, *text;

	/* Can the source work here? False and *e: no. Changes nothing. */
	bool (*probe)(const struct source_options *o, struct err *e);

	/* Opens the source as SOURCE_IPC or SOURCE_BUSY_ONLY, without changing
	 * the machine. NULL and *e: failed. */
	struct source *(*open)(const struct source_options *o, struct err *e);

	/* Counts `set` (copied), placed by slots_place or preset_derive on this
	 * catalog. NULL releases the counters. After a failure the old set
	 * continues, perhaps after a pause. After success, or a failure with a
	 * set in force, call read() at once: that reading is SAMPLE_BASELINE.
	 */
	bool (*program)(struct source *s, const struct eventset *set,
			struct err *e);

	/* Fills *out (topology->ncpus rows). SOURCE_ERROR and *e: later calls
	 * may succeed. */
	enum source_status (*read)(struct source *s, struct sample *out,
				   struct err *e);

	/* Reads process totals; call right after read(), which updates running
	 * threads (macOS). The order of rows may change; *out grows. False and
	 * *e: failed this time. NULL or !info.processes: not supported. */
	bool (*processes)(struct source *s, const struct process_request *w,
			  struct process_reading *out, struct err *e);

	/* Reopens a changed machine and closes `old`. NULL and *e: `old` stays
	 * open. The pointer is NULL for sources that are never outdated. */
	struct source *(*renew)(struct source *old,
				const struct source_options *o, struct err *e);

	/* Opens the energy source, again after each renew(). Any thread may use
	 * a slow energy source. NULL and *e: none. May be NULL. */
	struct power_source *(*power)(struct source *s, struct err *e);
	/* power() needs the privileges for counting, or the counter server */
	bool power_with_rights;

	/* Restores the machine and frees s, which may be NULL. */
	void (*close)(struct source *s);

	/* Sections of ktop doctor (source/examine.h); may be NULL. */
	const struct examine_question *examine;

	/* For ktop doctor --repair: clears and prints what a killed process
	 * left behind. May be NULL. */
	bool (*repair)(struct source *s, struct err *e);
};

/* The first member of the struct of every source. */
struct source {
	const struct source_ops *ops;
	struct source_info info;
	bool recording; /* set by module app: read every CPU, even with lazy */
};

/* Length of the reason without an ending ": only busy time is shown". */
static inline int
source_why_bytes(const struct err *why)
{
	const char *shown = strstr(why->text, ": only busy time is shown");

	return (int)(shown != NULL ? (size_t)(shown - why->text)
				   : strlen(why->text));
}

#endif

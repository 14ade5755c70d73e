/* The source interface: eight calls, raw counts only. */
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
	SOURCE_IPC,       /* fixed counters only; machine unchanged */
	SOURCE_FULL       /* programmed */
};

struct source;
struct power_source;
struct examine_question;

/* From the options; strings borrowed, NULL: not given. */
struct source_options {
	const char *kperf_path, *kperfdata_path;
	const char *sim;    /* MACHINE[,key=value]... */
	const char *root;   /* read root/sys and root/proc instead (Linux) */
	bool ipc;           /* --ipc: program() is refused */
	bool user_only;     /* configurable counters in user mode only */
	bool lazy;          /* reads idle CPUs every tenth time (Linux) */
	bool mux;           /* multiplex counters in use */
	const char *events; /* user's own events, comma-separated (Linux) */
	const char *const *replay; /* [nreplay], a recording's segments */
	unsigned nreplay;
	bool skip_damaged;            /* leave out damaged rows */
	const char *from, *to, *mark; /* part to replay */
	bool replay_index; /* needs a seekable file, for jumps; else streamed */
	int64_t period_ns;
	int server; /* counter server's socket (server/remote.h); 0: none */
};

/* Sent as is by the counter server: no padding (server/wire.h). */
#pragma GCC diagnostic push
#pragma GCC diagnostic warning "-Wpadded"
/* Written by the source only, inside program() and read(). */
struct source_info {
	char source[16]; /* "kperf", "perf", "sim", "replay" */
	char model[64];  /* "Apple M1 Max"; Linux: CPU name */
	char chip[32];   /* database or PMU: "a14"; "": unknown */
	char os[64];     /* "macOS 26.1", "Linux 6.12" */
	char origin[16]; /* recording: the original source */
	enum source_mode mode;
	enum domain domain; /* of configurable counters, as read back */
	/* Why the mode is not FULL, and what to do; else "". */
	struct err why;
	/* Message for the user, or "". */
	char notice[200];
	unsigned interrupts_per_read; /* CPUs that a reading interrupts */
	bool simulated;
	bool rows_may_be_stale; /* see monitor/monitor.h */
	bool outdated;          /* CPUs changed since `topology`: renew */
	bool restores; /* changes the machine; source_end() reports the restore
			*/
	bool lost; /* all later calls fail: the process that counts has ended */
	/* Busy time is available without permission to count. */
	bool utilisation;
	bool processes; /* source_ops.processes is available */
	bool ends;      /* recording: read() can return SOURCE_END */
	/* The pointers below are valid in this process only. */
	const struct topology *topology;
	const struct catalog *catalog; /* NULL: no configurable counters */
	const struct eventset *set;    /* current set; len 0: fixed only */
	const struct clock *clock;
	/* Readable when `outdated` becomes true; NULL: none. */
	const int *watch;
};
#pragma GCC diagnostic pop

struct source_ops {
	const char *name, *text;

	/* Could the source work here? *e: why not. Changes nothing. */
	bool (*probe)(const struct source_options *o, struct err *e);

	/* Starts in SOURCE_IPC or BUSY_ONLY, machine unchanged. NULL and *e. */
	struct source *(*open)(const struct source_options *o, struct err *e);

	/* Counts `set` (copied; placed by slots_place or preset_derive on this
	 * catalog). NULL releases the counters. On failure the old set
	 * continues, perhaps after a pause. After success, or failure with a
	 * set in force, read() at once: that reading is SAMPLE_BASELINE. */
	bool (*program)(struct source *s, const struct eventset *set,
			struct err *e);

	/* Fills *out (topology->ncpus). ERROR and *e: later calls may succeed.
	 */
	enum source_status (*read)(struct source *s, struct sample *out,
				   struct err *e);

	/* Reads process totals, right after read(), which flushes running
	 * threads (macOS). Rows keep their place within a call only; *out
	 * grows. False and *e: not now. NULL or !info.processes: never.
	 */
	bool (*processes)(struct source *s, const struct process_request *w,
			  struct process_reading *out, struct err *e);

	/* Replaces an outdated `old` by a source of the machine as it is now.
	 * NULL and *e: old continues. NULL: never outdated. */
	struct source *(*renew)(struct source *old,
				const struct source_options *o, struct err *e);

	/* The energy source, also after renew(); usable by any thread if slow.
	 * NULL and *e: none. May be NULL. */
	struct power_source *(*power)(struct source *s, struct err *e);
	/* needs the rights for counting, or the counter server */
	bool power_with_rights;

	/* Restores the machine. s may be NULL. */
	void (*close)(struct source *s);

	/* source/examine.h; may be NULL. */
	const struct examine_question *examine;

	/* ktop doctor --repair: prints and clears a killed process's leftovers.
	 * May be NULL. */
	bool (*repair)(struct source *s, struct err *e);
};

/* First member of every source. */
struct source {
	const struct source_ops *ops;
	struct source_info info;
	bool recording; /* set by app: reads every row, ignoring lazy */
};

/* Length of a reason without its ending, which refers to a screen. */
static inline int
source_why_bytes(const struct err *why)
{
	const char *shown = strstr(why->text, ": only busy time is shown");

	return (int)(shown != NULL ? (size_t)(shown - why->text)
				   : strlen(why->text));
}

#endif

/* The one seam to a machine: eight calls, raw counts only. */
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
	SOURCE_BUSY_ONLY, /* no counters: the OS's busy time is all there is */
	SOURCE_IPC,       /* the fixed pair, no state of the machine changed */
	SOURCE_FULL       /* ours to program, and programmed */
};

struct source;
struct power_source;
struct examine_question;

/* What the options say; all strings borrowed, NULL: not given. */
struct source_options {
	const char *kperf_path, *kperfdata_path;
	const char *sim;  /* MACHINE[,key=value]... */
	const char *root; /* read root/sys and root/proc instead (Linux) */
	bool ipc;         /* never force; program() is refused */
	bool user_only;   /* count the slots in user mode only */
	bool lazy; /* let idle CPUs sleep: read them every tenth time (Linux) */
	bool mux;  /* let the kernel take turns on counters that are held */
	const char *events;        /* the user's own, comma-separated (Linux) */
	const char *const *replay; /* [nreplay]: segments of a recording */
	unsigned nreplay;
	bool skip_damaged;            /* rows of it are left out */
	const char *from, *to, *mark; /* the part of it that is replayed */
	bool replay_index; /* to go back and forth in it; else it is streamed */
	int64_t period_ns;
	int server; /* socket of the counter server (server/remote.h); 0: none
		     */
};

/* The counter server sends these as they are: no gaps (server/wire.h). */
#pragma GCC diagnostic push
#pragma GCC diagnostic warning "-Wpadded"
/*
 * Plain data that an open source offers besides its calls. Only the source
 * writes it; it changes only inside program() and read().
 */
struct source_info {
	char source[16]; /* "kperf", "perf", "sim", "replay" */
	char model[64];  /* "Apple M1 Max", or the CPU's name on Linux */
	char chip[32];   /* database or PMU: "a14"; "" unknown */
	char os[64];     /* "macOS 26.1", "Linux 6.12" */
	char origin[16]; /* of a recording: the source it was made from */
	enum source_mode mode;
	enum domain domain; /* of the slots, as read back; DOMAIN_NONE */
	/* Why the mode is not FULL, and what to do about it; "" if it is. */
	struct err why;
	/* What a person should know now (stolen, taken back, cpus off); "". */
	char notice[200];
	unsigned interrupts_per_read; /* of CPUs, by one reading of all */
	bool simulated;
	bool rows_may_be_stale; /* see monitor/monitor.h */
	bool outdated; /* the machine has other CPUs than `topology`: renew */
	bool restores; /* it changes the machine: source_end() says if it is
			  back */
	bool lost; /* no later call can succeed: whatever counted has died */
	/* Busy time is shown also where the right to count is missing. */
	bool utilisation;
	bool processes; /* source_ops.processes answers */
	bool ends;      /* a recording: read() returns SOURCE_END some day */
	/* From here on of this process. */
	const struct topology *topology;
	const struct catalog *catalog; /* NULL: no slots */
	const struct eventset *set;    /* in force; len 0 in IPC mode */
	const struct clock *clock;
	/* A descriptor that turns readable when it does; NULL: none. */
	const int *watch;
};
#pragma GCC diagnostic pop

struct source_ops {
	const char *name, *text;

	/* Could it work here? *e says why not. Changes nothing. */
	bool (*probe)(const struct source_options *o, struct err *e);

	/*
	 * Opens without changing the machine's state: the source starts in
	 * SOURCE_IPC (or BUSY_ONLY) mode. NULL and *e on failure.
	 */
	struct source *(*open)(const struct source_options *o, struct err *e);

	/*
	 * Counts `set` (placed by slots_place or preset_derive on this source's
	 * catalog) from now on; the set is copied. NULL releases the counters:
	 * IPC mode. On failure the old set runs on, but may have stood still
	 * for a moment. After success, and after a failure while a set is
	 * counted (info.set), the caller must read() at once; that reading
	 * comes flagged SAMPLE_BASELINE.
	 */
	bool (*program)(struct source *s, const struct eventset *set,
			struct err *e);

	/* Fills *out (of topology->ncpus). ERROR: *e; the next may succeed. */
	enum source_status (*read)(struct source *s, struct sample *out,
				   struct err *e);

	/*
	 * What the machine's processes have used so far, right after read():
	 * reading the cores has flushed what threads on them counted (macOS).
	 * Rows stay in their place only within a call. Grows *out where it has
	 * to. False and *e: not now. NULL: this source has no processes; so has
	 * one whose info.processes is false.
	 */
	bool (*processes)(struct source *s, const struct process_wish *w,
			  struct process_reading *out, struct err *e);

	/*
	 * For a machine that is outdated: the source of the machine as it is
	 * now, opened as open does, in the place of `old`, which is gone then.
	 * NULL and *e: old goes on as it was. Where it is NULL, no machine is
	 * ever outdated.
	 */
	struct source *(*renew)(struct source *old,
				const struct source_options *o, struct err *e);

	/*
	 * What measures energy beside it, also when the source was renewed;
	 * where it is slow any thread may use it. NULL and *e: there is none.
	 * The call may be NULL.
	 */
	struct power_source *(*power)(struct source *s, struct err *e);
	/* It takes the rights that counting does: a server's, if there is one.
	 */
	bool power_with_rights;

	/* The machine as open found it. NULL is fine. */
	void (*close)(struct source *s);

	/* For ktop doctor (source/examine.h); NULL: there is nothing to ask. */
	const struct examine_question *examine;

	/*
	 * For ktop doctor --repair: prints what a killed process has left set
	 * on the machine, and puts it right. NULL: nothing can be left.
	 */
	bool (*repair)(struct source *s, struct err *e);
};

/* Every source embeds this first. */
struct source {
	const struct source_ops *ops;
	struct source_info info;
	bool recording; /* the app's word: every row counts, be not lazy */
};

/* Bytes of a reason where no screen follows: it ends with what is on that. */
static inline int
source_why_bytes(const struct err *why)
{
	const char *shown = strstr(why->text, ": showing utilisation only");

	return (int)(shown != NULL ? (size_t)(shown - why->text)
				   : strlen(why->text));
}

#endif

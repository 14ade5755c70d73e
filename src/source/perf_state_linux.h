/* What the files of the perf source share. */
#ifndef SOURCE_PERF_STATE_LINUX_H
#define SOURCE_PERF_STATE_LINUX_H

#include "source/group_linux.h"
#include "source/online_linux.h"
#include "source/perf_catalog_linux.h"
#include "source/proc_stat_linux.h"
#include "source/source.h"

struct perf_cpu {
	struct group group;
	bool off;             /* line: its system says so */
	bool denied;          /* it could be opened before, now not any more */
	int64_t retry_ns;     /* no new attempt before; awake time */
	int64_t back_off_ns;  /* the next wait */
	unsigned starved;     /* readings in a row without a moment to count */
	unsigned shared;      /* the same, without all of the time */
	unsigned skipped;     /* lazily */
	uint64_t busy, total; /* of the reading before, for laziness */
};

struct perf_source {
	struct source source; /* first */
	char *root;           /* NULL: this machine */
	struct topology *topology;
	struct perf_catalog catalog;
	struct group_port port;  /* ops NULL: a recorded machine */
	struct perf_cpu *cpu;    /* [ncpus] */
	struct group_plan *plan; /* [nkinds], of the set in force */
	struct group_plan *next; /* [nkinds], being tried */
	struct proc_stat stat;
	struct online online;
	struct eventset set;
	bool counts; /* hardware counters, on some CPU at least */
	bool lazy, user_only;
	bool baseline; /* the next reading is the first of a set */
	bool short_of_files;
	unsigned newcomers; /* CPUs on line that the topology does not know */
	unsigned dropped;   /* readings that made no sense */
};

/* ---- perf_plan_linux.c ---- */

/* next[] for the set, NULL: the fixed pair. */
void perf_plan(struct perf_source *s, const struct eventset *set);

/* Counts by next[] from now on. False and *e: plan[] goes on. */
bool perf_adopt(struct perf_source *s, struct err *e);

/* Could the kernel's own events be opened on some CPU? Closes them again. */
bool perf_software_works(struct perf_source *s);

bool perf_program(struct source *base, const struct eventset *set,
		  struct err *e);

/* ---- perf_read_linux.c ---- */

enum source_status perf_read(struct source *base, struct sample *out,
			     struct err *e);

#endif

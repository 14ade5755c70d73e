/* What the files of the perf source share. */
#ifndef SOURCE_PERF_STATE_H
#define SOURCE_PERF_STATE_H

#include "source/perf/group.h"
#include "source/perf/online.h"
#include "source/perf/catalog.h"
#include "source/perf/present.h"
#include "source/perf/proc_stat.h"
#include "source/perf/processes.h"
#include "source/examine.h"
#include "source/source.h"

struct perf_cpu {
	struct group group;
	bool off;             /* line: its system says so */
	bool denied;          /* it could be opened before, now not any more */
	bool none;            /* no such PMU here, whatever sysfs says */
	int64_t retry_ns;     /* no new attempt before; awake time */
	int64_t back_off_ns;  /* the next wait */
	unsigned starved;     /* readings in a row without a moment to count */
	unsigned shared;      /* the same, without all of the time */
	unsigned skipped;     /* lazily */
	uint64_t busy, total; /* of the reading before, for laziness */
};

/* What of the set is not counted on a kind, while others hold counters. */
struct perf_fit {
	uint32_t left_out;    /* slots */
	unsigned tight;       /* a CPU on which no more of them fits */
	unsigned wait, pause; /* readings until it is tried again; the next */
	unsigned grew;        /* readings until one that came back has stayed */
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
	struct perf_processes processes;
	struct perf_traced traced;
	struct online online;
	struct places places;
	struct eventset set;
	struct perf_fit *fit;    /* [nkinds] */
	unsigned dropped_before; /* rows of set.dropped that are not ours */
	int hardware; /* errno of the last attempt to count; 0: it went well */
	bool counts;  /* hardware counters, on some CPU at least */
	bool counted; /* they were, before this took another's place */
	bool had_rights; /* they were effective when this was opened */
	bool lazy, user_only;
	bool turns;      /* --mux: the kernel lets groups take turns */
	unsigned yields; /* slots that the cores leave to processes */
	bool baseline;   /* the next reading is the first of a set */
	bool short_of_files;
	uint64_t used;      /* files that were open before the first counter */
	unsigned newcomers; /* CPUs on line whose place is not known */
	unsigned dropped;   /* readings that made no sense */
	/* What is said while nothing more urgent is, the last first; "". */
	char refused[200], crowded[200];
	size_t refused_len; /* of events; then come kinds that have none */
};

static inline struct perf_source *
perf_of(struct source *s)
{
	return (struct perf_source *)(void *)s;
}

/* examine.c */
extern const struct examine_question perf_examine[];

/* ---- plan.c ---- */

/*
 * How important a slot of the set is, lower is more: the first metric of the
 * preset that needs it, those that the preset keeps before the others.
 */
unsigned perf_importance(const struct perf_source *s,
			 const struct eventset *set, unsigned slot);

/*
 * One kind's next[] for the set (NULL: the fixed pair) without the slots that
 * are left out.
 */
void perf_plan_kind(struct perf_source *s, const struct eventset *set,
		    unsigned kind, uint32_t left_out);

/* The whole set, on every kind. */
void perf_plan(struct perf_source *s, const struct eventset *set);

/* 0 where cycles can be opened on some CPU, or the errno. */
int perf_hardware_errno(struct perf_source *s);

/* 0 where the kernel's own events can be opened on some CPU, or the errno. */
int perf_software_errno(struct perf_source *s);

/*
 * Could what is counted, or was, be opened again? False and *e: not now, and
 * counters that are open should stay so.
 */
bool perf_could_count(struct perf_source *s, struct err *e);

/* ---- program.c ---- */

/* Counts by next[] from now on. False and *e: plan[] goes on. */
bool perf_adopt(struct perf_source *s, struct err *e);

bool perf_program(struct source *base, const struct eventset *set,
		  struct err *e);

/* ---- files.c ---- */

/* Descriptors that next[] takes on the CPUs that are on line. */
uint64_t perf_files(const struct perf_source *s);

/* Files of the limit that are not for counters. */
uint64_t perf_files_kept(const struct perf_source *s);

/* May so many be opened? Raises the limit if it can; false and *e: no. */
bool perf_files_fit(struct perf_source *s, uint64_t need, struct err *e);

/* Does an open with this errno mean that nothing more can be opened? */
bool perf_files_short(int code);

/* False and *e: the open of `need` members failed with that errno. */
bool perf_files_explain(const struct perf_source *s, uint64_t need, int code,
			struct err *e);

/* ---- refused.c ---- */

/* Adds to the set's dropped rows, and says, what the kernel did not take. */
void perf_note_refusals(struct perf_source *s);

/* Says again which kinds' PMUs count nothing at all: one may have come back. */
void perf_note_without_pmu(struct perf_source *s);

/* ---- shrink.c ---- */

/* A set is new: leaves out of it at once what does not fit. */
void perf_fit_new_set(struct perf_source *s);

/*
 * After a reading: leaves out what does not fit, tries again what did not.
 * True: some CPUs have other events from now on.
 */
bool perf_fit(struct perf_source *s);

/*
 * The cores leave so many slots to processes, the least important; 0: all of
 * the set counts again. False: that cannot be opened now.
 */
bool perf_yield(struct perf_source *s, unsigned slots);

/* Slots that take a counter of that kind, without the most important. */
uint32_t perf_beyond(const struct perf_source *s, unsigned kind, unsigned keep);

/* Has the slot no counter on that kind, since others hold them? */
bool perf_left_out(const struct perf_source *s, unsigned slot, unsigned kind);

/* ---- read.c ---- */

enum source_status perf_read(struct source *base, struct sample *out,
			     struct err *e);

#endif

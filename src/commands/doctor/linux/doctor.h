/* ktop doctor on Linux: what its parts share. */
#ifndef COMMANDS_DOCTOR_LINUX_DOCTOR_H
#define COMMANDS_DOCTOR_LINUX_DOCTOR_H

#include "commands/doctor/doctor.h"
#include "source/perf/denied.h"
#include "source/perf/state.h"

/* What the examination found, for the verdicts. */
struct doctor_linux_found {
	int cycles, instructions; /* errno of the opens, 0: works */
	int software;             /* of context switches */
	unsigned events, opened;  /* on one kind at least */
	unsigned presets, programmed;
	unsigned read, delivered, moved; /* CPUs */
	unsigned busy_rows;              /* of /proc/stat */
	enum domain domain;
};

struct doctor_linux {
	FILE *out;
	const struct options *o;
	const char *root; /* NULL: this machine */
	bool live;        /* there is a kernel to open counters of */
	struct denied_rights rights;
	struct perf_source *s; /* NULL: it could not be opened */
	struct err why;        /* then */
	struct sample *sample;
	struct doctor_linux_found found;
};

/*
 * The report. ops: what answers for the kernel; NULL: the kernel itself, or,
 * with --root, nobody: then there is what its files say. Returns the exit code.
 */
int doctor_linux_report(FILE *out, const struct options *o,
			const struct perf_ops *ops);

/* ---- the sections, in the order of the report ---- */

/* rights.c: who may count, and how many files may be open. */
void doctor_rights(struct doctor_linux *d);

/* pmu.c: what there is, and how many counters fit at once. */
void doctor_pmus(struct doctor_linux *d);

/* sets.c: each event alone, then each preset. */
void doctor_linux_events(struct doctor_linux *d);
void doctor_linux_presets(struct doctor_linux *d);

/* reads.c: clocks, and what reading costs. */
void doctor_clocks(struct doctor_linux *d);
void doctor_linux_reads(struct doctor_linux *d);

/* ---- shared ---- */

/* Opens one event on a CPU and closes it; 0 or the errno. */
int doctor_try_open(const struct doctor_linux *d, const struct perf_code *code,
		    int cpu);

/* The same as a member of a group that `leader` leads. */
int doctor_try_behind(const struct doctor_linux *d,
		      const struct perf_code *leader,
		      const struct perf_code *code, int cpu);

/* The first CPU on line of that kind, or -1. */
int doctor_cpu_of(const struct doctor_linux *d, unsigned kind);

/* Sleeps; a signal may cut it short. */
void doctor_nap(int64_t ns);

#endif

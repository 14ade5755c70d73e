/* A tape in memory; for tape*.c alone. */
#ifndef SIM_TAPE_FILE_H
#define SIM_TAPE_FILE_H

#include "kperf/tape/tape.h"
#include "pmu/pmu.h"

struct tape_record { /* a call, and what it did */
	struct tape_call call;
	struct stamp stamp;
	unsigned nruns;
	struct tape_run *run;
	unsigned line;
	bool swap; /* begins a swap of event sets */
};

struct tape_node { /* a sysctl */
	const char *name;
	int result, error;
	unsigned char *bytes;
	size_t size;
	size_t at; /* calls before it */
};

/* Everything points into `text`, which the reader has cut into pieces. */
struct tape_file {
	char *text;
	struct stamp begin;
	const char *host; /* its text when it was recorded */
	struct tape_record *record;
	size_t nrecords, record_room;
	bool swap;       /* the next record does */
	size_t end;      /* calls up to the closing; SIZE_MAX: torn off */
	size_t trace;    /* up to where tracing is tried; SIZE_MAX: it is not */
	bool has_system; /* calls of tracing are on it */
	struct tape_node *node;
	size_t nnodes, node_room;
	bool has_db;
	int db_error; /* of kpep_db_create where there is none */
	struct pmu pmu;
	struct pmu_event *event;
	size_t stride;
	const char *db_cpu;
	unsigned nevents;
};

bool tape_file_read(const char *path, struct tape_file *t, struct err *e);
void tape_file_free(struct tape_file *t);

#endif

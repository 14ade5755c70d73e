/* Processes on the made-up machine of frames.h. */
#ifndef TESTS_OUT_PROCESSES_H
#define TESTS_OUT_PROCESSES_H

#include "model/process.h"
#include "out/frames.h"

#include <stdio.h>

enum {
	ALL_KNOWN = PROCESS_HAS_TIMES | PROCESS_HAS_COUNTS | PROCESS_HAS_PARTS |
		    PROCESS_HAS_PART_TIMES | PROCESS_HAS_ENERGY |
		    PROCESS_HAS_PART_ENERGY,
	PROCESSES = 6
};

struct processes_of {
	struct process_row row[PROCESSES];
	struct process_table table;
};

/* ms: of CPU time, a quarter of it in the kernel and four fifths on P. */
static inline struct process_row
process_made(int32_t pid, const char *name, uint64_t ms)
{
	uint64_t ns = ms * 1000000;
	struct process_row r = {
		.pid = pid,
		.parent = 1,
		.start = 1000u + (uint64_t)pid,
		.started_ns = 1795183000000000000,
		.uid = 501,
		.threads = 3,
		.state = PROCESS_RUNS,
		.access = PROCESS_COUNTED,
		.known = ALL_KNOWN,
		.name = name,
		.user = "ada",
		.interval_s = 1.0,
		.d = { .cycles = 3 * ns,
		       .instructions = 6 * ns,
		       .user_ns = ns / 4 * 3,
		       .system_ns = ns / 4,
		       .energy_nj = ns,
		       .part = { { 5 * ns / 2, 11 * ns / 2, ns / 5 * 4,
				   ns / 10 * 9 },
				 { ns / 2, ns / 2, ns / 5, ns / 10 } } },
	};

	return r;
}

/* What the cores did less what the rows did. */
static inline void
processes_settle(struct processes_of *p, struct frames *f)
{
	struct process_row *rest = &p->table.rest, *cores = &p->table.cores;
	uint64_t cycles = 0, instructions = 0;

	*cores = (struct process_row){ .known = PROCESS_HAS_COUNTS,
				       .interval_s = 1.0,
				       .name = "",
				       .user = "" };
	for (unsigned i = 0; i < FRAMES_CPUS; i++) {
		cores->d.cycles += f->span[i].cycles;
		cores->d.instructions += f->span[i].instructions;
	}
	for (unsigned i = 0; i < p->table.n; i++) {
		struct process_row *r = &p->row[i];

		process_metrics_of(r, cores, 2);
		if ((r->known & PROCESS_HAS_COUNTS) == 0)
			continue;
		cycles += r->d.cycles;
		instructions += r->d.instructions;
	}
	*rest = *cores;
	rest->pid = rest->parent = -1;
	rest->name = "(unattributed)";
	rest->d.cycles -= cycles;
	rest->d.instructions -= instructions;
	process_metrics_of(rest, cores, 2);
}

/*
 * Six, by pid: kernel_task with 200 ms, one that is denied, and four more of
 * which compiler is the busiest.
 */
static inline void
processes_make(struct processes_of *p, struct frames *f)
{
	*p = (struct processes_of){
		.row = { process_made(0, "kernel_task", 200),
			 process_made(101, "sshd", 0),
			 process_made(201, "editor", 40),
			 process_made(301, "compiler", 900),
			 process_made(401, "indexer", 300),
			 process_made(501, "player", 10) },
		.table = { .n = PROCESSES,
			   .opened = -1,
			   .has_rest = true,
			   .everything = true,
			   .domain = DOMAIN_ALL,
			   .capacity_pct = 800,
			   .started = UINT64_MAX,
			   .notice = "",
			   .parts = { .n = 2,
				      .label = { "P", "E" },
				      .kind = { 0, 1 } } },
	};
	p->row[0].uid = 0;
	p->row[0].user = "root";
	p->row[1].known = 0;
	p->row[1].access = PROCESS_DENIED;
	p->row[1].uid = 0;
	p->row[1].state = PROCESS_STATE_UNKNOWN;
	p->table.row = p->row;
	processes_settle(p, f);
	f->frame.processes = &p->table;
}

#endif

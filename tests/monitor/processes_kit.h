/* Processes made up for the monitor's tests, on the rig's small machine. */
#ifndef TESTS_MONITOR_PROCESSES_KIT_H
#define TESTS_MONITOR_PROCESSES_KIT_H

#include "model/rig.h"
#include "monitor/processes.h"

#include <stdio.h>

enum { M = 1000000 };

#define assert_near(a, b, by) assert_true(fabs((a) - (b)) <= (by))

struct kit {
	struct rig rig;
	struct process_reading r;
	const struct frame *f;
	const struct process_table *t; /* of the last frame; NULL: none */
};

enum {
	KIT_KNOWN = PROCESS_HAS_TIMES | PROCESS_HAS_COUNTS | PROCESS_HAS_PARTS |
		    PROCESS_HAS_PART_TIMES | PROCESS_HAS_ENERGY
};

static inline void
kit_open(struct kit *k)
{
	memset(k, 0, sizeof *k);
	rig_open(&k->rig, "a14", NULL, false);
	if (!process_reading_init(&k->r, 8))
		abort();
	k->r.everything = true;
	k->r.domain = DOMAIN_ALL;
	k->r.parts = (struct process_parts){ .n = 2,
					     .label = { "P", "E" },
					     .kind = { 0, 1 } };
}

static inline void
kit_close(struct kit *k)
{
	process_reading_free(&k->r);
	rig_close(&k->rig);
}

/* One more process; it began at that second of the source's clock. */
static inline struct process_read *
kit_add(struct kit *k, int pid, double began_s)
{
	if (!process_reading_grow(&k->r, k->r.n + 1))
		abort();
	struct process_read *p = &k->r.row[k->r.n++];

	*p = (struct process_read){
		.pid = pid,
		.parent = 1,
		.start = (uint64_t)(began_s * 1e9) + 1,
		.started_awake_ns = (int64_t)(began_s * 1e9) + 1,
		.state = PROCESS_SLEEPS,
		.known = KIT_KNOWN,
	};
	(void)snprintf(p->name, sizeof p->name, "p%d", pid);
	return p;
}

static inline struct process_read *
kit_find(struct kit *k, int pid)
{
	for (unsigned i = 0; i < k->r.n; i++)
		if (k->r.row[i].pid == pid)
			return &k->r.row[i];
	abort();
}

static inline void
kit_drop(struct kit *k, int pid)
{
	struct process_read *p = kit_find(k, pid);

	*p = k->r.row[--k->r.n];
}

/* It works on a kind of core; part 0: P, 1: E. Its time is 1 ns a cycle. */
static inline void
kit_work(struct process_read *p, unsigned part, uint64_t cycles,
	 uint64_t instructions)
{
	p->total.cycles += cycles;
	p->total.instructions += instructions;
	p->total.user_ns += cycles;
	p->total.energy_nj += cycles / 4;
	p->total.part[part].cycles += cycles;
	p->total.part[part].instructions += instructions;
	p->total.part[part].cpu_ns += cycles;
}

/* The same on the cores: CPUs 0, 1 are E, 2, 3 are P. */
static inline void
kit_run(struct kit *k, struct process_read *p, unsigned part, uint64_t cycles,
	uint64_t instructions)
{
	kit_work(p, part, cycles, instructions);
	rig_run(&k->rig, part == 0 ? 2 : 0, cycles, instructions);
}

/* The processes of the moment at which the cores were fed last. */
static inline void
kit_feed_processes(struct kit *k)
{
	struct err e;

	k->r.stamp = k->rig.s->stamp;
	if (!monitor_feed_processes(k->rig.m, &k->r, &e))
		abort();
	k->t = k->f != NULL ? k->f->processes : NULL;
}

/* A second passes; cores and processes are read. */
static inline void
kit_tick(struct kit *k)
{
	k->f = rig_feed(&k->rig);
	kit_feed_processes(k);
}

static inline void
kit_second(struct kit *k)
{
	rig_pass(&k->rig, 1000, 0);
}

/* NULL: it is not in the table. */
static inline const struct process_row *
kit_row(const struct kit *k, int pid)
{
	for (unsigned i = 0; i < k->t->n; i++)
		if (k->t->row[i].pid == pid)
			return &k->t->row[i];
	return NULL;
}

/* Kit with processes 10, 20 and 30, which have a baseline. */
static inline void
kit_open_three(struct kit *k)
{
	kit_open(k);
	/* Not in order, as systems list them. */
	kit_work(kit_add(k, 20, -5), 0, 500 * M, 900 * M);
	kit_work(kit_add(k, 10, -9), 1, 100 * M, 50 * M);
	kit_add(k, 30, -1);
	kit_feed_processes(k);
}

#endif

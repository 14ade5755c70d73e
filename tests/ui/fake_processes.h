/* Processes made up for the screen's tests: a machine with 8 P and 4 E cores.
 */
#ifndef TESTS_UI_FAKE_PROCESSES_H
#define TESTS_UI_FAKE_PROCESSES_H

#include "fake_frame.h"

enum { FAKE_PROCESSES = 64, FAKE_THREADS = 8 };

struct fake_processes {
	struct process_row row[FAKE_PROCESSES], thread[FAKE_THREADS];
	struct process_table t;
	char name[FAKE_PROCESSES][PROCESS_NAME_SIZE];
};

/* A P core makes 3.4e9 cycles a second, an E core 2.0e9; energy by cycle. */
struct fake_work {
	int32_t pid;
	const char *user, *name;
	double p_pct, e_pct, p_ipc, e_ipc;
};

static const struct fake_work fake_work[] = {
	{ 0, "root", "kernel_task", 23, 48.2, 1.48, 0.92 },
	{ 1, "root", "launchd", 0, 1.0, 0, 1.3 },
	{ 612, "_windows", "WindowServer", 0, 51.9, 0, 2.52 },
	{ 701, "root", "mds_stores", 0, 55.2, 0, 0.93 },
	{ 880, "ana", "Terminal", 0, 9.9, 0, 2.1 },
	{ 955, "ana", "ktop", 0, 2.1, 0, 1.6 },
	{ 1204, "ana", "WebContent", 47.3, 0, 2.1, 0 },
	{ 2001, "ana", "sleeper", 0, 0, 0, 0 },
	{ 3307, "ana", "parse-logs", 88.3, 0, 1.62, 0 },
	{ 4411, "ana", "kvstored", 184.7, 7.0, 0.69, 1.1 },
	{ 5120, "ana", "clang", 93.1, 0, 4.91, 0 },
	{ 5123, "ana", "clang", 91.2, 0, 4.38, 0 },
	{ 5127, "ana", "rustc", 83.7, 0, 2.59, 0 },
	{ 5140, "ana", "sh", 0.6, 0, 1.2, 0 },
};

static const struct fake_work fake_thread_work[] = {
	{ 4411, "ana", "shard-0", 96.0, 0, 0.58, 0 },
	{ 4411, "ana", "shard-1", 81.0, 0, 0.81, 0 },
	{ 4411, "ana", "compaction", 7.7, 0, 0.95, 0 },
	{ 4411, "ana", "gc", 0, 7.0, 0, 1.1 },
};

static inline void
fake_part(struct process_part *part, double pct, double ipc, double ghz,
	  double nj)
{
	part->cpu_ns = (uint64_t)(pct * 1e7);
	part->cycles = (uint64_t)(pct / 100 * ghz * 1e9);
	part->instructions = (uint64_t)((double)part->cycles * ipc);
	part->energy_nj = (uint64_t)((double)part->cycles * nj);
}

static inline void
fake_process(struct process_row *row, const struct fake_work *w)
{
	struct process_totals *d = &row->d;

	*row = (struct process_row){
		.pid = w->pid,
		.start = 1000 + (uint64_t)w->pid,
		.started_ns = 1764250867000000000,
		.parent = 1,
		.threads = 1,
		.state =
			w->p_pct + w->e_pct > 0 ? PROCESS_RUNS : PROCESS_SLEEPS,
		.known = PROCESS_HAS_TIMES | PROCESS_HAS_COUNTS |
			 PROCESS_HAS_PARTS | PROCESS_HAS_PART_TIMES |
			 PROCESS_HAS_ENERGY | PROCESS_HAS_PART_ENERGY,
		.name = w->name,
		.user = w->user,
		.interval_s = 1,
	};
	fake_part(&d->part[0], w->p_pct, w->p_ipc, 3.4, 0.92);
	fake_part(&d->part[1], w->e_pct, w->e_ipc, 2.0, 0.09);
	for (unsigned i = 0; i < 2; i++) {
		d->cycles += d->part[i].cycles;
		d->instructions += d->part[i].instructions;
		d->energy_nj += d->part[i].energy_nj;
		d->user_ns += d->part[i].cpu_ns;
	}
}

static inline void
fake_cores(struct fake_processes *p)
{
	struct fake_work all = { .p_pct = 640,
				 .e_pct = 210,
				 .p_ipc = 2.2,
				 .e_ipc = 1.3,
				 .name = "",
				 .user = "" };
	struct fake_work rest = { .pid = -1,
				  .p_pct = 12,
				  .e_pct = 17,
				  .p_ipc = 1.01,
				  .e_ipc = 0.83,
				  .name = "(unattributed)",
				  .user = "" };

	fake_process(&p->t.cores, &all);
	fake_process(&p->t.rest, &rest);
	p->t.rest.known &=
		~(uint32_t)(PROCESS_HAS_TIMES | PROCESS_HAS_PART_TIMES |
			    PROCESS_HAS_ENERGY);
	p->t.own = p->t.cores;
	p->t.has_rest = p->t.everything = true;
}

/* A row without counts, for that reason. */
static inline void
fake_without(struct fake_processes *p, int32_t pid, const char *user,
	     const char *name, enum process_access access)
{
	struct process_row *row = &p->row[p->t.n];

	while (row > p->row && row[-1].pid > pid) {
		*row = row[-1];
		row--;
	}
	*row = (struct process_row){
		.pid = pid,
		.start = 1,
		.access = (uint8_t)access,
		.name = name,
		.user = user,
		.interval_s = 1,
	};
	p->t.n++;
}

/* After rows have changed. */
static inline void
fake_derive(struct fake_processes *p)
{
	struct process_table *t = &p->t;

	t->own.d.cycles = 0;
	for (unsigned i = 0; i < t->n; i++) {
		process_metrics_of(&p->row[i], &t->cores, t->parts.n);
		t->own.d.cycles += p->row[i].d.cycles;
		p->row[i].flagged = p->row[i].pid == 4411 &&
				    p->row[i].access == PROCESS_COUNTED &&
				    p->row[i].value[PROCESS_IPC] < 1;
	}
	for (unsigned i = 0; i < t->nthreads; i++)
		process_metrics_of(&p->thread[i], &t->cores, t->parts.n);
	process_metrics_of(&t->rest, &t->cores, t->parts.n);
	process_metrics_of(&t->own, &t->cores, t->parts.n);
	process_metrics_of(&t->cores, &t->cores, t->parts.n);
}

static inline void
fake_processes_open(struct fake_processes *p)
{
	memset(p, 0, sizeof *p);
	p->t.row = p->row;
	p->t.thread = p->thread;
	p->t.opened = -1;
	p->t.notice = "";
	p->t.domain = DOMAIN_ALL;
	p->t.capacity_pct = 1200;
	p->t.started = 17;
	p->t.born = 14;
	p->t.ended = 3;
	p->t.parts = (struct process_parts){ 2, { "P", "E" }, { 0, 1 } };
	for (unsigned i = 0; i < sizeof fake_work / sizeof *fake_work; i++)
		fake_process(&p->row[p->t.n++], &fake_work[i]);
	fake_cores(p);
	fake_without(p, 733, "_trustd", "trustd", PROCESS_DENIED);
	fake_without(p, 9120, "ana", "cc1", PROCESS_NEW);
	fake_derive(p);
}

/* The threads of kvstored. */
static inline void
fake_threads(struct fake_processes *p)
{
	p->t.opened = 4411;
	p->t.opened_at = 5411;
	for (unsigned i = 0; i < 4; i++) {
		fake_process(&p->thread[i], &fake_thread_work[i]);
		p->thread[i].start = 5411;
		p->thread[i].thread = 781207 + 7 * i;
	}
	p->t.nthreads = 4;
	fake_derive(p);
}

/* It was 4.2 until 43 frames ago, for kvstored. */
static unsigned
fake_process_values(const struct monitor *self, int32_t pid, uint64_t start,
		    enum process_metric metric, unsigned n, float *out)
{
	const struct fake_processes *p = (const void *)self;

	for (unsigned i = 0; i < p->t.n; i++) {
		const struct process_row *row = &p->row[i];

		if (row->pid != pid ||
		    row->start < start) /* or a life before */
			continue;
		for (unsigned k = 0; k < n; k++) {
			double wave = fake_wave((unsigned)pid, (double)k) / 10;
			bool before = pid == 4411 && n - k > 43;

			out[k] = (float)(before ? 4.2 + wave
						: row->value[metric] *
							  (1 + wave));
		}
		return n;
	}
	return 0;
}

#endif

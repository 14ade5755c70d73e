#include "source/calibrate.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/report.h"
#include "model/metric.h"

enum {
	CHUNK = 1 << 12, /* iterations between checks of the clock */
	LOOP_NS = 6 * 1000 * 1000,
	WARM_NS = 30 * 1000 * 1000, /* time to move the thread to its core */
	TRIES = 5,
	LINES = 1 << 19,
	WORDS = 16 /* 64-bit words in a line of 128 bytes */
};

/* Most important first; make_event_set takes those that fit the counters. */
static const char *const wanted[] = {
	"SLOT_TOTAL",    "BRANCH_MISPRED_NONSPEC",
	"RETIRE_UOP",    "MAP_STALL",
	"MAP_REWIND",    "SLOT_PROCESSING",
	"MAP_UOP",       "MAP_STALL_NONRECOVERY",
	"SLOT_DELIVERY", "SLOT_DISCARDED",
	"SLOT_USEFUL",   "MAP_RECOVERY",
};
enum { WANTED = sizeof wanted / sizeof wanted[0] };

struct quietest {
	int cpu;
	double n, cycles, instructions, count[EVENTSET_MAX];
};

struct calibration {
	struct examine *x;
	const struct calibrate_cores *cores;
	unsigned kind;
	bool asked, stayed; /* a try ran on only one CPU, of this kind */
	const struct eventset *set;
	struct sample *from, *to;
	uint64_t *memory; /* [LINES * WORDS], zeros */
	uint64_t at;      /* line that the next load reads */
	struct quietest best[CALIBRATE_LOOPS]; /* n is 0 if no try was valid */
};

/* Keeps the value in a register and hides it from the optimizer. */
#define KEEP(value) __asm__ volatile("" : "+r"(value))

static void
loop_adds(uint64_t n)
{
	uint64_t a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, g = 7, h = 9;

	while (n-- > 0) {
		a += 3;
		b += 5;
		c += 7;
		d += 9;
		e += 11;
		f += 13;
		g *= h;
		KEEP(a);
		KEEP(b);
		KEEP(c);
		KEEP(d);
		KEEP(e);
		KEEP(f);
		KEEP(g);
		KEEP(h);
	}
}

/* mask 1: unpredictable branches; mask 0: all go the same way. */
static void
loop_branches(uint64_t n, uint64_t mask)
{
	uint64_t x = 0x9e3779b97f4a7c15, taken = 0;

	while (n-- > 0) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		if ((x & mask) != 0) {
			KEEP(taken); /* makes the compiler emit a branch */
			taken++;
		}
	}
	KEEP(taken);
}

/* The address of each load depends on the value of the load before. LINES loads
 * read every line once. */
static void
loop_loads(struct calibration *c, uint64_t n)
{
	uint64_t at = c->at;

	while (n-- > 0) {
		at = (at * 1664525 + 1013904223 + c->memory[at * WORDS]) %
		     LINES;
		KEEP(at);
	}
	c->at = at;
}

static void
run_loop(struct calibration *c, enum calibrate_loop loop, uint64_t n)
{
	if (loop == CALIBRATE_ADDS)
		loop_adds(n);
	else if (loop == CALIBRATE_LOADS)
		loop_loads(c, n);
	else
		loop_branches(n, loop == CALIBRATE_BRANCHES);
}

/* Uses the system's clock, as a stepped clock does not advance by itself. */
static uint64_t
run_for(struct calibration *c, enum calibrate_loop loop, int64_t ns)
{
	int64_t until = clock_awake_ns(clock_system()) + ns;
	uint64_t n = 0;

	do {
		run_loop(c, loop, CHUNK);
		n += CHUNK;
	} while (clock_awake_ns(clock_system()) < until);
	return n;
}

/* Returns the iterations; 0: the CPU changed, or the loop could not run. */
static uint64_t
run_on_one_cpu(struct calibration *c, enum calibrate_loop loop, int *cpu)
{
	uint64_t n;

	if (c->cores->run != NULL)
		return c->cores->run(c->x->s, c->kind, loop, cpu);
	*cpu = c->cores->cpu(c->x->s);
	n = run_for(c, loop, LOOP_NS);
	return *cpu >= 0 && *cpu == c->cores->cpu(c->x->s) ? n : 0;
}

/* NAN: the event was not counted during the whole try. */
static double
event_growth(const struct reading *a, const struct reading *b)
{
	if (!a->supported || !b->supported || b->count < a->count ||
	    b->enabled_ns - a->enabled_ns != b->running_ns - a->running_ns)
		return NAN;
	return (double)(b->count - a->count);
}

static void
try_calibration_loop(struct calibration *c, enum calibrate_loop loop)
{
	struct source *s = c->x->s;
	struct quietest *best = &c->best[loop], now = { .cpu = -1 };
	const struct topology *t = s->info.topology;

	if (s->ops->read(s, c->from, NULL) != SOURCE_OK)
		return;
	now.n = (double)run_on_one_cpu(c, loop, &now.cpu);
	if (s->ops->read(s, c->to, NULL) != SOURCE_OK || !(now.n > 0))
		return;
	int i = topology_cpu_find(t, now.cpu);
	if (i < 0 || t->cpu[i].kind != c->kind)
		return;
	c->stayed = true;
	const struct cpu_sample *a = &c->from->cpu[i], *b = &c->to->cpu[i];
	if (a->state != CPU_DELIVERED || b->state != CPU_DELIVERED)
		return;
	now.cycles =
		event_growth(&a->fixed[FIXED_CYCLES], &b->fixed[FIXED_CYCLES]);
	now.instructions = event_growth(&a->fixed[FIXED_INSTRUCTIONS],
					&b->fixed[FIXED_INSTRUCTIONS]);
	for (unsigned e = 0; e < c->set->len; e++)
		now.count[e] = event_growth(&a->slot[e], &b->slot[e]);
	if (now.cycles > 0 && now.instructions > 0 &&
	    (!(best->n > 0) || now.cycles / now.n < best->cycles / best->n))
		*best = now;
}

static void *
run_calibration(void *arg)
{
	struct calibration *c = arg;

	memset(c->best, 0, sizeof c->best);
	c->stayed = false;
	c->asked = c->cores->ask == NULL || c->cores->ask(c->x->s, c->kind);
	if (!c->asked)
		return NULL;
	if (c->cores->run == NULL)
		(void)run_for(c, CALIBRATE_ADDS, WARM_NS);
	for (unsigned loop = 0; loop < CALIBRATE_LOOPS; loop++)
		for (unsigned i = 0; i < TRIES && !c->x->leave_off(c->x); i++)
			try_calibration_loop(c, (enum calibrate_loop)loop);
	return NULL;
}

static double
count_per_iteration(const struct calibration *c, enum calibrate_loop loop,
		    const char *event)
{
	const struct quietest *q = &c->best[loop];
	int i = eventset_find(c->set, event);

	return i < 0 ? NAN : q->count[i] / q->n;
}

static double
extra_per_iteration(const struct calibration *c, const char *event)
{
	return count_per_iteration(c, CALIBRATE_BRANCHES, event) -
	       count_per_iteration(c, CALIBRATE_STEADY, event);
}

static void
put_named_value(struct buf *b, const char *name, double value)
{
	buf_printf(b, "%s%s ", b->len > 0 ? ", " : "", name);
	if (isnan(value))
		buf_str(b, "-");
	else
		buf_printf(b, "%.3f", value);
}

static void
put_event_value(const struct calibration *c, struct buf *b, const char *event,
		const char *name, double value)
{
	if (eventset_find(c->set, event) >= 0)
		put_named_value(b, name, value);
}

/* Starts a report line. False: no try was valid, and the reason is printed. */
static bool
put_line_key(const struct calibration *c, enum calibrate_loop loop,
	     const char *name, char key[64], struct buf *b)
{
	const struct topology_kind *k = &c->x->s->info.topology->kind[c->kind];
	const struct quietest *q = &c->best[loop];

	snprintf(key, 64, "%s%s%s", name, k->letter[0] != '\0' ? " " : "",
		 k->letter);
	if (!(q->n > 0)) {
		report_line(c->x->out, key, "not measured: %s",
			    !c->asked ? "no thread can ask for such a core"
			    : !c->stayed
				    ? "no try stayed on a core of this kind"
				    : "its counters did not move");
		return false;
	}
	buf_printf(b, "cpu %d", q->cpu);
	put_named_value(b, "IPC", q->instructions / q->cycles);
	return true;
}

static double
retired_per_iteration(const struct calibration *c, enum calibrate_loop loop)
{
	return count_per_iteration(c, loop,
				   eventset_find(c->set, "RETIRE_UOP") >= 0
					   ? "RETIRE_UOP"
					   : "SLOT_USEFUL");
}

static void
put_retired(const struct calibration *c, enum calibrate_loop loop,
	    struct buf *b)
{
	const struct quietest *q = &c->best[loop];
	unsigned width = c->x->s->info.topology->kind[c->kind].width;

	put_named_value(b, "retired slots/cycle",
			retired_per_iteration(c, loop) * q->n / q->cycles);
	if (width > 0)
		buf_printf(b, " of %u", width);
}

static void
put_adds_line(const struct calibration *c)
{
	const struct quietest *q = &c->best[CALIBRATE_ADDS];
	char key[64], text[512];
	struct buf b = buf_over(text, sizeof text);

	if (!put_line_key(c, CALIBRATE_ADDS, "adds", key, &b))
		return;
	put_named_value(&b, "micro-operations/instruction",
			retired_per_iteration(c, CALIBRATE_ADDS) * q->n /
				q->instructions);
	put_retired(c, CALIBRATE_ADDS, &b);
	report_line(c->x->out, key, "%s", buf_cstr(&b));
}

static void
put_branches_line(const struct calibration *c)
{
	const struct quietest *q = &c->best[CALIBRATE_BRANCHES];
	const struct quietest *steady = &c->best[CALIBRATE_STEADY];
	double miss = extra_per_iteration(c, "BRANCH_MISPRED_NONSPEC");
	char key[64], text[512];
	struct buf b = buf_over(text, sizeof text);

	if (!put_line_key(c, CALIBRATE_BRANCHES, "branches", key, &b))
		return;
	put_named_value(&b, "mispredictions/1000 instructions",
			1000 * q->n / q->instructions *
				count_per_iteration(c, CALIBRATE_BRANCHES,
						    "BRANCH_MISPRED_NONSPEC"));
	if (!(miss > 0.01))
		miss = NAN;
	put_named_value(&b, "cycles/misprediction",
			(q->cycles / q->n - steady->cycles / steady->n) / miss);
	put_event_value(c, &b, "MAP_REWIND", "MAP_REWIND/misprediction",
			extra_per_iteration(c, "MAP_REWIND") / miss);
	put_event_value(c, &b, "MAP_RECOVERY", "MAP_RECOVERY/misprediction",
			extra_per_iteration(c, "MAP_RECOVERY") / miss);
	put_event_value(c, &b, "SLOT_DISCARDED",
			"discarded slots/misprediction",
			extra_per_iteration(c, "SLOT_DISCARDED") / miss);
	put_event_value(c, &b, "MAP_UOP",
			"discarded micro-operations/misprediction",
			(extra_per_iteration(c, "MAP_UOP") -
			 extra_per_iteration(c, "RETIRE_UOP")) /
				miss);
	put_event_value(c, &b, "SLOT_DELIVERY", "front-end slots/misprediction",
			extra_per_iteration(c, "SLOT_DELIVERY") / miss);
	report_line(c->x->out, key, "%s", buf_cstr(&b));
}

static void
put_loads_line(const struct calibration *c)
{
	const struct quietest *q = &c->best[CALIBRATE_LOADS];
	double cycles = q->cycles / q->n;
	char key[64], text[512];
	struct buf b = buf_over(text, sizeof text);

	if (!put_line_key(c, CALIBRATE_LOADS, "loads", key, &b))
		return;
	put_event_value(c, &b, "MAP_STALL", "MAP_STALL/cycle",
			count_per_iteration(c, CALIBRATE_LOADS, "MAP_STALL") /
				cycles);
	put_event_value(c, &b, "MAP_STALL_NONRECOVERY",
			"MAP_STALL_NONRECOVERY/cycle",
			count_per_iteration(c, CALIBRATE_LOADS,
					    "MAP_STALL_NONRECOVERY") /
				cycles);
	put_event_value(
		c, &b, "SLOT_PROCESSING", "back-end slots/cycle",
		count_per_iteration(c, CALIBRATE_LOADS, "SLOT_PROCESSING") /
			cycles);
	put_retired(c, CALIBRATE_LOADS, &b);
	report_line(c->x->out, key, "%s", buf_cstr(&b));
}

static bool
make_event_set(const struct catalog *catalog, struct eventset *set)
{
	const struct event *v[WANTED];
	unsigned n = 0;

	for (unsigned i = 0; i < WANTED && n < EVENTSET_MAX; i++) {
		v[n] = catalog_find(catalog, wanted[i]);
		for (unsigned o = 0; v[n] != NULL && o < n; o++)
			if (v[o] == v[n])
				v[n] = NULL;
		if (v[n] != NULL && slots_fit(catalog, v, n + 1))
			n++;
	}
	return n > 0 && slots_place(catalog, v, n, set, NULL);
}

static bool
make_memory(struct calibration *c)
{
	struct err e;
	unsigned ncpus = c->x->s->info.topology->ncpus;

	c->from = sample_new(ncpus, &e);
	c->to = sample_new(ncpus, &e);
	if (c->from == NULL || c->to == NULL)
		return false;
	if (c->cores->run != NULL)
		return true;
	c->memory = malloc(sizeof *c->memory * LINES * WORDS);
	if (c->memory == NULL)
		return false;
	/* Unwritten pages all share one zero page, so write to every page. */
	KEEP(c->memory);
	for (size_t i = 0; i < (size_t)LINES * WORDS; i++)
		c->memory[i] = 0;
	KEEP(c->memory);
	return true;
}

static void
calibrate_kinds(struct calibration *c)
{
	pthread_t thread;

	for (c->kind = 0;
	     c->kind < c->x->s->info.topology->nkinds && !c->x->leave_off(c->x);
	     c->kind++) {
		/* A QoS request ends with its thread: one thread per kind. */
		if (pthread_create(&thread, NULL, run_calibration, c) != 0)
			continue;
		(void)pthread_join(thread, NULL);
		put_adds_line(c);
		put_branches_line(c);
		put_loads_line(c);
	}
}

void
calibrate(struct examine *x, const struct calibrate_cores *cores)
{
	struct source *s = x->s;
	struct calibration c = { .x = x, .cores = cores };
	struct eventset set = { .len = 0 };
	const char *why = NULL;

	if (s->info.catalog == NULL || s->info.mode == SOURCE_BUSY_ONLY ||
	    x->o->ipc)
		why = "no event can be counted";
	else if (!make_event_set(s->info.catalog, &set))
		why = "none of their events can be counted here";
	else if (!s->ops->program(s, &set, NULL))
		why = "the system refuses their events";
	else if (!make_memory(&c))
		why = "no memory";
	if (why != NULL) {
		report_line(x->out, "loops for the model", "not measured: %s",
			    why);
	} else {
		c.set = s->info.set;
		calibrate_kinds(&c);
	}
	sample_free(c.from);
	sample_free(c.to);
	free(c.memory);
}

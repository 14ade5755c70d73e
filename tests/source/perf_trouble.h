/*
 * A Linux machine, and the troubles that befall it, drawn from a seed: for
 * perf_soak_linux_test.c.
 */
#ifndef TESTS_SOURCE_PERF_TROUBLE_H
#define TESTS_SOURCE_PERF_TROUBLE_H

#include "source/fake_perf.h"
#include "source/perf/state.h"

#include <inttypes.h>

#define MS INT64_C(1000000)
#define SECOND (1000 * MS)

enum { CPUS = 64, TROUBLES = 3 };

enum trouble_kind {
	OFF,     /* the CPU is off line */
	SHARED,  /* another profiler has the counters part of the time */
	FILES,   /* no more can be opened */
	DENIED,  /* opens give EACCES */
	REFUSED, /* one event of the set is refused by its PMU */
	BUSY,    /* every hardware event is: EBUSY */
	SILENT,  /* reads of a CPU fail with EIO */
	SHORT,   /* ... are torn */
	IDLE,    /* the CPU does nothing for Linux */
	KINDS
};

struct trouble {
	bool on;
	enum trouble_kind kind;
	int cpu;
	uint64_t config;
	int64_t until_ns;
	unsigned share;
};

static struct soak {
	struct rig r;
	uint64_t dice;
	struct trouble trouble[TROUBLES];
	int64_t next_ns;
	int64_t touched_ns[CPUS]; /* nothing was amiss with it since */
	int64_t all_touched_ns, shared_ns;
	uint64_t frames, exact_rows, exact_slots, rows, known_rows, drawn;
	bool released;
} soak;

static uint64_t
roll(uint64_t sides)
{
	uint64_t x = soak.dice += 0x9e3779b97f4a7c15u;

	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
	x = (x ^ x >> 27) * 0x94d049bb133111ebu;
	return (x ^ x >> 31) % sides;
}

static const struct perf_source *
perf(void)
{
	return (const struct perf_source *)(const void *)soak.r.s;
}

/* What such an event counts in a millisecond on that CPU: always the same. */
static uint64_t
rate(int cpu, uint32_t type, uint64_t config)
{
	uint64_t x =
		((uint64_t)cpu * 131 + type) * 0x9e3779b97f4a7c15u + config;

	if (type == PERF_TYPE_SOFTWARE && config <= PERF_COUNT_SW_TASK_CLOCK)
		return (uint64_t)MS;
	x = (x ^ x >> 29) * 0xbf58476d1ce4e5b9u;
	return 1000000 + 2 * ((x ^ x >> 32) % 500000);
}

static const struct trouble *
trouble_of(enum trouble_kind kind, int cpu)
{
	for (unsigned i = 0; i < TROUBLES; i++)
		if (soak.trouble[i].on && soak.trouble[i].kind == kind &&
		    (cpu < 0 || soak.trouble[i].cpu == cpu))
			return &soak.trouble[i];
	return NULL;
}

static int
refuse(struct fake *f, const struct perf_event_attr *attr, int cpu, int leader)
{
	const struct trouble *t;
	bool software = attr->type == PERF_TYPE_SOFTWARE;

	if (trouble_of(OFF, cpu) != NULL)
		return ENODEV;
	if (trouble_of(FILES, -1) != NULL)
		return EMFILE;
	if (trouble_of(DENIED, -1) != NULL)
		return EACCES;
	if (!software && trouble_of(BUSY, -1) != NULL)
		return EBUSY;
	t = trouble_of(REFUSED, -1);
	return t != NULL && !software && attr->config == t->config ? ENOENT : 0;
}

static bool
on_read(struct fake *f, struct fake_event *e, void *buf, ssize_t *n)
{
	if (trouble_of(SILENT, e->cpu) != NULL) {
		errno = EIO;
		*n = -1;
		return true;
	}
	if (trouble_of(SHORT, e->cpu) != NULL) {
		memset(buf, 0, 8);
		*n = 8;
		return true;
	}
	return false;
}

static void
write_online(void)
{
	char text[512];
	size_t n = 0;

	for (unsigned i = 0; i < perf()->topology->ncpus; i++) {
		int id = perf()->topology->cpu[i].id;

		if (trouble_of(OFF, id) == NULL)
			n += (size_t)snprintf(text + n, sizeof(text) - n,
					      "%s%d", n == 0 ? "" : ",", id);
	}
	snprintf(text + n, sizeof(text) - n, "\n");
	rig_write(&soak.r, "/sys/devices/system/cpu/online", text);
}

static void
tear(int cpu)
{
	for (struct fake_event *e = fake_first_on(soak.r.f, cpu); e != NULL;
	     e = fake_next_on(e))
		e->torn = true;
}

static void
touch(const struct trouble *t)
{
	int64_t now = soak.r.f->now_ns;

	switch (t->kind) {
	case SHARED: /* what does not fit is left out of the whole kind */
		soak.shared_ns = now;
		soak.touched_ns[t->cpu] = now;
		return;
	case OFF:
	case SILENT:
	case SHORT:
		soak.touched_ns[t->cpu] = now;
		return;
	case FILES:
	case DENIED:
	case REFUSED:
	case BUSY:
		break;
	case IDLE:
	case KINDS:
		return;
	}
	soak.all_touched_ns = now;
}

static void
draw(struct trouble *t)
{
	const struct perf_source *p = perf();
	unsigned slot = p->set.len > 0 ? (unsigned)roll(p->set.len) : 0;

	*t = (struct trouble){ .on = true,
			       .kind = (enum trouble_kind)roll(KINDS),
			       .share = (unsigned)roll(100) };
	t->cpu = p->topology->cpu[roll(p->topology->ncpus)].id;
	t->until_ns = soak.r.f->now_ns + (int64_t)roll(90) * SECOND;
	if (p->set.len > 0)
		t->config =
			perf_catalog_code(&p->catalog, p->set.slot[slot].event,
					  p->topology->cpu[0].kind)
				->code.config;
	soak.drawn++;
	touch(t);
	if (t->kind == OFF) {
		tear(t->cpu);
		write_online();
	}
}

/* Time goes by, and all that is open counts. */
static void
pass(int64_t ms)
{
	struct fake *f = soak.r.f;

	f->now_ns += ms * MS;
	for (struct fake_event *e = fake_next(f, NULL); e != NULL;
	     e = fake_next(f, e)) {
		const struct fake_event *l;
		const struct trouble *t;
		uint64_t run = (uint64_t)ms;

		l = &f->event[e->leader];
		if (!l->enabled || l->torn || e->torn)
			continue;
		t = trouble_of(SHARED, e->cpu);
		if (t != NULL)
			run = run * t->share / 100;
		e->value += run * rate(e->cpu, e->attr.type, e->attr.config);
		if (e == l) {
			e->en += (uint64_t)(ms * MS);
			e->run += run * (uint64_t)MS;
		}
	}
	for (unsigned i = 0; i < CPUS; i++) {
		bool idle = trouble_of(IDLE, (int)i) != NULL;

		soak.r.ticks[i][!idle ? 0 : 1] += (uint64_t)ms / 20;
		soak.r.ticks[i][1] += (uint64_t)ms / 20;
	}
	rig_stat(&soak.r);
}

static void
trouble_goes_on(void)
{
	for (unsigned i = 0; i < TROUBLES; i++) {
		struct trouble *t = &soak.trouble[i];

		if (!t->on)
			continue;
		touch(t);
		if (soak.r.f->now_ns < t->until_ns)
			continue;
		t->on = false;
		if (t->kind == OFF)
			write_online();
	}
	if (soak.r.f->now_ns < soak.next_ns)
		return;
	for (unsigned i = 0; i < TROUBLES; i++)
		if (!soak.trouble[i].on && roll(2) == 0)
			draw(&soak.trouble[i]);
	soak.next_ns = soak.r.f->now_ns +
		       (int64_t)roll(roll(12) == 0 ? 1500 : 90) * SECOND;
}

#endif

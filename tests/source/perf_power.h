/* Linux machines that measure energy, and a monitor that hears of it. */
#ifndef TESTS_SOURCE_PERF_POWER_H
#define TESTS_SOURCE_PERF_POWER_H

#include "source/fake_perf.h"

#include "monitor/power.h"
#include "power/power.h"

#include <sys/stat.h>

#define DEVICE "/sys/bus/event_source/devices"
#define CPU "/sys/devices/system/cpu"
#define SECOND INT64_C(1000000000)
#define RAPL_UNIT "2.3283064365386962890625e-10"

/* ---- machines: a tree, and what their kernels have beside the cores ---- */

/* A file, with the folders above it, in the place of what is there. */
static inline void
put_file(const struct rig *r, const char *path, const char *text)
{
	char full[512], parts[512];

	snprintf(full, sizeof(full), "%s%s", r->root, path);
	snprintf(parts, sizeof(parts), "%s", full);
	assert_true(make_parents(parts));
	FILE *f = fopen(full, "w");
	if (f == NULL)
		fail_msg("%s: %s", full, strerror(errno));
	fputs(text, f);
	fclose(f);
}

static inline void
put_pmu(const struct rig *r, const char *pmu, unsigned type, const char *cpus)
{
	char path[256], number[16];

	snprintf(path, sizeof(path), DEVICE "/%s/type", pmu);
	snprintf(number, sizeof(number), "%u\n", type);
	put_file(r, path, number);
	snprintf(path, sizeof(path), DEVICE "/%s/cpumask", pmu);
	put_file(r, path, cpus);
	snprintf(path, sizeof(path), DEVICE "/%s/format/event", pmu);
	put_file(r, path, "config:0-7\n");
	snprintf(path, sizeof(path), DEVICE "/%s/format/umask", pmu);
	put_file(r, path, "config:8-15\n");
	snprintf(path, sizeof(path), DEVICE "/%s/format/rdwrmask", pmu);
	put_file(r, path, "config:8-9\n");
}

/* unit NULL: the kernel does not say what a count is. */
static inline void
put_event(const struct rig *r, const char *pmu, const char *name,
	  const char *terms, const char *scale, const char *unit)
{
	char path[256];

	snprintf(path, sizeof(path), DEVICE "/%s/events/%s", pmu, name);
	put_file(r, path, terms);
	if (unit == NULL)
		return;
	snprintf(path, sizeof(path), DEVICE "/%s/events/%s.scale", pmu, name);
	put_file(r, path, scale);
	snprintf(path, sizeof(path), DEVICE "/%s/events/%s.unit", pmu, name);
	put_file(r, path, unit);
}

static inline void
put_rapl(const struct rig *r, const char *cpus, const char *const *names)
{
	static const char *const all[] = { "energy-cores", "energy-pkg",
					   "energy-ram", "energy-gpu",
					   "energy-psys" };
	char terms[32];

	put_pmu(r, "power", 9, cpus);
	for (; *names != NULL; names++)
		for (unsigned i = 0; i < 5; i++) {
			snprintf(terms, sizeof(terms), "event=0x%02x\n", i + 1);
			if (strcmp(all[i], *names) == 0)
				put_event(r, "power", all[i], terms,
					  RAPL_UNIT "\n", "Joules\n");
		}
}

/* ---- a source of energy, and a monitor that hears of it ---- */

struct bench {
	struct rig r;
	struct power_source *p;
	struct power_track track[POWER_RAILS];
};

static inline void
prepare(struct bench *b, const char *machine)
{
	memset(b, 0, sizeof(*b));
	rig_prepare(&b->r, machine);
}

static inline void
begin(struct bench *b)
{
	rig_open(&b->r);
	b->p = b->r.s->ops->power(b->r.s, &b->r.e);
	if (b->p == NULL)
		fail_msg("%s", b->r.e.text);
	assert_false(b->p->slow);
	power_join_source(monitor_power(b->r.m), b->p);
}

static inline void
end(struct bench *b)
{
	if (b->p != NULL)
		b->p->ops->close(b->p);
	rig_close(&b->r);
}

/* A frame, in which each event of the cores counts a million. */
static inline const struct frame_power *
frame(struct bench *b)
{
	struct power_update update[POWER_RAILS];
	struct rig *r = &b->r;

	r->f->now_ns += SECOND;
	for (struct fake_event *e = fake_next(r->f, NULL); e != NULL;
	     e = fake_next(r->f, e)) {
		bool uncore = e->attr.exclude_guest == 0;

		e->value += uncore ? 0 : 1000000;
		e->en += (uint64_t)SECOND;
		e->run += (uint64_t)SECOND;
	}
	assert_int_equal(r->s->ops->read(r->s, r->sample, &r->e), SOURCE_OK);
	power_join_add(
		monitor_power(r->m), update,
		power_poll(b->p, b->track, r->sample->stamp.awake_ns, update));
	r->frame = monitor_feed(r->m, r->sample);
	return r->frame != NULL ? r->frame->power : NULL;
}

/* The counter of that PMU on that CPU; it takes no exclude bit, alone. */
static inline struct fake_event *
counter(struct bench *b, uint32_t type, uint64_t config, int cpu)
{
	struct fake_event *e = fake_find(b->r.f, cpu, type, config);

	if (e == NULL)
		fail_msg("no counter of type %u, config %#llx on CPU %d", type,
			 (unsigned long long)config, cpu);
	assert_true(fake_leads(b->r.f, e));
	assert_int_equal(e->nmembers, 1);
	assert_int_equal(e->attr.exclude_guest, 0);
	assert_int_equal(e->attr.exclude_kernel, 0);
	assert_int_equal(e->attr.sample_period, 0);
	return e;
}

static inline void
joules(struct bench *b, uint64_t config, int cpu, double j)
{
	counter(b, 9, config, cpu)->value += (uint64_t)(j * 4294967296.0);
}

static inline void
is(double value, double wanted)
{
	if (!(fabs(value - wanted) <= 1e-6 * fabs(wanted)))
		fail_msg("%.9g, not %.9g", value, wanted);
}

static inline const struct power_row *
machine_row(const struct frame_power *p)
{
	assert_non_null(p);
	return frame_power_machine(p);
}

/* Alder Lake: a client with all of RAPL, and free running counters. */
static inline void
begin_alder_lake(struct bench *b)
{
	static const char *const rapl[] = { "energy-cores", "energy-pkg",
					    "energy-gpu", "energy-psys", NULL };

	prepare(b, "alderlake-12900k");
	put_rapl(&b->r, "0\n", rapl);
	for (unsigned i = 0; i < 2; i++) {
		char name[64];

		snprintf(name, sizeof(name), "uncore_imc_free_running_%u", i);
		put_pmu(&b->r, name, 30 + i, "0\n");
		put_event(&b->r, name, "data_read", "event=0xff,umask=0x20\n",
			  "6.103515625e-5\n", "MiB\n");
		put_event(&b->r, name, "data_write", "event=0xff,umask=0x30\n",
			  "6.103515625e-5\n", "MiB\n");
		put_event(&b->r, name, "data_total", "event=0xff,umask=0x10\n",
			  "6.103515625e-5\n", "MiB\n");
	}
}

/* Zen: the package, its memory controllers, and on newer kernels the cores. */
static inline void
begin_zen(struct bench *b, const char *machine, bool cores)
{
	static const char *const rapl[] = { "energy-pkg", NULL };

	prepare(b, machine);
	put_rapl(&b->r, "0\n", rapl);
	put_pmu(&b->r, "amd_umc_0", 60, "0\n");
	put_pmu(&b->r, "amd_umc_1", 61, "0\n");
	if (!cores)
		return;
	put_pmu(&b->r, "power_core", 10, "0-3\n");
	put_event(&b->r, "power_core", "energy-core", "event=0x01\n",
		  RAPL_UNIT "\n", "Joules\n");
}

#endif

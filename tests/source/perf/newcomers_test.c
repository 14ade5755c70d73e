/*
 * CPUs that are off line at the start, come on line later, or are new
 * altogether: vectors 24 and 25.
 */
#include "source/fake_perf.h"

#include <dirent.h>

#define CPUS "/sys/devices/system/cpu/"
#define ATOM "/sys/bus/event_source/devices/cpu_atom/cpus"

#define SECOND UINT64_C(1000000000)

static void
move(const struct rig *r, const char *from, const char *to)
{
	char a[256], b[256];

	snprintf(a, sizeof(a), "%s" CPUS "%s", r->root, from);
	snprintf(b, sizeof(b), "%s" CPUS "%s", r->root, to);
	assert_int_equal(rename(a, b), 0);
}

/* cpuN/online of CPUs from one to another. */
static void
say_on(const struct rig *r, int from, int to, bool on)
{
	for (int cpu = from; cpu <= to; cpu++) {
		char path[128];

		snprintf(path, sizeof(path), CPUS "cpu%d/online", cpu);
		rig_write(r, path, on ? "1\n" : "0\n");
	}
}

/* As the kernel does it on a hybrid Intel: cpu20 is in no file but present. */
static void
take_20_off(struct rig *r)
{
	rig_prepare(r, "alderlake-12900k");
	rig_write(r, CPUS "present", "0-23\n");
	rig_write(r, CPUS "online", "0-19,21-23\n");
	rig_write(r, ATOM, "16-19,21-23\n");
	say_on(r, 20, 20, false);
	move(r, "cpu20/topology", "topology20");
	move(r, "cpu20/cache", "cache20");
}

static void
bring_20_back(struct rig *r)
{
	move(r, "topology20", "cpu20/topology");
	move(r, "cache20", "cpu20/cache");
	say_on(r, 20, 20, true);
	rig_write(r, CPUS "online", "0-23\n");
	rig_write(r, ATOM, "16-23\n");
}

/* Of whatever root is said: it is the machine of before. */
static struct source *
renewed(struct rig *r)
{
	const struct source_options o = { .root = "/nowhere" };

	return r->s->ops->renew(r->s, &o, &r->e);
}

/* What the application does when the source is outdated. */
static void
open_again(struct rig *r)
{
	struct monitor_options mo = { .period_ns = 1000000000 };
	struct source *s = renewed(r);

	if (s == NULL)
		fail_msg("%s", r->e.text);
	monitor_free(r->m);
	sample_free(r->sample);
	r->s = s;
	r->sample = sample_new(s->info.topology->ncpus, &r->e);
	mo.catalog = s->info.catalog;
	r->m = monitor_new(s->info.topology, &mo, &r->e);
	assert_non_null(r->sample);
	assert_non_null(r->m);
}

static void
second(struct rig *r)
{
	rig_second(r, SECOND);
}

static void
count_without_20(struct rig *r)
{
	take_20_off(r);
	rig_open(r);
	assert_true(rig_program(r, "basic"));
	second(r);
}

static void
counts_20(struct rig *r)
{
	assert_true(rig_program(r, "basic"));
	second(r);
	assert_true(near(rig_value(r, 20, "gips"), 1));
}

UNIT(v25_off_line_without_a_kind)
{
	const struct topology *t;
	struct rig r;

	take_20_off(&r);
	rig_open(&r);
	t = r.s->info.topology;
	assert_int_equal(t->ncpus, 24);
	assert_int_equal(t->nkinds, 3);
	assert_true(t->cpu[20].off);
	assert_string_equal(t->kind[t->cpu[20].kind].name, "Unknown");
	assert_string_equal(t->kind[t->cpu[20].kind].letter, "?");
	assert_string_equal(t->cluster[t->cpu[20].cluster].label, "off");
	assert_string_equal(t->cluster[t->cpu[19].cluster].label, "E");
	assert_int_equal(t->cluster[t->cpu[19].cluster].ncpus, 7);
	assert_null(fake_leader(r.f, 20));
	assert_true(rig_program(&r, "basic"));
	second(&r);
	assert_true(r.frame->span[20].quality & QUALITY_OFF);
	assert_int_equal(rig_state(&r, 20, "ipc"), VALUE_OFF);
	assert_int_equal(r.frame->span[frame_scope_all(r.frame)].n_ok, 23);
	assert_false(r.s->info.outdated);
	rig_close(&r);
}

UNIT(v25_comes_on_line)
{
	const struct topology *t;
	struct rig r;

	count_without_20(&r);
	bring_20_back(&r);
	second(&r);
	assert_true(r.s->info.outdated);
	assert_non_null(strstr(r.s->info.notice, "1 CPU came online"));
	/* Not yet: what it is is not known. The others count on. */
	assert_int_equal(rig_state(&r, 20, "ipc"), VALUE_OFF);
	assert_null(fake_leader(r.f, 20));
	assert_true(near(rig_value(&r, 19, "gips"), 1));
	open_again(&r);
	t = r.s->info.topology;
	assert_int_equal(t->ncpus, 24);
	assert_int_equal(t->nkinds, 2);
	assert_string_equal(t->kind[t->cpu[20].kind].letter, "E");
	assert_string_equal(t->cluster[t->cpu[20].cluster].label, "E");
	counts_20(&r);
	assert_int_equal(r.frame->span[frame_scope_all(r.frame)].n_ok, 24);
	assert_false(r.s->info.outdated);
	rig_close(&r);
}

/* The PMU's list may follow `online` late: the CPU is in no PMU meanwhile. */
UNIT(kind_known_later)
{
	const struct topology *t;
	struct rig r;

	take_20_off(&r);
	rig_open(&r);
	second(&r);
	bring_20_back(&r);
	rig_write(&r, ATOM, "16-19,21-23\n");
	second(&r);
	assert_true(r.s->info.outdated);
	open_again(&r);
	second(&r);
	assert_false(r.s->info.outdated); /* nothing new to be read */
	rig_write(&r, ATOM, "16-23\n");
	second(&r);
	assert_true(r.s->info.outdated);
	open_again(&r);
	t = r.s->info.topology;
	assert_string_equal(t->kind[t->cpu[20].kind].letter, "E");
	rig_close(&r);
}

/* With all of a kind away the rest must not take its CPUs in. */
UNIT(a_whole_kind_away)
{
	const struct topology *t;
	struct rig r;

	rig_prepare(&r, "alderlake-12900k");
	rig_write(&r, CPUS "present", "0-23\n");
	rig_write(&r, CPUS "online", "0-15\n");
	say_on(&r, 16, 23, false);
	rig_write(&r, ATOM, "\n");
	rig_open(&r);
	t = r.s->info.topology;
	assert_int_equal(t->ncpus, 24);
	assert_string_equal(t->kind[t->cpu[23].kind].name, "Unknown");
	assert_int_equal(t->kind[t->cpu[0].kind].ncpus, 16);
	second(&r);
	second(&r);
	assert_true(near(rig_value(&r, 0, "gips"), 1));
	assert_int_equal(r.f->files, 16 * 2);
	rig_close(&r);
}

/* A machine of eight CPUs. */
static void
prepare_8(struct rig *r, const char *present, const char *online)
{
	rig_prepare(r, "rk3588");
	rig_write(r, CPUS "present", present);
	rig_write(r, CPUS "online", online);
}

/* arm64 keeps CPUs that are off line in `cpus`: their kind is known. */
UNIT(v24_off_line_with_a_kind)
{
	const struct topology *t;
	struct rig r;

	prepare_8(&r, "0-7\n", "0-2,4-7\n");
	say_on(&r, 3, 3, false);
	rig_open(&r);
	t = r.s->info.topology;
	assert_int_equal(t->ncpus, 8);
	assert_int_equal(t->nkinds, 2);
	assert_int_equal(t->cpu[3].kind, t->cpu[2].kind);
	assert_int_equal(t->cpu[3].cluster, t->cpu[2].cluster);
	second(&r);
	second(&r);
	assert_int_equal(rig_state(&r, 3, "ipc"), VALUE_OFF);
	rig_write(&r, CPUS "online", "0-7\n");
	second(&r);
	assert_true(r.s->info.outdated);
	rig_close(&r);
}

UNIT(known_ones_come_and_go)
{
	struct rig r;

	rig_start(&r, "rk3588", NULL);
	second(&r);
	for (int i = 0; i < 3; i++) {
		rig_write(&r, CPUS "online", "0-5\n");
		second(&r);
		assert_false(r.s->info.outdated);
		assert_int_equal(rig_state(&r, 6, "ipc"), VALUE_OFF);
		rig_write(&r, CPUS "online", "0-7\n");
		second(&r);
		assert_false(r.s->info.outdated);
	}
	second(&r);
	assert_true(near(rig_value(&r, 6, "gips"), 1));
	rig_close(&r);
}

UNIT(hot_added)
{
	struct rig r;

	prepare_8(&r, "0-5\n", "0-5\n");
	rig_open(&r);
	assert_int_equal(r.s->info.topology->ncpus, 6);
	second(&r);
	assert_false(r.s->info.outdated);
	rig_write(&r, CPUS "present", "0-6\n");
	say_on(&r, 6, 6, false);
	second(&r);
	assert_true(r.s->info.outdated);
	open_again(&r);
	assert_int_equal(r.s->info.topology->ncpus, 7);
	assert_true(r.s->info.topology->cpu[6].off);
	say_on(&r, 6, 6, true);
	rig_write(&r, CPUS "online", "0-6\n");
	second(&r);
	assert_true(r.s->info.outdated);
	open_again(&r);
	second(&r);
	second(&r);
	assert_true(near(rig_value(&r, 6, "gips"), 1));
	rig_close(&r);
}

/* lxcfs shows a container's share of the machine: the rest is not off. */
UNIT(a_containers_list)
{
	struct rig r;

	prepare_8(&r, "0-7\n", "4-7\n");
	rig_open(&r);
	assert_int_equal(r.s->info.topology->ncpus, 4);
	second(&r);
	assert_false(r.s->info.outdated);
	rig_close(&r);
}

/* The source goes on as it is, and can be renewed when the files are right. */
UNIT(half_a_machine_is_not_read)
{
	struct rig r;

	count_without_20(&r);
	unsigned files = r.f->files;

	bring_20_back(&r);
	second(&r);
	assert_true(r.s->info.outdated);
	move(&r, "online", "not-now");
	r.e.text[0] = '\0';
	assert_null(renewed(&r));
	assert_true(r.e.text[0] != '\0');
	second(&r);
	assert_int_equal(r.f->files, files);
	assert_true(near(rig_value(&r, 19, "gips"), 1));
	assert_true(r.s->info.outdated);
	move(&r, "not-now", "online");
	open_again(&r);
	counts_20(&r);
	rig_close(&r);
}

static int
denied(struct fake *f, const struct perf_event_attr *attr, int cpu, int leader)
{
	return EACCES;
}

/* Counters that are open outlive the right to open others. */
UNIT(without_the_right_the_old_ones_stay)
{
	struct rig r;

	count_without_20(&r);
	bring_20_back(&r);
	r.f->refuse = denied;
	r.e.code = ERR_NONE;
	second(&r);
	assert_true(r.s->info.outdated);
	assert_null(renewed(&r));
	assert_int_not_equal(r.e.code, ERR_NONE);
	second(&r);
	assert_true(near(rig_value(&r, 19, "gips"), 1));
	r.f->refuse = NULL;
	open_again(&r);
	counts_20(&r);
	rig_close(&r);
}

/* The first attempt is only one. */
static int
denied_later(struct fake *f, const struct perf_event_attr *attr, int cpu,
	     int leader)
{
	return f->failures++ > 0 ? EACCES : 0;
}

UNIT(counters_that_were_lost_come_back)
{
	struct rig r;

	take_20_off(&r);
	rig_open(&r);
	second(&r);
	bring_20_back(&r);
	second(&r);
	r.f->refuse = denied_later;
	open_again(&r);
	assert_int_equal(r.s->info.mode, SOURCE_BUSY_ONLY);
	assert_int_equal(r.f->files, 0);
	second(&r);
	assert_true(r.s->info.outdated);
	assert_null(renewed(&r)); /* not yet */
	r.f->refuse = NULL;
	open_again(&r);
	second(&r);
	second(&r);
	assert_false(r.s->info.outdated);
	assert_true(near(rig_value(&r, 20, "gips"), 1));
	rig_close(&r);
}

static unsigned
open_files(void)
{
	DIR *d = opendir("/proc/self/fd");
	unsigned n = 0;

	assert_non_null(d);
	while (readdir(d) != NULL)
		n++;
	(void)closedir(d);
	return n;
}

UNIT(a_thousand_times)
{
	unsigned files, real;
	struct rig r;

	rig_prepare(&r, "rk3588");
	rig_write(&r, CPUS "present", "0-7\n");
	rig_open(&r);
	second(&r);
	files = r.f->files;
	real = open_files();
	for (int i = 0; i < 1000; i++) {
		rig_write(&r, CPUS "online", "0-5\n");
		second(&r);
		assert_int_equal(r.f->files, files / 8 * 6);
		rig_write(&r, CPUS "online", "0-7\n");
		second(&r);
		assert_int_equal(r.f->files, files);
		if (i % 20 != 0)
			continue;
		rig_write(&r, CPUS "present", i % 40 == 0 ? "0-8\n" : "0-7\n");
		second(&r);
		assert_true(r.s->info.outdated);
		open_again(&r);
		second(&r);
		assert_int_equal(r.f->files, files);
	}
	assert_int_equal(open_files(), real);
	rig_close(&r);
}

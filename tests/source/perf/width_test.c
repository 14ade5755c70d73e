/*
 * Issue slots a cycle of every recorded machine, by kind, fastest first; and
 * what a first look without options can judge.
 */
#include "source/fake_perf.h"

#include "model/shares.h"

#include <glob.h>

/* 0: nobody publishes them. */
static const struct {
	const char *machine;
	unsigned width[4];
} rows[] = {
	/* Of caps/slots. */
	{ "ampereone-96", { 4 } },
	{ "cobalt100-128", { 5 } },
	{ "dgx-gb10", { 10, 5 } },
	{ "graviton4-2s", { 8 } },
	{ "grace-72", { 8 } },
	/* Of the Arm core, where the kernel does not tell. */
	{ "arm-bare", { 3, 2 } },
	{ "neoverse-n1-80", { 4 } },
	{ "qemu-virt-biglittle", { 3, 3 } },
	{ "rk3588", { 4, 2 } },
	{ "rk3588-cpu0-off", { 4, 2 } },
	{ "rpi5", { 4 } },
	{ "snapdragon-8gen1-plus", { 8, 5, 3 } },
	{ "snapdragon-8gen2", { 8, 5, 5, 3 } },
	{ "snapdragon-x-elite", { 8, 8 } },
	{ "tensor-g1", { 8, 4, 2 } },
	/* Intel. */
	{ "alderlake-12900k", { 6, 5 } },
	{ "alderlake-e-off", { 6 } },
	{ "alderlake-smt-off", { 6, 5 } },
	{ "arrowlake-265k", { 8, 8 } },
	{ "arrowlake-285h", { 8, 8, 6 } },
	{ "container-lxcfs", { 6 } },
	{ "lunarlake-258v", { 8, 8 } },
	{ "meteorlake-185h", { 6, 6, 6 } },
	{ "meteorlake-module-off", { 6, 6, 6 } },
	{ "novalake-28", { 0, 0, 0 } },
	{ "raptorlake-1370p", { 6, 5 } },
	{ "sierraforest-288", { 6 } },
	{ "single-core", { 0 } },
	{ "skylake-6148-2s", { 4 } },
	{ "xeon-6430-2s-snc2", { 6 } },
	/* AMD. */
	{ "epyc-7763-2s-nps4", { 6, 6 } },
	{ "zen2-no-proc", { 0 } },
	{ "zen4-7950x", { 6 } },
	{ "zen4c-phoenix2", { 6, 6 } },
	{ "zen5-strix-point", { 8, 8 } },
	{ "zen6-12", { 8 } },
	/* Apple. */
	{ "asahi-m1", { 8, 4 } },
	{ "asahi-m1pro", { 8, 4 } },
	{ "asahi-m1ultra", { 8, 4 } },
	{ "asahi-m2max", { 8, 4 } },
	{ "asahi-m3-no-pmu", { 0 } },
	/* Cores that ktop has no table of, or no counters. */
	{ "milkv-pioneer", { 0 } },
	{ "power9-smt-off", { 0, 0 } },
	{ "power9-smt8", { 0, 0 } },
	{ "visionfive2", { 0 } },
	{ "vm-2cpu-nopmu", { 0 } },
	{ "vm-8-sockets", { 0 } },
};
enum { ROWS = sizeof(rows) / sizeof(rows[0]) };

/* 1 << kind whose kernel offers neither slots nor stalls of the back end. */
static const struct {
	const char *machine;
	unsigned kinds;
} blind[] = {
	{ "arm-bare", 3 },          { "qemu-virt-biglittle", 3 },
	{ "tensor-g1", 4 },         { "single-core", 1 },
	{ "skylake-6148-2s", 1 }, /* too few counters for its threads */
	{ "epyc-7763-2s-nps4", 3 }, { "zen2-no-proc", 1 },
	{ "asahi-m3-no-pmu", 3 },   { "milkv-pioneer", 1 },
	{ "power9-smt-off", 3 },    { "power9-smt8", 3 },
	{ "visionfive2", 1 },       { "vm-2cpu-nopmu", 1 },
	{ "vm-8-sockets", 1 },      { "rk3588-cpu0-off", 2 },
};

static unsigned
blind_kinds(const char *machine)
{
	for (size_t i = 0; i < sizeof(blind) / sizeof(blind[0]); i++)
		if (strcmp(blind[i].machine, machine) == 0)
			return blind[i].kinds;
	return 0;
}

UNIT(every_machine_has_a_row)
{
	glob_t found;

	assert_int_equal(glob("tests/data/sysfs/*.tree", 0, NULL, &found), 0);
	assert_int_equal(found.gl_pathc, ROWS);
	globfree(&found);
}

UNIT(widths_are_those_of_the_cores)
{
	for (unsigned i = 0; i < ROWS; i++) {
		struct fake *f = fake_new();
		struct err e = { ERR_NONE, "" };
		const struct topology *t;
		struct source_options o;
		struct source *s;
		char root[64];

		memset(&o, 0, sizeof(o));
		o.root = root;
		assert_true(tree_unpack(rows[i].machine, root, sizeof(root)));
		s = perf_open_with(&o, &f->ops, &e);
		if (s == NULL)
			fail_msg("%s: %s", rows[i].machine, e.text);
		t = s->info.topology;
		for (unsigned k = 0; k < t->nkinds; k++)
			if (t->kind[k].width != rows[i].width[k])
				fail_msg("%s kind %u: %u slots, not %u",
					 rows[i].machine, k, t->kind[k].width,
					 rows[i].width[k]);
		s->ops->close(s);
		fake_free(f);
		tree_remove(root);
	}
}

static bool
is_judged(const struct rig *r, unsigned row)
{
	const struct topology *t = r->s->info.topology;
	const struct topology_kind *k = &t->kind[t->cpu[row].kind];
	struct share_counts c = {
		.width = k->width,
		.all_modes = true,
		.whole_stalls = strncmp(k->pmu, "arm", 3) == 0,
		.shares_core = t->smt,
	};
	struct shares s;

	for (unsigned m = 0; m < MEASURE_COUNT; m++)
		c.m[m] = (float)rig_value(r, row, bottleneck_measure_metric[m]);
	return shares_of(&c, &s);
}

UNIT(the_first_look_judges_where_it_can)
{
	for (unsigned i = 0; i < ROWS; i++) {
		unsigned none = 0, seen = 0;
		const struct topology *t;
		struct rig r;
		char path[80];

		memset(&r, 0, sizeof(r));
		assert_true(
			tree_unpack(rows[i].machine, r.root, sizeof(r.root)));
		snprintf(path, sizeof(path), "%s/proc", r.root);
		(void)mkdir(path, 0755); /* not every machine shows one */
		r.f = fake_new();
		r.o.root = r.root;
		rig_stat(&r);
		rig_open(&r);
		assert_true(rig_program(&r, "basic"));
		rig_second(&r, 1000000000);
		t = r.s->info.topology;
		for (unsigned row = 0; row < t->ncpus; row++) {
			unsigned kind = 1u << t->cpu[row].kind;

			if (t->cpu[row].off || (seen & kind) != 0)
				continue;
			seen |= kind;
			none |= is_judged(&r, row) ? 0 : kind;
		}
		if (none != blind_kinds(rows[i].machine))
			fail_msg("%s: kinds %#x are not judged",
				 rows[i].machine, none);
		rig_close(&r);
	}
}

/* The join of sysctls and device tree: simulated Macs, and odd ones by hand. */
#include "source/kperf/state.h"

#include "sim/sim.h"

#include <errno.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

/* "P0:4-7 E:0-3" with kinds' names, in order of the clusters. */
static void
describe(const struct topology *t, char *out, size_t size)
{
	size_t len = 0;

	out[0] = '\0';
	for (unsigned c = 0; c < t->nclusters; c++) {
		const struct topology_cluster *cl = &t->cluster[c];
		int first = -1, last = -1;

		for (unsigned i = 0; i < t->ncpus; i++)
			if (t->cpu[i].cluster == c) {
				first = first < 0 ? t->cpu[i].id : first;
				last = t->cpu[i].id;
			}
		len += (size_t)snprintf(out + len, size - len,
					"%s%s(%s):%d-%d/%u", c > 0 ? " " : "",
					cl->label, t->kind[cl->kind].name,
					first, last, cl->ncpus);
	}
}

static void
expect(const struct topology *t, const char *want)
{
	char got[1024];

	assert_non_null(t);
	describe(t, got, sizeof(got));
	assert_string_equal(got, want);
}

/* clang-format off */
static const struct {
	const char *machine, *want;
} simulated[] = {
	{ "m1", "E(Efficiency):0-3/4 P(Performance):4-7/4" },
	{ "m1max", "E(Efficiency):0-1/2 P0(Performance):2-5/4 "
		   "P1(Performance):6-9/4" },
	{ "m2max", "E(Efficiency):0-3/4 P0(Performance):4-7/4 "
		   "P1(Performance):8-11/4" },
	{ "m3", "E(Efficiency):0-3/4 P(Performance):4-7/4" },
	{ "m3ultra", "E0(Efficiency):0-3/4 P0(Performance):4-9/6 "
		     "P1(Performance):10-15/6 E1(Efficiency):16-19/4 "
		     "P2(Performance):20-25/6 P3(Performance):26-31/6" },
	{ "m4", "E(Efficiency):0-5/6 P(Performance):6-9/4" },
	{ "m6", "E(Efficiency):0-5/6 S(Super):6-7/2 P(Performance):8-11/4" },
	{ "vm", "CPU(Standard):0-3/4" },
};
/* clang-format on */

static struct topology *
of_machine(const char *machine)
{
	struct err e = { ERR_NONE, "" };

	sim_stop();
	if (!sim_start(machine, &e))
		fail_msg("%s: %s", machine, e.text);
	struct topology *t = topology_apple(sim_host(), NULL, "db", &e);
	if (t == NULL)
		fail_msg("%s: %s", machine, e.text);
	sim_stop();
	return t;
}

UNIT(simulated_machines)
{
	for (size_t i = 0; i < sizeof(simulated) / sizeof(simulated[0]); i++) {
		struct topology *t = of_machine(simulated[i].machine);

		expect(t, simulated[i].want);
		assert_string_equal(t->kind[0].pmu, "db");
		topology_free(t);
	}
}

/* Kinds as the system calls them: no E, and the fastest is not P. */
UNIT(super_cores_are_named_by_the_system)
{
	struct topology *t = of_machine("m5max");

	assert_int_equal(t->nkinds, 2);
	assert_string_equal(t->kind[0].name, "Super");
	assert_string_equal(t->kind[0].letter, "S");
	assert_string_equal(t->kind[1].name, "Performance");
	assert_string_equal(t->kind[1].letter, "P");
	topology_free(t);
	t = of_machine("m5");
	assert_string_equal(t->kind[0].letter, "S");
	assert_string_equal(t->kind[1].letter, "E");
	topology_free(t);
}

UNIT(dies_are_attributes)
{
	struct topology *t = of_machine("m3ultra");

	assert_int_equal(t->cluster[2].die, 0);
	assert_int_equal(t->cluster[3].die, 1);
	assert_int_equal(t->cpu[31].die, 1);
	assert_int_equal(t->ncores, 32);
	topology_free(t);
}

UNIT(hyper_threads_share_cores)
{
	struct topology *t = of_machine("intel");

	assert_true(t->smt);
	assert_int_equal(t->ncores * 2, t->ncpus);
	assert_int_equal(t->cpu[0].core, t->cpu[1].core);
	assert_int_not_equal(t->cpu[1].core, t->cpu[2].core);
	assert_string_equal(t->cluster[0].label, "CPU");
	topology_free(t);
}

UNIT(slot_widths_come_from_the_chip_table)
{
	sim_stop();
	assert_true(sim_start("m1", NULL));
	struct topology *t =
		topology_apple(sim_host(), pmu_by_db("a14"), "a14", NULL);
	assert_int_equal(t->kind[0].width, 8);
	assert_int_equal(t->kind[1].width, 4);
	assert_true(t->kind[0].width_certain);
	topology_free(t);
	sim_stop();
	assert_true(sim_start("m3", NULL));
	t = topology_apple(sim_host(), pmu_by_db("as1"), "as1", NULL);
	assert_int_equal(t->kind[0].width, 9);
	assert_int_equal(t->kind[1].width, 5);
	assert_false(t->kind[0].width_certain);
	topology_free(t);
	sim_stop();
}

/* Machines nobody has met. */
struct odd {
	unsigned ncpu, nlevels;
	struct {
		unsigned ncpus;
		const char *name;
	} level[4];
	const char *types; /* a letter per CPU; '-': no node; NULL: no tree */
	const char *clusters; /* a digit per CPU */
	const char *want;
};

static const struct odd *odd;

static int
odd_sysctl(const char *name, void *old, size_t *old_size, const void *fresh,
	   size_t fresh_size)
{
	char text[32] = "";
	uint32_t v = 0;
	unsigned level = 99;
	char field[32];

	(void)fresh, (void)fresh_size;
	errno = ENOENT;
	if (strcmp(name, "hw.ncpu") == 0) {
		v = odd->ncpu;
	} else if (strcmp(name, "hw.nperflevels") == 0) {
		v = odd->nlevels;
	} else if (sscanf(name, "hw.perflevel%u.%31s", &level, field) == 2 &&
		   level < odd->nlevels) {
		if (strcmp(field, "logicalcpu_max") == 0)
			v = odd->level[level].ncpus;
		else if (strcmp(field, "name") == 0 &&
			 odd->level[level].name != NULL)
			snprintf(text, sizeof(text), "%s",
				 odd->level[level].name);
	}
	if (text[0] != '\0' && *old_size > strlen(text)) {
		*old_size = strlen(text) + 1;
		memcpy(old, text, *old_size);
		return 0;
	}
	if (v == 0 || *old_size < sizeof(v))
		return -1;
	*old_size = sizeof(v);
	memcpy(old, &v, sizeof(v));
	return 0;
}

/* Last CPU first: the order of the children means nothing. */
static int
odd_nodes(struct host_cpu_node *out, int max)
{
	int n = 0;

	if (odd->types == NULL)
		return -1;
	for (unsigned i = odd->ncpu; i-- > 0;) {
		if (odd->types[i] == '-')
			continue;
		if (n < max) {
			memset(&out[n], 0, sizeof(out[n]));
			out[n].logical_cpu_id = (int32_t)i;
			out[n].logical_cluster_id = odd->clusters[i] - '0';
			out[n].die_id = -1;
			if (odd->types[i] != ' ')
				out[n].cluster_type[0] = odd->types[i];
		}
		n++;
	}
	return n;
}

/* clang-format off */
static const struct odd odds[] = {
	/* macOS 12: levels without names. */
	{ 8, 2, { { 4, NULL }, { 4, NULL } }, "EEEEPPPP", "00001111",
	  "E(Efficiency):0-3/4 P(Performance):4-7/4" },
	/* macOS 11: no levels at all. */
	{ 8, 0, { { 0, NULL } }, "EEEEPPPP", "00001111",
	  "E(Efficiency):0-3/4 P(Performance):4-7/4" },
	/* Counts decide against the rank of letters. */
	{ 6, 2, { { 2, "Super" }, { 4, "Performance" } }, "PPPPMM", "000011",
	  "P(Performance):0-3/4 S(Super):4-5/2" },
	/* A tie goes by rank: P is faster than M. */
	{ 8, 2, { { 4, "Super" }, { 4, "Performance" } }, "MMMMPPPP",
	  "00001111", "P(Performance):0-3/4 S(Super):4-7/4" },
	/* Three levels. */
	{ 9, 3, { { 2, "Super" }, { 4, "Performance" }, { 3, "Efficiency" } },
	  "EEEMMMMPP", "000111122",
	  "E(Efficiency):0-2/3 P(Performance):3-6/4 S(Super):7-8/2" },
	/* A letter without a level keeps its letter; the fast come first. */
	{ 6, 2, { { 2, "Performance" }, { 2, "Efficiency" } }, "XXEEPP",
	  "001122", "X(X):0-1/2 E(Efficiency):2-3/2 P(Performance):4-5/2" },
	/* Counts that fit nothing: by rank. */
	{ 8, 2, { { 5, "Performance" }, { 3, "Efficiency" } }, "EEEEPPPP",
	  "00001111", "E(Efficiency):0-3/4 P(Performance):4-7/4" },
	/* Two names with the same initial. */
	{ 4, 2, { { 2, "Power" }, { 2, "Performance" } }, "PPEE", "0011",
	  "Po(Power):0-1/2 Pe(Performance):2-3/2" },
	/* Clusters that are not contiguous. */
	{ 6, 2, { { 4, "Performance" }, { 2, "Efficiency" } }, "PEPEPP",
	  "010123", "P0(Performance):0-2/2 E(Efficiency):1-3/2 "
	  "P1(Performance):4-4/1 P2(Performance):5-5/1" },
	/* The tree forgot a CPU: no guess where it belongs. */
	{ 4, 2, { { 2, "Performance" }, { 2, "Efficiency" } }, "EEP-", "0011",
	  "E(Efficiency):0-1/2 P(Performance):2-2/1 ?(?):3-3/1" },
	/* No letters: clusters are known, kinds are not. */
	{ 4, 2, { { 2, "Performance" }, { 2, "Efficiency" } }, "    ", "0011",
	  "CPU0(CPU):0-1/2 CPU1(CPU):2-3/2" },
	/* No device tree: the counts cannot place the ids. */
	{ 8, 2, { { 4, "Performance" }, { 4, "Efficiency" } }, NULL, NULL,
	  "CPU(CPU):0-7/8" },
	{ 4, 1, { { 4, "Standard" } }, NULL, NULL, "CPU(Standard):0-3/4" },
};
/* clang-format on */

UNIT(odd_machines)
{
	static const struct host_api host = {
		.version = HOST_VERSION,
		.sysctl = odd_sysctl,
		.cpu_nodes = odd_nodes,
	};

	for (size_t i = 0; i < sizeof(odds) / sizeof(odds[0]); i++) {
		struct err e = { ERR_NONE, "" };
		struct topology *t;

		odd = &odds[i];
		t = topology_apple(&host, NULL, "", &e);
		if (t == NULL)
			fail_msg("%s", e.text);
		expect(t, odd->want);
		/* Level 0 is the fastest: the order of hw.perflevelN. */
		for (unsigned k = 0; k < t->nkinds && odd->types != NULL &&
				     odd->types[0] != ' ' && k < odd->nlevels;
		     k++)
			if (odd->level[k].name != NULL)
				assert_string_equal(t->kind[k].name,
						    odd->level[k].name);
		topology_free(t);
	}
}

UNIT(a_machine_without_cpus_is_an_error)
{
	static const struct odd none = { .ncpu = 0 };
	static const struct host_api host = {
		.version = HOST_VERSION,
		.sysctl = odd_sysctl,
		.cpu_nodes = odd_nodes,
	};
	struct err e = { ERR_NONE, "" };

	odd = &none;
	assert_null(topology_apple(&host, NULL, "", &e));
	assert_non_null(strstr(e.text, "hw.ncpu"));
}

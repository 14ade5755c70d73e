/* The table of machines: consistent in itself, and with the chips' tables. */
#include "sim/world.h"

#include <stdio.h>

#include "kperf/host.h"
#include "sim/sim.h"

UNIT(numbers)
{
	static const struct {
		const char *name;
		unsigned cpus, level0, level1, clusters, dies;
	} want[] = {
		{ "m1", 8, 4, 4, 2, 1 },        { "m1max", 10, 8, 2, 3, 1 },
		{ "m2max", 12, 8, 4, 3, 1 },    { "m3", 8, 4, 4, 2, 1 },
		{ "m3ultra", 32, 24, 8, 6, 2 }, { "m4", 10, 4, 6, 2, 1 },
		{ "m4max", 16, 12, 4, 3, 1 },   { "m5", 10, 4, 6, 2, 1 },
		{ "m5max", 18, 6, 12, 3, 1 },   { "m5ultra", 36, 12, 24, 6, 2 },
		{ "m6", 12, 2, 4, 3, 1 },       { "neo", 6, 2, 4, 2, 1 },
		{ "intel", 8, 8, 0, 1, 1 },     { "vm", 4, 4, 0, 1, 1 },
	};

	for (size_t i = 0; i < sizeof(want) / sizeof(*want); i++) {
		const struct sim_machine *m = sim_machine_find(want[i].name);
		assert_string_equal(sim_machines[i].name, want[i].name);
		assert_int_equal(sim_machine_ncpus(m), want[i].cpus);
		assert_int_equal(sim_machine_kind_cpus(m, 0), want[i].level0);
		assert_int_equal(sim_machine_kind_cpus(m, 1), want[i].level1);
		assert_int_equal(m->nclusters, want[i].clusters);
		assert_int_equal(m->cluster[m->nclusters - 1].die + 1,
				 want[i].dies);
	}
	/* New ones stand behind these: recordings and seeds name them. */
	for (unsigned i = 0; sim_machines[i].name != NULL; i++) {
		assert_string_equal(sim_machine_name(i), sim_machines[i].name);
		assert_ptr_equal(sim_machine_find(sim_machine_name(i)),
				 &sim_machines[i]);
	}
}

/* Chip, database and machine say the same. */
UNIT(chips)
{
	for (const struct sim_machine *m = sim_machines; m->name; m++) {
		const struct pmu *p = pmu_by_db(m->db);
		char cpu[64];
		assert_true(sim_machine_ncpus(m) <= SIM_MAX_CPUS);
		assert_true(m->nconfig <= SIM_PMCS);
		if (m->pmu == 0) {
			assert_null(p);
			continue;
		}
		snprintf(cpu, sizeof(cpu), "cpu_%x_%x_%x", m->cputype,
			 m->cpusubtype, m->cpufamily);
		assert_ptr_equal(pmu_by_cpu(cpu), p);
		assert_non_null(p);
		for (unsigned k = 0; !p->intel && k < m->nkinds; k++)
			for (unsigned i = 1; i < SIM_STEPS; i++)
				assert_true(m->kind[k].mhz[i] >
					    m->kind[k].mhz[i - 1]);
		if (p->map_width_p != 0)
			assert_int_equal(m->kind[0].width, p->map_width_p);
	}
	/* Of chip=new. */
	char cpu[64];
	snprintf(cpu, sizeof(cpu), "cpu_100000c_2_%x", SIM_NEW_FAMILY);
	assert_null(pmu_by_cpu(cpu));
	assert_null(pmu_by_db(SIM_NEW_DB));
}

UNIT(names)
{
	const struct sim_machine *m2 = sim_machine_find("m2max");
	const struct sim_machine *ultra = sim_machine_find("m3ultra");
	const struct sim_machine *m5 = sim_machine_find("m5max");

	assert_int_equal(sim_machine_cpus_named(m2, "E"), 0x00f);
	assert_int_equal(sim_machine_cpus_named(m2, "P0"), 0x0f0);
	assert_int_equal(sim_machine_cpus_named(m2, "P1"), 0xf00);
	assert_int_equal(sim_machine_cpus_named(m2, "P"), 0xff0);
	assert_int_equal(sim_machine_cpus_named(m2, "cpu7"), 0x080);
	assert_int_equal(sim_machine_cpus_named(m2, "cpu12"), 0);
	const struct sim_machine *more = sim_machine_find("m5ultra");
	assert_int_equal(sim_machine_cpus_named(more, "cpu35"), 1ull << 35);
	assert_int_equal(sim_machine_cpus_named(more, "S1"), 0x3full << 30);
	assert_int_equal(sim_machine_cpus_named(more, "P"), 0x3ffc0fffull);
	assert_int_equal(sim_machine_cpus_named(m2, "P2"), 0);
	assert_int_equal(sim_machine_cpus_named(m2, ""), 0);
	assert_int_equal(sim_machine_cpus_named(ultra, "E1"), 0x000f0000);
	assert_int_equal(sim_machine_cpus_named(ultra, "P3"), 0xfc000000);
	assert_int_equal(sim_machine_cpus_named(m5, "S"), 0x3f000);
	assert_int_equal(sim_machine_cpus_named(m5, "P1"), 0x00fc0);
}

UNIT(host_answers)
{
	struct host_cpu_node node[40];
	struct host_cpu_load load[40];
	const struct host_api *h = sim_host();
	struct err e;

	assert_true(sim_start("m3ultra,clock=step,seed=4", &e));
	assert_string_equal(h->text, "simulated Apple M3 Ultra, seed 4");
	assert_true(h->simulated && h->clock.stepped);
	assert_int_equal(h->version, HOST_VERSION);
	memset(node, 0x55, sizeof(node));
	assert_int_equal(h->cpu_nodes(node, 20), 32);
	assert_int_equal(node[20].die_id, 0x55555555);
	assert_int_equal(h->cpu_nodes(node, 40), 32);
	assert_int_equal(node[16].logical_cpu_id, 16);
	assert_int_equal(node[16].die_id, 1);
	assert_int_equal(node[16].die_cluster_id, 0);
	assert_int_equal(node[16].logical_cluster_id, 3);
	assert_string_equal(node[16].cluster_type, "E");
	assert_int_equal(node[31].cluster_core_id, 5);
	assert_int_equal(h->cpu_load(load, 40), 32);
	for (unsigned c = 0; c < 32; c++) {
		uint64_t sum = load[c].user + load[c].system + load[c].idle;
		/* 1000 s of 100 ticks; each share is cut by itself */
		assert_true(sum >= 99998 && sum <= 100000);
	}
	sim_stop();
	assert_int_equal(h->cpu_nodes(node, 40), -1);

	assert_true(sim_start("intel", &e));
	OK(h->cpu_nodes(node, 40));
	sim_stop();
}

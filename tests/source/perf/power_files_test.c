/* Energy, traffic and throttling that files of a Linux machine tell. */
#include "source/perf_power.h"

/* ---- powercap, resctrl and throttling: files ---- */

#define ZONE "/sys/class/powercap/intel-rapl:"

static void
put_zone(const struct rig *r, const char *number, const char *name,
	 const char *uj)
{
	char path[256];

	snprintf(path, sizeof(path), ZONE "%s/name", number);
	put_file(r, path, name);
	snprintf(path, sizeof(path), ZONE "%s/energy_uj", number);
	put_file(r, path, uj);
	snprintf(path, sizeof(path), ZONE "%s/max_energy_range_uj", number);
	put_file(r, path, "65712999613\n");
}

UNIT(powercap_is_read_where_there_is_no_pmu_and_wraps)
{
	const struct frame_power *p;
	struct bench b;

	prepare(&b, "skylake-6148-2s");
	put_zone(&b.r, "0", "package-0\n", "65712000000\n");
	put_zone(&b.r, "0:0", "core\n", "1000000\n");
	put_zone(&b.r, "0:1", "dram\n", "0\n");
	put_zone(&b.r, "1", "package-1\n", "5000000\n");
	put_file(&b.r, "/sys/class/powercap/intel-rapl-mmio:0/name",
		 "package-0\n");
	put_file(&b.r, "/sys/class/powercap/intel-rapl-mmio:0/energy_uj",
		 "77\n");
	begin(&b);
	assert_string_equal(b.p->no_energy, "");
	(void)frame(&b);
	put_file(&b.r, ZONE "0/energy_uj", "49000387\n"); /* fell: 50 J */
	put_file(&b.r, "/sys/class/powercap/intel-rapl-mmio:0/energy_uj",
		 "90000077\n");
	put_file(&b.r, ZONE "0:0/energy_uj", "31000000\n");
	put_file(&b.r, ZONE "0:1/energy_uj", "4000000\n");
	put_file(&b.r, ZONE "1/energy_uj", "15000000\n");
	p = frame(&b);
	is(p->whole[POWER_RAIL_PACKAGE].watts, 60);
	is(machine_row(p)->energy.watts, 30);
	is(p->whole[POWER_RAIL_DRAM].watts, 4);
	/* What cannot be read any more has no value, and is not 0 for long. */
	put_file(&b.r, ZONE "1/energy_uj", "ENODATA\n");
	p = frame(&b);
	assert_false(p->whole[POWER_RAIL_DRAM].fresh &&
		     isnan(p->whole[POWER_RAIL_DRAM].watts));
	for (int i = 0; i < 12; i++)
		p = frame(&b);
	assert_true(isnan(p->whole[POWER_RAIL_PACKAGE].watts));
	end(&b);
}

#define RESCTRL "/sys/fs/resctrl"

static void
begin_resctrl(struct bench *b)
{
	prepare(b, "zen4-7950x");
	put_file(&b->r, RESCTRL "/info/L3_MON/mon_features",
		 "llc_occupancy\nmbm_total_bytes\nmbm_local_bytes\n");
	put_file(&b->r, RESCTRL "/mon_data/mon_L3_00/mbm_total_bytes",
		 "1000000\n");
	put_file(&b->r, RESCTRL "/mon_data/mon_L3_01/mbm_total_bytes",
		 "Unavailable\n");
	put_file(&b->r, RESCTRL "/batch/mon_data/mon_L3_00/mbm_total_bytes",
		 "500000\n");
	/* In what its control group says. */
	put_file(&b->r,
		 RESCTRL
		 "/batch/mon_groups/a/mon_data/mon_L3_00/mbm_total_bytes",
		 "400000\n");
	put_file(&b->r,
		 RESCTRL "/mon_groups/b/mon_data/mon_L3_00/mbm_total_bytes",
		 "400000\n");
	begin(b);
	(void)frame(b);
}

UNIT(resctrl_adds_the_root_and_control_groups)
{
	const struct frame_power *p;
	struct bench b;

	begin_resctrl(&b);
	assert_string_equal(b.p->no_traffic, "");
	put_file(&b.r, RESCTRL "/mon_data/mon_L3_00/mbm_total_bytes",
		 "4000000\n");
	put_file(&b.r, RESCTRL "/batch/mon_data/mon_L3_00/mbm_total_bytes",
		 "1500000\n");
	put_file(&b.r,
		 RESCTRL
		 "/batch/mon_groups/a/mon_data/mon_L3_00/mbm_total_bytes",
		 "9900000\n");
	p = frame(&b);
	is(machine_row(p)->traffic.both, 4000000);
	assert_true(isnan(machine_row(p)->traffic.read));
	/* One domain is not told of: it is more than that. */
	assert_int_equal(machine_row(p)->traffic.marks, POWER_AT_LEAST);
	end(&b);
}

UNIT(a_count_of_resctrl_that_falls_is_a_new_base)
{
	const struct frame_power *p;
	struct bench b;

	begin_resctrl(&b);
	put_file(&b.r, RESCTRL "/mon_data/mon_L3_01/mbm_total_bytes", "7\n");
	(void)frame(&b);
	put_file(&b.r, RESCTRL "/mon_data/mon_L3_00/mbm_total_bytes", "3\n");
	put_file(&b.r, RESCTRL "/batch/mon_data/mon_L3_00/mbm_total_bytes",
		 "500100\n");
	p = frame(&b);
	is(machine_row(p)->traffic.both, 100);
	assert_int_equal(machine_row(p)->traffic.marks, POWER_AT_LEAST);
	put_file(&b.r, RESCTRL "/mon_data/mon_L3_00/mbm_total_bytes", "53\n");
	p = frame(&b);
	is(machine_row(p)->traffic.both, 50);
	assert_int_equal(machine_row(p)->traffic.marks, 0);
	end(&b);
}

static void
count_file(char path[128], int cpu, const char *what)
{
	snprintf(path, 128, CPU "/cpu%d/thermal_throttle/%s_throttle_count",
		 cpu, what);
}

UNIT(a_throttled_core_is_seen_in_its_cluster)
{
	const struct frame_power *p;
	struct bench b;
	char path[128];
	unsigned hot;

	begin_alder_lake(&b);
	for (int cpu = 0; cpu < 24; cpu++) {
		count_file(path, cpu, "core");
		put_file(&b.r, path, "5\n");
		count_file(path, cpu, "package");
		put_file(&b.r, path, "9\n");
	}
	begin(&b);
	(void)frame(&b);
	p = frame(&b);
	assert_true(machine_row(p)->throttle_known);
	assert_false(machine_row(p)->throttled);
	count_file(path, 20, "core");
	put_file(&b.r, path, "6\n");
	p = frame(&b);
	hot = 0;
	for (unsigned i = 0; i < b.r.s->info.topology->ncpus; i++)
		if (b.r.s->info.topology->cpu[i].id == 20)
			hot = b.r.s->info.topology->cpu[i].cluster;
	for (unsigned c = 0; c + 1 < p->nrows; c++)
		assert_int_equal(p->row[c].throttled, c == hot);
	assert_true(machine_row(p)->throttled);
	p = frame(&b);
	assert_false(machine_row(p)->throttled);
	end(&b);
}

/* Nobody says: not known, which is not "no". */
UNIT(throttling_is_not_known_without_its_files)
{
	struct bench b;

	begin_zen(&b, "zen4-7950x", false);
	begin(&b);
	(void)frame(&b);
	assert_false(machine_row(frame(&b))->throttle_known);
	end(&b);
}

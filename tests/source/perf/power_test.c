/* Energy and memory traffic of Linux machines by their PMUs. */
#include "source/perf_power.h"

/* ---- Alder Lake: a client with all of RAPL, and free running counters ---- */

UNIT(a_client_has_cores_package_gpu_and_platform)
{
	const struct frame_power *p;
	struct bench b;

	begin_alder_lake(&b);
	begin(&b);
	assert_string_equal(b.p->no_energy, "");
	assert_string_equal(b.p->no_traffic, "");
	(void)frame(&b);
	joules(&b, 1, 0, 20);
	joules(&b, 2, 0, 28);
	joules(&b, 4, 0, 3);
	joules(&b, 5, 0, 45);
	p = frame(&b);
	is(machine_row(p)->energy.watts, 20); /* and nothing added to it */
	is(p->whole[POWER_RAIL_PACKAGE].watts, 28);
	is(p->whole[POWER_RAIL_GPU].watts, 3);
	is(p->whole[POWER_RAIL_PLATFORM].watts, 45);
	assert_true(isnan(p->whole[POWER_RAIL_DRAM].watts));
	/* 24 CPUs, a million instructions each. */
	is(machine_row(p)->nj_instruction, 20e9 / 24e6);
	/* No energy of one is another's. */
	for (unsigned c = 0; c + 1 < p->nrows; c++)
		assert_true(isnan(p->row[c].energy.watts));
	p = frame(&b); /* a second in which nothing was used is one of 0 W */
	is(p->whole[POWER_RAIL_PACKAGE].watts, 0);
	end(&b);
}

UNIT(free_running_counters_add_up_over_controllers)
{
	const struct frame_power *p;
	struct bench b;

	begin_alder_lake(&b);
	begin(&b);
	(void)frame(&b);
	counter(&b, 30, 0x20ff, 0)->value += 16384;
	counter(&b, 31, 0x20ff, 0)->value += 16384;
	counter(&b, 31, 0x30ff, 0)->value += 16384 * 3;
	p = frame(&b);
	is(machine_row(p)->traffic.read, 2 * 1048576.0);
	is(machine_row(p)->traffic.write, 3 * 1048576.0);
	is(machine_row(p)->traffic.both, 5 * 1048576.0);
	/* data_total is in it, and not counted again. */
	assert_null(fake_find(b.r.f, 0, 30, 0x10ff));
	end(&b);
}

/* ---- Sapphire Rapids: two sockets, codes that the kernel does not name ----
 */

static void
begin_sapphire_rapids(struct bench *b, const char *model)
{
	static const char *const rapl[] = { "energy-pkg", "energy-ram", NULL };
	char cpuinfo[256];

	prepare(b, "xeon-6430-2s-snc2");
	put_rapl(&b->r, "0,32\n", rapl);
	put_pmu(&b->r, "uncore_imc_0", 40, "0,32\n");
	put_pmu(&b->r, "uncore_imc_11", 51, "0,32\n");
	snprintf(cpuinfo, sizeof(cpuinfo),
		 "processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\n"
		 "model\t\t: %s\nmodel name\t: Xeon\n",
		 model);
	put_file(&b->r, "/proc/cpuinfo", cpuinfo);
}

UNIT(sockets_are_packages_of_their_own)
{
	const struct frame_power *p;
	struct bench b;
	unsigned packages = 0;

	begin_sapphire_rapids(&b, "143");
	begin(&b);
	for (unsigned i = 0; i < b.p->nrails; i++)
		if (b.p->rail[i].what == POWER_PACKAGE) {
			assert_int_equal(b.p->rail[i].die, packages);
			packages++;
		}
	assert_int_equal(packages, 2);
	(void)frame(&b);
	joules(&b, 2, 0, 100);
	joules(&b, 2, 32, 50);
	joules(&b, 3, 0, 7);
	joules(&b, 3, 32, 5);
	counter(&b, 40, 0xcf05, 0)->value += 1000;
	counter(&b, 51, 0xcf05, 32)->value += 1000;
	counter(&b, 51, 0xf005, 0)->value += 500;
	p = frame(&b);
	is(p->whole[POWER_RAIL_PACKAGE].watts, 150);
	is(p->whole[POWER_RAIL_DRAM].watts, 12);
	/* A package is more than its CPUs. */
	assert_true(isnan(machine_row(p)->energy.watts));
	assert_true(isnan(machine_row(p)->nj_instruction));
	is(machine_row(p)->traffic.read, 2000 * 64);
	is(machine_row(p)->traffic.write, 500 * 64);
	end(&b);
}

/* Granite Rapids has two subchannels in each memory controller's channel. */
UNIT(traffic_is_the_sum_of_subchannels)
{
	const struct frame_power *p;
	struct bench b;

	begin_sapphire_rapids(&b, "173");
	begin(&b);
	(void)frame(&b);
	counter(&b, 40, 0xcf05, 0)->value += 1000;
	counter(&b, 40, 0xcf06, 0)->value += 200;
	counter(&b, 51, 0xf005, 0)->value += 500;
	counter(&b, 51, 0xf006, 0)->value += 70;
	p = frame(&b);
	is(machine_row(p)->traffic.read, 1200 * 64);
	is(machine_row(p)->traffic.write, 570 * 64);
	end(&b);
}

/* Kernels without Linux commit 96fd2e89fba1 name codes for Ice Lake servers
 * that count some reads as writes. */
UNIT(ice_lake_servers_have_codes_of_their_own)
{
	const struct frame_power *p;
	struct bench b;

	begin_sapphire_rapids(&b, "106");
	for (unsigned i = 0; i < 2; i++) {
		const char *pmu = i == 0 ? "uncore_imc_0" : "uncore_imc_11";

		put_event(&b.r, pmu, "cas_count_read",
			  "event=0x04,umask=0x03\n", "6.103515625e-5\n",
			  "MiB\n");
		put_event(&b.r, pmu, "cas_count_write",
			  "event=0x04,umask=0x0c\n", "6.103515625e-5\n",
			  "MiB\n");
	}
	begin(&b);
	(void)frame(&b);
	counter(&b, 40, 0x0f04, 0)->value += 1000;
	counter(&b, 51, 0x3004, 32)->value += 500;
	p = frame(&b);
	is(machine_row(p)->traffic.read, 1000 * 64);
	is(machine_row(p)->traffic.write, 500 * 64);
	end(&b);
}

/* A model that ktop does not know is not counted by another's codes. */
UNIT(codes_are_of_known_models_only)
{
	struct bench b;

	begin_sapphire_rapids(&b, "250");
	begin(&b);
	assert_non_null(strstr(b.p->no_traffic, "no memory controller"));
	assert_true(isnan(machine_row((frame(&b), frame(&b)))->traffic.both));
	end(&b);
}

/* The vector of a server whose kernel names and scales them. */
UNIT(a_tree_with_scales_gives_mebibytes)
{
	const struct frame_power *p;
	struct bench b;

	prepare(&b, "skylake-6148-2s");
	put_pmu(&b.r, "uncore_imc_0", 17, "0\n");
	put_event(&b.r, "uncore_imc_0", "cas_count_read",
		  "event=0x04,umask=0x03\n", "6.103515625e-5\n", "MiB\n");
	put_event(&b.r, "uncore_imc_0", "cas_count_write",
		  "event=0x04,umask=0x0c\n", "6.103515625e-5\n", "MiB\n");
	begin(&b);
	(void)frame(&b);
	counter(&b, 17, 0x304, 0)->value += 16384;
	p = frame(&b);
	is(machine_row(p)->traffic.read, 1048576);
	is(machine_row(p)->traffic.write, 0);
	end(&b);
}

/* ---- Zen 4 and 5 ---- */

UNIT(zen4_has_the_package_and_its_memory_controllers)
{
	const struct frame_power *p;
	struct bench b;

	begin_zen(&b, "zen4-7950x", false);
	begin(&b);
	(void)frame(&b);
	joules(&b, 2, 0, 65);
	counter(&b, 60, 0x10a, 0)->value += 100;
	counter(&b, 61, 0x10a, 0)->value += 100;
	counter(&b, 61, 0x20a, 0)->value += 10;
	p = frame(&b);
	is(p->whole[POWER_RAIL_PACKAGE].watts, 65);
	is(machine_row(p)->traffic.read, 200 * 64);
	is(machine_row(p)->traffic.write, 10 * 64);
	assert_true(isnan(machine_row(p)->energy.watts));
	end(&b);
}

UNIT(zen5_adds_up_its_cores)
{
	const struct frame_power *p;
	struct bench b;

	begin_zen(&b, "zen5-strix-point", true);
	begin(&b);
	(void)frame(&b);
	for (int cpu = 0; cpu < 4; cpu++)
		counter(&b, 10, 1, cpu)->value += 4294967296u / 2;
	p = frame(&b);
	is(machine_row(p)->energy.watts, 2);
	end(&b);
	/* Where idle CPUs are to sleep they are not asked for their energy. */
	begin_zen(&b, "zen5-strix-point", true);
	b.r.o.lazy = true;
	begin(&b);
	assert_null(fake_find(b.r.f, 1, 10, 1));
	end(&b);
}

/* ---- Grace: the fabric counts the traffic, and nobody the energy ---- */

UNIT(grace_reads_in_units_of_32_bytes)
{
	const struct frame_power *p;
	struct bench b;

	prepare(&b, "grace-72");
	begin(&b);
	assert_string_equal(b.p->no_traffic, "");
	assert_non_null(strstr(b.p->no_energy, "publishes no energy"));
	(void)frame(&b);
	counter(&b, 20, 0x1a5, 0)->value += 1000;
	counter(&b, 20, 0x1db, 0)->value += 5000;
	p = frame(&b);
	is(machine_row(p)->traffic.read, 32000);
	is(machine_row(p)->traffic.write, 5000);
	assert_true(isnan(p->whole[POWER_RAIL_PACKAGE].watts));
	end(&b);
}

UNIT(a_machine_without_says_so)
{
	struct bench b;

	prepare(&b, "dgx-gb10");
	begin(&b);
	assert_int_equal(b.p->nrails, 0);
	assert_non_null(strstr(b.p->no_energy, "publishes no energy"));
	assert_non_null(strstr(b.p->no_traffic, "no memory controller"));
	end(&b);
}

/* ---- trouble ---- */

static int
refuse_uncore(struct fake *f, const struct perf_event_attr *attr, int cpu,
	      int leader)
{
	return attr->exclude_guest == 0 ? EACCES : 0;
}

UNIT(missing_rights_are_said_with_a_remedy_and_counters_go_on)
{
	struct bench b;

	begin_alder_lake(&b);
	put_file(&b.r, "/proc/sys/kernel/perf_event_paranoid", "1\n");
	b.r.f->refuse = refuse_uncore;
	begin(&b);
	assert_int_equal(b.p->nrails, 0);
	assert_non_null(strstr(b.p->no_energy, "perf_event_paranoid is 1"));
	assert_non_null(strstr(b.p->no_energy, "run ktop as root"));
	assert_non_null(
		strstr(b.p->no_traffic, "sysctl kernel.perf_event_paranoid=0"));
	assert_int_equal(b.r.s->ops->read(b.r.s, b.r.sample, &b.r.e),
			 SOURCE_OK);
	end(&b);
}

/* One controller that cannot be counted would make the sum too small. */
static int
refuse_one(struct fake *f, const struct perf_event_attr *attr, int cpu,
	   int leader)
{
	return attr->type == 31 ? EBUSY : 0;
}

UNIT(a_part_of_the_traffic_is_none)
{
	struct bench b;

	begin_alder_lake(&b);
	b.r.f->refuse = refuse_one;
	begin(&b);
	assert_null(fake_find(b.r.f, 0, 30, 0x20ff));
	assert_non_null(strstr(b.p->no_traffic, "in use by another program"));
	assert_string_equal(b.p->no_energy, "");
	end(&b);
}

UNIT(a_counter_of_no_unit_is_not_used)
{
	static const char *const rapl[] = { "energy-pkg", NULL };
	struct bench b;

	prepare(&b, "zen4-7950x");
	put_rapl(&b.r, "0\n", rapl);
	put_file(&b.r, DEVICE "/power/events/energy-pkg.unit", "Furlongs\n");
	begin(&b);
	assert_null(fake_find(b.r.f, 0, 9, 2));
	assert_true(b.p->no_energy[0] != '\0');
	end(&b);
}

/* Others have the controller's counter half of the time. */
UNIT(shared_counters_are_scaled_and_say_so)
{
	const struct frame_power *p;
	struct bench b;

	begin_alder_lake(&b);
	begin(&b);
	(void)frame(&b);
	counter(&b, 30, 0x20ff, 0)->value += 16384;
	counter(&b, 30, 0x20ff, 0)->run -= (uint64_t)SECOND / 2;
	p = frame(&b);
	is(machine_row(p)->traffic.read, 2 * 1048576.0);
	assert_int_equal(machine_row(p)->traffic.marks, POWER_SCALED);
	assert_int_equal(p->whole[POWER_RAIL_PACKAGE].marks, 0);
	end(&b);
}

/* Nothing of it is a value, and the next one covers both seconds. */
UNIT(a_counter_that_never_ran_has_no_value)
{
	const struct frame_power *p;
	struct bench b;

	begin_alder_lake(&b);
	begin(&b);
	(void)frame(&b);
	counter(&b, 30, 0x20ff, 0)->run -= (uint64_t)SECOND;
	p = frame(&b);
	assert_true(isnan(machine_row(p)->traffic.both));
	counter(&b, 30, 0x20ff, 0)->value += 16384;
	p = frame(&b);
	is(machine_row(p)->traffic.read, 1048576); /* of 2 s, scaled by 2 */
	is(machine_row(p)->traffic.span_s, 2);
	end(&b);
}

/* As a group that was torn apart. */
static bool
torn_apart(struct fake *f, struct fake_event *e, void *buf, ssize_t *n)
{
	if (e->torn) {
		memset(buf, 0, 24);
		*n = 24;
	}
	return e->torn;
}

/* Its CPU was off line: opened again, from a new base, never a fall. */
UNIT(a_dead_counter_begins_again)
{
	const struct frame_power *p;
	struct bench b;

	begin_alder_lake(&b);
	begin(&b);
	(void)frame(&b);
	joules(&b, 2, 0, 30);
	(void)frame(&b);
	b.r.f->on_read = torn_apart;
	counter(&b, 9, 2, 0)->torn = true;
	p = frame(&b);
	assert_false(p->whole[POWER_RAIL_PACKAGE].fresh);
	for (int i = 0; i < 2; i++) {
		p = frame(&b); /* opened, and a base */
		assert_false(p->whole[POWER_RAIL_PACKAGE].fresh);
	}
	joules(&b, 2, 0, 12);
	p = frame(&b);
	assert_true(p->whole[POWER_RAIL_PACKAGE].fresh);
	is(p->whole[POWER_RAIL_PACKAGE].watts, 12);
	end(&b);
}

/* Counters of the cores come first where few files may be open. */
UNIT(energy_leaves_the_counters_their_files)
{
	struct bench b;

	begin_alder_lake(&b);
	b.r.f->soft = b.r.f->hard = 120;
	begin(&b);
	assert_int_equal(b.p->nrails, 0);
	assert_non_null(strstr(b.p->no_energy, "ulimit -n"));
	end(&b);
}

/* Several readings between two frames: none of their energy is lost. */
UNIT(a_frame_has_all_spans_that_ended_in_it)
{
	struct power_update update[POWER_RAILS];
	const struct frame_power *p;
	struct bench b;

	begin_alder_lake(&b);
	begin(&b);
	(void)frame(&b);
	for (int i = 1; i <= 3; i++) {
		b.r.f->now_ns += SECOND;
		joules(&b, 2, 0, 10 * i);
		power_join_add(monitor_power(b.r.m), update,
			       power_poll(b.p, b.track, b.r.f->now_ns, update));
	}
	joules(&b, 2, 0, 20);
	p = frame(&b);
	is(p->whole[POWER_RAIL_PACKAGE].watts, 80.0 / 4);
	is(p->whole[POWER_RAIL_PACKAGE].span_s, 4);
	/* What ends after a frame is the next one's. */
	joules(&b, 2, 0, 5);
	b.r.f->now_ns += SECOND / 2;
	unsigned n = power_poll(b.p, b.track, b.r.f->now_ns + SECOND, update);

	power_join_add(monitor_power(b.r.m), update, n);
	assert_int_equal(b.r.s->ops->read(b.r.s, b.r.sample, &b.r.e),
			 SOURCE_OK);
	p = monitor_feed(b.r.m, b.r.sample)->power;
	assert_false(p->whole[POWER_RAIL_PACKAGE].fresh);
	p = frame(&b);
	assert_true(p->whole[POWER_RAIL_PACKAGE].fresh);
	end(&b);
}

/* A recording's packages hold as long as those of a machine do. */
UNIT(recorded_packages_are_shown_until_they_are_old)
{
	const struct power_energy none = { NAN, NAN, 0, false };
	struct recorded_power rec = {
		.row = { .energy = none,
			 .nj_instruction = NAN,
			 .traffic = { NAN, NAN, NAN, NAN, 0, false },
			 .clock_ghz = NAN,
			 .throttled = true,
			 .throttle_known = true },
		.whole = { none, none, none, { 18.5, 1, 0, true }, none },
	};
	struct rig r;

	rig_start(&r, "zen4-7950x", NULL);
	struct power_join *j = monitor_power(r.m);

	(void)rig_second(&r, 1000000);
	power_join_recorded(j, &rec, 1, 1);
	const struct frame_power *p = rig_second(&r, 1000000)->power;

	assert_non_null(p);
	is(p->whole[POWER_RAIL_PACKAGE].watts, 18.5);
	assert_true(p->whole[POWER_RAIL_PACKAGE].fresh &&
		    !p->whole[POWER_RAIL_PLATFORM].fresh);
	assert_true(machine_row(p)->throttled);
	power_join_recorded(j, NULL, 0, 10);
	p = rig_second(&r, 1000000)->power;
	is(p->whole[POWER_RAIL_PACKAGE].watts, 18.5);
	assert_false(p->whole[POWER_RAIL_PACKAGE].fresh);
	power_join_recorded(j, NULL, 0, 12);
	p = rig_second(&r, 1000000)->power;
	assert_true(isnan(p->whole[POWER_RAIL_PACKAGE].watts));
	rig_close(&r);
}

/* Energy goes on while the source of the counters is another one. */
UNIT(energy_outlives_its_source)
{
	struct bench b;

	begin_alder_lake(&b);
	begin(&b);
	(void)frame(&b);
	struct source *now = b.r.s->ops->renew(b.r.s, &b.r.o, &b.r.e);

	assert_non_null(now);
	b.r.s = now;
	joules(&b, 2, 0, 28);
	struct power_update update[POWER_RAILS];

	b.r.f->now_ns += SECOND;
	assert_true(power_poll(b.p, b.track, b.r.f->now_ns, update) > 0);
	b.p->ops->close(b.p);
	b.p = now->ops->power(now, &b.r.e);
	assert_non_null(b.p);
	end(&b);
}

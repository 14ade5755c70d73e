/* Machines nobody dumped, made from what is known of them. */
#include "source/perf/machine.h"

#include "source/odd_machine.h"

#include <cmocka.h>

/* All atoms of Lunar Lake lie outside of the L3. */
UNIT(lunar_lake)
{
	static const char *const labels[] = { "P", "LP-E" };
	struct topology *t = machine(
		"put $c/online 0-7; "
		"for i in 0 1 2 3; do cpu $i $i 0-3 $((i * 8)) 0 1024 -; done; "
		"for i in 4 5 6 7; do cpu $i $i - 64 0 600 -; done; "
		"pmu cpu_core 0-3; pmu cpu_atom 4-7");

	labels_are(t, labels, 2);
	assert_string_equal(t->kind[1].name, "Low-power efficiency");
	done(t);
}

/* Arrow Lake-H: three PMUs, two of them with atoms. */
UNIT(arrow_lake_h)
{
	static const char *const labels[] = { "P", "E", "LP-E" };
	struct topology *t = machine(
		"put $c/online 0-15; "
		"for i in 0 1 2 3 4 5; do cpu $i $i 0-13 $((i * 8)) 0 - -; "
		"done; "
		"for i in 6 7 8 9 10 11 12 13; do "
		"cpu $i $i 0-13 $((i / 10 * 8 + 64)) 0 - -; done; "
		"for i in 14 15; do cpu $i $i - 96 0 - -; done; "
		"pmu cpu_core 0-5; pmu cpu_atom 6-13; pmu cpu_lowpower 14-15");

	labels_are(t, labels, 3);
	done(t);
}

/* Two E clusters, two P clusters, one PMU a kind; L2 is the last there is. */
UNIT(m2_max)
{
	static const char *const labels[] = { "E", "P0", "P1" };
	struct topology *t = machine(
		"put $c/online 0-11; for i in 0 1 2 3 4 5 6 7 8 9 10 11; do "
		"cpu $i $i - $((i / 4)) 0 $((i < 4 ? 400 : 1024)) "
		"0x610f$((i < 4 ? 0 : 1))380; done; "
		"pmu apple_blizzard_pmu 0-3; pmu apple_avalanche_pmu 4-11");

	labels_are(t, labels, 3);
	done(t);
}

/* Names to come: the letter stands at the end. */
UNIT(apple_to_come)
{
	static const char *const labels[] = { "E", "M", "P" };
	struct topology *t = machine(
		"put $c/online 0-5; for i in 0 1 2 3 4 5; do "
		"cpu $i $i - $((i / 2)) 0 - -; done; "
		"pmu apple_komodo_e_pmu 0-1; pmu apple_komodo_m_pmu 2-3; "
		"pmu apple_komodo_p_pmu 4-5");

	labels_are(t, labels, 3);
	done(t);
}

/* Snapdragon 8 Gen 2: four parts; two of them are equally fast. */
UNIT(four_kinds)
{
	static const char *const labels[] = { "A510", "A715", "A710", "X3" };
	struct topology *t = machine(
		"put $c/online 0-7; "
		"for i in 0 1 2; do cpu $i $i 0-7 - 0 325 0x411fd461; done; "
		"for i in 3 4; do cpu $i $i 0-7 - 0 820 0x411fd4d1; done; "
		"for i in 5 6; do cpu $i $i 0-7 - 0 820 0x411fd471; done; "
		"cpu 7 7 0-7 - 0 1024 0x411fd4e0; pmu armv8_pmuv3 0-7");

	labels_are(t, labels, 4);
	assert_string_equal(t->kind[0].letter, "X3");
	done(t);
}

/* Phoenix 2: one PMU, one L3; the cores themselves say that they differ. */
UNIT(zen_4c)
{
	static const char *const labels[] = { "P", "E" };
	struct topology *t = machine(
		"put $c/online 0-11; put proc/cpuinfo 'vendor_id : "
		"AuthenticAMD'; "
		"for i in 0 1 2 3 4 5 6 7 8 9 10 11; do "
		"cpu $i $((i / 2 * 2))-$((i / 2 * 2 + 1)) 0-11 65535 0 - -; "
		"put sys/kernel/debug/x86/topo/cpus/$i \"cpu_type:            "
		"$([ $i -lt 4 ] && echo performance || echo efficiency)\"; "
		"done; "
		"put sys/bus/event_source/devices/cpu/type 4");

	labels_are(t, labels, 2);
	assert_int_equal(t->cluster[0].ncores, 2);
	assert_int_equal(t->cluster[1].ncores, 4);
	assert_true(t->smt);
	done(t);
}

/*
 * The same machines where nobody says so: a copy has no CPUID, and rarely a
 * debugfs. All cores are of one kind then, and nothing is made up.
 */
UNIT(zen_c_without_cpuid)
{
	static const struct {
		const char *machine;
		unsigned n;
		const char *label[2];
		unsigned ncores[2];
	} rows[] = {
		{ "zen4c-phoenix2", 1, { "CPU" }, { 6 } },
		{ "zen5-strix-point", 2, { "CCX0", "CCX1" }, { 4, 8 } },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct topology *t;

		assert_true(tree_unpack(rows[i].machine, root, sizeof(root)));
		in_root("test -d sys/kernel/debug/x86/topo && "
			"rm -r sys/kernel/debug");
		t = topology_linux(root, NULL);
		assert_non_null(t);
		labels_are(t, rows[i].label, rows[i].n);
		assert_int_equal(t->nkinds, 1);
		assert_string_equal(t->kind[0].letter, "");
		assert_true(t->smt);
		for (unsigned c = 0; c < rows[i].n; c++)
			assert_int_equal(t->cluster[c].ncores,
					 rows[i].ncores[c]);
		done(t);
	}
}

/* Two sockets of two L3 each: four CCX, their packages known. */
UNIT(two_sockets)
{
	static const char *const labels[] = { "S0.CCX0", "S0.CCX1", "S1.CCX0",
					      "S1.CCX1" };
	struct topology *t =
		machine("put $c/online 0-7; put proc/cpuinfo 'vendor_id : "
			"AuthenticAMD'; "
			"for i in 0 1 2 3 4 5 6 7; do "
			"cpu $i $i $((i / 2 * 2))-$((i / 2 * 2 + 1)) 65535 "
			"$((i / 4)) - -; "
			"done; put sys/bus/event_source/devices/cpu/type 4");

	labels_are(t, labels, 4);
	assert_int_equal(t->cluster[3].package, 1);
	/* A row of each. */
	assert_int_equal(t->nkinds, 2);
	for (unsigned k = 0; k < 2; k++) {
		assert_string_equal(t->kind[k].letter, k == 0 ? "S0" : "S1");
		assert_int_equal(t->kind[k].ncpus, 4);
		assert_int_equal(t->cpu[4 * k].kind, k);
	}
	done(t);
}

/* Sparse numbers, a CPU off line, and an uncore PMU with a mask of its own. */
UNIT(sparse_numbers)
{
	struct topology *t = machine(
		"put $c/online 0,4-5,128; put $c/possible 0-255; "
		"for i in 0 4 5 128; do cpu $i $i 0,4-5,128 - 0 - -; done; "
		"put sys/bus/event_source/devices/cpu/type 4; "
		"put sys/bus/event_source/devices/uncore_imc_0/cpumask 0");

	assert_int_equal(t->ncpus, 4);
	assert_int_equal(t->cpu[3].id, 128);
	assert_string_equal(t->cluster[0].label, "CPU");
	done(t);
}

/*
 * Intel drops a CPU that was off line from its PMU's list: its kind is known
 * when it is on, not before (25).
 */
UNIT(off_line_at_the_start)
{
	struct topology *t =
		machine("put $c/online 0-2; "
			"for i in 0 1; do cpu $i 0-1 0-2 0 0 - -; done; "
			"cpu 2 2 0-2 8 0 - -; put $c/cpu3/online 0; "
			"pmu cpu_core 0-1; pmu cpu_atom 2");

	assert_int_equal(t->ncpus, 3);
	topology_free(t);
	in_root("cd sys/devices/system/cpu && echo 0-3 >online && "
		"mkdir -p cpu3/topology && echo 3 "
		">cpu3/topology/core_cpus_list "
		"&& cd ../../../bus/event_source/devices/cpu_atom && "
		"echo 2-3 >cpus");
	t = topology_linux(root, NULL);
	assert_non_null(t);
	assert_int_equal(t->ncpus, 4);
	/* No L3 is listed below it: that makes it a low-power one. */
	assert_string_equal(t->kind[t->cpu[3].kind].letter, "LP-E");
	done(t);
}

/* Atoms onlined since their PMU's list was read have no letter but "?". */
UNIT(not_yet_of_a_pmu)
{
	static const char *const labels[] = { "P", "E", "?" };
	struct topology *t =
		machine("put $c/online 0-3; for i in 0 1 2 3; do "
			"cpu $i $i 0-3 - 0 $((i < 2 ? 1024 : 600)) -; done; "
			"pmu cpu_core 0-1; pmu cpu_atom 2");

	labels_are(t, labels, 3);
	assert_string_equal(t->kind[2].name, "Unknown");
	assert_string_equal(t->kind[2].pmu, "");
	done(t);
}

/* Outside of our cpuset AMD's cores cannot be asked what they are. */
UNIT(amd_that_cannot_be_asked)
{
	static const char *const labels[] = { "P", "E", "?" };
	struct topology *t = machine(
		"put $c/online 0-5; put proc/cpuinfo 'vendor_id : "
		"AuthenticAMD'; for i in 0 1 2 3 4 5; do "
		"cpu $i $i 0-5 65535 0 - -; done; "
		"put sys/kernel/debug/x86/topo/cpus/0 'cpu_type: performance'; "
		"put sys/kernel/debug/x86/topo/cpus/1 'cpu_type: efficiency'; "
		"put sys/bus/event_source/devices/cpu/type 4");

	labels_are(t, labels, 3);
	assert_int_equal(t->cluster[2].ncpus, 4);
	done(t);
}

/* A file that one CPU lacks makes no kind of its own. */
UNIT(a_missing_part_is_lent)
{
	static const char *const labels[] = { "E", "P" };
	struct topology *t = machine(
		"put $c/online 0-3; "
		"cpu 0 0 0-3 0 0 400 0x410fd034; cpu 1 1 0-3 0 0 400 -; "
		"cpu 2 2 0-3 1 0 1024 -; cpu 3 3 0-3 1 0 1024 0x410fd083; "
		"pmu armv8_a 0-1; pmu armv8_b 2-3");

	labels_are(t, labels, 2);
	assert_int_equal(t->nkinds, 2);
	done(t);
}

/*
 * Of capacity, CPPC and kHz the first that all kinds have: a capacity of 1024
 * beside a frequency of 1800000 says nothing.
 */
UNIT(speeds_of_one_measure)
{
	struct topology *t =
		machine("put $c/online 0-3; "
			"for i in 0 1; do cpu $i $i 0-3 0 0 1024 0x410fd083; "
			"put $c/cpu$i/cpufreq/cpuinfo_max_freq 2400000; done; "
			"for i in 2 3; do cpu $i $i 0-3 1 0 - 0x410fd034; "
			"put $c/cpu$i/cpufreq/cpuinfo_max_freq 1800000; done; "
			"pmu armv8_pmuv3 0-3");

	assert_string_equal(t->cluster[0].label, "P");
	assert_string_equal(t->cluster[1].label, "E");
	done(t);
}

/* Where nothing is said of speed the core's name tells: A55, then X1. */
UNIT(no_speeds_at_all)
{
	static const char *const labels[] = { "E", "M", "P" };
	struct topology *t = machine(
		"put $c/online 0-5; "
		"for i in 0 1; do cpu $i $i 0-5 0 0 - 0x412fd050; done; "
		"for i in 2 3; do cpu $i $i 0-5 0 0 - 0x414fd0b1; done; "
		"for i in 4 5; do cpu $i $i 0-5 0 0 - 0x411fd440; done; "
		"pmu armv8_pmuv3 0-5");

	labels_are(t, labels, 3);
	done(t);
}

/* Revisions of one part (MIDR's other fields) are one kind. */
UNIT(revisions_are_one_kind)
{
	struct topology *t = machine(
		"put $c/online 0-3; for i in 0 1 2 3; do "
		"cpu $i $i 0-3 0 0 1024 0x41$((i % 2 + 1))fd0c$i; done; "
		"pmu armv8_pmuv3_0 0-3");

	assert_int_equal(t->nkinds, 1);
	assert_string_equal(t->cluster[0].label, "CPU");
	done(t);
}

/* More than 64 L3s are no clusters, and more than 16 sockets neither. */
UNIT(too_many_parts)
{
	static const char *const labels[] = { "S0", "S1" };
	struct topology *t =
		machine("put $c/online 0-129; "
			"mkdir -p $(seq -f \"$c/cpu%g/topology\" 0 129) "
			"$(seq -f \"$c/cpu%g/cache/index0\" 0 129); "
			"i=0; while [ $i -lt 130 ]; do d=$c/cpu$i; "
			"echo 3 >$d/cache/index0/level; "
			"echo $i >$d/cache/index0/shared_cpu_list; "
			"echo $((i / 65)) >$d/topology/physical_package_id; "
			"i=$((i + 1)); done; "
			"put sys/bus/event_source/devices/cpu/type 4");

	labels_are(t, labels, 2);
	assert_int_equal(t->cluster[1].ncores, 65);
	done(t);
	t = machine("put $c/online 0-16; i=0; while [ $i -lt 17 ]; do "
		    "cpu $i $i - - $i - -; i=$((i + 1)); done; "
		    "put sys/bus/event_source/devices/cpu/type 4");
	assert_int_equal(t->nclusters, 1);
	assert_string_equal(t->cluster[0].label, "CPU");
	done(t);
}

/* 2048 of 4096 possible CPUs, two threads a core, 16 sockets. */
UNIT(two_thousand)
{
	struct topology *t = machine(
		"put $c/online 0-2047; put $c/possible 0-4095; "
		"put $c/present 0-2047; "
		"mkdir -p $(seq -f \"$c/cpu%g/topology\" 0 2047); "
		"i=0; while [ $i -lt 2048 ]; do d=$c/cpu$i/topology; "
		"echo $((i / 2 * 2))-$((i / 2 * 2 + 1)) >$d/core_cpus_list; "
		"echo $((i / 128)) >$d/physical_package_id; i=$((i + 1)); "
		"done; put sys/bus/event_source/devices/cpu/type 4");

	assert_int_equal(t->ncpus, 2048);
	assert_int_equal(t->ncores, 1024);
	assert_int_equal(t->nclusters, 16);
	assert_string_equal(t->cluster[15].label, "S15");
	assert_int_equal(t->cluster[15].ncores, 64);
	done(t);
}

/* One socket, one L3 is "CPU"; a gap in the caches' numbers hides no L3. */
UNIT(a_gap_in_the_caches)
{
	static const char *const labels[] = { "P", "E", "LP-E" };
	struct topology *t = machine(
		"put $c/online 0-5; "
		"for i in 0 1 2 3; do cpu $i $i 0-3 - 0 - -; "
		"rm -r $c/cpu$i/cache/index0 $c/cpu$i/cache/index2; done; "
		"for i in 4 5; do cpu $i $i - - 0 - -; done; "
		"pmu cpu_core 0-1; pmu cpu_atom 2-5");

	labels_are(t, labels, 3);
	done(t);
}

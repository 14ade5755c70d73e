/* ARM machines whose kinds and clusters are not what they seem. */
#include "source/odd_machine.h"

/*
 * Snapdragon 8 Elite: one core, two clusters of other clocks. Cores that are
 * favoured by a few percent are alike, and so are those of one cluster.
 */
UNIT(one_core_two_clocks)
{
	static const char *const labels[] = { "E", "P" };
	struct topology *t = machine(
		"put $c/online 0-7; for i in 0 1 2 3 4 5; do "
		"cpu $i $i - 0 0 $((800 + i * 4)) 0x512f0010; done; "
		"for i in 6 7; do cpu $i $i - 1 0 1024 0x512f0010; done; "
		"pmu armv8_pmuv3 0-7");

	labels_are(t, labels, 2);
	assert_int_equal(t->cluster[0].ncpus, 6);
	assert_string_equal(t->kind[t->cluster[1].kind].name, "Performance");
	done(t);
}

UNIT(favoured_cores)
{
	static const char *const labels[] = { "CPU0", "CPU1" };
	struct topology *t = machine(
		"put $c/online 0-7; for i in 0 1 2 3; do "
		"cpu $i $i - 0 0 $((i == 3 ? 1024 : 997)) 0x512f0010; done; "
		"for i in 4 5 6 7; do cpu $i $i - 1 0 980 0x512f0010; done; "
		"pmu armv8_pmuv3 0-7");

	labels_are(t, labels, 2);
	assert_int_equal(t->nkinds, 1);
	done(t);
	/* Other capacities within a cluster are not another kind, either. */
	t = machine("put $c/online 0-3; for i in 0 1 2 3; do "
		    "cpu $i $i - 0 0 $((i > 1 ? 1024 : 600)) 0x512f0010; done; "
		    "pmu armv8_pmuv3 0-3");
	assert_int_equal(t->nkinds, 1);
	done(t);
}

/* Altra Q32: 16 pairs of cores on the mesh, which are no rows. */
UNIT(pairs_on_a_mesh)
{
	static const char *const one[] = { "CPU" };
	struct topology *t = machine(
		"put $c/online 0-31; i=0; while [ $i -lt 32 ]; do "
		"cpu $i $i - $((i / 2)) 0 1024 0x413fd0c1; i=$((i + 1)); done; "
		"pmu armv8_pmuv3_0 0-31");

	labels_are(t, one, 1);
	assert_int_equal(t->cluster[0].ncpus, 32);
	done(t);
}

/* A 32-bit kernel: no MIDR in sysfs, and one part behind all processors. */
UNIT(one_part_for_all)
{
	static const char *const one[] = { "CPU" };
	struct topology *t = machine(
		"put $c/online 0-3; for i in 0 1 2 3; do cpu $i $i - 0 0 - "
		"-; done; mkdir -p proc; "
		"for i in 0 1 2 3; do printf 'processor\\t: %d\\n\\n' $i; "
		"done >proc/cpuinfo; "
		"printf 'CPU implementer\\t: 0x41\\nCPU part\\t: "
		"0xc09\\n' >>proc/cpuinfo");

	labels_are(t, one, 1);
	assert_int_equal(t->nkinds, 1);
	done(t);
}

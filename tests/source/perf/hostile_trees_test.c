/* Copies of machines that hold anything: one sentence, or what is left. */
#include "source/perf/machine.h"

#include "source/tree.h"

#include <cmocka.h>

enum { PATIENCE_S = 120, SHELL_MAX = 2048 };

struct row {
	const char *shell; /* spoils the tree from inside of its root */
	int ncpus;         /* 0: an error that names the file */
	const char *label; /* of the first cluster */
	unsigned ncores;   /* of all clusters */
};

/* The tree: four CPUs of two PMUs, sharing an L3. */
static const char usual[] =
	"c=sys/devices/system/cpu; p=sys/bus/event_source/devices; "
	"mkdir -p proc $c $p/armv8_a/events $p/armv8_b "
	"$(for i in 0 1 2 3; do d=$c/cpu$i; "
	"echo $d/topology $d/cache/index3 $d/regs/identification; done) && "
	"for i in 0 1 2 3; do d=$c/cpu$i; "
	"echo $i >$d/topology/core_cpus_list; echo 0 >$d/topology/cluster_id; "
	"echo 0 >$d/topology/physical_package_id; echo 3 "
	">$d/cache/index3/level; "
	"echo 0-3 >$d/cache/index3/shared_cpu_list; "
	"echo $((i / 2 * 500 + 400)) >$d/cpu_capacity; "
	"echo 0x410fd0$((3 + i / 2 * 5))0 >$d/regs/identification/midr_el1; "
	"done && echo 0-3 >$c/online && echo 8 >$p/armv8_a/type && "
	"echo 9 >$p/armv8_b/type && echo 0-1 >$p/armv8_a/cpus && "
	"echo 2-3 >$p/armv8_b/cpus";

/* clang-format off */
static const struct row rows[] = {
	{ "true", 4, "E", 4 },
	/* The one list that is needed. */
	{ "rm $c/online; mkfifo $c/online", 0, NULL, 0 },
	{ "rm $c/online; mkdir $c/online", 0, NULL, 0 },
	{ "rm $c/online; ln -s online $c/online", 0, NULL, 0 },
	{ "rm $c/online; ln -s /dev/zero $c/online", 0, NULL, 0 },
	{ "rm $c/online", 0, NULL, 0 },
	{ ": >$c/online", 0, NULL, 0 },
	{ "truncate -s 4G $c/online", 4, "E", 4 },
	{ ": >$c/online; truncate -s 4G $c/online", 0, NULL, 0 },
	{ "printf '0-3\\0junk' >$c/online", 4, "E", 4 },
	{ "printf '\\0000-3' >$c/online", 0, NULL, 0 },
	{ "echo 1000000000 >$c/online", 0, NULL, 0 },
	{ "echo 0,1000000000 >$c/online", 0, NULL, 0 },
	{ "echo 0-1000000000 >$c/online", 0, NULL, 0 },
	{ "echo 18446744073709551616 >$c/online", 0, NULL, 0 },
	{ "printf '\\033[2J' >$c/online", 0, NULL, 0 },
	{ "head -c 1000000 /dev/zero | tr '\\0' '0' >$c/online", 0, NULL, 0 },
	{ "i=0; while [ $i -lt 9000 ]; do printf '%d,' $i; i=$((i + 1)); done >$c/online", 0, NULL, 0 },
	{ "printf 0,0,0,1,1,0-3,0-2 >$c/online", 4, "E", 4 },
	{ "rm -r sys; ln -s . sys", 0, NULL, 0 },
	{ "rm -r sys proc", 0, NULL, 0 },
	/* Files of a CPU. */
	{ "rm -r $c/cpu0 $c/cpu1 $c/cpu2 $c/cpu3", 4, "P", 4 },
	{ "for i in 0 1 2 3; do rm $c/cpu$i/*/core_cpus_list; mkfifo $c/cpu$i/topology/core_cpus_list; done", 4, "E", 4 },
	{ "for i in 0 1 2 3; do echo 0-3 >$c/cpu$i/topology/core_cpus_list; done", 4, "E", 1 },
	{ "echo 0-3 >$c/cpu2/topology/core_cpus_list", 4, "E", 3 },
	{ "for i in 0 1 2 3; do echo 7 >$c/cpu$i/topology/core_cpus_list; done", 4, "E", 1 },
	{ "echo 999999999 >$c/cpu1/topology/core_cpus_list", 4, "E", 4 },
	{ "echo 4-2 >$c/cpu1/topology/core_cpus_list", 4, "E", 4 },
	{ "for i in 0 1 2 3; do echo $i >$c/cpu$i/topology/cluster_id; done", 4, "E", 4 },
	{ "for i in 0 1 2 3; do echo -1 >$c/cpu$i/topology/cluster_id; echo -1 >$c/cpu$i/topology/physical_package_id; done", 4, "E", 4 },
	{ "echo 9223372036854775807 >$c/cpu0/topology/physical_package_id", 4, "E", 4 },
	{ "for i in 0 1 2 3; do rm -r $c/cpu$i/cache/index3; ln -s index3 $c/cpu$i/cache/index3; done", 4, "E", 4 },
	{ "echo 8191 >$c/cpu0/cache/index3/shared_cpu_list", 4, "E", 4 },
	{ "rm $c/cpu1/regs/identification/midr_el1", 4, "E", 4 },
	{ "echo 0xffffffffffffffff >$c/cpu1/regs/identification/midr_el1", 4, NULL, 4 },
	{ "rm -r $c/cpu1/regs; mkfifo $c/cpu1/regs", 4, "E", 4 },
	{ "rm $c/cpu3/cpu_capacity", 4, "E", 4 },
	{ "for i in 0 1 2 3; do rm $c/cpu$i/cpu_capacity; done", 4, "E", 4 },
	{ "for i in 0 1 2 3; do echo 9223372036854775808 >$c/cpu$i/cpu_capacity; done", 4, "E", 4 },
	/* PMUs. */
	{ "rm -r $p; mkfifo $p", 4, "E", 4 },
	{ "rm -r $p; ln -s devices $p", 4, "E", 4 },
	{ "rm -r $p", 4, "E", 4 },
	{ "echo 0-3 >$p/armv8_a/cpus; echo 0-3 >$p/armv8_b/cpus", 4, "E", 4 },
	{ "echo 0-1000000000 >$p/armv8_b/cpus", 4, "E", 4 },
	{ "rm $p/armv8_b/cpus; mkfifo $p/armv8_b/cpus $p/armv8_b/cpumask", 4, "E", 4 },
	{ "mkdir $p/aaa_uncore && echo 0-3 >$p/aaa_uncore/cpus && echo 0 >$p/aaa_uncore/cpumask", 4, "E", 4 },
	{ "mkdir \"$p/$(printf 'a\\nb')\" && echo 0-3 >\"$p/$(printf 'a\\nb')/cpus\"", 4, "E", 4 },
	{ "i=0; while [ $i -lt 300 ]; do mkdir $p/x$i; echo 0-3 >$p/x$i/cpus; i=$((i + 1)); done", 4, "E", 4 },
	{ "ln -s ../devices $p/loop", 4, "E", 4 },
	/* /proc. */
	{ "mkfifo proc/cpuinfo", 4, "E", 4 },
	{ "ln -s cpuinfo proc/cpuinfo", 4, "E", 4 },
	{ "truncate -s 4G proc/cpuinfo", 4, "E", 4 },
	{ "rmdir proc; ln -s proc proc", 4, "E", 4 },
	{ "printf 'processor : 1000000000\\nCPU part : 0xffffffffffff\\n' >proc/cpuinfo", 4, "E", 4 },
};
/* clang-format on */

static char root[64];

static void
spoilt_tree(const char *shell)
{
	char command[SHELL_MAX];
	int n;

	snprintf(root, sizeof(root), "%s/ktop-tree.XXXXXX",
		 access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
	assert_non_null(mkdtemp(root));
	n = snprintf(command, sizeof(command), "cd %s && { %s; } && { %s; }",
		     root, usual, shell);
	assert_in_range(n, 1, sizeof(command) - 1);
	assert_int_equal(system(command), 0);
}

UNIT(each_tree_ends_well)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct row *r = &rows[i];
		struct err e = { ERR_NONE, "" };
		struct topology *t;

		spoilt_tree(r->shell);
		alarm(PATIENCE_S);
		t = topology_linux(root, &e);
		alarm(0);
		tree_remove(root);
		if ((t == NULL) != (r->ncpus == 0))
			fail_msg("%s: %s", r->shell, e.text);
		if (t == NULL) {
			assert_int_equal(e.code, ERR_FAIL);
			assert_non_null(strstr(e.text, "cpu/online"));
			for (const char *s = e.text; *s != '\0'; s++)
				assert_in_range(*s, ' ', '~');
			continue;
		}
		if (t->ncpus != (unsigned)r->ncpus || t->ncores != r->ncores)
			fail_msg("%s: %u CPUs, %u cores", r->shell, t->ncpus,
				 t->ncores);
		if (r->label != NULL &&
		    strcmp(t->cluster[0].label, r->label) != 0)
			fail_msg("%s: %s", r->shell, t->cluster[0].label);
		topology_free(t);
	}
}

/* What no CPU of a machine may be told apart from another by. */
UNIT(labels_are_never_alike)
{
	static const char *const shells[] = {
		/* Four kinds without a part number, two with the same one. */
		"for i in 0 1 2 3; do rm -r $c/cpu$i/regs; mkdir $p/q$i; "
		"echo $i >$p/q$i/cpus; done; rm -r $p/armv8_a $p/armv8_b",
		"for i in 0 1 2 3; do mkdir $p/q$i; echo $i >$p/q$i/cpus; "
		"done; rm -r $p/armv8_a $p/armv8_b",
		/* Two PMUs of low power. */
		"mv $p/armv8_a $p/cpu_atom; mv $p/armv8_b $p/cpu_lowpower; "
		"rm -r $c/cpu0/cache $c/cpu1/cache",
	};

	for (size_t k = 0; k < sizeof(shells) / sizeof(shells[0]); k++) {
		struct topology *t;

		spoilt_tree(shells[k]);
		t = topology_linux(root, NULL);
		tree_remove(root);
		assert_non_null(t);
		assert_true(t->nclusters > 1);
		for (unsigned i = 0; i < t->nclusters; i++)
			assert_int_equal(
				topology_cluster_find(t, t->cluster[i].label),
				(int)i);
		topology_free(t);
	}
}

UNIT(a_root_that_is_none_is_named)
{
	static const char *const none[] = { "/nonexistent", "/etc/passwd",
					    "/nonexistent/../x", "/etc" };

	for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++) {
		struct err e = { ERR_NONE, "" };

		assert_null(topology_linux(none[i], &e));
		assert_int_equal(e.code, ERR_FAIL);
		assert_non_null(strstr(e.text, none[i]));
	}
}

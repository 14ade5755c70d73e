/* Machines written down in a few words of shell. */
#ifndef TESTS_SOURCE_ODD_MACHINE_H
#define TESTS_SOURCE_ODD_MACHINE_H

#include "source/perf/machine.h"
#include "source/tree.h"

#include <cmocka.h>

static char root[64];

static inline void
in_root(const char *shell)
{
	char command[4096];

	snprintf(command, sizeof(command), "cd %s && %s", root, shell);
	assert_int_equal(system(command), 0);
}

/*
 * put FILE TEXT, cpu N CORE_CPUS L3_CPUS CLUSTER PACKAGE CAPACITY MIDR ("-": no
 * such file), pmu NAME CPUS, as functions of the shell that `script` runs in.
 */
static inline struct topology *
machine(const char *script)
{
	char command[6000];
	struct err e = { ERR_NONE, "" };
	struct topology *t;

	snprintf(root, sizeof(root), "%s/ktop-tree.XXXXXX",
		 access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
	assert_non_null(mkdtemp(root));
	snprintf(command, sizeof(command),
		 "cd %s && "
		 "put() { [ \"$2\" = - ] || { "
		 "[ -d \"${1%%/*}\" ] || mkdir -p \"${1%%/*}\" && "
		 "echo \"$2\" >\"$1\"; }; }; c=sys/devices/system/cpu; "
		 "cpu() { d=$c/cpu$1; "
		 "mkdir -p $d/topology $d/cache/index0 $d/cache/index1 "
		 "$d/cache/index2 $([ $3 = - ] || echo $d/cache/index3) "
		 "$([ $7 = - ] || echo $d/regs/identification); "
		 "put $d/topology/core_cpus_list $2; "
		 "put $d/cache/index3/shared_cpu_list $3; "
		 "[ $3 = - ] || put $d/cache/index3/level 3; "
		 "put $d/cache/index0/level 1; put $d/cache/index1/level 1; "
		 "put $d/cache/index2/level 2; "
		 "put $d/topology/cluster_id $4; "
		 "put $d/topology/physical_package_id $5; "
		 "put $d/cpu_capacity $6; "
		 "put $d/regs/identification/midr_el1 $7; }; "
		 "pmu() { put sys/bus/event_source/devices/$1/type 9; "
		 "put sys/bus/event_source/devices/$1/cpus $2; }; "
		 "%s",
		 root, script);
	assert_int_equal(system(command), 0);
	t = topology_linux(root, &e);
	if (t == NULL)
		fail_msg("%s", e.text);
	return t;
}

static inline void
done(struct topology *t)
{
	topology_free(t);
	tree_remove(root);
}

static inline void
labels_are(const struct topology *t, const char *const *label, unsigned n)
{
	assert_int_equal(t->nclusters, n);
	for (unsigned i = 0; i < n; i++)
		assert_string_equal(t->cluster[i].label, label[i]);
}

#endif

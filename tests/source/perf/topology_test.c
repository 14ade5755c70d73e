/* The Linux topology against recorded machines. */
#include "source/perf/machine.h"

#include "source/tree.h"

#include <glob.h>
#include <cmocka.h>

/* Fewer than these would mean that the glob found nothing. */
enum { MACHINES_MIN = 40 };

/* "0-3,8" of a cluster's CPUs. */
static void
list_cpus(const struct topology *t, unsigned cluster, char *out, size_t size)
{
	size_t len = 0;
	int from = -2, to = -2;

	out[0] = '\0';
	for (unsigned i = 0; i <= t->ncpus; i++) {
		bool in = i < t->ncpus && t->cpu[i].cluster == cluster;

		if (in && t->cpu[i].id == to + 1) {
			to++;
		} else if (in || (i == t->ncpus && to >= 0)) {
			if (to >= 0)
				len += (size_t)snprintf(
					out + len, size - len,
					from == to ? "%s%d" : "%s%d-%d",
					len > 0 ? "," : "", from, to);
			from = to = in ? t->cpu[i].id : -2;
		}
	}
}

/* The table as the .expect.tsv files have it. */
static void
write_table(const struct topology *t, char *out, size_t size)
{
	size_t len = (size_t)snprintf(
		out, size, "# label\tkind\tpmu\tcpus\tphysical_cores\n");

	for (unsigned c = 0; c < t->nclusters; c++) {
		const struct topology_cluster *cl = &t->cluster[c];
		const struct topology_kind *k = &t->kind[cl->kind];
		char cpus[256];

		list_cpus(t, c, cpus, sizeof(cpus));
		len += (size_t)snprintf(
			out + len, size - len, "%s\t%s\t%s\t%s\t%u\n",
			cl->label, k->letter, k->pmu[0] != '\0' ? k->pmu : "-",
			cpus, cl->ncores);
	}
}

static void
read_expected(const char *machine, char *out, size_t size)
{
	char path[256];
	size_t len;
	FILE *fp;

	snprintf(path, sizeof(path), "tests/data/sysfs/%s.expect.tsv", machine);
	fp = fopen(path, "r");
	assert_non_null(fp);
	len = fread(out, 1, size - 1, fp);
	out[len] = '\0';
	fclose(fp);
}

/* Every tree of the folder. */
UNIT(recorded_machines_give_the_expected_clusters)
{
	glob_t found;

	assert_int_equal(glob("tests/data/sysfs/*.tree", 0, NULL, &found), 0);
	assert_true(found.gl_pathc >= MACHINES_MIN);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		char machine[64], root[64], got[4096], want[4096];
		struct err e = { ERR_NONE, "" };
		struct topology *t;

		snprintf(machine, sizeof(machine), "%s",
			 strrchr(found.gl_pathv[i], '/') + 1);
		*strrchr(machine, '.') = '\0';
		assert_true(tree_unpack(machine, root, sizeof(root)));
		t = topology_linux(root, &e);
		tree_remove(root);
		if (t == NULL)
			fail_msg("%s: %s", machine, e.text);
		read_expected(machine, want, sizeof(want));
		write_table(t, got, sizeof(got));
		if (strcmp(got, want) != 0)
			fail_msg("%s: got\n%swanted\n%s", machine, got, want);
		topology_free(t);
	}
	globfree(&found);
}

/* Meteor Lake's threads are not neighbours: CPU 0 shares its core with 5. */
UNIT(threads_of_a_core_come_from_sysfs)
{
	char root[64];
	struct topology *t;

	assert_true(tree_unpack("meteorlake-185h", root, sizeof(root)));
	t = topology_linux(root, NULL);
	tree_remove(root);
	assert_non_null(t);
	assert_true(t->smt);
	assert_int_equal(t->ncores, 16);
	assert_int_equal(t->cpu[0].core, t->cpu[5].core);
	assert_int_not_equal(t->cpu[0].core, t->cpu[1].core);
	topology_free(t);
}

UNIT(kinds_come_fastest_first)
{
	char root[64];
	struct topology *t;

	assert_true(tree_unpack("asahi-m1", root, sizeof(root)));
	t = topology_linux(root, NULL);
	tree_remove(root);
	assert_non_null(t);
	assert_string_equal(t->kind[0].letter, "P");
	assert_string_equal(t->kind[1].letter, "E");
	assert_string_equal(t->cluster[0].label, "E"); /* CPUs 0 to 3 */
	assert_false(t->smt);
	topology_free(t);
}

UNIT(a_folder_without_sysfs_is_an_error)
{
	struct err e = { ERR_NONE, "" };

	assert_null(topology_linux("/nonexistent", &e));
	assert_int_equal(e.code, ERR_FAIL);
	assert_non_null(strstr(e.text, "online"));
}

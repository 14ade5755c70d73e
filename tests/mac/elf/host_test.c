/*
 * What src/source/kperf/mac/host.c and src/base/mac/clock.c make of a Mac's
 * answers, on the fake Mac of fake_mac.c: an M1, an M5 Max, nodes that lack
 * properties or have them in another type, and every call failing in turn.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "fake_mac.h"
#include "kperf/host.h"
#include "source/kperf/host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_CPUS 32

/* clang-format off */
#define NUMBER(key, n) { key, FAKE_TYPE_NUMBER, n, NULL, 0 }
#define WORD(key, n) { key, FAKE_TYPE_DATA, n, NULL, 0 }
#define LETTER(text) { "cluster-type", FAKE_TYPE_DATA, 0, text, 2 }

/* The properties as XNU's IOPlatformExpert.cpp and the device tree make them */
#define CPU(node, cpu, cluster, letter, die, die_cluster, core) { node, { \
	LETTER(letter), NUMBER("logical-cpu-id", cpu), \
	NUMBER("logical-cluster-id", cluster), WORD("die-id", die), \
	WORD("die-cluster-id", die_cluster), WORD("cluster-core-id", core) } }

static const struct fake_node m1_cpus[] = {
	CPU("cpu0", 0, 0, "E", 0, 0, 0), CPU("cpu1", 1, 0, "E", 0, 0, 1),
	CPU("cpu2", 2, 0, "E", 0, 0, 2), CPU("cpu3", 3, 0, "E", 0, 0, 3),
	CPU("cpu4", 4, 1, "P", 0, 1, 0), CPU("cpu5", 5, 1, "P", 0, 1, 1),
	CPU("cpu6", 6, 1, "P", 0, 1, 2), CPU("cpu7", 7, 1, "P", 0, 1, 3),
	{ .name = NULL }
};

/* two clusters of M, one of P; cpu6 was cut at the factory and has no id */
static const struct fake_node m5max_cpus[] = {
	CPU("cpu0", 0, 0, "M", 0, 0, 0), CPU("cpu1", 1, 0, "M", 0, 0, 1),
	CPU("cpu2", 2, 0, "M", 0, 0, 2), CPU("cpu3", 3, 0, "M", 0, 0, 3),
	CPU("cpu4", 4, 0, "M", 0, 0, 4), CPU("cpu5", 5, 0, "M", 0, 0, 5),
	{ "cpu6", { LETTER("M"), WORD("die-id", 0) } },
	CPU("cpu7", 6, 1, "M", 0, 1, 0), CPU("cpu8", 7, 1, "M", 0, 1, 1),
	CPU("cpu9", 8, 1, "M", 0, 1, 2), CPU("cpua", 9, 1, "M", 0, 1, 3),
	CPU("cpub", 10, 1, "M", 0, 1, 4), CPU("cpuc", 11, 1, "M", 0, 1, 5),
	CPU("cpud", 12, 2, "P", 0, 2, 0), CPU("cpue", 13, 2, "P", 0, 2, 1),
	CPU("cpuf", 14, 2, "P", 0, 2, 2), CPU("cpu10", 15, 2, "P", 0, 2, 3),
	CPU("cpu11", 16, 2, "P", 0, 2, 4), CPU("cpu12", 17, 2, "P", 0, 2, 5),
	{ .name = NULL }
};

/* types swapped, a letter without its end, data that is too short or empty */
static const struct fake_node odd_cpus[] = {
	{ "cpu0", { { "cluster-type", FAKE_TYPE_NUMBER, 'E', NULL, 0 },
		WORD("logical-cpu-id", 3) } },
	{ "cpu1", { { "cluster-type", FAKE_TYPE_DATA, 0, "P", 1 },
		NUMBER("logical-cpu-id", 1),
		{ "die-id", FAKE_TYPE_DATA, 0, "\1\0", 2 },
		{ "cluster-core-id", FAKE_TYPE_DATA, 0, "", 0 } } },
	{ "cpu2", { { "cluster-type", FAKE_TYPE_DATA, 0,
		"a-much-longer-name-than-a-letter", 32 } } },
	{ "cpu3", { { "cluster-type", FAKE_TYPE_TEXT, 0, "P", 1 },
		{ "logical-cpu-id", FAKE_TYPE_TEXT, 0, "3", 1 } } },
	{ "cpu4", { { "cluster-type", FAKE_TYPE_TEXT, 0,
		"a-much-longer-name-than-a-letter", 32 } } },
	{ .name = NULL }
};

static const struct fake_sysctl sysctls[] = {
	{ "hw.ncpu", NULL, 8, 4 },
	{ "hw.memsize", NULL, 17179869184, 8 },
	{ "machdep.cpu.brand_string", "Apple M1", 0, 0 },
	{ .name = NULL }
};
/* clang-format on */

static const struct fake_mac m1 = { .sysctl = sysctls,
				    .cpus = m1_cpus,
				    .load_rows = 8 };
static const struct fake_mac m5max = { .sysctl = sysctls,
				       .cpus = m5max_cpus,
				       .load_rows = 18 };
static const struct fake_mac odd = { .sysctl = sysctls,
				     .cpus = odd_cpus,
				     .load_rows = 3 };
static const struct fake_mac treeless = { .sysctl = sysctls,
					  .cpus = NULL,
					  .load_rows = 8 };

static void
assert_all_given_back(void)
{
	assert_int_equal(fake_live(), 0);
	assert_int_equal(fake_misuse(), 0);
}

/* On the heap and exactly as long as promised, so that ASan sees its end. */
static struct host_cpu_node *
nodes_of(const struct fake_mac *mac, int max, int *n)
{
	struct host_cpu_node *nodes = calloc((size_t)max, sizeof *nodes);

	assert_non_null(nodes);
	memset(nodes, 0x55, (size_t)max * sizeof *nodes);
	fake_use(mac);
	*n = host_system()->cpu_nodes(nodes, max);
	return nodes;
}

static void
test_m1_nodes(void **state)
{
	int n;
	struct host_cpu_node *node = nodes_of(&m1, MAX_CPUS, &n);

	(void)state;
	assert_int_equal(n, 8);
	for (int i = 0; i < 8; i++) {
		assert_int_equal(node[i].logical_cpu_id, i);
		assert_int_equal(node[i].logical_cluster_id, i / 4);
		assert_int_equal(node[i].die_id, 0);
		assert_int_equal(node[i].die_cluster_id, i / 4);
		assert_int_equal(node[i].cluster_core_id, i % 4);
		assert_string_equal(node[i].cluster_type, i < 4 ? "E" : "P");
	}
	free(node);
	assert_all_given_back();
}

static void
test_m5max_nodes(void **state)
{
	int n;
	struct host_cpu_node *node = nodes_of(&m5max, MAX_CPUS, &n);

	(void)state;
	assert_int_equal(n, 19);
	assert_int_equal(node[6].logical_cpu_id, -1);
	assert_int_equal(node[6].logical_cluster_id, -1);
	assert_int_equal(node[6].cluster_core_id, -1);
	assert_int_equal(node[6].die_id, 0);
	assert_string_equal(node[6].cluster_type, "M");
	assert_int_equal(node[7].logical_cpu_id, 6);
	assert_int_equal(node[12].logical_cluster_id, 1);
	assert_int_equal(node[18].logical_cpu_id, 17);
	assert_int_equal(node[18].logical_cluster_id, 2);
	assert_string_equal(node[18].cluster_type, "P");
	free(node);
	assert_all_given_back();
}

/* A value in a type it should not have is as good as absent, or is read. */
static void
test_odd_properties(void **state)
{
	int n;
	struct host_cpu_node *node = nodes_of(&odd, MAX_CPUS, &n);

	(void)state;
	assert_int_equal(n, 5);
	assert_true(node[0].logical_cpu_id == 3 ||
		    node[0].logical_cpu_id == -1);
	assert_string_equal(node[0].cluster_type, "");
	assert_int_equal(node[1].logical_cpu_id, 1);
	assert_int_equal(node[1].cluster_core_id, -1);
	assert_true(node[1].die_id == 1 || node[1].die_id == -1);
	assert_string_equal(node[1].cluster_type, "P");
	assert_int_equal(node[2].logical_cpu_id, -1);
	assert_int_equal(node[3].logical_cpu_id, -1);
	assert_true(node[3].cluster_type[0] == 'P' ||
		    node[3].cluster_type[0] == '\0');
	assert_true(memchr(node[4].cluster_type, '\0',
			   sizeof node[4].cluster_type) != NULL);
	assert_true(memchr(node[2].cluster_type, '\0',
			   sizeof node[2].cluster_type) != NULL);
	free(node);
	assert_all_given_back();
}

static void
test_fewer_places_than_nodes(void **state)
{
	int n;
	struct host_cpu_node *node = nodes_of(&m1, 3, &n);

	(void)state;
	assert_int_equal(n, 8);
	assert_int_equal(node[2].logical_cpu_id, 2);
	free(node);
	assert_all_given_back();
}

static void
test_no_device_tree(void **state)
{
	int n;
	struct host_cpu_node *node = nodes_of(&treeless, MAX_CPUS, &n);

	(void)state;
	assert_int_equal(n, -1);
	free(node);
	assert_all_given_back();
}

static unsigned
calls_for_nodes(const struct fake_mac *mac)
{
	int n;

	free(nodes_of(mac, MAX_CPUS, &n));
	return fake_calls();
}

/*
 * Whatever fails, nothing stays behind, and no value is invented: a node's
 * property is the right one or -1, and a count is the right one or -1.
 */
static void
test_every_call_fails_once(void **state)
{
	static struct host_cpu_node node[MAX_CPUS];
	unsigned calls = calls_for_nodes(&m1);

	(void)state;
	assert_true(calls > 8);
	for (unsigned nth = 1; nth <= calls; nth++) {
		fake_use(&m1);
		fake_fail_any(nth);
		int n = host_system()->cpu_nodes(node, MAX_CPUS);

		assert_all_given_back();
		assert_true(n == 8 || n == -1);
		for (int i = 0; i < n; i++) {
			assert_true(node[i].logical_cpu_id == i ||
				    node[i].logical_cpu_id == -1);
			assert_true(node[i].logical_cluster_id == i / 4 ||
				    node[i].logical_cluster_id == -1);
			assert_true(node[i].cluster_type[0] == '\0' ||
				    node[i].cluster_type[0] ==
					    (i < 4 ? 'E' : 'P'));
		}
	}
}

static void
test_registry_fails(void **state)
{
	static struct host_cpu_node node[MAX_CPUS];

	(void)state;
	fake_use(&m1);
	fake_fail(FAKE_ENTRY, 1);
	assert_int_equal(host_system()->cpu_nodes(node, MAX_CPUS), -1);
	assert_all_given_back();
	fake_use(&m1);
	fake_fail(FAKE_CHILDREN, 1);
	assert_int_equal(host_system()->cpu_nodes(node, MAX_CPUS), -1);
	assert_all_given_back();
}

/* Darwin's order of a row is user, system, idle, nice (<mach/machine.h>). */
static void
assert_load_row(const struct host_cpu_load *l, unsigned cpu)
{
	assert_true(l->user == fake_load(cpu, 0));
	assert_true(l->system == fake_load(cpu, 1));
	assert_true(l->idle == fake_load(cpu, 2));
	assert_true(l->nice == fake_load(cpu, 3));
}

static void
test_cpu_load(void **state)
{
	struct host_cpu_load load[MAX_CPUS];

	(void)state;
	fake_use(&m1);
	for (int again = 0; again < 3; again++) {
		assert_int_equal(host_system()->cpu_load(load, MAX_CPUS), 8);
		for (unsigned i = 0; i < 8; i++)
			assert_load_row(&load[i], i);
		assert_all_given_back();
	}
}

static void
test_cpu_load_in_fewer_places(void **state)
{
	struct host_cpu_load *load = calloc(3, sizeof *load);

	(void)state;
	assert_non_null(load);
	fake_use(&m1);
	assert_int_equal(host_system()->cpu_load(load, 3), 8);
	assert_load_row(&load[2], 2);
	assert_all_given_back();
	free(load);
}

static void
test_cpu_load_fails(void **state)
{
	struct host_cpu_load load[MAX_CPUS];

	(void)state;
	fake_use(&m1);
	fake_fail(FAKE_PROCESSOR_INFO, 1);
	assert_int_equal(host_system()->cpu_load(load, MAX_CPUS), -1);
	assert_all_given_back();
}

static void
test_sysctl(void **state)
{
	const struct host_api *h = host_system();
	int32_t ncpu = 0;
	char text[32];
	size_t size = sizeof ncpu;

	(void)state;
	fake_use(&m1);
	OK(h->sysctl("hw.ncpu", &ncpu, &size, NULL, 0));
	assert_int_equal(ncpu, 8);
	assert_int_equal(size, 4);
	size = sizeof text;
	OK(h->sysctl("machdep.cpu.brand_string", text, &size, NULL, 0));
	assert_string_equal(text, "Apple M1");
	assert_int_equal(h->sysctl("hw.no.such", text, &size, NULL, 0), -1);
	assert_int_equal(fake_errno(), 2); /* ENOENT, here as there */
	size = 3;
	assert_int_equal(
		h->sysctl("machdep.cpu.brand_string", text, &size, NULL, 0),
		-1);
	assert_int_equal(fake_errno(), 12); /* ENOMEM, here as there */
}

/* By its numbers: a value only where an op takes one, nothing as fresh. */
static void
test_kdebug(void **state)
{
	const struct kperf_system *s = host_system()->system;
	int out[5] = { 0 };
	size_t size = sizeof(out);

	(void)state;
	fake_use(&m1);
	assert_int_equal(s->kdebug(4, 1000, out, &size), 0);
	assert_int_equal(size, 4);
	assert_int_equal(out[0], 1);
	assert_int_equal(out[1], 24);
	assert_int_equal(out[2], 4);
	assert_int_equal(out[3], 1000);
	size = sizeof(out);
	assert_int_equal(s->kdebug(10, 0, out, &size), 0);
	assert_int_equal(size, 3);
	assert_int_equal(out[2], 10);
	assert_true(s->kdebug_is_enabled(0x07000004));
	assert_false(s->kdebug_is_enabled(0x25060020));
	size = sizeof(out);
	assert_int_equal(s->sysctl("hw.ncpu", out, &size, NULL, 0), 0);
	assert_int_equal(out[0], 8);
}

static void
test_clock(void **state)
{
	const struct host_api *h = host_system();
	struct stamp now;

	(void)state;
	fake_use(&m1);
	fake_clock(11, 2222222222222, 1700000000000000000);
	h->clock.now(h->clock.self, &now);
	assert_true(now.awake_ns == 11);
	assert_true(now.elapsed_ns == 2222222222222);
	assert_true(now.wall_ns == 1700000000000000000);
	assert_int_equal(fake_misuse(), 0);
}

static void
test_identity(void **state)
{
	const struct host_api *h = host_system();

	(void)state;
	assert_int_equal(h->version, HOST_VERSION);
	assert_false(h->simulated);
	assert_string_equal(h->text, "");
	assert_false(h->clock.stepped);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_identity),
		cmocka_unit_test(test_clock),
		cmocka_unit_test(test_m1_nodes),
		cmocka_unit_test(test_m5max_nodes),
		cmocka_unit_test(test_odd_properties),
		cmocka_unit_test(test_fewer_places_than_nodes),
		cmocka_unit_test(test_no_device_tree),
		cmocka_unit_test(test_every_call_fails_once),
		cmocka_unit_test(test_registry_fails),
		cmocka_unit_test(test_cpu_load),
		cmocka_unit_test(test_cpu_load_in_fewer_places),
		cmocka_unit_test(test_cpu_load_fails),
		cmocka_unit_test(test_sysctl),
		cmocka_unit_test(test_kdebug),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

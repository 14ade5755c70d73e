/* The process calls of libSystem: structs, flavors, refusals. */
#include "fake_mac.h"

#include "source/kperf/host.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

static uint64_t used[56];
static struct fake_process process;
static const struct fake_mac mac = { .process = &process };

static const struct host_api *
begin(int flavor)
{
	/* Each word says at which byte of struct rusage_info_v6 it stands. */
	for (unsigned i = 0; i < 56; i++)
		used[i] = 16 + 8 * i;
	process = (struct fake_process){ .pid = 77,
					 .status = 2,
					 .name = "sixteen_and_more",
					 .path = "/usr/bin/tool",
					 .parent = 1,
					 .uid = 501,
					 .flavor = flavor,
					 .levels = 2,
					 .used = used };
	fake_use(&mac);
	return host_system();
}

static void
test_list(void **state)
{
	const struct host_api *h = begin(6);
	int32_t pid[4];

	(void)state;
	assert_int_equal(h->proc_list(pid, 4), 2);
	assert_int_equal(pid[0], 77);
	assert_int_equal(pid[1], 0);
	assert_int_equal(h->proc_list(pid, 1), 1);
	fake_fail(FAKE_LIST, 1);
	assert_int_equal(h->proc_list(pid, 4), -1);
	assert_int_equal(fake_errno(), 1);
}

static void
test_usage(void **state)
{
	const struct host_api *h = begin(6);
	struct host_usage u;

	(void)state;
	OK(h->proc_usage(77, &u));
	assert_int_equal(u.flavor, 6);
	assert_int_equal(u.uuid[15], 7);
	assert_int_equal(u.user_time, 16);
	assert_int_equal(u.system_time, 24);
	assert_int_equal(u.start_abstime, 80);
	assert_int_equal(u.exit_abstime, 88);
	assert_int_equal(u.instructions, 248);
	assert_int_equal(u.cycles, 256);
	assert_int_equal(u.user_ptime, 304);
	assert_int_equal(u.system_ptime, 312);
	assert_int_equal(u.pinstructions, 320);
	assert_int_equal(u.pcycles, 328);
	assert_int_equal(u.energy_nj, 336);
	assert_int_equal(u.penergy_nj, 344);
}

/* macOS 11 and 12: what they do not have is 0, and the flavor says so. */
static void
test_older_usage(void **state)
{
	struct host_usage u;

	(void)state;
	for (int flavor = 4; flavor <= 5; flavor++) {
		const struct host_api *h = begin(flavor);

		OK(h->proc_usage(77, &u));
		assert_int_equal(u.flavor, flavor);
		assert_int_equal(u.cycles, 256);
		assert_int_equal(u.pcycles, 0);
		assert_int_equal(u.energy_nj, 0);
	}
	assert_int_equal(begin(3)->proc_usage(77, &u), -1);
	assert_int_equal(fake_errno(), 22);
}

static void
test_refusals(void **state)
{
	const struct host_api *h = begin(6);
	struct host_usage u;
	struct host_proc p;
	char path[1024];

	(void)state;
	assert_int_equal(h->proc_usage(78, &u), -1);
	assert_int_equal(fake_errno(), 1);
	fake_fail(FAKE_RUSAGE, 1);
	assert_int_equal(h->proc_usage(77, &u), -1);
	assert_int_equal(fake_errno(), 3);
	assert_int_equal(h->proc_short(78, &p), -1);
	assert_int_equal(fake_errno(), 3);
	OK(h->proc_path(78, path, sizeof path));
}

static void
test_who(void **state)
{
	const struct host_api *h = begin(6);
	uint32_t numer, denom;
	struct host_proc p;
	char path[1024], user[32];

	(void)state;
	process.status = 5; /* a zombie is one, too */
	OK(h->proc_short(77, &p));
	assert_int_equal(p.pid, 77);
	assert_int_equal(p.ppid, 1);
	assert_int_equal(p.uid, 501);
	assert_int_equal(p.status, 5);
	assert_string_equal(p.name, "sixteen_and_more");
	assert_int_equal(h->proc_path(77, path, sizeof path), 13);
	assert_string_equal(path, "/usr/bin/tool");
	assert_true(h->user_name(501, user, sizeof user));
	assert_string_equal(user, "a_user_with_a_name_of_more_than");
	assert_false(h->user_name(502, user, sizeof user));
	h->timebase(&numer, &denom);
	assert_int_equal(numer, 125);
	assert_int_equal(denom, 3);
	assert_int_equal(fake_misuse(), 0);
}

static void
test_args(void **state)
{
	static const char area[] = "\3\0\0\0/bin/sh\0\0\0sh\0\0a b\0HOME=/\0";
	const struct host_api *h = begin(6);
	char out[32];

	(void)state;
	process.area = area;
	process.area_size = sizeof area - 1;
	assert_int_equal(h->proc_args(77, out, sizeof out), 8);
	assert_memory_equal(out, "sh\0\0a b\0", 8);
	assert_int_equal(h->proc_args(77, out, 4), 4);
	/* However much of it there is. */
	for (size_t n = 1; n < sizeof area - 1; n++) {
		process.area_size = n;
		assert_in_range(h->proc_args(77, out, sizeof out), 0, 8);
	}
	process.area_size = 0;
	assert_int_equal(h->proc_args(77, out, sizeof out), -1);
	assert_int_equal(fake_misuse(), 0);
}

static void
test_threads(void **state)
{
	const struct host_api *h = begin(6);
	struct host_thread t;
	uint64_t id[4];

	(void)state;
	assert_int_equal(h->thread_list(77, id, 4), 2);
	assert_int_equal(id[1], 12);
	assert_int_equal(h->thread_list(77, id, 1), 1);
	assert_int_equal(h->thread_list(78, id, 4), -1);
	OK(h->thread_counts(77, 11, &t));
	assert_int_equal(t.id, 11);
	assert_true(t.running);
	assert_string_equal(t.name, "worker");
	assert_int_equal(t.levels, 2);
	assert_int_equal(t.level[0].instructions, 1100);
	assert_int_equal(t.level[0].cycles, 1101);
	assert_int_equal(t.level[0].user_time, 1102);
	assert_int_equal(t.level[0].system_time, 1103);
	assert_int_equal(t.level[0].energy_nj, 1104);
	assert_int_equal(t.level[1].instructions, 1105);
	OK(h->thread_counts(77, 12, &t));
	assert_false(t.running);
	assert_string_equal(t.name, "");
	assert_int_equal(h->thread_counts(77, 13, &t), -1);
	assert_int_equal(fake_errno(), 3);
	/* Intel; macOS 12; a machine of more levels than are known. */
	process.levels = 1;
	OK(h->thread_counts(77, 11, &t));
	assert_int_equal(t.levels, 1);
	process.levels = 0;
	assert_int_equal(h->thread_counts(77, 11, &t), -1);
	assert_int_equal(fake_errno(), 22);
	process.levels = 3;
	assert_int_equal(h->thread_counts(77, 11, &t), -1);
	assert_int_equal(fake_misuse(), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_list),
		cmocka_unit_test(test_usage),
		cmocka_unit_test(test_older_usage),
		cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_who),
		cmocka_unit_test(test_args),
		cmocka_unit_test(test_threads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Every option that a source may look at gets to the counter server. */
#include "server/wire.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void
options_travel(void **state)
{
	static unsigned char room[WIRE_REQUEST_MAX];
	static struct wire_open got;
	const struct source_options o = { .kperf_path = "/k",
					  .kperfdata_path = "/d",
					  .sim = "m1",
					  .root = "/r",
					  .events = "r00c0,l1d-misses",
					  .ipc = true,
					  .user_only = true,
					  .lazy = true,
					  .period_ns = 5 };
	struct wire_out w = { room, 0, sizeof(room) };

	(void)state;
	wire_put_open(&w, &o, "perf");
	assert_true(w.len < w.size);

	struct wire_in in = { room, w.len, false };

	wire_get_open(&in, &got);
	assert_true(wire_done(&in));
	assert_string_equal(got.name, "perf");
	assert_string_equal(got.options.kperf_path, "/k");
	assert_string_equal(got.options.kperfdata_path, "/d");
	assert_string_equal(got.options.sim, "m1");
	assert_string_equal(got.options.root, "/r");
	assert_string_equal(got.options.events, "r00c0,l1d-misses");
	assert_true(got.options.ipc && got.options.user_only);
	assert_true(got.options.lazy);
	assert_int_equal(got.options.period_ns, 5);
}

static void
what_is_not_given_is_not_there(void **state)
{
	static unsigned char room[WIRE_REQUEST_MAX];
	static struct wire_open got;
	const struct source_options o = { .period_ns = 1 };
	struct wire_out w = { room, 0, sizeof(room) };

	(void)state;
	wire_put_open(&w, &o, NULL);

	struct wire_in in = { room, w.len, false };

	wire_get_open(&in, &got);
	assert_true(wire_done(&in));
	assert_null(got.options.events);
	assert_false(got.options.lazy);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(options_travel),
		cmocka_unit_test(what_is_not_given_is_not_there),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

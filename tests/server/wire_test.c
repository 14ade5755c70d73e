/* Every option gets to the counter server, and every reading back. */
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

	struct wire_in in = { .at = room, .left = w.len };

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

	struct wire_in in = { .at = room, .left = w.len };

	wire_get_open(&in, &got);
	assert_true(wire_done(&in));
	assert_null(got.options.events);
	assert_false(got.options.lazy);
}

/* All that a source may know of a CPU, the rarest too. */
static void
every_state_of_a_cpu_travels(void **state)
{
	static unsigned char room[WIRE_REPLY_MAX / 64];
	struct err e;
	struct sample *s = sample_new(CPU_DENIED + 1, &e);
	struct sample *got = sample_new(CPU_DENIED + 1, &e);
	struct wire_out w = { room, 0, sizeof(room) };

	(void)state;
	for (unsigned i = 0; i <= CPU_DENIED; i++)
		s->cpu[i].state = (enum cpu_state)i;
	s->cpu[0].slot[1] = (struct reading){ 7, 9, 8, true, false };
	s->together = true;
	wire_put_sample(&w, s, 2);
	assert_true(w.len < w.size);

	struct wire_in in = { .at = room, .left = w.len };

	wire_get_sample(&in, got, 2);
	assert_true(wire_done(&in));
	for (unsigned i = 0; i <= CPU_DENIED; i++)
		assert_int_equal(got->cpu[i].state, i);
	assert_true(got->together);
	assert_int_equal(got->cpu[0].slot[1].count, 7);
	assert_int_equal(got->cpu[0].slot[1].running_ns, 8);
	assert_true(got->cpu[0].slot[1].supported);
	sample_free(s);
	sample_free(got);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(options_travel),
		cmocka_unit_test(what_is_not_given_is_not_there),
		cmocka_unit_test(every_state_of_a_cpu_travels),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

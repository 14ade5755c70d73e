/* Every option gets to the counter server, and every reading back. */
#include "server/wire.h"

#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

UNIT(options_travel)
{
	struct wire_out w = { .at = NULL };
	struct wire_open got;
	const struct source_options o = { .kperf_path = "/k",
					  .kperfdata_path = "/d",
					  .sim = "m1",
					  .root = "/r",
					  .events = "r00c0,l1d-misses",
					  .ipc = true,
					  .user_only = true,
					  .lazy = true,
					  .period_ns = 5 };

	assert_true(wire_put_open(&w, &o, "perf", NULL));

	struct wire_in in = { .at = w.at, .left = w.len };

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
	free(w.at);
}

UNIT(what_is_not_given_is_not_there)
{
	struct wire_out w = { .at = NULL };
	struct wire_open got;
	const struct source_options o = { .period_ns = 1 };

	assert_true(wire_put_open(&w, &o, NULL, NULL));

	struct wire_in in = { .at = w.at, .left = w.len };

	wire_get_open(&in, &got);
	assert_true(wire_done(&in));
	assert_null(got.name);
	assert_null(got.options.events);
	assert_false(got.options.lazy);
	free(w.at);
}

/* Each byte that is missing, or one more, or a flag of 2, is no request. */
UNIT(a_part_of_a_request_is_none)
{
	const struct source_options o = { .sim = "m1", .mux = true };
	struct wire_out w = { .at = NULL };
	struct wire_open got;
	struct wire_in in;

	assert_true(wire_put_open(&w, &o, "sim", NULL));
	for (size_t n = 0; n <= w.len + 1; n++) {
		unsigned char copy[256] = { 0 };

		/* A copy, so that a sanitizer sees what is read behind it. */
		memcpy(copy, w.at, w.len);
		in = (struct wire_in){ .at = copy, .left = n };
		wire_get_open(&in, &got);
		assert_int_equal(wire_done(&in), n == w.len);
	}
	for (size_t i = w.len - 8; i < w.len - 4; i++) {
		w.at[i] += 2;
		in = (struct wire_in){ .at = w.at, .left = w.len };
		wire_get_open(&in, &got);
		assert_false(wire_done(&in));
		w.at[i] -= 2;
	}
	free(w.at);
}

/* All that a source may know of a CPU, the rarest too. */
UNIT(every_state_of_a_cpu_travels)
{
	struct wire_out w = { .at = NULL };
	struct err e;
	struct sample *s = sample_new(CPU_DENIED + 1, &e);
	struct sample *got = sample_new(CPU_DENIED + 1, &e);

	for (unsigned i = 0; i <= CPU_DENIED; i++)
		s->cpu[i].state = (enum cpu_state)i;
	s->cpu[0].slot[1] = (struct reading){
		.count = 7, .enabled_ns = 9, .running_ns = 8, .supported = true
	};
	s->together = true;
	wire_put_sample(&w, s, 2);

	struct wire_in in = { .at = w.at, .left = w.len };

	wire_get_sample(&in, got, 2);
	assert_true(wire_done(&in));
	for (unsigned i = 0; i <= CPU_DENIED; i++)
		assert_int_equal(got->cpu[i].state, i);
	assert_true(got->together);
	assert_int_equal(got->cpu[0].slot[1].count, 7);
	assert_int_equal(got->cpu[0].slot[1].running_ns, 8);
	assert_true(got->cpu[0].slot[1].supported);
	/* What no source says is refused. */
	s->cpu[1].state = (enum cpu_state)(CPU_DENIED + 1);
	w.len = 0;
	wire_put_sample(&w, s, 2);
	in = (struct wire_in){ .at = w.at, .left = w.len };
	wire_get_sample(&in, got, 2);
	assert_true(in.bad);
	free(w.at);
	sample_free(s);
	sample_free(got);
}

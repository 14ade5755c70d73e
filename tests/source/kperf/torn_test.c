/* Something comes between a reading's parts: another program has the CPU. */
#include "source/mac_calls.h"

enum { MS = 1000000 };

static struct host_api host;
static unsigned loads, rows, slow_loads, slow_rows;
static int (*rows_of_all)(bool, uint32_t, int *, uint64_t *);

static int
load_late(struct host_cpu_load *out, int max)
{
	loads++;
	if (slow_loads > 0) {
		slow_loads--;
		step_ms(80);
	}
	return sim_host()->cpu_load(out, max);
}

static int
rows_late(bool all, uint32_t classes, int *cpu, uint64_t *out)
{
	int rc = rows_of_all(all, classes, cpu, out);

	rows += all;
	if (all && slow_rows > 0) {
		slow_rows--;
		step_ms(80);
	}
	return rc;
}

static void
open_here(void)
{
	static const struct source_ops ops = { .name = "sim",
					       .program = kperf_program,
					       .read = kperf_read,
					       .close = kperf_close };
	struct source_options o = { .ipc = true };
	struct err e;

	boot_with_calls("m1,clock=step");
	host = *sim_host();
	host.cpu_load = load_late;
	rows_of_all = kpc.kpc_get_cpu_counters;
	kpc.kpc_get_cpu_counters = rows_late;
	source = kperf_open_with(&kpc, &kpep, &host, "sim", &o, &e);
	assert_non_null(source);
	source->ops = &ops;
	sample = sample_new(source->info.topology->ncpus, &e);
	slow_loads = slow_rows = 0;
	step_ms(100);
	read_now();
	step_ms(100);
	loads = rows = 0;
}

/* Ticks are read where the counters were, if need be both again. */
UNIT_IN(what_was_torn_is_read_again, NULL, shut)
{
	open_here();
	slow_loads = 1;
	read_now();
	assert_int_equal(loads, 2);
	assert_int_equal(rows, 2);
	assert_int_equal(sample->apart_ns, 0);
	assert_int_equal(sample->stamp.awake_ns, awake_ns());
	step_ms(100);
	slow_rows = 1;
	read_now();
	assert_int_equal(rows, 4);
	assert_int_equal(sample->cost_ns, 0);
	assert_int_equal(delivered(), 8);
	step_ms(100);
	read_now();
	assert_int_equal(rows, 5);
}

/* Where it is always so, that is said, and nothing is done twice. */
UNIT_IN(where_all_is_slow_it_is_said, NULL, shut)
{
	open_here();
	slow_loads = 100;
	read_now();
	assert_int_equal(rows, 2);
	assert_int_equal(sample->apart_ns, 80 * MS);
	for (int i = 0; i < 5; i++) {
		step_ms(100);
		read_now();
		assert_int_equal(rows, 3 + i);
		assert_int_equal(sample->apart_ns, 80 * MS);
		assert_int_equal(sample->cost_ns, 0);
	}
	slow_loads = 0;
	read_now();
	slow_loads = 1;
	read_now();
	assert_int_equal(rows, 10);
	assert_int_equal(sample->apart_ns, 0);
}

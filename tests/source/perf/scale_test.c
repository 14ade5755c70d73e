/*
 * 1024 CPUs: the cost of a reading grows with their number, no faster. Also the
 * bench of it: make cpus-bench.
 */
#include "source/fake_perf.h"
#include "source/perf/machine.h"

#include <time.h>

/* A machine with other things to do may be slow for all of some readings. */
enum { READS = 40, TRIES = 8 };

/* A line for each CPU, as long as on a machine that ran for weeks. */
static void
write_stat(struct rig *r, unsigned ncpus)
{
	char path[128];
	FILE *fp;

	snprintf(path, sizeof(path), "%s/proc/stat", r->root);
	fp = fopen(path, "w");
	assert_non_null(fp);
	fprintf(fp, "cpu  0 0 0 0\n");
	for (unsigned i = 0; i < ncpus; i++)
		fprintf(fp,
			"cpu%u 18446744 1234 5678901 987654321 3456 0 12345 0 "
			"0 0\n",
			i);
	fclose(fp);
}

static void
make_tree(struct rig *r, unsigned ncpus)
{
	char command[512], text[32];

	memset(r, 0, sizeof(*r));
	snprintf(r->root, sizeof(r->root), "/tmp/ktop-tree.XXXXXX");
	assert_non_null(mkdtemp(r->root));
	snprintf(command, sizeof(command),
		 "cd %s && mkdir -p proc sys/devices/system/cpu "
		 "sys/bus/event_source/devices/cpu && "
		 "echo 4 >sys/bus/event_source/devices/cpu/type",
		 r->root);
	assert_int_equal(system(command), 0);
	snprintf(text, sizeof(text), "0-%u\n", ncpus - 1);
	rig_write(r, "/sys/devices/system/cpu/online", text);
	rig_write(r, "/proc/cpuinfo",
		  "processor\t: 0\nvendor_id\t: AuthenticAMD\n"
		  "cpu family\t: 26\nmodel\t\t: 2\n");
	r->o.root = r->root;
	r->f = fake_new();
	write_stat(r, ncpus);
}

static double
now_s(void)
{
	struct timespec t;

	assert_int_equal(clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t), 0);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Its slots are its cycles times its width: no event. */
enum { COMPUTED = 1 };

/* The least of many, in ns a CPU: of the source alone, and with the frame. */
static void
measure(unsigned ncpus, double *source, double *frame)
{
	struct rig r;

	make_tree(&r, ncpus);
	rig_open(&r);
	assert_int_equal(r.s->info.topology->ncpus, ncpus);
	assert_true(rig_program(&r, "basic"));
	assert_non_null(rig_event(&r, "SLOT_TOTAL"));
	assert_int_equal(r.f->files,
			 ncpus * (2 + r.s->info.set->len - COMPUTED));
	*source = *frame = 1e9;
	for (int i = 0; i < READS; i++) {
		fake_second(r.f, 1000000);
		double a = now_s();

		assert_int_equal(r.s->ops->read(r.s, r.sample, &r.e),
				 SOURCE_OK);
		double b = now_s();

		assert_non_null(monitor_feed(r.m, r.sample));
		double c = now_s();

		*source = fmin(*source, (b - a) * 1e9 / ncpus);
		*frame = fmin(*frame, (c - a) * 1e9 / ncpus);
	}
	rig_close(&r);
}

/* Quadratic would be 16 times, each time. */
static bool
is_linear(void)
{
	static const unsigned sizes[] = { 8, 64, 256, 1024 };
	double source[4], frame[4];

	for (int i = 0; i < 4; i++) {
		measure(sizes[i], &source[i], &frame[i]);
		print_message("%4u CPUs: reading %.0f ns a CPU, with its "
			      "frame %.0f ns a CPU\n",
			      sizes[i], source[i], frame[i]);
	}
	return source[3] < 4 * source[1] && frame[3] < 4 * frame[1];
}

UNIT(cost_is_linear)
{
	bool linear = false;

	for (int i = 0; i < TRIES && !linear; i++)
		linear = is_linear();
	assert_true(linear);
}

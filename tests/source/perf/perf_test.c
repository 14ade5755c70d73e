/* The Linux source on recorded machines, and the kernel's time accounting. */
#include "source/all/sources.h"
#include "source/tree.h"

#include <cmocka.h>

static void
write_stat(const char *root, const char *text)
{
	char path[256];
	FILE *fp;

	snprintf(path, sizeof(path), "%s/proc/stat", root);
	fp = fopen(path, "w");
	assert_non_null(fp);
	assert_true(fputs(text, fp) >= 0);
	fclose(fp);
}

UNIT(a_recorded_machine_shows_busy_time)
{
	struct source_options o = { .sim = NULL };
	struct err e = { ERR_NONE, "" };
	struct sample *sample;
	struct source *s;
	char root[64];

	assert_true(tree_unpack("rk3588", root, sizeof(root)));
	/* CPU 2 is off line: its line is missing, as the kernel has it. */
	write_stat(root, "cpu  1 2 3 4 5 6 7 8 9 10\n"
			 "cpu0 10 1 20 100 50 2 3 4 5 6\n"
			 "cpu1 0 0 0 1000 0 0 0 0 0 0\n"
			 "cpu7 7 0 0 1 0 0 0 0 0 0\n"
			 "intr 12345 0 0\n");
	o.root = root;
	s = source_open(&o, &e);
	if (s == NULL)
		fail_msg("%s", e.text);
	assert_string_equal(s->info.source, "perf");
	assert_int_equal(s->info.mode, SOURCE_BUSY_ONLY);
	assert_int_equal(s->info.why.code, ERR_NO_PMU);
	assert_int_equal(s->info.topology->nclusters, 3);
	sample = sample_new(s->info.topology->ncpus, &e);
	assert_int_equal(s->ops->read(s, sample, &e), SOURCE_OK);
	/* Guest time (5, 6) is in user time already. */
	assert_int_equal(sample->cpu[0].total, 190);
	assert_int_equal(sample->cpu[0].busy, 40);
	assert_int_equal(sample->cpu[1].busy, 0);
	assert_false(sample->cpu[2].busy_known);
	assert_int_equal(sample->cpu[7].busy, 7);
	assert_int_equal(sample->cpu[7].total, 8);
	assert_int_equal(sample->cpu[0].state, CPU_DELIVERED);
	assert_false(sample->cpu[0].fixed[FIXED_CYCLES].supported);
	sample_free(sample);
	s->ops->close(s);
	tree_remove(root);
}

UNIT(odd_lines_of_busy_time)
{
	struct source_options o = { .sim = NULL };
	struct err e = { ERR_NONE, "" };
	struct sample *sample;
	struct source *s;
	char root[64];

	assert_true(tree_unpack("rk3588", root, sizeof(root)));
	write_stat(root,
		   "cpu  1 2 3 4 5 6 7 8 9 10\n"
		   "cpu3 9 0 0 5\n"
		   "cpu0   18446744073709551615 0 0 18446744073709551610\n"
		   "cpu\ncpux 1 1 1 1\ncpu999 1 1 1 1\n"
		   "cpu99999999999999999999 1 1 1 1\n"
		   "cpu4\n"
		   "cpu5 3 - 4 1\n"
		   "cpu6 1 2 3 4 5 6 7 8");
	o.root = root;
	s = source_open(&o, &e);
	if (s == NULL)
		fail_msg("%s", e.text);
	sample = sample_new(s->info.topology->ncpus, &e);
	assert_int_equal(s->ops->read(s, sample, &e), SOURCE_OK);
	assert_int_equal(sample->cpu[3].busy, 9); /* an old kernel's */
	assert_int_equal(sample->cpu[3].total, 14);
	assert_true(sample->cpu[0].busy == UINT64_MAX);
	assert_false(sample->cpu[1].busy_known);
	assert_int_equal(sample->cpu[4].total, 0);
	assert_int_equal(sample->cpu[5].total, 3);
	assert_false(sample->cpu[6].busy_known); /* cut */
	sample_free(sample);
	s->ops->close(s);
	tree_remove(root);
}

UNIT(the_model_comes_from_cpuinfo)
{
	struct source_options o = { .sim = NULL };
	struct source *s;
	char root[64];

	assert_true(tree_unpack("meteorlake-185h", root, sizeof(root)));
	o.root = root;
	s = source_open(&o, NULL);
	assert_non_null(s);
	assert_string_equal(s->info.model, "Intel(R) Core(TM) Ultra 9 185H");
	s->ops->close(s);
	tree_remove(root);
}

UNIT(a_folder_that_is_no_machine_is_an_error)
{
	struct source_options o = { .root = "/nonexistent" };
	struct err e = { ERR_NONE, "" };

	assert_null(source_open(&o, &e));
	assert_non_null(strstr(e.text, "/nonexistent"));
}

/* What a library in a command leaves behind, and the environment around it. */
#include "stat/inject.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { COLUMNS = 10 };

static struct inject *inject;
static struct inject_record record;
static struct err e;

static int
begin(void **state)
{
	(void)state;
	(void)unsetenv(inject_preload);
	inject = inject_open_with("/lib/ours.so", "/lib/kperf", NULL, &e);
	return inject == NULL;
}

static int
end(void **state)
{
	(void)state;
	inject_close(inject);
	inject = NULL;
	return getenv(INJECT_RECORD) != NULL;
}

static int
open_record(void)
{
	struct stat st;
	int fd = open(getenv(INJECT_RECORD), O_RDWR);

	assert_true(fd >= 0);
	assert_int_equal(fstat(fd, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	assert_int_equal(read(fd, &record, sizeof record), sizeof record);
	assert_int_equal(record.size, sizeof record);
	assert_int_equal(record.columns, COLUMNS);
	return fd;
}

static void
write_record(int fd)
{
	assert_int_equal(pwrite(fd, &record, sizeof record, 0), sizeof record);
	close(fd);
}

static void
sums_come_back(void **state)
{
	struct inject_seen seen;
	char file[256];

	(void)state;
	assert_true(inject_begin_run(inject, COLUMNS, &e));
	assert_string_equal(getenv(inject_preload), "/lib/ours.so");
	assert_string_equal(getenv(INJECT_KPERF), "/lib/kperf");
	strncpy(file, getenv(INJECT_RECORD), sizeof file - 1);
	int fd = open_record();

	record.loaded = 1;
	record.forked = 2;
	record.begun = 5;
	record.ended = 5;
	for (unsigned i = 0; i < INJECT_COLUMNS; i++)
		record.sum[i] = 100 + i;
	write_record(fd);
	assert_true(inject_end_run(inject, &seen, &e));
	assert_int_equal(seen.loaded, 1);
	assert_int_equal(seen.forked, 2);
	assert_int_equal(seen.begun, 5);
	assert_int_equal(seen.sum[0], 100);
	assert_int_equal(seen.sum[COLUMNS - 1], 109);
	assert_int_equal(seen.sum[COLUMNS], 0); /* no such column */
	assert_true(inject_whole(&seen));
	seen.begun = 6;
	assert_false(inject_whole(&seen));
	seen = (struct inject_seen){ .begun = 1, .ended = 1, .refused = 1 };
	assert_false(inject_whole(&seen));
	seen = (struct inject_seen){ .begun = 0 };
	assert_false(inject_whole(&seen));
	assert_null(getenv(inject_preload));
	assert_null(getenv(INJECT_RECORD));
	assert_null(getenv(INJECT_KPERF));
	assert_int_equal(access(file, F_OK), -1);
}

static void
what_is_loaded_already_stays(void **state)
{
	struct inject_seen seen;

	(void)state;
	for (unsigned turn = 0; turn < 2; turn++) {
		assert_int_equal(setenv(inject_preload, "/lib/theirs.so", 1),
				 0);
		assert_true(inject_begin_run(inject, COLUMNS, &e));
		assert_string_equal(getenv(inject_preload),
				    "/lib/ours.so:/lib/theirs.so");
		assert_true(inject_end_run(inject, &seen, &e));
		assert_int_equal(seen.begun, 0);
		assert_string_equal(getenv(inject_preload), "/lib/theirs.so");
	}
	assert_int_equal(unsetenv(inject_preload), 0);
}

static void
damage_is_no_count(void **state)
{
	struct inject_seen seen;
	int fd;

	(void)state;
	for (unsigned how = 0; how < 4; how++) {
		assert_true(inject_begin_run(inject, COLUMNS, &e));
		fd = open_record();
		record.begun = record.ended = 1;
		record.magic += how == 0;
		record.size += how == 1;
		record.columns += how == 2;
		write_record(fd);
		if (how == 3)
			assert_int_equal(truncate(getenv(INJECT_RECORD), 40),
					 0);
		assert_false(inject_end_run(inject, &seen, &e));
		assert_non_null(strstr(e.text, "damaged"));
		assert_int_equal(seen.begun, 0);
	}
}

static void
a_run_that_never_ended(void **state)
{
	char file[256];

	(void)state;
	assert_true(inject_begin_run(inject, COLUMNS, &e));
	strncpy(file, getenv(INJECT_RECORD), sizeof file - 1);
	inject_close(inject);
	inject = NULL;
	assert_int_equal(access(file, F_OK), -1);
	assert_null(getenv(inject_preload));
}

static void
no_folder_for_it(void **state)
{
	(void)state;
	assert_int_equal(setenv("TMPDIR", "/not/there", 1), 0);
	assert_false(inject_begin_run(inject, COLUMNS, &e));
	assert_non_null(strstr(e.text, "/not/there/"));
	assert_null(getenv(inject_preload));
	assert_int_equal(unsetenv("TMPDIR"), 0);
}

static void
for_whom(void **state)
{
	struct source_options o = { .sim = "m1" };

	(void)state;
	assert_false(inject_allowed(&o, &e));
	assert_non_null(strstr(e.text, "m1,state=FILE"));
	o.sim = "m1,state=x";
	assert_true(inject_allowed(&o, &e));
	o.sim = "m1,state";
	assert_false(inject_allowed(&o, &e));
	o = (struct source_options){ .server = 5 };
	assert_false(inject_allowed(&o, &e));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(sums_come_back, begin, end),
		cmocka_unit_test_setup_teardown(what_is_loaded_already_stays,
						begin, end),
		cmocka_unit_test_setup_teardown(damage_is_no_count, begin, end),
		cmocka_unit_test_setup_teardown(a_run_that_never_ended, begin,
						end),
		cmocka_unit_test_setup_teardown(no_folder_for_it, begin, end),
		cmocka_unit_test_setup_teardown(for_whom, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

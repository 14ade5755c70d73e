#include "out/sink.h"

#include <cmocka.h>

#include "base/cells.h"
#include "out/processes.h"
#include "out/recording.h"

/* What stands below the cores, of one frame. */
static char *
below_cores(struct frames *f, const char *name)
{
	char *text = table_of(f, name), *from = strstr(text, "\ncpu7 ");

	assert_non_null(from);
	from = strchr(from + 1, '\n') + 1;
	memmove(text, from, strlen(from) + 1);
	return text;
}

UNIT(the_busiest_others_and_the_rest)
{
	struct frames *f = frames_new();
	struct processes_of p;

	processes_make(&p, f);
	f->about.processes = 3;
	char *text = below_cores(f, "table");

	assert_string_equal(
		text,
		"6 processes\n"
		"   PID USER      CPU%    P%   IPC IPC P IPC E  Gi/s   GHz  PROCESS\n"
		"   301 ada       90.0    80  2.00  2.20  1.00   5.4  3.00  compiler\n"
		"   401 ada       30.0    80  2.00  2.20  1.00   1.8  3.00  indexer\n"
		"     0 root      20.0    80  2.00  2.20  1.00   1.2  3.00  kernel_task\n"
		"     - -          5.0    80  2.00  2.20  1.00   0.3  3.00  (3 other processes)\n"
		"     - -            -     -  1.31     -     -  15.3     -  (unattributed)\n"
		"\n");
	free(text);
	frames_free(f);
}

/* One kind of core, in a virtual machine. */
UNIT(columns_are_those_of_the_machine)
{
	struct frames *f = frames_new();
	struct processes_of p;

	processes_make(&p, f);
	for (unsigned i = 0; i < PROCESSES; i++) {
		p.row[i].known &= PROCESS_HAS_TIMES;
		p.row[i].access = PROCESS_NO_COUNTERS;
		process_metrics_of(&p.row[i], NULL, 1);
	}
	p.table.parts.n = 1;
	p.table.has_rest = false;
	p.table.domain = DOMAIN_USER;
	p.table.started = 12;
	p.table.born = 3;
	p.table.notice = "only some";
	f->about.processes = 1;
	char *text = below_cores(f, "vm");

	assert_string_equal(
		text,
		"6 processes  seen 3 new, 12 forks and threads  counts: user  only some\n"
		"   PID USER      CPU%   IPC  Gi/s   GHz  PROCESS\n"
		"   301 ada       90.0     -     -     -  compiler  no counters\n"
		"     - -         55.0     -     -     -  (5 other processes)\n"
		"\n");
	free(text);
	frames_free(f);
}

UNIT(wide_cells_and_hostile_names)
{
	struct frames *f = frames_new();
	struct processes_of p;

	processes_make(&p, f);
	(void)snprintf(p.table.parts.label[0], 16, "S");
	(void)snprintf(p.table.parts.label[1], 16, "not S");
	p.row[3].pid = 12345678;
	p.row[3].user = "a_very_long_user_name";
	p.row[3].name = "a\x1b[31m\xe2\x80\xae"
			"b";
	p.row[4].name = "";
	f->about.processes = 2;
	char *text = below_cores(f, "wide");
	size_t head = strcspn(strchr(text, '\n') + 1, "\n");
	const char *at = strchr(text, '\n') + 1;

	assert_non_null(strstr(at, "S%"));
	assert_non_null(strstr(at, "IPC S IPC not S"));
	assert_non_null(strstr(at, "\n12345678 a_very_long_user_name "));
	assert_non_null(strstr(at, "  a[31mb\n"));
	assert_null(strstr(at, "\x1b"));
	/* Names begin below their heading. */
	assert_int_equal(strstr(at, "  PROCESS") - at + 9, head);
	for (at = strchr(at, '\n') + 1; *at != '\n'; at = strchr(at, '\n') + 1)
		assert_true(at[head - 8] == ' ' && at[head - 7] != ' ');
	free(text);
	frames_free(f);
}

/* Bytes of the line at s that stand in its first n cells. */
static size_t
head_of(const char *s, unsigned n)
{
	unsigned cells;
	size_t bytes = cells_fit(s, n, &cells);

	assert_int_equal(cells, n);
	return bytes;
}

/* A user of wide letters, and one whose sign stands on a letter. */
UNIT(users_have_cells_not_characters)
{
	struct frames *f = frames_new();
	struct processes_of p;

	processes_make(&p, f);
	p.row[3].user = "\xe4\xb8\xad\xe5\x9b\xbd\xe7\x94\xa8"
			"\xe6\x88\xb7\xe8\x80\x85"; /* ten cells */
	p.row[4].user = "re\xcc\x81my";
	f->about.processes = 3;
	char *text = below_cores(f, "letters");
	const char *at = strchr(text, '\n') + 1;
	const char *column = strstr(at, "CPU%");

	assert_non_null(column);
	unsigned end = (unsigned)(column - at) + 4;

	assert_int_equal(end, 6 + 1 + 10 + 1 + 5);
	for (unsigned i = 0; i < 3; i++) {
		static const char *const cpu[] = { "90.0", "30.0", "20.0" };

		at = strchr(at, '\n') + 1;
		size_t bytes = head_of(at, end);

		assert_memory_equal(at + bytes - 4, cpu[i], 4);
		assert_int_equal(at[bytes], ' ');
	}
	free(text);
	frames_free(f);
}

/* Nobody asked; or nothing could be read. */
UNIT(no_table)
{
	struct frames *f = frames_new();
	struct processes_of p;

	processes_make(&p, f);
	char *text = below_cores(f, "none");

	assert_string_equal(text, "\n");
	free(text);
	f->about.processes = 2;
	f->frame.processes = NULL;
	text = below_cores(f, "unread");
	assert_string_equal(text, "\n");
	free(text);
	frames_free(f);
}

UNITS_IN(make_folder, remove_folder)

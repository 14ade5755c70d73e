/* Lines of /proc as they come, hostile ones among them, and the rows they make.
 */
#include "source/perf_processes.h"

#include <stdint.h>

#define REST " 7 7 0 -1 4194304 1 2 3 4 50 60 7 8 20 0 3 0 12345 9 9\n"
#define NUMBERS(user, start) \
	" 1 1 1 -1 0 0 0 0 0 " user " 0 0 0 20 0 1 0 " start " 0\n"

enum { FIRST = 100, FIRST_LETTER = 3 }; /* a pid has three digits here */

struct scene {
	struct rig r;
	struct process_reading out;
};

static void
begin(struct scene *s)
{
	memset(s, 0, sizeof *s);
	rig_prepare(&s->r, "vm-2cpu-nopmu");
	assert_true(process_reading_init(&s->out, 1));
}

/* A process of that pid whose line is "pid" + rest, cut at `size` bytes. */
static void
put_line(struct scene *s, int pid, const char *rest, size_t size)
{
	const struct made_up p = { .pid = pid, .name = "x", .state = 'S' };
	char path[64], text[512];
	size_t n = (size_t)snprintf(text, sizeof text, "%d%s", pid, rest);

	made_up_put(&s->r, &p);
	text[size < n ? size : n] = '\0';
	snprintf(path, sizeof path, "/proc/%d/stat", pid);
	rig_write(&s->r, path, text);
}

static void
look(struct scene *s)
{
	rig_open(&s->r);
	read_processes(&s->r, &s->out);
}

static void
end(struct scene *s)
{
	process_reading_free(&s->out);
	rig_close(&s->r);
}

UNIT(lines_that_make_sense)
{
	static const struct {
		const char *rest, *name;
		enum process_state state;
		int parent;
	} rows[] = {
		{ " (cat) R 7" REST, "cat", PROCESS_RUNS, 7 },
		/* A name may look like the rest of the line. */
		{ " (a) R 1 (\nx) S 1" REST, "a) R 1 (\nx", PROCESS_SLEEPS, 1 },
		{ " () S 1" REST, "", PROCESS_SLEEPS, 1 },
		{ " (\033]0;x\a\377) Z 1" REST, "\033]0;x\a\377", PROCESS_ENDED,
		  1 },
		/* A long one is cut. */
		{ " (0123456789012345678901234567890123456789) T 1" REST,
		  "0123456789012345678901234567890123456789", PROCESS_STOPPED,
		  1 },
	};
	const struct process_read *row;
	struct scene s;

	begin(&s);
	for (int i = 0; i < 5; i++)
		put_line(&s, FIRST + i, rows[i].rest, SIZE_MAX);
	look(&s);
	for (int i = 0; i < 5; i++) {
		char name[PROCESS_NAME_SIZE];

		row = row_of(&s.out, FIRST + i);
		assert_non_null(row);
		snprintf(name, sizeof name, "%s", rows[i].name);
		assert_string_equal(row->name, name);
		assert_int_equal(row->state, rows[i].state);
		assert_int_equal(row->parent, rows[i].parent);
		assert_true(row->total.user_ns == 500000000);
		assert_true(row->total.system_ns == 600000000);
		assert_int_equal(row->threads, 3);
		assert_int_equal(row->start, 12345);
	}
	end(&s);
}

/* Cut anywhere, it is no line: a number may lack its last digits. */
UNIT(a_cut_line_is_none)
{
	static const char rest[] = " (cat) R 7" REST;
	const int whole =
		FIRST_LETTER + (int)(strstr(rest, "12345") - rest) + 6;
	struct scene s;

	begin(&s);
	for (int n = 0; n <= whole; n++)
		put_line(&s, FIRST + n, rest, (size_t)n);
	look(&s);
	for (int n = 0; n < whole; n++)
		if (row_of(&s.out, FIRST + n) != NULL)
			fail_msg("cut at %d it passed", n);
	assert_non_null(row_of(&s.out, FIRST + whole));
	end(&s);
}

UNIT(numbers_that_do_not_fit)
{
	static const char *const bad[] = {
		"99999999 (a) S 1" REST,
		" (a) S -1" REST,
		" (a) S 1" NUMBERS("18446744073709551616", "5"),
		" (a) S 1" NUMBERS("x", "5"),
		" (a) S 1" NUMBERS("1", "99999999999999999999"),
		" (a) S",
		" (a)",
		" (a",
		" a",
		"",
		"\n",
	};
	enum { N = sizeof bad / sizeof *bad };
	struct scene s;

	begin(&s);
	for (int i = 0; i < N; i++)
		put_line(&s, FIRST + i, bad[i], SIZE_MAX);
	put_line(&s, 150, " (a) S 1" NUMBERS("1", "18446744073709551615"),
		 SIZE_MAX);
	put_line(&s, 151, "", 0);
	rig_write(&s.r, "/proc/151/stat", "-1 (a) S 1" REST);
	look(&s);
	assert_int_equal(s.out.n, 1);
	assert_true(row_of(&s.out, 150)->start == UINT64_MAX);
	end(&s);
}

/* The effective one; the folder's owner where the file says none. */
UNIT(the_effective_user)
{
	static const char *const text[] = {
		"Name:\tx\nUid:\t1000\t77\t3\t4\nGid:\t7\n",
		"Name:\tUid:\n",
		"Name:\tx\nUid:\n",
	};
	struct scene s;

	begin(&s);
	for (int i = 0; i < 3; i++) {
		char path[64];

		put_line(&s, FIRST + i, " (cat) R 7" REST, SIZE_MAX);
		snprintf(path, sizeof path, "/proc/%d/status", FIRST + i);
		rig_write(&s.r, path, text[i]);
	}
	look(&s);
	for (int i = 0; i < 3; i++)
		assert_int_equal(row_of(&s.out, FIRST + i)->uid,
				 i == 0 ? 77 : 0);
	/* Another program, and nothing about its user: the one before. */
	put_line(&s, FIRST, " (dog) R 7" REST, SIZE_MAX);
	rig_write(&s.r, "/proc/100/status", text[2]);
	s.r.f->now_ns += 1000000000;
	read_processes(&s.r, &s.out);
	assert_string_equal(row_of(&s.out, FIRST)->name, "dog");
	assert_int_equal(row_of(&s.out, FIRST)->uid, 77);
	end(&s);
}

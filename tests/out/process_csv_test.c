#include "out/sink.h"

#include <cmocka.h>

#include "out/processes.h"
#include "out/recording.h"
#include "model/spans.h"

static char *
recorded(struct frames *f, const char *name)
{
	struct sink *s = open_in(f, name);
	struct err e;

	assert_true(s->ops->frame(s, &f->frame, &e));
	s->ops->close(s);
	return slurp(name);
}

static uint64_t
number(const char *text, unsigned row, const char *column)
{
	return (uint64_t)strtoll(at(text, row, column), NULL, 10);
}

enum { FIRST = 1 + FRAMES_CPUS }; /* row of a process, behind the cores */

/* The busiest, then what nobody had, then all others as one. */
UNIT(the_busiest_and_two_sums)
{
	static const struct {
		const char *row, *name, *pid;
	} want[] = { { "process", "compiler", "301" },
		     { "process", "indexer", "401" },
		     { "unattributed", "(unattributed)", "" },
		     { "other-processes", "(other processes)", "" } };
	struct frames *f = frames_new();
	struct processes_of p;

	processes_make(&p, f);
	f->about.processes = 2;
	char *text = recorded(f, "two.csv");

	assert_int_equal(lines_in(text), FIRST + 4);
	for (unsigned i = 0; i < 4; i++) {
		assert_string_equal(at(text, FIRST + i, "row"), want[i].row);
		assert_string_equal(at(text, FIRST + i, "process"),
				    want[i].name);
		assert_string_equal(at(text, FIRST + i, "pid"), want[i].pid);
		assert_string_equal(at(text, FIRST + i, "sample"), "0");
	}
	/* kernel_task, sshd, editor, player */
	assert_string_equal(at(text, FIRST + 3, "threads"), "4");
	assert_string_equal(at(text, FIRST + 3, "user_ns"), "187500000");
	assert_string_equal(at(text, FIRST + 3, "quality"), "");
	assert_string_equal(at(text, FIRST + 3, "began"), "");
	free(text);
	frames_free(f);
}

/* Counts that came late: processes have more than the cores counted. */
UNIT(what_nobody_had_can_be_negative)
{
	struct frames *f = frames_new();
	struct processes_of p;

	processes_make(&p, f);
	p.table.rest.d.cycles = 0 - UINT64_C(5);
	f->about.processes = 1;
	char *text = recorded(f, "late.csv");

	assert_string_equal(at(text, FIRST + 1, "row"), "unattributed");
	assert_string_equal(at(text, FIRST + 1, "cycles"), "-5");
	free(text);
	frames_free(f);
}

UNIT(what_a_row_says)
{
	struct frames *f = frames_new();
	struct processes_of p;

	processes_make(&p, f);
	p.row[3].flags = PROCESS_BORN | PROCESS_PARTIAL;
	f->about.processes = 1;
	char *text = recorded(f, "one.csv");

	assert_string_equal(at(text, FIRST, "schema"), "ktop/2");
	assert_string_equal(at(text, FIRST, "interval_s"), "1.0");
	assert_string_equal(at(text, FIRST, "event_s"), "");
	assert_string_equal(at(text, FIRST, "model"), "Apple M1");
	assert_string_equal(at(text, FIRST, "cluster"), "");
	assert_string_equal(at(text, FIRST, "cpu"), "");
	assert_string_equal(at(text, FIRST, "preset"), "");
	assert_string_equal(at(text, FIRST, "domain"), "all");
	assert_string_equal(at(text, FIRST, "quality"), "partial;born");
	assert_string_equal(at(text, FIRST, "busy_pct"), "");
	assert_string_equal(at(text, FIRST, "cycles"), "2700000000");
	assert_string_equal(at(text, FIRST, "instructions"), "5400000000");
	assert_string_equal(at(text, FIRST, "ev_cycles"), "");
	assert_string_equal(at(text, FIRST, "e1"), "");
	assert_string_equal(at(text, FIRST, "ipc"), "2.0");
	assert_string_equal(at(text, FIRST, "ghz"), "3.0");
	assert_string_equal(at(text, FIRST, "gips"), "5.4");
	assert_string_equal(at(text, FIRST, "bottleneck"), "");
	assert_string_equal(at(text, FIRST, "start"), "1301");
	assert_string_equal(at(text, FIRST, "user"), "ada");
	assert_string_equal(at(text, FIRST, "uid"), "501");
	assert_string_equal(at(text, FIRST, "threads"), "3");
	assert_string_equal(at(text, FIRST, "pcycles"), "2250000000");
	assert_string_equal(at(text, FIRST, "pinstructions"), "4950000000");
	assert_string_equal(at(text, FIRST, "user_ns"), "675000000");
	assert_string_equal(at(text, FIRST, "system_ns"), "225000000");
	assert_string_equal(at(text, FIRST, "ptime_ns"), "720000000");
	assert_string_equal(at(text, FIRST, "other_ns"), "180000000");
	assert_string_equal(at(text, FIRST, "energy_nj"), "900000000");
	assert_string_equal(at(text, FIRST, "penergy_nj"), "810000000");
	assert_string_equal(at(text, FIRST, "p_share_pct"), "80.0");
	assert_string_equal(at(text, FIRST, "cpu_pct"), "90.0");
	assert_string_equal(at(text, FIRST, "state"), "runs");
	assert_string_equal(at(text, FIRST, "ppid"), "1");
	assert_string_equal(at(text, FIRST, "started"),
			    "2026-11-20T13:56:40.000Z");
	/* Cores have none of it. */
	assert_string_equal(at(text, 1, "pid"), "");
	assert_string_equal(at(text, 1, "started"), "");
	free(text);
	frames_free(f);
}

/* However many are written, all rows together are what the cores did. */
UNIT(sums_stay_exact)
{
	for (unsigned n = 1; n <= PROCESSES + 1; n++) {
		struct frames *f = frames_new();
		uint64_t cores[2] = { 0, 0 }, rows[2] = { 0, 0 };
		struct processes_of p;

		processes_make(&p, f);
		f->about.processes = n;
		char *text = recorded(f, "sums.csv");

		for (unsigned i = 1; i < lines_in(text); i++) {
			uint64_t *to = i < FIRST ? cores : rows;

			to[0] += number(text, i, "cycles");
			to[1] += number(text, i, "instructions");
		}
		assert_int_equal(cores[0], rows[0]);
		assert_int_equal(cores[1], rows[1]);
		free(text);
		assert_int_equal(unlink(path("sums.csv")), 0);
		frames_free(f);
	}
}

/* Many live too short to be met: how many is said, where it is known. */
UNIT(how_many_began)
{
	struct frames *f = frames_new();
	struct processes_of p;

	processes_make(&p, f);
	p.table.started = 30;
	p.table.born = 4;
	f->about.processes = 1;
	char *text = recorded(f, "began.csv");

	assert_string_equal(at(text, FIRST, "began"), "");
	assert_string_equal(at(text, FIRST + 1, "began"), "");
	assert_string_equal(at(text, FIRST + 2, "row"), "other-processes");
	assert_string_equal(at(text, FIRST + 2, "began"), "30");
	assert_string_equal(at(text, FIRST + 2, "began_seen"), "4");
	free(text);
	frames_free(f);
}

static struct span
events(uint64_t n, uint32_t slots)
{
	uint32_t have = slots | 1u << TERM_CYCLES | 1u << TERM_INSTRUCTIONS;

	return (struct span){ .cycles = 100 * n,
			      .instructions = 200 * n,
			      .slot = { n, 2 * n },
			      .n = 1,
			      .have_all = have };
}

/* Of the busiest, the others, and (rest), where each was counted. */
UNIT(events_of_processes)
{
	struct frames *f = frames_new();
	struct span of[] = { events(5, 1), events(7, 1), events(8, 1) };
	struct processes_of p;

	processes_make(&p, f);
	p.row[0].events = &of[0];
	p.row[1].events = &of[1];
	p.table.rest.events = &of[2];
	f->about.processes = PROCESSES;
	for (unsigned late = 0; late < 2; late++) {
		uint64_t sum = 0;

		if (late == 1)
			of[2] = events(9, 0);
		char *text = recorded(f, "events.csv");

		for (unsigned i = FIRST; i + 1 < lines_in(text); i++) {
			bool rest =
				strcmp(at(text, i, "row"), "unattributed") == 0;

			sum += number(text, i, "c1");
			assert_string_equal(at(text, i, "c2"), "");
			if (rest)
				assert_string_equal(at(text, i, "c1"),
						    late ? "" : "8");
		}
		assert_int_equal(sum, late ? 12 : 20);
		free(text);
		assert_int_equal(unlink(path("events.csv")), 0);
	}
	frames_free(f);
}

UNIT(what_is_denied_is_empty)
{
	static const char *const column[] = {
		"cycles",    "instructions", "pcycles",     "pinstructions",
		"user_ns",   "system_ns",    "ptime_ns",    "other_ns",
		"energy_nj", "penergy_nj",   "p_share_pct", "cpu_pct",
		"ipc",       "ghz",          "gips",        "state"
	};
	struct frames *f = frames_new();
	struct processes_of p;

	processes_make(&p, f);
	f->about.processes = PROCESSES;
	char *text = recorded(f, "denied.csv");
	unsigned row = FIRST + PROCESSES - 1; /* nobody knows how busy */

	assert_string_equal(at(text, row, "process"), "sshd");
	assert_string_equal(at(text, row, "pid"), "101");
	assert_string_equal(at(text, row, "quality"), "denied");
	for (unsigned i = 0; i < sizeof column / sizeof *column; i++)
		assert_string_equal(at(text, row, column[i]), "");
	free(text);
	frames_free(f);
}

/* Cores of one kind, or a system that tells no kinds: no columns of P. */
UNIT(one_kind_has_no_parts)
{
	struct frames *f = frames_new();
	struct processes_of p;

	processes_make(&p, f);
	p.table.parts.n = 1;
	f->about.processes = 1;
	char *text = recorded(f, "kind.csv");

	assert_string_equal(at(text, FIRST, "cycles"), "2700000000");
	assert_string_equal(at(text, FIRST, "pcycles"), "");
	assert_string_equal(at(text, FIRST, "ptime_ns"), "");
	assert_string_equal(at(text, FIRST, "other_ns"), "");
	assert_string_equal(at(text, FIRST, "penergy_nj"), "");
	free(text);
	frames_free(f);
}

/* A sum is of those that know; a part of it only where all of them do. */
UNIT(others_that_know_less)
{
	struct frames *f = frames_new();
	struct processes_of p;

	processes_make(&p, f);
	p.row[2].known = PROCESS_HAS_TIMES; /* editor: not counted */
	p.row[2].access = PROCESS_NOT_TRACKED;
	processes_settle(&p, f);
	f->about.processes = 3;
	char *text = recorded(f, "less.csv");
	unsigned row = FIRST + 4;

	assert_string_equal(at(text, row, "row"), "other-processes");
	assert_string_equal(at(text, row, "quality"), "partial");
	assert_string_equal(at(text, row, "user_ns"), "37500000");
	assert_string_equal(at(text, row, "cycles"), "30000000");
	assert_string_equal(at(text, row, "pcycles"), "25000000");
	assert_string_equal(at(text, row, "ptime_ns"), "");
	assert_string_equal(at(text, row, "ipc"), "2.0");
	assert_string_equal(at(text, row, "ghz"), "");
	free(text);
	frames_free(f);
}

/* Late counts make it so. */
UNIT(rest_may_be_unknown)
{
	struct frames *f = frames_new();
	struct processes_of p;

	processes_make(&p, f);
	p.table.rest.d.cycles = (uint64_t)-7;
	p.table.rest.known = 0;
	p.table.rest.flags = PROCESS_SKEW;
	f->about.processes = 1;
	char *text = recorded(f, "skew.csv");

	assert_string_equal(at(text, FIRST + 1, "row"), "unattributed");
	assert_string_equal(at(text, FIRST + 1, "cycles"), "");
	assert_string_equal(at(text, FIRST + 1, "quality"), "delayed");
	free(text);
	frames_free(f);
}

/* Names are whatever programs call themselves. */
UNIT(names_do_nothing)
{
	struct frames *f = frames_new();
	struct processes_of p;

	processes_make(&p, f);
	p.row[3].name = "\x1b]0;x\x07"
			"a\xe2\x80\xae"
			"b\r\n\xff";
	p.row[4].name = "=cmd|'/c calc'!A1";
	p.row[0].name = "a, \"b\"";
	p.row[2].name = "";
	f->about.processes = PROCESSES;
	char *text = recorded(f, "names.csv");

	assert_int_equal(lines_in(text), FIRST + PROCESSES + 2);
	assert_non_null(strstr(text, ",]0;xab\xef\xbf\xbd,ada,"));
	assert_non_null(strstr(text, ",'=cmd|'/c calc'!A1,ada,"));
	assert_non_null(strstr(text, ",\"a, \"\"b\"\"\",root,"));
	for (const char *c = text; *c != '\0'; c++)
		assert_true((unsigned char)*c >= ' ' || *c == '\n');
	assert_null(strstr(text, "\xe2\x80\xae"));
	free(text);
	frames_free(f);
}

UNIT(files_without_them_stay_as_they_are)
{
	struct frames *f = frames_new();
	char *plain = recorded(f, "plain.csv");
	struct processes_of p;

	processes_make(&p, f);
	char *text = recorded(f, "same.csv");

	assert_string_equal(plain, text);
	assert_int_equal(fields_in(text), column_count());
	free(text);
	f->about.processes = 4;
	f->frame.processes = NULL; /* they could not be read */
	text = recorded(f, "none.csv");
	assert_int_equal(lines_in(text), FIRST);
	for (const char *l = text; *l != '\0'; l = strchr(l, '\n') + 1)
		assert_int_equal(fields_in(l), column_count());
	free(text);
	free(plain);
	frames_free(f);
}

UNIT(every_row_is_as_wide)
{
	struct frames *f = frames_new();
	struct processes_of p;
	struct err e;

	processes_make(&p, f);
	f->about.processes = 4;
	f->about.rows = 0xf;
	struct sink *s = open_in(f, "wide.csv");

	assert_true(s->ops->frame(s, &f->frame, &e));
	assert_true(s->ops->mark(s, &f->frame, "here", &e));
	f->set.name[0] = 'x';
	f->frame.seq++;
	assert_true(s->ops->frame(s, &f->frame, &e));
	s->ops->close(s);
	char *text = slurp("wide.csv");

	for (const char *l = text; *l != '\0'; l = strchr(l, '\n') + 1)
		assert_int_equal(fields_in(l), column_count());
	free(text);
	frames_free(f);
}

/* The longest of everything, in as many rows as there can be. */
UNIT(the_longest_fit)
{
	struct frames *f = frames_new();
	char name[PROCESS_NAME_SIZE], user[PROCESS_USER_SIZE];
	struct processes_of p;
	struct err e;

	memset(name, '"', sizeof name - 1);
	memset(user, '"', sizeof user - 1);
	name[sizeof name - 1] = user[sizeof user - 1] = '\0';
	processes_make(&p, f);
	for (unsigned i = 0; i < PROCESSES; i++) {
		struct process_row *r = &p.row[i];

		memset(&r->d, 0x80, sizeof r->d); /* -9e18 */
		r->start = UINT64_MAX;
		r->pid = r->parent = INT32_MAX;
		r->uid = r->threads = UINT32_MAX;
		r->flags = UINT32_MAX;
		r->access = PROCESS_NO_COUNTERS;
		r->name = name;
		r->user = user;
		for (unsigned m = 0; m < PROCESS_METRICS; m++)
			r->value[m] = -123456789012345.678;
	}
	f->about.processes = PROCESSES;
	for (int json = 0; json < 2; json++) {
		const struct sink_ops *ops = json ? &sink_json : &sink_csv;
		struct sink *s = ops->open(path(json ? "l.json" : "l.csv"),
					   &f->about, &e);

		assert_non_null(s);
		if (!ops->frame(s, &f->frame, &e))
			fail_msg("%s", e.text);
		ops->close(s);
	}
	frames_free(f);
}

UNIT(json_has_the_same)
{
	struct frames *f = frames_new();
	struct processes_of p;
	struct err e;

	processes_make(&p, f);
	p.row[3].flags = PROCESS_BORN;
	f->about.processes = 1;
	struct sink *s = sink_json.open(path("one.json"), &f->about, &e);

	assert_non_null(s);
	assert_true(s->ops->frame(s, &f->frame, &e));
	s->ops->close(s);
	char *text = slurp("one.json");

	assert_int_equal(lines_in(text), FRAMES_CPUS + 3);
	assert_non_null(strstr(
		text, "\"row\":\"process\",\"run\":\"r0000000000001234\","
		      "\"sample\":0,"));
	assert_non_null(strstr(text, "\"quality\":[\"born\"],"));
	assert_non_null(strstr(
		text,
		"\"pid\":301,\"start\":1301,\"process\":\"compiler\",\"user\":\"ada\",\"uid\":501,\"threads\":3,\"pcycles\":2250000000,"));
	assert_non_null(strstr(
		text,
		"\"pid\":null,\"start\":null,\"process\":\"(other processes)\",\"user\":null,"));
	/* A core's. */
	assert_non_null(strstr(text, "\"pid\":null,\"start\":null,\"process\":"
				     "null,"));
	free(text);
	frames_free(f);
}

UNITS_IN(make_folder, remove_folder)

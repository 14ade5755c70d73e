#include "out/sink.h"

#include <cmocka.h>

#include "out/processes.h"
#include "out/recording.h"

struct page {
	struct frames *f;
	struct processes_of of;
	struct sink *s;
	char *text;
};

static void
begin(struct page *x, unsigned n)
{
	x->f = frames_new();
	processes_make(&x->of, x->f);
	x->f->about.processes = n;
	x->text = NULL;
	x->f->about.force = true;
	x->s = sink_openmetrics.open(path("p.prom"), &x->f->about, NULL);
	assert_non_null(x->s);
}

static void
end(struct page *x)
{
	free(x->text);
	x->s->ops->close(x->s);
	frames_free(x->f);
}

static void
feed(struct page *x)
{
	struct err e = { ERR_NONE, "" };

	if (!x->s->ops->frame(x->s, &x->f->frame, &e))
		fail_msg("%s", e.text);
}

static const char *
next(struct page *x)
{
	feed(x);
	free(x->text);
	return x->text = slurp("p.prom");
}

static unsigned
count(const char *text, const char *what)
{
	unsigned n = 0;

	while ((text = strstr(text, what)) != NULL) {
		text += strlen(what);
		n++;
	}
	return n;
}

#define COMPILER \
	"{pid=\"301\",process=\"compiler\",user=\"ada\",source=\"sim\"} "

UNIT(counters_of_the_busiest)
{
	struct page x;

	begin(&x, 2);
	const char *text = next(&x);

	HAS(text, "# TYPE ktop_process_user_seconds_total counter\n"
		  "ktop_process_user_seconds_total" COMPILER "0.675\n"
		  "ktop_process_user_seconds_total{pid=\"401\",");
	HAS(text, "ktop_process_system_seconds_total" COMPILER "0.225\n");
	HAS(text, "ktop_process_other_seconds_total" COMPILER "0.18\n");
	HAS(text, "ktop_process_cycles_total" COMPILER "2700000000\n");
	HAS(text, "ktop_process_instructions_total" COMPILER "5400000000\n");
	HAS(text, "ktop_process_ptime_seconds_total" COMPILER "0.72\n");
	HAS(text, "ktop_process_pcycles_total" COMPILER "2250000000\n");
	HAS(text, "ktop_process_energy_joules_total" COMPILER "0.9\n");
	HAS(text, "ktop_processes_cycles_total{source=\"sim\"} 4350000000\n");
	HAS(text, "ktop_processes_now{source=\"sim\"} 6\n");
	assert_int_equal(count(text, "\nktop_process_cycles_total{"), 2);
	text = next(&x);
	HAS(text, "ktop_process_cycles_total" COMPILER "5400000000\n");
	HAS(text, "ktop_processes_cycles_total{source=\"sim\"} 8700000000\n");
	end(&x);
}

/* One that is not shown for a while is counted on: no counter ever falls. */
UNIT(counters_never_fall)
{
	struct page x;

	begin(&x, 1);
	HAS(next(&x), "ktop_process_user_seconds_total" COMPILER "0.675\n");
	x.of.row[3] = process_made(301, "compiler", 100);
	x.of.row[4] = process_made(401, "indexer", 5000);
	assert_null(strstr(next(&x), "compiler"));
	/* It was gone, too. */
	x.of.table.n = 3;
	assert_null(strstr(next(&x), "compiler"));
	x.of.table.n = PROCESSES;
	x.of.row[3] = process_made(301, "compiler", 99000);
	HAS(next(&x), "ktop_process_user_seconds_total" COMPILER "75\n");
	end(&x);
}

/* Busy in a single frame is not busy: pages are read now and then. */
UNIT(the_last_minute_decides)
{
	struct page x;

	begin(&x, 1);
	for (unsigned i = 0; i < 5; i++)
		(void)next(&x);
	x.of.row[5] = process_made(501, "player", 1000);
	HAS(next(&x), "compiler");
	x.of.row[3] = process_made(301, "compiler", 0);
	for (unsigned i = 0; i < 60; i++)
		(void)next(&x);
	HAS(x.text, "player");
	end(&x);
}

UNIT(a_pid_stands_but_once)
{
	struct page x;

	begin(&x, PROCESSES);
	x.of.row[3].state = PROCESS_ENDED;
	x.of.row[4].pid = 301; /* the next life */
	const char *text = next(&x);

	assert_int_equal(count(text, "\nktop_process_cycles_total{pid=\"301\""),
			 1);
	HAS(text, "{pid=\"301\",process=\"indexer\"");
	end(&x);
}

UNIT(what_is_not_known_has_no_sample)
{
	struct page x;

	begin(&x, PROCESSES);
	x.of.table.parts.n = 1;
	x.of.row[3].name = "a\"\\\n\x1b\xe2\x80\xae"
			   "b";
	for (unsigned i = 0; i < PROCESSES; i++)
		x.of.row[i].known &= ~(uint32_t)PROCESS_HAS_ENERGY;
	const char *text = next(&x);

	assert_null(strstr(text, "sshd")); /* denied */
	assert_null(strstr(text, "ktop_process_p"));
	assert_null(strstr(text, "ktop_processes_p"));
	assert_null(strstr(text, "joules"));
	HAS(text, "process=\"a\\\"\\\\b\"");
	x.f->frame.processes = NULL;
	assert_null(strstr(next(&x), "ktop_process_"));
	end(&x);
}

UNIT(without_the_option_the_page_is_as_it_was)
{
	struct page x;

	begin(&x, 0);
	assert_null(strstr(next(&x), "ktop_process"));
	end(&x);
}

UNIT(the_longest_fit)
{
	char name[PROCESS_NAME_SIZE], user[PROCESS_USER_SIZE];
	struct page x;

	begin(&x, PROCESSES);
	memset(name, '\xff', sizeof name - 1);
	memset(user, '\\', sizeof user - 1);
	name[sizeof name - 1] = user[sizeof user - 1] = '\0';
	for (unsigned i = 0; i < PROCESSES; i++) {
		x.of.row[i].name = name;
		x.of.row[i].user = user;
		x.of.row[i].pid = INT32_MAX - (int)(PROCESSES - i);
		memset(&x.of.row[i].d, 0x11, sizeof x.of.row[i].d);
	}
	(void)next(&x);
	end(&x);
}

/* More live and die than there is room for. */
UNIT(the_gone_make_room)
{
	enum { MANY = PROCESS_ROWS_MAX - 96 };
	static struct process_row row[MANY];
	struct page x;

	begin(&x, PROCESSES);
	for (unsigned i = 0; i < MANY; i++) {
		row[i] =
			process_made((int32_t)i + 1, "short", i == 7 ? 900 : 1);
		row[i].start = 0;
	}
	x.of.table.row = row;
	x.of.table.n = MANY;
	for (unsigned frame = 0; frame < 4; frame++) {
		for (unsigned i = 1; i < MANY; i++)
			row[i].start++;
		feed(&x);
	}
	/* The last that was pid 8, twice, and one that was there all the time.
	 */
	HAS(next(&x), "ktop_process_cycles_total{pid=\"8\",process=\"short\","
		      "user=\"ada\",source=\"sim\"} 5400000000\n");
	HAS(x.text, "ktop_process_cycles_total{pid=\"1\",process=\"short\","
		    "user=\"ada\",source=\"sim\"} 15000000\n");
	end(&x);
}

UNITS_IN(make_folder, remove_folder)

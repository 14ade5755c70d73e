/* ktop stat --inject: a library in the command reads its threads' counters. */
#include "commands/stat.h"

#include <math.h>
#include <string.h>

#include "base/plural.h"
#include "stat/program.h"

/* ---- may it be? ---- */

static bool
check_programs(const struct stat_job *j, struct err *e)
{
	char path[1024];

	for (unsigned i = 0; i < j->n; i++)
		if (program_find(j->command[i].argv[0], path, sizeof path) &&
		    !program_takes_library(path, e))
			return false;
	return true;
}

bool
stat_inject_check(const struct stat_job *j, struct err *e)
{
	return !j->o->inject ||
	       (inject_allowed(&j->o->source, e) && check_programs(j, e));
}

/* What happens to the command is said before it does. */
static void
announce(const struct stat_job *j)
{
	bool sim = j->o->source.sim != NULL;

	if (!j->o->quiet)
		err_print(
			"a library is loaded into the command, and all it starts%s: its threads read their own counters where they begin and end",
			sim ? "" : ", which run as root");
}

bool
stat_inject_open(struct stat_job *j, struct err *e)
{
	const struct options *o = j->o;
	const struct eventset *set;
	struct counter *c = j->counter;

	if (!o->inject)
		return true;
	if (j->machine == NULL)
		return err_set(
			e, j->no_machine.code,
			"--inject: ktop has to hold the counters meanwhile, and does not: %s",
			j->no_machine.text);
	if (!meanwhile_threads(j->machine, &j->threads, e))
		return false;
	if (j->threads.counters > INJECT_COLUMNS)
		return err_set(e, ERR_FAIL,
			       "--inject knows %d counters, not %u",
			       INJECT_COLUMNS, j->threads.counters);
	j->inject = inject_open(&o->source, e);
	if (j->inject == NULL)
		return false;
	set = meanwhile_set(j->machine, &c->events);
	c->nevents = set != NULL ? set->len : 0;
	for (unsigned i = 0; i < c->nevents; i++)
		snprintf(c->event[i], COUNTER_NAME_SIZE, "%s",
			 set->slot[i].event->name);
	announce(j);
	return true;
}

void
stat_inject_close(struct stat_job *j)
{
	inject_close(j->inject);
	j->inject = NULL;
}

/* ---- around a run ---- */

static void
note_why(struct stat_command *c, const char *why)
{
	snprintf(c->unseen, sizeof c->unseen, "%s", why);
}

bool
stat_inject_begin(struct stat_job *j, struct err *e)
{
	struct err why;

	j->injected = false;
	if (j->inject == NULL)
		return true;
	/* This run is counted without, the next perhaps with it. */
	if (!meanwhile_threads(j->machine, &j->threads, &why))
		return true;
	j->injected = inject_begin_run(j->inject, j->threads.counters, e);
	return j->injected;
}

static void
add_seen(struct inject_seen *to, const struct inject_seen *s)
{
	to->loaded += s->loaded;
	to->forked += s->forked;
	to->begun += s->begun;
	to->ended += s->ended;
	to->refused += s->refused;
	if (s->error != 0)
		to->error = s->error;
	for (unsigned i = 0; i < INJECT_COLUMNS; i++)
		to->sum[i] += s->sum[i];
}

/* What the library left, if it is of the events that were asked for. */
static bool
take_seen(struct stat_job *j, struct stat_command *c, struct inject_seen *seen)
{
	struct source_threads now;
	struct err e = { ERR_NONE, "" };

	if (!j->injected) {
		note_why(c, "ktop did not hold the counters");
		return false;
	}
	if (!inject_end_run(j->inject, seen, &e)) {
		note_why(c, e.text);
		return false;
	}
	if (!meanwhile_threads(j->machine, &now, &e) ||
	    now.epoch != j->threads.epoch) {
		note_why(
			c,
			"another tool set the counters meanwhile, or they were given back");
		return false;
	}
	return true;
}

void
stat_inject_end(struct stat_job *j, struct stat_command *c, bool counted,
		struct stat_run *run)
{
	struct inject_seen seen = { .begun = 0 };
	bool known;

	if (j->inject == NULL)
		return;
	known = take_seen(j, c, &seen);
	for (unsigned i = 0; i < j->counter->nevents; i++)
		run->end.event[i] =
			known && inject_whole(&seen) &&
					(j->threads.left_out >> i & 1) == 0
				? (double)seen.sum[j->threads.slot[i]]
				: (double)NAN;
	if (!counted)
		return;
	if (known)
		add_seen(&c->seen, &seen);
	c->partly = c->partly || (known && !inject_whole(&seen));
	c->seen_of += (run->end.known & PROCESS_HAS_COUNTS) != 0
			      ? (double)run->end.total.cycles
			      : (double)NAN;
}

/* ---- what came of it ---- */

bool
stat_inject_value(const struct stat_job *j, const struct stat_command *c,
		  unsigned i, const char **name, double *value)
{
	const struct inject_seen *s = &c->seen;
	const struct source_threads *t = &j->threads;
	const struct {
		const char *name;
		uint64_t value;
	} of[STAT_INJECT_EVENT] = {
		{ "programs_with_library", s->loaded },
		{ "processes_forked", s->forked },
		{ "threads_begun", s->begun },
		{ "threads_ended", s->ended },
		{ "threads_refused", s->refused },
		{ value_texts[VALUE_CYCLES].name, s->sum[t->cycles] },
		{ value_texts[VALUE_INSTRUCTIONS].name,
		  s->sum[t->instructions] },
	};

	if (i < STAT_INJECT_EVENT) {
		*name = of[i].name;
		*value = (double)of[i].value;
		return true;
	}
	i -= STAT_INJECT_EVENT;
	if (i >= j->counter->nevents)
		return false;
	*name = j->counter->event[i];
	*value = s->ended == 0 || (t->left_out >> i & 1) != 0
			 ? (double)NAN
			 : (double)s->sum[t->slot[i]];
	return true;
}

const char *
stat_inject_why(const struct stat_command *c)
{
	return c->unseen[0] != '\0' ? c->unseen
	       : c->partly          ? "a thread was not seen to its end"
				    : "macOS refuses this event";
}

/* Threads that it saw only in part are in no sum. */
static void
put_threads(struct buf *b, const struct inject_seen *s)
{
	uint64_t lost = s->begun - s->ended;

	buf_printf(b, "%llu %s of %llu %s", (unsigned long long)s->begun,
		   s->begun == 1 ? "thread" : "threads",
		   (unsigned long long)s->loaded,
		   s->loaded == 1 ? "program" : "programs");
	if (s->forked > 0)
		buf_printf(b, " and %llu %s", (unsigned long long)s->forked,
			   s->forked == 1 ? "fork" : "forks");
	if (inject_whole(s))
		buf_str(b, s->begun == 1
				   ? ", from its beginning to its end"
				   : ", each from its beginning to its end");
	else if (lost > 0)
		buf_printf(
			b,
			", %llu not to the end (killed, gone by _exit or exec, or at work when the process ended)",
			(unsigned long long)lost);
	if (s->refused > 0)
		buf_printf(b, "; their own counters were refused them (%s)",
			   s->error != 0 ? strerror(s->error)
					 : "they went back");
}

/* Of all that the system gives it: what it counted before it had the library
 * is among that, and what a program without it did. */
static void
put_share(struct buf *b, const struct stat_job *j, const struct stat_command *c)
{
	double seen = (double)c->seen.sum[j->threads.cycles];

	if (!(c->seen_of > 0) || c->seen.ended == 0)
		return;
	if (seen <= c->seen_of)
		buf_printf(b, "; they have %.0f %% of its cycles",
			   100 * seen / c->seen_of);
	else
		buf_str(b,
			"; they have more cycles than the system's account of it");
}

static void
print_sums(struct stat_job *j, const struct stat_command *c)
{
	const char *name;
	double value;

	for (unsigned i = STAT_INJECT_EVENT;
	     stat_inject_value(j, c, i, &name, &value); i++)
		if (isnan(value))
			fprintf(j->text.out, "   %-36s not counted\n", name);
		else
			fprintf(j->text.out, "   %-36s %17.0f\n", name, value);
}

static void
print_command(struct stat_job *j, const struct stat_command *c)
{
	const struct inject_seen *s = &c->seen;
	char text[800];
	struct buf b = buf_over(text, sizeof text);

	if (j->n > 1)
		buf_printf(&b, "Events of %s", c->letter);
	else
		buf_str(&b, "Its events");
	if (s->begun == 0) {
		buf_printf(&b, " are not counted: %s.",
			   c->unseen[0] != '\0'
				   ? c->unseen
				   : "no program of it loaded the library");
		fprintf(j->text.out, "%s\n", buf_cstr(&b));
		return;
	}
	buf_printf(&b, ", by a library in it (%s): ",
		   counter_events_domain(j->counter) == DOMAIN_USER
			   ? "user mode"
			   : "all modes");
	put_threads(&b, s);
	put_share(&b, j, c);
	if (c->unseen[0] != '\0')
		buf_printf(&b, "; not of every run: %s", c->unseen);
	buf_str(&b, ". Nothing is scaled up.");
	fprintf(j->text.out, "%s\n", buf_cstr(&b));
	if (!inject_whole(s) && s->ended > 0)
		print_sums(j, c);
}

void
stat_inject_text(struct stat_job *j)
{
	if (j->inject == NULL)
		return;
	fputs("\n", j->text.out);
	for (unsigned i = 0; i < j->n; i++)
		print_command(j, &j->command[i]);
}

#include "commands/stat.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "app/app.h"
#include "base/parse.h"
#include "commands/command.h"
#include "process/child.h"
#include "process/caller.h"
#include "process/signals.h"

enum { RUNS_MAX = 100000, SEEDS = 1000000 };

static bool
find_process(struct stat_job *j, int32_t *pid, struct err *e)
{
	struct stat_command *c = &j->command[0];
	uint64_t v;

	if (j->o->cmd.exec != NULL)
		return err_set(
			e, ERR_USAGE,
			"--pid counts a running process, not a command; omit one of them");
	if (!parse_u64(j->o->stat.process, INT32_MAX, &v) || v == 0)
		return err_set(e, ERR_USAGE, "--pid '%s' is not a process id",
			       j->o->stat.process);
	*pid = (int32_t)v;
	j->n = j->group = 1;
	c->letter[0] = 'A';
	snprintf(c->name, sizeof c->name, "process %d", (int)*pid);
	return true;
}

static bool
job_check_options(const struct stat_job *j, struct err *e)
{
	const struct options *o = j->o;
	bool process = o->stat.process != NULL;

	if (process && (o->stat.runs != 1 || o->stat.warmups > 0 ||
			o->stat.prepare != NULL || o->stat.input != NULL ||
			o->stat.setup != NULL || o->stat.cleanup != NULL ||
			o->stat.nparameters > 0))
		return err_set(
			e, ERR_USAGE,
			"--pid counts a running process: omit --runs, --warmups, --setup, --prepare, --cleanup, --parameter and --input");
	if (o->stat.blocks && o->stat.runs == 0)
		return err_set(
			e, ERR_USAGE,
			"--runs auto needs all commands in each round, which --blocks prevents; omit one of them");
	if (o->stat.runs > RUNS_MAX || o->stat.warmups > RUNS_MAX)
		return err_set(e, ERR_USAGE, "stat makes at most %d runs",
			       RUNS_MAX);
	if (o->stat.fail_above != NULL &&
	    (j->n < 2 || (o->stat.runs > 0 && o->stat.runs < STAT_CLAIM_RUNS)))
		return err_set(
			e, ERR_USAGE,
			"--fail-above needs a second command and %d runs of each: -r %d -- CMD --vs CMD",
			STAT_CLAIM_RUNS, STAT_CLAIM_RUNS);
	return true;
}

static bool
find_gate_value(struct stat_job *j, const char *word, struct err *e)
{
	const char *names[VALUES];
	unsigned n = 0;

	for (unsigned i = 0; i < VALUES; i++) {
		struct value_texts t;

		if (!value_texts(j->counter, i, &t) || t.part[0] != '\0')
			continue;
		j->gate_name = names[n++] = t.name;
		j->gate_value = i;
		if (strcmp(word, t.name) == 0)
			return true;
	}
	return options_unknown(e, "value of --fail-above", word, names, n,
			       NULL);
}

static bool
find_gate(struct stat_job *j, struct err *e)
{
	const char *text = j->o->stat.fail_above;
	double pct;

	if (text == NULL)
		return true;
	const char *colon = strchr(text, ':');

	if (colon == NULL ||
	    !option_parse_percent(text, (size_t)(colon - text), &pct))
		return err_set(
			e, ERR_USAGE,
			"--fail-above '%s' is not a percentage and a value, like 1%%:instructions",
			text);
	j->gate = 1 + pct / 100;
	return find_gate_value(j, colon + 1, e);
}

/* Each run must read the same input, but a pipe can be read only once. */
static bool
open_input(struct stat_job *j, struct err *e)
{
	const struct options *o = j->o;
	struct stat st;

	j->input_at = -1;
	if (o->stat.input != NULL) {
		int fd = open_as_caller(o->stat.input, O_RDONLY | O_CLOEXEC);

		if (fd < 0 || dup2(fd, STDIN_FILENO) < 0)
			return err_set(e, ERR_FAIL, "--input %s: %s",
				       o->stat.input, strerror(errno));
		close(fd);
	}
	if (o->stat.process != NULL || fstat(STDIN_FILENO, &st) != 0)
		return true;
	if ((S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode)) &&
	    (o->stat.runs == 0 || j->n * (o->stat.runs + o->stat.warmups) > 1))
		return err_set(
			e, ERR_USAGE,
			"%s is a pipe, which only the first run could read; use --input FILE, or </dev/null if the commands read no input",
			o->stat.input != NULL ? o->stat.input
					      : "standard input");
	if (S_ISREG(st.st_mode))
		j->input_at = lseek(STDIN_FILENO, 0, SEEK_CUR);
	return true;
}

struct looks {
	struct stat_job *j;
	double at_s;
	struct counter_reading before;
};

static void
looks_take(void *self, double at_s, const struct counter_reading *now)
{
	struct looks *l = self;
	struct stat_job *j = l->j;
	struct counter_reading d = *now;
	double interval_s = at_s - l->at_s;

	d.total.cycles -= l->before.total.cycles;
	d.total.instructions -= l->before.total.instructions;
	d.cpu_s -= l->before.cpu_s;
	stat_text_look(j, at_s, interval_s, &d);
	(void)fflush(j->text.out);
	for (unsigned i = 0; i < j->nrows; i++)
		stat_rows_look(j, &j->rows[i], at_s, interval_s, &d);
	l->before = *now;
	l->at_s = at_s;
}

static int64_t
looks_tell_machine(void *self, enum stat_moment moment)
{
	return stat_machine_tell(((struct looks *)self)->j, moment);
}

static struct stat_watch
watch_of(struct looks *l, bool all)
{
	const struct stat_job *j = l->j;

	return (struct stat_watch){
		.interval_ns = all ? j->o->stat.interval_ns : 0,
		.look = looks_take,
		.machine =
			all && j->machine != NULL ? looks_tell_machine : NULL,
		.self = l,
	};
}

/* Runs a shell command (NULL: none). A stop signal is passed to the command and
 * stored in j->stopped. */
static bool
do_shell(struct stat_job *j, const char *option, const char *line,
	 const sigset_t *wait, struct err *e)
{
	char shell[] = "sh", minus_c[] = "-c", text[4096];
	char *argv[] = { shell, minus_c, text, NULL };
	struct child c;

	if (line == NULL)
		return true;
	if (strlen(line) >= sizeof text)
		return err_set(
			e, ERR_USAGE,
			"the shell command of --%s has more than %zu bytes; put it in a script",
			option, sizeof text - 1);
	snprintf(text, sizeof text, "%s", line);
	if (!child_prepare(&c, argv, wait, 0, e) || !child_exec(&c, argv[0], e))
		return false;
	while (!child_ended(&c)) {
		sigset_t mask = *wait;

		(void)sigsuspend(&mask);
		int stop = signals_take(SIGNAL_STOP);

		if (stop == 0)
			continue;
		j->stopped = stop;
		signals_forward(stop, c.pid);
	}
	if (c.code == 0 || j->stopped != 0)
		return true;
	return err_set(e, ERR_FAIL,
		       "the shell command of --%s ended with %d: %s", option,
		       c.code, line);
}

static bool
shows_progress(const struct stat_job *j)
{
	const char *term = getenv("TERM");

	return !j->o->stat.quiet && j->n * j->runs > 1 &&
	       isatty(STDERR_FILENO) && !isatty(STDOUT_FILENO) &&
	       term != NULL && strcmp(term, "dumb") != 0;
}

/* turn: number of the run, from 1; 0: a warm-up; above the number of runs:
 * clears the line. The time left is estimated from earlier runs, or with --runs
 * auto from STAT_AUTO_S. */
static void
show_progress(const struct stat_job *j, const struct stat_command *c,
	      unsigned turn)
{
	const int width = 20;
	unsigned all = j->n * j->runs, done = turn - 1;
	double left_s = turn > 1 ? j->ran_s / done * (all - done) : 0;
	double share = (double)done / all;

	if (!shows_progress(j))
		return;
	fputs("\r\033[K", stderr);
	if (j->automatic) {
		left_s = STAT_AUTO_S - j->ran_s;
		share = fmin(j->ran_s / STAT_AUTO_S, 1);
	}
	if (turn == 0) {
		fprintf(stderr, "warm-up: %s", c->name);
	} else if (turn <= all) {
		int bar = (int)ceil(share * width);

		fprintf(stderr, "[%.*s%*s] run %u", bar,
			"====================", width - bar, "", turn);
		if (!j->automatic)
			fprintf(stderr, " of %u", all);
		if (left_s >= 1)
			fprintf(stderr, ", %s%.0f s left",
				j->automatic ? "at most " : "", left_s);
		fprintf(stderr, ": %s", c->name);
	}
	(void)fflush(stderr);
}

static void
note_run(struct stat_job *j, struct stat_command *c, const struct stat_run *run)
{
	value_set_add(&c->values, j->counter, run);
	j->ran_s += run->elapsed_s;
	if (run->code != 0) {
		c->failed++;
		j->code = c->code = run->code;
	}
	if (j->counter->others > c->others)
		c->others = j->counter->others;
	if ((run->end.flags & PROCESS_SCALED) != 0)
		c->scaled = true;
}

static bool
run_once(struct stat_job *j, struct stat_command *c, const sigset_t *wait,
	 bool warmup, struct stat_run *run, struct err *e)
{
	struct looks l = { .j = j };
	const struct stat_watch watch = watch_of(&l, !warmup);

	j->now = c;
	*run = (struct stat_run){ .started = false };
	if (!do_shell(j, "prepare", c->prepare, wait, e))
		return false;
	if (j->stopped != 0)
		return true;
	if (j->input_at >= 0)
		(void)lseek(STDIN_FILENO, j->input_at, SEEK_SET);
	if (!stat_run_command(j->counter, c->argv, wait, &watch, run, e))
		return false;
	if (!warmup && run->started)
		stat_machine_note(j, c, run);
	j->stopped = run->stopped;
	return true;
}

/* Keeps an interrupted run only if no run has completed. */
static void
note_cut(struct stat_job *j, struct stat_command *c, const struct stat_run *run)
{
	for (unsigned i = 0; i < j->n; i++)
		if (j->command[i].values.n > 0)
			return;
	if (!run->started)
		return;
	j->partial = true;
	note_run(j, c, run);
	c->failed = 0;
}

/* True: STAT_AUTO_LEAST runs or more give all times and ratios to 1 %. */
static bool
is_narrow(const struct stat_job *j)
{
	for (unsigned i = 0; i < j->n; i++) {
		const struct stat_command *c = &j->command[i];
		struct stat_series s;
		struct stat_change d;

		value_describe(&c->values, VALUE_ELAPSED, -1, &s);
		if (s.n < STAT_AUTO_LEAST ||
		    !(s.half <= STAT_AUTO_HALF * s.mean))
			return false;
		if (stat_base(j, c) == NULL)
			continue;
		stat_job_compare(j, i, VALUE_ELAPSED, false, &d);
		if (!(d.high - d.low <= 2 * STAT_AUTO_HALF * d.ratio))
			return false;
	}
	return true;
}

static bool
set_up(struct stat_job *j, struct stat_command *c, const sigset_t *wait,
       struct err *e)
{
	c->is_set_up = true;
	return do_shell(j, "setup", c->setup, wait, e) && j->stopped == 0;
}

/* Runs --cleanup, also after an error or ^C. *e keeps an earlier error. */
static void
clean_up(struct stat_job *j, struct stat_command *c, const sigset_t *wait,
	 struct err *e)
{
	struct err own = { ERR_NONE, "" };

	if (!c->is_set_up)
		return;
	c->is_set_up = false;
	if (!do_shell(j, "cleanup", c->cleanup, wait, &own) &&
	    e->code == ERR_NONE)
		*e = own;
}

static bool
warm_up(struct stat_job *j, struct stat_command *c, const sigset_t *wait,
	struct stat_run *run, struct err *e)
{
	show_progress(j, c, 0);
	return run_once(j, c, wait, true, run, e) && j->stopped == 0;
}

static bool
begin_runs(struct stat_job *j, unsigned from, unsigned to, const sigset_t *wait,
	   struct stat_run *run, struct err *e)
{
	bool ok = true;

	for (unsigned i = from; ok && i < to; i++)
		ok = set_up(j, &j->command[i], wait, e);
	for (uint64_t w = 0; ok && w < j->o->stat.warmups; w++)
		for (unsigned i = from; ok && i < to; i++)
			ok = warm_up(j, &j->command[i], wait, run, e);
	return ok;
}

static bool
count_run(struct stat_job *j, struct stat_command *c, const sigset_t *wait,
	  struct stat_run *run, struct err *e)
{
	bool ok = run_once(j, c, wait, false, run, e);

	if (ok && j->stopped != 0)
		note_cut(j, c, run);
	else if (ok)
		note_run(j, c, run);
	return ok && j->stopped == 0;
}

static bool
run_in_order(struct stat_job *j, const unsigned *order, const sigset_t *wait,
	     struct stat_run *run, struct err *e)
{
	unsigned n = j->n * j->runs;
	bool blocks = j->n > 1 && j->o->stat.blocks;
	bool ok = blocks || begin_runs(j, 0, j->n, wait, run, e);

	for (unsigned i = 0; ok && i < n; i++) {
		struct stat_command *c = &j->command[order[i]];

		if (blocks && i % j->runs == 0)
			ok = begin_runs(j, order[i], order[i] + 1, wait, run,
					e);
		show_progress(j, c, i + 1);
		ok = ok && count_run(j, c, wait, run, e);
		if (blocks && (i + 1) % j->runs == 0)
			clean_up(j, c, wait, e);
		if (j->automatic && (i + 1) % j->n == 0 &&
		    (j->ran_s >= STAT_AUTO_S || is_narrow(j)))
			break;
	}
	show_progress(j, NULL, n + 1);
	for (unsigned i = 0; i < j->n; i++)
		clean_up(j, &j->command[i], wait, e);
	return e->code == ERR_NONE;
}

static bool
run_all(struct stat_job *j, const sigset_t *wait, struct stat_run *run,
	struct err *e)
{
	unsigned *order, n = j->n * j->runs;

	order = calloc(n, sizeof *order);
	if (order == NULL)
		return err_set(e, ERR_FAIL, "out of memory");
	if (j->by_turns)
		stat_order(j->seed, j->n, j->runs, order);
	else
		for (unsigned i = 0; i < n; i++)
			order[i] = i / j->runs;
	bool ok = run_in_order(j, order, wait, run, e);

	free(order);
	return ok;
}

static bool
run_process(struct stat_job *j, int32_t pid, const sigset_t *wait,
	    struct err *e)
{
	struct looks l = { .j = j };
	const struct stat_watch watch = watch_of(&l, true);
	struct stat_run run;

	j->now = &j->command[0];
	if (!stat_run_process(j->counter, pid, wait, &watch, &run, e))
		return false;
	stat_machine_note(j, &j->command[0], &run);
	note_run(j, &j->command[0], &run);
	j->stopped = run.stopped;
	j->partial = true;
	return true;
}

static bool
open_outputs(struct stat_job *j, struct err *e)
{
	const struct options *o = j->o;
	const char *path[] = { o->out.file[OUTPUT_CSV],
			       o->out.file[OUTPUT_JSON] };
	const enum report_form form[] = { REPORT_CSV, REPORT_JSON };

	if (!report_open_file(&j->text, REPORT_TEXT,
			      o->stat.report != NULL ? o->stat.report : "-",
			      o->out.force, e))
		return false;
	if (!j->text.owned)
		j->text.out = stderr;
	if (o->stat.markdown != NULL &&
	    !report_open_file(&j->markdown, REPORT_TEXT, o->stat.markdown,
			      o->out.force, e))
		return false;
	for (unsigned i = 0; i < 2; i++)
		if (path[i] != NULL &&
		    !report_open_file(&j->rows[j->nrows++], form[i], path[i],
				      o->out.force, e))
			return false;
	return true;
}

static bool
report_all(struct stat_job *j, struct err *e)
{
	if (j->command[0].values.n == 0)
		return true;
	stat_claims(j);
	stat_text(j);
	bool ok = report_close(&j->text, e);

	if (j->markdown.owned) {
		stat_markdown(j);
		ok = report_close(&j->markdown, e) && ok;
	}

	for (unsigned i = 0; i < j->nrows; i++) {
		stat_rows(j, &j->rows[i]);
		ok = report_close(&j->rows[i], e) && ok;
	}
	return ok;
}

/* False: command i exceeds --fail-above, or is not comparable; prints why. */
static bool
passes_one(const struct stat_job *j, unsigned i)
{
	const struct stat_command *c = &j->command[i], *a = stat_base(j, c);
	struct stat_change d;

	if (a == NULL)
		return true;
	stat_job_compare(j, i, j->gate_value, false, &d);
	if (isnan(d.low))
		err_print(
			"%s of %s and %s cannot be compared, so --fail-above %s fails: %s",
			j->gate_name, a->letter, c->letter,
			j->o->stat.fail_above,
			j->counter->why[0] != '\0'
				? j->counter->why
				: "not every run has both values");
	else if (d.low > j->gate)
		err_print(
			"%s needs %.3f times the %s of %s (95 %% interval: %.3f to %.3f), more than --fail-above %s allows",
			c->letter, d.ratio, j->gate_name, a->letter, d.low,
			d.high, j->o->stat.fail_above);
	else
		return true;
	return false;
}

static bool
passes_gate(const struct stat_job *j)
{
	bool ok = true;

	for (unsigned i = 0; j->o->stat.fail_above != NULL && i < j->n; i++)
		ok = passes_one(j, i) && ok;
	return ok;
}

static bool
prepare_job(struct stat_job *j, int32_t *pid, sigset_t *wait, struct err *e)
{
	const struct options *o = j->o;

	if (o->stat.process == NULL && o->cmd.exec == NULL)
		return err_set(
			e, ERR_USAGE,
			"stat needs a command or a process: ktop stat -- CMD ARGS [--vs CMD ARGS], or ktop stat -p PID");
	if (!(o->stat.process != NULL ? find_process(j, pid, e)
				      : stat_find_commands(j, e)) ||
	    !job_check_options(j, e) || !open_input(j, e))
		return false;
	j->automatic = o->stat.runs == 0;
	j->runs = j->automatic ? STAT_AUTO_MOST : (unsigned)o->stat.runs;
	j->by_turns = j->n > 1 && j->runs > 1 && !o->stat.blocks;
	j->seed = o->stat.seed != 0
			  ? o->stat.seed
			  : (uint64_t)time(NULL) * 2654435761u % SEEDS + 1;
	for (unsigned i = 0; i < j->n; i++)
		if (!value_set_init(&j->command[i].values, j->runs))
			return err_set(e, ERR_FAIL, "out of memory");
	signals_open(wait);
	/* The simulation must start before the counter is opened. */
	stat_machine_open(j);
	j->counter = o->stat.null ? counter_none_open("--null asks for none", e)
				  : counter_open(o, e);
	if (j->counter == NULL || !stat_machine_check(j, *pid, e) ||
	    !find_gate(j, e))
		return false;
	if (o->require_pmu && j->counter->domain == DOMAIN_NONE)
		return err_set(e, ERR_NO_PMU, "%s", j->counter->why);
	return open_outputs(j, e);
}

static int
perform(struct stat_job *j)
{
	struct err e = { ERR_NONE, "" };
	struct stat_run run = { .started = false };
	int32_t pid = 0;
	sigset_t wait;

	if (!prepare_job(j, &pid, &wait, &e))
		return err_fail(&e);
	if (!(pid > 0 ? run_process(j, pid, &wait, &e)
		      : run_all(j, &wait, &run, &e))) {
		int code = err_fail(&e);

		/* run.code: exit code for a command that cannot start. */
		return pid == 0 && !run.started && run.code != 0 ? run.code
								 : code;
	}
	int code = j->o->stat.ignore_failure ? 0 : j->code;

	if (j->stopped != 0)
		code = 128 + j->stopped;

	if (!report_all(j, &e))
		return err_fail(&e);
	return code == 0 && !passes_gate(j) ? ERR_FAIL : code;
}

static void
drop_file(struct report *r)
{
	if (!r->owned)
		return;
	fclose(r->out);
	(void)unlink(r->name);
	r->owned = false;
}

int
command_stat(const struct options *o)
{
	struct stat_job *j = calloc(1, sizeof *j);
	struct err none = { ERR_FAIL, "out of memory" };

	if (j == NULL)
		return err_fail(&none);
	j->o = o;
	int code = perform(j);

	if (j->command[0].values.n == 0) {
		drop_file(&j->text);
		drop_file(&j->markdown);
		for (unsigned i = 0; i < j->nrows; i++)
			drop_file(&j->rows[i]);
	}
	for (unsigned i = 0; i < j->n; i++)
		value_set_free(&j->command[i].values);
	counter_close(j->counter);
	if (!stat_machine_close(j) && code == 0)
		code = ERR_FAIL;
	stat_forget_commands(j);
	free(j);
	return code;
}

/*
 * The one part of the report that changes the machine: with all counters
 * taken. Signals wait until everything is back; a crash puts it back through
 * the rescue that kperf_acquire sets. Nothing is printed meanwhile, for a
 * pager that is not read must not keep the counters.
 */
#include "commands/doctor/doctor.h"

#include <stdlib.h>

#include "process/crash.h"

/* Text that waits in memory. */
struct held_text {
	FILE *file;
	char *at;
	size_t len;
};

static bool
open_text(struct held_text *t)
{
	*t = (struct held_text){ NULL, NULL, 0 };
	t->file = open_memstream(&t->at, &t->len);
	return t->file != NULL;
}

static void
print_text(struct held_text *t, FILE *out)
{
	if (t->file == NULL)
		return;
	(void)fclose(t->file);
	(void)fwrite(t->at, 1, t->len, out);
	free(t->at);
}

bool
doctor_interrupted(const struct doctor *d)
{
	sigset_t pending;

	if (sigpending(&pending) != 0)
		return false;
	for (int s = 1; s < 32; s++)
		if (sigismember(&d->stop, s) == 1 &&
		    sigismember(&pending, s) == 1)
			return true;
	return false;
}

/* ^Z as well: a stopped doctor would go on holding the counters. */
void
doctor_block(const struct doctor *d, sigset_t *old)
{
	sigset_t block = d->stop;

	(void)sigaddset(&block, SIGTSTP);
	(void)sigprocmask(SIG_BLOCK, &block, old);
}

/* Takes one of the signals that wait off the list. */
static int
take_signal(const struct doctor *d)
{
	int number = 0;

	if (!doctor_interrupted(d) || sigwait(&d->stop, &number) != 0)
		return 0;
	return number;
}

/* With the counters ours. */
static void
examine(struct doctor *d, FILE *out)
{
	doctor_calls_ask(d, DOCTOR_FORCED);
	if (d->k->events.db != NULL) {
		doctor_events(d, out);
		doctor_presets(d, out);
		doctor_kernel(d, out);
	}
	if (!doctor_interrupted(d))
		doctor_reads(d, out);
	doctor_loops(d, out);
}

static bool
acquire(struct doctor *d)
{
	if (d->o->ipc) {
		return err_set(&d->found.full, ERR_NONE,
			       "not tried: --ipc was given; leave it out");
	}
	if (d->source->info.mode == SOURCE_BUSY_ONLY) {
		d->found.full = d->source->info.why;
		return false;
	}
	doctor_watch_phase(d, "take");
	d->found.force_ns = doctor_now_ns();
	d->found.forced = kperf_acquire(d->k, &d->found.full);
	d->found.force_ns = doctor_now_ns() - d->found.force_ns;
	doctor_watch_phase(d, "set");
	return d->found.forced;
}

static void
forced_part(struct doctor *d, struct held_text *text)
{
	void *stack = crash_open("\nktop doctor crashed; the counters are put "
				 "back. Please send this line and the\n"
				 "command you gave\n");

	doctor_watch_begin(d);
	if (acquire(d)) {
		if (text->file != NULL)
			examine(d, text->file);
	} else if (text->file != NULL && d->found.ipc.text[0] == '\0') {
		doctor_reads(d, text->file);
		doctor_loops(d, text->file);
	}
	/* Also what a failed kperf_acquire has taken. */
	doctor_watch_phase(d, "back");
	(void)kperf_give_back(d->k, &d->found.restore);
	doctor_watch_end(d);
	crash_close(stack);
}

int
doctor_forced(struct doctor *d)
{
	struct held_text text;
	sigset_t old;
	int number;

	(void)fflush(d->out);
	(void)open_text(&text);
	doctor_block(d, &old);
	doctor_calls_ask(d, DOCTOR_BEFORE);
	forced_part(d, &text);
	doctor_calls_ask(d, DOCTOR_AFTER);
	number = take_signal(d);
	(void)sigprocmask(SIG_SETMASK, &old, NULL);

	doctor_calls(d);
	doctor_watch_print(d);
	if (d->found.forced)
		report_line(d->out, "force", "taken in %lld us",
			    (long long)(d->found.force_ns / 1000));
	else
		report_line(d->out, "force", "no: %s", d->found.full.text);
	if (number != 0)
		report_line(d->out, "interrupted",
			    "by signal %d; the parts below are cut short",
			    number);
	print_text(&text, d->out);
	return number;
}

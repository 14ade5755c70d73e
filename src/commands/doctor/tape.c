/*
 * ktop doctor --tape FILE: an ordinary run, every framework call of which goes
 * to FILE. It makes the calls that ktop makes with the same options, so that
 * ktop --sim tape=FILE can play it; after TURN readings it goes through the
 * other presets.
 */
#include "commands/doctor/doctor.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "commands/doctor/commands.h"
#include "process/crash.h"
#include "base/plural.h"
#include "base/ticker.h"
#include "kperf/tape/tape.h"
#include "model/metric.h"
#include "sim/sim.h"
#include "sim/tape.h"
#include "source/kperf/examine.h"
#include "process/open_as.h"
#include "source/kperf/kperf.h"

enum {
	SECONDS = 30,
	SLICE_NS = 100 * 1000 * 1000,
	TURN = 6 /* readings of a preset before the next; --rotate: 1 */
};

struct taping {
	struct doctor *d;
	struct source *source;
	struct sample *sample;
	struct tape_recorder *r;
	uint64_t frames, wanted;
	unsigned sets, at; /* of the presets below */
	unsigned npresets, turn;
	int preset[OPTIONS_ROTATE_MAX];
};

static void
read_once(struct taping *t)
{
	(void)kperf_read(t->source, t->sample, NULL);
}

/* A set, and the reading at once that is its baseline, as the loop does. */
static void
program(struct taping *t, const struct preset *p)
{
	const struct source_info *i = &t->source->info;
	struct eventset set;
	struct err e = { ERR_NONE, "" };

	if (i->catalog == NULL ||
	    !preset_derive(p, i->catalog, i->domain, &set, &e))
		return;
	if (!kperf_program(t->source, &set, &e)) {
		report_line(t->d->x.out, p->name, "%s", e.text);
		return;
	}
	t->sets++;
	read_once(t);
}

/* True: the deadline has come; false: a signal has. */
static bool
sleep_until(struct taping *t, const struct clock *c, int64_t until_ns)
{
	while (!doctor_interrupted(t->d)) {
		struct stamp now;
		int64_t left;

		clock_now(c, &now);
		left = until_ns - now.awake_ns;
		if (left <= 0)
			return true;
		/* Signals are blocked, so look for them now and then. */
		clock_pause(c, left < SLICE_NS || c->stepped ? left : SLICE_NS);
	}
	return false;
}

static void
run(struct taping *t)
{
	const struct clock *c = t->source->info.clock;
	struct ticker ticker;
	struct stamp now;
	uint64_t missed;
	int64_t late;

	if (!t->d->o->ipc)
		program(t, &preset_table[t->preset[0]]);
	if (t->sets == 0)
		read_once(t);
	clock_now(c, &now);
	ticker_start(&ticker, now.awake_ns, t->d->o->period_ns);
	while (t->frames < t->wanted &&
	       sleep_until(t, c, ticker_deadline(&ticker))) {
		clock_now(c, &now);
		if (!ticker_due(&ticker, now.awake_ns, &missed, &late))
			continue;
		read_once(t);
		t->frames++;
		if (t->frames % t->turn != 0 || t->frames == t->wanted ||
		    t->sets == 0)
			continue;
		t->at = (t->at + 1) % t->npresets;
		tape_record_mark(t->r, "swap");
		program(t, &preset_table[t->preset[t->at]]);
	}
}

static bool
open_source(struct taping *t, struct tape_recorder *r, struct err *e)
{
	struct source_options o = t->d->o->source;

	o.ipc = t->d->o->ipc;
	t->source = kperf_open_with(&tape_kperf, tape_record_kperfdata(r),
				    tape_record_host(r), t->d->name, &o, e);
	if (t->source == NULL)
		return false;
	t->sample = sample_new(t->source->info.topology->ncpus, e);
	return t->sample != NULL;
}

/*
 * Last, with a source of its own, so that it can be played without the rest:
 * the same calls whether the kernel answers or a tape.
 */
static bool
try_tracing(struct doctor *d, const struct kperfdata_api *kpep,
	    const struct host_api *host, struct err *e)
{
	struct source_options o = d->o->source;
	bool taken;

	report_section(d->x.out, "tracing");
	o.ipc = false;
	d->x.s = kperf_open_with(&tape_kperf, kpep, host, d->name, &o, e);
	if (d->x.s == NULL)
		return false;
	taken = kperf_examine.take(&d->x, e);
	if (taken)
		kperf_examine_tracing(&d->x);
	taken = kperf_examine.give_back(&d->x, taken ? e : NULL) && taken;
	kperf_close(d->x.s);
	d->x.s = NULL;
	return taken;
}

/* Of what refuses the counters there is a word in the report already. */
static void
trace(struct taping *t)
{
	struct doctor *d = t->d;
	struct err e = { ERR_NONE, "" };

	if (d->host->system == NULL || d->o->ipc || t->sets == 0 ||
	    doctor_interrupted(d))
		return;
	tape_record_mark(t->r, "trace");
	if (!try_tracing(d, tape_record_kperfdata(t->r), tape_record_host(t->r),
			 &e))
		report_line(d->x.out, "trial", "%s", e.text);
}

static void
record(struct taping *t, FILE *f, struct err *e)
{
	struct tape_recorder *r =
		tape_record(f, t->d->kpc, t->d->kpep, t->d->host, e);

	if (r == NULL)
		return;
	t->r = r;
	if (open_source(t, r, e))
		run(t);
	tape_record_mark(r, "end");
	sample_free(t->sample);
	if (t->source != NULL)
		kperf_close(t->source);
	trace(t);
	report_line(t->d->x.out, "calls", "%llu",
		    (unsigned long long)tape_record_calls(r));
	tape_record_end(r);
}

static void
finish(const struct taping *t, const char *path)
{
	report_line(t->d->x.out, "readings", "%llu, %u %s of events",
		    (unsigned long long)t->frames, t->sets,
		    plural(t->sets, "set", "sets"));
	report_line(t->d->x.out, "tape",
		    "%s is written; play it with ktop --sim tape=FILE", path);
}

static uint64_t
wanted(const struct options *o)
{
	const int64_t all = (int64_t)SECONDS * 1000 * 1000 * 1000;

	if (o->frames != 0)
		return o->frames;
	return o->period_ns >= all ? 1 : (uint64_t)(all / o->period_ns);
}

/* The presets of --rotate, or -p's first and then the rest. */
static void
choose(struct taping *t, const struct options *o)
{
	unsigned first = o->preset >= 0 ? (unsigned)o->preset : 0;

	t->turn = o->nrotate > 0 ? 1 : TURN;
	t->npresets = o->nrotate;
	for (unsigned i = 0; i < o->nrotate; i++)
		t->preset[i] = o->rotate[i];
	if (o->nrotate > 0)
		return;
	for (unsigned i = 0; i < preset_count && i < OPTIONS_ROTATE_MAX; i++)
		t->preset[t->npresets++] = (int)((first + i) % preset_count);
}

/* As the person, and over an existing file only with --force. */
static FILE *
open_file(const struct options *o)
{
	int fd = open_as_caller(o->tape, O_WRONLY | O_CREAT | O_CLOEXEC |
						 (o->force ? O_TRUNC : O_EXCL));
	FILE *f = fd < 0 ? NULL : fdopen(fd, "w");

	if (fd >= 0 && f == NULL)
		close(fd);
	return f;
}

int
doctor_tape(struct doctor *d)
{
	struct taping t = { .d = d, .wanted = wanted(d->o) };
	struct err e = { ERR_NONE, "" };
	sigset_t old;
	int number = 0;
	void *stack;
	FILE *f;

	choose(&t, d->o);
	f = open_file(d->o);
	if (f == NULL) {
		err_set(&e, ERR_FAIL, "%s: %s", d->o->tape, strerror(errno));
		return err_fail(&e);
	}
	report_line(d->x.out, "recording", "%llu %s; ^C ends it early",
		    (unsigned long long)t.wanted,
		    plural(t.wanted, "reading", "readings"));
	(void)fflush(d->x.out);
	doctor_block(d, &old);
	stack = crash_open(
		"\nktop doctor crashed; the counters are put back\n");
	record(&t, f, &e);
	crash_close(stack);
	if (doctor_interrupted(d))
		(void)sigwait(&d->stop, &number);
	(void)sigprocmask(SIG_SETMASK, &old, NULL);
	if (fclose(f) != 0 && e.code == ERR_NONE)
		err_set(&e, ERR_FAIL, "%s: %s", d->o->tape, strerror(errno));
	if (e.code != ERR_NONE)
		return err_fail(&e);
	finish(&t, d->o->tape);
	return number != 0 ? 128 + number : 0;
}

/* What a tape has that can be looked at alone. */
int
doctor_play(struct doctor *d)
{
	struct err e = { ERR_NONE, "" };
	bool ok;

	if (!sim_start(d->o->source.sim, &e))
		return err_fail(&e);
	d->sim_started = true;
	d->name = "sim";
	if (!sim_tape_to_trace(sim_tape_now())) {
		err_set(&e, ERR_USAGE,
			"a tape answers only what was asked when it was recorded, and tracing of the kernel is not on this one; doctor needs a machine (--sim m1)");
		return err_fail(&e);
	}
	ok = try_tracing(d, sim_kperfdata(), sim_host(), &e);
	ok = !sim_tape_diverged(sim_tape_now(), &e) && ok;
	return ok ? 0 : err_fail(&e);
}

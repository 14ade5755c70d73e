/* ktop doctor: what this machine answers, to be pasted into a report. */
#include "commands/doctor/doctor.h"

#include <stdlib.h>
#include <string.h>

#include "commands/doctor/commands.h"
#include "process/crash.h"
#include "sim/sim.h"
#include "source/all/sources.h"
#include "source/kperf/host.h"
#include "source/kperf/kperf.h"
#include "source/kperf/libs.h"

#define SECTION(function, name, when, text) { name, function, when },
/* clang-format off */
static const struct section {
	const char *name;
	void (*run)(struct doctor *d);
	unsigned when;
} sections[] = {
	DOCTOR_SECTIONS(SECTION)
};
/* clang-format on */

enum { SECTIONS = sizeof sections / sizeof sections[0] };

static bool
applies(const struct doctor *d, unsigned when)
{
	const struct source *s = d->x.s;
	bool taken = d->found.forced || d->ask->take == NULL;

	if (((when & MAC) != 0 && !d->mac) || ((when & LINUX) != 0 && d->mac) ||
	    ((when & LOADED) != 0 && d->kpc == NULL) ||
	    ((when & HOST) != 0 && d->mac && d->host == NULL) ||
	    ((when & OPEN) != 0 && s == NULL))
		return false;
	if ((when & EVENTS) != 0)
		return taken && doctor_catalog(d) != NULL;
	return (when & READS) == 0 || taken || d->x.found.ipc.text[0] == '\0';
}

static void
run(struct doctor *d, const struct section *s)
{
	report_section(d->x.out, s->name);
	d->section = s->name;
	s->run(d);
}

/* ---- with the counters taken ---- */

static bool
leave_off(const struct examine *x)
{
	return doctor_interrupted((const struct doctor *)(const void *)x);
}

static bool
take_counters(struct doctor *d)
{
	struct err *why = &d->x.found.full;

	if (d->o->ipc)
		return err_set(why, ERR_NONE,
			       "not tried: --ipc was given; leave it out");
	if (d->x.s->info.mode == SOURCE_BUSY_ONLY) {
		*why = d->x.s->info.why;
		return false;
	}
	d->found.force_ns = doctor_now_ns();
	d->found.forced = d->ask->take(&d->x, why);
	d->found.force_ns = doctor_now_ns() - d->found.force_ns;
	return d->found.forced;
}

static void
run_taken(struct doctor *d)
{
	if (take_counters(d))
		d->raw_words =
			d->kpc->kpc_get_config_count(KPC_CLASS_RAWPMU_MASK);
	for (unsigned i = 0; i < SECTIONS && d->x.out != NULL; i++)
		if ((sections[i].when & TAKEN) != 0 &&
		    applies(d, sections[i].when) && !doctor_interrupted(d))
			run(d, &sections[i]);
	(void)d->ask->give_back(&d->x, &d->found.restore);
}

/*
 * The one part of the report that changes the machine: with all counters
 * taken. Signals wait until everything is back; a crash puts it back through
 * the rescue that taking sets. Nothing is printed meanwhile, for a pager
 * that is not read must not keep the counters.
 */
static int
around(struct doctor *d, const struct section *s)
{
	FILE *out = d->x.out;
	char *text = NULL;
	size_t len = 0;
	sigset_t old;
	void *stack;
	int number;

	(void)fflush(out);
	d->x.out = open_memstream(&text, &len);
	doctor_block(d, &old);
	(void)doctor_look(d->kpc, d->host->system, &d->before, &d->before_why);
	stack = crash_open(
		"\nktop doctor crashed; the counters are put back. Please send this line and the\ncommand you gave\n");
	run_taken(d);
	crash_close(stack);
	(void)doctor_look(d->kpc, d->host->system, &d->after, &d->after_why);
	number = doctor_take_signal(d);
	(void)sigprocmask(SIG_SETMASK, &old, NULL);

	if (d->x.out != NULL)
		fclose(d->x.out);
	d->x.out = out;
	run(d, s);
	if (number != 0)
		report_line(out, "interrupted",
			    "by signal %d; the parts below are cut short",
			    number);
	if (text != NULL)
		(void)fwrite(text, 1, len, out);
	free(text);
	return number;
}

int
doctor_examine(struct doctor *d)
{
	int number = 0;

	fputs("ktop doctor report, format 1: no serial number, host or user name is in it\n",
	      d->x.out);
	for (unsigned i = 0; i < SECTIONS; i++) {
		const struct section *s = &sections[i];

		if (!applies(d, s->when))
			continue;
		if ((s->when & AROUND) != 0)
			number = around(d, s);
		else if ((s->when & TAKEN) == 0 || d->ask->take == NULL)
			run(d, s);
	}
	(void)fflush(d->x.out);
	return number != 0 ? 128 + number : 0;
}

int
doctor_without_frameworks(struct doctor *d, const struct err *e)
{
	d->kpc = NULL;
	/* Not its sentence: a path can hold the person's name. */
	err_set(&d->x.found.ipc, e->code,
		"the frameworks did not load; see libraries above");
	err_set(&d->found.topology, ERR_NONE, "the counters come first");
	(void)doctor_examine(d);
	return (int)e->code;
}

/* ---- opening ---- */

void
doctor_begin(struct doctor *d, FILE *out, const struct options *o, bool mac)
{
	*d = (struct doctor){ .o = o, .mac = mac };
	d->x = (struct examine){ .out = out,
				 .o = &o->source,
				 .live = mac || o->source.root == NULL,
				 .leave_off = leave_off };
	d->ask = mac ? &kperf_examine : source_find("perf")->examine;
	(void)sigemptyset(&d->stop);
}

void
doctor_use(struct doctor *d, struct source *s, const struct err *why)
{
	struct err e = *why;

	for (unsigned i = 0; s != NULL && i < 2; i++) {
		d->sample[i] = sample_new(s->info.topology->ncpus, &e);
		if (d->sample[i] == NULL) {
			s->ops->close(s);
			s = NULL;
		}
	}
	d->x.s = s;
	if (s == NULL)
		d->x.found.ipc = d->found.topology = e;
	else if (s->info.mode == SOURCE_BUSY_ONLY)
		d->x.found.ipc = s->info.why;
}

void
doctor_leave(struct doctor *d)
{
	if (d->x.s != NULL)
		d->x.s->ops->close(d->x.s);
	d->x.s = NULL;
	for (unsigned i = 0; i < 2; i++)
		sample_free(d->sample[i]);
}

static bool
open_sim(struct doctor *d, struct err *e)
{
	if (!sim_start(d->o->source.sim, e))
		return false;
	d->sim_started = true;
	d->name = "sim";
	d->kpc = sim_kperf();
	d->kpep = sim_kperfdata();
	d->host = sim_host();
	return true;
}

static bool
open_libraries(struct doctor *d, struct err *e)
{
	d->host = host_system();
	if (!libs_load(&d->o->source, &d->libs, e))
		return false;
	if (d->libs.host != NULL)
		d->host = d->libs.host;
	if (d->host == NULL)
		return err_set(
			e, ERR_FAIL,
			"the library does not export " HOST_SYMBOL
			", and this is not a Mac: nothing says how many CPUs its rows have; use --sim");
	d->name = "kperf";
	d->kpc = &d->libs.kperf;
	d->kpep = &d->libs.kperfdata;
	return true;
}

/* The source does the counting; opening it changes nothing. */
void
doctor_open_frameworks(struct doctor *d)
{
	static const struct source_ops ops = {
		.name = "kperf",
		.program = kperf_program,
		.read = kperf_read,
		.close = kperf_close,
		.examine = &kperf_examine,
	};
	struct source_options o = d->o->source;
	struct err e = { ERR_NONE, "" };
	struct source *s;

	o.ipc = false;
	s = kperf_open_with(d->kpc, d->kpep, d->host, d->name, &o, &e);
	if (s != NULL)
		s->ops = &ops;
	doctor_use(d, s, &e);
}

static bool
wants_frameworks(const struct options *o)
{
	return o->source.sim != NULL || host_system() != NULL ||
	       libs_asked_for(&o->source);
}

static void
signals(sigset_t *stop)
{
	(void)sigemptyset(stop);
	(void)sigaddset(stop, SIGINT);
	(void)sigaddset(stop, SIGTERM);
	(void)sigaddset(stop, SIGHUP);
	(void)sigaddset(stop, SIGQUIT);
}

static int
examine_mac(struct doctor *d)
{
	struct err e = { ERR_NONE, "" };
	int code;

	if (!(d->o->source.sim != NULL ? open_sim(d, &e)
				       : open_libraries(d, &e))) {
		code = d->o->source.sim != NULL
			       ? err_fail(&e)
			       : doctor_without_frameworks(d, &e);
	} else {
		doctor_open_frameworks(d);
		code = doctor_examine(d);
	}
	doctor_leave(d);
	kperf_unload(&d->libs);
	if (d->sim_started)
		sim_stop();
	return code;
}

/* What the kernel has itself. */
static int
examine_linux(struct doctor *d)
{
	const struct source_ops *ops = source_find("perf");
	struct source_options o = d->o->source;
	struct err e = { ERR_NONE, "" };
	int code;

	o.events = NULL;
	o.lazy = false; /* every row is wanted */
	doctor_use(d, ops->open(&o, &e), &e);
	code = doctor_examine(d);
	doctor_leave(d);
	return code;
}

int
command_doctor(const struct options *o)
{
	struct doctor d;

	doctor_begin(&d, stdout, o, wants_frameworks(o));
	signals(&d.stop);
	return d.mac ? examine_mac(&d) : examine_linux(&d);
}

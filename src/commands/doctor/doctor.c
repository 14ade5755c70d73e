/* ktop doctor: what this machine answers, to be pasted into a report. */
#include "commands/doctor/doctor.h"

#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "commands/command.h"
#include "sim/sim.h"
#include "source/kperf/host.h"
#include "source/kperf/kperf.h"

void
doctor_who(FILE *out)
{
	report_line(out, "euid", "%ld, uid %ld, sudo %s", (long)geteuid(),
		    (long)getuid(), getenv("SUDO_UID") != NULL ? "yes" : "no");
}

static const char *
variable(const char *name)
{
	const char *value = getenv(name);

	return value != NULL && value[0] != '\0' ? value : "-";
}

void
doctor_terminal(FILE *out)
{
	struct winsize size = { 0, 0, 0, 0 };
	bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ||
		     ioctl(STDIN_FILENO, TIOCGWINSZ, &size) == 0 ||
		     ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0;

	report_section(out, "terminal");
	report_line(out, "TERM", "%s", variable("TERM"));
	report_line(out, "TERM_PROGRAM", "%s", variable("TERM_PROGRAM"));
	report_line(out, "TERM_PROGRAM_VERSION", "%s",
		    variable("TERM_PROGRAM_VERSION"));
	report_line(out, "COLORFGBG", "%s", variable("COLORFGBG"));
	report_line(out, "COLORTERM", "%s", variable("COLORTERM"));
	report_line(out, "NO_COLOR", "%s",
		    getenv("NO_COLOR") != NULL ? "set" : "-");
	if (known)
		report_line(out, "size", "%ux%u", size.ws_col, size.ws_row);
	else
		report_line(out, "size", "- (not on a terminal)");
	report_line(out, "codeset", "%s", nl_langinfo(CODESET));
}

static bool
open_sim(struct doctor *d, struct err *e)
{
	if (strncmp(d->o->source.sim, "tape=", 5) == 0)
		return err_set(e, ERR_USAGE,
			       "a tape answers only what was asked when it was "
			       "recorded; doctor needs a machine (--sim m1)");
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
	if (!kperf_load(d->o->source.kperf_path, d->o->source.kperfdata_path,
			&d->libs, e))
		return false;
	if (d->libs.host != NULL)
		d->host = d->libs.host;
	if (d->host == NULL)
		return err_set(e, ERR_FAIL,
			       "the library does not export " HOST_SYMBOL
			       ", and this is not a Mac: nothing says how many "
			       "CPUs its rows have; use --sim");
	d->name = "kperf";
	d->kpc = &d->libs.kperf;
	d->kpep = &d->libs.kperfdata;
	return true;
}

static bool
allocate(struct doctor *d, struct err *e)
{
	size_t n = (size_t)d->k->rows * KPC_MAX_COUNTERS + 32;

	for (unsigned i = 0; i < 2; i++) {
		d->rows[i] = calloc(n, sizeof(uint64_t));
		if (d->rows[i] == NULL)
			return err_set(e, ERR_FAIL, "out of memory");
	}
	return true;
}

/* The source does the counting; opening it changes nothing. */
static void
open_source(struct doctor *d)
{
	struct source_options o = d->o->source;
	struct err e = { ERR_NONE, "" };

	o.ipc = false;
	d->source = kperf_open_with(d->kpc, d->kpep, d->host, d->name, &o, &e);
	if (d->source == NULL) {
		d->found.ipc = d->found.topology = e;
		return;
	}
	d->k = (struct kperf_source *)(void *)d->source;
	if (!allocate(d, &e)) {
		kperf_close(d->source);
		d->source = NULL;
		d->k = NULL;
		d->found.ipc = d->found.topology = e;
	} else if (d->source->info.mode == SOURCE_BUSY_ONLY) {
		d->found.ipc = d->source->info.why;
	}
}

static void
close_all(struct doctor *d)
{
	if (d->source != NULL)
		kperf_close(d->source);
	free(d->rows[0]);
	free(d->rows[1]);
	kperf_unload(&d->libs);
	if (d->sim_started)
		sim_stop();
}

static void
title(FILE *out)
{
	(void)fprintf(out, "ktop doctor report, format 1: no serial number, "
			   "host or user name is in it\n");
}

int
doctor_examine(struct doctor *d)
{
	int number = 0;

	title(d->out);
	open_source(d);
	doctor_versions(d);
	doctor_libraries(d->out, d->o);
	doctor_topology(d);
	doctor_database(d);
	if (d->source != NULL)
		number = doctor_forced(d);
	doctor_terminal(d->out);
	doctor_questions(d);
	doctor_verdicts(d);
	return number != 0 ? 128 + number : 0;
}

static bool
wants_frameworks(const struct options *o)
{
	return o->source.sim != NULL || o->source.kperf_path != NULL ||
	       o->source.kperfdata_path != NULL || host_system() != NULL ||
	       (!kperf_privileged() && (getenv("KTOP_KPERF") != NULL ||
					getenv("KTOP_KPERFDATA") != NULL));
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

int
doctor_without_frameworks(struct doctor *d, const struct err *e)
{
	title(d->out);
	d->kpc = NULL;
	/* Not its sentence: a path can hold the person's name. */
	(void)err_set(&d->found.ipc, e->code,
		      "the frameworks did not load; see libraries above");
	if (d->host != NULL)
		doctor_versions(d);
	doctor_libraries(d->out, d->o);
	if (d->host != NULL)
		doctor_topology(d);
	doctor_terminal(d->out);
	doctor_verdicts(d);
	(void)fflush(d->out);
	return (int)e->code;
}

int
command_doctor(const struct options *o)
{
	struct doctor d = { .out = stdout, .o = o };
	struct err e = { ERR_NONE, "" };
	int code;

	if (!wants_frameworks(o))
		return doctor_elsewhere(o);
	signals(&d.stop);
	if (!(o->source.sim != NULL ? open_sim(&d, &e)
				    : open_libraries(&d, &e)))
		code = o->source.sim != NULL
			       ? err_fail(&e)
			       : doctor_without_frameworks(&d, &e);
	else if (o->tape != NULL)
		code = doctor_tape(&d);
	else
		code = doctor_examine(&d);
	close_all(&d);
	return code;
}

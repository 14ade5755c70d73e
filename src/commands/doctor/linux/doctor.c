/* ktop doctor on Linux: what decides whether perf_event gives counters. */
#include "commands/doctor/linux/doctor.h"

#include <inttypes.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "base/plural.h"
#include "source/perf/perf.h"
#include "source/perf/sysfs.h"

enum { TEXT_SIZE = 512 };

const char *
doctor_core(bool fast)
{
	return fast ? "any core" : "any core, again";
}

void
doctor_nap(int64_t ns)
{
	const struct timespec t = { .tv_sec = (time_t)(ns / 1000000000),
				    .tv_nsec = (long)(ns % 1000000000) };

	(void)nanosleep(&t, NULL);
}

static void
versions(const struct doctor_linux *d)
{
	char release[128];
	struct utsname u;

	report_section(d->out, "versions");
	report_line(d->out, "ktop", "%s", KTOP_VERSION);
	/* Never u.nodename: that is the host's name. */
	if (d->root == NULL && uname(&u) == 0)
		report_line(d->out, "kernel", "%s %s %s", u.sysname, u.release,
			    u.machine);
	else if (sysfs_text(d->root, "/proc/sys/kernel/osrelease", release,
			    sizeof(release)))
		report_line(d->out, "kernel", "Linux %s", release);
	else
		report_line(d->out, "kernel", "not said");
	if (d->s != NULL && d->s->source.info.model[0] != '\0')
		report_line(d->out, "processor", "%s", d->s->source.info.model);
	if (d->root == NULL)
		doctor_who(d->out);
	else
		report_line(d->out, "root",
			    "another machine's files: only what they say is "
			    "below, nothing is opened");
	report_line(d->out, "macos parts",
		    "do not apply on Linux; see them with --sim m1");
}

static void
cluster(const struct doctor_linux *d, unsigned c)
{
	const struct topology *t = d->s->topology;
	const struct topology_cluster *cl = &t->cluster[c];
	char key[TOPOLOGY_LABEL_SIZE + 16], text[TEXT_SIZE] = "";
	size_t at = 0;

	for (unsigned i = 0; i < t->ncpus; i++)
		if (t->cpu[i].cluster == c && at + 8 < sizeof(text))
			at += (size_t)snprintf(text + at, sizeof(text) - at,
					       "%s%d", at > 0 ? "," : "",
					       t->cpu[i].id);
	(void)snprintf(key, sizeof(key), "cluster %s", cl->label);
	report_line(d->out, key,
		    "kind=%s pmu=%s package=%d die=%d cores=%u cpus=%s",
		    t->kind[cl->kind].name,
		    t->kind[cl->kind].pmu[0] != '\0' ? t->kind[cl->kind].pmu
						     : "-",
		    cl->package, cl->die, cl->ncores, text);
}

static void
busy(struct doctor_linux *d)
{
	char line[TEXT_SIZE];
	int fd = sysfs_open(d->root, "/proc/stat"); /* no pipe, no device */
	FILE *f = fd >= 0 ? fdopen(fd, "r") : NULL;

	/* The CPUs' lines come first: the rest may be long, or no text. */
	while (f != NULL && fgets(line, sizeof(line), f) != NULL &&
	       strncmp(line, "cpu", 3) == 0)
		d->found.busy_rows += line[3] >= '0' && line[3] <= '9';
	if (f != NULL)
		(void)fclose(f);
	else if (fd >= 0)
		(void)close(fd);
	report_line(d->out, "/proc/stat", "%u cpu %s", d->found.busy_rows,
		    plural(d->found.busy_rows, "row", "rows"));
}

static void
topology(struct doctor_linux *d)
{
	report_section(d->out, "topology");
	if (d->s == NULL) {
		report_line(d->out, "topology", "%s", d->why.text);
	} else {
		const struct topology *t = d->s->topology;

		report_line(d->out, "cpus", "%u, cores %u, smt %s", t->ncpus,
			    t->ncores, t->smt ? "yes" : "no");
		for (unsigned c = 0; c < t->nclusters; c++)
			cluster(d, c);
	}
	busy(d);
}

/* ---- verdicts, in the form of a Mac's ---- */

static void
verdict(const struct doctor_linux *d, const char *feature, bool works,
	const char *text)
{
	report_line(d->out, feature, "%s%s%s",
		    works ? "works" : "does not work",
		    text[0] != '\0' ? ": " : "", text);
}

static void
counter_verdicts(const struct doctor_linux *d)
{
	const struct doctor_linux_found *f = &d->found;
	bool ipc = d->s->counts;
	struct err e = { ERR_NONE, "" };
	char text[160], number[24];

	if (ipc && f->instructions != 0)
		(void)err_set(&e, ERR_NONE,
			      "cycles count, instructions do not (%s)",
			      report_errno(f->instructions, number));
	else if (!ipc) {
		(void)denied_explain(d->root, f->cycles, &e);
		err_prefix(&e, report_errno(f->cycles, number));
	}
	/* Without a PMU the kernel's own events are what there could be. */
	if (!ipc && denied_is_absent(f->cycles) && f->software != 0) {
		struct err more = { ERR_NONE, "" };

		(void)denied_explain(d->root, f->software, &more);
		(void)err_set(&e, ERR_NONE,
			      "%.200s; software events give %s: %.250s", e.text,
			      report_errno(f->software, number), more.text);
	}
	verdict(d, "ipc", ipc && f->instructions == 0, e.text);
	(void)snprintf(
		text, sizeof(text), "%u of %u %s open, mode %s", f->opened,
		f->events, plural(f->events, "event", "events"),
		f->domain == DOMAIN_NONE ? "none" : domain_name[f->domain]);
	verdict(d, "full mode", ipc && f->programmed > 0,
		ipc ? text : "it needs the cycles first");
	(void)snprintf(text, sizeof(text), "%u of %u %s in turn", f->programmed,
		       f->presets, plural(f->presets, "preset", "presets"));
	verdict(d, "swap", ipc && f->presets > 1 && f->programmed == f->presets,
		ipc ? text : "it needs full mode");
	(void)snprintf(
		text, sizeof(text), "%u of %u %s delivered, %u of them moved%s",
		f->delivered, f->read, plural(f->read, "CPU", "CPUs"), f->moved,
		f->moved < f->delivered ? "; the others slept" : "");
	verdict(d, "rows", f->moved > 0,
		ipc ? text : "no CPU's cycles are counted");
}

static void
verdicts(const struct doctor_linux *d)
{
	static const char *const counters[] = { "ipc", "full mode", "swap",
						"rows" };
	const struct topology *t = d->s != NULL ? d->s->topology : NULL;
	char text[120] = "";

	report_section(d->out, "verdict");
	if (d->live && d->s != NULL)
		counter_verdicts(d);
	for (size_t i = 0; !d->live && i < sizeof(counters) / sizeof(*counters);
	     i++)
		report_line(d->out, counters[i], "not tried: --root");
	if (t != NULL)
		(void)snprintf(text, sizeof(text), "%u %s, %u %s, %u %s",
			       t->nkinds, plural(t->nkinds, "kind", "kinds"),
			       t->nclusters,
			       plural(t->nclusters, "cluster", "clusters"),
			       t->ncpus, plural(t->ncpus, "CPU", "CPUs"));
	verdict(d, "topology", t != NULL, t != NULL ? text : d->why.text);
	verdict(d, "busy time",
		d->found.busy_rows > 0 &&
			(t == NULL || d->found.busy_rows >= t->ncpus),
		d->found.busy_rows > 0 ? "" : "no /proc/stat");
	report_line(d->out, "restore", "nothing was changed");
}

static void
open_machine(struct doctor_linux *d, const struct perf_ops *ops)
{
	struct source_options so = d->o->source;
	struct source *s;

	so.events = NULL;
	so.lazy = false; /* every row is wanted */
	s = perf_open_with(&so, ops, &d->why);
	if (s == NULL)
		return;
	d->s = (struct perf_source *)(void *)s;
	d->sample = sample_new(d->s->topology->ncpus, &d->why);
	if (d->sample != NULL)
		return;
	s->ops->close(s);
	d->s = NULL;
}

int
doctor_linux_report(FILE *out, const struct options *o,
		    const struct perf_ops *ops)
{
	struct doctor_linux d = { .out = out,
				  .o = o,
				  .root = o->source.root,
				  .live = ops != NULL ||
					  o->source.root == NULL };

	denied_rights(d.root, &d.rights);
	open_machine(&d, ops);
	(void)fprintf(out, "ktop doctor report, format 1: no serial number, "
			   "host or user name is in it\n");
	if (o->tape != NULL)
		report_line(out, "tape",
			    "not recorded: a tape is of the frameworks of "
			    "macOS; try it with --sim m1");
	versions(&d);
	doctor_rights(&d);
	doctor_pmus(&d);
	topology(&d);
	doctor_linux_events(&d);
	doctor_linux_presets(&d);
	doctor_clocks(&d);
	doctor_linux_reads(&d);
	if (ops == NULL)
		doctor_terminal(out);
	verdicts(&d);
	if (d.s != NULL)
		d.s->source.ops->close(&d.s->source);
	sample_free(d.sample);
	return o->tape != NULL ? ERR_USAGE : 0;
}

int
doctor_elsewhere(const struct options *o)
{
	return doctor_linux_report(stdout, o, NULL);
}

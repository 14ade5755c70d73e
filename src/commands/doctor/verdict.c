/* One line per feature: works, or does not, why, and what to do. */
#include "commands/doctor/doctor.h"

#include "base/plural.h"

static void
verdict(const struct doctor *d, const char *feature, bool works,
	const char *text)
{
	report_line(d->out, feature, "%s%s%s",
		    works ? "works" : "does not work",
		    text[0] != '\0' ? ": " : "", text);
}

static void
full_verdict(const struct doctor *d)
{
	const struct doctor_findings *f = &d->found;
	char text[sizeof(f->full.text)];

	if (!f->forced) {
		verdict(d, "full mode", false, f->full.text);
	} else if (d->k->events.db == NULL) {
		verdict(d, "full mode", false, d->k->why.text);
	} else if (f->events > 0 && f->refused == f->events) {
		(void)snprintf(
			text, sizeof(text),
			"macOS refuses all %u events of database %s; cycles and instructions still count (--ipc)",
			f->events, d->k->events.name);
		verdict(d, "full mode", false, text);
	} else {
		(void)snprintf(text, sizeof(text), "%u of %u %s, mode %s%s",
			       f->events - f->refused - f->misplaced, f->events,
			       plural(f->events, "event", "events"),
			       domain_name[f->domain],
			       f->domain == DOMAIN_USER
				       ? " (the fixed pair counts all modes)"
				       : "");
		verdict(d, "full mode", f->programmed > 0, text);
	}
}

static void
swap_verdict(const struct doctor *d)
{
	const struct doctor_findings *f = &d->found;
	char text[80];

	(void)snprintf(text, sizeof(text), "%u of %u %s in turn", f->programmed,
		       f->presets, plural(f->presets, "preset", "presets"));
	if (!f->forced || f->presets == 0)
		verdict(d, "swap", false, "it needs full mode");
	else
		verdict(d, "swap",
			f->presets > 1 && f->programmed == f->presets, text);
}

static void
rows_verdict(const struct doctor *d)
{
	const struct doctor_findings *f = &d->found;
	char text[120];

	if (f->rows == 0) {
		verdict(d, "rows", false, "they could not be read");
		return;
	}
	(void)snprintf(
		text, sizeof(text), "%u of %u %s delivered, %u of them moved%s",
		f->fresh, f->rows, plural(f->rows, "CPU", "CPUs"), f->moved,
		f->moved < f->rows ? "; the others are off, or were withheld"
				   : "");
	verdict(d, "rows", f->moved > 0, text);
}

static void
topology_verdict(const struct doctor *d)
{
	const struct topology *t =
		d->source != NULL ? d->source->info.topology : NULL;
	char text[120];

	if (t == NULL) {
		verdict(d, "topology", false, "the counters come first");
		return;
	}
	(void)snprintf(text, sizeof(text),
		       "%u %s, %u %s, %u %s, %u device tree %s", t->nkinds,
		       plural(t->nkinds, "kind", "kinds"), t->nclusters,
		       plural(t->nclusters, "cluster", "clusters"), t->ncpus,
		       plural(t->ncpus, "CPU", "CPUs"), d->found.nodes,
		       plural(d->found.nodes, "node", "nodes"));
	verdict(d, "topology", d->found.nodes >= t->ncpus || t->nkinds == 1,
		text);
}

static void
busy_verdict(const struct doctor *d)
{
	const struct topology *t =
		d->source != NULL ? d->source->info.topology : NULL;

	if (d->found.loads <= 0)
		verdict(d, "busy time", false,
			"host_processor_info gave nothing");
	else
		verdict(d, "busy time",
			t == NULL || (unsigned)d->found.loads >= t->ncpus, "");
}

static void
restore_verdict(const struct doctor *d)
{
	if (!d->found.forced)
		report_line(d->out, "restore", "nothing was changed");
	else
		verdict(d, "restore", d->found.restored,
			d->found.restored ? ""
					  : "see \"changed\" under calls; "
					    "restarting the Mac resets it");
}

void
doctor_verdicts(const struct doctor *d)
{
	report_section(d->out, "verdict");
	verdict(d, "ipc", d->source != NULL && d->found.ipc.text[0] == '\0',
		d->found.ipc.text);
	if (d->source != NULL) {
		full_verdict(d);
		swap_verdict(d);
		rows_verdict(d);
	}
	topology_verdict(d);
	if (d->host != NULL)
		busy_verdict(d);
	restore_verdict(d);
}

/* One line per feature: works, or does not, why, and what to do. */
#include "commands/doctor/doctor.h"

#include "base/plural.h"

static void
verdict(const struct doctor *d, const char *feature, bool works,
	const char *text)
{
	report_line(d->x.out, feature, "%s%s%s",
		    works ? "works" : "does not work",
		    text[0] != '\0' ? ": " : "", text);
}

static void
full_verdict(const struct doctor *d)
{
	const struct examine_found *f = &d->x.found;
	char text[sizeof f->full.text];

	if (f->full.text[0] != '\0') {
		verdict(d, "full mode", false, f->full.text);
	} else if (f->events == 0) {
		verdict(d, "full mode", false, d->x.s->info.why.text);
	} else if (f->refused == f->events) {
		snprintf(
			text, sizeof text,
			"%s refuses all %u events of database %s; cycles and instructions still count (--ipc)",
			d->mac ? "macOS" : "the kernel", f->events,
			doctor_catalog(d)->name);
		verdict(d, "full mode", false, text);
	} else {
		snprintf(text, sizeof text, "%u of %u %s, mode %s%s",
			 f->events - f->refused - f->nowhere, f->events,
			 plural(f->events, "event", "events"),
			 f->domain != DOMAIN_NONE ? domain_name[f->domain]
						  : "none",
			 f->domain == DOMAIN_USER
				 ? " (the fixed pair counts all modes)"
				 : "");
		verdict(d, "full mode", f->programmed > 0, text);
	}
}

static void
swap_verdict(const struct doctor *d)
{
	const struct examine_found *f = &d->x.found;
	char text[80];

	snprintf(text, sizeof text, "%u of %u %s in turn", f->programmed,
		 f->presets, plural(f->presets, "preset", "presets"));
	if (f->full.text[0] != '\0' || f->presets == 0)
		verdict(d, "swap", false, "it needs full mode");
	else
		verdict(d, "swap",
			f->presets > 1 && f->programmed == f->presets, text);
}

static void
rows_verdict(const struct doctor *d)
{
	const struct examine_found *f = &d->x.found;
	char text[120];

	if (f->delivered == 0) {
		verdict(d, "rows", false, "they could not be read");
		return;
	}
	snprintf(text, sizeof text, "%u of %u %s delivered, %u of them moved%s",
		 f->delivered, f->rows, plural(f->rows, "CPU", "CPUs"),
		 f->moved,
		 f->moved < f->rows
			 ? "; the others slept, are off, or were withheld"
			 : "");
	verdict(d, "rows", f->moved > 0, text);
}

static void
topology_verdict(const struct doctor *d)
{
	const struct topology *t =
		d->x.s != NULL ? d->x.s->info.topology : NULL;
	char text[120], nodes[40] = "";

	if (t == NULL) {
		verdict(d, "topology", false, d->found.topology.text);
		return;
	}
	if (d->mac)
		snprintf(nodes, sizeof nodes, ", %u device tree %s",
			 d->found.nodes,
			 plural(d->found.nodes, "node", "nodes"));
	snprintf(text, sizeof text, "%u %s, %u %s, %u %s%s", t->nkinds,
		 plural(t->nkinds, "kind", "kinds"), t->nclusters,
		 plural(t->nclusters, "cluster", "clusters"), t->ncpus,
		 plural(t->ncpus, "CPU", "CPUs"), nodes);
	verdict(d, "topology",
		!d->mac || d->found.nodes >= t->ncpus || t->nkinds == 1, text);
}

static void
busy_verdict(const struct doctor *d)
{
	unsigned rows = d->x.found.busy_rows;
	char text[64] = "";

	if (rows == 0)
		snprintf(text, sizeof text, "%s gave nothing", d->ask->busy);
	verdict(d, "busy time",
		rows > 0 && (d->x.s == NULL ||
			     rows >= d->x.s->info.topology->ncpus),
		text);
}

void
doctor_verdicts(struct doctor *d)
{
	static const char *const counters[] = { "ipc", "full mode", "swap",
						"rows" };
	const struct err *ipc = &d->x.found.ipc;

	for (size_t i = 0; !d->x.live && i < sizeof counters / sizeof *counters;
	     i++)
		report_line(d->x.out, counters[i], "not tried: --root");
	if (d->x.live)
		verdict(d, "ipc", ipc->text[0] == '\0', ipc->text);
	if (d->x.live && d->x.s != NULL) {
		full_verdict(d);
		swap_verdict(d);
		rows_verdict(d);
	}
	topology_verdict(d);
	if (!d->mac || d->host != NULL)
		busy_verdict(d);
	if (!d->found.forced)
		report_line(d->x.out, "restore", "nothing was changed");
	else
		verdict(d, "restore", d->found.restored,
			d->found.restored
				? ""
				: "see \"changed\" under counters; restarting the Mac resets it");
}

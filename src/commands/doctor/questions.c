/*
 * What nobody could say of the newest Macs without one, each answered in a
 * line (docs/DOCTOR.md says what follows from which answer).
 */
#include "commands/doctor/doctor.h"

#include <string.h>

#include "base/plural.h"
#include "source/kperf/host.h"

enum { NODES_MAX = 256 };

static void
subtype(const struct doctor *d)
{
	uint64_t v;

	if (!host_number(d->host, "hw.cpusubtype", &v))
		report_line(d->x.out, "subtype", "unknown");
	else
		report_line(d->x.out, "subtype", "%llu%s",
			    (unsigned long long)v,
			    v == 2    ? " (arm64e)"
			    : v == 12 ? " (arm64e.x1)"
				      : "");
}

/* Clusters of two kinds under one number: labels must not go by it. */
static void
shared_clusters(const struct doctor *d)
{
	struct host_cpu_node node[NODES_MAX];
	int n = d->host->cpu_nodes(node, NODES_MAX);

	if (n > NODES_MAX)
		n = NODES_MAX;
	for (int i = 0; i < n; i++)
		for (int k = 0; k < i; k++)
			if (node[i].logical_cluster_id ==
				    node[k].logical_cluster_id &&
			    node[i].die_id == node[k].die_id &&
			    strncmp(node[i].cluster_type, node[k].cluster_type,
				    sizeof node[i].cluster_type) != 0) {
				report_line(
					d->x.out, "clusters",
					"types %.8s and %.8s share cluster %d",
					node[k].cluster_type,
					node[i].cluster_type,
					node[i].logical_cluster_id);
				return;
			}
	report_line(d->x.out, "clusters", "%s",
		    n > 0 ? "each has one type of CPU"
			  : "the device tree names none");
}

static void
kernel(const struct doctor *d)
{
	const struct examine_kernel *k = &d->x.found.kernel;
	char number[24];

	if (k->tried) {
		report_line(d->x.out, "new words are told", "%s",
			    k->at_once ? "at once"
				       : "once counting is switched on again");
		report_line(d->x.out, "words with counting off", "%s",
			    k->kept ? "read as before"
				    : "lose their mode: no state");
		report_line(d->x.out, "sums at a swap", "%s",
			    k->sum_before == 0             ? "unknown"
			    : k->sum_after < k->sum_before ? "start at zero"
							   : "go on");
	}
	if (k->asked)
		report_line(d->x.out, "a second force", "%s",
			    k->second == 0
				    ? "is answered 0: that proves no ownership"
				    : report_errno(k->second, number));
}

/* "INST_ALL 0x8 EPERM and 1 more"; the rest is under events. */
static void
refused_text(const struct doctor *d, char *text, size_t size)
{
	const struct examine_found *f = &d->x.found;
	unsigned more = f->refused - d->found.refused_listed;

	text[0] = '\0';
	if (f->refused == 0 || f->refused == f->events)
		return;
	snprintf(text, size, ": %s", d->found.refused_names);
	if (more > 0)
		snprintf(text + strlen(text), size - strlen(text),
			 " and %u more", more);
}

static void
events(const struct doctor *d)
{
	const struct examine_found *f = &d->x.found;
	char text[sizeof d->found.refused_names + 32];

	refused_text(d, text, sizeof text);
	report_line(d->x.out, "events", "%s: %u of %u %s refused%s",
		    f->refused == 0           ? "all are accepted"
		    : f->refused == f->events ? "none is accepted"
					      : "some are refused",
		    f->refused, f->events, plural(f->events, "event", "events"),
		    text);
}

void
doctor_questions(struct doctor *d)
{
	if (d->x.s != NULL)
		doctor_own(d);
	subtype(d);
	if (d->x.s == NULL)
		return;
	shared_clusters(d);
	if (d->before_why.text[0] == '\0')
		report_line(
			d->x.out, "force before ktop", "%s",
			d->before.force == 0
				? "0"
				: "1: somebody holds the counters, or no power manager is there");
	if (!d->found.forced) {
		report_line(d->x.out, "kernel",
			    "not asked: it needs the counters");
		return;
	}
	kernel(d);
	if (d->x.s->info.catalog != NULL)
		events(d);
}

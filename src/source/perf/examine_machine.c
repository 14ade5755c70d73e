/* The kernel, its clocks, and what /proc/stat says. */
#include "source/perf/examine.h"

#include "base/report.h"
#include "source/perf/machine.h"

#include <inttypes.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

void
perf_examine_versions(struct examine *x)
{
	char release[128];
	struct utsname u;

	/* Never u.nodename: that is the host's name. */
	if (x->o->root == NULL && uname(&u) == 0)
		report_line(x->out, "kernel", "%s %s %s", u.sysname, u.release,
			    u.machine);
	else if (sysfs_text(x->o->root, "/proc/sys/kernel/osrelease", release,
			    sizeof release))
		report_line(x->out, "kernel", "Linux %s", release);
	else
		report_line(x->out, "kernel", "not said");
	if (x->s != NULL && x->s->info.model[0] != '\0')
		report_line(x->out, "processor", "%s", x->s->info.model);
	if (x->o->root != NULL)
		report_line(
			x->out, "root",
			"another machine's files: only what they say is below, nothing is opened");
}

void
perf_examine_topology(struct examine *x)
{
	if (x->s != NULL)
		report_line(x->out, "cpus", "%u, cores %u, smt %s",
			    x->s->info.topology->ncpus,
			    x->s->info.topology->ncores,
			    x->s->info.topology->smt ? "yes" : "no");
}

void
perf_examine_clocks(struct examine *x)
{
	struct timespec fine = { 0, 0 };
	struct stamp now;
	char name[64];
	int64_t mux;

	if (sysfs_text(
		    x->o->root,
		    "/sys/devices/system/clocksource/clocksource0/current_clocksource",
		    name, sizeof name))
		report_line(x->out, "clocksource", "%s", name);
	if (sysfs_number(
		    x->o->root,
		    "/sys/bus/event_source/devices/cpu/perf_event_mux_interval_ms",
		    &mux))
		report_line(
			x->out, "turns",
			"every %" PRId64
			" ms, where more is counted than fits (ktop's sets fit)",
			mux);
	if (!x->live)
		return;
	clock_now(clock_system(), &now);
	(void)clock_getres(CLOCK_MONOTONIC, &fine);
	report_line(x->out, "awake clock",
		    "%.3f s since start-up, in steps of %ld ns",
		    (double)now.awake_ns * 1e-9, fine.tv_nsec);
	report_line(x->out, "asleep since start-up", "%.3f s",
		    (double)(now.elapsed_ns - now.awake_ns) * 1e-9);
}

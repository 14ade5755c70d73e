/* Who may count here, and how many files may be open for it. */
#include "commands/doctor/doctor.h"

#include <inttypes.h>
#include <sys/resource.h>

#include "base/plural.h"

/* Those of the largest preset on all CPUs. */
static uint64_t
files_needed(const struct doctor *d, const char **preset)
{
	uint64_t most = 0;

	for (unsigned p = 0; p < user_preset_count(&d->o->user); p++) {
		struct eventset set;
		uint64_t n;

		if (!doctor_derive(d, p, &set, NULL))
			continue;
		n = d->ask->files(d->x.s, &set);
		if (n > most) {
			most = n;
			*preset = user_preset(&d->o->user, (int)p)->name;
		}
	}
	return most;
}

static void
files(const struct doctor *d)
{
	unsigned cpus = d->x.s->info.topology->ncpus;
	struct rlimit r = { 0, 0 };
	const char *preset = "-";
	uint64_t need = files_needed(d, &preset), kept;

	if (!d->x.live || getrlimit(RLIMIT_NOFILE, &r) != 0) {
		report_line(d->x.out, "open files",
			    "%" PRIu64 " needed by preset %s", need, preset);
		return;
	}
	kept = d->ask->files(d->x.s, NULL);
	report_line(
		d->x.out, "open files",
		"limit %llu, at most %llu; %" PRIu64
		" needed by preset %s on %u %s, besides %" PRIu64 " %s: %s",
		(unsigned long long)r.rlim_cur, (unsigned long long)r.rlim_max,
		need, preset, cpus, plural(cpus, "CPU", "CPUs"), kept,
		plural(kept, "other", "others"),
		need + kept > r.rlim_max   ? "too few; raise it with ulimit -Hn"
		: need + kept > r.rlim_cur ? "ktop raises the limit"
					   : "enough");
}

void
doctor_rights(struct doctor *d)
{
	doctor_own(d);
	if (d->x.s != NULL)
		files(d);
}

/* Every event of every CPU is an open file: how many there may be. */
#include "source/perf/state.h"

#include "base/plural.h"

#include <errno.h>
#include <inttypes.h>

/* For what else is opened later: recordings, a file of the screen. */
enum { SPARE_FILES = 2 };

uint64_t
perf_files(const struct perf_source *s)
{
	uint64_t n = 0;

	for (unsigned i = 0; i < s->topology->ncpus; i++)
		if (!s->cpu[i].off)
			n += s->next[s->topology->cpu[i].kind].len;
	return n;
}

/* Is it the fixed pair that is tried first, when nothing is counted yet? */
static bool
is_pair(const struct perf_source *s)
{
	return s->counts && s->plan[0].len == 0;
}

static const char *
subject(const struct perf_source *s)
{
	return is_pair(s) ? "cycles and instructions need" : "this set needs";
}

static const char *
files(uint64_t need)
{
	return plural(need, "file", "files");
}

static const char *
cpus(const struct perf_source *s)
{
	return plural(s->topology->ncpus, "CPU", "CPUs");
}

/* What there is to see all the same; for want of the pair: always this. */
static const char *
remains(const struct perf_source *s)
{
	if (s->set.len > 0)
		return "the set before goes on";
	return s->counts && !is_pair(s) ? "cycles and instructions only"
					: "showing utilisation only";
}

static uint64_t
of_processes(const struct perf_source *s)
{
	const struct perf_processes *p = &s->processes;

	return p->files + p->list.kept + p->threads.kept;
}

/* Cores come first: processes are counted again in what they leave. */
static void
take_from_processes(struct perf_source *s)
{
	perf_tracks_close(s);
	proc_list_trim(&s->processes.list, 0);
}

uint64_t
perf_files_kept(const struct perf_source *s)
{
	return s->used + SPARE_FILES;
}

static uint64_t
left_of(const struct perf_source *s, uint64_t limit)
{
	uint64_t kept = perf_files_kept(s);

	return limit > kept ? limit - kept : 0;
}

bool
perf_files_fit(struct perf_source *s, uint64_t need, struct err *e)
{
	uint64_t processes = of_processes(s);
	uint64_t limit = s->port.ops->limit(
		s->port.ops->self, need + perf_files_kept(s) + processes);
	uint64_t left = left_of(s, limit);

	if (need > left || left - need < processes)
		take_from_processes(s);
	if (need <= left)
		return true;
	return err_set(e, is_pair(s) ? ERR_NO_PMU : ERR_FAIL,
		       "%s %" PRIu64
		       " open %s for %u %s and the limit of %" PRIu64
		       " leaves %" PRIu64
		       " for counters (raise it with ulimit -Hn): %s",
		       subject(s), need, files(need), s->topology->ncpus,
		       cpus(s), limit, left, remains(s));
}

bool
perf_files_short(int code)
{
	return code == EMFILE || code == ENFILE || code == ENOMEM;
}

bool
perf_files_explain(const struct perf_source *s, uint64_t need, int code,
		   struct err *e)
{
	enum err_code as = is_pair(s) ? ERR_NO_PMU : ERR_FAIL;

	switch (code) {
	case ENFILE:
		return err_set(
			e, as,
			"%s %" PRIu64
			" open %s and the system's table of them is full (ENFILE; close other programs, or raise sysctl fs.file-max): %s",
			subject(s), need, files(need), remains(s));
	case ENOMEM:
		return err_set(
			e, as,
			"%s %" PRIu64
			" %s and the kernel has no memory left for that (ENOMEM; close other programs): %s",
			subject(s), need, plural(need, "counter", "counters"),
			remains(s));
	}
	return err_set(
		e, as,
		"%s %" PRIu64
		" open %s for %u %s, more than this process may have (EMFILE; raise the limit with ulimit -Hn): %s",
		subject(s), need, files(need), s->topology->ncpus, cpus(s),
		remains(s));
}

#include "source/group_linux.h"
#include "source/proc_stat_linux.h"
#include "source/sysfs_linux.h"
#include "source/table.h"
#include "source/topology_linux.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#define PARANOID "/proc/sys/kernel/perf_event_paranoid"

struct perf_source {
	struct source source; /* first */
	char *root;           /* NULL: this machine */
	struct topology *topology;
	struct group *group; /* [ncpus] */
	struct proc_stat stat;
	struct eventset set; /* always empty */
};

static struct perf_source *
perf_of(struct source *s)
{
	return (struct perf_source *)(void *)s;
}

static bool
denied(const struct perf_source *s, struct err *e)
{
	int64_t level;

	if (!sysfs_number(s->root, PARANOID, &level))
		return err_set(e, ERR_PERM,
			       "the kernel refuses to count (EACCES); run "
			       "ktop as root");
	if (level >= 3)
		return err_set(e, ERR_PERM,
			       "perf_event_paranoid is %d: run ktop as root, "
			       "or sysctl kernel.perf_event_paranoid=2 and "
			       "setcap cap_perfmon+ep ktop",
			       (int)level);
	if (level >= 1)
		return err_set(e, ERR_PERM,
			       "perf_event_paranoid is %d: run ktop as root, "
			       "or setcap cap_perfmon+ep ktop, or sysctl "
			       "kernel.perf_event_paranoid=0",
			       (int)level);
	return err_set(e, ERR_PERM,
		       "the kernel refuses to count (EACCES) though "
		       "perf_event_paranoid is %d: a security module does",
		       (int)level);
}

/* The sentence for an open that failed on every CPU. */
static bool
refused(const struct perf_source *s, int why, struct err *e)
{
	int64_t level;

	switch (why) {
	case EACCES:
		return denied(s, e);
	case EPERM:
		return err_set(e, ERR_PERM,
			       "perf_event_open is blocked (EPERM), as by a "
			       "container's seccomp profile; start it with "
			       "--cap-add PERFMON");
	case ENOSYS:
		if (sysfs_number(s->root, PARANOID, &level))
			return err_set(e, ERR_PERM,
				       "perf_event_open is blocked by a "
				       "sandbox (ENOSYS); allow it there");
		return err_set(e, ERR_NO_PMU,
			       "this kernel is built without perf events");
	case ENOENT:
	case EOPNOTSUPP:
		return err_set(e, ERR_NO_PMU,
			       "no hardware counters here (a virtual machine "
			       "without a PMU?); showing busy time only");
	case EBUSY:
		return err_set(e, ERR_TAKEN,
			       "another tool holds the counters (EBUSY); quit "
			       "it and try again");
	case EMFILE:
		return err_set(e, ERR_FAIL,
			       "too few file descriptors for two events on "
			       "each of %u CPUs; raise ulimit -n",
			       s->topology->ncpus);
	}
	return err_set(e, ERR_FAIL, "perf_event_open failed: %s",
		       strerror(why));
}

/* Two descriptors for each CPU; the soft limit is ours to raise. */
static void
raise_limit(unsigned ncpus)
{
	rlim_t want = (rlim_t)ncpus * 2 + 64;
	struct rlimit r;

	if (getrlimit(RLIMIT_NOFILE, &r) != 0 || r.rlim_cur >= want)
		return;
	r.rlim_cur = r.rlim_max < want ? r.rlim_max : want;
	setrlimit(RLIMIT_NOFILE, &r);
}

/* IPC mode if any CPU counts; a CPU that is off line may come back. */
static void
open_groups(struct perf_source *s)
{
	struct source_info *info = &s->source.info;
	int why = ENOENT;

	raise_limit(s->topology->ncpus);
	for (unsigned i = 0; i < s->topology->ncpus; i++) {
		int code = group_open(&s->group[i], s->topology->cpu[i].id);

		if (code == 0) {
			info->mode = SOURCE_IPC;
			info->interrupts_per_read++;
		} else if (code != ENODEV) {
			why = code;
		}
	}
	if (info->mode != SOURCE_IPC)
		refused(s, why, &info->why);
	else
		err_set(&info->why, ERR_NONE,
			"on Linux ktop counts cycles and instructions");
}

static void
find_model(struct perf_source *s)
{
	char line[4096], *at, *end;
	size_t size = sizeof(s->source.info.model);
	char *out = s->source.info.model;

	if (sysfs_text(s->root, "/proc/cpuinfo", line, sizeof(line)) &&
	    (at = strstr(line, "model name")) != NULL &&
	    (at = strchr(at, ':')) != NULL) {
		at += 1 + strspn(at + 1, " \t");
		end = at + strcspn(at, "\n");
		snprintf(out, size, "%.*s", (int)(end - at), at);
	} else {
		sysfs_text(s->root, "/proc/device-tree/model", out, size);
	}
}

static void
identify(struct perf_source *s)
{
	struct source_info *info = &s->source.info;
	char release[48];

	snprintf(info->source, sizeof(info->source), "perf");
	find_model(s);
	if (sysfs_text(s->root, "/proc/sys/kernel/osrelease", release,
		       sizeof(release)))
		snprintf(info->os, sizeof(info->os), "Linux %s", release);
	else
		snprintf(info->os, sizeof(info->os), "Linux");
	if (s->topology->nkinds == 1)
		snprintf(info->chip, sizeof(info->chip), "%s",
			 s->topology->kind[0].pmu);
	info->mode = SOURCE_BUSY_ONLY;
	info->topology = s->topology;
	info->set = &s->set;
	info->clock = clock_system();
}

static bool
perf_probe(const struct source_options *o, struct err *e)
{
	struct topology *t = topology_linux(o->root, e);

	topology_free(t);
	return t != NULL;
}

static void
perf_close(struct source *base)
{
	struct perf_source *s;

	if (base == NULL)
		return;
	s = perf_of(base);
	for (unsigned i = 0; s->group != NULL && i < s->topology->ncpus; i++)
		group_close(&s->group[i]);
	if (s->stat.text != NULL)
		proc_stat_close(&s->stat);
	free(s->group);
	free(s->root);
	topology_free(s->topology);
	free(s);
}

static bool
open_all(struct perf_source *s, const struct source_options *o, struct err *e)
{
	if (o->root != NULL) {
		s->root = strdup(o->root);
		if (s->root == NULL)
			return err_set(e, ERR_FAIL, "perf: out of memory");
	}
	s->topology = topology_linux(s->root, e);
	if (s->topology == NULL)
		return false;
	s->group = calloc(s->topology->ncpus, sizeof(*s->group));
	if (s->group == NULL ||
	    !proc_stat_open(&s->stat, s->root, s->topology->ncpus))
		return err_set(e, ERR_FAIL, "perf: out of memory");
	identify(s);
	if (s->root != NULL)
		err_set(&s->source.info.why, ERR_NO_PMU,
			"a recorded machine (--root) has no counters");
	else
		open_groups(s);
	return true;
}

static struct source *
perf_open(const struct source_options *o, struct err *e)
{
	struct perf_source *s = calloc(1, sizeof(*s));

	if (s == NULL) {
		err_set(e, ERR_FAIL, "perf: out of memory");
		return NULL;
	}
	s->source.ops = &source_perf;
	s->stat.fd = -1;
	if (!open_all(s, o, e)) {
		perf_close(&s->source);
		return NULL;
	}
	return &s->source;
}

static bool
perf_program(struct source *base, const struct eventset *set, struct err *e)
{
	struct perf_source *s = perf_of(base);

	if (set == NULL)
		return true;
	if (s->source.info.mode == SOURCE_BUSY_ONLY) {
		if (e != NULL)
			*e = s->source.info.why;
		return false;
	}
	return err_set(e, ERR_USAGE,
		       "on Linux ktop counts cycles and instructions only");
}

static void
read_cpu(struct perf_source *s, unsigned i, struct cpu_sample *out)
{
	struct group *g = &s->group[i];
	int code = 0;

	if (!g->open)
		code = group_open(g, s->topology->cpu[i].id);
	if (code == ENODEV) {
		out->state = CPU_OFF;
	} else if (code == 0 && group_read(g, out->fixed)) {
		out->state = CPU_DELIVERED;
	} else {
		/* Dead since its CPU was off line: a new one next time. */
		group_close(g);
	}
}

static enum source_status
perf_read(struct source *base, struct sample *out, struct err *e)
{
	struct perf_source *s = perf_of(base);
	struct stamp before;

	if (out->ncpus != s->topology->ncpus) {
		err_set(e, ERR_FAIL, "a sample of %u CPUs for a machine of %u",
			out->ncpus, s->topology->ncpus);
		return SOURCE_ERROR;
	}
	out->flags = 0;
	out->domain = DOMAIN_NONE;
	out->set = &s->set;
	memset(out->cpu, 0, out->ncpus * sizeof(*out->cpu));
	clock_now(s->source.info.clock, &before);
	for (unsigned i = 0; i < out->ncpus; i++) {
		/* Nothing can count here: that is no lost row. */
		out->cpu[i].state = s->source.info.why.code == ERR_NO_PMU
					    ? CPU_DELIVERED
					    : CPU_MISSING;
		if (s->source.info.mode != SOURCE_BUSY_ONLY)
			read_cpu(s, i, &out->cpu[i]);
	}
	clock_now(s->source.info.clock, &out->stamp);
	out->cost_ns = out->stamp.awake_ns - before.awake_ns;
	proc_stat_read(&s->stat, s->topology, out);
	return SOURCE_OK;
}

const struct source_ops source_perf = {
	.name = "perf",
	.text = "the kernel's perf events (Linux)",
	.probe = perf_probe,
	.open = perf_open,
	.program = perf_program,
	.read = perf_read,
	.close = perf_close,
};

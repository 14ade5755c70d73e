#include "base/utf8.h"
#include "source/perf/cores.h"
#include "source/perf/denied.h"
#include "source/perf/perf.h"
#include "source/perf/state.h"
#include "source/perf/sysfs.h"
#include "source/table.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void
find_model(struct perf_source *s)
{
	char line[4096], *at, *end;
	size_t size = sizeof s->source.info.model;
	char *out = s->source.info.model;

	if (sysfs_text(s->root, "/proc/cpuinfo", line, sizeof line) &&
	    (at = strstr(line, "model name")) != NULL &&
	    (at = strchr(at, ':')) != NULL) {
		at += 1 + strspn(at + 1, " \t");
		end = at + strcspn(at, "\n");
		utf8_clean(out, size, at, (size_t)(end - at));
	} else if (sysfs_text(s->root, "/proc/device-tree/model", line,
			      sizeof line)) {
		utf8_clean(out, size, line, strlen(line));
	}
}

static void
identify(struct perf_source *s)
{
	struct source_info *info = &s->source.info;
	char release[48], name[48] = "";

	snprintf(info->source, sizeof info->source, "perf");
	find_model(s);
	if (sysfs_text(s->root, "/proc/sys/kernel/osrelease", release,
		       sizeof release))
		utf8_clean(name, sizeof name, release, strlen(release));
	snprintf(info->os, sizeof info->os, "Linux%s%s",
		 name[0] != '\0' ? " " : "", name);
	if (s->topology->nkinds == 1)
		snprintf(info->chip, sizeof info->chip, "%s",
			 s->topology->kind[0].pmu);
	info->mode = SOURCE_BUSY_ONLY;
	info->utilisation = true;
	info->topology = s->topology;
	info->catalog = &s->catalog.catalog;
	info->set = &s->set;
	info->clock = clock_system();
}

static bool
perf_probe(const struct source_options *o, struct err *e)
{
	return cores_there(o->root, e);
}

static void
perf_close(struct source *base)
{
	struct perf_source *s;

	if (base == NULL)
		return;
	s = perf_of(base);
	for (unsigned i = 0; s->cpu != NULL && i < s->topology->ncpus; i++)
		group_close(&s->cpu[i].group, &s->port);
	if (s->had_rights)
		group_rights(&s->port, true);
	perf_processes_close(s);
	proc_stat_close(&s->stat);
	online_close(&s->online);
	places_close(&s->places);
	perf_catalog_free(&s->catalog);
	free(s->cpu);
	free(s->plan);
	free(s->next);
	free(s->fit);
	free(s->root);
	topology_free(s->topology);
	free(s);
}

static bool
make_room(struct perf_source *s, struct err *e)
{
	unsigned n = s->topology->ncpus, kinds = s->topology->nkinds;

	s->cpu = calloc(n, sizeof *s->cpu);
	s->plan = calloc(kinds, sizeof *s->plan);
	s->next = calloc(kinds, sizeof *s->next);
	s->fit = calloc(kinds, sizeof *s->fit);
	if (s->cpu == NULL || s->plan == NULL || s->next == NULL ||
	    s->fit == NULL || !proc_stat_open(&s->stat, s->root, n) ||
	    !online_open(&s->online, s->root) ||
	    !places_open(&s->places, s->root, s->topology))
		return err_set(e, ERR_FAIL, "perf: out of memory");
	for (unsigned i = 0; i < n; i++)
		s->cpu[i].off = s->topology->cpu[i].off;
	return true;
}

/*
 * The fixed pair wherever it can be had. A machine without it still has its
 * kernel's events; without the right to count there is busy time alone.
 */
static void
start(struct perf_source *s)
{
	struct source_info *info = &s->source.info;
	struct err e = { ERR_NONE, "" };
	int code;

	s->counts = true;
	perf_plan(s, NULL);
	if (perf_adopt(s, &e)) {
		info->mode = SOURCE_IPC;
		err_set(&info->why, ERR_NONE,
			"cycles and instructions only: no events are taken");
		return;
	}
	info->why = e;
	s->counts = false;
	perf_plan(s, NULL);
	memcpy(s->plan, s->next, s->catalog.nkinds * sizeof s->plan[0]);
	/* Only what needs no counter can be counted now, if that. */
	code = s->short_of_files ? EMFILE : perf_software_errno(s);
	if (code == 0)
		return;
	info->catalog = NULL;
	/* The lack of a PMU does not explain that the others are refused. */
	if (denied_is_absent(s->hardware) && !denied_is_absent(code) &&
	    !s->short_of_files) {
		(void)denied_explain(s->root, code, &e);
		err_set(&info->why, ERR_NO_PMU,
			"%.200s; software events are refused: %.300s",
			info->why.text, e.text);
	}
}

/* All but the counters, and changes nothing. */
static bool
open_parts(struct perf_source *s, const struct source_options *o,
	   const struct perf_ops *ops, struct err *e)
{
	struct perf_catalog_options c = { .user_only = o->user_only,
					  .events = o->events };

	if (o->root != NULL) {
		s->root = strdup(o->root);
		if (s->root == NULL)
			return err_set(e, ERR_FAIL, "perf: out of memory");
	}
	c.root = s->root;
	s->lazy = o->lazy;
	s->user_only = o->user_only;
	s->turns = o->mux;
	s->topology = topology_linux_present(s->root, e);
	if (s->topology == NULL || !make_room(s, e) ||
	    !perf_catalog_build(&s->catalog, s->topology, &c, e))
		return false;
	identify(s);
	perf_processes_open(s);
	if (ops == NULL && s->root != NULL) {
		err_set(&s->source.info.why, ERR_NO_PMU,
			"a recorded machine (--root) has no counters");
		return true;
	}
	s->port.ops = ops != NULL ? ops : perf_ops_system();
	if (s->port.ops->clock != NULL)
		s->source.info.clock = s->port.ops->clock;
	return true;
}

static struct perf_source *
prepare(const struct source_options *o, const struct perf_ops *ops,
	struct err *e)
{
	struct perf_source *s = calloc(1, sizeof *s);

	if (s == NULL)
		return err_null(e, ERR_FAIL, "perf: out of memory");
	s->source.ops = &source_perf;
	s->stat.fd = s->online.fd = -1;
	if (open_parts(s, o, ops, e))
		return s;
	perf_close(&s->source);
	return NULL;
}

struct source *
perf_open_with(const struct source_options *o, const struct perf_ops *ops,
	       struct err *e)
{
	struct perf_source *s = prepare(o, ops, e);
	struct denied_rights rights;

	if (s == NULL)
		return NULL;
	if (s->port.ops == NULL)
		return &s->source;
	denied_rights(s->root, &rights);
	s->port.rights = denied_capability(&rights);
	s->had_rights = (rights.effective & s->port.rights) != 0;
	group_rights(&s->port, false);
	if (s->port.ops->used != NULL)
		s->used = s->port.ops->used(s->port.ops->self);
	start(s);
	return &s->source;
}

/* Counters that are open are worth more than those that are refused. */
static struct source *
perf_renew(struct source *base, const struct source_options *o, struct err *e)
{
	struct perf_source *old = perf_of(base), *s;
	struct source_options same = *o;

	same.root = old->root; /* whatever is said now: the same machine */
	if (!perf_could_count(old, e))
		return NULL;
	s = prepare(&same, old->port.ops, e);
	if (s == NULL)
		return NULL;
	s->source.recording = base->recording;
	s->port.rights = old->port.rights;
	s->port.attr_size = old->port.attr_size;
	s->had_rights = old->had_rights;
	s->used = old->used;
	s->counted = old->counted || old->counts;
	perf_processes_move(s, old);
	old->had_rights = false; /* they go on with the new one */
	perf_close(base);
	if (s->port.ops != NULL)
		start(s);
	return &s->source;
}

static struct source *
perf_open(const struct source_options *o, struct err *e)
{
	return perf_open_with(o, NULL, e);
}

const struct source_ops source_perf = {
	.name = "perf",
	.text = "the kernel's perf events (Linux)",
	.probe = perf_probe,
	.open = perf_open,
	.program = perf_program,
	.read = perf_read,
	.processes = perf_processes_read,
	.renew = perf_renew,
	.close = perf_close,
	.examine = perf_examine,
};

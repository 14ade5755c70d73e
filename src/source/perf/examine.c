/* Each event alone, what of a set is counted where, and what reading costs. */
#include "source/perf/examine.h"

#include "base/report.h"
#include "source/perf/denied.h"

#include <errno.h>

/* As on the screen: two kinds may have one PMU. */
static const char *
kind_name(const struct perf_source *s, unsigned kind)
{
	const struct topology_kind *k = &s->topology->kind[kind];

	return k->letter[0] != '\0' ? k->letter : k->name;
}

/* Intel's top-down events are refused where slots do not lead them. */
static const struct perf_code *
leader_of(const struct perf_source *s, unsigned kind)
{
	const struct perf_catalog *all = &s->catalog;

	for (unsigned i = 0; i < all->catalog.len; i++) {
		const struct perf_event_code *c =
			perf_catalog_code(all, &all->event[i], kind);

		if (c->known && c->leader)
			return &c->code;
	}
	return NULL;
}

static int
open_error(const struct perf_source *s, const struct perf_event_code *c,
	   unsigned kind, int cpu)
{
	const struct perf_code *leader;
	int error = perf_try_open(s, &c->code, cpu);

	if (error == EINVAL && (leader = leader_of(s, kind)) != NULL)
		error = perf_try_behind(s, leader, &c->code, cpu);
	if (error == 0 && c->summed)
		error = perf_try_open(s, &c->more, cpu);
	return error;
}

/* True: it is counted there. */
static bool
event_on_kind(const struct examine *x, const struct event *v, unsigned kind,
	      struct buf *b)
{
	const struct perf_source *s = perf_of(x->s);
	const struct perf_event_code *c =
		perf_catalog_code(&s->catalog, v, kind);
	int cpu = perf_cpu_of(s, kind), error;
	char number[24];

	if (!c->known) {
		buf_str(b, "n/a");
	} else if (c->how == LINUX_CYCLES_TIMES) {
		buf_printf(b, "%u x cycles", c->factor);
		return true;
	} else if (c->how == LINUX_NOTHING) {
		buf_str(b, "not counted, what is left");
		return true;
	} else if (!x->live) {
		buf_printf(b, "type %u config %#llx", c->code.type,
			   (unsigned long long)c->code.config);
	} else if (cpu < 0) {
		buf_str(b, "off line");
	} else {
		error = open_error(s, c, kind, cpu);
		buf_str(b, report_outcome(error, number));
		if (error != 0)
			buf_printf(b, " (%s)", denied_meaning(error));
		return error == 0;
	}
	return false;
}

static const struct catalog *
examine_catalog(const struct source *base)
{
	const struct perf_source *s = (const void *)base;

	return &s->catalog.catalog;
}

static struct examine_event
examine_event(struct examine *x, const struct event *v, struct buf *b)
{
	const struct perf_catalog *c = &perf_of(x->s)->catalog;
	struct examine_event got = { .why = ERR_FAIL };

	buf_printf(b, "%s: ", v->native != NULL ? v->native : "-");
	for (unsigned k = 0; k < c->nkinds; k++) {
		const struct perf_kind *kind = &c->kind[k];

		if (c->nkinds > 1)
			buf_printf(b, "%s%s%s%s ", k > 0 ? "; " : "",
				   kind_name(perf_of(x->s), k),
				   kind->counts ? " " : "",
				   kind->counts ? kind->pmu.name : "");
		got.taken = event_on_kind(x, v, k, b) || got.taken;
	}
	return got;
}

/* ---- a set in force ---- */

/* The kind's first CPU that counts, or NULL. */
static const struct group *
group_of(const struct perf_source *s, unsigned kind)
{
	for (unsigned i = 0; i < s->topology->ncpus; i++)
		if (s->topology->cpu[i].kind == kind && s->cpu[i].group.open)
			return &s->cpu[i].group;
	return NULL;
}

/* What the kernel refused there. */
static void
refused_on_kind(const struct examine *x, unsigned kind)
{
	const struct perf_source *s = perf_of(x->s);
	const struct group *g = group_of(s, kind);
	char text[1024], number[24];
	struct buf b = buf_over(text, sizeof text);

	for (unsigned n = 0; n < s->set.len; n++) {
		const struct event *v = s->set.slot[n].event;
		bool known = perf_catalog_code(&s->catalog, v, kind)->known;
		int error = known && g != NULL ? g->refused[GROUP_SLOT + n] : 0;

		if (known && error == 0)
			continue;
		buf_printf(&b, "%s%s %s", b.len > 0 ? ", " : "", v->name,
			   known ? report_errno(error, number) : "n/a");
		if (known)
			buf_printf(&b, " (%s)", denied_meaning(error));
	}
	if (b.len > 0)
		report_line(x->out, "  not", "%s: %s", kind_name(s, kind),
			    buf_cstr(&b));
}

static void
examine_in_force(struct examine *x)
{
	for (unsigned k = 0; k < perf_of(x->s)->catalog.nkinds; k++)
		refused_on_kind(x, k);
}

/* Descriptors that a CPU of that kind opens for the set. */
static unsigned
files_of(const struct perf_catalog *c, unsigned kind,
	 const struct eventset *set)
{
	unsigned n = c->kind[kind].counts ? FIXED_COUNT : 0;

	for (unsigned i = 0; i < set->len; i++) {
		const struct perf_event_code *code =
			perf_catalog_code(c, set->slot[i].event, kind);

		if (code->known && code->how != LINUX_CYCLES_TIMES &&
		    code->how != LINUX_NOTHING)
			n += 1u + code->summed;
	}
	return n;
}

static uint64_t
examine_files(const struct source *base, const struct eventset *set)
{
	const struct perf_source *s = (const void *)base;
	uint64_t n = 0;

	if (set == NULL)
		return perf_files_kept(s);
	for (unsigned i = 0; i < s->topology->ncpus; i++)
		n += files_of(&s->catalog, s->topology->cpu[i].kind, set);
	return n;
}

/* The group of one CPU. */
static enum source_status
examine_read(struct examine *x, unsigned n, char *key, size_t size)
{
	struct perf_source *s = perf_of(x->s);

	if (n >= s->topology->ncpus)
		return SOURCE_END;
	snprintf(key, size, "read cpu %d", s->topology->cpu[n].id);
	return s->cpu[n].group.open && group_read(&s->cpu[n].group, &s->port) ==
					       GROUP_READ
		       ? SOURCE_OK
		       : SOURCE_ERROR;
}

const struct source_examine perf_examine = {
	.events = "each alone: what it is here, and whether it opens",
	.presets =
		"opened on all CPUs, kernel and programs alike, guests excluded;\n# ",
	.busy = "/proc/stat",
	.own =
		(const struct examine_section[]){
			{ "versions", perf_examine_versions },
			{ "rights", perf_examine_rights },
			{ "pmus", perf_examine_pmus },
			{ "topology", perf_examine_topology },
			{ "clocks", perf_examine_clocks },
			{ NULL, NULL },
		},
	.catalog = examine_catalog,
	.event = examine_event,
	.in_force = examine_in_force,
	.files = examine_files,
	.read = examine_read,
	.interrupts = "one for each CPU but the reader's own, a reading",
};

/* Each event of the catalog alone, then each preset: what opens, where not. */
#include "commands/doctor/linux/doctor.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/buf.h"
#include "base/plural.h"

enum { TEXT_SIZE = 1024 };

/* Would every open fail alike? Then one line says it for all. */
static bool
all_refused(const struct doctor_linux *d)
{
	int code = d->found.cycles;

	return code == EACCES || code == EPERM || code == ENOSYS;
}

/* As on the screen: two kinds may have one PMU. */
static const char *
kind_name(const struct doctor_linux *d, unsigned kind)
{
	const struct topology_kind *k = &d->s->topology->kind[kind];

	return k->letter[0] != '\0' ? k->letter : k->name;
}

/* Intel's top-down events are refused where slots do not lead them. */
static const struct perf_code *
leader_of(const struct doctor_linux *d, unsigned kind)
{
	for (unsigned i = 0; i < d->s->catalog.catalog.len; i++) {
		const struct perf_event_code *c = perf_catalog_code(
			&d->s->catalog, &d->s->catalog.event[i], kind);

		if (c->known && c->leader)
			return &c->code;
	}
	return NULL;
}

static void
event_on_kind(struct doctor_linux *d, const struct event *e, unsigned kind,
	      struct buf *b, bool *opened)
{
	const struct perf_event_code *c =
		perf_catalog_code(&d->s->catalog, e, kind);
	int cpu = doctor_cpu_of(d, kind), error;
	const struct perf_kind *k = &d->s->catalog.kind[kind];
	char number[24];

	if (b->len > 0)
		buf_str(b, "; ");
	if (d->s->catalog.nkinds > 1)
		buf_printf(b, "%s%s%s ", kind_name(d, kind),
			   k->counts ? " " : "", k->counts ? k->pmu.name : "");
	if (!c->known) {
		buf_str(b, "n/a");
	} else if (c->how == LINUX_CYCLES_TIMES) {
		buf_printf(b, "%u x cycles", c->factor);
		*opened = true;
	} else if (c->how == LINUX_NOTHING) {
		buf_str(b, "not counted, what is left");
		*opened = true;
	} else if (!d->live) {
		buf_printf(b, "type %u config %#llx", c->code.type,
			   (unsigned long long)c->code.config);
	} else if (cpu >= 0) {
		error = doctor_try_open(d, &c->code, cpu);
		if (error == EINVAL && leader_of(d, kind) != NULL)
			error = doctor_try_behind(d, leader_of(d, kind),
						  &c->code, cpu);
		if (error == 0 && c->summed)
			error = doctor_try_open(d, &c->more, cpu);
		buf_str(b, report_outcome(error, number));
		if (error != 0)
			buf_printf(b, " (%s)", denied_meaning(error));
		*opened = *opened || error == 0;
	} else {
		buf_str(b, "off line");
	}
}

void
doctor_linux_events(struct doctor_linux *d)
{
	report_section(d->out, "events");
	if (d->s == NULL)
		return;
	if (d->live && all_refused(d)) {
		char number[24];

		report_line(d->out, "events", "not tried: cycles give %s",
			    report_errno(d->found.cycles, number));
		return;
	}
	(void)fputs(d->live ? "# each alone: what it is here, and "
			      "whether it opens\n"
			    : "# each: what it is here\n",
		    d->out);
	for (unsigned i = 0; i < d->s->catalog.catalog.len; i++) {
		const struct event *e = &d->s->catalog.catalog.event[i];
		char text[TEXT_SIZE];
		struct buf b = buf_over(text, sizeof(text));
		bool opened = false;

		if (e->fixed)
			continue;
		for (unsigned k = 0; k < d->s->catalog.nkinds; k++)
			event_on_kind(d, e, k, &b, &opened);
		d->found.events++;
		d->found.opened += opened;
		report_line(d->out, e->name, "%s: %s",
			    e->native != NULL ? e->native : "-", buf_cstr(&b));
	}
}

/* ---- presets ---- */

/* What the kernel refused in the group of the kind's first open CPU. */
static void
refused_on_kind(const struct doctor_linux *d, unsigned kind)
{
	const struct topology *t = d->s->topology;
	const struct eventset *set = &d->s->set;
	char text[TEXT_SIZE], number[24];
	struct buf b = buf_over(text, sizeof(text));
	unsigned i = 0, missing = 0;

	while (i < t->ncpus &&
	       (t->cpu[i].kind != kind || !d->s->cpu[i].group.open))
		i++;
	for (unsigned n = 0; n < set->len; n++) {
		const struct event *e = set->slot[n].event;
		bool known = perf_catalog_code(&d->s->catalog, e, kind)->known;
		int error = i < t->ncpus && known
				    ? d->s->cpu[i].group.refused[GROUP_SLOT + n]
				    : 0;

		if (known && error == 0)
			continue;
		buf_printf(&b, "%s%s %s", missing > 0 ? ", " : "", e->name,
			   known ? report_errno(error, number) : "n/a");
		if (known)
			buf_printf(&b, " (%s)", denied_meaning(error));
		missing++;
	}
	if (missing > 0)
		report_line(d->out, "  not", "%s: %s", kind_name(d, kind),
			    buf_cstr(&b));
}

/* Sum over the CPUs of what a slot has counted up to now. */
static bool
slot_total(const struct doctor_linux *d, unsigned slot, uint64_t *out)
{
	bool any = false;

	*out = 0;
	for (unsigned i = 0; i < d->s->topology->ncpus; i++) {
		const struct reading *r = &d->sample->cpu[i].slot[slot];

		if (d->sample->cpu[i].state != CPU_DELIVERED || !r->supported)
			continue;
		*out += r->count;
		any = true;
	}
	return any;
}

static void
counted(struct doctor_linux *d)
{
	const struct eventset *set = &d->s->set;
	uint64_t from[EVENTSET_MAX] = { 0 }, to;
	char text[TEXT_SIZE];
	struct buf b = buf_over(text, sizeof(text));
	struct err e;

	if (perf_read(&d->s->source, d->sample, &e) != SOURCE_OK)
		return;
	for (unsigned i = 0; i < set->len; i++)
		(void)slot_total(d, i, &from[i]);
	doctor_nap(DOCTOR_TRIAL_NS);
	if (perf_read(&d->s->source, d->sample, &e) != SOURCE_OK)
		return;
	for (unsigned i = 0; i < set->len; i++) {
		buf_printf(&b, "%s%s=", i > 0 ? " " : "",
			   set->slot[i].event->name);
		if (slot_total(d, i, &to))
			buf_u64(&b, to - from[i]);
		else
			buf_str(&b, "n/a");
	}
	report_line(d->out, "  counted", "%s", buf_cstr(&b));
}

/* Metrics that the set leaves out, with the reason of the first event. */
static void
left_out(const struct doctor_linux *d, const struct eventset *set)
{
	for (unsigned i = 0; i < set->ndropped; i++)
		report_line(d->out, "  left out", "%s: %s",
			    set->dropped[i].event, set->dropped[i].why);
}

static const char *
events(unsigned n)
{
	return plural(n, "event", "events");
}

static void
preset(struct doctor_linux *d, int p)
{
	const struct user *user = &d->o->user;
	struct err e = { ERR_NONE, "" };
	struct eventset set;
	char key[64];

	(void)snprintf(key, sizeof(key), "preset %s",
		       user_preset(user, p)->name);
	if (!user_derive(user, p, &d->s->catalog.catalog, DOMAIN_ALL, &set,
			 &e)) {
		/* The sentence begins with the preset's name, as the line. */
		const char *why = strstr(e.text, ": ");

		report_line(d->out, key, "not on this machine: %s",
			    why != NULL ? why + 2 : e.text);
		return;
	}
	d->found.presets++;
	if (!d->live) {
		report_line(d->out, key, "%u %s", set.len, events(set.len));
		left_out(d, &set);
		return;
	}
	if (!perf_program(&d->s->source, &set, &e)) {
		report_line(d->out, key, "%u %s, refused: %s", set.len,
			    events(set.len), e.text);
		return;
	}
	d->found.programmed++;
	d->found.domain = d->s->source.info.domain;
	report_line(d->out, key, "%u %s, mode %s", d->s->set.len,
		    events(d->s->set.len), domain_name[d->found.domain]);
	for (unsigned k = 0; k < d->s->catalog.nkinds; k++)
		refused_on_kind(d, k);
	left_out(d, &set);
	counted(d);
}

void
doctor_linux_presets(struct doctor_linux *d)
{
	report_section(d->out, "presets");
	if (d->s == NULL || d->s->source.info.catalog == NULL) {
		report_line(d->out, "presets", "none: %s",
			    d->s != NULL ? d->s->source.info.why.text
					 : d->why.text);
		return;
	}
	if (d->live)
		(void)fprintf(d->out,
			      "# opened on all CPUs; what they counted in %d "
			      "ms, kernel and programs alike,\n# guests "
			      "excluded\n",
			      DOCTOR_TRIAL_NS / 1000000);
	for (unsigned p = 0; p < user_preset_count(&d->o->user); p++)
		preset(d, (int)p);
}

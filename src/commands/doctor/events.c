/* What can be counted: each event alone, then each preset. */
#include "commands/doctor/doctor.h"

#include <inttypes.h>
#include <string.h>

#include "base/plural.h"

enum { LINE_SIZE = 1024 };

/* All of them in one list: what a report is read for first. */
static void
note_refused(struct doctor *d, const struct event *v, enum err_code why)
{
	char *list = d->found.refused_names;
	size_t at = strlen(list), size = sizeof d->found.refused_names;
	size_t more = strlen(v->name) + sizeof(", 0xffff EPERM");

	if (at + more >= size)
		return;
	d->found.refused_listed++;
	snprintf(list + at, size - at, "%s%s 0x%" PRIx32 "%s",
		 at > 0 ? ", " : "", v->name, v->number,
		 why == ERR_PERM ? " EPERM" : "");
}

static void
event_alone(struct doctor *d, const struct event *v)
{
	struct examine_found *f = &d->x.found;
	char text[LINE_SIZE];
	struct buf b = buf_over(text, sizeof text);
	struct examine_event got = d->ask->event(&d->x, v, &b);

	f->events++;
	f->nowhere += got.nowhere;
	if (!got.nowhere && !got.taken) {
		f->refused++;
		note_refused(d, v, got.why);
	}
	if (got.taken && f->domain == DOMAIN_NONE)
		f->domain = got.domain;
	else if (got.taken && got.domain != f->domain)
		f->domain = DOMAIN_MIXED;
	report_line(d->x.out, v->name, "%s", buf_cstr(&b));
}

void
doctor_events(struct doctor *d)
{
	struct examine_found *f = &d->x.found;
	const struct catalog *c = doctor_catalog(d);

	if (f->untried.text[0] != '\0') {
		report_line(d->x.out, "events", "not tried: %s",
			    f->untried.text);
		return;
	}
	fprintf(d->x.out, "# %s\n",
		d->x.live ? d->ask->events : "each: what it is here");
	for (unsigned i = 0; i < c->len && !doctor_interrupted(d); i++)
		if (!c->event[i].fixed)
			event_alone(d, &c->event[i]);
	if (!d->x.live)
		return;
	if (f->domain != DOMAIN_NONE || f->refused == f->events)
		report_line(d->x.out, "mode", "%s",
			    f->domain == DOMAIN_NONE ? "none"
						     : domain_name[f->domain]);
	report_line(d->x.out, "events refused", "%u of %u", f->refused,
		    f->events);
}

/* ---- presets ---- */

/* What all CPUs that were read twice counted in between. */
static bool
counted(const struct doctor *d, unsigned slot, uint64_t *out)
{
	bool any = false;

	*out = 0;
	for (unsigned i = 0; i < d->sample[0]->ncpus; i++) {
		const struct cpu_sample *a = &d->sample[0]->cpu[i];
		const struct cpu_sample *b = &d->sample[1]->cpu[i];

		if (a->state != CPU_DELIVERED || b->state != CPU_DELIVERED ||
		    !a->slot[slot].supported || !b->slot[slot].supported ||
		    b->slot[slot].count < a->slot[slot].count)
			continue;
		*out += b->slot[slot].count - a->slot[slot].count;
		any = true;
	}
	return any;
}

/* "INST_ALL=123", what the whole machine counted in a moment. */
static void
counted_line(struct doctor *d)
{
	const struct eventset *set = d->x.s->info.set;
	char text[LINE_SIZE];
	struct buf b = buf_over(text, sizeof text);
	uint64_t n;

	if (!doctor_read_twice(d))
		return;
	for (unsigned i = 0; i < set->len; i++) {
		buf_printf(&b, "%s%s=", i > 0 ? " " : "",
			   set->slot[i].event->name);
		if (counted(d, i, &n))
			buf_u64(&b, n);
		else
			buf_str(&b, "n/a");
	}
	report_line(d->x.out, "  counted", "%s", buf_cstr(&b));
}

/* "A, B: why; C: why", of the events that the set leaves out. */
static void
left_out(const struct doctor *d, const struct eventset *set)
{
	char text[LINE_SIZE];
	struct buf b = buf_over(text, sizeof text);
	uint32_t told = 0;

	for (unsigned i = 0; i < set->ndropped; i++) {
		const char *why = set->dropped[i].why, *between = "; ";

		if ((told >> i & 1) != 0)
			continue;
		for (unsigned k = i; k < set->ndropped; k++) {
			if (strcmp(set->dropped[k].why, why) != 0)
				continue;
			told |= 1u << k;
			buf_printf(&b, "%s%s", b.len > 0 ? between : "",
				   set->dropped[k].event);
			between = ", ";
		}
		buf_printf(&b, ": %s", why);
	}
	if (b.len > 0)
		report_line(d->x.out, "  left out", "%s", buf_cstr(&b));
}

static bool
program(struct doctor *d, const struct eventset *set, struct err *e)
{
	int64_t from = doctor_now_ns(), ns;
	bool ok = d->x.s->ops->program(d->x.s, set, e);

	ns = doctor_now_ns() - from;
	if (ns > d->found.slowest_swap_ns)
		d->found.slowest_swap_ns = ns;
	return ok;
}

/* " on counters 2-9": each of the set's events has one, in their order. */
static const char *
on_counters(const struct doctor *d, char text[48])
{
	const struct eventset *set = d->x.s->info.set;
	struct buf b = buf_over(text, 48);
	uint32_t bits = 0;

	for (unsigned i = 0; d->ask->own_counters && i < set->len; i++)
		bits |= 1u << set->slot[i].counter;
	if (bits != 0) {
		buf_str(&b, " on counters ");
		report_ranges(&b, bits);
	}
	return buf_cstr(&b);
}

static void
preset(struct doctor *d, unsigned i)
{
	struct examine_found *f = &d->x.found;
	const struct source_info *info = &d->x.s->info;
	struct err e = { ERR_NONE, "" };
	struct eventset set;
	char key[64], text[48];

	snprintf(key, sizeof key, "preset %s",
		 user_preset(&d->o->user, (int)i)->name);
	if (!doctor_derive(d, i, &set, &e)) {
		/* It begins with the preset's name, and ends with advice. */
		const char *why = strstr(e.text, ": ");

		why = why != NULL ? why + 2 : e.text;
		report_line(d->x.out, key, "not on this machine: %.*s",
			    (int)strcspn(why, ";"), why);
		return;
	}
	f->presets++;
	if (!d->x.live) {
		report_line(d->x.out, key, "%u %s", set.len,
			    plural(set.len, "event", "events"));
	} else if (!program(d, &set, &e)) {
		/* This is the report that the person is asked to send. */
		const char *please = strstr(e.text, ". Please send");
		int len = (int)(please != NULL ? please - e.text
					       : (ptrdiff_t)strlen(e.text));

		report_line(d->x.out, key, "%u %s, refused: %.*s", set.len,
			    plural(set.len, "event", "events"), len, e.text);
		return;
	} else {
		f->programmed++;
		if (f->domain == DOMAIN_NONE)
			f->domain = info->domain;
		report_line(d->x.out, key, "%u %s%s, mode %s", set.len,
			    plural(set.len, "event", "events"),
			    on_counters(d, text), domain_name[info->domain]);
		d->ask->in_force(&d->x);
	}
	left_out(d, &set);
	if (d->x.live)
		counted_line(d);
}

void
doctor_presets(struct doctor *d)
{
	const struct source_info *info = &d->x.s->info;
	unsigned n = user_preset_count(&d->o->user);

	if (info->catalog == NULL) {
		report_line(d->x.out, "presets", "none: %s", info->why.text);
		return;
	}
	if (d->x.live)
		fprintf(d->x.out, "# %swhat all CPUs counted in %d ms\n",
			d->ask->presets, DOCTOR_TRIAL_NS / 1000000);
	for (unsigned i = 0; i < n && !doctor_interrupted(d); i++)
		preset(d, i);
	if (d->x.live)
		report_line(d->x.out, "slowest swap", "%lld us",
			    (long long)(d->found.slowest_swap_ns / 1000));
}

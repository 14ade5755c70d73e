#include "analysis/analysis.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "model/columns.h"
#include "model/track.h"
#include "model/metric.h"
#include "monitor/monitor.h"
#include "options/user.h"
#include "process/caller.h"
#include "recording/part.h"
#include "recording/replay.h"

struct sum_cpu {
	struct span counts;
	struct account_busy busy; /* in ns */
};

struct digest_sums {
	struct eventset set;
	enum domain domain;
	int64_t interval_ns;
	struct sum_cpu *cpu;
};

static struct digest_sums *
digest_find_set(struct digest *d, const struct sample *s, struct err *e)
{
	for (unsigned i = 0; i < d->nsets; i++)
		if (d->sums[i].domain == s->domain &&
		    eventset_same_events(&d->sums[i].set, s->set))
			return &d->sums[i];
	if (d->nsets == DIGEST_SETS_MAX)
		return err_null(
			e, ERR_FAIL,
			"the recording has more than %d event sets; take a part of it (--from, --to)",
			DIGEST_SETS_MAX);
	struct digest_sums *set = &d->sums[d->nsets];

	set->set = *s->set;
	set->domain = s->domain;
	set->cpu = calloc(d->topology->ncpus, sizeof *set->cpu);
	if (set->cpu == NULL)
		return err_null(e, ERR_FAIL, "out of memory for a summary");
	d->nsets++;
	return set;
}

static void
sums_add_cpu(struct sum_cpu *sum, const struct span *c, int64_t frame_ns)
{
	const uint32_t pair =
		1u << TERM_SLOT_CYCLES | 1u << TERM_SLOT_INSTRUCTIONS;
	struct span *to = &sum->counts;
	bool fixed = span_had_fixed(c), slots = c->event_ns > 0;
	uint32_t have = c->have_any;

	if (c->ncpus == 0)
		return;
	to->ncpus = 1;
	if (c->seen_ns > 0)
		account_busy_add(&sum->busy, c->seen_ns, c->seen_busy_ns, fixed,
				 (double)frame_ns);
	if (!fixed && !slots)
		return;
	if (!fixed)
		have &= ~(1u << TERM_CYCLES | 1u << TERM_INSTRUCTIONS);
	if (!slots)
		have &= 1u << TERM_CYCLES | 1u << TERM_INSTRUCTIONS;
	/* Counts unknown in one frame are unknown in the sum. */
	else if (to->event_ns > 0)
		have &= ~pair | (to->have_any & pair);
	if (slots)
		to->have_any &= ~pair | have;
	to->have_any |= have;
	to->cpu_ns += c->cpu_ns;
	to->event_ns += c->event_ns;
	for (unsigned i = 0; i < TERM_COUNTS; i++)
		to->count[i] += (have >> i & 1) != 0 ? c->count[i] : 0;
}

static bool
digest_add_sums(struct digest *d, const struct sample *s, struct err *e)
{
	struct digest_sums *set = digest_find_set(d, s, e);

	if (set == NULL)
		return false;
	set->interval_ns += s->recorded->interval_ns;
	for (unsigned i = 0; i < d->topology->ncpus; i++)
		sums_add_cpu(&set->cpu[i], &s->recorded->cpu[i],
			     s->recorded->interval_ns);
	return true;
}

/* The sums of an event set form one long frame. A metric that several sets
 * count is the mean of their values, weighted by metric_weight. */

static void
sums_lay_out(struct span *out, const struct sum_cpu *from, unsigned ncpus)
{
	for (unsigned i = 0; i < ncpus; i++) {
		out[i] = from[i].counts;
		if (from[i].busy.seen > 0)
			span_set_busy(&out[i], out[i].cpu_ns *
						       from[i].busy.busy /
						       from[i].busy.seen);
		if (!span_had_fixed(&out[i]) && !(out[i].event_ns > 0))
			out[i].quality = QUALITY_STALE;
	}
}

static const struct frame *
monitor_feed_sums(struct monitor *m, const struct eventset *set,
		  enum domain domain, int64_t interval_ns,
		  const struct span *cpu)
{
	struct recorded r = { .interval_ns = interval_ns, .cpu = cpu };
	struct sample s = {
		.stamp = { interval_ns, interval_ns, 0 },
		.domain = domain,
		.set = set,
		.recorded = &r,
	};

	return monitor_feed(m, &s);
}

/* The slot of the metric's denominator if that is a single event, else -1. */
static int
metric_divisor_slot(const struct metric *m, const struct eventset *set)
{
	const char *text = m->den[0].event;
	struct term_names names;

	if (text == NULL || m->den[1].event != NULL)
		return -1;
	while (term_next(&text, &names)) {
		if (names.n != 1)
			return -1;
		int slot = eventset_find_n(set, names.at[0], names.len[0]);

		if (slot >= 0)
			return slot;
	}
	return -1;
}

static double
metric_weight(const struct metric *m, const struct frame *f, unsigned row)
{
	const struct span *t = &f->span[row];
	int slot = metric_divisor_slot(m, f->set);

	if (slot >= 0 && span_has_slot(t, (unsigned)slot))
		return (double)t->slot[slot];
	return span_event_s(t) > 0 ? span_event_s(t) : span_interval_s(t);
}

bool
digest_is_fixed(const struct metric *m)
{
	for (unsigned i = 0; i < METRIC_TERMS; i++) {
		const char *num = m->num[i].event, *den = m->den[i].event;

		if (num != NULL && term_pseudo(num, (unsigned)strlen(num)) < 0)
			return false;
		if (den != NULL && term_pseudo(den, (unsigned)strlen(den)) < 0)
			return false;
	}
	return true;
}

static void
digest_take_set(struct digest *d, const struct frame *f)
{
	for (unsigned r = 0; r < f->nscopes; r++)
		for (unsigned m = 0; m < f->nmetrics; m++) {
			struct digest_cell *c = digest_at(d, r, m);
			double v = frame_value(f, r, m);

			if (isnan(v) || digest_is_fixed(d->metric[m]) ||
			    d->metric[m]->core)
				continue;
			double w = metric_weight(d->metric[m], f, r);

			c->sum += w * v;
			c->weight += w;
			c->value = c->weight > 0 ? c->sum / c->weight : NAN;
		}
}

static void
digest_take_fixed(struct digest *d, const struct frame *f)
{
	for (unsigned r = 0; r < f->nscopes; r++)
		for (unsigned m = 0; m < f->nmetrics; m++)
			/* The sum of several intervals is not judged: it has no
			 * bottleneck. */
			if (digest_is_fixed(d->metric[m]) &&
			    !d->metric[m]->judged)
				digest_at(d, r, m)->value =
					frame_value(f, r, m);
}

static void
sums_add_fixed(struct sum_cpu *all, const struct sum_cpu *part)
{
	all->counts.ncpus = 1;
	all->counts.cpu_ns += part->counts.cpu_ns;
	all->counts.have_any |= part->counts.have_any &
				(1u << TERM_CYCLES | 1u << TERM_INSTRUCTIONS);
	all->counts.cycles += part->counts.cycles;
	all->counts.instructions += part->counts.instructions;
	all->busy.seen += part->busy.seen;
	all->busy.busy += part->busy.busy;
}

static bool
digest_value_sums(struct digest *d, struct monitor *m, struct err *e)
{
	static const struct eventset none;
	unsigned ncpus = d->topology->ncpus;
	struct sum_cpu *all = calloc(ncpus, sizeof *all);
	struct span *cpu = calloc(ncpus, sizeof *cpu);
	int64_t interval_ns = 0;
	bool ok = all != NULL && cpu != NULL;

	for (unsigned i = 0; ok && i < d->nsets; i++) {
		struct digest_sums *set = &d->sums[i];

		sums_lay_out(cpu, set->cpu, ncpus);
		digest_take_set(d, monitor_feed_sums(m, &set->set, set->domain,
						     set->interval_ns, cpu));
		interval_ns += set->interval_ns;
		for (unsigned c = 0; c < ncpus; c++)
			sums_add_fixed(&all[c], &set->cpu[c]);
	}
	if (ok) {
		sums_lay_out(cpu, all, ncpus);
		digest_take_fixed(d, monitor_feed_sums(m, &none, DOMAIN_NONE,
						       interval_ns, cpu));
	}
	free(all);
	free(cpu);
	return ok || err_set(e, ERR_FAIL, "out of memory for a summary");
}

/* For metrics of a core's busiest thread: which thread that is changes, so its
 * values are summed frame by frame. */
static void
cell_take_core(struct digest_cell *c, const struct span *t, double value)
{
	if (!span_has_fixed(t) || !(value > 0))
		return;
	c->sum += (double)t->instructions;
	c->weight += (double)t->instructions / value;
	c->value = c->weight > 0 ? c->sum / c->weight : NAN;
}

static bool
digest_take_values(struct digest *d, const struct frame *f, double since_s)
{
	bool keeping = kept_begin(d, f), ok = true;

	for (unsigned r = 0; r < f->nscopes; r++)
		for (unsigned m = 0; m < f->nmetrics; m++) {
			double v = frame_value(f, r, m);

			if (isnan(v))
				continue;
			struct digest_cell *c = digest_at(d, r, m);

			c->frames++;
			c->domains |= 1u << f->domain;
			if (d->metric[m]->core)
				cell_take_core(c, &f->span[r], v);
			if (keeping)
				ok = kept_add(d, f, r, m) && ok;
		}
	return digest_power_take(d, f, since_s, keeping) && ok;
}

static bool
digest_take_frame(struct digest *d, const struct frame *f,
		  const struct sample *s, double end_s, double since_s,
		  struct err *e)
{
	account_add(&d->account, f);
	changes_add(d, f, end_s);
	if (!digest_take_values(d, f, since_s))
		return err_set(e, ERR_FAIL,
			       "out of memory for values of samples");
	d->frames++;
	return digest_add_sums(d, s, e);
}

static bool
digest_take_processes(struct digest *d, const struct frame *f,
		      const struct sample *s, struct process_reading *r,
		      struct err *e)
{
	static const struct process_request all = { .opened = -1 };
	const struct digest_cores cores = { &f->span[frame_scope_all(f)],
					    f->domain, f->set };

	if (!d->source->info.processes ||
	    !d->source->ops->processes(d->source, &all, r, NULL))
		return true;
	if (d->processes == NULL)
		d->processes = digest_processes_new(e);
	return d->processes != NULL &&
	       digest_processes_add(d->processes, r, &cores,
				    s->recorded->interval_ns, e);
}

static bool
digest_take_all(struct digest *d, struct monitor *m, struct sample *s,
		struct process_reading *processes, struct part *part,
		struct err *e)
{
	enum source_status status = SOURCE_ERROR;
	int64_t before_ns = 0;
	bool any = false;

	for (;;) {
		/* Values need the final topology: if CPUs appear later, the
		 * recording is read again. */
		d->grew = !d->piped && replay_outdated(d->source);
		if (d->grew)
			return false;
		status = d->source->ops->read(d->source, s, e);
		if (status != SOURCE_OK)
			break;
		const struct recording_frame *rf = replay_frame(d->source);
		int64_t now_ns = replay_reading(d->source)->time_ns;
		enum part_place place;

		if (!any)
			before_ns = now_ns - s->recorded->interval_ns;
		any = true;
		place = part_place_frame(part, rf, now_ns);
		/* The monitor needs frames before the part: bottlenecks depend
		 * on them. */
		const struct frame *f =
			place != PART_AFTER ? monitor_feed(m, s) : NULL;

		if (place == PART_IN) {
			double end_s = (double)(now_ns - part->first_ns) * 1e-9;

			d->length_s += (double)(now_ns - before_ns) * 1e-9;
			if (!digest_take_frame(d, f, s, end_s, d->length_s,
					       e) ||
			    !digest_take_processes(d, f, s, processes, e))
				return false;
			for (unsigned i = 0; i < rf->nnotes; i++)
				d->notes[rf->note[i].kind]++;
		}
		before_ns = now_ns;
		if (place == PART_AFTER)
			break;
	}
	if (status == SOURCE_ERROR || !part_check(part, e))
		return false;
	if (d->frames == 0)
		return err_set(
			e, ERR_USAGE,
			"%s has no sample in this part; choose another --from, --to or --mark",
			d->name);
	return true;
}

static bool
digest_allocate(struct digest *d, struct monitor *m, struct err *e)
{
	const struct topology *t = d->topology;

	d->nmetrics = monitor_metric_count(m);
	for (unsigned i = 0; i < d->nmetrics; i++)
		d->metric[i] = monitor_metric(m, i);
	digest_power_add_metrics(d);
	d->nrows = t->ncpus + t->nclusters + t->nkinds + 1;
	d->cell = calloc((size_t)d->nrows * d->nmetrics, sizeof *d->cell);
	d->sums = calloc(DIGEST_SETS_MAX, sizeof *d->sums);
	if (!account_init_rows(&d->account, t) || d->cell == NULL ||
	    d->sums == NULL || !kept_init(d) || !changes_init(d))
		return err_set(e, ERR_FAIL, "out of memory for a summary");
	for (size_t i = 0; i < (size_t)d->nrows * d->nmetrics; i++)
		d->cell[i].value = NAN;
	return true;
}

static bool
digest_fill(struct digest *d, const struct options *o, struct err *e)
{
	const struct source_info *i = &d->source->info;
	struct monitor_options mo = { .period_ns = 1000000000,
				      .catalog = i->catalog,
				      .extra_metrics = d->user.metric,
				      .no_past = true,
				      .no_stand_in = true };
	struct process_reading processes = { .n = 0 };
	struct part part;
	struct monitor *m;
	struct sample *s;
	bool ok;

	d->user = o->user;
	user_add_rates(&d->user, i, NULL);
	mo.nextra = d->user.nmetrics;
	d->topology = i->topology;
	if (!part_parse(&part, o->source.from, o->source.to, o->source.mark, e))
		return false;
	part_find_marks(&part, replay_index(d->source));
	if (part.timed && !part_check(&part, e))
		return false;
	m = monitor_new(i->topology, &mo, e);
	s = sample_new(i->topology->ncpus, e);
	ok = m != NULL && s != NULL && digest_allocate(d, m, e) &&
	     digest_take_all(d, m, s, &processes, &part, e) &&
	     digest_value_sums(d, m, e);
	if (d->processes != NULL)
		digest_processes_finish(d->processes);
	process_reading_free(&processes);
	monitor_free(m);
	sample_free(s);
	return ok;
}

static bool
paths_have_pipe(const char *const *path, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (strcmp(path[i], "-") == 0)
			return true;
	return false;
}

static struct digest *
digest_make(const char *const *path, unsigned n, const struct options *o,
	    enum digest_keep keep, bool index, bool *grew, struct err *e)
{
	struct source_options so = { .replay = path,
				     .nreplay = n,
				     .skip_damaged = o->source.skip_damaged,
				     .replay_index = index };
	struct digest *d = calloc(1, sizeof *d);

	*grew = false;
	if (d == NULL)
		return err_null(e, ERR_FAIL, "out of memory for a summary");
	d->keep = keep;
	utf8_plain(d->name, sizeof d->name, path[0], strlen(path[0]));
	d->piped = paths_have_pipe(path, n);
	d->source = replay_open(&so, NULL, e);
	if (d->source != NULL && digest_fill(d, o, e))
		return d;
	*grew = d->grew;
	digest_free(d);
	return NULL;
}

struct digest *
digest_new(const char *const *path, unsigned n, const struct options *o,
	   enum digest_keep keep, struct err *e)
{
	struct digest *d;
	bool grew;

	if (!drop_root(e))
		return NULL;
	d = digest_make(path, n, o, keep,
			o->source.mark != NULL && !paths_have_pipe(path, n),
			&grew, e);
	return grew ? digest_make(path, n, o, keep, true, &grew, e) : d;
}

void
digest_free(struct digest *d)
{
	if (d == NULL)
		return;
	kept_free(d);
	for (unsigned i = 0; i < d->nsets; i++)
		free(d->sums[i].cpu);
	free(d->sums);
	digest_processes_free(d->processes);
	free(d->trends);
	free(d->cell);
	account_free(&d->account);
	if (d->source != NULL)
		d->source->ops->close(d->source);
	free(d);
}

static void
digest_row_set_kind(const struct topology *t, unsigned kind,
		    struct digest_row *out)
{
	out->kind = t->kind[kind].name;
	out->level_index = (int)kind;
}

void
digest_row(const struct digest *d, unsigned row, struct digest_row *out)
{
	const struct topology *t = d->topology;
	struct scope s = scope_at(t, row);

	*out = (struct digest_row){ .level = column_row_name[s.level],
				    .name = "all",
				    .kind = "",
				    .cluster = "",
				    .level_index = -1,
				    .core = -1,
				    .cpu = -1 };
	switch (s.level) {
	case SCOPE_CORE:
		snprintf(out->text, sizeof out->text, "cpu %d",
			 t->cpu[s.index].id);
		out->name = out->text;
		out->cluster = t->cluster[t->cpu[s.index].cluster].label;
		out->core = (int)t->cpu[s.index].core;
		out->cpu = t->cpu[s.index].id;
		digest_row_set_kind(t, t->cpu[s.index].kind, out);
		break;
	case SCOPE_CLUSTER:
		out->name = out->cluster = t->cluster[s.index].label;
		digest_row_set_kind(t, t->cluster[s.index].kind, out);
		break;
	case SCOPE_KIND:
		digest_row_set_kind(t, s.index, out);
		out->name = out->kind;
		break;
	case SCOPE_ALL:
		break;
	}
	bool group = s.level == SCOPE_CLUSTER || s.level == SCOPE_KIND;

	snprintf(out->title, sizeof out->title, "%s%s%s",
		 s.level == SCOPE_CORE ? "" : out->level, group ? " " : "",
		 s.level == SCOPE_ALL ? "" : out->name);
}

unsigned
digest_order(const struct digest *d, unsigned i)
{
	const struct topology *t = d->topology;
	unsigned groups = t->nclusters + t->nkinds + 1;

	if (i == 0)
		return d->nrows - 1;
	if (i <= t->nkinds)
		return t->ncpus + t->nclusters + i - 1;
	if (i < groups)
		return t->ncpus + i - 1 - t->nkinds;
	return i - groups;
}

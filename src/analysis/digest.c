#include "analysis/digest.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/digest_part.h"
#include "analysis/digest_series.h"
#include "analysis/digest_sums.h"
#include "monitor/monitor.h"
#include "options/user_rates.h"
#include "process/caller.h"
#include "recording/replay.h"
#include "recording/text.h"

enum { KEPT_BYTES = 64 << 20 };

/* ---- a frame is taken ---- */

static bool
keep(struct digest *d, struct digest_cell *c, double value)
{
	if (c->kept == NULL) {
		if (isnan(value))
			return true;
		c->kept = malloc(d->kept_max * sizeof *c->kept);
		if (c->kept == NULL)
			return false;
		for (unsigned i = 0; i < d->kept_max; i++)
			c->kept[i] = NAN;
	}
	c->kept[d->kept] = (float)value;
	return true;
}

static void
thin_out(struct digest *d)
{
	size_t n = (size_t)d->nrows * d->nmetrics;

	for (size_t i = 0; i < n; i++) {
		float *kept = d->cell[i].kept;

		if (kept == NULL)
			continue;
		for (unsigned k = 0; k < d->kept_max / 2; k++)
			kept[k] = kept[2 * k];
		for (unsigned k = d->kept_max / 2; k < d->kept_max; k++)
			kept[k] = NAN;
	}
	d->kept = d->kept_max / 2;
	d->stride *= 2;
}

/*
 * The thread that ran longest is another one in each frame, so that summed
 * cycles of threads are no core's: what each frame found is summed instead.
 */
static void
take_core(struct digest_cell *c, const struct tally *t, double value)
{
	if (!t->fixed_known || !(value > 0))
		return;
	c->sum += (double)t->instructions;
	c->weight += (double)t->instructions / value;
	c->value = c->weight > 0 ? c->sum / c->weight : NAN;
}

static bool
take_values(struct digest *d, const struct frame *f)
{
	bool keeping = d->keep == DIGEST_VALUES && d->frames % d->stride == 0;
	bool ok = true;

	if (keeping && d->kept == d->kept_max) {
		thin_out(d);
		keeping = d->frames % d->stride == 0;
	}
	for (unsigned r = 0; r < f->nscopes; r++)
		for (unsigned m = 0; m < f->nmetrics; m++) {
			struct digest_cell *c = digest_at(d, r, m);
			double v = frame_value(f, r, m);

			if (!isnan(v)) {
				c->frames++;
				c->domains |= 1u << f->domain;
			}
			if (d->metric[m]->core)
				take_core(c, &f->tally[r], v);
			if (keeping)
				ok = keep(d, c, v) && ok;
		}
	d->kept += keeping;
	return ok;
}

static bool
take(struct digest *d, const struct frame *f, const struct sample *s,
     struct err *e)
{
	if (d->frames == 0)
		d->begin_ns = f->stamp.wall_ns;
	d->end_ns = f->stamp.wall_ns;
	account_add(&d->account, f);
	if (!take_values(d, f))
		return err_set(e, ERR_FAIL, "out of memory for frame values");
	if (d->series != NULL && !digest_series_add(d->series, d, f, e))
		return false;
	d->frames++;
	return digest_sums_add(d->sums, s, e);
}

static void
count_notes(struct digest *d, const struct recording_frame *f)
{
	for (unsigned i = 0; i < f->nnotes; i++)
		d->notes[f->note[i].kind]++;
}

/* Rows are of one size: all CPUs have to be known before. */
static bool
outgrown(struct digest *d)
{
	d->grew = !d->piped && replay_outdated(d->source);
	return d->grew;
}

static bool
take_all(struct digest *d, struct monitor *m, struct sample *s,
	 struct part *part, struct err *e)
{
	enum source_status status = SOURCE_ERROR;
	int64_t first_ns = 0, before_ns = 0;
	bool any = false;

	while (!outgrown(d) &&
	       (status = d->source->ops->read(d->source, s, e)) == SOURCE_OK) {
		const struct recording_frame *rf = replay_frame(d->source);
		int64_t now_ns = replay_time(d->source);
		enum part_place place;

		if (!any) /* the begin is that of the first frame */
			before_ns = first_ns =
				now_ns - s->recorded->interval_ns;
		if (!any)
			part->first_ns = first_ns;
		any = true;
		place = part_of(part, rf, now_ns - first_ns);
		if (place == PART_IN) {
			if (!take(d, monitor_feed(m, s), s, e))
				return false;
			count_notes(d, rf);
			d->length_s += (double)(now_ns - before_ns) * 1e-9;
		}
		before_ns = now_ns;
		if (place == PART_AFTER)
			break;
	}
	if (d->grew || status == SOURCE_ERROR || !part_check(part, e))
		return false;
	if (d->frames == 0)
		return err_set(e, ERR_USAGE,
			       "%s: there is no frame in the part asked for",
			       d->name);
	return true;
}

/* ---- making one ---- */

static bool
size_all(struct digest *d, struct monitor *m, struct err *e)
{
	const struct topology *t = d->topology;
	size_t frame_bytes;

	d->nmetrics = monitor_metric_count(m);
	for (unsigned i = 0; i < d->nmetrics; i++)
		d->metric[i] = monitor_metric(m, i);
	d->nrows = t->ncpus + t->nclusters + t->nkinds + 1;
	d->cell = calloc((size_t)d->nrows * d->nmetrics, sizeof *d->cell);
	d->sums = digest_sums_new(t->ncpus, e);
	if (!account_init_rows(&d->account, t) || d->cell == NULL ||
	    d->sums == NULL)
		return err_set(e, ERR_FAIL, "out of memory for a summary");
	for (size_t i = 0; i < (size_t)d->nrows * d->nmetrics; i++)
		d->cell[i].value = NAN;
	if (d->keep == DIGEST_SERIES) {
		d->series =
			digest_series_new(d->nrows, d->nmetrics, KEPT_BYTES, e);
		if (d->series == NULL)
			return false;
	}
	frame_bytes = (size_t)d->nrows * d->nmetrics * sizeof(float);
	d->stride = 1;
	d->kept_max = DIGEST_KEPT_MAX;
	while (d->kept_max > DIGEST_KEPT_MIN &&
	       d->kept_max * frame_bytes > KEPT_BYTES)
		d->kept_max /= 2;
	return true;
}

static bool
fill(struct digest *d, const struct options *o, struct err *e)
{
	const struct source_info *i = &d->source->info;
	struct monitor_options mo = { .period_ns = 1000000000,
				      .catalog = i->catalog,
				      .extra_metrics = d->user.metric,
				      .no_past = true,
				      .no_stand_in = true };
	struct part part;
	struct monitor *m;
	struct sample *s;
	bool ok;

	d->user = o->user;
	user_add_rates(&d->user, i, NULL);
	mo.nextra = d->user.nmetrics;
	d->topology = i->topology;
	if (!part_parse(&part, o, e))
		return false;
	part_find_marks(&part, replay_index(d->source));
	if (part.timed && !part_check(&part, e))
		return false;
	m = monitor_new(i->topology, &mo, e);
	s = sample_new(i->topology->ncpus, e);
	ok = m != NULL && s != NULL && size_all(d, m, e) &&
	     take_all(d, m, s, &part, e) && digest_sums_value(d->sums, d, m, e);
	monitor_free(m);
	sample_free(s);
	return ok;
}

static bool
is_piped(const char *const *path, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (strcmp(path[i], "-") == 0)
			return true;
	return false;
}

/* index: read it all once before, for what is known at the end only. */
static struct digest *
make(const char *const *path, unsigned n, const struct options *o,
     enum digest_keep keep, bool index, bool *grew, struct err *e)
{
	struct source_options so = { .replay = path,
				     .nreplay = n,
				     .replay_index = index };
	struct digest *d = calloc(1, sizeof *d);

	*grew = false;
	if (d == NULL) {
		(void)err_set(e, ERR_FAIL, "out of memory for a summary");
		return NULL;
	}
	d->keep = keep;
	recording_clean(d->name, sizeof d->name, path[0], strlen(path[0]));
	d->piped = is_piped(path, n);
	d->source = replay_open(&so, NULL, e);
	if (d->source != NULL && fill(d, o, e))
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
	d = make(path, n, o, keep, o->mark != NULL && !is_piped(path, n), &grew,
		 e);
	return grew ? make(path, n, o, keep, true, &grew, e) : d;
}

void
digest_free(struct digest *d)
{
	if (d == NULL)
		return;
	for (size_t i = 0;
	     d->cell != NULL && i < (size_t)d->nrows * d->nmetrics; i++)
		free(d->cell[i].kept);
	digest_sums_free(d->sums);
	digest_series_free(d->series);
	free(d->cell);
	account_free(&d->account);
	if (d->source != NULL)
		d->source->ops->close(d->source);
	free(d);
}

/* ---- what a row is ---- */

static enum scope_level
level_of(const struct digest *d, unsigned row, unsigned *index)
{
	struct scope s = scope_at(d->topology, row);

	*index = s.index;
	return s.level;
}

const char *
digest_row_level(const struct digest *d, unsigned row)
{
	unsigned index;

	return scope_level_name[level_of(d, row, &index)];
}

const char *
digest_row_name(const struct digest *d, unsigned row, char *buf, unsigned size)
{
	const struct topology *t = d->topology;
	unsigned i;

	switch (level_of(d, row, &i)) {
	case SCOPE_CORE:
		(void)snprintf(buf, size, "cpu %d", t->cpu[i].id);
		return buf;
	case SCOPE_CLUSTER:
		return t->cluster[i].label;
	case SCOPE_KIND:
		return t->kind[i].name;
	case SCOPE_ALL:
		break;
	}
	return "all";
}

const char *
digest_row_kind(const struct digest *d, unsigned row)
{
	const struct topology *t = d->topology;
	unsigned i;

	switch (level_of(d, row, &i)) {
	case SCOPE_CORE:
		return t->kind[t->cpu[i].kind].name;
	case SCOPE_CLUSTER:
		return t->kind[t->cluster[i].kind].name;
	case SCOPE_KIND:
		return t->kind[i].name;
	case SCOPE_ALL:
		break;
	}
	return "";
}

struct digest_place
digest_row_place(const struct digest *d, unsigned row)
{
	const struct topology *t = d->topology;
	struct digest_place p = { "", -1, -1, -1 };
	unsigned i;

	switch (level_of(d, row, &i)) {
	case SCOPE_CORE:
		p.cluster = t->cluster[t->cpu[i].cluster].label;
		p.level = (int)t->cpu[i].kind;
		p.core = (int)t->cpu[i].core;
		p.cpu = t->cpu[i].id;
		break;
	case SCOPE_CLUSTER:
		p.cluster = t->cluster[i].label;
		p.level = (int)t->cluster[i].kind;
		break;
	case SCOPE_KIND:
		p.level = (int)i;
		break;
	case SCOPE_ALL:
		break;
	}
	return p;
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

unsigned
digest_values(const struct digest *d, unsigned row, unsigned metric,
	      double *out)
{
	const struct digest_cell *c = digest_at(d, row, metric);
	unsigned n = 0;

	for (unsigned i = 0; c->kept != NULL && i < d->kept; i++)
		if (!isnan(c->kept[i]))
			out[n++] = (double)c->kept[i];
	return n;
}

double
digest_quantile(const double *sorted, unsigned n, double q)
{
	if (n == 0)
		return NAN;
	double at = q * (n - 1);
	unsigned low = (unsigned)at;

	if (low + 1 >= n)
		return sorted[n - 1];
	return sorted[low] + (at - low) * (sorted[low + 1] - sorted[low]);
}

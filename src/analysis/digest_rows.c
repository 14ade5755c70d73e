#include "analysis/digest.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static enum scope_level
level_of(const struct digest *d, unsigned row, unsigned *index)
{
	const struct topology *t = d->topology;

	*index = row;
	if (row < t->ncpus)
		return SCOPE_CORE;
	*index -= t->ncpus;
	if (*index < t->nclusters)
		return SCOPE_CLUSTER;
	*index -= t->nclusters;
	return *index < t->nkinds ? SCOPE_KIND : SCOPE_ALL;
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

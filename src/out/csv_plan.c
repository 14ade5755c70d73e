#include "out/csv_plan.h"

#include <stdlib.h>
#include <string.h>

#include "model/columns.h"

static void
integer_or_empty(struct buf *b, int v)
{
	buf_char(b, ',');
	if (v >= 0)
		buf_i64(b, v);
}

/* "package,die,cluster,kind,level,core,cpu,n_cpus," of a scope. */
static void
place_text(struct buf *b, const struct topology *t, enum scope_level level,
	   unsigned index, unsigned ncpus)
{
	int package = -1, die = -1, cluster = -1, kind = -1;

	if (level == SCOPE_CORE) {
		package = t->cpu[index].package;
		die = t->cpu[index].die;
		cluster = (int)t->cpu[index].cluster;
		kind = (int)t->cpu[index].kind;
	} else if (level == SCOPE_CLUSTER) {
		package = t->cluster[index].package;
		die = t->cluster[index].die;
		cluster = (int)index;
		kind = (int)t->cluster[index].kind;
	} else if (level == SCOPE_KIND) {
		kind = (int)index;
	}
	integer_or_empty(b, package);
	integer_or_empty(b, die);
	buf_char(b, ',');
	if (cluster >= 0)
		format_field(b, t->cluster[cluster].label);
	buf_char(b, ',');
	if (kind >= 0)
		format_field(b, t->kind[kind].name);
	integer_or_empty(b, kind);
	integer_or_empty(b, level == SCOPE_CORE ? (int)t->cpu[index].core : -1);
	integer_or_empty(b, level == SCOPE_CORE ? t->cpu[index].id : -1);
	integer_or_empty(b, level == SCOPE_CORE ? -1 : (int)ncpus);
	buf_char(b, ',');
}

static unsigned
level_size(const struct topology *t, enum scope_level level)
{
	switch (level) {
	case SCOPE_CORE:
		return t->ncpus;
	case SCOPE_CLUSTER:
		return t->nclusters;
	case SCOPE_KIND:
		return t->nkinds;
	case SCOPE_ALL:
		break;
	}
	return 1;
}

static unsigned
level_ncpus(const struct topology *t, enum scope_level level, unsigned i)
{
	switch (level) {
	case SCOPE_CORE:
		return 1;
	case SCOPE_CLUSTER:
		return t->cluster[i].ncpus;
	case SCOPE_KIND:
		return t->kind[i].ncpus;
	case SCOPE_ALL:
		break;
	}
	return t->ncpus;
}

static void
make_about(struct csv_plan *p, const struct sink_about *a, struct buf *b)
{
	p->about.at = b->len;
	format_field(b, a->source);
	buf_char(b, ',');
	format_field(b, a->model);
	buf_char(b, ',');
	format_field(b, a->chip);
	p->about.len = b->len - p->about.at;
}

static void
make_place(struct csv_plan *p, const struct topology *t, enum scope_level level,
	   unsigned index, struct buf *b)
{
	struct csv_piece *place = &p->place[p->nscopes++];

	place->at = b->len;
	buf_bytes(b, p->text + p->about.at, p->about.len);
	place_text(b, t, level, index, level_ncpus(t, level, index));
	place->len = b->len - place->at;
}

/* The scopes' order is the frame's: CPUs, clusters, kinds, the machine. */
static bool
make_places(struct csv_plan *p, const struct sink_about *a)
{
	const struct topology *t = a->topology;
	unsigned n = t->ncpus + t->nclusters + t->nkinds + 1;
	size_t size = (size_t)(n + 1) * CSV_PLACE_MAX;

	p->place = calloc(n, sizeof *p->place);
	p->text = malloc(size);
	if (p->place == NULL || p->text == NULL)
		return false;
	struct buf b = buf_over(p->text, size);

	make_about(p, a, &b);
	for (unsigned k = SCOPE_CORE; k <= SCOPE_ALL; k++) {
		enum scope_level level = (enum scope_level)k;

		for (unsigned i = 0; i < level_size(t, level); i++)
			make_place(p, t, level, i, &b);
	}
	/* What is left of the allowance for the worst case goes back. */
	char *fit = realloc(p->text, b.len);

	if (fit != NULL)
		p->text = fit;
	return !b.full;
}

/* The columns are the table's metrics; the user's own come after them. */
static void
make_metrics(struct csv_plan *p, const struct sink_about *a)
{
	p->nmetrics = metric_count < METRIC_MAX ? metric_count : METRIC_MAX;
	p->ncolumns = COLUMN_METRICS + p->nmetrics;
	for (unsigned i = 0; i < p->nmetrics; i++) {
		p->metric[i] = UINT32_MAX;
		for (unsigned k = 0; k < a->nmetrics; k++)
			if (a->metric[k] == &metric_table[i])
				p->metric[i] = k;
	}
}

bool
csv_plan_init(struct csv_plan *p, const struct sink_about *a, struct err *e)
{
	*p = (struct csv_plan){ .rows = a->rows,
				/* Linux: one group, one stretch of time. */
				.pair_in_group =
					strcmp(a->source, "perf") == 0 };
	make_metrics(p, a);
	struct buf run = buf_over(p->run, sizeof p->run);

	/* A letter first: readers that guess types take it for text. */
	buf_printf(&run, ",r%016llx,", (unsigned long long)a->run_id);
	(void)buf_cstr(&run);
	if (make_places(p, a))
		return true;
	return err_set(e, ERR_FAIL, "out of memory for a recording");
}

void
csv_plan_free(struct csv_plan *p)
{
	free(p->place);
	free(p->text);
	*p = (struct csv_plan){ 0 };
}

static size_t
row_max(const struct csv_plan *p)
{
	size_t place = p->about.len;

	for (unsigned i = 0; i < p->nscopes; i++)
		if (p->place[i].len > place)
			place = p->place[i].len;
	return CSV_HEAD_MAX + CSV_MOMENT_MAX + place + CSV_STATE_MAX +
	       CSV_NOTE_MAX + EVENTSET_MAX * CSV_NAME_MAX +
	       (size_t)p->ncolumns * CSV_NUMBER_MAX;
}

size_t
csv_plan_size(const struct csv_plan *p)
{
	/* More rows than any choice of levels has. */
	return (p->nscopes + CSV_BESIDE_MAX) * row_max(p);
}

/* A monitor's arrays, sized once. */
#include "monitor/monitor_state.h"

#include "base/err.h"
#include "base/plural.h"

#include <math.h>
#include <stdlib.h>

static void
make_scopes(struct monitor *m)
{
	const struct topology *t = m->topology;
	struct scope *s = m->scope;

	for (unsigned i = 0; i < t->ncpus; i++)
		*s++ = (struct scope){ SCOPE_CORE, i, 1 };
	for (unsigned i = 0; i < t->nclusters; i++)
		*s++ = (struct scope){ SCOPE_CLUSTER, i, t->cluster[i].ncpus };
	for (unsigned i = 0; i < t->nkinds; i++)
		*s++ = (struct scope){ SCOPE_KIND, i, t->kind[i].ncpus };
	*s = (struct scope){ SCOPE_ALL, 0, t->ncpus };
}

static void
make_metrics(struct monitor *m)
{
	for (unsigned i = 0; i < metric_count && m->nmetrics < METRIC_MAX; i++)
		m->metric[m->nmetrics++] = &metric_table[i];
	for (unsigned i = 0; i < m->options.nextra && m->nmetrics < METRIC_MAX;
	     i++)
		m->metric[m->nmetrics++] = &m->options.extra_metrics[i];
}

static bool
make_arrays(struct monitor *m, unsigned nscopes, struct err *e)
{
	const struct topology *t = m->topology;
	size_t cells = (size_t)nscopes * m->nmetrics;

	m->tracks.cpu = calloc(t->ncpus + 1, sizeof *m->tracks.cpu);
	m->delta = calloc(t->ncpus + 1, sizeof *m->delta);
	m->sums = calloc(nscopes, sizeof *m->sums);
	if (t->smt)
		m->core = calloc(t->ncores, sizeof *m->core);
	m->scope = calloc(nscopes, sizeof *m->scope);
	m->tally = calloc(nscopes, sizeof *m->tally);
	m->value = calloc(cells, sizeof *m->value);
	m->reached = calloc(t->nkinds + 1, sizeof *m->reached);
	m->state = calloc(cells, sizeof *m->state);
	m->last = calloc(cells, sizeof *m->last);
	if (!dead_init(&m->dead, t->nkinds) || m->tracks.cpu == NULL ||
	    m->delta == NULL || m->sums == NULL ||
	    (t->smt && m->core == NULL) || m->scope == NULL ||
	    m->tally == NULL || m->value == NULL || m->reached == NULL ||
	    m->state == NULL || m->last == NULL)
		return err_set(e, ERR_FAIL,
			       "out of memory for the frames of %u %s",
			       t->ncpus, plural(t->ncpus, "CPU", "CPUs"));
	for (size_t i = 0; i < cells; i++)
		m->value[i] = m->last[i].value = NAN;
	if (m->options.no_past)
		return true;
	m->run = longrun_new(t, m->options.catalog, e);
	return m->run != NULL &&
	       history_init(&m->history, t->ncpus, nscopes - t->ncpus,
			    m->nmetrics, e);
}

struct monitor *
monitor_new(const struct topology *t, const struct monitor_options *o,
	    struct err *e)
{
	unsigned nscopes = t->ncpus + t->nclusters + t->nkinds + 1;
	struct monitor *m = calloc(1, sizeof *m);

	if (m == NULL) {
		err_set(e, ERR_FAIL, "out of memory for a monitor");
		return NULL;
	}
	m->options = *o;
	m->topology = t;
	make_metrics(m);
	m->ipc = (unsigned)metric_find("ipc");
	if (!make_arrays(m, nscopes, e)) {
		monitor_free(m);
		return NULL;
	}
	make_scopes(m);
	m->tracks.ncpus = t->ncpus;
	m->tracks.rows_may_be_stale = o->rows_may_be_stale;
	m->frame = (struct frame){ .topology = t,
				   .set = &m->frame_set,
				   .nscopes = nscopes,
				   .nmetrics = m->nmetrics,
				   .scope = m->scope,
				   .tally = m->tally,
				   .value = m->value,
				   .reached = m->reached,
				   .state = m->state };
	return m;
}

void
monitor_free(struct monitor *m)
{
	if (m == NULL)
		return;
	history_done(&m->history);
	longrun_free(m->run);
	free(m->tracks.cpu);
	dead_done(&m->dead);
	free(m->delta);
	free(m->sums);
	free(m->core);
	free(m->scope);
	free(m->tally);
	free(m->value);
	free(m->reached);
	free(m->state);
	free(m->last);
	free(m);
}

#include "analysis/compare_processes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool
has_processes(const struct compare_side *s)
{
	for (unsigned i = 0; i < s->n; i++)
		if (s->run[i].digest->processes == NULL)
			return false;
	return s->n > 0;
}

static unsigned
count(const struct compare_side *s)
{
	unsigned n = 0;

	for (unsigned i = 0; i < s->n; i++)
		n += s->run[i].digest->processes->n;
	return n;
}

static void
take_names(struct compare_processes *p, const struct compare_side *s)
{
	for (unsigned i = 0; i < s->n; i++) {
		struct digest_processes *of = s->run[i].digest->processes;

		digest_processes_by_name(of);
		for (unsigned k = 0; k < of->n; k++)
			memcpy(p->row[p->n++].name, of->row[k].name,
			       PROCESS_NAME_SIZE);
	}
}

static int
by_name(const void *a, const void *b)
{
	const struct compare_process *x = a, *y = b;

	return strcmp(x->name, y->name);
}

static void
each_once(struct compare_processes *p)
{
	unsigned n = 0;

	if (p->n > 0)
		qsort(p->row, p->n, sizeof *p->row, by_name);
	for (unsigned i = 0; i < p->n; i++)
		if (n == 0 || strcmp(p->row[n - 1].name, p->row[i].name) != 0)
			p->row[n++] = p->row[i];
	p->n = n;
}

static double
value_of(const struct digest_processes *in, const struct digest_process *p,
	 enum compare_process_value which)
{
	if (which == COMPARE_PROCESS_IPC)
		return digest_process_ipc(p);
	if (!(in->seconds > 0))
		return NAN;
	if (which == COMPARE_PROCESS_CPU)
		return 100 * digest_process_cpu_s(p) / in->seconds;
	return (p->known & PROCESS_HAS_COUNTS) != 0
		       ? (double)p->d.instructions * 1e-9 / in->seconds
		       : NAN;
}

static void
fill(struct compare_process_side *to, const struct compare_side *s,
     const char *name, bool runs)
{
	unsigned n[COMPARE_PROCESS_VALUES] = { 0 };

	*to = (struct compare_process_side){ .n = { 0 } };
	for (unsigned i = 0; i < s->n; i++) {
		const struct digest_processes *in = s->run[i].digest->processes;
		const struct digest_process *p = digest_process_named(in, name);

		for (unsigned k = 0; p != NULL && k < COMPARE_PROCESS_VALUES;
		     k++) {
			double v =
				value_of(in, p, (enum compare_process_value)k);

			if (isnan(v))
				continue;
			to->value[k] += v;
			to->n[k] += runs ? 1 : p->frames;
			n[k]++;
		}
	}
	for (unsigned k = 0; k < COMPARE_PROCESS_VALUES; k++)
		to->value[k] = n[k] > 0 ? to->value[k] / n[k] : (double)NAN;
}

static double
most_cpu(const struct compare_process *p)
{
	return fmax(fmax(p->a.value[COMPARE_PROCESS_CPU],
			 p->b.value[COMPARE_PROCESS_CPU]),
		    -1); /* fmax passes over NAN */
}

static int
by_cpu(const void *a, const void *b)
{
	double x = most_cpu(a), y = most_cpu(b);

	return x != y ? (x < y) - (x > y) : by_name(a, b);
}

bool
compare_processes_make(struct compare_processes *p, const struct compare *c,
		       struct err *e)
{
	*p = (struct compare_processes){ .n = 0 };
	if (!has_processes(&c->a) || !has_processes(&c->b))
		return true;
	p->row =
		calloc((size_t)count(&c->a) + count(&c->b) + 1, sizeof *p->row);
	if (p->row == NULL)
		return err_set(e, ERR_FAIL, "out of memory for a comparison");
	take_names(p, &c->a);
	take_names(p, &c->b);
	each_once(p);
	for (unsigned i = 0; i < p->n; i++) {
		fill(&p->row[i].a, &c->a, p->row[i].name, c->runs);
		fill(&p->row[i].b, &c->b, p->row[i].name, c->runs);
	}
	if (p->n > 0)
		qsort(p->row, p->n, sizeof *p->row, by_cpu);
	return true;
}

void
compare_processes_free(struct compare_processes *p)
{
	free(p->row);
	*p = (struct compare_processes){ .n = 0 };
}

static double
rate_of(const struct digest_processes *in, const char *process,
	const char *event)
{
	const struct digest_process *p = digest_process_named(in, process);

	for (unsigned i = 0; p != NULL && i < in->nevents; i++)
		if (strcmp(in->event[i], event) == 0)
			return digest_process_rate(p, i);
	return NAN;
}

double
compare_process_rate(const struct compare_side *s, const char *process,
		     const char *event)
{
	double sum = 0;
	unsigned n = 0;

	for (unsigned i = 0; i < s->n; i++) {
		double v = rate_of(s->run[i].digest->processes, process, event);

		if (isnan(v))
			continue;
		sum += v;
		n++;
	}
	return n > 0 ? sum / n : (double)NAN;
}

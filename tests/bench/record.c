/*
 * Frames a second that a sink writes, on made-up machines: record FOLDER
 * CORES... prints a line for each output and number of cores. Asserts nothing.
 */
#include "model/frame.h"
#include "out/sink.h"
#include "model/spans.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { CLUSTER = 8, SLOTS = 8, COUNTED = 20, SECOND_NS = 1000000000 };

struct machine {
	struct topology *topology;
	struct scope *scope;
	struct span *span;
	double *value;
	uint8_t *state;
	struct event event[SLOTS];
	char name[SLOTS][24];
	struct eventset set;
	const struct metric *metric[METRIC_MAX];
	struct frame frame;
};

static void
make_topology(struct machine *m, unsigned ncpus)
{
	unsigned nclusters = (ncpus + CLUSTER - 1) / CLUSTER;
	struct topology *t = topology_new(2, nclusters, ncpus, NULL);

	for (unsigned i = 0; i < ncpus; i++) {
		unsigned c = i / CLUSTER;

		t->cpu[i] = (struct topology_cpu){
			.id = (int)i, .kind = c % 2, .cluster = c, .core = i
		};
		t->cluster[c].kind = c % 2;
	}
	(void)snprintf(t->kind[0].name, sizeof t->kind[0].name, "Performance");
	(void)snprintf(t->kind[1].name, sizeof t->kind[1].name, "Efficiency");
	t->kind[0].letter[0] = 'P';
	t->kind[1].letter[0] = 'E';
	topology_finish(t);
	m->topology = t;
}

static void
make_rows(struct machine *m)
{
	const struct topology *t = m->topology;
	unsigned n = t->ncpus + t->nclusters + t->nkinds + 1;

	m->scope = calloc(n, sizeof *m->scope);
	m->span = calloc(n, sizeof *m->span);
	m->value = calloc((size_t)n * metric_count, sizeof *m->value);
	m->state = calloc((size_t)n * metric_count, sizeof *m->state);
	for (unsigned i = 0; i < n; i++) {
		unsigned k = i;

		m->scope[i].level = SCOPE_CORE;
		if (k >= t->ncpus) {
			k -= t->ncpus;
			m->scope[i].level = SCOPE_CLUSTER;
			if (k >= t->nclusters) {
				k -= t->nclusters;
				m->scope[i].level =
					k < t->nkinds ? SCOPE_KIND : SCOPE_ALL;
				k = k < t->nkinds ? k : 0;
			}
		}
		m->scope[i].index = k;
		m->scope[i].ncpus = 1;
		m->span[i] = span_make(1, 1.000012345, 43.2109876);
		m->span[i].cycles = 2876543210 + i;
		m->span[i].instructions = 7654321098 + i;
		span_put_event(&m->span[i], 1.000012345);
		for (unsigned s = 0; s < SLOTS; s++)
			span_put_slot(&m->span[i], s, true,
				      12345678 * (s + 1) + i);
		for (unsigned v = 0; v < metric_count; v++) {
			m->value[i * metric_count + v] = 1.23456789 * (v + 1);
			m->state[i * metric_count + v] =
				v < COUNTED ? VALUE_OK : VALUE_NOT_COUNTED;
		}
	}
	m->frame.nscopes = n;
}

static void
make_frame(struct machine *m)
{
	(void)snprintf(m->set.name, sizeof m->set.name, "basic");
	m->set.len = SLOTS;
	for (unsigned i = 0; i < SLOTS; i++) {
		(void)snprintf(m->name[i], sizeof m->name[i],
			       "AN_EVENT_OF_A_CORE_%u", i);
		m->event[i].name = m->name[i];
		m->set.slot[i].event = &m->event[i];
	}
	for (unsigned i = 0; i < metric_count; i++)
		m->metric[i] = &metric_table[i];
	m->frame.stamp.wall_ns = 1795183402118000000;
	m->frame.interval_s = 1;
	m->frame.domain = DOMAIN_USER;
	m->frame.topology = m->topology;
	m->frame.set = &m->set;
	m->frame.nmetrics = metric_count;
	m->frame.scope = m->scope;
	m->frame.span = m->span;
	m->frame.value = m->value;
	m->frame.state = m->state;
}

static double
now_s(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / SECOND_NS;
}

static int
measure(struct machine *m, const struct sink_ops *ops, const char *path)
{
	struct sink_about about = { .source = "sim",
				    .model = "Apple M1",
				    .chip = "a14",
				    .os = "macOS 26",
				    .topology = m->topology,
				    .metric = m->metric,
				    .nmetrics = metric_count,
				    .rows = 1u << SCOPE_CORE,
				    .force = true };
	struct err e = { ERR_NONE, "" };
	struct sink *s = ops->open(path, &about, &e);
	struct stat st = { .st_size = 0 };
	double from = now_s(), passed;
	unsigned n = 0;

	if (s == NULL) {
		(void)fprintf(stderr, "%s\n", e.text);
		return 1;
	}
	do {
		m->frame.seq = n;
		m->frame.elapsed_s = n++;
		if (!s->ops->frame(s, &m->frame, &e))
			(void)fprintf(stderr, "%s\n", e.text);
		passed = now_s() - from;
	} while (passed < 1);
	s->ops->close(s);
	(void)stat(path, &st);
	double bytes = (double)st.st_size;

	if (ops == &sink_openmetrics)
		bytes *= n;
	printf("%-12s %6u %12.0f %10.1f %12.1f\n", ops->name,
	       m->topology->ncpus, n / passed, bytes / passed / 1e6,
	       passed / n * 1e6);
	return unlink(path);
}

int
main(int argc, char **argv)
{
	static const struct sink_ops *const sink[] = { &sink_csv, &sink_json,
						       &sink_openmetrics };
	int bad = argc < 3;

	puts("# output     cores     frames/s       MB/s     us/frame");
	for (int i = 2; i < argc; i++) {
		struct machine *m = calloc(1, sizeof *m);
		char path[1024];

		make_topology(m, (unsigned)strtoul(argv[i], NULL, 10));
		make_rows(m);
		make_frame(m);
		for (unsigned k = 0; k < sizeof sink / sizeof *sink; k++) {
			(void)snprintf(path, sizeof path, "%s/out.%s", argv[1],
				       sink[k]->name);
			bad |= measure(m, sink[k], path);
		}
		topology_free(m->topology);
		free(m->scope);
		free(m->span);
		free(m->value);
		free(m->state);
		free(m);
	}
	return bad;
}

/*
 * Events of processes as the guest's kernel counts them, by ktop's own source:
 * what the screen's key k asks for. Static, for arm64.
 *
 *	events NAMES FRAMES PID...	a line a frame: state, slots that are
 *		counted, how many the cores leave, descriptors; then a line a
 *		process: pid, cycles, instructions, and its count of each name
 *	events NAMES -FRAMES PID...	of the pair alone
 */
#include "model/metric.h"
#include "source/perf/perf.h"
#include "source/perf/state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { PIDS_MAX = 8, PAUSE_NS = 500000000 };

static int
fail(const struct err *e)
{
	fprintf(stderr, "events: %s\n", e->text);
	return 1;
}

/* All names at once, placed as ktop places them. */
static bool
program(struct source *s, const char *names, struct err *e)
{
	const struct event *event[EVENTSET_MAX];
	struct eventset set;
	char text[256], *at = text, *name;
	unsigned n = 0;

	snprintf(text, sizeof text, "%s", names);
	while ((name = strsep(&at, ",")) != NULL && n < EVENTSET_MAX) {
		event[n] = catalog_find(s->info.catalog, name);
		if (event[n++] == NULL)
			return err_set(e, ERR_FAIL, "no event %s", name);
	}
	return slots_place(s->info.catalog, event, n, &set, e) &&
	       s->ops->program(s, &set, e);
}

static void
print(const struct source *s, const struct process_traced *t)
{
	const struct perf_source *p =
		(const struct perf_source *)(const void *)s;

	printf("state %d slots %x yields %u files %llu %s\n", t->state,
	       t->slots, p->yields, (unsigned long long)t->files, t->why);
	for (unsigned i = 0; i < t->n; i++) {
		const struct process_counts *c = &t->row[i];

		printf("pid %d cycles %llu instructions %llu", (int)c->pid,
		       (unsigned long long)c->cycles,
		       (unsigned long long)c->instructions);
		for (unsigned k = 0; k < s->info.set->len; k++)
			if ((t->slots >> k & 1) != 0)
				printf(" %s %llu",
				       s->info.set->slot[k].event->name,
				       (unsigned long long)c->slot[k]);
		printf("\n");
	}
}

static void
print_pairs(const struct source *s, const struct process_reading *r,
	    const struct process_request *w)
{
	const struct perf_source *p =
		(const struct perf_source *)(const void *)s;

	printf("pairs yields %u\n", p->yields);
	for (unsigned i = 0; i < r->n; i++)
		for (unsigned k = 0; k < w->npins; k++)
			if (r->row[i].pid == w->pin[k])
				printf("pid %d access %s cycles %llu\n",
				       (int)r->row[i].pid,
				       process_access_word[r->row[i].access],
				       (unsigned long long)r->row[i]
					       .total.cycles);
}

static bool
run(struct source *s, const struct process_request *w, int frames,
    struct err *e)
{
	static struct process_reading reading;
	struct sample *sample = sample_new(s->info.topology->ncpus, e);
	const struct timespec pause = { .tv_nsec = PAUSE_NS };

	if (sample == NULL || !process_reading_init(&reading, 64))
		return false;
	for (int i = 0; i < frames; i++) {
		if (s->ops->read(s, sample, e) != SOURCE_OK ||
		    !s->ops->processes(s, w, &reading, e))
			return false;
		if (w->trace)
			print(s, &reading.traced);
		else
			print_pairs(s, &reading, w);
		nanosleep(&pause, NULL);
	}
	sample_free(sample);
	process_reading_free(&reading);
	return true;
}

int
main(int argc, char **argv)
{
	struct source_options o = { .events = argc > 1 ? argv[1] : NULL };
	int32_t pid[PIDS_MAX];
	struct process_request w = { .opened = -1, .pin = pid, .first = true };
	struct err e = { ERR_NONE, "" };
	struct source *s;

	if (argc < 4)
		return 2;
	int frames = atoi(argv[2]);

	w.trace = frames > 0;
	for (int i = 3; i < argc && w.npins < PIDS_MAX; i++)
		pid[w.npins++] = atoi(argv[i]);
	s = perf_open_with(&o, perf_ops_system(), &e);
	if (s == NULL || !program(s, argv[1], &e) ||
	    !run(s, &w, abs(frames), &e))
		return fail(&e);
	s->ops->close(s);
	return 0;
}

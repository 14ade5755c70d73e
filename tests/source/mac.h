/* One simulated Mac behind the kperf source, stepped by hand. */
#ifndef TESTS_SOURCE_MAC_H
#define TESTS_SOURCE_MAC_H

#include "model/metric.h"
#include "sim/sim.h"
#include "source/all/sources.h"

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

static struct source *source;
static struct sample *sample;
static int64_t start_ns;

static inline int64_t
awake_ns(void)
{
	struct stamp now;

	clock_now(source->info.clock, &now);
	return now.awake_ns;
}

static inline void
start(const char *spec)
{
	struct source_options o = { .sim = spec };
	struct err e = { ERR_NONE, "" };

	source = source_open(&o, &e);
	if (source == NULL)
		fail_msg("%s: %s", spec, e.text);
	sample = sample_new(source->info.topology->ncpus, &e);
	assert_non_null(sample);
	start_ns = awake_ns();
}

static inline int
stop(void **state)
{
	(void)state;
	if (source != NULL)
		source->ops->close(source);
	sample_free(sample);
	source = NULL;
	sample = NULL;
	return 0;
}

static inline void
read_now(void)
{
	struct err e = { ERR_NONE, "" };

	if (source->ops->read(source, sample, &e) != SOURCE_OK)
		fail_msg("%s", e.text);
}

static inline void
step_ms(int64_t ms)
{
	const struct clock *c = source->info.clock;

	c->step(c->self, awake_ns() + ms * 1000000);
}

/* Names separated by blanks. */
static inline bool
program(const char *names, struct err *e)
{
	const struct event *want[EVENTSET_MAX];
	struct eventset set;
	char copy[256], *save = NULL;
	unsigned n = 0;

	memset(&set, 0, sizeof(set));
	snprintf(copy, sizeof(copy), "%s", names);
	for (char *s = strtok_r(copy, " ", &save); s != NULL;
	     s = strtok_r(NULL, " ", &save)) {
		want[n] = catalog_find(source->info.catalog, s);
		assert_non_null(want[n]);
		n++;
	}
	assert_true(slots_place(source->info.catalog, want, n, &set, e));
	return source->ops->program(source, &set, e);
}

static inline void
program_ok(const char *names)
{
	struct err e = { ERR_NONE, "" };

	if (!program(names, &e))
		fail_msg("%s: %s", names, e.text);
}

static inline unsigned
delivered(void)
{
	unsigned n = 0;

	for (unsigned i = 0; i < sample->ncpus; i++)
		n += sample->cpu[i].state == CPU_DELIVERED;
	return n;
}

#endif

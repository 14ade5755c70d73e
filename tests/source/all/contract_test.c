/* One contract over every source: what model/ and app/ rely on. */
#include "model/metric.h"
#include "process/crash.h"
#include "sim/sim.h"
#include "source/all/sources.h"

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "skip.h"

struct subject {
	char name[64];
	struct source_options options;
	struct source *source;
	struct sample *sample;
};

static void
open_subject(struct subject *t)
{
	struct err e = { ERR_NONE, "" };

	t->source = source_open(&t->options, &e);
	if (t->source == NULL)
		fail_msg("%s: %s", t->name, e.text);
	assert_non_null(t->source->ops);
	assert_non_null(t->source->info.topology);
	t->sample = sample_new(t->source->info.topology->ncpus, &e);
	assert_non_null(t->sample);
}

static void
close_subject(struct subject *t)
{
	t->source->ops->close(t->source);
	t->source = NULL;
	sample_free(t->sample);
	t->sample = NULL;
	assert_null((void *)(uintptr_t)crash_get_rescue(CRASH_COUNTERS));
}

/* Lets some time go by on the source's clock. */
static void
wait_ms(const struct clock *c, int ms)
{
	struct stamp now;

	clock_now(c, &now);
	if (c->stepped)
		c->step(c->self, now.awake_ns + ms * 1000000ll);
	else
		usleep((unsigned)ms * 1000);
}

static void
read_ok(struct subject *t)
{
	struct err e = { ERR_NONE, "" };

	if (t->source->ops->read(t->source, t->sample, &e) != SOURCE_OK)
		fail_msg("%s: %s", t->name, e.text);
	assert_int_equal(t->sample->ncpus, t->source->info.topology->ncpus);
	assert_non_null(t->sample->set);
}

static void
info_is_filled(const struct subject *t)
{
	const struct source_info *info = &t->source->info;
	const struct topology *top = info->topology;

	assert_string_not_equal(info->source, "");
	assert_string_not_equal(info->os, "");
	assert_non_null(info->clock);
	assert_non_null(info->set);
	assert_int_equal(info->set->len, 0);
	assert_int_not_equal(info->mode, SOURCE_FULL);
	if (info->mode == SOURCE_BUSY_ONLY)
		assert_string_not_equal(info->why.text, "");
	assert_true(top->nkinds > 0 && top->nclusters > 0 && top->ncpus > 0);
	for (unsigned i = 0; i < top->ncpus; i++) {
		assert_true(top->cpu[i].kind < top->nkinds);
		assert_true(top->cpu[i].cluster < top->nclusters);
		assert_true(i == 0 || top->cpu[i].id > top->cpu[i - 1].id);
	}
	for (unsigned c = 0; c < top->nclusters; c++) {
		assert_string_not_equal(top->cluster[c].label, "");
		assert_int_equal(
			topology_cluster_find(top, top->cluster[c].label), c);
	}
	if (info->catalog == NULL)
		return;
	for (unsigned i = 1; i < info->catalog->len; i++)
		assert_true(strcmp(info->catalog->event[i - 1].name,
				   info->catalog->event[i].name) < 0);
}

/* Three readings: time goes on and no total falls. */
static void
totals_rise(struct subject *t)
{
	unsigned n = t->sample->ncpus;
	struct cpu_sample *before = calloc(n, sizeof(*before));
	struct stamp last = { 0, 0, 0 };
	bool counts = t->source->info.mode != SOURCE_BUSY_ONLY;

	assert_non_null(before);
	for (int k = 0; k < 3; k++) {
		read_ok(t);
		assert_true(t->sample->stamp.awake_ns >= last.awake_ns);
		last = t->sample->stamp;
		for (unsigned i = 0; i < n; i++) {
			struct cpu_sample *c = &t->sample->cpu[i];

			if (!counts)
				assert_false(c->fixed[FIXED_CYCLES].supported);
			if (k > 0 && c->busy_known)
				assert_true(c->total >= before[i].total);
			for (int f = 0; k > 0 && f < FIXED_COUNT &&
					c->state == CPU_DELIVERED &&
					before[i].state == CPU_DELIVERED;
			     f++)
				assert_true(c->fixed[f].count >=
					    before[i].fixed[f].count);
			before[i] = *c;
		}
		wait_ms(t->source->info.clock, 20);
	}
	free(before);
}

/* Something any Apple chip can count; empty when there is no catalog. */
static bool
some_set(const struct source *s, struct eventset *out)
{
	const struct catalog *c = s->info.catalog;
	const struct event *want[2];

	memset(out, 0, sizeof(*out));
	if (c == NULL)
		return false;
	want[0] = catalog_find_any(c, "INST_ALL");
	want[1] = catalog_find_any(c, "CORE_ACTIVE_CYCLE");
	return want[0] != NULL && want[1] != NULL &&
	       slots_place(c, want, 2, out, NULL);
}

static void
programs_or_says_why_not(struct subject *t)
{
	struct source *s = t->source;
	struct err e = { ERR_NONE, "" };
	struct eventset set;
	bool some = some_set(s, &set);

	snprintf(set.name, sizeof(set.name), "test");
	if (!s->ops->program(s, &set, &e)) {
		assert_int_not_equal(s->info.mode, SOURCE_FULL);
		assert_string_not_equal(e.text, "");
		assert_int_not_equal(e.code, ERR_NONE);
		return;
	}
	assert_true(some);
	assert_int_equal(s->info.mode, SOURCE_FULL);
	assert_int_equal(s->info.set->len, 2);
	assert_string_equal(s->info.set->name, "test");
	read_ok(t);
	assert_true(t->sample->flags & SAMPLE_BASELINE);
	assert_int_equal(t->sample->set->len, 2);
	assert_int_not_equal(t->sample->domain, DOMAIN_NONE);
	wait_ms(s->info.clock, 20);
	read_ok(t);
	assert_int_equal(t->sample->flags, 0);
	assert_true(t->sample->cpu[0].slot[1].supported);
}

static void
releases(struct subject *t)
{
	struct source *s = t->source;
	struct err e = { ERR_NONE, "" };

	for (int k = 0; k < 2; k++) {
		assert_true(s->ops->program(s, NULL, &e));
		assert_int_not_equal(s->info.mode, SOURCE_FULL);
		assert_int_equal(s->info.set->len, 0);
		assert_int_equal(s->info.domain, DOMAIN_NONE);
		read_ok(t);
		assert_int_equal(t->sample->set->len, 0);
	}
}

static void
contract(struct subject *t)
{
	printf("  %s\n", t->name);
	open_subject(t);
	info_is_filled(t);
	totals_rise(t);
	programs_or_says_why_not(t);
	releases(t);
	programs_or_says_why_not(t);
	close_subject(t);
	/* And again: nothing of the first time is in the way. */
	open_subject(t);
	read_ok(t);
	close_subject(t);
}

UNIT(every_simulated_machine)
{
	static const char *const how[] = {
		"clock=step",
		"clock=step,layout=48,lib=errno,rows=copied",
		"clock=step,os=12.6",
		"clock=step,os=15.5",
		"clock=step,euid=501",
		"clock=step,pm=0",
		"clock=step,fault=busy@0s",
	};

	for (unsigned m = 0; sim_machine_name(m) != NULL; m++)
		for (size_t h = 0; h < sizeof(how) / sizeof(how[0]); h++) {
			struct subject t = { .source = NULL };

			snprintf(t.name, sizeof(t.name), "%s,%s",
				 sim_machine_name(m), how[h]);
			t.options.sim = t.name;
			contract(&t);
		}
}

UNIT(this_machine)
{
	struct subject t = { .name = "this machine" };

	contract(&t);
}

UNIT(frameworks_from_a_file)
{
	const char *path = getenv("KTOP_SIM_SO");
	struct subject t = { .name = "kperf" };

	if (path == NULL || access(path, R_OK) != 0)
		skip_because(
			"KTOP_SIM_SO does not name the simulated frameworks");
	t.options.kperf_path = t.options.kperfdata_path = path;
	contract(&t);
}

UNIT(closing_nothing_is_fine)
{
	for (unsigned i = 0; source_table[i] != NULL; i++)
		source_table[i]->close(NULL);
}

UNIT(sources_are_found_by_name)
{
	for (unsigned i = 0; source_table[i] != NULL; i++) {
		assert_ptr_equal(source_find(source_table[i]->name),
				 source_table[i]);
		assert_true(strlen(source_table[i]->text) > 0);
	}
	assert_null(source_find("abacus"));
}

/* The simulation never starts by itself, and says so. */
UNIT(simulation_has_to_be_asked_for)
{
	struct source_options o = { .sim = NULL };
	struct err e = { ERR_NONE, "" };

	assert_false(source_find("sim")->probe(&o, &e));
	assert_int_equal(e.code, ERR_USAGE);
	o.sim = "abacus";
	assert_null(source_open(&o, &e));
	assert_int_equal(e.code, ERR_USAGE);
}

/* A source behind a counter server is the source itself, to the last count. */
#include "model/metric.h"
#include "sim/sim.h"
#include "server/wire.h"
#include "source/all/sources.h"
#include "source/far.h"

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What somebody in front of a source can see of it, as text. */
struct story {
	char *at;
	size_t len;
	FILE *file;
};

static void
tell_info(FILE *out, const struct source_info *i)
{
	fprintf(out, "%s|%s|%s|%s|%d%d%d mode %d domain %d why %d %s|%s|%u\n",
		i->source, i->model, i->chip, i->os, i->simulated,
		i->rows_may_be_stale, i->ends, (int)i->mode, (int)i->domain,
		(int)i->why.code, i->why.text, i->notice,
		i->interrupts_per_read);
	fprintf(out, "set %s", i->set->name);
	for (unsigned k = 0; k < i->set->len; k++)
		fprintf(out, " %s@%u", i->set->slot[k].event->name,
			i->set->slot[k].counter);
	for (unsigned k = 0; k < i->set->ndropped; k++)
		fprintf(out, " without %s: %s", i->set->dropped[k].event,
			i->set->dropped[k].why);
	fprintf(out, "\n");
}

static void
tell_topology(FILE *out, const struct topology *t)
{
	fprintf(out, "%u %u %u %u smt %d\n", t->nkinds, t->nclusters, t->ncpus,
		t->ncores, t->smt);
	for (unsigned i = 0; i < t->nkinds; i++)
		fprintf(out, "%s %s %s %u %u %d\n", t->kind[i].name,
			t->kind[i].letter, t->kind[i].pmu, t->kind[i].ncpus,
			t->kind[i].width, t->kind[i].width_certain);
	for (unsigned i = 0; i < t->nclusters; i++)
		fprintf(out, "%s %u %u %u %d %d\n", t->cluster[i].label,
			t->cluster[i].kind, t->cluster[i].ncpus,
			t->cluster[i].ncores, t->cluster[i].die,
			t->cluster[i].package);
	for (unsigned i = 0; i < t->ncpus; i++)
		fprintf(out, "%d %u %u %u %d %d\n", t->cpu[i].id,
			t->cpu[i].kind, t->cpu[i].cluster, t->cpu[i].core,
			t->cpu[i].die, t->cpu[i].package);
}

static const char *
or_none(const char *text)
{
	return text != NULL ? text : "(none)";
}

static void
tell_catalog(FILE *out, const struct catalog *c)
{
	if (c == NULL)
		return;
	fprintf(out, "%s %u %x\n", c->name, c->len, c->config_counters);
	for (unsigned i = 0; i < c->len; i++) {
		const struct event *e = &c->event[i];

		fprintf(out, "%s %s %s %s %x %x %d\n", e->name,
			or_none(e->alias), or_none(e->text), or_none(e->native),
			e->number, e->counters, e->fixed);
	}
}

static void
tell_reading(FILE *out, const struct reading *r)
{
	fprintf(out, " %d:%llu:%llu:%llu", r->supported,
		(unsigned long long)r->count, (unsigned long long)r->enabled_ns,
		(unsigned long long)r->running_ns);
}

static void
tell_sample(FILE *out, const struct sample *s)
{
	fprintf(out, "at %lld %lld %lld cost %lld flags %u domain %d set %u\n",
		(long long)s->stamp.awake_ns, (long long)s->stamp.elapsed_ns,
		(long long)s->stamp.wall_ns, (long long)s->cost_ns, s->flags,
		(int)s->domain, s->set->len);
	for (unsigned i = 0; i < s->ncpus; i++) {
		const struct cpu_sample *c = &s->cpu[i];

		fprintf(out, "%d %d %llu %llu", (int)c->state, c->busy_known,
			(unsigned long long)c->busy,
			(unsigned long long)c->total);
		for (unsigned k = 0; k < FIXED_COUNT; k++)
			tell_reading(out, &c->fixed[k]);
		for (unsigned k = 0; k < s->set->len; k++)
			tell_reading(out, &c->slot[k]);
		fprintf(out, "\n");
	}
}

static void
step_and_read(FILE *out, struct source *s, struct sample *sample)
{
	struct err e = { ERR_NONE, "" };
	struct stamp now;

	for (int k = 0; k < 6; k++) {
		clock_now(s->info.clock, &now);
		s->info.clock->step(s->info.clock->self,
				    now.awake_ns + 1000000000);
		clock_now(s->info.clock, &now);
		enum source_status status = s->ops->read(s, sample, &e);

		fprintf(out, "now %lld read %d %s\n", (long long)now.awake_ns,
			(int)status, status == SOURCE_OK ? "" : e.text);
		if (status == SOURCE_OK)
			tell_sample(out, sample);
		tell_info(out, &s->info);
	}
}

static void
count(FILE *out, struct source *s, const char *const *names, unsigned n)
{
	const struct event *want[EVENTSET_MAX];
	struct err e = { ERR_NONE, "" };
	struct eventset set = { .name = "test", .len = 0 };
	unsigned found = 0;

	for (unsigned i = 0; i < n && s->info.catalog != NULL; i++) {
		want[found] = catalog_find(s->info.catalog, names[i]);
		if (want[found] != NULL)
			found++;
	}
	if (s->info.catalog != NULL)
		(void)slots_place(s->info.catalog, want, found, &set, NULL);
	set.ndropped = 1;
	set.dropped[0].event = "OTHER";
	(void)snprintf(set.dropped[0].why, sizeof(set.dropped[0].why), "full");
	bool ok = s->ops->program(s, &set, &e);

	fprintf(out, "program %d %d %s\n", ok, (int)e.code, e.text);
	tell_info(out, &s->info);
}

static char *
tell(struct source *s, const struct err *why)
{
	static const char *const first[] = { "INST_ALL", "CORE_ACTIVE_CYCLE",
					     "INST_BRANCH" };
	static const char *const second[] = { "MAP_STALL", "INST_ALL" };
	struct story t = { .at = NULL };
	struct err e = { ERR_NONE, "" };

	t.file = open_memstream(&t.at, &t.len);
	assert_non_null(t.file);
	if (s == NULL) {
		fprintf(t.file, "closed %d %s\n", (int)why->code, why->text);
		(void)fclose(t.file);
		return t.at;
	}
	struct sample *sample = sample_new(s->info.topology->ncpus, NULL);

	assert_non_null(sample);
	tell_info(t.file, &s->info);
	tell_topology(t.file, s->info.topology);
	tell_catalog(t.file, s->info.catalog);
	step_and_read(t.file, s, sample);
	count(t.file, s, first, 3);
	step_and_read(t.file, s, sample);
	count(t.file, s, second, 2);
	step_and_read(t.file, s, sample);
	fprintf(t.file, "release %d\n", s->ops->program(s, NULL, &e));
	step_and_read(t.file, s, sample);
	sample_free(sample);
	s->ops->close(s);
	(void)fclose(t.file);
	return t.at;
}

static void
same_story(const char *spec)
{
	struct source_options o = { .sim = spec };
	struct err e = { ERR_NONE, "" };
	char *near = tell(source_open(&o, &e), &e);
	struct far f = far_start();

	o.server = f.fd;
	char *there = tell(remote_open(&o, NULL, &e), &e);

	if (strcmp(near, there) != 0) {
		size_t i = 0;

		while (near[i] == there[i])
			i++;
		while (i > 0 && near[i - 1] != '\n')
			i--;
		fail_msg("%s:\nhere  %.200s\nthere %.200s", spec, near + i,
			 there + i);
	}
	free(near);
	free(there);
	far_stop(&f);
}

UNIT(tells_the_same_story)
{
	static const char *const how[] = {
		"clock=step",
		"clock=step,seed=7,os=15.5",
		"clock=step,euid=501",
		"clock=step,fault=busy@0s",
		"clock=step,fault=steal@8s-11s",
		"clock=step,fault=sleep@3s-5s",
		"clock=step,fault=refuse:INST_BRANCH@0s",
		"clock=step,fault=off:E@3s-6s",
		"clock=step,fault=nonsense",
	};
	enum { NHOW = sizeof(how) / sizeof(*how) };
	char spec[128];

	for (unsigned m = 0; sim_machine_name(m) != NULL; m++)
		for (size_t h = 0; h < NHOW; h++) {
			/* A quick run: each machine, and each way, once. */
			if (!far_long() && m > 0 && h != m % NHOW)
				continue;
			(void)snprintf(spec, sizeof(spec), "%s,%s",
				       sim_machine_name(m), how[h]);
			same_story(spec);
		}
}

UNIT(real_time_is_the_servers)
{
	struct far f = far_open("m1");
	const struct clock *clock = f.source->info.clock;
	struct err e = { ERR_NONE, "" };
	struct stamp before, after;

	assert_false(clock->stepped);
	/* A server that was stopped between its two clocks is off by that. */
	for (int i = 0, good = 0; good < 5; i++) {
		int64_t read;

		assert_true(i < 1000);
		clock_now(clock, &before);
		assert_int_equal(far_read(&f, &e), SOURCE_OK);
		clock_now(clock, &after);
		read = f.sample->stamp.awake_ns;
		/* To the noise that is not followed, both ways. */
		good += read > before.awake_ns - 2000000 &&
			read < after.awake_ns + 2000000 &&
			after.awake_ns >= before.awake_ns;
		usleep(2000);
	}
	far_close(&f);
	far_stop(&f);
}

UNIT(opens_again_after_a_close)
{
	struct far f = far_start();
	struct source_options o = { .sim = "m1,clock=step", .server = f.fd };
	struct err e = { ERR_NONE, "" };

	for (int i = 0; i < 3; i++) {
		struct source *s = remote_open(&o, i == 1 ? "sim" : NULL, &e);

		assert_non_null(s);
		s->ops->close(s);
	}
	o.sim = "nonsense";
	assert_null(remote_open(&o, NULL, &e));
	assert_int_equal(e.code, ERR_USAGE);
	o.sim = NULL;
	assert_false(remote_probe(&o, "sim", &e));
	assert_int_equal(e.code, ERR_USAGE);
	assert_false(remote_probe(&o, "abacus", &e));
	o.sim = "m1";
	assert_true(remote_probe(&o, "sim", &e));
	far_stop(&f);
}

UNIT(a_server_that_dies_is_said_once_and_for_all)
{
	struct far f = far_open("m1,clock=step");
	struct source *s = f.source;
	struct err e = { ERR_NONE, "" };
	struct pollfd p = { .fd = *s->info.watch, .events = POLLIN };
	struct stamp now;

	assert_int_equal(poll(&p, 1, 0), 0);
	far_signal(&f, SIGKILL);
	assert_int_equal(waitpid(f.pid, NULL, 0), f.pid);
	assert_int_equal(poll(&p, 1, 60000), 1);
	assert_int_equal(far_read(&f, &e), SOURCE_ERROR);
	assert_true(s->info.lost);
	assert_non_null(strstr(e.text, "repair"));
	assert_false(s->ops->program(s, NULL, &e));
	/* Time goes on, or a stepped loop would never end. */
	clock_now(s->info.clock, &now);
	s->info.clock->step(s->info.clock->self, now.awake_ns + 5);
	int64_t before = now.awake_ns;

	clock_now(s->info.clock, &now);
	assert_int_equal(now.awake_ns, before + 5);
	far_close(&f);
	(void)close(f.fd);
}

/* A server that answers with n bytes of anything. */
static void
lie(int fd, unsigned seed, const unsigned char *truth, size_t n)
{
	unsigned char request[WIRE_HEAD + WIRE_REQUEST_MAX];
	unsigned char *answer = malloc(n);
	struct wire_head h;

	if (answer == NULL || read(fd, request, sizeof(request)) < WIRE_HEAD)
		_exit(1);
	memcpy(answer, truth, n);
	memcpy(&h, request, sizeof(h));
	memcpy(answer + offsetof(struct wire_head, tag), &h.tag, sizeof(h.tag));
	for (unsigned k = 0; k < 1 + seed % 3; k++) {
		seed = seed * 1103515245u + 12345u;
		size_t at = WIRE_HEAD + (seed >> 8) % (n - WIRE_HEAD);

		answer[at] = (unsigned char)(seed >> 20);
	}
	(void)!write(fd, answer, n);
	_exit(0);
}

/* What a true server answers to WIRE_OPEN. */
static unsigned char *
true_answer(const char *spec, size_t *n)
{
	struct far f = far_start();
	struct source_options o = { .sim = spec };
	struct wire_out w = { .at = NULL };
	struct wire_head h;
	unsigned char *all;

	wire_begin(&w);
	assert_true(wire_put_open(&w, &o, NULL, NULL));
	wire_end(&w, WIRE_OPEN, 1);
	assert_int_equal(write(f.fd, w.at, w.len), w.len);
	free(w.at);
	assert_int_equal(recv(f.fd, &h, sizeof(h), MSG_WAITALL), sizeof(h));
	*n = WIRE_HEAD + h.size;
	all = malloc(*n);
	assert_non_null(all);
	memcpy(all, &h, sizeof(h));
	assert_int_equal(recv(f.fd, all + WIRE_HEAD, h.size, MSG_WAITALL),
			 h.size);
	far_stop(&f);
	return all;
}

UNIT(survives_a_server_that_lies)
{
	size_t n;
	unsigned char *truth = true_answer("m1,clock=step", &n);
	struct source_options o = { .sim = "m1" };
	struct err e;

	for (unsigned seed = 1; seed < (far_long() ? 300 : 80); seed++) {
		pid_t pid = far_fork(&o.server);

		if (pid == 0)
			lie(o.server, seed, truth, n);
		/* Opened or refused: either way nothing is read amiss. */
		struct source *s = remote_open(&o, NULL, &e);
		struct topology_cpu *last;

		if (s != NULL) {
			const struct topology *t = s->info.topology;

			last = &t->cpu[t->ncpus - 1];
			assert_true(last->cluster < t->nclusters &&
				    last->kind < t->nkinds);
			s->ops->close(s);
		}
		(void)close(o.server);
		assert_int_equal(waitpid(pid, NULL, 0), pid);
	}
	free(truth);
}

UNITS_IN(far_ignore_pipes, NULL)

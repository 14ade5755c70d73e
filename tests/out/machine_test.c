/* A machine that has more CPUs from a frame on, in every output. */
#include "out/sink.h"
#include "monitor/account.h"

#include <limits.h>

#include <cmocka.h>

#include "out/recording.h"
#include "model/spans.h"

/* The machine before its cluster P came: the four CPUs of E, and one of P. */
enum { SMALL_CPUS = 5, SMALL_SCOPES = SMALL_CPUS + 2 + 2 + 1 };

struct small {
	struct topology *topology;
	struct scope scope[SMALL_SCOPES];
	struct frame frame;
};

static struct small
small_of(struct frames *f)
{
	struct small s = { .topology = topology_new(2, 2, SMALL_CPUS, NULL) };
	struct topology *t = s.topology;

	assert_non_null(t);
	memcpy(t->kind, f->topology->kind, 2 * sizeof *t->kind);
	memcpy(t->cluster, f->topology->cluster, 2 * sizeof *t->cluster);
	memcpy(t->cpu, f->topology->cpu, SMALL_CPUS * sizeof *t->cpu);
	topology_finish(t);
	for (unsigned i = 0; i < SMALL_CPUS; i++)
		s.scope[i] = (struct scope){ SCOPE_CORE, i, 1 };
	for (unsigned i = 0; i < 2; i++) {
		unsigned n = t->cluster[i].ncpus;

		s.scope[SMALL_CPUS + i] = (struct scope){ SCOPE_CLUSTER, i, n };
		n = t->kind[i].ncpus;
		s.scope[SMALL_CPUS + 2 + i] =
			(struct scope){ SCOPE_KIND, i, n };
	}
	s.scope[SMALL_SCOPES - 1] = (struct scope){ SCOPE_ALL, 0, SMALL_CPUS };
	s.frame = f->frame;
	s.frame.topology = t;
	s.frame.nscopes = SMALL_SCOPES;
	return s;
}

static struct sink *
open_small(struct frames *f, const struct small *small,
	   const struct sink_ops *ops, const char *name)
{
	struct err e = { ERR_NONE, "" };

	f->about.topology = small->topology;
	f->about.rows = 0xf;

	struct sink *s = ops->open(path(name), &f->about, &e);

	if (s == NULL)
		fail_msg("%s", e.text);
	return s;
}

static void
grow(struct frames *f, struct small *small, struct sink *s)
{
	struct err e = { ERR_NONE, "" };

	small->scope[0].ncpus = 1;
	small->frame.scope = small->scope;
	assert_true(s->ops->frame(s, &small->frame, &e));
	f->about.topology = f->topology;
	if (!s->ops->machine(s, &f->about, small->topology, &e))
		fail_msg("%s", e.text);
	f->frame.seq = 1;
	assert_true(s->ops->frame(s, &f->frame, &e));
	s->ops->close(s);
	topology_free(small->topology);
}

UNIT(a_recording_goes_on)
{
	struct frames *f = frames_new();
	struct small small = small_of(f);
	struct sink *s = open_small(f, &small, &sink_csv, "more.csv");

	grow(f, &small, s);
	char *text = slurp("more.csv");

	assert_int_equal(lines_in(text), 1 + SMALL_SCOPES + FRAMES_SCOPES);
	assert_null(strstr(text + 10, "schema,"));
	assert_null(strstr(text, ",event-change,")); /* the same set by name */
	assert_string_equal(at(text, 1, "sample"), "0");
	assert_string_equal(at(text, 5, "cpu"), "4");
	assert_string_equal(at(text, SMALL_SCOPES, "n_cpus"), "5");
	assert_string_equal(at(text, SMALL_SCOPES + 8, "sample"), "1");
	assert_string_equal(at(text, SMALL_SCOPES + 8, "cpu"), "7");
	assert_string_equal(at(text, SMALL_SCOPES + 8, "cluster"), "P");
	assert_string_equal(at(text, SMALL_SCOPES + FRAMES_SCOPES, "n_cpus"),
			    "8");
	assert_string_equal(at(text, SMALL_SCOPES + FRAMES_SCOPES, "run"),
			    "r0000000000001234");
	free(text);
	frames_free(f);
}

UNIT(json_goes_on)
{
	struct frames *f = frames_new();
	struct small small = small_of(f);
	struct sink *s = open_small(f, &small, &sink_json, "more.json");

	grow(f, &small, s);
	char *text = slurp("more.json");

	assert_int_equal(lines_in(text), SMALL_SCOPES + FRAMES_SCOPES);
	assert_non_null(strstr(text, "\"cpu\":7"));
	free(text);
	frames_free(f);
}

/* Counters that a collector has read never go back. */
UNIT(a_page_goes_on)
{
	struct frames *f = frames_new();
	struct small small = small_of(f);
	struct sink *s = open_small(f, &small, &sink_openmetrics, "more.prom");

	grow(f, &small, s);
	char *text = slurp("more.prom");

	assert_non_null(strstr(text, "ktop_cpu_cycles_total{cpu=\"4\","
				     "cluster=\"P\",kind=\"Performance\","
				     "source=\"sim\"} 4000000000\n"));
	assert_non_null(strstr(text, "ktop_cpu_cycles_total{cpu=\"7\","
				     "cluster=\"P\",kind=\"Performance\","
				     "source=\"sim\"} 2000000000\n"));
	free(text);
	frames_free(f);
}

UNIT(text_goes_on)
{
	struct frames *f = frames_new();
	struct small small = small_of(f);
	struct sink *s = open_small(f, &small, &sink_text, "more.txt");

	grow(f, &small, s);
	char *text = slurp("more.txt");

	assert_non_null(strstr(text, "\ncpu7 "));
	free(text);
	frames_free(f);
}

UNIT(rows_find_their_like)
{
	struct frames *f = frames_new();
	struct small small = small_of(f);

	assert_int_equal(topology_match(f->topology, 4, small.topology), 4);
	assert_int_equal(topology_match(f->topology, 5, small.topology),
			 UINT_MAX);
	/* Clusters by their names: E is the first, P the second. */
	assert_int_equal(topology_match(f->topology, 9, small.topology),
			 SMALL_CPUS + 1);
	assert_int_equal(topology_match(f->topology, 10, small.topology),
			 UINT_MAX);
	topology_free(small.topology);
	frames_free(f);
}

UNIT(totals_go_on)
{
	struct frames *f = frames_new();
	struct small small = small_of(f);
	struct account t;

	assert_true(account_init(&t, small.topology));
	small.frame.scope = small.scope;
	account_add(&t, &small.frame);
	assert_true(account_move(&t, f->topology, small.topology));
	assert_int_equal(t.nrows, FRAMES_CPUS + 2);
	assert_int_equal(t.frames, 1);
	assert_int_equal(t.row[4].span.cycles, 2000000000);
	assert_int_equal(t.row[5].span.cycles, 0);
	assert_int_equal(t.event[2].count[4], 7);
	assert_int_equal(t.event[2].count[7], 0);
	account_add(&t, &f->frame);
	assert_int_equal(t.nevents, 3);
	assert_int_equal(t.event[2].count[4], 14);
	assert_int_equal(t.event[2].count[7], 7);
	account_free(&t);
	topology_free(small.topology);
	frames_free(f);
}

/* ---- the columns ev_cycles and ev_instructions on Linux ---- */

static void
write_pair(struct frames *f, const char *name)
{
	struct err e;
	struct sink *s = open_in(f, name);

	assert_true(s->ops->frame(s, &f->frame, &e));
	s->ops->close(s);
}

UNIT(the_pair_is_the_denominator)
{
	struct frames *f = frames_new();

	f->event[0].name = "L1D_CACHE_MISS_LD";
	f->event[1].name = "BRANCH_MISPRED_NONSPEC";
	f->about.source = "perf";
	f->frame.domain = DOMAIN_ALL;
	write_pair(f, "pair.csv");
	char *text = slurp("pair.csv");

	assert_string_equal(at(text, 8, "ev_cycles"), "2000000000");
	assert_string_equal(at(text, 8, "ev_instructions"), "3000000000");
	free(text);
	/* The slots were read since half of the interval: a swap. */
	for (unsigned i = 0; i < FRAMES_SCOPES; i++) {
		span_put_event(&f->span[i], 0.5);
		f->span[i].pair_cycles = 900000000;
	}
	write_pair(f, "pair2.csv");
	text = slurp("pair2.csv");
	assert_string_equal(at(text, 8, "ev_cycles"), "900000000");
	assert_string_equal(at(text, 8, "cycles"), "2000000000");
	free(text);
	f->frame.domain = DOMAIN_USER;
	write_pair(f, "pair4.csv");
	text = slurp("pair4.csv");
	assert_string_equal(at(text, 8, "ev_cycles"), "");
	free(text);
	frames_free(f);
}

UNITS_IN(make_folder, remove_folder)

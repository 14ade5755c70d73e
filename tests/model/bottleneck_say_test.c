/* Bottlenecks as sentences, and which of them comes first. */
#include "model/bottleneck_say.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "model/bottleneck.h"
#include "model/spans.h"

enum { P1 = 12, ROWS = 18 }; /* an M2 Max: 12 CPUs, E P0 P1, kinds, all */

struct bench {
	struct frame f;
	struct topology *t;
	struct scope scope[ROWS];
	struct bottleneck bottleneck[ROWS];
	struct eventset set;
	double value[ROWS * 2];
	struct span span[ROWS];
	unsigned slow; /* the row that slowed; ROWS: none */
};

static void
bench_open(struct bench *b)
{
	memset(b, 0, sizeof *b);
	b->slow = ROWS;
	b->t = topology_new(2, 3, 12, NULL);
	assert_non_null(b->t);
	memcpy(b->t->kind[0].letter, "P", 2);
	memcpy(b->t->kind[1].letter, "E", 2);
	for (unsigned i = 0; i < 12; i++) {
		b->t->cpu[i] = (struct topology_cpu){
			.id = (int)i, .kind = i < 4, .cluster = i / 4, .core = i
		};
		b->scope[i] = (struct scope){ SCOPE_CORE, i, 1 };
		b->t->cluster[i / 4].kind = i < 4;
	}
	topology_finish(b->t);
	for (unsigned i = 0; i < 3; i++)
		b->scope[P1 + i] = (struct scope){ SCOPE_CLUSTER, i, 4 };
	b->scope[15] = (struct scope){ SCOPE_KIND, 0, 8 };
	b->scope[16] = (struct scope){ SCOPE_KIND, 1, 4 };
	b->scope[17] = (struct scope){ SCOPE_ALL, 0, 12 };
	for (unsigned i = 0; i < ROWS; i++)
		b->bottleneck[i] = (struct bottleneck){ .word = BOTTLENECK_NONE,
							.see = -1,
							.evidence = -1,
							.share = NAN,
							.evidence_value = NAN };
	memcpy(b->set.name, "basic", 6);
	b->set.len = 8;
	b->f = (struct frame){ .topology = b->t,
			       .set = &b->set,
			       .scope = b->scope,
			       .bottleneck = b->bottleneck,
			       .value = b->value,
			       .span = b->span,
			       .nscopes = ROWS };
}

/* Something is lost there, enough to stand out. */
static struct bottleneck *
loses(struct bench *b, unsigned row, enum bottleneck_word word, float share,
      double lost)
{
	struct bottleneck *v = &b->bottleneck[row];

	*v = (struct bottleneck){ .word = (uint8_t)word,
				  .basis = BOTTLENECK_OF_SLOTS,
				  .flagged = bottleneck_is_cause(word),
				  .see = (int8_t)preset_find(
					  bottleneck_words[word].see),
				  .evidence = -1,
				  .share = share,
				  .evidence_value = NAN,
				  .impact = lost,
				  .shared = lost };
	return v;
}

static void
tells(struct bottleneck *v, const char *metric, float value)
{
	v->evidence = (int16_t)metric_find(metric);
	v->evidence_value = value;
}

/* Of the row that loses most, or that slowed, but where a test has its own. */
static void
say(const struct bench *b, const struct bottleneck_style *style,
    struct bottleneck_sentence *out)
{
	struct frame f = b->f;
	struct bottleneck_loss worst = { .scope = b->slow };

	(void)bottleneck_losses(&f, true, &worst, 1);
	struct headline h = { .scope = worst.scope, .by = -1 };

	if (h.scope < ROWS)
		h.is = b->bottleneck[h.scope];
	if (f.headline == NULL)
		f.headline = &h;
	bottleneck_headline(&f, style, out);
}

static const char *
headline(const struct bench *b, unsigned room)
{
	static struct bottleneck_sentence s;
	struct bottleneck_style style = { .room = room };

	say(b, &style, &s);
	return s.text;
}

/* The first line when it is of that row. */
static const char *
said(struct bench *b, unsigned row)
{
	struct headline h = { .scope = row, .by = -1 };

	h.is = b->bottleneck[row];
	b->f.headline = &h;
	const char *text = headline(b, 200);

	b->f.headline = NULL;
	return text;
}

static void
memory(struct bench *b)
{
	tells(loses(b, P1 + 2, BOTTLENECK_MEMORY, 0.6f, 3.7), "l1d_ld_mpki",
	      25.2f);
	loses(b, 8, BOTTLENECK_MEMORY, 0.65f, 2.1);
	loses(b, 9, BOTTLENECK_MEMORY, 0.55f, 1.6);
}

UNIT(shortened_clause_by_clause)
{
	static const char *const want[] = {
		"P1 is memory bound: 60% of its slots; 25 L1D-ld MPKI. Press 4 for caches.",
		"P1 is memory bound: 60% of its slots; 25 L1D-ld MPKI. Press 4.",
		"P1 is memory bound: 60% of its slots. Press 4 for caches.",
		"P1 is memory bound: 60% of its slots.",
		"P1 is memory bound.",
	};
	struct bench b;

	bench_open(&b);
	memory(&b);
	for (unsigned i = 0; i < sizeof want / sizeof *want; i++) {
		unsigned w = (unsigned)strlen(want[i]);

		assert_string_equal(headline(&b, w), want[i]);
		if (i > 0)
			assert_string_equal(
				headline(&b, (unsigned)strlen(want[i - 1]) - 1),
				want[i]);
	}
	/* Where and what are never cut. */
	assert_string_equal(headline(&b, 5), "P1 is memory bound.");
	topology_free(b.t);
}

static const struct power_row silent_power = {
	.energy = { .watts = NAN },
	.nj_instruction = NAN,
	.traffic = { .read = NAN, .write = NAN, .both = NAN },
	.clock_ghz = NAN
};

/* The clusters' rows are E, P0, P1, then the machine's. */
static void
give_power(struct bench *b, struct frame_power *p, struct power_row row[4])
{
	for (unsigned i = 0; i < 4; i++)
		row[i] = silent_power;
	*p = (struct frame_power){ .nrows = 4, .row = row, .ceiling = 400e9 };
	b->f.power = p;
	b->f.interval_s = 1;
}

UNIT(memory_bound_work_waits_for_latency_or_bandwidth)
{
	static const char *const want[] = {
		"P1 is memory bound (latency): 60% of its slots; 25 L1D-ld MPKI; DRAM 38 of 400 GB/s. Press 4 for caches.",
		"P1 is memory bound (latency): 60% of its slots; 25 L1D-ld MPKI; DRAM 38 of 400 GB/s. Press 4.",
		"P1 is memory bound (latency): 60% of its slots; 25 L1D-ld MPKI. Press 4 for caches.",
		"P1 is memory bound (latency): 60% of its slots; 25 L1D-ld MPKI. Press 4.",
		"P1 is memory bound (latency): 60% of its slots. Press 4 for caches.",
		"P1 is memory bound (latency): 60% of its slots.",
		"P1 is memory bound (latency).",
		"P1 is memory bound.",
	};
	static const char plain[] =
		"P1 is memory bound: 60% of its slots; 25 L1D-ld MPKI. Press 4 for caches.";
	struct frame_power p;
	struct power_row row[4];
	struct power_traffic *t = &row[3].traffic;
	struct bench b;

	bench_open(&b);
	memory(&b);
	give_power(&b, &p, row);
	assert_string_equal(headline(&b, 200), plain);
	t->both = 38e9;
	t->span_s = 1;
	for (unsigned i = 0; i < sizeof want / sizeof *want; i++)
		assert_string_equal(headline(&b, (unsigned)strlen(want[i])),
				    want[i]);
	t->both = 280e9; /* 70 % */
	assert_non_null(strstr(headline(&b, 200), "bound (latency)"));
	t->both = 281e9;
	assert_non_null(strstr(headline(&b, 200), "bound (bandwidth): 60%"));
	/* A bound tells what it is a bound of. */
	t->marks = POWER_AT_LEAST;
	assert_non_null(strstr(headline(&b, 200), "(bandwidth): 60%"));
	assert_non_null(strstr(headline(&b, 200), "; DRAM >= 281 of 400 GB/s"));
	t->both = 38e9;
	assert_non_null(strstr(headline(&b, 200), "memory bound: 60%"));
	t->marks = POWER_AT_MOST;
	assert_non_null(strstr(headline(&b, 200), "(latency): 60%"));
	/* A span of another time, or a ceiling that is only what was seen. */
	t->span_s = 30;
	assert_string_equal(headline(&b, 200), plain);
	t->span_s = 1;
	p.seen = true;
	assert_string_equal(headline(&b, 200), plain);
	p.seen = false;
	/* It is of memory alone. */
	(void)loses(&b, 4, BOTTLENECK_BACKEND, 0.55f, 0.5);
	assert_string_equal(
		said(&b, 4),
		"cpu 4 is back-end bound: 55% of its slots. Press 4 to see which cache level.");
	topology_free(b.t);
}

/* Where no cause is flagged; the cluster that is slowest of its request. */
UNIT(a_throttled_cluster_is_named_with_its_clocks)
{
	static const char *const want[] = {
		"P0 is throttled: 2.86 of 3.23 GHz requested (-11%) for the last 25 s.",
		"P0 is throttled: 2.86 of 3.23 GHz requested (-11%).",
		"P0 is throttled: 2.86 of 3.23 GHz.",
		"P0 is throttled.",
	};
	struct frame_power p;
	struct power_row row[4];
	struct bottleneck_sentence s;
	struct bottleneck_style style = { .room = 200 };
	struct bench b;

	bench_open(&b);
	give_power(&b, &p, row);
	for (unsigned c = 0; c < 3; c++) {
		b.span[P1 + c].cycles = 2860000000;
		b.span[P1 + c].busy_ns = 1e9;
		row[c].clock_ghz = 3.0;
	}
	row[1].clock_ghz = 3.23;
	row[2].throttled = true;
	assert_non_null(strstr(headline(&b, 200), "P1 is throttled: 2.86"));
	row[1].throttled = true;
	row[1].throttled_s = 25;
	for (unsigned i = 0; i < sizeof want / sizeof *want; i++)
		assert_string_equal(headline(&b, (unsigned)strlen(want[i])),
				    want[i]);
	say(&b, &style, &s);
	assert_int_equal(s.scope, P1 + 1);
	assert_false(s.flagged);
	/* Only the system says so: the clock is what was requested. */
	row[2].throttled = false;
	row[1].clock_ghz = NAN;
	assert_string_equal(headline(&b, 200),
			    "P0 is throttled for the last 25 s.");
	memory(&b);
	assert_non_null(strstr(headline(&b, 200), "P1 is memory bound: 60%"));
	topology_free(b.t);
}

UNIT(each_cause_has_its_words)
{
	struct bench b;
	struct bottleneck *v;

	bench_open(&b);
	v = loses(&b, 7, BOTTLENECK_BAD_SPEC, 0.5f, 1.5);
	tells(v, "branch_mpki", 14.2f);
	assert_string_equal(
		said(&b, 7),
		"cpu 7: bad speculation, 50% of its slots; 14.2 br MPKI. Press 3 for branches.");
	v->basis = BOTTLENECK_ESTIMATE;
	assert_string_equal(
		said(&b, 7),
		"cpu 7: bad speculation, ~50% of its slots; 14.2 br MPKI. Press 3 for branches.");
	v = loses(&b, 1, BOTTLENECK_FRONTEND, 0.46f, 0.5);
	tells(v, "frontend_stall_pct", 38);
	assert_string_equal(
		said(&b, 1),
		"cpu 1 is front-end bound: 46% of its slots; 38% of cycles stalled in front. Press 6 for the front end.");
	(void)loses(&b, 4, BOTTLENECK_BACKEND, 0.55f, 0.5);
	assert_string_equal(
		said(&b, 4),
		"cpu 4 is back-end bound: 55% of its slots. Press 4 to see which cache level.");
	v = loses(&b, 2, BOTTLENECK_KERNEL, 0.75f, 0.7);
	v->basis = BOTTLENECK_OF_CYCLES;
	assert_string_equal(
		said(&b, 2),
		"cpu 2 is mostly in the kernel: 75% of its cycles. Press 0, then os for kernel activity.");
	(void)loses(&b, 6, BOTTLENECK_MIXED, NAN, 1.9);
	assert_string_equal(
		said(&b, 6),
		"cpu 6 is bound by no single cause. Press 2 for top-down.");
	topology_free(b.t);
}

UNIT(clusters_with_one_word_are_named_together)
{
	struct bench b;

	bench_open(&b);
	memory(&b);
	tells(loses(&b, P1 + 1, BOTTLENECK_MEMORY, 0.5f, 1), "l1d_ld_mpki", 20);
	(void)loses(&b, P1, BOTTLENECK_FRONTEND, 0.46f, 0.5);
	assert_string_equal(
		said(&b, P1 + 2),
		"P0 and P1 are memory bound: 50% and 60% of their slots. Press 4 for caches.");
	b.bottleneck[P1] = b.bottleneck[P1 + 1];
	assert_string_equal(
		said(&b, P1 + 2),
		"E, P0 and P1 are memory bound: 50%, 50% and 60% of their slots. Press 4 for caches.");
	/* A core speaks for itself, and so does a row that is not flagged. */
	assert_non_null(strstr(said(&b, 8), "cpu 8 is memory bound: 65% of"));
	b.bottleneck[P1].flagged = b.bottleneck[P1 + 1].flagged = false;
	assert_non_null(strstr(said(&b, P1 + 2), "P1 is memory bound: 60% of"));
	topology_free(b.t);
}

/* What an earlier preset showed has its age; paper has options, and a time. */
UNIT(the_first_line_has_a_memory)
{
	struct bench b;
	struct bottleneck_sentence s;
	struct bottleneck_style style = { .room = 200, .paper = true };
	struct headline h = { .scope = P1 + 2,
			      .since_s = 12.2f,
			      .by = (int8_t)preset_find("topdown") };

	bench_open(&b);
	(void)loses(&b, P1 + 2, BOTTLENECK_BACKEND, 0.55f, 3);
	h.is = b.bottleneck[P1 + 2];
	h.is.age_s = 14;
	b.f.headline = &h;
	assert_string_equal(
		headline(&b, 200),
		"14 s ago, topdown: P1 is back-end bound: 55% of its slots. Press 4 to see which cache level.");
	h.by = -1;
	say(&b, &style, &s);
	assert_string_equal(
		s.text,
		"P1 is back-end bound: 55% of its slots; for the last 12 s. Use --preset l1d to see which cache level.");
	assert_int_equal(s.see, preset_find("l1d"));
	/* The window stays as long as the share, also in 60 cells. */
	h.window_s = 5;
	assert_string_equal(
		headline(&b, 80),
		"P1 is back-end bound: 55% of its slots in the last 5 s. Press 4.");
	assert_non_null(
		strstr(headline(&b, 60), "55% of its slots in the last 5 s"));
	h.window_s = 0;
	/* A preset in force is no advice. */
	memcpy(b.set.name, "l1d", 4);
	assert_string_equal(headline(&b, 200),
			    "P1 is back-end bound: 55% of its slots.");
	topology_free(b.t);
}

UNIT(the_worst_comes_first_and_once)
{
	struct bench b;
	struct bottleneck_loss loss[BOTTLENECK_LOSSES];

	bench_open(&b);
	memory(&b);
	(void)loses(&b, 6, BOTTLENECK_MIXED, 0.68f, 1.9);
	(void)loses(&b, 7, BOTTLENECK_BAD_SPEC, 0.5f, 1.5);
	/* One of the cluster's bottleneck alone is a line of its own. */
	(void)loses(&b, 1, BOTTLENECK_FRONTEND, 0.46f, 0.5);
	(void)loses(&b, P1, BOTTLENECK_FRONTEND, 0.3f, 0.5);
	(void)loses(&b, 2, BOTTLENECK_KERNEL, 0.75f, 0.7);
	assert_int_equal(
		bottleneck_losses(&b.f, false, loss, BOTTLENECK_LOSSES), 5);

	static const unsigned want[] = { P1 + 2, 6, 7, 2, 1 };

	for (unsigned i = 0; i < 5; i++)
		assert_int_equal(loss[i].scope, want[i]);
	assert_true(fabs(loss[0].lost - 3.7) < 1e-9);
	/* What the kernel does never stands out. */
	assert_int_equal(bottleneck_losses(&b.f, true, loss, BOTTLENECK_LOSSES),
			 4);
	assert_int_equal(loss[3].scope, 1);
	/* What would read as 0.0 has no line. */
	(void)loses(&b, 0, BOTTLENECK_MEMORY, 0.5f, 0.04);
	assert_int_equal(bottleneck_losses(&b.f, true, loss, BOTTLENECK_LOSSES),
			 4);
	assert_int_equal(bottleneck_losses(&b.f, false, loss, 2), 2);
	assert_int_equal(loss[1].scope, 6);
	/* A row whose cause is unknown loses all the same, but is not flagged;
	 * one that is likely to have none is not listed. */
	struct bottleneck *unknown = loses(&b, 3, BOTTLENECK_UNKNOWN, NAN, NAN);

	unknown->lost_pct = 9.5;
	(void)bottleneck_losses(&b.f, false, loss, BOTTLENECK_LOSSES);
	assert_int_equal(loss[0].scope, 3);
	/* Its cluster would hide that CPU 1 is flagged. */
	b.bottleneck[0] = b.bottleneck[3];
	b.bottleneck[0].lost_pct = 9.4;
	b.bottleneck[P1] = b.bottleneck[3];
	b.bottleneck[P1].lost_pct = 19.4;
	(void)bottleneck_losses(&b.f, false, loss, BOTTLENECK_LOSSES);
	assert_int_equal(loss[0].scope, 3);
	b.bottleneck[1].flagged = false;
	(void)bottleneck_losses(&b.f, false, loss, BOTTLENECK_LOSSES);
	assert_int_equal(loss[0].scope, P1);
	(void)loses(&b, P1, BOTTLENECK_FRONTEND, 0.3f, 0.5);
	(void)loses(&b, 0, BOTTLENECK_MEMORY, 0.5f, 0.04);
	(void)bottleneck_losses(&b.f, true, loss, BOTTLENECK_LOSSES);
	assert_int_equal(loss[0].scope, P1 + 2);
	/* What it loses is in the line of its cluster, whatever the cause. */
	b.bottleneck[8].lost_pct = unknown->lost_pct;
	(void)loses(&b, 8, BOTTLENECK_FRONTEND, 0.5f, 9.5);
	unsigned n = bottleneck_losses(&b.f, false, loss, BOTTLENECK_LOSSES);
	bool cluster = false;

	for (unsigned i = 0; i < n; i++)
		cluster |= loss[i].scope == P1 + 2;
	for (unsigned i = 0; cluster && i < n; i++)
		assert_int_not_equal(loss[i].scope, 8);
	assert_true(cluster);
	(void)loses(&b, 8, BOTTLENECK_MEMORY, 0.5f, 2.1);
	unknown->estimate = BOTTLENECK_NONE;
	(void)bottleneck_losses(&b.f, false, loss, BOTTLENECK_LOSSES);
	assert_int_equal(loss[0].scope, P1 + 2);
	topology_free(b.t);
}

UNIT(without_a_bottleneck_the_slots_are_told)
{
	struct bench b;

	bench_open(&b);
	for (unsigned i = 0; i < 3; i++)
		b.bottleneck[i + 1].word = BOTTLENECK_IDLE;
	b.bottleneck[11].word = BOTTLENECK_OFF;
	assert_string_equal(headline(&b, 80), "No bottleneck; cores busy: 8.");
	assert_string_equal(headline(&b, 20), "No bottleneck.");
	/* By what retires, where that is known of each kind that works. */
	b.t->kind[0].width = 8;
	b.t->kind[1].width = 4;
	b.bottleneck[15].slots.of[SHARE_RETIRING] =
		(struct share_range){ 0.5625f, 0.5625f, 0.5625f };
	assert_string_equal(headline(&b, 80), "No bottleneck; cores busy: 8.");
	b.bottleneck[16].slots.of[SHARE_RETIRING] =
		(struct share_range){ 0.5f, 0.55f, 0.6f };
	assert_string_equal(
		headline(&b, 80),
		"No bottleneck: P cores retire 4.5 of 8 slots a cycle, E cores ~2.2 of 4.");
	b.bottleneck[16].word = BOTTLENECK_IDLE;
	assert_string_equal(
		headline(&b, 80),
		"No bottleneck: P cores retire 4.5 of 8 slots a cycle.");
	topology_free(b.t);
}

/* The kernel is never flagged; but a machine in it is not calm. */
UNIT(a_machine_in_the_kernel_says_so)
{
	struct bench b;

	bench_open(&b);
	(void)loses(&b, 2, BOTTLENECK_KERNEL, 0.75f, 0.7);
	assert_string_equal(headline(&b, 80), "No bottleneck; cores busy: 12.");
	for (unsigned i = 3; i < 9; i++)
		b.bottleneck[i].word = BOTTLENECK_KERNEL;
	assert_string_equal(
		headline(&b, 90),
		"7 of 12 cores are mostly in the kernel. Press 0, then os for kernel activity.");
	topology_free(b.t);
}

/* Neither calm nor IPC is where no counter can be read. */
UNIT(without_counters_nothing_is_known)
{
	enum { METRICS = 64 };
	static double value[ROWS * METRICS];
	static uint8_t why[ROWS * METRICS];
	unsigned ipc = (unsigned)metric_find("ipc");
	struct bench b;

	assert_true(ipc < METRICS);
	bench_open(&b);
	b.f.value = value;
	b.f.state = why;
	b.f.nmetrics = METRICS;
	for (unsigned i = 0; i < ROWS; i++) {
		b.bottleneck[i].word = BOTTLENECK_UNKNOWN;
		why[i * METRICS + ipc] = VALUE_UNSUPPORTED;
	}
	for (unsigned turn = 0; turn < 2; turn++) {
		assert_string_equal(
			headline(&b, 80),
			"Without counters bottlenecks are unknown.");
		assert_string_equal(headline(&b, 30),
				    "Bottlenecks are unknown.");
		b.set.len = 0;
		why[(ROWS - 1) * METRICS + ipc] = VALUE_DENIED;
	}
	why[(ROWS - 1) * METRICS + ipc] = VALUE_OK;
	assert_string_equal(
		headline(&b, 100),
		"Fixed counters only: no event shows the cause of a bottleneck. Press i to acquire the counters.");
	assert_string_equal(headline(&b, 60),
			    "Bottlenecks are unknown. Press i.");
	b.f.bottleneck = NULL;
	assert_string_equal(headline(&b, 80), "");
	topology_free(b.t);
}

UNIT(an_idle_machine_says_so)
{
	struct bench b;

	bench_open(&b);
	for (unsigned i = 0; i < ROWS; i++)
		b.bottleneck[i].word = BOTTLENECK_IDLE;
	assert_string_equal(headline(&b, 80),
			    "No bottleneck: all cores are idle.");
	assert_string_equal(headline(&b, 20), "No bottleneck.");
	topology_free(b.t);
}

/* An estimate is never flagged and never the first clause. */
UNIT(an_estimate_is_said_where_nothing_is_flagged)
{
	struct bottleneck_style style = { .room = 100 };
	struct bottleneck_sentence s;
	struct bench b;

	bench_open(&b);
	memcpy(b.t->cluster[1].label, "P0", 3);
	struct bottleneck *v = &b.bottleneck[P1 + 1];

	v->word = BOTTLENECK_UNKNOWN;
	v->estimate = BOTTLENECK_BAD_SPEC;
	v->see = (int8_t)preset_find("topdown");
	v->lost_pct = 69;
	v->slots.of[SHARE_BAD_SPEC] = (struct share_range){ 0.3f, 0.57f, 0.7f };
	say(&b, &style, &s);
	assert_string_equal(
		s.text,
		"Nothing flagged; P0 is probably bad speculation: ~57% of its slots. Press 2 for top-down.");
	assert_false(s.flagged);
	assert_int_equal(s.scope, P1 + 1);
	assert_string_equal(
		headline(&b, 78),
		"Nothing flagged; P0 is probably bad speculation: ~57% of its slots. Press 2.");
	assert_string_equal(headline(&b, 20), "Nothing flagged.");
	v->estimate = BOTTLENECK_MEMORY;
	v->slots.of[SHARE_BACKEND].middle = NAN;
	assert_string_equal(
		headline(&b, 100),
		"Nothing flagged; P0 is probably memory bound. Press 2 for top-down.");
	/* Too little of the machine, or probably nothing. */
	v->lost_pct = 4.9;
	assert_string_equal(headline(&b, 80), "No bottleneck; cores busy: 12.");
	v->lost_pct = 69;
	v->estimate = BOTTLENECK_NONE;
	for (unsigned i = 0; i < 12; i++) {
		b.bottleneck[i].word = BOTTLENECK_UNKNOWN;
		b.bottleneck[i].estimate = BOTTLENECK_NONE;
	}
	assert_string_equal(headline(&b, 80), "No bottleneck; cores busy: 12.");
	topology_free(b.t);
}

UNIT(what_is_unknown_is_no_calm)
{
	struct bench b;

	bench_open(&b);
	b.bottleneck[5].word = BOTTLENECK_UNKNOWN;
	b.bottleneck[6].word = BOTTLENECK_UNKNOWN;
	assert_string_equal(headline(&b, 80),
			    "No bottleneck flagged; cores busy: 12.");
	/* From half of the busy cores on. */
	for (unsigned i = 0; i < 8; i++)
		b.bottleneck[i < 5 ? i : i + 2].word = BOTTLENECK_IDLE;
	b.bottleneck[11].word = BOTTLENECK_NONE;
	b.bottleneck[10].word = BOTTLENECK_NONE;
	b.bottleneck[5].word = b.bottleneck[6].word = BOTTLENECK_UNKNOWN;
	b.bottleneck[5].see = b.bottleneck[6].see =
		(int8_t)preset_find("topdown");
	assert_string_equal(
		headline(&b, 80),
		"2 of 12 cores: unknown bottleneck with these events. Press 2 for top-down.");
	assert_string_equal(headline(&b, 50),
			    "2 of 12 cores: unknown bottleneck. Press 2.");
	/* What is in force already does not tell. */
	memcpy(b.set.name, "topdown", 8);
	assert_string_equal(
		headline(&b, 80),
		"2 of 12 cores: unknown bottleneck with these events.");
	/* Nor does any other, as on a Zen 3. */
	for (unsigned i = 5; i < 7; i++) {
		b.bottleneck[i].see = -1;
		b.bottleneck[i].cannot = true;
	}
	assert_string_equal(
		headline(&b, 80),
		"2 of 12 cores: unknown bottleneck; no event of this machine counts stalls.");
	topology_free(b.t);
}

/* A second of 3 * 10^9 cycles at that IPC, `before_s` ago faster. */
static void
slows(struct bench *b, unsigned row, double ipc, float before, float before_s)
{
	b->span[row] = span_make(1, 1, NAN);
	b->span[row].cycles = 3000000000;
	b->span[row].instructions = (uint64_t)(ipc * 3e9);
	b->bottleneck[row].word = BOTTLENECK_UNKNOWN;
	b->bottleneck[row].see = (int8_t)preset_find("topdown");
	b->bottleneck[row].ipc_before = before;
	b->bottleneck[row].before_s = before_s;
	b->slow = row;
}

UNIT(what_has_slowed_is_said)
{
	static const char *const want[] = {
		"cpu 8 slowed from 4.30 to 0.97 IPC 4 s ago; cause unknown with these events. Press 2.",
		"cpu 8 slowed from 4.30 to 0.97 IPC 4 s ago; cause unknown. Press 2.",
		"cpu 8 slowed from 4.30 to 0.97 IPC 4 s ago.",
		"cpu 8 slowed.",
	};
	struct bench b;

	bench_open(&b);
	slows(&b, 8, 0.97, 4.3f, 4.2f);
	for (unsigned i = 0; i < sizeof want / sizeof *want; i++)
		assert_string_equal(headline(&b, (unsigned)strlen(want[i])),
				    want[i]);
	/* What is counted already is no advice. */
	memcpy(b.set.name, "topdown", 8);
	assert_string_equal(
		headline(&b, 100),
		"cpu 8 slowed from 4.30 to 0.97 IPC 4 s ago; cause unknown with these events.");
	b.set.len = 0;
	assert_string_equal(
		headline(&b, 100),
		"cpu 8 slowed from 4.30 to 0.97 IPC 4 s ago; cause unknown without events. Press i.");
	topology_free(b.t);
}

/* The parts are the whole sentence, in order, with the right words in them. */
UNIT(parts_tell_what_is_a_number)
{
	struct bench b;
	struct bottleneck_sentence s;
	struct bottleneck_style style = { .room = 100 };
	char where[16] = "", numbers[32] = "", key[16] = "";
	unsigned from = 0;

	bench_open(&b);
	memory(&b);
	say(&b, &style, &s);
	assert_int_equal(s.scope, P1 + 2);
	assert_true(s.flagged);
	for (unsigned i = 0; i < s.nparts; i++) {
		char *to = s.part[i].part == PART_WHERE    ? where
			   : s.part[i].part == PART_NUMBER ? numbers
			   : s.part[i].part == PART_KEY    ? key
							   : NULL;

		if (to != NULL)
			strncat(to, s.text + from, s.part[i].end - from);
		from = s.part[i].end;
	}
	assert_int_equal(from, strlen(s.text));
	assert_string_equal(where, "P1");
	assert_string_equal(numbers, "60%25");
	assert_string_equal(key, "4");
	style.paper = true;
	say(&b, &style, &s);
	assert_non_null(strstr(s.text, ". Use --preset l1d for caches."));
	topology_free(b.t);
}

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
};

static void
bench_open(struct bench *b)
{
	memset(b, 0, sizeof *b);
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

static const char *
headline(const struct bench *b, unsigned room)
{
	static struct bottleneck_sentence s;
	struct bottleneck_voice voice = { .room = room };

	bottleneck_headline(&b->f, &voice, &s);
	return s.text;
}

static const char *
said(const struct bench *b, unsigned row)
{
	static struct bottleneck_sentence s;
	struct bottleneck_voice voice = { .room = 200 };

	bottleneck_say(&b->f, row, &voice, &s);
	return s.text;
}

static void
memory(struct bench *b)
{
	tells(loses(b, P1 + 2, BOTTLENECK_MEMORY, 0.6f, 3.7), "l1d_ld_mpki",
	      25.2f);
	loses(b, 8, BOTTLENECK_MEMORY, 0.65f, 2.1);
	loses(b, 9, BOTTLENECK_MEMORY, 0.55f, 1.6);
}

UNIT(in_as_many_words_as_fit)
{
	static const char *const want[] = {
		"P1 waits for memory: 60% of its slots; 25 L1D misses per 1000 instructions. 4 shows caches.",
		"P1 waits for memory: 60% of slots; 25 L1D misses/1000 instr. 4 shows caches",
		"P1 waits for memory: 60% of slots; 25 L1D misses/1000. 4 shows caches",
		"P1 waits for memory: 60% of its slots. 4 shows caches.",
		"P1 waits for memory: 60% of slots. 4 shows caches",
		"P1 waits for memory: 60% of slots",
		"P1 waits for memory: 60%",
		"P1 waits for memory",
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
	assert_string_equal(headline(&b, 18), "P1: memory");
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
		"cpu 7 guesses wrong: 50% of its slots; 14 mispredictions per 1000 instructions. 3 shows branches.");
	v->basis = BOTTLENECK_ESTIMATE;
	/* Words get shorter before the evidence goes. */
	assert_string_equal(
		headline(&b, 76),
		"cpu 7 guesses wrong: about 50% of its cycles. 3 shows branches.");
	assert_string_equal(
		headline(&b, 80),
		"cpu 7 guesses wrong: about 50% of cycles; 14 mispredicted/1000. 3 shows branches");
	v->age_s = 8;
	assert_string_equal(
		said(&b, 7),
		"cpu 7 guesses wrong: about 50% of its cycles 8 s ago; 14 mispredictions per 1000 instructions. 3 shows branches.");
	/* Each number has its own age. */
	v->age_s = 0;
	v->evidence_age_s = 27;
	assert_string_equal(
		said(&b, 7),
		"cpu 7 guesses wrong: about 50% of its cycles; 14 mispredictions per 1000 instructions, 27 s ago. 3 shows branches.");
	assert_string_equal(
		headline(&b, 92),
		"cpu 7 guesses wrong: about 50% of cycles; 14 mispredicted/1000, 27 s ago. 3 shows branches");
	v->age_s = 8;
	assert_string_equal(
		said(&b, 7),
		"cpu 7 guesses wrong: about 50% of its cycles 8 s ago; 14 mispredictions per 1000 instructions, 27 s ago. 3 shows branches.");
	v = loses(&b, 1, BOTTLENECK_FRONTEND, 0.46f, 0.5);
	assert_string_equal(
		said(&b, 1),
		"cpu 1 starves: 46% of its slots get no instructions. 6 shows the front end.");
	v->basis = BOTTLENECK_OF_CYCLES;
	assert_string_equal(
		said(&b, 1),
		"cpu 1 starves: 46% of its cycles get no instructions. 6 shows the front end.");
	v = loses(&b, 2, BOTTLENECK_KERNEL, 0.75f, 0.7);
	v->basis = BOTTLENECK_OF_CYCLES;
	assert_string_equal(
		said(&b, 2),
		"cpu 2 is in the kernel: 75% of its cycles. 0 then os shows switches and faults.");
	(void)loses(&b, 6, BOTTLENECK_MIXED, 0.68f, 1.9);
	assert_string_equal(
		said(&b, 6),
		"cpu 6 has mixed causes: 68% of its slots are lost. 2 shows which.");
	/* Of a cluster without a share it only says that its cores differ. */
	(void)loses(&b, P1, BOTTLENECK_MIXED, NAN, 1);
	assert_string_equal(said(&b, P1),
			    "E has cores that do different things.");
	assert_string_equal(said(&b, 0), "cpu 0 computes.");
	topology_free(b.t);
}

UNIT(what_is_counted_needs_no_key)
{
	struct bench b;

	bench_open(&b);
	(void)loses(&b, 1, BOTTLENECK_FRONTEND, 0.46f, 0.5);
	memcpy(b.set.name, "frontend", 9);
	assert_string_equal(
		said(&b, 1),
		"cpu 1 starves: 46% of its slots get no instructions.");
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
	topology_free(b.t);
}

UNIT(calm_reads_as_calm)
{
	struct bench b;

	bench_open(&b);
	for (unsigned i = 0; i < 3; i++)
		b.bottleneck[i + 1].word = BOTTLENECK_IDLE;
	b.bottleneck[11].word = BOTTLENECK_OFF;
	assert_string_equal(
		headline(&b, 80),
		"Nothing stands out: 8 cores compute, 3 are idle, 1 is powered down.");
	assert_string_equal(headline(&b, 60),
			    "Nothing stands out: 8 compute, 3 idle, 1 off");
	assert_string_equal(headline(&b, 20), "Nothing stands out");
	/* A cause too small to stand out is told all the same. */
	loses(&b, 0, BOTTLENECK_MEMORY, 0.6f, 0.01)->flagged = false;
	assert_string_equal(
		headline(&b, 100),
		"Nothing stands out: 7 cores compute, 1 waits for memory, 3 are idle, 1 is powered down.");
	topology_free(b.t);
}

/* The kernel never has the sign; but a machine in it is not calm. */
UNIT(a_machine_in_the_kernel_says_so)
{
	struct bench b;
	struct bottleneck *v;

	bench_open(&b);
	(void)loses(&b, 2, BOTTLENECK_KERNEL, 0.75f, 0.7);
	assert_string_equal(
		headline(&b, 80),
		"Nothing stands out: 11 cores compute, 1 is in the kernel.");
	v = loses(&b, frame_scope_all(&b.f), BOTTLENECK_KERNEL, 0.8f, 9);
	v->basis = BOTTLENECK_OF_CYCLES;
	v->flagged = false;
	assert_string_equal(
		headline(&b, 80),
		"Nothing stands out: 11 cores compute, 1 is in the kernel.");
	for (unsigned i = 3; i < 9; i++)
		b.bottleneck[i].word = BOTTLENECK_KERNEL;
	assert_string_equal(
		headline(&b, 90),
		"The machine is in the kernel: 80% of its cycles. 0 then os shows switches and faults.");
	topology_free(b.t);
}

/* Neither calm nor IPC is where no counter can be read. */
UNIT(without_counters_nothing_is_judged)
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
		assert_string_equal(headline(&b, 80),
				    "Without counters nothing is judged.");
		assert_string_equal(headline(&b, 20), "Nothing is judged.");
		b.set.len = 0;
		why[(ROWS - 1) * METRICS + ipc] = VALUE_DENIED;
	}
	why[(ROWS - 1) * METRICS + ipc] = VALUE_OK;
	assert_non_null(strstr(headline(&b, 80), "IPC only"));
	topology_free(b.t);
}

UNIT(what_is_not_counted_is_not_judged)
{
	struct bench b;

	bench_open(&b);
	b.bottleneck[5].word = b.bottleneck[6].word = BOTTLENECK_UNKNOWN;
	b.bottleneck[5].see = b.bottleneck[6].see =
		(int8_t)preset_find("topdown");
	assert_string_equal(
		headline(&b, 80),
		"Nothing stands out of what is counted; 2 cores are not judged. 2 tells.");
	assert_string_equal(headline(&b, 50),
			    "2 cores are not judged. 2 tells.");
	/* Where half of them are not judged, that is no calm. */
	for (unsigned i = 0; i < 6; i++) {
		b.bottleneck[i].word = BOTTLENECK_UNKNOWN;
		b.bottleneck[i].see = (int8_t)preset_find("topdown");
	}
	assert_string_equal(
		headline(&b, 80),
		"7 of 12 cores cannot be judged by what is counted. 2 tells.");
	assert_string_equal(headline(&b, 50),
			    "7 cores are not judged. 2 tells.");
	for (unsigned i = 0; i < 5; i++)
		b.bottleneck[i].word = BOTTLENECK_NONE;
	/* What is in force already does not tell. */
	memcpy(b.set.name, "topdown", 8);
	assert_string_equal(
		headline(&b, 80),
		"Nothing stands out of what is counted; 2 cores are not judged.");
	b.set.len = 0;
	assert_string_equal(
		headline(&b, 100),
		"IPC only: no events are counted, so no cause can be named. i takes the counters.");
	assert_string_equal(
		headline(&b, 60),
		"IPC only: no cause can be named. i takes the counters.");
	assert_string_equal(headline(&b, 10), "IPC only");
	b.f.bottleneck = NULL;
	assert_string_equal(headline(&b, 80), "");
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
}

UNIT(what_has_become_slow_is_said)
{
	static const char *const want[] = {
		"cpu 8 is slow (IPC 0.97, 1 minute ago 4.3), the cause is not counted. 2 tells.",
		"cpu 8 is slow (IPC 0.97, 1 min ago 4.3), cause not counted. 2 tells",
		"cpu 8 is slow (IPC 0.97, 1 min ago 4.3). 2 tells",
		"cpu 8 is slow. 2 tells",
		"cpu 8 is slow",
	};
	struct bench b;
	struct bottleneck_sentence s;
	struct bottleneck_voice voice = { .room = 100, .paper = true };

	bench_open(&b);
	slows(&b, 8, 0.97, 4.3f, 61);
	for (unsigned i = 0; i < sizeof want / sizeof *want; i++)
		assert_string_equal(headline(&b, (unsigned)strlen(want[i])),
				    want[i]);
	b.bottleneck[8].before_s = 21.4f;
	b.bottleneck[8].ipc_before = 0.934f;
	slows(&b, 8, 0.31, 0.934f, 21.4f);
	assert_string_equal(
		headline(&b, 100),
		"cpu 8 is slow (IPC 0.31, 20 s ago 0.93), the cause is not counted. 2 tells.");
	bottleneck_headline(&b.f, &voice, &s);
	assert_false(s.flagged);
	assert_non_null(strstr(s.text, ". --preset topdown tells."));
	/* What is counted already is no advice. */
	memcpy(b.set.name, "topdown", 8);
	assert_string_equal(
		headline(&b, 100),
		"cpu 8 is slow (IPC 0.31, 20 s ago 0.93), the cause is not counted.");
	b.set.len = 0;
	assert_string_equal(
		headline(&b, 100),
		"cpu 8 is slow (IPC 0.31, 20 s ago 0.93), the cause is not counted. i takes the counters.");
	topology_free(b.t);
}

UNIT(of_those_that_are_slow_the_most_is_said)
{
	struct bench b;

	bench_open(&b);
	assert_int_equal(bottleneck_worst(&b.f), ROWS);
	slows(&b, 3, 1, 2, 30);
	slows(&b, 8, 1, 4, 30);
	assert_int_equal(bottleneck_worst(&b.f), 8); /* 2.25 of 3, not 1.5 */
	slows(&b, 9, 1, 4, 30);
	slows(&b, P1 + 2, 1, 4, 30);
	assert_int_equal(bottleneck_worst(&b.f), P1 + 2);
	/* What has a cause with a name comes first. */
	(void)loses(&b, 7, BOTTLENECK_BAD_SPEC, 0.5f, 0.5);
	assert_string_equal(
		headline(&b, 100),
		"cpu 7 guesses wrong: 50% of its slots. 3 shows branches.");
	topology_free(b.t);
}

/* Rows that lose about the same do not take turns. */
UNIT(what_was_named_stays)
{
	struct bottleneck_loss loss[BOTTLENECK_LOSSES];
	struct bench b;

	bench_open(&b);
	(void)loses(&b, 4, BOTTLENECK_MEMORY, 0.6f, 2);
	(void)loses(&b, 8, BOTTLENECK_BAD_SPEC, 0.6f, 2.4);
	assert_int_equal(bottleneck_worst(&b.f), 8);
	b.bottleneck[4].named = true;
	assert_int_equal(bottleneck_worst(&b.f), 4);
	/* The list has its order none the less. */
	(void)bottleneck_losses(&b.f, false, loss, BOTTLENECK_LOSSES);
	assert_int_equal(loss[0].scope, 8);
	b.bottleneck[8].shared = 2.6; /* a quarter more */
	assert_int_equal(bottleneck_worst(&b.f), 8);
	topology_free(b.t);
}

/* The parts are the whole sentence, in order, with the right words in them. */
UNIT(parts_tell_what_is_a_number)
{
	struct bench b;
	struct bottleneck_sentence s;
	struct bottleneck_voice voice = { .room = 100 };
	char where[16] = "", numbers[32] = "", key[16] = "";
	unsigned from = 0;

	bench_open(&b);
	memory(&b);
	bottleneck_headline(&b.f, &voice, &s);
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
	voice.paper = true;
	bottleneck_headline(&b.f, &voice, &s);
	assert_non_null(strstr(s.text, ". --preset l1d shows caches"));
	topology_free(b.t);
}

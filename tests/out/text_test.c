#include "out/sink.h"

#include <cmocka.h>

#include "out/recording.h"

UNIT(every_row_has_its_words)
{
	struct frames *f = frames_new();
	unsigned ipc = (unsigned)metric_find("ipc");

	f->about.rows =
		1u << SCOPE_CORE | 1u << SCOPE_CLUSTER | 1u << SCOPE_ALL;
	f->state[0 * metric_count + ipc] = VALUE_IDLE;
	f->state[1 * metric_count + ipc] = VALUE_OFF;
	f->span[1].quality = QUALITY_OFF;
	f->state[2 * metric_count + ipc] = VALUE_UNSUPPORTED;
	f->state[3 * metric_count + ipc] = VALUE_FEW;
	f->state[4 * metric_count + ipc] = VALUE_STALE;
	f->state[6 * metric_count + ipc] = VALUE_STALE; /* of slots, that is */
	f->span[6].quality = QUALITY_TAKEN_OVER;
	f->span[8].n_ok = 3;
	char *text = table_of(f, "words");

	assert_int_equal(lines_in(text), 2 + 1 + 2 + 8 + 1);
	assert_non_null(strstr(text, "ktop  Apple M1 (sim)  basic  "
				     "sample 0  2026-11-20T14:03:22.118Z"));
	assert_non_null(
		strstr(text, "\ncpu0   E    -           12.5    --  idle"));
	assert_non_null(
		strstr(text, "\ncpu1   E    -           12.5    --   off"));
	assert_non_null(
		strstr(text, " off\ncpu2   E    -           12.5    --   n/a"));
	assert_non_null(
		strstr(text, "\ncpu3   E    -           12.5    -- *1.50"));
	assert_non_null(
		strstr(text, "\ncpu4   P    -           12.5    -- stale"));
	assert_non_null(
		strstr(text, "\ncpu5   P    -           12.5    --  1.50"));
	assert_non_null(
		strstr(text, "\ncpu6   P    -           12.5    -- taken"));
	assert_non_null(strstr(text, " 3/4\nP      P  "));
	free(text);
	frames_free(f);
}

/* A heading ends where its values end, in each of the rows below it. */
static void
assert_aligned(const char *text)
{
	const char *head = strstr(text, "\nROW") + 1;
	const char *last = strstr(head, " QUALITY\n");
	unsigned columns = 0;

	assert_non_null(last);
	for (const char *at = strstr(head, "BUSY%"); at < last; columns++) {
		const char *row = last + strlen(" QUALITY\n");

		at += strcspn(at, " ");
		for (; *row != '\n'; row = strchr(row, '\n') + 1) {
			const char *end = row + (at - head);

			if (strcspn(row, "\n") < (size_t)(at - head) ||
			    end[-1] == ' ' || (*end != ' ' && *end != '\n'))
				fail_msg("column %u:\n%s", columns, text);
		}
		at += strspn(at, " ");
	}
	assert_true(columns >= 4);
}

UNIT(columns_are_aligned)
{
	struct frames *f = frames_new();
	char *text = table_of(f, "aligned");

	assert_aligned(text);
	free(text);
	frames_free(f);
}

UNIT(what_is_counted_is_named)
{
	struct frames *f = frames_new();
	unsigned ipc = (unsigned)metric_find("ipc");

	f->set.len = 0;
	f->set.name[0] = '\0';
	char *text = table_of(f, "ipc");

	assert_non_null(strstr(text, "  no events  "));
	free(text);
	for (unsigned i = 0; i < FRAMES_SCOPES; i++)
		f->state[i * metric_count + ipc] = VALUE_UNSUPPORTED;
	text = table_of(f, "busy");
	assert_non_null(strstr(text, "  busy time only  "));
	free(text);
	frames_free(f);
}

static void
set_state(struct frames *f, unsigned scope, const char *metric, unsigned state)
{
	f->state[scope * metric_count + (unsigned)metric_find(metric)] =
		(uint8_t)state;
}

UNIT(numbers_have_their_marks)
{
	struct frames *f = frames_new();

	f->about.rows = 1u << SCOPE_CORE | 1u << SCOPE_ALL;
	set_state(f, 0, "ipc", VALUE_OK | VALUE_SCALED);
	set_state(f, 1, "ipc", VALUE_FEW | VALUE_SCALED);
	set_state(f, 2, "ipc", VALUE_IMPOSSIBLE);
	set_state(f, 3, "ipc", VALUE_DENIED);
	set_state(f, FRAMES_SCOPES - 1, "ipc", VALUE_OK | VALUE_PART);
	set_state(f, 4, "ipc", VALUE_OK | VALUE_MODES | VALUE_PART);
	char *text = table_of(f, "marks");

	assert_non_null(
		strstr(text, "\ncpu0   E    -           12.5    --  ~1.50"));
	assert_non_null(
		strstr(text, "\ncpu1   E    -           12.5    -- ~*1.50"));
	assert_non_null(
		strstr(text, "\ncpu2   E    -           12.5    --      ?"));
	assert_non_null(
		strstr(text, "\ncpu3   E    -           12.5    -- denied"));
	assert_non_null(
		strstr(text, "\nall         -           12.5    --  1.50'"));
	assert_non_null(
		strstr(text, "\ncpu4   P    -           12.5    --  1.50^"));
	free(text);
	frames_free(f);
}

UNIT(every_row_has_its_bottleneck)
{
	static struct bottleneck bottleneck[FRAMES_SCOPES];
	struct frames *f = frames_new();

	f->about.rows = 1u << SCOPE_CORE;
	f->frame.bottleneck = bottleneck;
	bottleneck[1].word = BOTTLENECK_BAD_SPEC;
	bottleneck[2].word = BOTTLENECK_IDLE;
	for (unsigned i = 0; i < FRAMES_SCOPES; i++)
		bottleneck[i].evidence = bottleneck[i].see = -1;
	bottleneck[3].cannot = true;
	bottleneck[4].estimate = BOTTLENECK_FRONTEND;
	char *text = table_of(f, "bottlenecks");

	assert_non_null(strstr(text, "\nROW    KIND BOTTLENECK BUSY%"));
	assert_non_null(strstr(text, "\ncpu0   E    unknown     12.5"));
	assert_non_null(strstr(text, "\ncpu1   E    bad-spec    12.5"));
	assert_non_null(strstr(text, "\ncpu2   E    idle        12.5"));
	assert_non_null(strstr(text, "\ncpu3   E    -           12.5"));
	assert_non_null(strstr(text, "\ncpu4   P    ~frontend   12.5"));
	free(text);
	bottleneck[1].flagged = true;
	bottleneck[1].impact = bottleneck[1].shared = 1;
	struct headline h = { .scope = 1, .is = bottleneck[1], .by = -1 };

	f->frame.headline = &h;
	text = table_of(f, "flagged");
	assert_non_null(strstr(text, "\n! cpu 1: bad speculation"));
	assert_non_null(strstr(text, "\ncpu1   E    bad-spec!   12.5"));
	assert_aligned(text);
	free(text);
	frames_free(f);
}

/* Whatever stands in a cell, those beside it stay where they are. */
UNIT(long_words_shift_nothing)
{
	struct frames *f = frames_new();
	unsigned ipc = (unsigned)metric_find("ipc");

	set_state(f, 0, "ghz", VALUE_DENIED);
	set_state(f, 0, "ipc", VALUE_DENIED);
	set_state(f, 4, "ghz", VALUE_STALE);
	f->span[4].quality = QUALITY_TAKEN_OVER;
	char *text = table_of(f, "six letters");

	assert_non_null(strstr(text, " denied denied "));
	assert_non_null(strstr(text, " taken "));
	assert_aligned(text);
	free(text);
	f->value[2 * metric_count + ipc] = 123456.789;
	set_state(f, 2, "ipc", VALUE_FEW | VALUE_SCALED | VALUE_PART);
	text = table_of(f, "a long number");
	assert_non_null(strstr(text, " ~*123456.79' "));
	assert_aligned(text);
	free(text);
	frames_free(f);
}

/* What was once so wide stays so: a table looks like the one before it. */
UNIT(columns_do_not_shrink)
{
	struct frames *f = frames_new();
	unsigned ipc = (unsigned)metric_find("ipc");
	struct err e = { ERR_NONE, "" };
	struct sink *s = sink_text.open(path("tables"), &f->about, &e);

	assert_non_null(s);
	f->value[2 * metric_count + ipc] = 123456.789;
	assert_true(s->ops->frame(s, &f->frame, &e));
	f->value[2 * metric_count + ipc] = 1.5;
	assert_true(s->ops->frame(s, &f->frame, &e));
	s->ops->close(s);
	char *text = slurp("tables"), *second = strstr(text, "\n\n") + 2;

	assert_aligned(text);
	assert_aligned(second);
	assert_memory_equal(strstr(text, "\nROW"), strstr(second, "\nROW"),
			    strcspn(strstr(second, "\nROW") + 1, "\n"));
	free(text);
	frames_free(f);
}

/* Names of kinds, and of cores, may be long as well. */
UNIT(long_names_shift_nothing)
{
	struct frames *f = frames_new();

	f->about.rows = 1u << SCOPE_CORE | 1u << SCOPE_CLUSTER |
			1u << SCOPE_KIND | 1u << SCOPE_ALL;
	f->topology->cpu[7].id = 1023;
	(void)snprintf(f->topology->cluster[0].label,
		       sizeof f->topology->cluster[0].label, "C1-Prem10");
	char *text = table_of(f, "names");

	assert_non_null(strstr(text, "\nPerformance "));
	assert_non_null(strstr(text, "\ncpu1023 "));
	assert_aligned(text);
	free(text);
	frames_free(f);
}

/* Where nothing can count it a column stays, as n/a. */
UNIT(columns_stay)
{
	struct frames *f = frames_new();
	static const struct event refused = { .name = "LLC_MISS" };
	char *text;

	for (unsigned i = 0; i < FRAMES_SCOPES; i++)
		for (unsigned m = 0; m < metric_count; m++)
			f->state[i * metric_count + m] = VALUE_UNSUPPORTED;
	for (unsigned i = 0; i < FRAMES_SCOPES; i++)
		set_state(f, i, "ipc", VALUE_OK);
	text = table_of(f, "not known here");
	assert_null(strstr(text, " LLCmis"));
	free(text);
	f->set.slot[f->set.len++] = (struct slot){ &refused, 5 };
	text = table_of(f, "refused");
	assert_non_null(strstr(text, " LLCmis"));
	assert_null(strstr(text, " L1D-ld"));
	free(text);
	f->set.len--;
	for (unsigned i = 0; i < FRAMES_SCOPES; i++)
		set_state(f, i, "ipc", VALUE_UNSUPPORTED);
	text = table_of(f, "no PMU");
	assert_null(strstr(text, " LLCmis"));
	assert_non_null(strstr(text, " L1D-ld"));
	free(text);
	frames_free(f);
}

UNITS_IN(make_folder, remove_folder)

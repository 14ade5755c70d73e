#include "out/sink.h"

#include <cmocka.h>

#include "out/recording.h"
#include "model/spans.h"

UNIT(a_frame_is_a_row_for_each_core)
{
	struct frames *f = frames_new();
	struct sink *s = open_in(f, "core.csv");
	struct err e;

	assert_true(s->ops->frame(s, &f->frame, &e));
	s->ops->close(s);
	char *text = slurp("core.csv");

	assert_int_equal(lines_in(text), 1 + FRAMES_CPUS);
	assert_string_equal(at(text, 0, "schema"), "schema");
	assert_string_equal(at(text, 1, "schema"), "ktop/2");
	assert_string_equal(at(text, 1, "row"), "cpu");
	assert_string_equal(at(text, 1, "run"), "r0000000000001234");
	assert_string_equal(at(text, 1, "sample"), "0");
	assert_string_equal(at(text, 1, "time"), "2026-11-20T14:03:22.118Z");
	assert_string_equal(at(text, 1, "elapsed_s"), "1.5");
	assert_string_equal(at(text, 1, "interval_s"), "1.0");
	assert_string_equal(at(text, 1, "event_s"), "1.0");
	assert_string_equal(at(text, 1, "source"), "sim");
	assert_string_equal(at(text, 1, "model"), "Apple M1");
	assert_string_equal(at(text, 1, "chip"), "a14");
	assert_string_equal(at(text, 1, "package"), "");
	assert_string_equal(at(text, 1, "die"), "0");
	assert_string_equal(at(text, 1, "cluster"), "E");
	assert_string_equal(at(text, 1, "kind"), "Efficiency");
	assert_string_equal(at(text, 1, "level"), "1");
	assert_string_equal(at(text, 8, "core"), "7");
	assert_string_equal(at(text, 8, "cpu"), "7");
	assert_string_equal(at(text, 8, "cluster"), "P");
	assert_string_equal(at(text, 8, "level"), "0");
	assert_string_equal(at(text, 8, "n_cpus"), "");
	assert_string_equal(at(text, 8, "n_ok"), "");
	assert_string_equal(at(text, 8, "preset"), "basic");
	assert_string_equal(at(text, 8, "domain"), "user");
	assert_string_equal(at(text, 8, "quality"), "");
	assert_string_equal(at(text, 8, "coverage"), "1.0");
	assert_string_equal(at(text, 8, "note"), "");
	assert_string_equal(at(text, 8, "busy_pct"), "12.5");
	assert_string_equal(at(text, 8, "cycles"), "2000000000");
	assert_string_equal(at(text, 8, "instructions"), "3000000000");
	assert_string_equal(at(text, 8, "ev_cycles"), "1990000000");
	assert_string_equal(at(text, 8, "ev_instructions"), "2980000000");
	assert_string_equal(at(text, 8, "e3"), "L1D_TLB_MISS");
	assert_string_equal(at(text, 8, "c3"), "7");
	assert_string_equal(at(text, 8, "e4"), "");
	assert_string_equal(at(text, 8, "c10"), "");
	assert_string_equal(at(text, 8, "ipc"), "1.5");
	free(text);
	frames_free(f);
}

UNIT(every_row_has_as_many_fields_as_the_header)
{
	struct frames *f = frames_new();
	struct err e;
	unsigned line = 0;

	f->about.rows = 0xf;
	f->about.model = "An, \"odd\" model";
	struct sink *s = open_in(f, "all.csv");

	assert_true(s->ops->frame(s, &f->frame, &e));
	assert_true(s->ops->mark(s, &f->frame, "=mark, with comma", &e));
	f->set.len = 0;
	f->set.name[0] = '\0';
	f->frame.seq = 1;
	assert_true(s->ops->frame(s, &f->frame, &e));
	s->ops->close(s);
	char *text = slurp("all.csv");

	/* header, 13 rows, mark, swap, 13 rows */
	assert_int_equal(lines_in(text), 1 + 13 + 1 + 1 + 13);
	for (const char *p = text; *p != '\0'; p = strchr(p, '\n') + 1, line++)
		if (fields_in(p) != column_count())
			fail_msg("line %u has %u fields", line, fields_in(p));
	assert_non_null(strstr(text, "\"'=mark, with comma\""));
	assert_non_null(strstr(text, "ktop/2,event-change,"));
	assert_non_null(strstr(text, ",basic to fixed counters only,"));
	free(text);
	frames_free(f);
}

UNIT(sums_name_their_cpus)
{
	struct frames *f = frames_new();
	struct err e;

	f->about.rows = 0xf;
	f->span[8].n_ok = 3;
	struct sink *s = open_in(f, "sums.csv");

	assert_true(s->ops->frame(s, &f->frame, &e));
	s->ops->close(s);
	char *text = slurp("sums.csv");

	assert_string_equal(at(text, 9, "row"), "cluster");
	assert_string_equal(at(text, 9, "cluster"), "E");
	assert_string_equal(at(text, 9, "n_cpus"), "4");
	assert_string_equal(at(text, 9, "n_ok"), "3");
	assert_string_equal(at(text, 11, "row"), "kind");
	assert_string_equal(at(text, 11, "kind"), "Performance");
	assert_string_equal(at(text, 11, "cluster"), "");
	assert_string_equal(at(text, 13, "row"), "machine");
	assert_string_equal(at(text, 13, "n_cpus"), "8");
	assert_string_equal(at(text, 13, "cycles"), "16000000000");
	free(text);
	frames_free(f);
}

UNIT(what_was_not_measured_is_empty)
{
	struct frames *f = frames_new();
	int ipc = metric_find("ipc");
	struct err e;

	assert_true(ipc >= 0);
	f->span[0].n_ok = 0;
	f->span[0].quality = QUALITY_OFF | QUALITY_LATE;
	span_put_interval(&f->span[0], 0);
	span_put_busy(&f->span[0], NAN);
	span_put_slot(&f->span[1], 2, false, 0);
	f->state[ipc] = VALUE_OFF;
	f->state[1 * metric_count + (unsigned)ipc] = VALUE_IDLE;
	f->state[2 * metric_count + (unsigned)ipc] = VALUE_FEW;
	f->value[3 * metric_count + (unsigned)ipc] = 0;
	struct sink *s = open_in(f, "empty.csv");

	assert_true(s->ops->frame(s, &f->frame, &e));
	s->ops->close(s);
	char *text = slurp("empty.csv");

	assert_string_equal(at(text, 1, "cycles"), "");
	assert_string_equal(at(text, 1, "instructions"), "");
	assert_string_equal(at(text, 1, "interval_s"), "");
	assert_string_equal(at(text, 1, "busy_pct"), "");
	assert_string_equal(at(text, 1, "quality"), "off;late");
	assert_string_equal(at(text, 1, "ipc"), "");
	assert_string_equal(at(text, 2, "ipc"), "");
	assert_string_equal(at(text, 2, "e3"), "L1D_TLB_MISS");
	assert_string_equal(at(text, 2, "c3"), "");
	assert_string_equal(at(text, 3, "ipc"), "1.5");
	assert_string_equal(at(text, 4, "ipc"), "0.0");
	free(text);
	frames_free(f);
}

UNIT(the_largest_numbers_fit)
{
	struct frames *f = frames_new();
	struct err e;

	f->set.len = EVENTSET_MAX;
	for (unsigned i = 0; i < EVENTSET_MAX; i++)
		f->set.slot[i].event = &f->event[2];
	f->frame.seq = UINT64_MAX;
	f->frame.quality = (1u << QUALITY_BITS) - 1;
	for (unsigned i = 0; i < FRAMES_SCOPES; i++) {
		f->span[i].cycles = f->span[i].instructions = UINT64_MAX;
		for (unsigned k = 0; k < EVENTSET_MAX; k++)
			span_put_slot(&f->span[i], k, true, UINT64_MAX);
		for (unsigned m = 0; m < metric_count; m++) {
			f->value[i * metric_count + m] = -123456789012345.678;
			f->state[i * metric_count + m] = VALUE_OK;
		}
	}
	f->about.rows = 0xf;
	struct sink *s = open_in(f, "large.csv");

	assert_true(s->ops->frame(s, &f->frame, &e));
	s->ops->close(s);
	char *text = slurp("large.csv");

	assert_string_equal(at(text, 1, "c10"), "18446744073709551615");
	assert_int_equal(lines_in(text), 14);
	free(text);
	frames_free(f);
}

/* A total of one kind says so; what cannot be true is no number. */
UNIT(parts_and_doubts)
{
	struct frames *f = frames_new();
	unsigned ipc = (unsigned)metric_find("ipc");
	unsigned l1d = (unsigned)metric_find("l1d_ld_mpki");
	unsigned all = frame_scope_all(&f->frame);
	struct err e;
	char want[128];

	f->about.rows = 1u << SCOPE_CORE | 1u << SCOPE_ALL;
	f->state[ipc] = VALUE_IMPOSSIBLE;
	f->value[all * metric_count + l1d] = 2.5;
	f->state[all * metric_count + l1d] = VALUE_OK | VALUE_PART;
	for (unsigned k = 1; k < f->frame.topology->nkinds; k++)
		f->state[frame_scope_kind(&f->frame, k) * metric_count + l1d] =
			VALUE_UNSUPPORTED;
	struct sink *s = open_in(f, "parts.csv");

	assert_true(s->ops->frame(s, &f->frame, &e));
	s->ops->close(s);
	char *text = slurp("parts.csv");

	(void)snprintf(want, sizeof want, "%s only: l1d_ld_mpki",
		       f->frame.topology->kind[0].name);
	assert_string_equal(at(text, 1, "ipc"), "");
	assert_string_equal(at(text, 1, "note"), "");
	assert_string_equal(at(text, lines_in(text) - 1, "note"), want);
	assert_string_equal(at(text, lines_in(text) - 1, "l1d_ld_mpki"), "2.5");
	free(text);
	frames_free(f);
}

/* Events whose counts are not what they seem, in every row. */
/* A machine whose packages alone are measured, and that may be throttled. */
UNIT(energy_of_packages_has_a_row)
{
	const struct power_energy none = { NAN, NAN, 0, false };
	const struct power_row no = {
		.energy = none,
		.nj_instruction = NAN,
		.traffic = { NAN, NAN, NAN, NAN, 0, false },
		.clock_ghz = NAN,
	};
	struct power_row row[3] = { no, no, no };
	struct frame_power power = {
		.nrows = 3,
		.row = row,
		.whole = { none,
			   none,
			   none,
			   { 18.5, 2, 0, true },
			   { 41.5, 3, 0, true } },
	};
	struct frames *f = frames_new();
	struct err e = { ERR_NONE, "" };

	row[2].throttle_known = row[2].throttled = true;
	f->frame.power = &power;
	f->about.force = true;
	struct sink *s = sink_csv.open(path("p.csv"), &f->about, &e);

	assert_non_null(s);
	assert_true(s->ops->frame(s, &f->frame, &e));
	row[2].throttle_known = row[2].throttled = false;
	power.whole[POWER_RAIL_PACKAGE].fresh =
		power.whole[POWER_RAIL_PLATFORM].fresh = false;
	assert_true(s->ops->frame(s, &f->frame, &e));
	s->ops->close(s);
	char *text = slurp("p.csv");
	unsigned found = 0;

	for (unsigned i = 1; i < lines_in(text); i++) {
		if (strcmp(at(text, i, "row"), "power") != 0)
			continue;
		found++;
		assert_string_equal(at(text, i, "cluster"), "");
		assert_string_equal(at(text, i, "package_w"), "18.5");
		assert_string_equal(at(text, i, "platform_w"), "41.5");
		assert_string_equal(at(text, i, "package_w_span_s"), "2.0");
		assert_string_equal(at(text, i, "platform_w_span_s"), "3.0");
		assert_string_equal(at(text, i, "power_span_s"), "");
		assert_string_equal(at(text, i, "power_w"), "");
		assert_string_equal(at(text, i, "dram_w"), "");
		assert_string_equal(at(text, i, "throttled"), "1");
	}
	assert_int_equal(found, 1);
	free(text);
	frames_free(f);
}

UNIT(notes_of_events)
{
	struct frames *f = frames_new();
	unsigned l1d = (unsigned)metric_find("l1d_ld_mpki");
	struct err e;

	f->about.rows = 1u << SCOPE_CORE | 1u << SCOPE_ALL;
	f->span[0].zero = 1u << 1;
	f->event[2].unlike = true;
	/* A kind that has it by another count has it not. */
	f->state[frame_scope_all(&f->frame) * metric_count + l1d] =
		VALUE_OK | VALUE_PART;
	f->state[frame_scope_kind(&f->frame, 0) * metric_count + l1d] =
		VALUE_OK;
	f->state[frame_scope_kind(&f->frame, 1) * metric_count + l1d] =
		VALUE_OK;
	f->span[frame_scope_kind(&f->frame, 1)].zero = 1u << 1;
	struct sink *s = open_in(f, "notes.csv");

	assert_true(s->ops->frame(s, &f->frame, &e));
	s->ops->close(s);
	char *text = slurp("notes.csv");

	assert_string_equal(at(text, 1, "note"), "counts nothing: INST_ALL; "
						 "unlike: L1D_TLB_MISS");
	assert_string_equal(at(text, 2, "note"), "unlike: L1D_TLB_MISS");
	assert_string_equal(
		at(text, lines_in(text) - 1, "note"),
		"unlike: L1D_TLB_MISS; Performance only: l1d_ld_mpki");
	free(text);
	frames_free(f);
}

UNITS_IN(make_folder, remove_folder)

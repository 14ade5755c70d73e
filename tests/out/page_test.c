#include "out/sink.h"

#include <cmocka.h>

#include "out/recording.h"
#include "model/spans.h"

static struct sink *
open_page(struct frames *f)
{
	struct err e = { ERR_NONE, "" };

	f->about.force = true;
	struct sink *s = sink_openmetrics.open(path("p.prom"), &f->about, &e);

	if (s == NULL)
		fail_msg("%s", e.text);
	return s;
}

static void
feed(struct sink *s, const struct frames *f)
{
	struct err e = { ERR_NONE, "" };

	if (!s->ops->frame(s, &f->frame, &e))
		fail_msg("%s", e.text);
}

/* With this frame. */
static char *
page_of(struct sink *s, const struct frames *f)
{
	feed(s, f);
	return slurp("p.prom");
}

/* Of every frame each CPU has 2e9 cycles and 3e9 instructions. */
UNIT(counters_add_up_over_frames)
{
	struct frames *f = frames_new();
	struct sink *s;

	s = open_page(f);
	for (unsigned i = 0; i < 3; i++)
		feed(s, f);
	f->span[0].n_ok = 0;
	span_put_slot(&f->span[0], 2, false, 0);
	char *text = page_of(s, f);

	HAS(text, "ktop_cpu_cycles_total{cpu=\"0\",cluster=\"E\",kind="
		  "\"Efficiency\",source=\"sim\"} 6000000000\n");
	HAS(text, "ktop_cpu_cycles_total{cpu=\"7\",cluster=\"P\",kind="
		  "\"Performance\",source=\"sim\"} 8000000000\n");
	HAS(text, "ktop_cpu_events_total{cpu=\"0\",cluster=\"E\",kind="
		  "\"Efficiency\",source=\"sim\",event=\"L1D_TLB_MISS\","
		  "domain=\"user\"} 21\n");
	HAS(text, "# TYPE ktop_cluster_instructions_total counter\n");
	HAS(text, "ktop_cpu_ipc{cpu=\"1\",cluster=\"E\",kind=\"Efficiency\","
		  "source=\"sim\"} 1.5\n");
	HAS(text, "ktop_samples_total 4\n");
	assert_string_equal(text + strlen(text) - 6, "# EOF\n");
	free(text);
	s->ops->close(s);
	frames_free(f);
}

/* A CPU that was never counted has no total, no CPU has no family. */
UNIT(what_was_never_counted_is_absent)
{
	struct frames *f = frames_new();
	struct sink *s;

	for (unsigned none = 0; none < 2; none++) {
		s = open_page(f);
		for (unsigned i = 0; i < FRAMES_SCOPES; i++)
			if (none > 0 || i == 1)
				f->span[i].n_ok = 0;
		char *text = page_of(s, f);

		if (none == 0) {
			HAS(text, "ktop_cpu_cycles_total{cpu=\"0\"");
			HAS(text, "ktop_cpu_measured_busy_seconds_total{"
				  "cpu=\"0\"");
			HAS(text, "ktop_cpu_busy_seconds_total{cpu=\"1\"");
		}
		assert_null(strstr(text, "ktop_cpu_cycles_total{cpu=\"1\""));
		assert_null(
			strstr(text, "ktop_cpu_instructions_total{cpu=\"1\""));
		assert_null(strstr(
			text, "ktop_cpu_measured_seconds_total{cpu=\"1\""));
		assert_null(strstr(
			text,
			"ktop_cpu_measured_busy_seconds_total{cpu=\"1\""));
		if (none > 0)
			assert_null(strstr(text, "cycles_total"));
		free(text);
		s->ops->close(s);
	}
	frames_free(f);
}

UNIT(bottlenecks_are_a_state_set)
{
	static struct bottleneck bottleneck[FRAMES_SCOPES];
	struct frames *f = frames_new();
	struct sink *s;

	s = open_page(f);
	f->span[1].n_ok = 0;
	span_put_busy(&f->span[1], NAN);
	char *text = page_of(s, f);

	assert_null(strstr(text, "bottleneck")); /* none was made */
	free(text);
	bottleneck[0].word = BOTTLENECK_MEMORY;
	f->frame.bottleneck = bottleneck;
	text = page_of(s, f);
	HAS(text, "# TYPE ktop_cpu_bottleneck gauge\n");
	for (unsigned w = 0; w < BOTTLENECK_COUNT; w++) {
		char want[160];

		(void)snprintf(
			want, sizeof want,
			"ktop_cpu_bottleneck{cpu=\"0\",cluster=\"E\",kind="
			"\"Efficiency\",source=\"sim\","
			"ktop_cpu_bottleneck=\"%s\"} %d\n",
			bottleneck_words[w].word, w == BOTTLENECK_MEMORY);
		HAS(text, want);
	}
	HAS(text, "ktop_cluster_bottleneck=\"unknown\"} 1\n");
	assert_null(strstr(text, "ktop_cpu_bottleneck{cpu=\"1\""));
	free(text);
	s->ops->close(s);
	frames_free(f);
}

/* What was spent in the spans that ended; a span holds over frames. */
UNIT(energy_and_bytes_add_up_over_their_spans)
{
	const struct power_energy none = { NAN, NAN, 0, false };
	const struct power_traffic no = { NAN, NAN, NAN, NAN, 0, false };
	struct power_row row[3] = {
		{ .energy = { 2, 2.1, 0, true }, .traffic = no },
		{ .energy = none, .traffic = no },
		{ .energy = { 2, 2.1, 0, true },
		  .traffic = { 1e9, 5e8, 1.5e9, 2, 0, true } },
	};
	struct frame_power power = {
		.nrows = 3,
		.row = row,
		.whole = { none, { 4, 0.5, 0, true }, none, none, none },
	};
	struct frames *f = frames_new();
	struct sink *s = open_page(f);

	f->frame.power = &power;
	feed(s, f);
	feed(s, f);
	row[0].energy.fresh = row[2].energy.fresh =
		power.whole[POWER_RAIL_GPU].fresh = false;
	row[2].traffic.fresh = false;
	feed(s, f);
	f->frame.power = NULL;
	char *text = page_of(s, f);

	HAS(text, "# TYPE ktop_cluster_energy_joules_total counter\n");
	HAS(text, "ktop_cluster_energy_joules_total{cluster=\"E\",kind="
		  "\"Efficiency\",source=\"sim\"} 8.4\n");
	HAS(text, "ktop_machine_energy_joules_total{source=\"sim\"} 8.4\n");
	HAS(text, "ktop_machine_gpu_energy_joules_total{source=\"sim\"} 4\n");
	HAS(text, "ktop_machine_memory_read_bytes_total{source=\"sim\"} "
		  "4000000000\n");
	HAS(text, "ktop_machine_memory_bytes_total{source=\"sim\"} "
		  "6000000000\n");
	assert_null(strstr(text, "joules_total{cluster=\"P\""));
	assert_null(strstr(text, "package_energy"));
	free(text);
	(void)s->ops->close(s);
	frames_free(f);
}

UNIT(labels_are_escaped)
{
	struct frames *f = frames_new();
	struct sink *s;

	f->about.model = "An \"odd\\one\"\nhere\xff";
	s = open_page(f);
	char *text = page_of(s, f);

	HAS(text, "model=\"An \\\"odd\\\\one\\\"\\nhere\xef\xbf\xbd\"");
	free(text);
	s->ops->close(s);
	frames_free(f);
}

/* What was not measured has no sample: neither 0 nor NaN. */
UNIT(absence_is_absence)
{
	struct frames *f = frames_new();
	struct sink *s;
	int ipc = metric_find("ipc");

	for (unsigned i = 0; i < FRAMES_SCOPES; i++)
		f->state[i * metric_count + (unsigned)ipc] = VALUE_STALE;
	s = open_page(f);
	char *text = page_of(s, f);

	assert_null(strstr(text, "ktop_cpu_ipc"));
	assert_null(strstr(text, "NaN"));
	free(text);
	s->ops->close(s);
	frames_free(f);
}

/* Neither cycles nor a busy time that nobody told: 0 would be a count. */
UNIT(what_was_never_known_has_no_total)
{
	struct frames *f = frames_new();
	struct sink *s;

	for (unsigned i = 0; i < FRAMES_SCOPES; i++) {
		f->span[i].n_ok = 0;
		span_put_busy(&f->span[i], i == 0 ? 50 : NAN);
	}
	s = open_page(f);
	char *text = page_of(s, f);

	HAS(text, "ktop_cpu_busy_seconds_total{cpu=\"0\",cluster=\"E\",kind="
		  "\"Efficiency\",source=\"sim\"} 0.5\n");
	assert_null(strstr(text, "ktop_cpu_busy_seconds_total{cpu=\"1\""));
	assert_null(strstr(text, "ktop_cpu_cycles_total"));
	free(text);
	s->ops->close(s);
	frames_free(f);
}

/* Busy without counts; what catches up says less: a counter stands still. */
UNIT(busy_time_never_falls)
{
	struct frames *f = frames_new();
	struct span *cpu = &f->span[0];
	struct sink *s;

	s = open_page(f);
	cpu->n_ok = 0;
	span_put_busy(cpu, 100);
	feed(s, f);
	feed(s, f);
	cpu->n_ok = 1;
	span_put_busy(cpu, 0);
	span_put_interval(cpu, 3);
	char *text = page_of(s, f);

	HAS(text, "ktop_cpu_busy_seconds_total{cpu=\"0\",cluster=\"E\",kind="
		  "\"Efficiency\",source=\"sim\"} 2\n");
	free(text);
	s->ops->close(s);
	frames_free(f);
}

UNIT(the_file_is_replaced_as_a_whole)
{
	struct frames *f = frames_new();
	struct err e = { ERR_NONE, "" };
	struct stat a, b;

	struct sink *s = sink_openmetrics.open(path("k.prom"), &f->about, &e);

	assert_non_null(s);
	assert_true(s->ops->frame(s, &f->frame, &e));
	assert_int_equal(stat(path("k.prom"), &a), 0);
	assert_true(s->ops->frame(s, &f->frame, &e));
	assert_int_equal(stat(path("k.prom"), &b), 0);
	assert_int_not_equal(a.st_ino, b.st_ino);
	s->ops->close(s);
	/* Its own it replaces, anybody else's not. */
	s = sink_openmetrics.open(path("k.prom"), &f->about, &e);
	assert_non_null(s);
	s->ops->close(s);
	FILE *fp = fopen(path("letter"), "w");

	assert_non_null(fp);
	assert_true(fputs("Dear Sir", fp) >= 0);
	assert_int_equal(fclose(fp), 0);
	assert_null(sink_openmetrics.open(path("letter"), &f->about, &e));
	assert_non_null(strstr(e.text, "--force"));
	unsigned left = 0;
	DIR *dir = opendir(folder);

	for (struct dirent *d; (d = readdir(dir)) != NULL;)
		left += d->d_name[0] != '.';
	(void)closedir(dir);
	assert_int_equal(left, 3); /* nothing temporary */
	frames_free(f);
}

UNITS_IN(make_folder, remove_folder)

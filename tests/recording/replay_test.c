/* The source on recordings: machine, sets, runs, to and fro. */
#include "monitor/monitor.h"
#include "model/quality.h"
#include "recording/replay.h"

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "recording/file.h"

static const char head[] =
	"schema,row,run,frame,time,elapsed_s,interval_s,event_s,source,model,"
	"chip,die,cluster,kind,level,core,cpu,preset,domain,quality,busy_pct,"
	"cycles,instructions,e1,c1\n";

/* Two clusters of P and one of E, listed E first as on an M1 Max. */
static const struct {
	const char *cluster, *kind;
	unsigned level;
} cpus[] = { { "E", "Efficiency", 1 },
	     { "P0", "Performance", 0 },
	     { "P1", "Performance", 0 } };

static void
frame(struct file *f, const char *run, unsigned n, const char *set,
      const char *event)
{
	for (unsigned i = 0; i < 3; i++)
		(void)fprintf(f->out,
			      "ktop/1,core,%s,%u,2026-01-01T%s:%02u:%02uZ,%u,1,"
			      "1,sim,Apple M1 Max,a14,0,%s,%s,%u,%u,%u,%s,user"
			      ",,50,%u,%u,%s,%.*s\n",
			      run, n, strcmp(run, "r1") == 0 ? "00" : "01",
			      n / 60, n % 60, n + 1, cpus[i].cluster,
			      cpus[i].kind, cpus[i].level, i, i, set,
			      2000000 + n, 1000000 + i, event, event[0] != '\0',
			      "7");
}

static struct source *
open_file(struct file *f, bool index)
{
	struct source_options o = { .replay = f->list,
				    .nreplay = 1,
				    .replay_index = index };
	struct err e = { ERR_NONE, "" };

	if (f->out != NULL)
		assert_int_equal(fclose(f->out), 0);
	f->out = NULL;
	struct source *s = replay_open(&o, NULL, &e);

	if (s == NULL)
		fail_msg("%s", e.text);
	return s;
}

static void
end(struct file *f, struct source *s, struct sample *sample)
{
	sample_free(sample);
	s->ops->close(s);
	assert_int_equal(unlink(f->path), 0);
}

UNIT(the_machine_is_rebuilt)
{
	struct file f;
	struct err e = { ERR_NONE, "" };

	begin(&f, head);
	frame(&f, "r1", 0, "branch", "INST_ALL");
	struct source *s = open_file(&f, false);
	const struct topology *t = s->info.topology;

	assert_string_equal(s->info.source, "replay");
	assert_string_equal(s->info.origin, "sim");
	assert_string_equal(s->info.model, "Apple M1 Max");
	assert_true(s->info.simulated && s->info.ends);
	assert_true(s->info.clock->stepped);
	assert_int_equal(t->ncpus, 3);
	assert_int_equal(t->nkinds, 2);
	assert_string_equal(t->kind[0].name, "Performance");
	assert_string_equal(t->kind[0].letter, "P");
	assert_string_equal(t->kind[1].letter, "E");
	assert_true(t->kind[0].width > 0); /* known of the a14 */
	assert_int_equal(t->nclusters, 3);
	assert_string_equal(t->cluster[2].label, "P1");
	assert_int_equal(t->kind[0].ncpus, 2);
	/* The chip's own database, not only what was counted. */
	assert_non_null(catalog_find(s->info.catalog, "MAP_STALL"));
	assert_false(s->ops->program(s, NULL, &e));
	assert_int_equal(e.code, ERR_USAGE);
	end(&f, s, NULL);
}

UNIT(sets_change_with_the_frames)
{
	struct file f;
	struct err e = { ERR_NONE, "" };
	struct sample *sample = sample_new(3, &e);

	begin(&f, head);
	frame(&f, "r1", 0, "one", "INST_ALL");
	frame(&f, "r1", 1, "two", "MY_EVENT");
	struct source *s = open_file(&f, false);

	assert_int_equal(s->ops->read(s, sample, &e), SOURCE_OK);
	assert_string_equal(sample->set->name, "one");
	assert_ptr_equal(sample->set->slot[0].event,
			 catalog_find(s->info.catalog, "INST_ALL"));
	assert_int_equal(s->info.mode, SOURCE_FULL);
	assert_int_equal(s->ops->read(s, sample, &e), SOURCE_OK);
	assert_string_equal(sample->set->name, "two");
	assert_string_equal(sample->set->slot[0].event->name, "MY_EVENT");
	assert_int_equal(s->ops->read(s, sample, &e), SOURCE_END);
	assert_int_equal(s->ops->read(s, sample, &e), SOURCE_END);
	end(&f, s, sample);
}

/* Two runs in a file, an hour between them: one clock for both. */
/* A frame of a Linux machine: one CPU off line, one that comes later. */
static void
linux_frame(struct file *f, unsigned n, bool on, unsigned ncpus)
{
	for (unsigned i = 0; i < ncpus; i++) {
		bool off = i == 1 && !on;

		(void)fprintf(f->out,
			      "ktop/1,core,r1,%u,2026-01-01T00:00:%02uZ,%u,1,1,"
			      "perf,Some,,,%s,%s,,%u,%u,,,%s,%s,,,,\n",
			      n, n, n + 1,
			      off      ? "off"
			      : i == 0 ? "P"
				       : "E",
			      off      ? "Unknown"
			      : i == 0 ? "Performance"
				       : "Efficiency",
			      i, i, off ? "off" : "", off ? "" : "50");
	}
}

UNIT(a_stream_grows)
{
	struct source_options none = { .nreplay = 0 };
	struct file f;
	struct err e;

	begin(&f, head);
	linux_frame(&f, 0, false, 2);
	linux_frame(&f, 1, true, 2);
	linux_frame(&f, 2, true, 3);
	linux_frame(&f, 3, true, 3);
	struct source *s = open_file(&f, false);
	static const struct {
		bool news;
		unsigned ncpus;
		const char *cluster; /* of CPU 1 */
	} rows[] = { { false, 2, "off" },
		     { true, 2, "E" },
		     { true, 3, "E" },
		     { false, 3, "E" } };

	for (unsigned i = 0; i < 4; i++) {
		const struct topology *t;
		struct sample *sample;

		assert_int_equal(replay_outdated(s), rows[i].news);
		s = s->ops->renew(s, &none, &e);
		assert_non_null(s);
		t = s->info.topology;
		assert_int_equal(t->ncpus, rows[i].ncpus);
		assert_string_equal(t->cluster[t->cpu[1].cluster].label,
				    rows[i].cluster);
		sample = sample_new(t->ncpus, &e);
		assert_int_equal(s->ops->read(s, sample, &e), SOURCE_OK);
		assert_int_equal(replay_reading(s)->at, i);
		assert_non_null(replay_frame(s));
		assert_string_equal(s->info.notice, "");
		sample_free(sample);
	}
	end(&f, s, NULL);
}

/* All rows cover 5 s after a gap, but only 3 s passed since the last frame. */
UNIT(a_frame_that_catches_up_covers_what_passed)
{
	struct file f;
	struct err e;
	int64_t ns, interval_ns;

	begin(&f, head);
	frame(&f, "r1", 0, "branch", "INST_ALL");
	(void)fputs("ktop/1,core,r1,1,2026-01-01T00:00:03Z,4,5,5,sim,"
		    "Apple M1 Max,a14,0,E,Efficiency,1,0,0,branch,user,"
		    "catchup,50,2000000,1000000,INST_ALL,7\n",
		    f.out);
	frame(&f, "r1", 4, "branch", "INST_ALL");
	struct source *s = open_file(&f, false);
	struct sample *sample = sample_new(s->info.topology->ncpus, &e);

	assert_int_equal(s->ops->read(s, sample, &e), SOURCE_OK);
	assert_true(replay_next_time(s, &ns, &interval_ns));
	assert_int_equal(interval_ns, 3000000000);
	assert_int_equal(s->ops->read(s, sample, &e), SOURCE_OK);
	assert_int_equal(sample->recorded->interval_ns, 3000000000);
	/* The absent CPUs, too. */
	assert_float_equal(sample->recorded->cpu[2].cpu_ns, 3e9, 1);
	end(&f, s, sample);
}

/* All are known from the begin, and off line before their first row. */
UNIT(an_index_knows_all)
{
	struct file f;
	struct err e;

	begin(&f, head);
	linux_frame(&f, 0, false, 2);
	linux_frame(&f, 1, true, 3);
	struct source *s = open_file(&f, true);
	const struct topology *t = s->info.topology;
	struct sample *sample = sample_new(t->ncpus, &e);

	assert_false(replay_outdated(s));
	assert_int_equal(t->ncpus, 3);
	assert_int_equal(t->nclusters, 2);
	assert_string_equal(t->cluster[t->cpu[1].cluster].label, "E");
	assert_int_equal(s->ops->read(s, sample, &e), SOURCE_OK);
	assert_true(sample->recorded->cpu[2].ncpus == 1);
	assert_int_equal(sample->recorded->cpu[2].quality, QUALITY_OFF);
	assert_int_equal(s->ops->read(s, sample, &e), SOURCE_OK);
	assert_int_equal(sample->recorded->cpu[2].quality, 0);
	end(&f, s, sample);
}

/* Not renewed: read without the new one, and said. Another run is no news. */
UNIT(what_is_left_out_is_said)
{
	struct file f;
	struct err e;

	begin(&f, head);
	linux_frame(&f, 0, true, 2);
	linux_frame(&f, 1, true, 3);
	struct source *s = open_file(&f, false);
	struct sample *sample = sample_new(2, &e);

	assert_int_equal(s->ops->read(s, sample, &e), SOURCE_OK);
	assert_string_equal(replay_notice(s), "");
	assert_int_equal(s->ops->read(s, sample, &e), SOURCE_OK);
	assert_non_null(strstr(replay_notice(s), "cpu 2 came online later"));
	end(&f, s, sample);
}

UNIT(runs_share_a_clock)
{
	struct file f;
	struct err e = { ERR_NONE, "" };
	struct sample *sample = sample_new(3, &e);
	int64_t seen[8];

	begin(&f, head);
	for (unsigned i = 0; i < 4; i++)
		frame(&f, "r1", i, "", "");
	for (unsigned i = 0; i < 4; i++)
		frame(&f, "r2", i, "", "");
	struct source *s = open_file(&f, true);

	assert_int_equal(replay_index(s)->frames, 8);
	for (unsigned i = 0; i < 8; i++) {
		assert_int_equal(s->ops->read(s, sample, &e), SOURCE_OK);
		seen[i] = replay_reading(s)->time_ns;
		assert_int_equal(replay_reading(s)->at, i);
		assert_true(i == 0 || seen[i] > seen[i - 1]);
	}
	/* The fourth frame is at 00:00:03, the fifth at 01:00:00. */
	assert_int_equal(seen[4] - seen[3], 3597ll * 1000000000);
	assert_int_equal(recording_index_next(replay_index(s), 0)->frame, 4);
	for (unsigned i = 8; i-- > 0;) {
		assert_true(replay_seek(s, i, &e));
		assert_int_equal(s->ops->read(s, sample, &e), SOURCE_OK);
		assert_int_equal(replay_reading(s)->time_ns, seen[i]);
		assert_int_equal(sample->recorded->seq, i % 4);
		assert_int_equal(sample->recorded->cpu[0].cycles,
				 2000000 + i % 4);
	}
	end(&f, s, sample);
}

UNIT(a_stream_cannot_go_back)
{
	struct file f;
	struct err e = { ERR_NONE, "" };

	begin(&f, head);
	frame(&f, "r1", 0, "", "");
	struct source *s = open_file(&f, false);

	assert_null(replay_index(s));
	assert_false(replay_seek(s, 0, &e));
	assert_int_equal(e.code, ERR_USAGE);
	end(&f, s, NULL);
}

/* monitor_restart: what comes after is as if nothing had been before. */
UNIT(a_monitor_starts_again)
{
	struct file f;
	struct err e = { ERR_NONE, "" };
	struct sample *sample = sample_new(3, &e);
	float past[8];

	begin(&f, head);
	for (unsigned i = 0; i < 5; i++)
		frame(&f, "r1", i, "", "");
	struct source *s = open_file(&f, true);
	struct monitor_options mo = { .catalog = s->info.catalog };
	struct monitor *m = monitor_new(s->info.topology, &mo, &e);

	for (unsigned i = 0; i < 5; i++) {
		assert_int_equal(s->ops->read(s, sample, &e), SOURCE_OK);
		assert_int_equal(monitor_feed(m, sample)->seq, i);
	}
	assert_int_equal(monitor_history(m, 0, 0, 8, past), 5);
	assert_true(replay_seek(s, 1, &e));
	monitor_restart(m);
	assert_int_equal(s->ops->read(s, sample, &e), SOURCE_OK);
	const struct frame *frame_1 = monitor_feed(m, sample);

	assert_int_equal(frame_1->seq, 1);
	assert_true(frame_1->elapsed_s > 1.99 && frame_1->elapsed_s < 2.01);
	assert_true(frame_1->interval_s > 0.99 && frame_1->interval_s < 1.01);
	assert_int_equal(monitor_history(m, 0, 0, 8, past), 1);
	monitor_free(m);
	end(&f, s, sample);
}

/* Of events whose counts are not what they seem, as the notes say. */
UNIT(notes_tell_of_events)
{
	struct file f;
	struct err e = { ERR_NONE, "" };
	struct sample *sample = sample_new(2, &e);

	begin(&f, head);
	rewind(f.out);
	(void)fputs("schema,row,note,frame,time,elapsed_s,interval_s,event_s,"
		    "source,level,cpu,domain,cycles,instructions,e1,c1,e2,c2\n",
		    f.out);
	for (unsigned i = 0; i < 2; i++)
		(void)fprintf(
			f.out,
			"ktop/1,core,%s,0,2026-01-01T00:00:01Z,1,1,1,perf"
			",%u,%u,user,9000000,2000000,INST_ALL,%s,L2_MISS,"
			"4000\n",
			i == 0 ? "counts nothing: INST_ALL; unlike: L2_MISS"
			       : "unlike: L2_MISS",
			i, i, i == 0 ? "" : "1000000");
	struct source *s = open_file(&f, false);
	struct monitor *m = monitor_new(
		s->info.topology,
		&(struct monitor_options){ .catalog = s->info.catalog }, &e);

	assert_non_null(m);
	assert_int_equal(s->ops->read(s, sample, &e), SOURCE_OK);
	const struct frame *g = monitor_feed(m, sample);
	unsigned at = (unsigned)metric_find("l2_mpki");

	assert_non_null(g);
	assert_true(fabs(frame_value(g, 0, at) - 2) < 1e-9);
	assert_int_equal(frame_marks(g, 0, at), VALUE_MODES);
	assert_true(fabs(frame_value(g, 1, at) - 4) < 1e-9);
	assert_int_equal(frame_marks(g, 1, at), 0);
	assert_true(g->set->slot[1].event->unlike);
	assert_false(g->set->slot[0].event->unlike);
	monitor_free(m);
	end(&f, s, sample);
}

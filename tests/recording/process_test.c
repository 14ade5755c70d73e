/* Processes of a recording: rows read back, and what a replay says of them. */
#include "model/quality.h"
#include "recording/replay.h"

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "recording/file.h"

static const char head[] =
	"schema,row,run,frame,time,elapsed_s,interval_s,source,model,chip,die,"
	"cluster,kind,level,core,cpu,preset,domain,quality,cycles,instructions,"
	"ipc,pid,start,process,user,uid,threads,pcycles,pinstructions,user_ns,"
	"system_ns,ptime_ns,energy_nj,p_share_pct,other_ns,penergy_nj,cpu_pct,"
	"state,ppid,started,began,began_seen\n";

/* Two cores, of two kinds. */
static void
cores(struct file *f, unsigned n)
{
	for (unsigned i = 0; i < 2; i++)
		(void)fprintf(f->out,
			      "ktop/1,core,r1,%u,2026-01-01T00:00:%02uZ,%u,1,"
			      "sim,Apple M1,a14,0,%s,%s,%u,%u,%u,,,,"
			      "1000000,2000000,2.0,,,,,,,,,,,,,,,,,,,,,\n",
			      n, n, n + 1, i == 0 ? "P" : "E",
			      i == 0 ? "Performance" : "Efficiency", i, i, i);
}

/* rest: from the domain on. */
static void
row(struct file *f, const char *type, unsigned n, const char *rest)
{
	(void)fprintf(f->out,
		      "ktop/1,%s,r1,%u,2026-01-01T00:00:%02uZ,%u,1,sim,"
		      "Apple M1,a14,,,,,,,,%s\n",
		      type, n, n, n + 1, rest);
}

#define COMPILER                                                              \
	"all,partial;born,900,1800,2.0,301,77,'=compiler,ada,501,3,700,1500," \
	"60,40,80,555,80.0,20,500,0.0,runs,1,2025-12-31T23:59:59.500Z,,"
#define DENIED "all,denied,,,,102,5,sshd,root,0,1,,,,,,,,,,,,,,,"
#define REST "all,skew,-3,10,,,,(rest),,,,-2,7,,,,,,,,,,,,,"
#define OTHERS \
	"all,,100,50,0.5,,,(others),,,40,10,5,6,4,7,9,70.0,3,8,0.0,,,,30,4"
#define NO_OTHERS "all,,,,,,,(others),,,,,,,,,,,,,,,,,,"

static void
whole_frame(struct file *f, unsigned n)
{
	cores(f, n);
	row(f, "process", n, COMPILER);
	row(f, "process", n, DENIED);
	row(f, "rest", n, REST);
	row(f, "others", n, OTHERS);
}

static struct source *
open_file(struct file *f)
{
	struct source_options o = { .replay = f->list, .nreplay = 1 };
	struct err e = { ERR_NONE, "" };

	if (f->out != NULL)
		assert_int_equal(fclose(f->out), 0);
	f->out = NULL;
	struct source *s = replay_open(&o, NULL, &e);

	if (s == NULL)
		fail_msg("%s", e.text);
	return s;
}

struct read {
	struct sample *sample;
	struct process_reading r;
};

static void
end(struct file *f, struct source *s, struct read *x)
{
	sample_free(x->sample);
	process_reading_free(&x->r);
	s->ops->close(s);
	assert_int_equal(unlink(f->path), 0);
}

/* The next frame and its processes. */
static bool
next(struct source *s, struct read *x)
{
	static const struct process_request wish = { .opened = -1 };
	struct err e = { ERR_NONE, "" };

	if (x->sample == NULL) {
		x->sample = sample_new(s->info.topology->ncpus, &e);
		assert_true(process_reading_init(&x->r, 1));
	}
	assert_int_equal(s->ops->read(s, x->sample, &e), SOURCE_OK);
	return s->ops->processes(s, &wish, &x->r, &e);
}

UNIT(rows_are_differences)
{
	struct read x = { .sample = NULL };
	struct file f;

	begin(&f, head);
	whole_frame(&f, 0);
	struct source *s = open_file(&f);

	assert_true(s->info.processes);
	assert_true(next(s, &x));
	assert_true(x.r.recorded && x.r.everything && x.r.has_rest);
	assert_int_equal(x.r.domain, DOMAIN_ALL);
	assert_int_equal(x.r.n, 3);
	const struct process_read *p = &x.r.row[0];

	assert_int_equal(p->pid, 301);
	assert_int_equal(p->start, 77);
	assert_string_equal(p->name, "=compiler");
	assert_string_equal(p->user, "ada");
	assert_int_equal(p->uid, 501);
	assert_int_equal(p->threads, 3);
	assert_int_equal(p->parent, 1);
	assert_int_equal(p->state, PROCESS_RUNS);
	assert_int_equal(p->access, PROCESS_COUNTED);
	assert_int_equal(p->flags, PROCESS_PARTIAL | PROCESS_BORN);
	assert_int_equal(p->interval_ns, 1000000000);
	assert_int_equal(p->started_ns, 1767225599500000000);
	assert_int_equal(p->known,
			 PROCESS_HAS_TIMES | PROCESS_HAS_COUNTS |
				 PROCESS_HAS_PARTS | PROCESS_HAS_PART_TIMES |
				 PROCESS_HAS_ENERGY | PROCESS_HAS_PART_ENERGY);
	assert_int_equal(p->total.cycles, 900);
	assert_int_equal(p->total.instructions, 1800);
	assert_int_equal(p->total.user_ns, 60);
	assert_int_equal(p->total.system_ns, 40);
	assert_int_equal(p->total.energy_nj, 555);
	assert_int_equal(p->total.part[0].cycles, 700);
	assert_int_equal(p->total.part[1].cycles, 200);
	assert_int_equal(p->total.part[1].instructions, 300);
	assert_int_equal(p->total.part[0].cpu_ns, 80);
	assert_int_equal(p->total.part[1].cpu_ns, 20);
	assert_int_equal(p->total.part[1].energy_nj, 55);
	assert_int_equal(x.r.parts.n, 2);
	assert_string_equal(x.r.parts.label[0], "P");
	assert_string_equal(x.r.parts.label[1], "E");
	end(&f, s, &x);
}

UNIT(what_is_denied_others_and_the_rest)
{
	struct read x = { .sample = NULL };
	struct file f;

	begin(&f, head);
	whole_frame(&f, 0);
	struct source *s = open_file(&f);

	assert_true(next(s, &x));
	assert_int_equal(x.r.row[1].access, PROCESS_DENIED);
	assert_int_equal(x.r.row[1].known, 0);
	assert_int_equal(x.r.row[1].flags, 0);
	assert_int_equal(x.r.row[1].started_ns, 0);
	assert_int_equal(x.r.row[2].pid, PROCESS_OTHERS_PID);
	assert_string_equal(x.r.row[2].name, PROCESS_OTHERS_NAME);
	assert_int_equal(x.r.row[2].threads, 40);
	assert_int_equal(x.r.row[2].total.cycles, 100);
	assert_int_equal(x.r.started, 30);
	assert_int_equal(x.r.born, 4);
	assert_int_equal((int64_t)x.r.rest.total.cycles, -3);
	assert_int_equal(x.r.rest.total.instructions, 10);
	assert_int_equal((int64_t)x.r.rest.total.part[0].cycles, -2);
	assert_int_equal((int64_t)x.r.rest.total.part[1].cycles, -1);
	assert_int_equal(x.r.rest.flags, PROCESS_SKEW);
	assert_string_equal(replay_notice(s), "");
	end(&f, s, &x);
}

/* Not root: nobody knows what is missing. All fit: there are no others. */
UNIT(a_frame_may_lack_the_rest)
{
	struct read x = { .sample = NULL };
	struct file f;

	begin(&f, head);
	whole_frame(&f, 0);
	cores(&f, 1);
	row(&f, "process", 1, COMPILER);
	row(&f, "others", 1, NO_OTHERS);
	cores(&f, 2); /* they could not be read */
	whole_frame(&f, 3);
	struct source *s = open_file(&f);

	assert_true(next(s, &x));
	assert_true(next(s, &x));
	assert_int_equal(x.r.n, 1);
	assert_true(x.r.started == UINT64_MAX);
	assert_false(x.r.has_rest || x.r.everything);
	assert_false(next(s, &x));
	assert_true(next(s, &x));
	assert_int_equal(x.r.n, 3);
	end(&f, s, &x);
}

UNIT(one_that_looks_ahead_keeps_them)
{
	struct read x = { .sample = NULL };
	static const struct process_request wish = { .opened = -1 };
	struct err e = { ERR_NONE, "" };
	int64_t ns, interval_ns;
	struct file f;

	begin(&f, head);
	whole_frame(&f, 0);
	cores(&f, 1);
	row(&f, "others", 1, NO_OTHERS);
	struct source *s = open_file(&f);

	assert_true(next(s, &x));
	assert_true(replay_next_time(s, &ns, &interval_ns));
	assert_true(s->ops->processes(s, &wish, &x.r, &e));
	assert_int_equal(x.r.n, 3);
	end(&f, s, &x);
}

/* A part of a count that is not there is none. */
UNIT(parts_without_a_whole)
{
	struct read x = { .sample = NULL };
	struct file f;

	begin(&f, head);
	cores(&f, 0);
	row(&f, "process", 0,
	    "all,denied,,,,102,5,sshd,root,0,1,700,1500,,,,,,,,,,,,,");
	row(&f, "others", 0, NO_OTHERS);
	struct source *s = open_file(&f);

	assert_true(next(s, &x));
	assert_int_equal(x.r.n, 1);
	assert_int_equal(x.r.row[0].known, 0);
	end(&f, s, &x);
}

/* Killed while it wrote: the last frame has not all of its rows. */
UNIT(a_frame_that_is_cut)
{
	struct read x = { .sample = NULL };
	struct err e = { ERR_NONE, "" };
	struct file f;

	begin(&f, head);
	whole_frame(&f, 0);
	cores(&f, 1);
	row(&f, "process", 1, COMPILER);
	row(&f, "rest", 1, REST);
	struct source *s = open_file(&f);

	assert_true(next(s, &x));
	assert_int_equal(s->ops->read(s, x.sample, &e), SOURCE_END);
	assert_string_equal(replay_notice(s),
			    "the last sample is incomplete and ignored");
	end(&f, s, &x);
}

UNIT(recordings_without_them)
{
	static const char old[] =
		"schema,row,run,frame,time,elapsed_s,interval_s,source,model,"
		"chip,cluster,kind,level,core,cpu,quality,cycles,instructions\n"
		"ktop/1,core,r1,0,2026-01-01T00:00:00Z,1,1,sim,Apple M1,a14,P,"
		"Performance,0,0,0,,5,6\n";
	struct read x = { .sample = NULL };
	struct file f;

	begin(&f, head);
	rewind(f.out);
	assert_int_equal(ftruncate(fileno(f.out), 0), 0);
	(void)fputs(old, f.out);
	struct source *s = open_file(&f);

	assert_false(s->info.processes);
	assert_false(next(s, &x));
	end(&f, s, &x);
}

static void
is_refused(const char *type, const char *rest, const char *why)
{
	struct source_options o = { .nreplay = 1 };
	struct err e = { ERR_NONE, "" };
	struct file f;

	begin(&f, head);
	cores(&f, 0);
	row(&f, type, 0, rest);
	cores(&f, 1);
	assert_int_equal(fclose(f.out), 0);
	o.replay = f.list;
	assert_null(replay_open(&o, NULL, &e));
	if (strstr(e.text, why) == NULL)
		fail_msg("%s", e.text);
	assert_non_null(strstr(e.text, ":4: column "));
	assert_int_equal(unlink(f.path), 0);
}

UNIT(damage_is_named)
{
	is_refused("process", "all,,1,2,,x,5,a,,,,,,,,,,,,,,,,,,",
		   "(pid): 'x' is not a whole number");
	is_refused("process", "all,,1,2,,3000000000,5,a,,,,,,,,,,,,,,,,,,",
		   "(pid): '3000000000' is not a whole number");
	is_refused("process", "all,,1,2,,,5,a,,,,,,,,,,,,,,,,,,",
		   "is a process without a pid");
	is_refused("process", "all,,-1,2,,7,5,a,,,,,,,,,,,,,,,,,,",
		   "has a negative count");
	is_refused("process", "all,,1,,,7,5,a,,,,,,,,,,,,,,,,,,",
		   "has cycles or instructions, but not both");
	is_refused("process", "all,,1,2,,7,5,a,,,,1.5,,,,,,,,,,,,,,",
		   "(pcycles): '1.5' is not a whole number");
	is_refused("process", "all,,1,2,,7,5,a,,,,,,,,,,,,,,,,yesterday,,",
		   "(started): 'yesterday' is not a time");
}

/* Names of files from elsewhere act on no terminal. */
UNIT(hostile_names_are_harmless)
{
	struct read x = { .sample = NULL };
	struct file f;

	begin(&f, head);
	cores(&f, 0);
	row(&f, "process", 0,
	    "all,odd;gap,1,2,,7,5,\x1b]0;x\x07"
	    "a\xe2\x80\xae"
	    "b\xff,,,,,,,,,,,,,,dreams,,,,");
	row(&f, "others", 0, NO_OTHERS);
	struct source *s = open_file(&f);

	assert_true(next(s, &x));
	assert_string_equal(x.r.row[0].name, "]0;xab\xef\xbf\xbd");
	assert_int_equal(x.r.row[0].flags, PROCESS_GAP);
	assert_string_equal(replay_notice(s),
			    "unknown words of quality ignored: "
			    "odd, dreams");
	end(&f, s, &x);
}

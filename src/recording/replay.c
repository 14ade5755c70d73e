#include "recording/replay.h"

#include "model/quality.h"
#include "recording/inner.h"
#include "recording/part.h"
#include "source/table.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct replay {
	struct source source; /* must be first */
	const char **path;
	struct recording *recording;
	struct recording_index *index; /* NULL: not requested */
	struct part part;
	bool has_part;
	bool any, past_part; /* past_part: the part's end was passed */
	enum part_place place;
	struct topology *topology;
	struct replay_cpus cpus;
	struct replay_events events;
	struct replay_reading last;
	struct clock clock;
	struct stamp now;

	const struct recording_frame *frame; /* the next frame if read_ahead */
	bool read_ahead; /* the next frame was read, with status `ahead` */
	enum recording_status ahead;
	struct err ahead_error;
	bool read_one;
	uint64_t next;
	struct recording_runs runs;
	struct eventset set;
	bool set_known;
	unsigned set_slots;
	unsigned set_slot[EVENTSET_MAX];
	struct span *cpu;
	struct recorded recorded;
	struct process_reading processes;
	int newcomer; /* id of a CPU that `topology` lacks; -1: none */
	char notice[200];
	char left_out[120];
	int64_t before_ns;
	int64_t other_ns; /* last interval unlike last.tick_ns; 0: none */
	bool before_known;
};

static inline struct replay *
replay_of(struct source *s)
{
	return (struct replay *)(void *)s;
}

static inline const struct replay *
replay_of_const(const struct source *s)
{
	return (const struct replay *)(const void *)s;
}

/* Rounds to ms (from 10 ms on), because intervals vary by microseconds. */
static int64_t
round_interval(int64_t ns)
{
	enum { MS = 1000000 };

	return ns >= 10 * MS ? (ns + MS / 2) / MS * MS : ns;
}

static bool
intervals_are_near(int64_t a, int64_t b)
{
	return a <= b + b / 5 && b <= a + a / 5;
}

/* Ignores one different interval: it was late, or cut by an event change. */
static void
replay_follow_tick(struct replay *p, int64_t interval_ns, bool begins)
{
	if (interval_ns <= 0)
		return;
	if (p->last.tick_ns == 0 || begins) {
		p->last.tick_ns = round_interval(interval_ns);
		p->other_ns = 0;
	} else if (intervals_are_near(interval_ns, p->last.tick_ns)) {
		p->other_ns = 0;
	} else if (p->other_ns > 0 &&
		   intervals_are_near(interval_ns, p->other_ns)) {
		p->last.tick_ns = round_interval(interval_ns);
		p->other_ns = 0;
	} else {
		p->other_ns = interval_ns;
	}
}

static void
replay_now(void *self, struct stamp *out)
{
	*out = ((const struct replay *)self)->now;
}

/* Only reading a frame advances the clock. */
static void
replay_step(void *self, int64_t until_ns)
{
	(void)self;
	(void)until_ns;
}

static bool
set_matches_frame(const struct replay *p, const struct recording_frame *f)
{
	return p->set_known && p->set_slots == f->nslots &&
	       memcmp(p->set_slot, f->slot, f->nslots * sizeof f->slot[0]) ==
		       0 &&
	       strcmp(p->set.name, f->preset) == 0;
}

static bool
replay_follow_set(struct replay *p, const struct recording_frame *f,
		  struct err *e)
{
	if (set_matches_frame(p, f))
		return true;
	p->set_known = replay_make_set(&p->events, p->recording, f, &p->set, e);
	p->set_slots = f->nslots;
	memcpy(p->set_slot, f->slot, sizeof p->set_slot);
	return p->set_known;
}

static int64_t
replay_frame_interval(const struct replay *p, const struct recording_frame *f)
{
	struct recording_runs runs = p->runs;
	bool plain, new_run;
	int64_t least = recording_frame_interval(f, &plain);
	int64_t passed = recording_play_time(&runs, f, &new_run) - p->before_ns;

	return !plain && p->before_known && passed > 0 && passed < least
		       ? passed
		       : least;
}

static const struct replay_cpus *
replay_known_cpus(const struct replay *p)
{
	return p->index != NULL ? &p->index->cpus : &p->cpus;
}

static bool
frame_has_new_cpus(const struct replay *p, const struct recording_frame *f)
{
	return p->runs.started &&
	       replay_cpus_has_new(replay_known_cpus(p), f, p->runs.run);
}

static bool
replay_take_cpus(struct replay *p, const struct recording_frame *f,
		 struct err *e)
{
	const struct topology *t = p->topology;

	bool has_new = frame_has_new_cpus(p, f);

	p->newcomer = -1;
	/* A CPU without a row is offline: missed readings have rows. */
	for (unsigned i = 0; i < t->ncpus; i++)
		p->cpu[i] = (struct span){
			.ncpus = replay_known_cpus(p)->cpu[i].counts.ncpus == 0,
			.quality = QUALITY_OFF,
			.cpu_ns = (double)replay_frame_interval(p, f),
		};
	for (unsigned i = 0; i < f->ncpus; i++) {
		int id = f->cpu[i].cpu, at = (int)i;

		if (i >= t->ncpus || t->cpu[i].id != id)
			at = topology_cpu_find(t, id);
		if (at < 0 && has_new) {
			p->newcomer = id;
			continue;
		}
		if (at < 0)
			return err_set(
				e, ERR_FORMAT,
				"line %llu: cpu %d is not in the first sample, because this part was recorded on another machine; replay it alone",
				(unsigned long long)f->place.line, id);
		p->cpu[at] = f->cpu[i].counts;
	}
	return true;
}

/* Sets the notice once and at the end, because its numbers grow. */
static void
replay_update_notice(struct replay *p, bool end)
{
	if (end || p->notice[0] == '\0')
		snprintf(p->notice, sizeof p->notice, "%.199s",
			 recording_notice(p->recording));
	memcpy(p->source.info.notice, p->notice, sizeof p->notice);
}

static void
replay_describe_frame(struct replay *p, const struct recording_frame *f,
		      bool new_run)
{
	struct source_info *info = &p->source.info;

	info->mode = replay_frame_mode(f);
	info->processes = recording_has_processes(p->recording);
	info->domain = f->domain;
	err_set(&info->why, ERR_NONE,
		info->mode == SOURCE_FULL
			? ""
			: "this sample of the recording has no events");
	if (new_run)
		snprintf(info->notice, sizeof info->notice,
			 "another run begins here");
	else
		replay_update_notice(p, false);
	if (p->newcomer < 0)
		return;
	snprintf(
		p->left_out, sizeof p->left_out,
		"cpu %d came online later and is not shown or included in sums",
		p->newcomer);
	if (info->notice[0] == '\0')
		memcpy(info->notice, p->left_out, sizeof p->left_out);
}

static bool
frame_has_note(const struct recording_frame *f, enum recording_note_kind kind)
{
	for (unsigned i = 0; i < f->nnotes; i++)
		if (f->note[i].kind == kind)
			return true;
	return false;
}

static bool
replay_take_frame(struct replay *p, const struct recording_frame *f,
		  struct sample *out, struct err *e)
{
	bool new_run;

	if (!replay_follow_set(p, f, e) || !replay_take_cpus(p, f, e) ||
	    !replay_processes_take(&p->processes, f, p->topology, e))
		return false;
	p->last.time_ns = recording_play_time(&p->runs, f, &new_run);
	p->recorded = (struct recorded){
		.seq = f->number,
		.interval_ns = replay_frame_interval(p, f),
		.swapped = frame_has_note(f, RECORDING_SWAP),
		.cpu = p->cpu,
		.npower = f->npower,
		.power = f->power,
	};
	replay_follow_tick(p, p->recorded.interval_ns, new_run);
	p->now = (struct stamp){ p->last.time_ns, p->last.time_ns, f->wall_ns };
	out->stamp = p->now;
	out->cost_ns = 0;
	out->flags = 0;
	out->domain = f->nslots > 0 ? f->domain : DOMAIN_NONE;
	out->set = &p->set;
	out->recorded = &p->recorded;
	replay_describe_frame(p, f, new_run);
	p->before_ns = p->last.time_ns;
	p->before_known = true;
	p->read_one = true;
	p->last.before = p->place == PART_BEFORE;
	p->any = p->any || !p->last.before;
	p->last.at = p->next++;
	return true;
}

static enum part_place
replay_frame_place(struct replay *p)
{
	struct recording_runs runs = p->runs;
	bool new_run;

	if (!p->has_part)
		return PART_IN;
	if (p->index != NULL)
		return p->next < p->index->frames ? PART_IN : PART_AFTER;
	return part_place_frame(&p->part, p->frame,
				recording_play_time(&runs, p->frame, &new_run));
}

static void
replay_look_ahead(struct replay *p)
{
	if (p->read_ahead)
		return;
	p->ahead = p->past_part ? RECORDING_END
				: recording_next(p->recording, &p->frame,
						 &p->ahead_error);
	p->place =
		p->ahead == RECORDING_FRAME ? replay_frame_place(p) : PART_IN;
	if (p->place == PART_AFTER) {
		p->ahead = RECORDING_END;
		p->past_part = p->index == NULL;
	}
	p->read_ahead = true;
}

static bool
explain_empty_part(const struct replay *p, struct err *e)
{
	return err_set(
		e, ERR_USAGE,
		"%s has no sample in this part; choose another --from, --to or --mark",
		p->path[0]);
}

/* With an index the part was checked when opening. */
static bool
check_part_was_read(const struct replay *p, struct err *e)
{
	if (!p->has_part || p->index != NULL)
		return true;
	return part_check(&p->part, e) && (p->any || explain_empty_part(p, e));
}

static enum source_status
replay_read(struct source *s, struct sample *out, struct err *e)
{
	struct replay *p = replay_of(s);

	if (!sample_fits(out, p->topology->ncpus, e))
		return SOURCE_ERROR;
	replay_look_ahead(p);
	p->read_ahead = false;
	switch (p->ahead) {
	case RECORDING_BAD:
		if (e != NULL)
			*e = p->ahead_error;
		return SOURCE_ERROR;
	case RECORDING_END:
		replay_update_notice(p, true);
		return check_part_was_read(p, e) ? SOURCE_END : SOURCE_ERROR;
	case RECORDING_FRAME:
		break;
	}
	return replay_take_frame(p, p->frame, out, e) ? SOURCE_OK
						      : SOURCE_ERROR;
}

static bool
replay_processes(struct source *s, const struct process_request *w,
		 struct process_reading *out, struct err *e)
{
	struct replay *p = replay_of(s);

	(void)w;
	if (!replay_processes_copy(out, &p->processes, e))
		return false;
	out->stamp = p->now;
	return true;
}

static bool
replay_program(struct source *s, const struct eventset *set, struct err *e)
{
	(void)s;
	(void)set;
	return err_set(e, ERR_USAGE,
		       "this is a recording: its events cannot be changed");
}

static void
replay_close(struct source *s)
{
	if (s == NULL)
		return;
	struct replay *p = replay_of(s);

	replay_events_done(&p->events);
	recording_index_free(p->index);
	recording_close(p->recording);
	topology_free(p->topology);
	replay_cpus_done(&p->cpus);
	process_reading_free(&p->processes);
	free(p->path);
	free(p->cpu);
	free(p);
}

static void
replay_fill_info(struct replay *p)
{
	const struct recording_machine *m = recording_machine(p->recording);
	struct source_info *info = &p->source.info;

	memcpy(info->source, "replay", sizeof "replay");
	memcpy(info->origin, m->source, sizeof info->origin);
	memcpy(info->model, m->model, sizeof info->model);
	memcpy(info->chip, m->chip, sizeof info->chip);
	snprintf(info->os, sizeof info->os, "recording of %s",
		 m->source[0] != '\0' ? m->source : "unknown source");
	info->simulated = strcmp(m->source, "sim") == 0;
	info->topology = p->topology;
	info->catalog = p->events.catalog.len > 0 ? &p->events.catalog : NULL;
	info->set = &p->set;
	info->clock = &p->clock;
	info->ends = true;
	info->mode = replay_frame_mode(p->frame);
	info->processes = recording_has_processes(p->recording);
	p->clock = (struct clock){ .self = p,
				   .stepped = p->index == NULL,
				   .now = replay_now,
				   .step = replay_step };
	p->now = (struct stamp){ 0, 0, p->frame->wall_ns };
	memcpy(p->last.run, p->frame->run, sizeof p->last.run);
	replay_follow_tick(p, replay_frame_interval(p, p->frame), true);
}

static bool
replay_make_topology(struct replay *p, const struct recording_frame *f,
		     struct err *e)
{
	const struct recording_frame all = { .ncpus = replay_known_cpus(p)->n,
					     .cpu = replay_known_cpus(p)->cpu };
	const char *chip = recording_machine(p->recording)->chip;
	struct topology *t = replay_topology_new(f != NULL ? f : &all, chip, e);
	struct span *cpu = NULL;

	if (t == NULL)
		return false;
	cpu = calloc(t->ncpus, sizeof *cpu);
	if (cpu == NULL) {
		topology_free(t);
		return err_set(e, ERR_FAIL, "replay: out of memory");
	}
	topology_free(p->topology);
	free(p->cpu);
	p->topology = t;
	p->cpu = cpu;
	p->source.info.topology = t;
	return true;
}

static struct source *
replay_renew(struct source *s, const struct source_options *o, struct err *e)
{
	struct replay *p = replay_of(s);

	(void)o;
	if (replay_outdated(s) && (!replay_cpus_add(&p->cpus, p->frame, e) ||
				   !replay_make_topology(p, NULL, e)))
		return NULL;
	return s;
}

/* --mark reads files twice, because a marker's row can come late. */
static bool
replay_find_part(struct replay *p, const struct source_options *o,
		 struct err *e)
{
	struct recording_index *x;

	if (!part_parse(&p->part, o->from, o->to, o->mark, e))
		return false;
	p->has_part = o->from != NULL || o->to != NULL || o->mark != NULL;
	for (unsigned i = 0; i < o->nreplay; i++)
		if (o->mark == NULL || strcmp(o->replay[i], "-") == 0)
			return true;
	x = recording_index_new(p->recording, NULL, e);
	if (x == NULL)
		return false;
	part_find_marks(&p->part, x);
	bool ok = (!p->part.timed || part_check(&p->part, e)) &&
		  recording_index_seek(x, p->recording, 0, e);

	recording_index_free(x);
	return ok;
}

static bool
replay_check_first_frame(struct replay *p, struct err *e)
{
	replay_look_ahead(p);
	if (p->past_part)
		return check_part_was_read(p, e);
	if (p->ahead == RECORDING_END)
		return err_set(
			e, ERR_FORMAT,
			"%s has no complete sample: the recording ended during its first sample; record again",
			strcmp(p->path[0], "-") == 0 ? "standard input"
						     : p->path[0]);
	if (p->ahead == RECORDING_BAD && e != NULL)
		*e = p->ahead_error;
	return p->ahead == RECORDING_FRAME;
}

static bool
replay_open_files(struct replay *p, const struct source_options *o,
		  const struct replay_progress *tell, struct err *e)
{
	p->path = calloc(o->nreplay, sizeof *p->path);
	if (p->path == NULL)
		return err_set(e, ERR_FAIL, "replay: out of memory");
	for (unsigned i = 0; i < o->nreplay; i++)
		p->path[i] = o->replay[i];
	recording_sort_segments(p->path, o->nreplay);
	p->recording = recording_open(p->path, o->nreplay, e);
	if (p->recording == NULL)
		return false;
	if (o->skip_damaged)
		recording_skip_damaged(p->recording);
	if (tell != NULL)
		recording_set_progress(p->recording, tell->tell, tell->arg);
	if (!replay_find_part(p, o, e))
		return false;
	if (o->replay_index) {
		p->index = recording_index_new(p->recording, &p->part, e);
		if (p->index == NULL)
			return false;
		if (p->index->frames == 0 && p->part.begun)
			return explain_empty_part(p, e);
		if (!recording_index_seek(p->index, p->recording, 0, e))
			return false;
		recording_index_clock(p->index, 0, &p->runs);
		recording_set_progress(p->recording, NULL, NULL);
	}
	if (!replay_check_first_frame(p, e))
		return false;
	if (!replay_cpus_add(&p->cpus, p->frame, e) ||
	    !replay_make_topology(p, p->frame, e) ||
	    (p->index != NULL && !replay_make_topology(p, NULL, e)) ||
	    !replay_events_init(&p->events, p->recording, p->frame, e))
		return false;
	replay_fill_info(p);
	return replay_follow_set(p, p->frame, e);
}

struct source *
replay_open(const struct source_options *o, const struct replay_progress *tell,
	    struct err *e)
{
	struct replay *p;

	if (o->nreplay == 0)
		return err_null(e, ERR_USAGE,
				"no recording given: use --replay FILE");
	p = calloc(1, sizeof *p);
	if (p == NULL)
		return err_null(e, ERR_FAIL, "replay: out of memory");
	p->source.ops = &source_replay;
	if (replay_open_files(p, o, tell, e))
		return &p->source;
	replay_close(&p->source);
	return NULL;
}

static struct source *
replay_open_without_progress(const struct source_options *o, struct err *e)
{
	return replay_open(o, NULL, e);
}

static bool
replay_probe(const struct source_options *o, struct err *e)
{
	if (o->nreplay > 0)
		return true;
	return err_set(e, ERR_USAGE, "no recording given: use --replay FILE");
}

const struct source_ops source_replay = {
	.name = "replay",
	.text = "a recording of ktop's (--replay FILE)",
	.probe = replay_probe,
	.open = replay_open_without_progress,
	.program = replay_program,
	.read = replay_read,
	.processes = replay_processes,
	.renew = replay_renew,
	.close = replay_close,
};

const struct recording_frame *
replay_frame(const struct source *s)
{
	const struct replay *p = replay_of_const(s);

	return p->read_one && !p->read_ahead ? p->frame : NULL;
}

const struct replay_reading *
replay_reading(const struct source *s)
{
	return &replay_of_const(s)->last;
}

bool
replay_outdated(struct source *s)
{
	struct replay *p = replay_of(s);

	if (p->index != NULL)
		return false;
	replay_look_ahead(p);
	return p->ahead == RECORDING_FRAME && frame_has_new_cpus(p, p->frame);
}

bool
replay_next_time(struct source *s, int64_t *ns, int64_t *interval_ns)
{
	struct replay *p = replay_of(s);
	struct recording_runs runs = p->runs;
	bool new_run;

	replay_look_ahead(p);
	if (p->ahead != RECORDING_FRAME)
		return false;
	*ns = recording_play_time(&runs, p->frame, &new_run);
	*interval_ns = replay_frame_interval(p, p->frame);
	return true;
}

const struct recording_index *
replay_index(const struct source *s)
{
	return replay_of_const(s)->index;
}

bool
replay_seek(struct source *s, uint64_t frame, struct err *e)
{
	struct replay *p = replay_of(s);

	if (p->index == NULL)
		return err_set(
			e, ERR_USAGE,
			"cannot go back in a recording from a pipe; replay a file");
	if (frame >= p->index->frames)
		frame = p->index->frames - 1;
	if (!recording_index_seek(p->index, p->recording, frame, e))
		return false;
	p->read_ahead = false;
	p->next = frame;
	p->before_known = false;
	p->last.tick_ns = 0;
	recording_index_clock(p->index, frame, &p->runs);
	return true;
}

const char *
replay_notice(const struct source *s)
{
	const struct replay *p = replay_of_const(s);
	const char *notice = recording_notice(p->recording);

	return notice[0] != '\0' ? notice : p->left_out;
}

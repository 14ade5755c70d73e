#include "recording/replay.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/plural.h"
#include "model/quality.h"
#include "recording/replay_state.h"
#include "source/table.h"

static void
replay_now(void *self, struct stamp *out)
{
	*out = ((const struct replay *)self)->now;
}

/* Time moves by readings alone. */
static void
replay_step(void *self, int64_t until_ns)
{
	(void)self;
	(void)until_ns;
}

/* ---- a frame becomes a sample ---- */

static bool
set_is(const struct replay *p, const struct recording_frame *f)
{
	return p->set_known && p->set_slots == f->nslots &&
	       memcmp(p->set_slot, f->slot, f->nslots * sizeof f->slot[0]) ==
		       0 &&
	       strcmp(p->set.name, f->preset) == 0;
}

static bool
follow_set(struct replay *p, const struct recording_frame *f, struct err *e)
{
	if (set_is(p, f))
		return true;
	p->set_known = replay_set(&p->events, p->recording, f, &p->set, e);
	p->set_slots = f->nslots;
	memcpy(p->set_slot, f->slot, sizeof p->set_slot);
	return p->set_known;
}

/*
 * A row that catches up covers more than its frame. Where all of them do, the
 * time since the frame before is the best there is.
 */
int64_t
replay_interval(const struct replay *p, const struct recording_frame *f)
{
	int64_t least = INT64_MAX, plain = -1;

	for (unsigned i = 0; i < f->ncpus; i++) {
		const struct recorded_cpu *c = &f->cpu[i].counts;

		if ((c->quality & QUALITY_CATCHUP) == 0)
			plain = c->interval_ns;
		if (c->interval_ns < least)
			least = c->interval_ns;
	}
	if (plain >= 0)
		return plain;
	int64_t passed = p->time_ns - p->before_ns;

	return p->before_known && passed > 0 && passed < least ? passed : least;
}

static const struct replay_cpus *
known_cpus(const struct replay *p)
{
	return p->index != NULL ? &p->index->cpus : &p->cpus;
}

bool
replay_has_news(const struct replay *p, const struct recording_frame *f)
{
	return p->runs.started &&
	       replay_cpus_news(known_cpus(p), f, p->runs.run);
}

static bool
take_cpus(struct replay *p, const struct recording_frame *f, struct err *e)
{
	const struct topology *t = p->topology;

	bool news = replay_has_news(p, f);

	p->newcomer = -1;
	/* What has no row yet is not on line yet: a lost row has one. */
	for (unsigned i = 0; i < t->ncpus; i++)
		p->cpu[i] = (struct recorded_cpu){
			.there = !known_cpus(p)->cpu[i].counts.there,
			.quality = QUALITY_OFF,
			.interval_ns = replay_interval(p, f),
			.busy_share = NAN,
		};
	for (unsigned i = 0; i < f->ncpus; i++) {
		int id = f->cpu[i].cpu, at = (int)i;

		if (i >= t->ncpus || t->cpu[i].id != id)
			at = topology_cpu_find(t, id);
		if (at < 0 && news) {
			p->newcomer = id;
			continue;
		}
		if (at < 0)
			return err_set(e, ERR_FORMAT,
				       "line %llu: cpu %d is none of the "
				       "first frame's: this part was recorded "
				       "on another machine",
				       (unsigned long long)f->place.line, id);
		p->cpu[at] = f->cpu[i].counts;
	}
	return true;
}

static void
tell_notice(struct replay *p)
{
	(void)snprintf(p->source.info.notice, sizeof p->source.info.notice,
		       "%.199s", recording_notice(p->recording));
}

static void
describe(struct replay *p, const struct recording_frame *f, bool new_run)
{
	struct source_info *info = &p->source.info;

	info->mode = replay_mode(f);
	info->domain = f->domain;
	(void)err_set(&info->why, ERR_NONE,
		      info->mode == SOURCE_FULL
			      ? ""
			      : "the recording has no events here");
	if (new_run)
		(void)snprintf(info->notice, sizeof info->notice,
			       "another run begins here");
	else
		tell_notice(p);
	if (p->newcomer < 0)
		return;
	(void)snprintf(p->left_out, sizeof p->left_out,
		       "cpu %d came on line later, and is not in what is "
		       "shown and summed up here",
		       p->newcomer);
	if (info->notice[0] == '\0')
		memcpy(info->notice, p->left_out, sizeof p->left_out);
}

static bool
take_frame(struct replay *p, const struct recording_frame *f,
	   struct sample *out, struct err *e)
{
	bool new_run;

	if (!follow_set(p, f, e) || !take_cpus(p, f, e))
		return false;
	p->time_ns = recording_runs_time(&p->runs, f, &new_run);
	p->recorded = (struct recorded){
		.seq = f->number,
		.interval_ns = replay_interval(p, f),
		.cpu = p->cpu,
	};
	replay_follow_tick(p, p->recorded.interval_ns, new_run);
	p->now = (struct stamp){ p->time_ns, p->time_ns, f->wall_ns };
	out->stamp = p->now;
	out->cost_ns = 0;
	out->flags = 0;
	out->domain = f->nslots > 0 ? f->domain : DOMAIN_NONE;
	out->set = &p->set;
	out->recorded = &p->recorded;
	describe(p, f, new_run);
	p->before_ns = p->time_ns;
	p->before_known = true;
	p->read_one = true;
	p->at = p->next++;
	return true;
}

void
replay_look_ahead(struct replay *p)
{
	if (p->held)
		return;
	p->ahead = recording_next(p->recording, &p->frame, &p->ahead_error);
	p->held = true;
}

static enum source_status
replay_read(struct source *s, struct sample *out, struct err *e)
{
	struct replay *p = replay_of(s);

	if (out->ncpus != p->topology->ncpus) {
		(void)err_set(e, ERR_FAIL,
			      "a sample of %u %s for a machine of %u",
			      out->ncpus, plural(out->ncpus, "CPU", "CPUs"),
			      p->topology->ncpus);
		return SOURCE_ERROR;
	}
	replay_look_ahead(p);
	p->held = false;
	switch (p->ahead) {
	case RECORDING_BAD:
		if (e != NULL)
			*e = p->ahead_error;
		return SOURCE_ERROR;
	case RECORDING_END:
		tell_notice(p);
		return SOURCE_END;
	case RECORDING_FRAME:
		break;
	}
	return take_frame(p, p->frame, out, e) ? SOURCE_OK : SOURCE_ERROR;
}

static bool
replay_program(struct source *s, const struct eventset *set, struct err *e)
{
	(void)s;
	(void)set;
	return err_set(e, ERR_USAGE,
		       "a recording has what was counted then; events cannot "
		       "be chosen any more");
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
	free(p->path);
	free(p->cpu);
	free(p);
}

/* ---- opening ---- */

static void
fill_info(struct replay *p)
{
	const struct recording_machine *m = recording_machine(p->recording);
	struct source_info *info = &p->source.info;

	memcpy(info->source, "replay", sizeof "replay");
	memcpy(info->origin, m->source, sizeof info->origin);
	memcpy(info->model, m->model, sizeof info->model);
	memcpy(info->chip, m->chip, sizeof info->chip);
	(void)snprintf(info->os, sizeof info->os, "recording of %s",
		       m->source[0] != '\0' ? m->source : "unknown source");
	info->simulated = strcmp(m->source, "sim") == 0;
	info->topology = p->topology;
	info->catalog = p->events.catalog.len > 0 ? &p->events.catalog : NULL;
	info->set = &p->set;
	info->clock = &p->clock;
	info->ends = true;
	info->mode = replay_mode(p->frame);
	p->clock = (struct clock){ .self = p,
				   .stepped = p->index == NULL,
				   .now = replay_now,
				   .step = replay_step };
	p->now = (struct stamp){ 0, 0, p->frame->wall_ns };
	memcpy(p->run, p->frame->run, sizeof p->run);
	replay_follow_tick(p, replay_interval(p, p->frame), true);
}

/* Of the rows of that frame, or (NULL) of all CPUs that are known. */
static bool
make_topology(struct replay *p, const struct recording_frame *f, struct err *e)
{
	const struct recording_frame all = { .ncpus = known_cpus(p)->n,
					     .cpu = known_cpus(p)->cpu };
	const char *chip = recording_machine(p->recording)->chip;
	struct topology *t = replay_topology(f != NULL ? f : &all, chip, e);
	struct recorded_cpu *cpu = NULL;

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

/* A recording goes on where it is. */
static struct source *
replay_renew(struct source *s, const struct source_options *o, struct err *e)
{
	struct replay *p = replay_of(s);

	(void)o;
	if (replay_outdated(s) && (!replay_cpus_add(&p->cpus, p->frame, e) ||
				   !make_topology(p, NULL, e)))
		return NULL;
	return s;
}

static bool
first_frame(struct replay *p, struct err *e)
{
	replay_look_ahead(p);
	if (p->ahead == RECORDING_END)
		return err_set(e, ERR_FORMAT,
			       "%s has no whole frame: its recording ended "
			       "before the first; record again",
			       strcmp(p->path[0], "-") == 0 ? "standard input"
							    : p->path[0]);
	if (p->ahead == RECORDING_BAD && e != NULL)
		*e = p->ahead_error;
	return p->ahead == RECORDING_FRAME;
}

static bool
open_all(struct replay *p, const struct source_options *o,
	 const struct replay_progress *tell, struct err *e)
{
	p->path = calloc(o->nreplay, sizeof *p->path);
	if (p->path == NULL)
		return err_set(e, ERR_FAIL, "replay: out of memory");
	for (unsigned i = 0; i < o->nreplay; i++)
		p->path[i] = o->replay[i];
	recording_sort(p->path, o->nreplay);
	p->recording = recording_open(p->path, o->nreplay, e);
	if (p->recording == NULL)
		return false;
	if (tell != NULL)
		recording_progress(p->recording, tell->tell, tell->arg);
	if (o->replay_index) {
		p->index = recording_index_new(p->recording, e);
		if (p->index == NULL ||
		    !recording_index_go(p->index, p->recording, 0, e))
			return false;
		recording_progress(p->recording, NULL, NULL);
	}
	if (!first_frame(p, e))
		return false;
	if (!replay_cpus_add(&p->cpus, p->frame, e) ||
	    !make_topology(p, p->frame, e) ||
	    (p->index != NULL && !make_topology(p, NULL, e)) ||
	    !replay_events_init(&p->events, p->recording, p->frame, e))
		return false;
	fill_info(p);
	return follow_set(p, p->frame, e); /* what is counted at the begin */
}

struct source *
replay_open(const struct source_options *o, const struct replay_progress *tell,
	    struct err *e)
{
	struct replay *p;

	if (o->nreplay == 0) {
		(void)err_set(e, ERR_USAGE,
			      "no recording is given (--replay FILE)");
		return NULL;
	}
	p = calloc(1, sizeof *p);
	if (p == NULL) {
		(void)err_set(e, ERR_FAIL, "replay: out of memory");
		return NULL;
	}
	p->source.ops = &source_replay;
	if (open_all(p, o, tell, e))
		return &p->source;
	replay_close(&p->source);
	return NULL;
}

static struct source *
open_quietly(const struct source_options *o, struct err *e)
{
	return replay_open(o, NULL, e);
}

static bool
replay_probe(const struct source_options *o, struct err *e)
{
	if (o->nreplay > 0)
		return true;
	return err_set(e, ERR_USAGE,
		       "a recording is replayed only when asked for "
		       "(--replay FILE)");
}

const struct source_ops source_replay = {
	.name = "replay",
	.text = "a recording of ktop's (--replay FILE)",
	.probe = replay_probe,
	.open = open_quietly,
	.program = replay_program,
	.read = replay_read,
	.renew = replay_renew,
	.close = replay_close,
};

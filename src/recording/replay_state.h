/* What the files of the replay source share. */
#ifndef RECORDING_REPLAY_STATE_H
#define RECORDING_REPLAY_STATE_H

#include "recording/index.h"
#include "recording/replay_machine.h"
#include "source/source.h"

struct replay {
	struct source source; /* first */
	const char **path;    /* in the order of time */
	struct recording *recording;
	struct recording_index *index; /* NULL: streamed */
	struct topology *topology;
	struct replay_cpus cpus; /* that the topology is made of; not indexed */
	struct replay_events events;
	char run[24]; /* of the first frame */
	struct clock clock;
	struct stamp now; /* of the last reading */

	const struct recording_frame *frame; /* the next, if held */
	bool held;                           /* read ahead: `ahead` says what */
	enum recording_status ahead;
	struct err ahead_error;
	bool read_one;
	uint64_t at, next; /* numbers of the last reading and of the next */
	struct recording_runs runs;
	struct eventset set;
	bool set_known;
	unsigned set_slots;
	unsigned set_slot[EVENTSET_MAX];
	struct recorded_cpu *cpu; /* [ncpus] */
	struct recorded recorded;
	int newcomer;               /* a CPU that the topology lacks; -1 */
	char left_out[120];         /* said of the last one; "" */
	int64_t time_ns, before_ns; /* elapsed: last, and the one before */
	int64_t tick_ns;  /* that frames are recorded at; 0: not known yet */
	int64_t other_ns; /* length of the last frame, where it was another */
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

/* The next frame is held, or `ahead` says why not. */
void replay_look_ahead(struct replay *p);

/* Does the frame have CPUs, or places of theirs, that are not known? */
bool replay_has_news(const struct replay *p, const struct recording_frame *f);

/* Follows the tick by a frame's length; begins: the ones before tell nothing.
 */
void replay_follow_tick(struct replay *p, int64_t interval_ns, bool begins);

/* The frame's length. */
int64_t replay_interval(const struct replay *p,
			const struct recording_frame *f);

#endif

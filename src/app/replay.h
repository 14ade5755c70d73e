/* Replaying: the recording's pace, its marks, and the way in. */
#ifndef APP_REPLAY_H
#define APP_REPLAY_H

#include "base/err.h"

#include <stdbool.h>
#include <stdint.h>

struct app;
struct replay_pace;
struct source;
struct ui_replay;

/* Gives up root's rights, opens the recording; NULL and *e. */
struct source *replay_begin(struct app *a, struct err *e);

/* A frame was read: the outputs get its marks, as they did when it was live. */
void replay_note_frame(struct app *a);

/* ---- on the screen; elsewhere it goes as fast as the outputs take it ---- */

/* Paused, or at its end: no frame is due before a key. */
bool replay_rests(const struct app *a);
/* Until the next frame is due. */
int64_t replay_left_ns(struct app *a);

/* The recording is over. That is no reason to leave: people go back in it. */
void replay_stay_at_end(struct app *a);

/* What a key asks the loop for. */
enum replayed {
	REPLAYED,       /* nothing more */
	REPLAYED_NEXT,  /* the next frame */
	REPLAYED_FAILED /* *e; the recording cannot be read */
};

/* A key of the replay: enum ui_replay_wish, and what was typed. */
enum replayed replay_obey(struct app *a, int wish, const char *text,
			  struct err *e);

/* For the screen; valid until the next call. NULL: it cannot be gone in. */
const struct ui_replay *replay_status(const struct app *a);

#endif

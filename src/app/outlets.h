/* Recordings, batch text and exports: where frames go besides the screen. */
#ifndef APP_OUTLETS_H
#define APP_OUTLETS_H

#include "base/clock.h"
#include "base/err.h"
#include "out/sink.h"
#include "process/marks.h"

#include <stdbool.h>
#include <stdint.h>

struct app;
struct topology;
struct view;

/* An output and how it fares. */
struct outlet {
	struct sink *sink; /* NULL: closed */
	struct sink_about about;
	char name[256];
	uint64_t frames, lost;
	bool gone; /* its reader left: nothing after that is a loss */
};

struct outlets {
	struct outlet outlet[OUTPUTS_ALL];
	struct view *batch_view; /* chooses rows of -b; NULL: all */
	unsigned marks;          /* numbered so far */
	struct marks mark_file;  /* marks from outside */
};

/*
 * Can the outputs of the options be had, each its own file? Nothing is made or
 * emptied. False and *e: not.
 */
bool outlets_check(const struct app *a, struct err *e);
bool outlets_open(struct app *a, struct err *e);
void outlets_close(struct app *a);
/* All of them, of a start that failed: what was made is taken back. */
void outlets_discard(struct app *a);

/*
 * Gives them the frame, or room for what they hold back. False: nobody reads
 * any more what was only made to be read.
 */
bool outlets_frame(struct app *a);
bool outlets_flush(struct app *a);

/* Does one of them hold back bytes until there is room for them? */
bool outlets_hold_back(const struct app *a);

/* The source's topology is another now; `was` is the one before. */
bool outlets_machine(struct app *a, const struct topology *was, struct err *e);

/* A mark of that time, after the last frame. */
void outlets_mark(struct app *a, const struct stamp *at, const char *text);

/* Does one of them keep marks? */
bool outlets_take_marks(const struct app *a);

/* The next one's number, from 1 with each recording. */
unsigned outlets_number_mark(struct app *a);

/* The text that `ktop mark` left, if there is one. */
void outlets_take_mark_text(struct app *a, char text[MARKS_TEXT_SIZE]);

/* Key c. */
void outlets_toggle_recording(struct app *a);

#endif

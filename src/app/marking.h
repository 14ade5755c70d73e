/*
 * Marks: by key m, by SIGUSR1 or `ktop mark`, or of a recording that is
 * replayed. One by key has its time at once, and is written when its name has
 * been typed, or none.
 */
#ifndef APP_MARKING_H
#define APP_MARKING_H

#include "base/clock.h"
#include "process/marks.h"
#include "ui/view/status.h"

#include <stdbool.h>

struct app;

/* Made, and not yet written: it waits for its name or the first frame. */
struct waiting_mark {
	bool is, named;
	unsigned number;
	struct stamp at;
	char name[MARKS_TEXT_SIZE];
};

struct marking {
	struct waiting_mark key, outside;
	unsigned nshown; /* of this run, for the charts: the last ones */
	struct {
		int64_t elapsed_ns; /* as of stamps */
		unsigned number;
		char name[UI_NAME_SIZE];
	} shown[UI_MARKS];
	struct ui_mark told[UI_MARKS];
};

/*
 * Key m, of a moment as in UI_MARK, and what was typed then; "": it keeps the
 * plain name.
 */
void marking_key(struct app *a, int64_t moment);
void marking_name(struct app *a, const char *name);

/* SIGUSR1, with the text that `ktop mark` left, or none. */
void marking_outside(struct app *a);

/* A mark of a recording that is replayed. */
void marking_recorded(struct app *a, const struct stamp *at, const char *name);

/* After a frame: what waited for one. */
void marking_frame(struct app *a);

/* Before the outputs close: no name will come any more. */
void marking_end(struct app *a);

/* For the screen: the marks up to now, by time; returns how many. */
unsigned marking_tell(struct app *a, const struct ui_mark **out);

#endif

/* What the application tells the screen before each draw. */
#ifndef UI_VIEW_STATUS_H
#define UI_VIEW_STATUS_H

#include "base/err.h"
#include "model/event.h"
#include "model/metric.h"

#include <stdbool.h>
#include <stdint.h>

enum { UI_MARKS = 32, UI_NAME_SIZE = 40 };

enum ui_mode { UI_MODE_BUSY, UI_MODE_IPC, UI_MODE_FULL };

/* Something that happened, for the timeline. */
struct ui_moment {
	uint64_t frame;
	char letter; /* m mark, w swap, g gap, ! stolen, x lost, + a new run */
};

struct ui_replay {
	uint64_t at, frames;   /* at: 0 is the first */
	uint64_t number, last; /* in the file: its own, and the run's last */
	double time_s, length_s;
	double speed; /* 1: as it was */
	bool paused, ended;
	const struct ui_moment *moment; /* [nmoments] */
	unsigned nmoments;
};

/* A moment that somebody marked. */
struct ui_mark {
	double at_s;     /* as elapsed_s of frames */
	unsigned number; /* in its recording, from 1 */
	char name[UI_NAME_SIZE];
};

/* Told before each draw; all borrowed for the call only. */
struct ui_status {
	const char *source, *model, *chip, *os;
	bool simulated, stepped;
	/* Counts up when topology and catalog are others than before. */
	unsigned machines;
	enum ui_mode mode;
	const char *why;        /* why not FULL, with the remedy; "" if it is */
	enum err_code why_code; /* of the same */
	const char *notice;     /* what the source wants known; "" */
	const char *message;    /* one-off, of the application; "" */
	int64_t period_ns;
	int preset;               /* in force: index in preset_table, or -1 */
	uint32_t preset_possible; /* 1 << index: has at least one event here */
	uint32_t preset_refused;  /* likewise: macOS refuses all it has */
	bool processes;           /* the source tells of them */
	const struct catalog *catalog; /* NULL: none */
	/* A bit for each of its first nrefused events: known not to be counted
	 * by this system. NULL: nothing is known. Lives as long as the screen.
	 */
	const uint64_t *refused;
	unsigned nrefused;
	/* The person's own: presets count on from preset_count, metrics from
	 * metric_count. These stay for the life of the screen. */
	const struct preset *user_preset;
	unsigned nuser_presets;
	const struct metric *user_metric;
	unsigned nuser_metrics;
	bool recording;
	bool takes_marks; /* some output does */
	const char *record_path;
	uint64_t record_lost, record_frames;
	bool rotating;
	const char *rotation; /* "basic, branch" */
	const int *rotate;    /* the same as presets */
	unsigned nrotate;
	double own_cpu_pct; /* of one CPU; NAN: not known yet */
	unsigned interrupts_per_read;
	uint64_t skipped_refreshes;
	bool ended;                 /* --hold: nothing more will come */
	const struct ui_mark *mark; /* [nmarks], by time, the last ones */
	unsigned nmarks;
	unsigned naming; /* the mark that waits for a name; 0: none does */
	const struct ui_replay *replay; /* NULL: a machine is measured */
};

#endif

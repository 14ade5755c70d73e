/* What the application passes to the screen before each draw. */
#ifndef UI_VIEW_STATUS_H
#define UI_VIEW_STATUS_H

#include "base/err.h"
#include "model/event.h"
#include "model/metric.h"

#include <stdbool.h>
#include <stdint.h>

enum { UI_MARKS = 32, UI_NAME_SIZE = 40 };

enum ui_mode { UI_MODE_BUSY, UI_MODE_IPC, UI_MODE_FULL };

struct ui_moment {
	uint64_t frame;
	char letter; /* m marker, w event change, g gap, ! counters taken over,
			x lost, + new run */
};

struct ui_replay {
	uint64_t at, frames;   /* at: from 0 */
	uint64_t number, last; /* in the file: current, last */
	double time_s, length_s;
	double speed; /* 1: original */
	bool paused, ended;
	const struct ui_moment *moment;
	unsigned nmoments;
};

struct ui_mark {
	double at_s;     /* as elapsed_s of frames */
	unsigned number; /* in its recording, from 1 */
	char name[UI_NAME_SIZE];
};

struct ui_status {
	const char *source, *model, *chip, *os;
	bool simulated, stepped;
	/* Incremented when topology and catalog change. */
	unsigned machines;
	enum ui_mode mode;
	const char *why; /* not FULL: reason and remedy; else "" */
	enum err_code why_code;
	const char *notice;  /* of the source; "" */
	const char *message; /* of the application, once; "" */
	int64_t period_ns;
	int preset;
	uint32_t preset_possible; /* 1 << index: some event exists here */
	uint32_t preset_refused;  /* 1 << index: macOS refuses all events */
	bool processes;
	const struct catalog *catalog;
	/*
	 * A bit for each of its first nrefused events: the system refuses it.
	 * NULL: unknown. Lives as long as the screen.
	 */
	const uint64_t *refused;
	unsigned nrefused;
	/*
	 * The user's presets and metrics, after the built-in ones. Live as long
	 * as the screen.
	 */
	const struct preset *user_preset;
	unsigned nuser_presets;
	const struct metric *user_metric;
	unsigned nuser_metrics;
	bool recording;
	bool takes_marks; /* some output keeps them */
	const char *record_path;
	uint64_t record_lost, record_frames;
	bool rotating;
	const char *rotation;
	const int *rotate;
	unsigned nrotate;
	double own_cpu_pct;
	unsigned interrupts_per_read;
	uint64_t skipped_refreshes;
	bool ended;                 /* --hold, after the end */
	const struct ui_mark *mark; /* [nmarks], ascending, the newest */
	unsigned nmarks;
	unsigned naming; /* number of the marker that gets a name; 0: none */
	const struct ui_replay *replay;
};

#endif

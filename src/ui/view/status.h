/* State that the application passes to the screen before each draw. */
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
			x lost data, + new run */
};

struct ui_replay {
	uint64_t at, frames;   /* at: index of the shown frame */
	uint64_t number, last; /* numbers in the recording: shown, last */
	double time_s, length_s;
	double speed; /* 1: as recorded */
	bool paused, ended;
	const struct ui_moment *moment;
	unsigned nmoments;
};

struct ui_mark {
	double at_s;     /* elapsed_s of the marker's frame */
	unsigned number; /* number in its recording, from 1 */
	char name[UI_NAME_SIZE];
};

struct ui_status {
	const char *source, *model, *chip, *os;
	bool simulated, stepped;
	/* Incremented when topology and catalog change. */
	unsigned machines;
	enum ui_mode mode;
	const char *why; /* if mode is not UI_MODE_FULL: why, and what to do */
	enum err_code why_code;
	const char *notice;  /* notice of the source; "": none */
	const char *message; /* the application's message, shown once, or "" */
	int64_t period_ns;
	int preset;
	uint32_t preset_possible; /* bit i: preset i is countable */
	uint32_t preset_refused;  /* bit i: macOS refuses all of preset i */
	bool processes;
	const struct catalog *catalog;
	/* Bit i: the system refuses event i of the catalog (i < nrefused).
	 * NULL: unknown. Valid as long as the screen. */
	const uint64_t *refused;
	unsigned nrefused;
	/* The user's presets and metrics follow the built-in ones. They are
	 * valid as long as the screen. */
	const struct preset *user_preset;
	unsigned nuser_presets;
	const struct metric *user_metric;
	unsigned nuser_metrics;
	bool recording;
	bool takes_marks; /* some output stores markers */
	const char *record_path;
	uint64_t record_lost, record_frames;
	bool rotating;
	const char *rotation;
	const int *rotate;
	unsigned nrotate;
	double own_cpu_pct;
	unsigned interrupts_per_read;
	uint64_t skipped_refreshes;
	bool ended;                 /* the last frame was shown (--hold) */
	const struct ui_mark *mark; /* [nmarks], newest last */
	unsigned nmarks;
	unsigned naming; /* number of the marker to name; 0: none */
	const struct ui_replay *replay;
};

#endif

/* A running ktop: what its files share, and what each of them owns. */
#ifndef APP_STATE_H
#define APP_STATE_H

#include "app/counting.h"
#include "app/loop.h"
#include "app/marking.h"
#include "app/news.h"
#include "app/outlets.h"
#include "app/renewal.h"
#include "app/sampling.h"
#include "app/screen.h"
#include "app/watching.h"
#include "monitor/monitor.h"
#include "options/options.h"
#include "source/source.h"
#include "ui/ui.h"

/*
 * A part is written by the file of its name; everybody may read it. Above them
 * are the pipeline and what was asked for.
 */
struct app {
	const struct options *o;
	struct user user;       /* the options', and what the screen added */
	struct ui_options look; /* the options', without what is unusable */
	bool text;              /* batch text is wanted */
	int64_t period_ns;
	struct source *source;
	const struct clock *clock; /* the source's */
	struct monitor *monitor;
	const struct metric *metric[METRIC_MAX];
	const struct frame *frame; /* the last; NULL before the first */
	struct news news;

	struct sampling sampling;
	struct watching watching;
	struct counting counting;
	struct rotation rotation;
	struct renewal renewal;
	struct outlets outlets;
	struct marking marking;
	struct screen screen;
	struct loop loop;
	struct replay_pace *pace; /* of a replay on the screen; NULL */
	struct run *run;          /* around a command; NULL: none */
};

#endif

/* Prepares each draw; saves the screen as text (key A). */
#include "app/state.h"
#include "base/utf8.h"
#include "process/caller.h"
#include "recording/replay.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MESSAGE_S = 4 };

bool
screen_open(struct app *a, struct err *e)
{
	if (a->screen.wanted)
		a->screen.ui = ui_open(&a->look, e);
	return !a->screen.wanted || a->screen.ui != NULL;
}

void
screen_close(struct app *a)
{
	ui_close(a->screen.ui);
	a->screen.ui = NULL;
}

void
screen_show(struct app *a, const char *text)
{
	struct screen *s = &a->screen;

	utf8_visible(s->message, sizeof s->message, text);
	s->message_until_ns =
		clock_awake_ns(clock_system()) + (int64_t)MESSAGE_S * SECOND_NS;
}

/* Measures ktop's CPU use in at least a second. Removes an old message. */
static void
measure_own_cost(struct screen *s)
{
	int64_t now = clock_awake_ns(clock_system());
	int64_t passed = now - s->cost_at_ns;
	struct timespec cpu;

	if (s->message_until_ns != 0 && now > s->message_until_ns) {
		s->message[0] = '\0';
		s->message_until_ns = 0;
	}
	if (passed < SECOND_NS ||
	    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &cpu) != 0)
		return;
	int64_t cpu_ns = (int64_t)cpu.tv_sec * SECOND_NS + cpu.tv_nsec;

	if (s->cost_at_ns != 0)
		s->own_cpu_pct = 100.0 * (double)(cpu_ns - s->cost_cpu_ns) /
				 (double)passed;
	s->cost_at_ns = now;
	s->cost_cpu_ns = cpu_ns;
}

static const char *
why_not_full(const struct app *a)
{
	if (a->source->info.mode == SOURCE_FULL)
		return "";
	if (a->counting.ipc)
		return "as you asked; press i to count events again";
	if (a->source->info.why.text[0] != '\0')
		return a->source->info.why.text;
	return a->counting.why.text;
}

static struct ui_status
make_status(const struct app *a, bool ended)
{
	const struct source_info *i = &a->source->info;
	const struct outlet *csv = &a->outlets.outlet[OUTPUT_CSV];

	return (struct ui_status){
		.source = i->source,
		.model = i->model,
		.chip = i->chip,
		.os = i->os,
		.simulated = i->simulated,
		.machines = a->renewal.machines,
		.stepped = a->clock->stepped,
		.mode = i->mode == SOURCE_FULL  ? UI_MODE_FULL
			: i->mode == SOURCE_IPC ? UI_MODE_IPC
						: UI_MODE_BUSY,
		.why = why_not_full(a),
		.why_code = i->why.text[0] != '\0' ? i->why.code
						   : a->counting.why.code,
		.notice = i->notice,
		.message = a->screen.message,
		.period_ns = i->ends ? replay_reading(a->source)->tick_ns
				     : a->period_ns,
		.preset = i->set != NULL && i->set->len > 0
				  ? user_preset_find(&a->user, i->set->name)
				  : -1,
		.preset_possible = a->counting.possible,
		.preset_refused = a->counting.preset_refused,
		.processes = i->processes,
		.catalog = i->catalog,
		.nrefused = REFUSED_WORDS * 64,
		.user_preset = a->user.preset,
		.nuser_presets = a->user.npresets,
		.user_metric = a->user.metric,
		.nuser_metrics = a->user.nmetrics,
		.recording = csv->sink != NULL,
		.record_path = csv->name,
		.record_lost = csv->lost,
		.record_frames = csv->frames,
		.rotating = a->rotation.on,
		.rotation = a->rotation.name,
		.rotate = a->rotation.preset,
		.nrotate = a->rotation.n,
		/* CPU time cannot be compared with a stepped clock. */
		.own_cpu_pct = a->clock->stepped ? NAN : a->screen.own_cpu_pct,
		.interrupts_per_read = i->interrupts_per_read,
		.skipped_refreshes = a->screen.skipped,
		.ended = ended,
		.replay = a->source->info.ends ? replay_status(a) : NULL,
	};
}

bool
screen_draw(struct app *a, bool ended)
{
	struct ui *ui = a->screen.ui;

	if (ui == NULL)
		return true;
	measure_own_cost(&a->screen);
	struct ui_status s = make_status(a, ended);

	s.nmarks = marking_list(a, &s.mark);
	s.naming = a->marking.key.is && !a->marking.key.named
			   ? a->marking.key.number
			   : 0;
	s.takes_marks = outlets_keep_markers(a);
	s.refused = counting_refused(a);
	if (ui_line(ui).output_fd >= 0)
		a->screen.skipped++;
	return ui_draw(ui, a->monitor, a->frame, &s);
}

enum { TRIES = 1000 };

static int
open_new(struct app *a, char name[NAMED_SIZE])
{
	enum { HOW = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC };
	struct screen *of = &a->screen;
	char moment[NAMED_SIZE];
	int fd = -1;

	errno = EOVERFLOW;
	if (!make_name_by_time(a, "", 1, moment))
		return -1;
	if (strcmp(moment, of->shot) != 0)
		of->shots = 0;
	memcpy(of->shot, moment, sizeof moment);
	errno = EEXIST;
	for (unsigned n = 0; n < TRIES && fd < 0 && errno == EEXIST; n++) {
		(void)make_name_by_time(a, ".txt", ++of->shots, name);
		fd = open_as_caller(name, HOW);
	}
	return fd;
}

/* Returns 0 or errno; a failure leaves no file. */
static int
save_screen(struct app *a, char name[NAMED_SIZE])
{
	int fd = open_new(a, name), why;
	FILE *out = fd >= 0 ? fdopen(fd, "w") : NULL;

	if (out == NULL) {
		why = errno;
		if (fd < 0)
			return why;
		close(fd);
	} else {
		ui_write_text(a->screen.ui, out);
		why = ferror(out) != 0 ? EIO : 0;
		if (fclose(out) != 0)
			why = errno;
	}
	if (why != 0)
		(void)unlink_as_caller(name);
	return why;
}

void
screen_save_text(struct app *a)
{
	char folder[PATH_MAX], name[NAMED_SIZE];
	int why = save_screen(a, name);

	if (getcwd(folder, sizeof folder) == NULL)
		snprintf(folder, sizeof folder, ".");
	if (why == 0)
		messages_add(&a->messages, "screen saved in %s/%s",
			     strcmp(folder, "/") == 0 ? "" : folder, name);
	else if (why == EOVERFLOW)
		messages_add(
			&a->messages,
			"screen not saved: the system clock has no valid time to name the file");
	else
		messages_add(
			&a->messages,
			"screen not saved in %s: %s; start ktop in a folder that you can write to",
			folder, strerror(why));
}

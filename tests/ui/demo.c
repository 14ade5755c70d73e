/*
 * Drives the whole screen with made-up frames: demo MACHINE [sim] [theme].
 * For looking at it and for photographs; not a test.
 */
#include "fake_frame.h"

#include "model/monitor.h"

#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <sys/select.h>
#include <time.h>

static struct fake fake;
static volatile sig_atomic_t resized;

static void
on_winch(int sig)
{
	(void)sig;
	resized = 1;
}

/* The monitor's history is the fake's. */
unsigned
monitor_history(const struct monitor *m, unsigned scope, unsigned metric,
		unsigned n, float *out)
{
	(void)m;
	return fake_values(&fake, scope, metric, n, out);
}

double
monitor_last(const struct monitor *m, unsigned scope, unsigned metric,
	     double *age_s)
{
	(void)m;
	return fake_last(&fake, scope, metric, age_s);
}

static bool
obey(struct ui *u, struct ui_request r)
{
	static char said[100];
	struct ui_status *s = &fake.status;

	(void)u;
	if (r.kind == UI_QUIT)
		return false;
	if (r.kind == UI_PRESET)
		s->preset = (int)r.arg;
	if (r.kind == UI_INTERVAL)
		s->period_ns = r.arg * 1000000;
	if (r.kind == UI_IPC) {
		s->mode = s->mode == UI_MODE_FULL ? UI_MODE_IPC : UI_MODE_FULL;
		s->why = "the counters were given back (key i); i takes them";
	}
	if (r.kind == UI_RECORD)
		s->recording = !s->recording;
	if (r.kind == UI_MARK)
		s->message = "mark 1 was set";
	snprintf(said, sizeof said, "request %d", (int)r.kind);
	return true;
}

int
main(int argc, char **argv)
{
	struct ui_options o = { .theme = argc > 3 ? argv[3] : NULL };
	struct err e = { .code = ERR_NONE };
	bool on = true;

	setlocale(LC_CTYPE, "");
	fake_open(&fake, argc > 1 ? argv[1] : "m1");
	fake.status.simulated = argc > 2 && strcmp(argv[2], "sim") == 0;
	struct ui *u = ui_open(&o, &e);

	if (u == NULL) {
		fprintf(stderr, "demo: %s\n", e.text);
		return 1;
	}
	signal(SIGWINCH, on_winch);
	for (uint64_t seq = 120; on; seq++) {
		struct timeval wait = { .tv_sec = 1 };
		bool redraw = true;
		fd_set set, out;

		fake_tick(&fake, seq);
		while (on) {
			if (resized) {
				resized = 0;
				ui_resized(u);
			}
			if (redraw &&
			    !ui_draw(
				    u,
				    (const struct monitor *)(const void *)&fake,
				    &fake.f, &fake.status))
				on = false;
			redraw = false;
			int held = ui_output_fd(u);

			FD_ZERO(&set);
			FD_ZERO(&out);
			FD_SET(ui_input_fd(u), &set);
			if (held >= 0)
				FD_SET(held, &out);
			int n = select((held > 0 ? held : ui_input_fd(u)) + 1,
				       &set, &out, NULL, &wait);

			if (n == 0)
				break;
			if (held >= 0 && FD_ISSET(held, &out))
				on = ui_flush(u);
			for (struct ui_request r;
			     (r = ui_input(u, &redraw)).kind != UI_NONE;)
				on = on && obey(u, r);
		}
	}
	ui_close(u);
	fake_close(&fake);
	return 0;
}

/*
 * What a terminal sends: keys, the mouse, half of a sequence, any bytes. The
 * screen is drawn on a terminal of our own after each of them. Input: a byte
 * for the size and the machine, then runs of a byte n and n bytes (0: the next
 * frame, 255: another size).
 */
#include "monitor/monitor.h"
#include "source/all/sources.h"
#include "ui/term/tty_inner.h"
#include "ui/ui.h"

#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int posix_openpt(int flags);
int grantpt(int fd);
int unlockpt(int fd);
char *ptsname(int fd);

enum { KEYS_MAX = 64, FRAMES = 12, NEXT_FRAME = 0, NEXT_SIZE = 255 };

static const struct winsize sizes[] = { { 24, 80, 0, 0 },  { 40, 120, 0, 0 },
					{ 5, 20, 0, 0 },   { 1, 1, 0, 0 },
					{ 60, 200, 0, 0 }, { 3, 300, 0, 0 },
					{ 100, 7, 0, 0 } };
enum { SIZES = sizeof(sizes) / sizeof(*sizes) };

static int master;
static struct source *source;
static struct monitor *monitor;
static struct sample *sample;
static const struct frame *frame;

static void
check(int ok)
{
	if (!ok)
		abort();
}

static void
next_frame(void)
{
	struct err e;
	struct stamp now;

	clock_now(source->info.clock, &now);
	source->info.clock->step(source->info.clock->self,
				 now.awake_ns + 1000000000);
	check(source->ops->read(source, sample, &e) == SOURCE_OK);
	const struct frame *f = monitor_feed(monitor, sample);

	if (f != NULL)
		frame = f;
}

static void
open_machine(void)
{
	struct source_options o = { .sim = "m1max,seed=1,clock=step" };
	struct monitor_options mo = { .period_ns = 1000000000 };
	struct err e;

	source = source_open(&o, &e);
	check(source != NULL);
	mo.catalog = source->info.catalog;
	sample = sample_new(source->info.topology->ncpus, &e);
	monitor = monitor_new(source->info.topology, &mo, &e);
	check(sample != NULL && monitor != NULL);
	for (int i = 0; i < FRAMES; i++)
		next_frame();
}

int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	master = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
	check(master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0);
	int tty = open(ptsname(master), O_RDWR | O_NOCTTY);

	check(tty >= 0 && dup2(tty, STDIN_FILENO) == STDIN_FILENO &&
	      dup2(tty, STDOUT_FILENO) == STDOUT_FILENO);
	check(setenv("TERM", "xterm-256color", 1) == 0);
	check(setenv("HOME", "/nonexistent", 1) == 0);
	check(setenv("XDG_CONFIG_HOME", "/nonexistent", 1) == 0);
	open_machine();
	return 0;
}

/* The terminal's other end takes all that is drawn. */
static void
swallow(void)
{
	char room[65536];

	while (read(master, room, sizeof(room)) > 0)
		;
}

static void
draw(struct ui *u)
{
	struct ui_status s = { .source = "sim",
			       .model = source->info.model,
			       .chip = source->info.chip,
			       .os = source->info.os,
			       .simulated = true,
			       .mode = UI_MODE_IPC,
			       .why = "",
			       .notice = "",
			       .message = "",
			       .period_ns = 1000000000,
			       .preset = -1,
			       .preset_possible = ~0u,
			       .catalog = source->info.catalog,
			       .record_path = "",
			       .rotation = "",
			       .own_cpu_pct = NAN };

	check(ui_draw(u, monitor, frame, &s));
	swallow();
	check(ui_flush(u));
	swallow();
}

static void
obey(struct ui *u)
{
	struct ui_request r;
	bool redraw = false;

	for (int i = 0; i < KEYS_MAX; i++) {
		r = ui_input(u, &redraw);
		if (r.kind == UI_NONE)
			break;
		if (r.kind == UI_EVENTS)
			for (unsigned k = 0; k < r.events->n; k++)
				check(r.events->event[k] != NULL &&
				      r.events->event[k]->name != NULL);
		if (r.kind == UI_INTERVAL)
			check(r.arg > 0);
	}
	swallow();
	draw(u);
}

static void
give(struct ui *u, const uint8_t *data, size_t n)
{
	size_t used;

	for (size_t at = 0; at < n; at += used) {
		(void)termkeys_next(data + at, n - at, &used);
		check(used <= n - at);
		check(tty_reply_next(data + at, n - at).len <= n - at);
		if (used == 0)
			break;
	}
	if (n > 0 && write(master, data, n) > 0)
		obey(u);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* A theme is named: nobody here answers what the ground is. */
	struct ui_options o = { .mouse = true, .theme = "default" };
	struct err e = { ERR_NONE, "" };

	if (size < 2)
		return 0;
	(void)ioctl(STDIN_FILENO, TIOCSWINSZ, &sizes[data[0] % SIZES]);
	(void)tcflush(STDIN_FILENO, TCIOFLUSH);
	o.view = data[0] / SIZES % 3;
	struct ui *u = ui_open(&o, &e);

	check(u != NULL);
	draw(u);
	for (data++, size--; size > 0;) {
		size_t n = *data++;

		size--;
		if (n == NEXT_FRAME) {
			next_frame();
			draw(u);
		} else if (n == NEXT_SIZE && size > 0) {
			(void)ioctl(STDIN_FILENO, TIOCSWINSZ,
				    &sizes[*data % SIZES]);
			ui_resized(u);
			draw(u);
		} else {
			n = n > size ? size : n;
			give(u, data, n);
			data += n;
			size -= n;
		}
	}
	ui_close(u);
	swallow();
	return 0;
}

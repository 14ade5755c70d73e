/*
 * Two hours of samples, then the picture: gone back in while the view is
 * frozen, and the chart of the whole run. Samples and keys in, text out.
 */
#include "model/near.h"

#include "monitor/history.h"
#include "says.h"
#include "ui/ui.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

int posix_openpt(int flags);
int grantpt(int fd);
int unlockpt(int fd);
char *ptsname(int fd);

enum {
	FRAMES = 1440,
	PERIOD_MS = 5000, /* two hours */
	SWAP = 700,       /* the first frame of the other set */
	OFF = 1000,       /* CPU 3, for some frames */
	OFF_END = 1010,
	SLEPT = 1200, /* the machine, in this one */
	SLEPT_S = 600,
	REDEFINED = 1300,
	NEWEST = FRAMES - 1,
	SIZE = 200000
};

/* ---- a terminal of our own ---- */

static int master, saved[2];
static struct ui *ui;
static char text[SIZE];
static struct rig rig;
static const struct frame *frame;

static const struct metric own = { .name = "own",
				   .label = "own",
				   .text = "ours",
				   .decimals = 2,
				   .scale = 1,
				   .num = { { "INST_ALL", 1 } },
				   .den = { { "CORE_ACTIVE_CYCLE", 1 } } };
static const struct preset mine = { .name = "mine",
				    .label = "mine",
				    .text = "ours",
				    .metrics = { "ipc", "own", "gips" } };

static int
terminal_open(void **state)
{
	const struct winsize size = { 40, 120, 0, 0 };
	struct ui_options o = { .theme = "default",
				.color = UI_COLOR_NEVER,
				.glyphs = UI_GLYPHS_ASCII };
	struct err e = { ERR_NONE, "" };

	setenv("TERM", "xterm", 1);
	setenv("TZ", "UTC", 1);
	fflush(stdout);
	master = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
	assert_true(master >= 0 && grantpt(master) == 0 &&
		    unlockpt(master) == 0);
	int tty = open(ptsname(master), O_RDWR | O_NOCTTY);

	assert_true(tty >= 0 && ioctl(tty, TIOCSWINSZ, &size) == 0);
	for (int fd = 0; fd < 2; fd++) {
		saved[fd] = dup(fd);
		assert_int_equal(dup2(tty, fd), fd);
	}
	close(tty);
	ui = ui_open(&o, &e);
	if (ui == NULL)
		fprintf(stderr, "%s\n", e.text);
	return ui == NULL;
}

static int
terminal_close(void **state)
{
	ui_close(ui);
	for (int fd = 0; fd < 2; fd++) {
		dup2(saved[fd], fd);
		close(saved[fd]);
	}
	close(master);
	rig_close(&rig);
	return 0;
}

static void
swallow(void)
{
	static char room[65536];

	while (read(master, room, sizeof room) > 0)
		continue;
}

/* The picture as it is after all keys so far. */
static const char *
draw(void)
{
	struct ui_status s = { .source = "sim",
			       .model = "rig",
			       .chip = "a14",
			       .os = "",
			       .mode = UI_MODE_FULL,
			       .why = "",
			       .notice = "",
			       .message = "",
			       .period_ns = PERIOD_MS * INT64_C(1000000),
			       .preset = (int)preset_count,
			       .preset_possible = ~0u,
			       .catalog = &rig.events->catalog,
			       .record_path = "",
			       .user_preset = &mine,
			       .nuser_presets = 1,
			       .user_metric = &own,
			       .nuser_metrics = 1,
			       .rotation = "",
			       .own_cpu_pct = NAN };
	FILE *out = fmemopen(text, sizeof text, "w");

	for (int i = 0; i < 2; i++) {
		assert_true(ui_draw(ui, rig.m, frame, &s));
		swallow();
		assert_true(ui_flush(ui));
		swallow();
	}
	assert_non_null(out);
	ui_write_text(ui, out);
	fclose(out);
	return text;
}

static void
press(const char *keys, unsigned times)
{
	bool redraw;

	for (unsigned n = 0; n < times; n++) {
		assert_int_equal(write(master, keys, strlen(keys)),
				 strlen(keys));
		do
			assert_int_equal(ui_input(ui, &redraw).kind, UI_NONE);
		while (ui_line(ui).waits);
	}
}

/* ---- what happened ---- */

/* IPC 1 all the time, but in the first and the last frame, and before a swap */
static bool flat;

/* Hundredths, so that the screen has all digits. */
static unsigned
ipc_of(unsigned n, unsigned cpu)
{
	if (flat)
		return n == 0 || n == SWAP - 1 || n == NEWEST ? 800 : 100;
	return 100 + (2 * n + 3 * cpu) % 250;
}

static unsigned
own_of(unsigned n)
{
	return 400 + n % 300;
}

static bool
is_off(unsigned n, unsigned cpu)
{
	return cpu == 3 && n >= OFF && n < OFF_END;
}

/* Elapsed seconds of the frame. */
static unsigned
time_of(unsigned n)
{
	return n * (PERIOD_MS / 1000) + (n >= SLEPT ? SLEPT_S : 0);
}

static void
swap_sets(void)
{
	rig_set(&rig, "dtlb");
	strcpy(rig.set.name, mine.name);
	rig.s->flags = SAMPLE_BASELINE;
	assert_null(rig_feed(&rig));
	rig.s->flags = 0;
}

static void
work(unsigned n, unsigned cpu)
{
	struct cpu_sample *c = &rig.s->cpu[cpu];

	c->state = is_off(n, cpu) ? CPU_OFF : CPU_DELIVERED;
	if (c->state == CPU_OFF)
		return;
	rig_run(&rig, cpu, 10000000000, ipc_of(n, cpu) * UINT64_C(100000000));
	rig_count(&rig, cpu, "INST_ALL", own_of(n) * UINT64_C(10000000));
	rig_count(&rig, cpu, "CORE_ACTIVE_CYCLE", 1000000000);
}

static void
two_hours(void)
{
	rig_open(&rig, "a14", "basic", false);
	monitor_free(rig.m);
	rig.m = monitor_new(
		rig.t,
		&(struct monitor_options){ .catalog = &rig.events->catalog,
					   .extra_metrics = &own,
					   .nextra = 1 },
		NULL);
	assert_null(rig_feed(&rig));
	for (unsigned n = 0; n < FRAMES; n++) {
		if (n == SWAP)
			swap_sets();
		if (n == REDEFINED)
			monitor_redefined(rig.m, metric_count);
		/* Asleep; where all is flat, awake, and ktop stood still. */
		rig_pass(&rig, PERIOD_MS,
			 n == SLEPT && !flat ? SLEPT_S * 1000 : 0);
		if (n == SLEPT && flat) {
			rig_pass(&rig, SLEPT_S * 1000, 0);
			monitor_gap(rig.m);
		}
		for (unsigned i = 0; i < RIG_CPUS; i++)
			work(n, i);
		frame = rig_feed(&rig);
		assert_non_null(frame);
	}
}

/* ---- what the picture says of it ---- */

/* The line of a core, in the list of cores. */
static const char *
line_of_cpu(unsigned cpu)
{
	static char line[400];
	char begin[16];

	snprintf(begin, sizeof begin, "|   %u %c ", cpu, cpu < 2 ? 'E' : 'P');
	const char *at = strstr(text, begin);

	if (at == NULL)
		fail_msg("no CPU %u in\n%s", cpu, text);
	snprintf(line, sizeof line, "%.*s", (int)strcspn(at, "\n"), at);
	return line;
}

static bool
says_hundredths(const char *line, unsigned n)
{
	char number[16];

	snprintf(number, sizeof number, " %u.%02u ", n / 100, n % 100);
	return strstr(line, number) != NULL;
}

static void
check_row(unsigned n, unsigned cpu)
{
	const char *line = line_of_cpu(cpu);
	bool here = !is_off(n, cpu), means = n >= REDEFINED;

	if (says_hundredths(line, ipc_of(n, cpu)) != here ||
	    (strstr(line, " off ") == NULL) != here ||
	    says_hundredths(line, own_of(n)) != (here && means))
		fail_msg("frame %u:\n%s", n, text);
}

/* All of the picture is of that frame: rows, events, and how long ago. */
static void
check_place(unsigned n)
{
	unsigned ago = time_of(NEWEST) - time_of(n);
	char paused[40];
	bool later = n >= SWAP, means = n >= REDEFINED;

	draw();
	for (unsigned i = 0; i < RIG_CPUS; i++)
		check_row(n, i);
	if (ago >= 3600)
		snprintf(paused, sizeof paused, "PAUSED -%u:%02u:%02u",
			 ago / 3600, ago / 60 % 60, ago % 60);
	else
		snprintf(paused, sizeof paused, "PAUSED -%u:%02u", ago / 60,
			 ago % 60);
	if ((ago > 0 && strstr(text, paused) == NULL) ||
	    (strstr(text, "L1D-ld") == NULL) != later ||
	    (strstr(text, " own ") != NULL) != means)
		fail_msg("not \"%s\" in:\n%s", paused, text);
}

UNIT_IN(test_each_place_is_as_it_was, terminal_open, terminal_close)
{
	static const unsigned place[] = {
		NEWEST - 1,  REDEFINED, REDEFINED - 1,
		SLEPT,       SLEPT - 1, OFF_END,
		OFF_END - 1, OFF,       OFF - 1,
		SWAP,        SWAP - 1,  NEWEST - (HISTORY_FRAMES - 1)
	};
	unsigned n = NEWEST;

	flat = false;
	two_hours();
	press("C ", 1);
	check_place(n);
	for (unsigned i = 0; i < sizeof place / sizeof *place; i++) {
		press("\033[D", n - place[i]);
		n = place[i];
		check_place(n);
	}
	assert_says(text, " oldest ");
	press("\033[F", 1); /* End */
	check_place(NEWEST);
	press("\033[H", 1); /* Home */
	check_place(n);
	press("\033[C", 3); /* right */
	check_place(n + 3);
}

/* Line of the picture in which a curve is in that column; -1: in none. */
static int
height(int from, int to, int x)
{
	const char *line = text;

	for (int y = 0; y < to; y++) {
		if (y >= from && (line[x] == 'E' || line[x] == 'P'))
			return y;
		line = strchr(line, '\n') + 1;
	}
	return -1;
}

/*
 * A frame of other work in the first bucket, in one with two sets, and in the
 * last lifts the curve there, by as much as the sums say; else it is level,
 * with a hole for the time when nothing was read.
 */
UNIT_IN(test_the_run_s_ends, terminal_open, terminal_close)
{
	enum { TOP = 3, END = 16, FROM = 6, TO = 108, LEVEL = FROM + 20 };
	int first = FROM, last = TO, holes = 0, lifted = 0;

	flat = true;
	two_hours();
	press("Hzzzz", 1);
	draw();
	assert_says(text, "z whole run, 90 s a cell");
	while (first < TO && height(TOP, END, first) < 0)
		first++;
	while (last > first && height(TOP, END, last) < 0)
		last--;
	int level = height(TOP, END, LEVEL);
	int at = first +
		 (last - first) * (int)time_of(SWAP) / (int)time_of(FRAMES);

	assert_true(level > 0 && last - first > 80);
	/* 18 frames a dot: 1.39 there; of the last dot 12: 1.58. */
	if (height(TOP, END, first) != level - 2 ||
	    strstr(text, " 1.58 ") == NULL)
		fail_msg("the ends are missing:\n%s", text);
	for (int x = first + 3; x < last - 3; x++) {
		int y = height(TOP, END, x);

		holes += y < 0;
		lifted += y == level - 2;
		if (y == level - 2) /* where it stands in the run */
			assert_in_range(x, at - 2, at + 2);
	}
	assert_in_range(lifted, 1, 3);
	assert_in_range(holes, 6, 7); /* of 90 s each, 10 minutes */
}

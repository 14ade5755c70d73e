/* The view of power: what it says of rails, clocks and the memory. */
#include "ui/screen.h"

#include "monitor/history.h"

#include <math.h>

enum { SECONDS = 20, ROWS = 20 };

static const struct power_row nothing = {
	.energy = { .watts = NAN, .span_s = NAN },
	.nj_instruction = NAN,
	.traffic = { .read = NAN, .write = NAN, .both = NAN, .span_s = NAN },
	.clock_ghz = NAN
};

struct bench {
	struct screen s;
	struct frame_power p;
	struct power_row row[ROWS];
	struct history *h;
	unsigned cpu; /* the machine's row */
};

static void
bench_close(struct bench *b)
{
	history_free(b->h);
	screen_close(&b->s);
}

/* Nothing is known of power. */
static void
bench_open(struct bench *b, const char *machine, int w, int h)
{
	memset(b, 0, sizeof *b);
	screen_open(&b->s, machine, w, h, CANVAS_ASCII);
	struct fake *k = &b->s.fake;

	b->cpu = k->t->nclusters;
	assert_in_range(b->cpu, 1, ROWS - 1);
	for (unsigned i = 0; i < ROWS; i++)
		b->row[i] = nothing;
	b->p = (struct frame_power){ .nrows = b->cpu + 1,
				     .row = b->row,
				     .whole = { nothing.energy, nothing.energy,
						nothing.energy, nothing.energy,
						nothing.energy },
				     .ceiling = NAN,
				     .no_energy = "",
				     .no_traffic = "",
				     .no_clock = "" };
	b->h = history_new(&(struct history_of){ .topology = k->t,
						 .catalog = &fake_catalog },
			   NULL);
	assert_non_null(b->h);
	b->s.view->run = b->h;
	b->s.view->kind = VIEW_POWER;
	k->f.power = &b->p;
}

#define BENCH(b, ...)                                         \
	__attribute__((cleanup(bench_close))) struct bench b; \
	bench_open(&b, __VA_ARGS__)

static struct power_energy
watts(double w)
{
	return (struct power_energy){ w, 1, 0, true };
}

/* The frame is a second's. */
static void
keep(struct bench *b)
{
	struct frame *f = &b->s.fake.f;

	f->elapsed_s++;
	f->seq++;
	f->interval_s = 1;
	history_push(b->h, f);
}

/* Of two clusters: E 1 W, P 2, 3, 4 ... W. */
static void
run_apple(struct bench *b)
{
	for (unsigned i = 0; i < SECONDS; i++) {
		b->row[0].energy = watts(1);
		b->row[1].energy = watts(2 + i);
		b->row[b->cpu].energy = watts(3 + i);
		b->row[1].nj_instruction = 0.25;
		b->row[0].traffic.both = 4e9;
		b->row[1].traffic.both = 12e9;
		b->row[b->cpu].traffic =
			(struct power_traffic){ 15e9, 5e9, 20e9, 1, 0, true };
		b->p.ceiling = 80e9;
		b->p.whole[POWER_RAIL_DRAM] = watts(0.5);
		keep(b);
	}
}

static const char *
row_of(const struct bench *b, const char *name)
{
	char start[32];

	snprintf(start, sizeof start, "| %s ", name);
	return line_with(b->s.text, start);
}

/* ---- what it says ---- */

UNIT(test_rails_have_watts_and_what_they_used)
{
	BENCH(b, "m1", 120, 40);
	run_apple(&b);
	screen_draw(&b.s);
	/* 2 to 21 W, a second each. */
	assert_says(row_of(&b, "P"), " 21.0 ");
	assert_says(row_of(&b, "P"), " 11.5   21.0   0.25    230   12.0 |");
	assert_says(row_of(&b, "E"), "1.0    1.0      -     20    4.0 |");
	assert_says(row_of(&b, "CPU"), " 22.0 ");
	assert_says(row_of(&b, "CPU"), "250   16.0 |");
	assert_says(row_of(&b, "DRAM"), "10   20.0 |");
	assert_says(b.s.text, "E + P = 22.0 W; CPU 22.0 W");
	assert_says(b.s.text, "memory 20 of 80 GB/s");
	assert_says(b.s.text, " 25%  read 15.0  write 5.0");
	assert_says(b.s.text, "mean, max, J: last 20 s");
	assert_says(b.s.text, "now 25% of the ceiling 80");
	assert_says(b.s.text, "W by rail");
	assert_says(b.s.text, "energy of an instruction, nJ");
	assert_silent(b.s.text, "doctor");
	/* A rail that nobody has is no row. */
	assert_silent(b.s.text, "| GPU ");
}

/* What clusters did not read or write was of the GPU and devices. */
UNIT(test_the_rest_of_the_traffic_is_in_the_row_of_the_gpu)
{
	BENCH(b, "m1", 120, 40);
	run_apple(&b);
	b.p.whole[POWER_RAIL_GPU] = watts(0.3);
	keep(&b);
	screen_draw(&b.s);
	assert_says(row_of(&b, "GPU+I/O"), " 4.0 |");
	b.row[b.cpu].traffic.both = 16e9;
	keep(&b);
	screen_draw(&b.s);
	assert_says(row_of(&b, "GPU"), "- |");
}

/* What is over is that of its moment, not of now. */
UNIT(test_the_past_has_its_own_numbers)
{
	BENCH(b, "m1", 120, 40);
	run_apple(&b);
	for (unsigned i = 0; i < 5; i++) {
		b.row[1].energy = watts(80);
		keep(&b);
	}
	/* As the screen does: the frame of the moment, and how far back. */
	b.row[1].energy = watts(21);
	b.s.view->when.paused = true;
	b.s.view->when.back = 5;
	screen_draw(&b.s);
	assert_says(row_of(&b, "P"), " 11.5   21.0   0.25    230   12.0 |");
	assert_says(b.s.text, " P     21.0 |");
	assert_silent(b.s.text, "80.0");
}

UNIT(test_what_does_not_add_up_is_marked)
{
	BENCH(b, "m1", 120, 40);
	run_apple(&b);
	for (unsigned i = 0; i <= b.cpu; i++)
		b.row[i].energy.marks = POWER_DOUBTFUL;
	b.row[b.cpu].energy.watts = 30;
	screen_draw(&b.s);
	assert_says(row_of(&b, "P"), " 21.0? ");
	assert_says(row_of(&b, "CPU"), " 30.0? ");
	assert_silent(row_of(&b, "P"), "0.25");
	assert_says(
		b.s.text,
		"E + P = 22.0 W; CPU 30.0 W?: more than 1% apart, so no nJ/i");
	assert_says(b.s.text, "? clusters and total differ");
}

/* Stale is not 0, and 0 W is not stale. */
UNIT(test_stale_is_no_number)
{
	BENCH(b, "m1", 120, 40);
	run_apple(&b);
	b.row[0].energy = watts(0);
	b.row[1].energy = nothing.energy;
	b.row[1].nj_instruction = NAN;
	screen_draw(&b.s);
	assert_says(row_of(&b, "E"), "| E            0.0 ");
	assert_says(row_of(&b, "P"), "| P              - ");
	assert_silent(b.s.text, "E + P ="); /* not all of it is known */
}

UNIT(test_long_spans_bounds_and_own_clocks_are_said)
{
	BENCH(b, "m1", 120, 40);
	run_apple(&b);
	b.row[1].energy.span_s = 2.1;
	b.row[b.cpu].energy.span_s = 1800;
	b.row[0].energy.marks = POWER_OWN_CLOCK;
	b.row[1].traffic.marks = POWER_AT_LEAST;
	b.row[b.cpu].traffic.marks = POWER_AT_MOST;
	screen_draw(&b.s);
	assert_says(row_of(&b, "P"), " 21.0  (2.1 s) ");
	assert_says(row_of(&b, "CPU"), " 22.0 (30 min) ");
	assert_says(row_of(&b, "E"), " ~1.0 ");
	assert_says(row_of(&b, "P"), " >12.0 ");
	assert_says(b.s.text, "memory <= 20 of 80 GB/s");
	assert_says(b.s.text, "~ timed by ktop's readings");
	/* A span of two intervals is none to speak of. */
	b.s.fake.f.interval_s = 2;
	screen_draw(&b.s);
	assert_silent(b.s.text, "(2.1 s)");
}

UNIT(test_clocks_are_those_asked_for_and_measured)
{
	BENCH(b, "m1", 120, 40);
	run_apple(&b);
	b.row[1].clock_ghz = 3.75;
	b.row[1].throttled = true;
	screen_draw(&b.s);
	assert_says(b.s.text, "| P      !     3.75      3.00    -20% ");
	/* Where only the system tells: the word, without numbers. */
	b.row[1].clock_ghz = NAN;
	b.p.no_clock = "Linux does not tell which clock it asked for";
	screen_draw(&b.s);
	assert_says(b.s.text, "| P      !        -      3.00  slowed ");
	assert_says(b.s.text, "Linux does not tell which clock");
	assert_silent(b.s.text, "pressure ");
	b.p.pressure = POWER_PRESSURE_NOMINAL;
	assert_says(screen_draw(&b.s), " pressure   nominal (thermal");
	b.p.pressure = POWER_PRESSURE_HEAVY;
	assert_says(screen_draw(&b.s), " pressure   heavy (thermal");
	/* Without room for a box they are columns. */
	b.row[1].clock_ghz = 3.75;
	assert_true(canvas_resize(b.s.canvas, 80, 24, NULL));
	screen_draw(&b.s);
	assert_says(b.s.text, " GHz   req ");
	assert_says(row_of(&b, "P"), " 3.00  3.75 ");
	assert_says(b.s.text, " pressure   heavy (thermal");
	b.p.pressure = POWER_PRESSURE_NOMINAL;
	assert_silent(screen_draw(&b.s), "pressure ");
}

/* Rails of Linux: the package and its memory, but no cluster's. */
UNIT(test_packages_stand_without_clusters)
{
	BENCH(b, "epyc", 120, 40);
	b.p.whole[POWER_RAIL_PACKAGE] = watts(120);
	b.p.whole[POWER_RAIL_DRAM] = watts(9);
	b.p.no_traffic = "no uncore_imc here";
	keep(&b);
	screen_draw(&b.s);
	assert_says(row_of(&b, "package"), " 120 ");
	assert_says(row_of(&b, "DRAM"), " 9.0 ");
	assert_says(row_of(&b, "CPU"), "| CPU            - ");
	assert_silent(b.s.text, "nJ/i");
	assert_says(b.s.text, "no uncore_imc here. ktop doctor shows");
}

UNIT(test_without_power_it_says_why_and_what_to_do)
{
	BENCH(b, "m1", 80, 24);
	b.p.no_energy =
		"only root may read the energy (powercap): run ktop as root";
	screen_draw(&b.s);
	assert_says(
		b.s.text,
		"only root may read the energy (powercap): run ktop as root");
	assert_says(b.s.text, "ktop doctor");
	b.p.no_energy = "";
	screen_draw(&b.s);
	assert_says(b.s.text, "no energy has been published yet");
	b.s.fake.f.power = NULL;
	screen_draw(&b.s);
	assert_says(b.s.text, "this source of counters publishes no energy");
	b.s.fake.status.replay = &(struct ui_replay){ .frames = 1 };
	screen_draw(&b.s);
	assert_says(b.s.text, "this recording has no energy");
	assert_silent(b.s.text, "doctor");
}

/* Against a reference: now, before, and the change. */
UNIT(test_a_reference_is_shown_beside)
{
	struct power_row then_row[ROWS], now_row[ROWS];
	struct frame_power then, now;
	struct frame before, recent;

	BENCH(b, "m1", 120, 40);
	run_apple(&b);
	then = now = b.p;
	memcpy(then_row, b.row, sizeof then_row);
	memcpy(now_row, b.row, sizeof now_row);
	then_row[1].energy = watts(5);
	now_row[1].energy = watts(7.5);
	then_row[1].nj_instruction = 0.22;
	then_row[0].energy = nothing.energy;
	then.row = then_row;
	now.row = now_row;
	before = recent = b.s.fake.f;
	before.power = &then;
	recent.power = &now;
	double *deviation =
		calloc((size_t)before.nscopes * (before.nmetrics + 1),
		       sizeof *deviation);
	b.s.view->reference.then = &before;
	b.s.view->reference.now = &recent;
	b.s.view->reference.deviation = deviation;
	screen_draw(&b.s);
	assert_says(b.s.text, " before  change ");
	assert_says(row_of(&b, "P"), " 7.5 ");
	assert_says(row_of(&b, "P"), "     5.0    +2.5 ");
	assert_says(row_of(&b, "E"), "       -       - ");
	/* And as columns of clusters, of which nobody knew the energy of E. */
	b.s.view->kind = VIEW_OVERVIEW;
	screen_draw(&b.s);
	assert_says(line_with(b.s.text, "| P  4-7"), " +2.5 +0.03    0 ");
	assert_says(line_with(b.s.text, "| E  0-3"), "   -     -    0 ");
	b.s.view->reference.then = NULL;
	free(deviation);
}

/* ---- where it is drawn ---- */

/* At all sizes the most important number is there, and frames are whole. */
UNIT(test_all_sizes_show_the_watts)
{
	for (int w = 40; w <= 300; w += 13)
		for (int h = 15; h <= 100; h += 7) {
			BENCH(b, "m1", w, h);
			run_apple(&b);
			screen_draw(&b.s);
			assert_says(row_of(&b, "CPU"), " 22.0");
			for (const char *at = b.s.text; *at != '\0'; at++)
				if (*at == '\n' && at[1] == '|') {
					size_t n = strcspn(at + 1, "\n");

					assert_int_equal(n, w);
					assert_true(at[n] == '|');
				}
		}
}

/* No cluster is left out of a chart: where they are many, kinds have lines. */
UNIT(test_charts_have_a_line_for_each)
{
	static const char *const machine[] = { "m3ultra", "epyc" };

	for (unsigned m = 0; m < 2; m++) {
		BENCH(b, machine[m], 120, 50);
		const struct topology *t = b.s.fake.t;
		bool kinds = t->nclusters > 6;

		for (unsigned i = 0; i < t->nclusters; i++) {
			b.row[i].clock_ghz = 3;
			b.row[i].nj_instruction = 0.1;
		}
		b.row[b.cpu].nj_instruction = 0.2;
		keep(&b);
		screen_draw(&b.s);
		const char *chart = strstr(b.s.text, "- clock, GHz");

		assert_non_null(chart);
		for (unsigned i = 0; i < (kinds ? t->nkinds : t->nclusters);
		     i++) {
			char end[32];

			snprintf(end, sizeof end, " %s ",
				 kinds ? t->kind[i].letter
				       : t->cluster[i].label);
			assert_says(chart, end);
		}
		assert_true(says(chart, " 0.20 |") == kinds);
	}
}

/* ---- in the detail of a row ---- */

UNIT(test_the_detail_has_the_power_of_its_row)
{
	BENCH(b, "m1", 160, 50);
	run_apple(&b);
	b.row[b.cpu].nj_instruction = 0.5;
	b.s.view->kind = VIEW_DETAIL; /* of the whole machine */
	screen_draw(&b.s);
	assert_says(b.s.text, "| power ");
	assert_says(line_with(b.s.text, " nJ/i "), " 0.50 per instruction");
	/* 20e9 bytes a second and 22 W at 0.5 nJ are 44e9 instructions. */
	assert_says(line_with(b.s.text, " B/i "), " 0.45 bytes per instr");
	/* Spans of other lengths have no such ratio. */
	b.row[b.cpu].energy.span_s = 2.1;
	screen_draw(&b.s);
	assert_silent(b.s.text, " B/i ");
	b.s.fake.f.power = NULL;
	screen_draw(&b.s);
	assert_silent(b.s.text, "| power ");
}

/* ---- beside the tables of the overview ---- */

UNIT(test_a_wide_overview_has_the_traffic)
{
	BENCH(b, "m3ultra", 200, 55);
	b.s.view->kind = VIEW_OVERVIEW;
	screen_draw(&b.s);
	assert_silent(b.s.text, "DRAM, GB/s");
	run_apple(&b);
	screen_draw(&b.s);
	assert_says(b.s.text, "IPC by cluster", "DRAM, GB/s ",
		    "now 25% of the ceiling 80 ", "lost issue slots");
	/* The key M chose a metric: IPC is the second chart. */
	b.s.view->chart = (struct view_chart){ .metric = b.s.view->metric.ghz,
					       .own = true };
	screen_draw(&b.s);
	assert_says(b.s.text, "IPC by cluster");
	assert_silent(b.s.text, "DRAM, GB/s");
}

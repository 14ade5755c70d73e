/* Watts, energy of an instruction and memory traffic of clusters. */
#include "ui/screen.h"

#include "model/power.h"

#include <math.h>

static const struct power_row known = {
	.energy = { .watts = 10.42, .span_s = 1 },
	.nj_instruction = 0.284,
	.traffic = { .read = 9e9, .write = 8e9, .both = 17e9, .span_s = 1 },
	.clock_ghz = NAN
};
static const struct power_row nothing = {
	.energy = { .watts = NAN },
	.nj_instruction = NAN,
	.traffic = { .read = NAN, .write = NAN, .both = NAN },
	.clock_ghz = NAN
};

/* E has none of it. */
static void
give(struct screen *s, struct frame_power *p, struct power_row row[3])
{
	row[0] = nothing;
	row[1] = known;
	row[2] = known;
	*p = (struct frame_power){ .nrows = 3,
				   .row = row,
				   .whole = { nothing.energy, nothing.energy,
					      nothing.energy, nothing.energy,
					      nothing.energy },
				   .ceiling = NAN };
	s->fake.f.power = p;
}

UNIT(test_clusters_have_columns_of_power_on_wide_screens)
{
	struct frame_power p;
	struct power_row row[3];

	SCREEN(s, screen_open, "m1", 120, 40, CANVAS_ASCII);
	assert_silent(screen_draw(&s), "nJ/i GB/s");
	give(&s, &p, row);
	assert_says(screen_draw(&s), "   W nJ/i GB/s ");
	assert_says(s.text, "power, DRAM");
	assert_says(s.text, "10.4 0.28   17 |\n");
	assert_says(s.text, "   -    -    - |\n");
	assert_true(canvas_resize(s.canvas, 119, 40, NULL));
	assert_silent(screen_draw(&s), "nJ/i GB/s");
	/* The trend begins behind them. */
	assert_true(canvas_resize(s.canvas, 160, 40, NULL));
	assert_says(screen_draw(&s), "   W nJ/i GB/s   ");
}

/* An idle cluster: "0.2202.0" reads as one number. */
UNIT(test_numbers_of_power_columns_do_not_touch)
{
	struct frame_power p;
	struct power_row row[3];

	SCREEN(s, screen_open, "m1", 120, 40, CANVAS_ASCII);
	give(&s, &p, row);
	row[1].energy.watts = 0.2;
	row[1].nj_instruction = 202.04;
	assert_says(screen_draw(&s), " 0.2  202   17 |\n");
	row[1].nj_instruction = 75.004;
	assert_says(screen_draw(&s), " 0.2 75.0   17 |\n");
	row[1].energy.watts = 123.44;
	assert_says(screen_draw(&s), " 123 75.0   17 |\n");
}

UNIT(test_what_is_doubtful_of_power_is_no_number)
{
	struct frame_power p;
	struct power_row row[3];

	SCREEN(s, screen_open, "m1", 120, 40, CANVAS_ASCII);
	give(&s, &p, row);
	row[1].energy.marks = POWER_DOUBTFUL;
	row[1].traffic.marks = POWER_AT_LEAST;
	assert_says(screen_draw(&s), "10.4    -  >17 |\n");
	row[1].energy.marks = POWER_OWN_CLOCK;
	assert_says(screen_draw(&s), "~10.4~0.28  >17 |\n");
	row[0] = row[1] = nothing;
	assert_silent(screen_draw(&s), "nJ/i GB/s");
}

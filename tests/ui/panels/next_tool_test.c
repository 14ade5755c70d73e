/* The command for the next tool, of the process that is open. */
#include "ui/process_screen.h"
#include "ui/view/value.h"

static const struct event events[] = {
	{ .name = "BRANCH_MISPRED_NONSPEC",
	  .native =
		  "apple_firestorm_pmu/event=0xcb/ apple_icestorm_pmu/event=0xcb/" },
	{ .name = "L1D_CACHE_MISS_LD_NONSPEC",
	  .native = "apple_firestorm_pmu/event=0xbf/" },
};
static const struct catalog catalog = { "linux", events, 2, 0xff };

static enum bottleneck_word word;

static enum bottleneck_word
word_now(const struct monitor *self, const struct span *s, unsigned kind)
{
	return word;
}

static bool
line_is(struct table *k, enum bottleneck_word w, const char *want)
{
	char text[256];
	struct buf b = buf_over(text, sizeof text);

	word = w;
	screen_draw(&k->s);
	struct view *v = k->s.view;

	v->s = &k->s.fake.status;
	v->f = &k->s.fake.f;
	v->procs->t = &k->p.t;
	bool known = view_next_tool(v, row_of(k, 4411), &b);

	if (known && strcmp(buf_cstr(&b), want) != 0)
		fail_msg("%s is not %s", text, want);
	return known;
}

UNIT(test_perf_record_samples_the_evidence)
{
	static struct span s;
	TABLE(k, 120, 40);
	k.s.fake.status.os = "Linux 6.17";
	k.s.fake.status.catalog = &catalog;
	k.s.view->procs->past.word = word_now;
	/* Nothing is counted of the process itself. */
	assert_true(line_is(&k, BOTTLENECK_MEMORY,
			    "perf record -e cycles:u -F 999 -g -p 4411"));
	s = (struct span){ .cycles = 5000000,
			   .have_all = 2,
			   .slot = { 0, 150 } };
	s.slot[1] = 19000000;
	k.s.fake.set.len = 2;
	k.s.fake.set.slot[0] = (struct slot){ &events[0], 5 };
	k.s.fake.set.slot[1] = (struct slot){ &events[1], 6 };
	row_of(&k, 4411)->events = &s;
	assert_true(line_is(
		&k, BOTTLENECK_MEMORY,
		"perf record -e apple_firestorm_pmu/event=0xbf/u -c 20000 -g -p 4411"));
	/* It has no count of the other event, which two PMUs have. */
	assert_true(line_is(
		&k, BOTTLENECK_BAD_SPEC,
		"perf record -e apple_firestorm_pmu/event=0xcb/u,apple_icestorm_pmu/event=0xcb/u -F 999 -g -p 4411"));
	assert_true(line_is(&k, BOTTLENECK_MIXED,
			    "perf record -e cycles:u -F 999 -g -p 4411"));
}

UNIT(test_a_mac_has_instruments)
{
	TABLE(k, 120, 40);
	assert_true(line_is(
		&k, BOTTLENECK_MEMORY,
		"xctrace record --template 'CPU Counters' --attach 4411"));
	k.s.fake.status.os = "Plan 9";
	assert_false(line_is(&k, BOTTLENECK_MEMORY, ""));
}

/* It stands in the foot while a process is open, on any width. */
UNIT(test_the_line_is_on_the_screen)
{
	static const int width[] = { 60, 80, 120 };

	for (unsigned i = 0; i < 3; i++) {
		TABLE(k, width[i], 40);
		assert_silent(screen_draw(&k.s), "xctrace");
		processes_open_key(k.s.view->procs);
		screen_draw(&k.s);
		assert_says(screen_draw(&k.s), "xctrace record --template",
			    " y copy");
	}
}

/* What is said above and below the list of processes: nothing unmeasured. */
#include "ui/golden.h"
#include "ui/process_screen.h"

/* The cores are counted, but a share of their cycles would be none. */
UNIT(test_counts_of_another_frame)
{
	TABLE(k, 80, 24);
	k.p.t.own.value[PROCESS_CYCLES_PCT] = NAN;
	assert_says(screen_draw(&k.s),
		    "processes alone: some counts are of another interval");
	k.s.fake.status.mode = UI_MODE_BUSY;
	k.p.t.cores.known = 0;
	assert_says(screen_draw(&k.s),
		    "processes alone: the cores are not counted");
}

/* Seen for the first time nobody is idle, and no share of the cores known. */
UNIT(test_the_first_frame_says_that_nothing_is_measured)
{
	TABLE(k, 80, 24);
	for (unsigned i = 0; i < k.p.t.n; i++) {
		k.p.row[i].known = 0;
		k.p.row[i].access = PROCESS_NEW;
	}
	k.p.t.own.known = k.p.t.cores.known = 0;
	k.p.t.own.value[PROCESS_CYCLES_PCT] = NAN;
	fake_derive(&k.p);
	k.p.t.own.value[PROCESS_CYCLES_PCT] = NAN;
	screen_draw(&k.s);
	assert_says(k.s.text, "No figures yet: all are seen for the "
			      "first time.");
	assert_silent(k.s.text, "o process uses", "No process is slow",
		      "the cores are not counted");
	k.p.row[3].access = PROCESS_DENIED;
	screen_draw(&k.s);
	assert_says(k.s.text, "Of no process it is known how busy");
}

/* All that rest is measured; of others it is not said that they do. */
UNIT(test_that_none_is_busy)
{
	TABLE(k, 80, 24);
	for (unsigned i = 0; i < k.p.t.n; i++)
		if (k.p.row[i].known != 0)
			memset(&k.p.row[i].d, 0, sizeof k.p.row[i].d);
	fake_derive(&k.p);
	assert_says(screen_draw(&k.s),
		    "No process is slow: no process uses 5% of a core.");
	k.p.t.everything = false;
	assert_says(screen_draw(&k.s),
		    "no process that can be read uses 5% of a core.");
}

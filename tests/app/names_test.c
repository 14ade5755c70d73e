/* Names of events in the config file, and what an own preset leaves out. */
#include "app/app.h"
#include "options/config.h"

#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/metric.h"

static const struct event event[] = {
	{ .name = "INST_ALL", .counters = 0x80 },
	{ .name = "L1D_TLB_MISS_NONSPEC", .counters = 0xfc },
	{ .name = "NEW_THING", .counters = 0x80, .alias = "NewThing" },
};
static const struct catalog here = { "made up", event, 3, 0xfc };

static struct err e;

static struct options *
take(const char *text)
{
	struct options *o = calloc(1, sizeof *o);

	assert_non_null(o);
	e = (struct err){ ERR_NONE, "" };
	assert_true(config_parse(o, "rc", text, &e));
	return o;
}

static void
check(const char *text, const struct catalog *c, const char *says)
{
	struct options *o = take(text);

	if (says == NULL) {
		assert_true(user_names_known(&o->user, c, &e));
	} else {
		assert_false(user_names_known(&o->user, c, &e));
		assert_int_equal(e.code, ERR_USAGE);
		assert_ptr_equal(strstr(e.text, says), e.text);
	}
	free(o);
}

UNIT(an_event_of_no_chip_has_its_place)
{
	check("delay = 1\n", NULL, NULL);
	/* The first of the name in the line is another word. */
	check("[preset a]\nevents = INST_ALL INST_AL\n", NULL,
	      "rc:2:19: unknown event 'INST_AL'; did you mean 'INST_ALL'?");
	check("[preset a]\n\nevents = INST_ALL, BAR\n", NULL,
	      "rc:3:20: unknown event 'BAR'");
	check("[preset a]\nevents = INST_ALL|L1D_TLB_MISS_NONSPEC\n", &here,
	      "rc:2:10: unknown event");
}

UNIT(events_of_any_chip_are_known)
{
	/* Apple's, Linux's own, those of the kernel. */
	check("[preset a]\nevents = RETIRE_UOP, INST_ALL\n", NULL, NULL);
	check("[preset a]\nevents = SW_PAGE_FAULTS, BRANCH_ANY\n", &here, NULL);
	/* What only this machine's database has. */
	check("[preset a]\nevents = NEW_THING\n", &here, NULL);
	check("[preset a]\nevents = NewThing\n", &here, NULL);
	check("[preset a]\nevents = NEW_THING\n", NULL,
	      "rc:2:10: unknown event 'NEW_THING'");
}

UNIT(another_chips_events_are_told)
{
	struct options *o = take("[preset a]\nevents = INST_ALL\n");
	char text[160];

	assert_false(user_names_missing(&o->user, &here, text, sizeof text));
	free(o);
	o = take("[preset a]\nevents = INST_ALL, RETIRE_UOP\n");
	assert_true(user_names_missing(&o->user, &here, text, sizeof text));
	assert_non_null(strstr(text, "rc:2:20: this machine has no event "
				     "RETIRE_UOP;"));
	free(o);
	o = take("[preset a]\nevents = INST_ALL, RETIRE_UOP, MAP_STALL\n");
	assert_true(user_names_missing(&o->user, &here, text, sizeof text));
	assert_non_null(strstr(text, "RETIRE_UOP, nor 1 other below it;"));
	free(o);
}

UNIT(what_finds_no_counter_is_told)
{
	struct options *o = take(
		"[preset a]\nmetrics = ipc, l1dtlb_mpki\nevents = NEW_THING\n"
		"[preset b]\nevents = L1D_TLB_MISS_NONSPEC, NEW_THING, RETIRE_UOP\n");
	struct eventset set;
	char text[160];

	assert_true(user_preset_derive(&o->user, (int)preset_count, &here,
				       DOMAIN_ALL, &set, &e));
	assert_true(user_left_out(&o->user, (int)preset_count, &set, &here,
				  text, sizeof text));
	/* A metric is taken whole or not at all: neither of its events is. */
	assert_string_equal(
		text,
		"preset a has no counter left for "
		"INST_ALL (for l1dtlb_mpki), "
		"L1D_TLB_MISS_NONSPEC (for l1dtlb_mpki); earlier events of the preset use them all");
	assert_int_equal(set.ndropped, 2);
	assert_string_equal(set.dropped[0].why,
			    "counter 7 is taken by metrics before it");
	/* What the machine has not is another sentence's. */
	assert_true(user_preset_derive(&o->user, (int)preset_count + 1, &here,
				       DOMAIN_ALL, &set, &e));
	assert_int_equal(set.ndropped, 1);
	assert_false(user_left_out(&o->user, (int)preset_count + 1, &set, &here,
				   text, sizeof text));
	assert_false(
		user_left_out(&o->user, 0, &set, &here, text, sizeof text));
	free(o);
}

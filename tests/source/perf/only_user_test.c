/* --user: events in user mode beside a pair that counts every mode. */
#include "model/metric.h"
#include "source/fake_perf.h"

UNIT(user_only_counts_the_pair_twice)
{
	struct rig r;
	unsigned user = 0, all = 0;

	rig_prepare(&r, "alderlake-12900k");
	r.o.user_only = true;
	rig_open(&r);
	assert_true(rig_program(&r, "basic"));
	assert_int_equal(r.s->info.domain, DOMAIN_USER);
	for (struct fake_event *e = fake_first_on(r.f, 0); e != NULL;
	     e = fake_next_on(e)) {
		if (e->attr.config != 0xc0)
			continue;
		user += e->attr.exclude_kernel;
		all += !e->attr.exclude_kernel;
	}
	assert_int_equal(user, 1);
	assert_int_equal(all, 1);
	rig_close(&r);
}

/* Slots are cycles times a width: of user mode's cycles, then. */
UNIT(user_only_has_its_own_slots)
{
	const struct event *slots;
	struct eventset set = { .len = 0 };
	struct rig r;
	unsigned user = 0;

	rig_prepare(&r, "zen4-7950x");
	r.o.user_only = true;
	rig_open(&r);
	/* The pair is an event like others, by its number. */
	assert_int_equal(catalog_find(r.s->info.catalog, "INST_ALL")->number,
			 0xc0);
	slots = catalog_find(r.s->info.catalog, "SLOT_TOTAL");
	assert_non_null(slots);
	assert_true(slots_place(r.s->info.catalog, &slots, 1, &set, &r.e));
	assert_true(r.s->ops->program(r.s, &set, &r.e));
	rig_read(&r);
	fake_second(r.f, 1000);
	for (struct fake_event *e = fake_first_on(r.f, 0); e != NULL;
	     e = fake_next_on(e)) {
		if (!e->attr.exclude_kernel)
			continue;
		assert_int_equal(e->attr.config, 0x76);
		e->value = 400;
		user++;
	}
	assert_int_equal(user, 1);
	rig_read(&r);
	assert_int_equal(r.sample->cpu[0].fixed[FIXED_CYCLES].count, 1000);
	assert_true(r.sample->cpu[0].slot[0].supported);
	assert_int_equal(r.sample->cpu[0].slot[0].count, 6 * 400);
	rig_close(&r);
}

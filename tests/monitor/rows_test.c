/* Which rows are believed, and what becomes of those that are not. */
#include "model/near.h"

/*
 * Every combination of rows that came, came without progress, or did not come,
 * on four CPUs: the kernel withholds one row for each silent CPU.
 */
UNIT(test_off_stale_missing)
{
	for (unsigned combination = 0; combination < 81; combination++) {
		unsigned kind[RIG_CPUS], silent = 0, missing = 0;
		struct rig r;

		rig_open(&r, "a14", NULL, true);
		rig_work(&r);
		for (unsigned i = 0, c = combination; i < 4; i++, c /= 3) {
			kind[i] = c % 3;
			silent += kind[i] == 1;
			missing += kind[i] == 2;
			if (kind[i] == 1) /* the row of the last reading */
				rig_run(&r, i, 0 - (uint64_t)2000000000,
					0 - (uint64_t)3000000000);
			if (kind[i] == 2)
				r.s->cpu[i].state = CPU_MISSING;
		}
		const struct frame *f = rig_feed(&r);

		for (unsigned i = 0; i < RIG_CPUS; i++) {
			uint32_t want = 0;

			/* All missing: the kernel refused the reading. */
			if (kind[i] == 1 ||
			    (kind[i] == 2 && silent == 0 && missing < RIG_CPUS))
				want = QUALITY_OFF;
			else if (kind[i] == 2)
				want = QUALITY_STALE;
			assert_int_equal(f->span[i].quality, want);
			assert_int_equal(f->span[i].n_ok, kind[i] == 0);
			assert_int_equal(span_has_fixed(&f->span[i]),
					 kind[i] == 0);
			assert_int_equal(rig_state(f, i, "ipc"),
					 want == QUALITY_OFF     ? VALUE_OFF
					 : want == QUALITY_STALE ? VALUE_STALE
								 : VALUE_OK);
			assert_true(isnan(rig_value(f, i, "ipc")) ==
				    (want != 0));
		}
		assert_int_equal(f->span[RIG_ALL].n_ok, 4 - silent - missing);
		assert_int_equal(f->span[RIG_ALL].cycles,
				 (4 - silent - missing) * UINT64_C(2000000000));
		rig_close(&r);
	}
}

/* A stale row's counts arrive with the next good one; totals stay exact. */
UNIT(test_catchup)
{
	struct rig r;

	rig_open(&r, "a14", "basic", true);
	for (int i = 0; i < 2; i++) {
		rig_work(&r);
		rig_count(&r, 3, "INST_ALL", 1000000000);
		r.s->cpu[3].state = CPU_MISSING;
		r.s->cpu[0].fixed[0].count -= 2000000000;
		r.s->cpu[0].fixed[1].count -= 3000000000;
		assert_non_null(rig_feed(&r));
	}
	rig_work(&r);
	rig_count(&r, 3, "INST_ALL", 1000000000);
	r.s->cpu[3].state = CPU_DELIVERED;
	const struct frame *f = rig_feed(&r);

	assert_int_equal(f->span[3].quality, QUALITY_CATCHUP);
	assert_int_equal(f->span[3].cycles, 6000000000);
	assert_true(near(span_interval_s(&f->span[3]), 3));
	assert_int_equal(f->span[3].slot[rig_slot(&r, "INST_ALL")], 3000000000);
	/* CPU 0 was off for two seconds and worked in the third. */
	assert_int_equal(f->span[0].quality, QUALITY_CATCHUP);
	assert_int_equal(f->span[0].cycles, 2000000000);
	/* Rates of a group divide by the time its CPUs cover. */
	assert_true(near(rig_value(f, RIG_P, "gips"), 6));
	assert_int_equal(f->span[RIG_P].quality, QUALITY_CATCHUP);
	rig_close(&r);
}

/* Garbage in a row is dropped, and the baseline is still the good one. */
UNIT(test_garbage)
{
	static const uint64_t garbage[] = { 0, 17, UINT64_C(1) << 40,
					    UINT64_MAX };

	for (unsigned g = 0; g < 4; g++) {
		struct rig r;
		struct reading good[FIXED_COUNT];

		rig_open(&r, "a14", NULL, true);
		rig_work(&r);
		memcpy(good, r.s->cpu[1].fixed, sizeof good);
		r.s->cpu[1].fixed[0].count = garbage[g];
		r.s->cpu[1].fixed[1].count = garbage[g];
		/* Standing garbage never becomes plausible by waiting. */
		for (int i = 0; i < 400; i++) {
			const struct frame *f = rig_feed(&r);

			assert_int_equal(f->span[1].quality, QUALITY_OFF);
			assert_int_equal(f->span[1].cycles, 0);
			rig_pass(&r, 1000, 0);
			for (unsigned c = 0; c < RIG_CPUS; c++)
				if (c != 1)
					rig_run(&r, c, 2000000000, 3000000000);
		}
		memcpy(r.s->cpu[1].fixed, good, sizeof good);
		const struct frame *f = rig_feed(&r);

		assert_int_equal(f->span[1].quality, QUALITY_CATCHUP);
		assert_int_equal(f->span[1].cycles, 2000000000);
		rig_close(&r);
	}
}

UNIT(test_reset)
{
	struct rig r;

	for (int stale = 0; stale < 2; stale++) {
		rig_open(&r, "a14", "basic", stale);
		rig_work(&r);
		assert_non_null(rig_feed(&r));
		/* CPU 2 starts from nothing. */
		r.s->cpu[2].fixed[0].count = r.s->cpu[2].fixed[1].count =
			2000000;
		rig_pass(&r, 1000, 0);
		const struct frame *f = rig_feed(&r);

		assert_int_equal(f->span[2].quality,
				 stale ? QUALITY_OFF : QUALITY_STALE);
		rig_work(&r);
		f = rig_feed(&r);
		assert_int_equal(f->span[2].quality & QUALITY_LOST,
				 QUALITY_LOST);
		assert_false(span_has_fixed(&f->span[2]));
		rig_work(&r);
		f = rig_feed(&r);
		assert_int_equal(f->span[2].quality, 0);
		assert_int_equal(f->span[2].cycles, 2000000000);
		rig_close(&r);
	}
}

/* Two rejected rows that do not agree are no reset. */
UNIT(test_no_reset)
{
	struct rig r;

	rig_open(&r, "a14", NULL, true);
	rig_work(&r);
	assert_non_null(rig_feed(&r));
	uint64_t good = r.s->cpu[2].fixed[0].count;

	for (uint64_t junk = 900; junk > 100; junk -= 100) {
		rig_pass(&r, 1000, 0);
		r.s->cpu[2].fixed[0].count = r.s->cpu[2].fixed[1].count = junk;
		const struct frame *f = rig_feed(&r);

		assert_int_equal(f->span[2].quality, QUALITY_OFF);
	}
	rig_pass(&r, 1000, 0);
	r.s->cpu[2].fixed[0].count = good + 5000000;
	r.s->cpu[2].fixed[1].count = 3000000000 + 3000000000 + 7000000;
	const struct frame *f = rig_feed(&r);

	assert_int_equal(f->span[2].cycles, 5000000);
	assert_int_equal(f->span[2].instructions, 7000000);
	rig_close(&r);
}

/* Counters are 64-bit: 2^64-5 to 10 is 15. */
UNIT(test_wrap)
{
	struct rig r;

	rig_open(&r, "a14", "basic", false);
	unsigned slot = rig_slot(&r, "INST_ALL");

	r.s->cpu[0].fixed[0].count = UINT64_MAX - 4;
	r.s->cpu[0].slot[slot].count = UINT64_MAX - 4;
	rig_pass(&r, 1000, 0);
	(void)rig_feed(&r); /* rejected or not: establishes nothing yet */
	rig_pass(&r, 1000, 0);
	(void)rig_feed(&r);
	monitor_free(r.m);
	r.m = monitor_new(
		r.t, &(struct monitor_options){ .catalog = &r.events->catalog },
		NULL);
	assert_null(rig_feed(&r));
	rig_pass(&r, 1000, 0);
	r.s->cpu[0].fixed[0].count = 10;
	r.s->cpu[0].slot[slot].count = 10;
	const struct frame *f = rig_feed(&r);

	assert_int_equal(f->span[0].cycles, 15);
	assert_int_equal(f->span[0].slot[slot], 15);
	assert_true(span_has_slot(&f->span[0], slot));
	rig_close(&r);
}

/* One counter that was written to: its count is lost, the row is not. */
UNIT(test_slot_lost)
{
	struct rig r;

	rig_open(&r, "a14", "basic", true);
	rig_count(&r, 2, "INST_ALL", 5000);
	rig_work(&r);
	assert_non_null(rig_feed(&r));
	rig_work(&r);
	r.s->cpu[2].slot[rig_slot(&r, "INST_ALL")].count = 3;
	const struct frame *f = rig_feed(&r);

	assert_int_equal(f->span[2].quality, QUALITY_LOST);
	assert_false(span_has_slot(&f->span[2], rig_slot(&r, "INST_ALL")));
	assert_true(span_has_slot(&f->span[2], rig_slot(&r, "MAP_STALL")));
	assert_int_equal(f->span[2].cycles, 2000000000);
	rig_work(&r);
	rig_count(&r, 2, "INST_ALL", 77);
	f = rig_feed(&r);
	assert_int_equal(f->span[2].slot[rig_slot(&r, "INST_ALL")], 77);
	rig_close(&r);
}

static uint32_t
next_random(uint32_t *seed)
{
	*seed = *seed * 1664525 + 1013904223;
	return *seed >> 8;
}

/*
 * The kernel's buffer as XNU keeps it: silent CPUs leave their rows as they
 * were, and as many rows at the end are not copied out. Whatever comes and
 * goes, no count is lost or made up.
 */
UNIT(test_totals_continue)
{
	uint64_t counted[RIG_CPUS] = { 0 }, slots[RIG_CPUS] = { 0 };
	uint32_t seed = 3, off = 0;
	struct sample *truth = sample_new(RIG_CPUS, NULL);
	struct cpu_sample kernel[RIG_CPUS];
	struct rig r;

	rig_open(&r, "a14", "basic", true);
	unsigned slot = rig_slot(&r, "INST_ALL");

	memcpy(truth->cpu, r.s->cpu, sizeof kernel);
	memcpy(kernel, r.s->cpu, sizeof kernel);
	for (int i = 0; i < 5000; i++) {
		unsigned answered = 0;

		if (next_random(&seed) % 3 == 0)
			off = i < 4990 ? next_random(&seed) % 16 : 0;
		rig_pass(&r, 1000, 0);
		for (unsigned c = 0; c < RIG_CPUS; c++) {
			struct cpu_sample *t = &truth->cpu[c];

			if ((off & 1u << c) != 0)
				continue;
			answered++;
			t->fixed[0].count +=
				1 + next_random(&seed) % 3000000000;
			t->fixed[1].count += 1 + next_random(&seed) % 9000000;
			t->slot[slot].count += next_random(&seed) % 9000000;
			kernel[c] = *t;
		}
		for (unsigned c = 0; c < RIG_CPUS; c++) {
			r.s->cpu[c] = kernel[c];
			r.s->cpu[c].state =
				c < answered ? CPU_DELIVERED : CPU_MISSING;
		}
		const struct frame *f = rig_feed(&r);

		for (unsigned c = 0; c < RIG_CPUS; c++) {
			assert_false(f->span[c].quality & QUALITY_LOST);
			counted[c] += f->span[c].cycles;
			slots[c] += f->span[c].slot[slot];
		}
	}
	assert_int_equal(off, 0);
	for (unsigned c = 0; c < RIG_CPUS; c++) {
		assert_int_equal(counted[c], truth->cpu[c].fixed[0].count -
						     1000000000 * (c + 1));
		assert_int_equal(slots[c], truth->cpu[c].slot[slot].count);
	}
	sample_free(truth);
	rig_close(&r);
}

/* The system says off; it comes back with its totals. */
UNIT(test_hotplug)
{
	struct rig r;

	rig_open(&r, "a14", NULL, false);
	rig_work(&r);
	r.s->cpu[3].state = CPU_OFF;
	const struct frame *f = rig_feed(&r);

	assert_int_equal(f->span[3].quality, QUALITY_OFF);
	assert_int_equal(f->span[RIG_P].n_ok, 1);
	assert_int_equal(f->span[RIG_P].quality, 0);
	r.s->cpu[2].state = CPU_OFF;
	rig_work(&r);
	f = rig_feed(&r);
	assert_int_equal(f->span[RIG_P].quality, QUALITY_OFF);
	assert_int_equal(rig_state(f, RIG_P, "ipc"), VALUE_OFF);
	assert_int_equal(f->span[RIG_ALL].n_ok, 2);
	assert_int_equal(f->span[RIG_ALL].quality, 0);
	rig_close(&r);
}

/* Idle counters may stand still where rows are never old. */
UNIT(test_still_is_idle)
{
	struct rig r;

	rig_open(&r, "a14", NULL, false);
	rig_pass(&r, 1000, 0);
	const struct frame *f = rig_feed(&r);

	assert_int_equal(f->span[0].quality, QUALITY_IDLE);
	assert_int_equal(f->span[0].n_ok, 1);
	assert_int_equal(rig_state(f, 0, "ipc"), VALUE_IDLE);
	rig_close(&r);
}

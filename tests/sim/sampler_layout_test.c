/* libkperf-sampler: chips and layouts of tomorrow, numbers for people. */
#include "sim/calls.h"
#include "sim/sampler_mac.h"

static struct {
	const char *name; /* of the database */
} fake;

static int
db_create_renamed(const char *name, struct kpep_db **db)
{
	int rc = sim_kperfdata()->kpep_db_create(name, db);

	if (rc == 0)
		(*db)->name = fake.name;
	return rc;
}

UNIT(chips_of_tomorrow)
{
	static const char *const names[] = { "InstAll", "Cycles",
					     "BranchMispredNonspec" };
	struct kps_error e;
	struct kps_thread *t;

	boot_with_calls("m5max,clock=step");
	kpep.kpep_db_create = db_create_renamed;
	struct kps_options o = through(&kpc, &kpep);
	fake.name = "as9";
	struct kps_sampler *s = kps_sampler_new(&o, &e);
	assert_non_null(s);
	assert_int_equal(kps_sampler_chip(s), KPS_CHIP_UNKNOWN);
	assert_string_equal(kps_database_name(kps_sampler_database(s)), "as9");
	t = thread_new(s, names, 3); /* agnostic names still work */
	assert_string_equal(kps_thread_event(t, 0)->name, "INST_ALL");
	assert_true(kps_thread_start(t, &e));
	kps_thread_free(t);
	kps_sampler_free(s);

	o.known_chip_only = true;
	assert_null(kps_sampler_new(&o, &e));
	assert_int_equal(e.code, KPS_UNKNOWN_CPU);
	assert_non_null(strstr(e.text, "as9"));
	fake.name = "\x80\x01";
	assert_null(kps_sampler_new(&o, &e));
	assert_int_equal(e.code, KPS_INVALID_CPU_NAME);
	fake.name = "as5-1";
	s = kps_sampler_new(&o, &e);
	assert_non_null(s);
	assert_int_equal(kps_sampler_chip(s), KPS_CHIP_M5);
	kps_sampler_free(s);
}

/* ---- events of an unknown layout: 64 bytes apart ---- */

struct strange {
	struct kpep_event *real;
	char rest[56];
};

static struct strange strange[256];

static struct kpep_event *
real(struct kpep_event *e)
{
	return ((struct strange *)(void *)e)->real;
}

static int
strange_events(struct kpep_db *db, struct kpep_event **buf, size_t size)
{
	int rc = sim_kperfdata()->kpep_db_events(db, buf, size);

	for (size_t i = 0; rc == 0 && i < size / sizeof(*buf); i++) {
		memset(&strange[i], 0xa5, sizeof(strange[i]));
		strange[i].real = buf[i];
		buf[i] = (void *)&strange[i];
	}
	return rc;
}

static int
strange_name(struct kpep_event *e, const char **text)
{
	return sim_kperfdata()->kpep_event_name(real(e), text);
}

static int
strange_alias(struct kpep_event *e, const char **text)
{
	return sim_kperfdata()->kpep_event_alias(real(e), text);
}

static int
strange_description(struct kpep_event *e, const char **text)
{
	return sim_kperfdata()->kpep_event_description(real(e), text);
}

static int
strange_add(struct kpep_config *c, struct kpep_event **e, uint32_t flag,
	    uint32_t *err)
{
	struct kpep_event *live = real(*e);

	return sim_kperfdata()->kpep_config_add_event(c, &live, flag, err);
}

UNIT(an_unknown_layout)
{
	/* The order that the framework cannot place as it comes. */
	static const char *const names[] = { "INST_BRANCH_CALL", "INST_BRANCH",
					     "INST_ALL", "Cycles" };
	static const char *const crowd[] = { "INST_ALL", "INST_LDST" };
	struct kps_error e;
	uint64_t a[4], b[4];

	boot_with_calls("m1,clock=step");
	kpep.kpep_db_events = strange_events;
	kpep.kpep_event_name = strange_name;
	kpep.kpep_event_alias = strange_alias;
	kpep.kpep_event_description = strange_description;
	kpep.kpep_config_add_event = strange_add;
	struct kps_options o = through(&kpc, &kpep);
	struct kps_sampler *s = kps_sampler_new(&o, &e);
	assert_non_null(s);
	const struct kps_event *ev =
		kps_database_find(kps_sampler_database(s), "InstAll");
	assert_string_equal(ev->name, "INST_ALL");
	assert_int_equal(ev->number, -1);
	assert_int_equal(ev->counters, 0);
	assert_non_null(ev->description);
	assert_int_equal(kps_database_event_layout(kps_sampler_database(s)), 0);
	assert_false(kps_place(kps_sampler_database(s), names, 4, NULL, &e));
	assert_int_equal(e.code, KPS_EVENT_LAYOUT);
	struct kps_thread *t = thread_new(s, names, 4);
	thread_start(t);
	thread_read(t, a);
	step_ns(1000000);
	thread_read(t, b);
	assert_true(b[2] - a[2] > b[1] - a[1]); /* in the caller's order */
	assert_true(b[1] - a[1] > b[0] - a[0]);
	kps_thread_free(t);
	assert_null(kps_thread_new(s, crowd, 2, &e));
	assert_int_equal(e.code, KPS_CONFLICT);
	assert_non_null(strstr(e.text, "INST_ALL and INST_LDST"));
	kps_sampler_free(s);
	o.known_layout_only = true;
	assert_null(kps_sampler_new(&o, &e));
	assert_int_equal(e.code, KPS_EVENT_LAYOUT);
}

UNIT(numbers_for_people)
{
	static const struct {
		double value;
		enum kps_unit unit;
		const char *text;
	} row[] = {
		{ 0, KPS_UNIT_CYCLES, "0.000 cycles" },
		{ 3.25, KPS_UNIT_CYCLES, "3.250 cycles" },
		{ 12345, KPS_UNIT_INSTRUCTIONS, "12.35 Kinstr" },
		{ 999.94, KPS_UNIT_COUNTS, "999.9 counts" },
		{ 999.96, KPS_UNIT_COUNTS, "1.000 Kcounts" },
		{ 9999.6, KPS_UNIT_COUNTS, "10.00 Kcounts" },
		{ 2.5e6, KPS_UNIT_BRANCH_MISSES, "2.500 Mmisses" },
		{ 7e9, KPS_UNIT_UOPS, "7.000 Guops" },
		{ 5e16, KPS_UNIT_UOPS, "50000.0 Tuops" },
		{ 0.004, KPS_UNIT_CACHE_MISSES, "0.004 misses" },
		{ 0.00107, KPS_UNIT_SECONDS, "1.070 ms" },
		{ 2.5e-8, KPS_UNIT_SECONDS, "25.00 ns" },
		{ 90, KPS_UNIT_SECONDS, "90.00 s" },
	};
	char buf[40], tiny[4];

	for (unsigned i = 0; i < LEN(row); i++)
		assert_string_equal(
			kps_format(buf, sizeof(buf), row[i].value, row[i].unit),
			row[i].text);
	assert_string_equal(
		kps_format(buf, sizeof(buf), 0.0 / (double)0, KPS_UNIT_CYCLES),
		"-");
	assert_string_equal(kps_format_per(buf, sizeof(buf), 2080,
					   KPS_UNIT_CYCLES, 4000, "byte"),
			    "0.520 cycles/byte");
	assert_string_equal(
		kps_format(tiny, sizeof(tiny), 3.25, KPS_UNIT_CYCLES), "3.2");
}

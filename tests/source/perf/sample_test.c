/*
 * What the perf source says of a row in a sample, over a kernel that is not
 * there: times of counters that are shared, CPUs that come and go, events of
 * two members or with a factor, and descriptors that are given back.
 */
#include "model/metric.h"
#include "source/perf_processes.h"

#define SECOND UINT64_C(1000000000)

static struct cpu_sample
row(const struct rig *r, unsigned cpu)
{
	return r->sample->cpu[cpu];
}

static void
is_since(const struct reading *now, const struct reading *before,
	 uint64_t count, uint64_t enabled, uint64_t running)
{
	assert_true(now->supported);
	assert_int_equal(now->count - before->count, count);
	assert_int_equal(now->enabled_ns - before->enabled_ns, enabled);
	assert_int_equal(now->running_ns - before->running_ns, running);
}

/* The kernel's times of that CPU's group, and of no other. */
UNIT(counters_that_are_shared)
{
	unsigned at[EVENTSET_MAX] = { 0 };
	struct rig r;

	rig_prepare(&r, "alderlake-12900k");
	r.o.mux = true; /* by turns */
	rig_open(&r);
	rig_events(&r, "INST_BRANCH BRANCH_MISPRED_NONSPEC", at);
	rig_second(&r, 1000);
	struct cpu_sample shared = row(&r, 3), whole = row(&r, 4);

	r.f->now_ns += (int64_t)SECOND;
	for (int cpu = 0; cpu < 24; cpu++)
		for (struct fake_event *e = fake_first_on(r.f, cpu); e != NULL;
		     e = fake_next_on(e)) {
			e->value += 500;
			if (!fake_leads(r.f, e))
				continue;
			e->en += SECOND;
			e->run += cpu == 3 ? SECOND / 4 : SECOND;
		}
	rig_read(&r);
	struct cpu_sample a = row(&r, 3), b = row(&r, 4);

	for (unsigned k = 0; k < FIXED_COUNT; k++) {
		is_since(&a.fixed[k], &shared.fixed[k], 500, SECOND,
			 SECOND / 4);
		is_since(&b.fixed[k], &whole.fixed[k], 500, SECOND, SECOND);
	}
	for (unsigned i = 0; i < 2; i++) {
		is_since(&a.slot[at[i]], &shared.slot[at[i]], 500, SECOND,
			 SECOND / 4);
		is_since(&b.slot[at[i]], &whole.slot[at[i]], 500, SECOND,
			 SECOND);
		assert_false(a.slot[at[i]].held);
	}
	rig_close(&r);
}

static int
offline(struct fake *f, const struct perf_event_attr *attr, int cpu, int leader)
{
	return f->arg != NULL && cpu >= *(int *)f->arg ? ENODEV : 0;
}

/* Off: nothing of it; back: its totals go on, by its own clock. */
UNIT(off_and_back)
{
	static const char online[] = "/sys/devices/system/cpu/online";
	unsigned at[EVENTSET_MAX] = { 0 };
	int first_off = 4;
	struct rig r;

	rig_start(&r, "rk3588", offline);
	rig_events(&r, "INST_BRANCH", at);
	for (unsigned n = 0; n < 3; n++)
		rig_second(&r, 1000);
	struct cpu_sample before = row(&r, 5);

	r.f->arg = &first_off;
	for (int cpu = first_off; cpu < 8; cpu++)
		for (struct fake_event *e = fake_first_on(r.f, cpu); e != NULL;
		     e = fake_next_on(e))
			e->torn = true;
	/* The list follows late: attempts become rarer meanwhile. */
	for (unsigned n = 0; n < 3; n++)
		rig_second(&r, 0);
	assert_false(row(&r, 5).fixed[FIXED_CYCLES].supported);
	rig_write(&r, online, "0-3\n");
	for (unsigned n = 0; n < 3; n++) {
		rig_second(&r, 1000);
		for (unsigned cpu = 0; cpu < 8; cpu++) {
			struct cpu_sample c = row(&r, cpu);
			bool on = cpu < 4;

			assert_int_equal(c.state, on ? CPU_DELIVERED : CPU_OFF);
			assert_int_equal(c.fixed[FIXED_CYCLES].supported, on);
			assert_int_equal(c.slot[at[0]].supported, on);
		}
	}
	r.f->arg = NULL;
	rig_write(&r, online, "0-7\n");
	for (unsigned n = 0; n < 2; n++) {
		fake_second(r.f, 0); /* opened in one of these */
		rig_read(&r);
	}
	assert_int_equal(row(&r, 5).state, CPU_DELIVERED);
	struct cpu_sample back = row(&r, 5);

	assert_int_equal(back.fixed[0].count, before.fixed[0].count);
	assert_in_range(back.fixed[0].enabled_ns - before.fixed[0].enabled_ns,
			0, SECOND);
	assert_in_range(back.slot[at[0]].running_ns -
				before.slot[at[0]].running_ns,
			0, SECOND);
	rig_second(&r, 1000);
	struct cpu_sample now = row(&r, 5);

	is_since(&now.fixed[0], &back.fixed[0], 1000, SECOND, SECOND);
	is_since(&now.slot[at[0]], &back.slot[at[0]], 1000, SECOND, SECOND);
	rig_close(&r);
}

/* Both members of one event are counted, once each. */
UNIT(an_event_of_two_members)
{
	unsigned at[EVENTSET_MAX] = { 0 };
	struct rig r;

	rig_start(&r, "alderlake-12900k", NULL);
	rig_events(&r, "LOAD_BEYOND_L2 INST_BRANCH", at);
	rig_second(&r, 1000);
	for (unsigned n = 0; n < 3; n++) {
		struct cpu_sample before = row(&r, 20);
		struct fake_event *one = fake_find(r.f, 20, 10, 0x4d1),
				  *more = fake_find(r.f, 20, 10, 0x80d1);

		assert_non_null(one);
		assert_non_null(more);
		more->value += 70;
		rig_second(&r, 1000);
		struct cpu_sample now = row(&r, 20);

		is_since(&now.slot[at[0]], &before.slot[at[0]], 2070, SECOND,
			 SECOND);
		is_since(&now.slot[at[1]], &before.slot[at[1]], 1000, SECOND,
			 SECOND);
		is_since(&now.fixed[0], &before.fixed[0], 1000, SECOND, SECOND);
	}
	rig_close(&r);
}

/* Neoverse V1: 32 slots for each wrong guess, 8 for each cycle. */
UNIT(an_event_with_a_factor)
{
	unsigned at[EVENTSET_MAX] = { 0 };
	char path[120];
	struct rig r;

	rig_prepare(&r, "neoverse-n1-80");
	for (int cpu = 0; cpu < 80; cpu++) {
		snprintf(
			path, sizeof(path),
			"/sys/devices/system/cpu/cpu%d/regs/identification/midr_el1",
			cpu);
		rig_write(&r, path, "0x00000000411fd401\n");
	}
	rig_write(&r, "/sys/devices/armv8_pmuv3_0/caps/slots", "0x00000008\n");
	rig_open(&r);
	rig_events(&r, "SLOT_RECOVERY INST_BRANCH SLOT_TOTAL", at);
	rig_second(&r, 1000);
	struct cpu_sample before = row(&r, 7);

	rig_second(&r, 1000);
	struct cpu_sample now = row(&r, 7);

	is_since(&now.slot[at[0]], &before.slot[at[0]], 32000, SECOND, SECOND);
	is_since(&now.slot[at[1]], &before.slot[at[1]], 1000, SECOND, SECOND);
	is_since(&now.slot[at[2]], &before.slot[at[2]], 8000, SECOND, SECOND);
	rig_close(&r);
}

/* The last level is the L2 where there is no L3: that is not one number. */
UNIT(the_last_level_of_low_power_cores)
{
	static const struct {
		const char *machine;
		bool unlike;
	} of[] = { { "meteorlake-185h", true }, { "alderlake-12900k", false } };
	const unsigned metric = (unsigned)metric_find("llc_mpki");

	for (unsigned m = 0; m < 2; m++) {
		unsigned at[EVENTSET_MAX] = { 0 };
		struct rig r;

		rig_start(&r, of[m].machine, NULL);
		rig_events(&r, "LLC_MISS INST_BRANCH", at);
		for (unsigned n = 0; n < 3; n++)
			rig_second(&r, n == 0 ? 0 : SECOND);
		assert_int_equal(rig_event(&r, "LLC_MISS")->unlike,
				 of[m].unlike);
		assert_false(rig_event(&r, "INST_BRANCH")->unlike);
		for (unsigned row = 0; row < r.frame->nscopes; row++) {
			bool all = row == frame_scope_all(r.frame);

			assert_true(near(rig_value(&r, row, "llc_mpki"), 1000));
			assert_int_equal(frame_marks(r.frame, row, metric),
					 all && of[m].unlike ? VALUE_UNLIKE
							     : 0);
		}
		rig_close(&r);
	}
}

static bool
stands_still(struct fake *f, struct fake_event *e, void *buf, ssize_t *n)
{
	if (e->cpu == 0 && f->arg != NULL)
		e->en = e->run = 0;
	return false;
}

/* Attempts become rarer, up to one that lasts: then they begin anew. */
UNIT(attempts_begin_anew)
{
	struct rig r;
	unsigned opens, n = 0;

	rig_prepare(&r, "rk3588");
	r.f->on_read = stands_still;
	rig_open(&r);
	rig_second(&r, SECOND);
	r.f->arg = &r;
	for (int i = 0; i < 40; i++)
		rig_second(&r, SECOND);
	opens = r.f->opens;
	for (int i = 0; i < 7; i++)
		rig_second(&r, SECOND);
	assert_in_range(r.f->opens - opens, 0, 2); /* rare by now */
	r.f->arg = NULL;
	do
		rig_second(&r, SECOND);
	while (row(&r, 0).state != CPU_DELIVERED && ++n < 40);
	rig_second(&r, SECOND);
	assert_int_equal(row(&r, 0).state, CPU_DELIVERED);
	r.f->arg = &r;
	opens = r.f->opens;
	for (int i = 0; i < 9; i++)
		rig_second(&r, SECOND);
	/* After 1, 2 and 4 s, two events each. */
	assert_in_range(r.f->opens - opens, 6, 10);
	rig_close(&r);
}

enum { ROUNDS = 40, AT_ONCE = 25 };

/* Those of a round, a second later; or they end. */
static void
go_on(const struct rig *r, int first, unsigned n, bool end)
{
	struct made_up p = { .parent = 1,
			     .name = "work",
			     .state = 'R',
			     .uid = 1000,
			     .threads = 1,
			     .user = 100 * n,
			     .start = 90,
			     .ran_ns = n * SECOND };

	for (p.pid = first; p.pid < first + AT_ONCE; p.pid++)
		if (end)
			made_up_remove(r, p.pid);
		else
			made_up_put(r, &p);
}

/* All that was opened for a thousand processes is closed with them. */
UNIT(descriptors_of_processes_that_ended)
{
	static const struct made_up init = { 1, 0,  "init", 'S', 0,
					     1, 30, 10,     5,   1 };
	const struct process_request w = { .top = AT_ONCE, .opened = -1 };
	struct process_reading out;
	struct rig r;
	unsigned before, looks = 0;

	rig_prepare(&r, "rk3588");
	made_up_write(&r, &init, "/proc/self");
	made_up_put(&r, &init);
	assert_true(process_reading_init(&out, 8));
	r.f->soft = r.f->hard = 400; /* enough for two rounds */
	rig_open(&r);
	before = r.f->files;
	for (unsigned round = 0; round < ROUNDS; round++)
		for (unsigned n = 1; n <= 4; n++, looks++) {
			go_on(&r, 100 + AT_ONCE * (int)round, n, n > 3);
			r.f->now_ns += (int64_t)SECOND;
			if (!r.s->ops->processes(r.s, &w, &out, &r.e))
				fail_msg("%s", r.e.text);
			if (n == 3)
				assert_true(r.f->files >= before + 2 * AT_ONCE);
			if (n == 4)
				assert_int_equal(r.f->files, before);
		}
	assert_int_equal(looks, 4 * ROUNDS);
	process_reading_free(&out);
	rig_close(&r);
}

/*
 * The right to count: had while a counter is opened, and at no other time; so
 * it is still there when a CPU comes back (linux: 1.6, 5; vector 47).
 */
#include "source/fake_perf.h"

#include <linux/capability.h>

#define BIT(n) (UINT64_C(1) << (n))

static uint64_t raised; /* what is effective now */
static unsigned times;

static void
rights(void *self, uint64_t capabilities, bool on)
{
	times += on;
	raised = on ? raised | capabilities : raised & ~capabilities;
}

static int
needs(struct fake *f, const struct perf_event_attr *attr, int cpu, int leader)
{
	return (raised & *(uint64_t *)f->arg) != 0 ? 0 : EACCES;
}

static bool
not_while_reading(struct fake *f, struct fake_event *e, void *buf, ssize_t *n)
{
	assert_int_equal(raised, 0);
	return false;
}

static void
prepare(struct rig *r, const char *level, const char *permitted,
	uint64_t *asked)
{
	char text[256];

	rig_prepare(r, "rk3588");
	snprintf(text, sizeof(text), "mkdir -p %s/proc/self %s%s", r->root,
		 r->root, "/proc/sys/kernel");
	assert_int_equal(system(text), 0);
	rig_write(r, "/proc/sys/kernel/perf_event_paranoid", level);
	snprintf(text, sizeof(text),
		 "Name:\tktop\nCapPrm:\t%s\nCapEff:\t0000000000000000\n",
		 permitted);
	rig_write(r, "/proc/self/status", text);
	r->f->ops.rights = rights;
	r->f->refuse = needs;
	r->f->on_read = not_while_reading;
	r->f->arg = asked;
	raised = BIT(CAP_PERFMON) | BIT(CAP_SYS_ADMIN);
	times = 0;
}

UNIT(raised_to_open)
{
	static const struct {
		const char *level, *permitted;
		unsigned asked, kept; /* kept: not ours to lower */
	} rows[] = {
		{ "2\n", "0000004000000000", CAP_PERFMON, CAP_SYS_ADMIN },
		{ "2\n", "0000004000200000", CAP_PERFMON, CAP_SYS_ADMIN },
		{ "3\n", "0000004000200000", CAP_SYS_ADMIN, CAP_PERFMON },
		{ "4\n", "0000000000200000", CAP_SYS_ADMIN, CAP_PERFMON },
		{ "2\n", "0000000000200000", CAP_SYS_ADMIN, CAP_PERFMON },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		uint64_t asked = BIT(rows[i].asked);
		struct rig r;

		prepare(&r, rows[i].level, rows[i].permitted, &asked);
		raised &= ~BIT(rows[i].kept);
		rig_open(&r);
		assert_int_equal(r.s->info.mode, SOURCE_IPC);
		assert_int_equal(raised, 0);
		assert_int_equal(times, 8);
		assert_true(rig_program(&r, "branch"));
		assert_int_equal(raised, 0);
		rig_second(&r, 2000000000);
		assert_true(near(rig_value(&r, 7, "gips"), 2));
		/* A CPU that comes back is opened again. */
		fake_leader(r.f, 5)->torn = true;
		rig_second(&r, 2000000000);
		rig_second(&r, 2000000000);
		rig_second(&r, 2000000000);
		assert_true(near(rig_value(&r, 5, "gips"), 2));
		assert_null(strstr(r.s->info.notice, "permission"));
		assert_int_equal(raised, 0);
		rig_close(&r);
	}
}

/* On the way out it is as it was found. */
UNIT(given_back)
{
	uint64_t asked = BIT(CAP_PERFMON);

	for (int had = 0; had < 2; had++) {
		struct rig r;

		prepare(&r, "2\n", "0000004000000000", &asked);
		rig_write(&r, "/proc/self/status",
			  had ? "CapPrm:\t4000000000\nCapEff:\t4000000000\n"
			      : "CapPrm:\t4000000000\nCapEff:\t0\n");
		raised = had ? asked : 0;
		rig_open(&r);
		assert_int_equal(raised, 0);
		rig_close(&r);
		assert_int_equal(raised, had ? asked : 0);
	}
}

/* Nothing is permitted: nothing is asked for, and nothing lowered. */
UNIT(without_any)
{
	uint64_t asked = BIT(CAP_PERFMON);
	struct rig r;

	prepare(&r, "2\n", "0000000000000000", &asked);
	raised = 0;
	rig_open(&r);
	assert_int_equal(times, 0);
	assert_int_equal(r.s->info.mode, SOURCE_BUSY_ONLY);
	assert_non_null(strstr(r.s->info.why.text, "cap_perfmon"));
	rig_close(&r);
}

/* Debian's level 3 with CAP_PERFMON alone: what is held is named. */
UNIT(not_enough)
{
	uint64_t asked = BIT(CAP_SYS_ADMIN);
	struct rig r;

	prepare(&r, "3\n", "0000004000000000", &asked);
	raised = BIT(CAP_PERFMON);
	rig_open(&r);
	assert_non_null(
		strstr(r.s->info.why.text, "CAP_PERFMON is not enough"));
	rig_close(&r);
}

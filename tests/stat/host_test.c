/* A command counted through what a Mac says of its process. */
#include "stat/stat.h"

#include <cmocka.h>
#include <errno.h>
#include <math.h>
#include <string.h>

static struct host_usage usage;
static int usage_errno;
static const char *level1;

static int
fake_usage(int32_t pid, struct host_usage *out)
{
	errno = usage_errno != 0 ? usage_errno : ESRCH;
	if (pid != 77 || usage_errno != 0)
		return -1;
	*out = usage;
	return 0;
}

static int
fake_sysctl(const char *name, void *old, size_t *size, const void *fresh,
	    size_t fresh_size)
{
	const char *text = NULL;

	if (strcmp(name, "hw.nperflevels") == 0) {
		*(uint32_t *)old = level1 != NULL ? 2 : 1;
		*size = 4;
		return 0;
	}
	if (strcmp(name, "hw.perflevel0.name") == 0)
		text = "Performance";
	else if (strcmp(name, "hw.perflevel1.name") == 0)
		text = level1;
	if (text == NULL)
		return -1;
	(void)strncpy(old, text, *size);
	*size = strlen(text) + 1;
	return 0;
}

static void
fake_timebase(uint32_t *numer, uint32_t *denom)
{
	*numer = 125;
	*denom = 3;
}

static const struct host_api host = { .version = HOST_VERSION,
				      .text = "",
				      .sysctl = fake_sysctl,
				      .proc_usage = fake_usage,
				      .timebase = fake_timebase };

static struct counter *
open_host(void)
{
	struct counter *c = counter_host_open(&host, NULL);

	assert_non_null(c);
	return c;
}

/* fork is not in it: what was there before is taken off, times are ticks. */
UNIT(totals_are_since_the_door)
{
	struct counter *c;
	struct counter_reading r;

	level1 = "Efficiency";
	c = open_host();
	usage = (struct host_usage){ .flavor = 6,
				     .user_time = 24,
				     .system_time = 48,
				     .start_abstime = 9,
				     .instructions = 100,
				     .cycles = 50,
				     .user_ptime = 24,
				     .pcycles = 50,
				     .pinstructions = 100,
				     .energy_nj = 7,
				     .penergy_nj = 7 };
	assert_true(c->ops->attach(c, 77, true, NULL));
	usage.user_time += 24000000; /* a second */
	usage.system_time += 2400;
	usage.user_ptime += 18000000;
	usage.cycles += 4000;
	usage.instructions += 6000;
	usage.pcycles += 3000;
	usage.pinstructions += 5500;
	usage.energy_nj += 1000;
	usage.penergy_nj += 900;
	usage.exit_abstime = 99;
	assert_true(c->ops->read(c, &r));
	assert_true(r.ended);
	assert_int_equal(r.total.user_ns, 1000000000);
	assert_int_equal(r.total.system_ns, 100000);
	assert_int_equal(r.total.cycles, 4000);
	assert_int_equal(r.total.instructions, 6000);
	assert_int_equal(r.total.energy_nj, 1000);
	assert_int_equal(c->parts.n, 2);
	assert_string_equal(c->parts.label[0], "P");
	assert_string_equal(c->parts.label[1], "E");
	assert_int_equal(r.total.part[0].cycles, 3000);
	assert_int_equal(r.total.part[1].cycles, 1000);
	assert_int_equal(r.total.part[1].instructions, 500);
	assert_int_equal(r.total.part[0].cpu_ns, 750000000);
	assert_int_equal(r.total.part[1].cpu_ns, 250100000);
	assert_int_equal(r.total.part[1].energy_nj, 100);
	assert_false(c->tree);
	counter_close(c);
}

/* Between its attach and the beginning the machine's counters are set up. */
UNIT(a_process_is_counted_from_the_beginning_on)
{
	struct counter *c;
	struct counter_reading r;

	level1 = NULL;
	c = open_host();
	usage = (struct host_usage){ .flavor = 6, .start_abstime = 9 };
	assert_true(c->ops->attach(c, 77, false, NULL));
	usage.cycles = usage.instructions = 500;
	c->ops->begin(c);
	usage.cycles = usage.instructions = 507;
	assert_true(c->ops->read(c, &r));
	assert_int_equal(r.total.cycles, 7);
	assert_int_equal(r.total.instructions, 7);
	/* It went, and another has its pid. */
	usage.start_abstime = 10;
	c->ops->begin(c);
	assert_false(c->ops->read(c, &r));
	counter_close(c);
}

/* Before macOS 13, on Intel, in a virtual machine: less, and nothing made up.
 */
UNIT(older_systems_have_less)
{
	struct counter *c;
	struct counter_reading r;

	level1 = NULL;
	c = open_host();
	usage = (struct host_usage){ .flavor = 4, .start_abstime = 9 };
	assert_true(c->ops->attach(c, 77, true, NULL));
	assert_int_equal(c->parts.n, 0);
	usage.cycles = usage.instructions = 5;
	assert_true(c->ops->read(c, &r));
	assert_int_equal(r.known, PROCESS_HAS_TIMES | PROCESS_HAS_COUNTS);
	usage.cycles = usage.instructions = 0;
	usage.user_time = 24;
	assert_true(c->ops->read(c, &r));
	assert_int_equal(r.known, PROCESS_HAS_TIMES);
	assert_non_null(strstr(c->why, "virtual"));
	counter_close(c);
}

UNIT(pids_that_are_not_there_are_named)
{
	struct err e = { ERR_NONE, "" };
	struct counter_reading r;
	struct counter *c = open_host();

	assert_false(c->ops->attach(c, 78, false, &e));
	assert_non_null(strstr(e.text, "process 78 does not exist"));
	usage_errno = EPERM;
	assert_false(c->ops->attach(c, 77, false, &e));
	assert_int_equal(e.code, ERR_PERM);
	usage_errno = 0;
	/* A command that is sudo becomes root's. */
	usage = (struct host_usage){ .flavor = 6, .start_abstime = 9 };
	assert_true(c->ops->attach(c, 77, true, NULL));
	usage_errno = EPERM;
	assert_false(c->ops->read(c, &r));
	assert_non_null(strstr(c->why, "another user's"));
	usage_errno = 0;
	/* Its pid is another's now. */
	usage = (struct host_usage){ .flavor = 6, .start_abstime = 9 };
	assert_true(c->ops->attach(c, 77, false, NULL));
	usage.start_abstime = 10;
	assert_false(c->ops->read(c, &r));
	counter_close(c);
}

UNIT(a_host_without_processes_leaves_the_times)
{
	const struct host_api none = { .version = 1, .sysctl = fake_sysctl };
	struct counter *c = counter_host_open(&none, NULL);
	struct counter_reading r;

	assert_int_equal(c->domain, DOMAIN_NONE);
	assert_true(c->ops->attach(c, 77, true, NULL));
	assert_false(c->ops->read(c, &r));
	counter_close(c);
}

/* ---- what a command starts ---- */

enum { MAC_PIDS = 64 };
static struct {
	int32_t parent;
	uint64_t start, cycles; /* start 0: there is none */
} mac[MAC_PIDS];
static unsigned asked;

static int
mac_list(int32_t *pid, int max)
{
	int n = 0;

	for (int32_t i = MAC_PIDS; i-- > 0 && n < max;)
		if (mac[i].start != 0)
			pid[n++] = i;
	return n;
}

static int
mac_usage(int32_t pid, struct host_usage *out)
{
	errno = ESRCH;
	if (mac[pid].start == 0)
		return -1;
	*out = (struct host_usage){ .flavor = 6,
				    .start_abstime = mac[pid].start,
				    .user_time = mac[pid].cycles,
				    .cycles = mac[pid].cycles,
				    .pcycles = mac[pid].cycles / 2,
				    .instructions = 2 * mac[pid].cycles };
	return 0;
}

static int
mac_short(int32_t pid, struct host_proc *out)
{
	asked++;
	*out = (struct host_proc){ .pid = pid, .ppid = mac[pid].parent };
	return mac[pid].start != 0 ? 0 : -1;
}

static void
make_process(int32_t pid, int32_t parent, uint64_t cycles)
{
	static uint64_t start;

	mac[pid].parent = parent;
	mac[pid].start = ++start;
	mac[pid].cycles = cycles;
}

/* Children and theirs, also orphans; nobody else, and no pid that came back. */
UNIT(children_are_counted_as_far_as_seen)
{
	const struct host_api api = { .version = HOST_VERSION,
				      .text = "",
				      .sysctl = fake_sysctl,
				      .proc_list = mac_list,
				      .proc_usage = mac_usage,
				      .proc_short = mac_short };
	struct counter *c = counter_host_open(&api, NULL);
	struct counter_reading r;

	make_process(1, 0, 5000);
	make_process(7, 1, 5000);
	make_process(20, 7, 100);
	assert_true(c->ops->attach(c, 20, true, NULL));
	mac[20].cycles = 150;
	make_process(21, 20, 1000);
	make_process(30, 7, 9000);
	c->ops->look(c);
	assert_true(c->ops->read(c, &r));
	assert_int_equal(r.total.cycles, 50 + 1000);
	assert_int_equal(c->others, 1);
	make_process(22, 21, 300);
	mac[21].cycles = 1500;
	asked = 0;
	c->ops->look(c);
	assert_int_equal(asked, 1); /* only who is new is asked for */
	/* The child ends, its own child is an orphan and goes on. */
	mac[21].start = 0;
	mac[22].parent = 1;
	mac[22].cycles = 400;
	c->ops->look(c);
	assert_true(c->ops->read(c, &r));
	assert_int_equal(r.total.cycles, 50 + 1500 + 400);
	assert_int_equal(r.total.instructions, 2 * (50 + 1500 + 400));
	/* Its pid comes back as another's, and then as one of ours again. */
	make_process(21, 7, 7000);
	c->ops->look(c);
	mac[21].start = 0;
	c->ops->look(c);
	make_process(21, 20, 10);
	c->ops->look(c);
	assert_true(c->ops->read(c, &r));
	assert_int_equal(r.total.cycles, 50 + 1500 + 400 + 10);
	assert_int_equal(c->others, 3);
	c->ops->detach(c);
	/* The next run begins with none. */
	assert_true(c->ops->attach(c, 20, true, NULL));
	assert_int_equal(c->others, 0);
	counter_close(c);
}

/* ---- the values of runs ---- */

UNIT(values_are_of_what_was_measured)
{
	struct stat_run run = {
		.elapsed_s = 2,
		.has_use = true,
		.user_s = 1,
		.system_s = 0.5,
		.counted = true,
		.end = { .known = PROCESS_HAS_COUNTS | PROCESS_HAS_PARTS,
			 .cpu_s = 0.75,
			 .total = { .cycles = 3000000000,
				    .instructions = 6000000000,
				    .part = { { .cycles = 2999500000,
						.instructions = 5999900000 },
					      { .cycles = 500000,
						.instructions = 100000 } } } }
	};
	struct counter c = { .parts = { .n = 2 } };
	struct stat_series s;
	struct value_set set;

	assert_true(value_set_init(&set, 2));
	value_set_add(&set, &c, &run);
	run.counted = false;
	value_set_add(&set, &c, &run);
	assert_int_equal(set.n, 2);
	value_describe(&set, VALUE_CPU, -1, &s);
	assert_true(fabs(s.mean - 1.5) < 1e-9);
	value_describe(&set, VALUE_USER, -1, &s);
	assert_true(fabs(s.mean - 1) < 1e-9);
	assert_false(set.times_exceed);
	/* One run without counts: no mean of the others is theirs. */
	value_describe(&set, VALUE_CYCLES, -1, &s);
	assert_true(isnan(s.mean));
	/* A task's clock begins with its exec: these do not, by far. */
	c.tree = run.counted = true;
	set.n = 1;
	value_set_add(&set, &c, &run);
	assert_true(set.times_exceed);
	value_describe(&set, VALUE_USER, -1, &s);
	assert_true(isnan(s.mean));
	value_describe(&set, VALUE_SYSTEM, -1, &s);
	assert_true(isnan(s.mean));
	set.n = 1;
	value_describe(&set, VALUE_IPC, -1, &s);
	assert_true(fabs(s.mean - 2) < 1e-9);
	/* By the time that was counted, not that of its children too. */
	value_describe(&set, VALUE_GHZ, -1, &s);
	assert_true(fabs(s.mean - 4) < 1e-9);
	value_describe(&set, VALUE_IPC, 0, &s);
	assert_true(s.mean > 1.9);
	/* Too few cycles for a ratio. */
	value_describe(&set, VALUE_IPC, 1, &s);
	assert_true(isnan(s.mean));
	value_describe(&set, VALUE_ENERGY, -1, &s);
	assert_true(isnan(s.mean));
	value_set_free(&set);
}

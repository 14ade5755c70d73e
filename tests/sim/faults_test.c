/* Faults and power-down, seen through the framework's functions. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "sim/sim.h"

#define START 1000000000000LL
#define MS 1000000LL

static const struct kperf_api *api;
static const struct host_api *host;

static void
start(const char *spec)
{
	struct err e;

	if (!sim_start(spec, &e))
		fail_msg("%s: %s", spec, e.text);
	api = sim_kperf();
	host = sim_host();
}

static void
at_ms(int64_t ms)
{
	host->clock.step(host->clock.self, START + ms * MS);
}

static int
config_all(uint64_t word)
{
	uint64_t words[8];

	for (int i = 0; i < 8; i++)
		words[i] = word;
	return api->kpc_set_config(2, words);
}

/* Force, words, counting: the order that is right everywhere. */
static void
full_mode(uint64_t word)
{
	assert_int_equal(api->kpc_force_all_ctrs_set(1), 0);
	assert_int_equal(config_all(word), 0);
	assert_int_equal(api->kpc_set_counting(3), 0);
}

/* E is off: rows 0-3 stale, the last four are not copied out. */
static void
missing_rows(const char *spec, bool copied)
{
	uint64_t a[16], b[16], old[16];
	int cpu;

	start(spec);
	at_ms(1000);
	assert_int_equal(api->kpc_get_cpu_counters(true, 1, &cpu, old), 0);
	assert_int_equal(cpu, 4);
	at_ms(3500);
	memset(a, 0xaa, sizeof(a));
	assert_int_equal(api->kpc_get_cpu_counters(true, 1, &cpu, a), 0);
	assert_memory_equal(a, old, 8 * 8); /* E: what was there */
	for (int i = 8; i < 16; i++)
		assert_int_equal(a[i], copied ? old[i] : 0xaaaaaaaaaaaaaaaaull);
	at_ms(7000);
	assert_int_equal(api->kpc_get_cpu_counters(true, 1, &cpu, b), 0);
	for (int i = 0; i < 16; i++)
		assert_true(b[i] > old[i]);
	sim_stop();
}

static void
offline(void **state)
{
	(void)state;
	missing_rows("m1,clock=step,fault=off:E@3s-6s", false);
	missing_rows("m1,clock=step,fault=off:E@3s-6s,rows=copied", true);
}

/* An off cluster counts nothing, and nobody else loses or gains a count. */
static void
off_is_exact(void **state)
{
	uint64_t with[120], without[120];

	(void)state;
	for (int round = 0; round < 2; round++) {
		uint64_t *row = round ? without : with;
		start(round ? "m2max,clock=step,fault=off:P1@90s-91s"
			    : "m2max,clock=step,fault=off:P1@3s-6s");
		full_mode(0x2008c);
		at_ms(10000);
		assert_int_equal(api->kpc_get_cpu_counters(true, 3, NULL, row),
				 0);
		sim_stop();
	}
	assert_memory_equal(with, without, 8 * 10 * 8);

	/* the cluster is where it would have been three seconds earlier */
	start("m2max,clock=step,fault=off:P1@90s-91s");
	full_mode(0x2008c);
	at_ms(7000);
	assert_int_equal(api->kpc_get_cpu_counters(true, 3, NULL, without), 0);
	assert_memory_equal(with + 80, without + 80, 8 * 10 * 4);
	sim_stop();
}

/* To the system a core that is off is idle. */
static void
off_is_idle(void **state)
{
	struct host_cpu_load a[8], b[8];

	(void)state;
	start("m1,clock=step,fault=off:P@3s-6s");
	at_ms(3500);
	assert_int_equal(host->cpu_load(a, 8), 8);
	at_ms(5500);
	assert_int_equal(host->cpu_load(b, 8), 8);
	for (int c = 4; c < 8; c++) {
		assert_int_equal(b[c].user, a[c].user);
		assert_int_equal(b[c].system, a[c].system);
		assert_int_equal(b[c].idle, a[c].idle + 200);
	}
	sim_stop();
}

/* A read that fails leaves the rows alone, or hands the old ones on. */
static void
failed_read(const char *spec, bool copied)
{
	uint64_t a[16], b[16];

	start(spec);
	assert_int_equal(api->kpc_get_cpu_counters(true, 1, NULL, a), 0);
	at_ms(1000);
	memset(b, 0xaa, sizeof(b));
	assert_int_equal(api->kpc_get_cpu_counters(true, 1, NULL, b), -1);
	for (int i = 0; i < 16; i++)
		assert_int_equal(b[i], copied ? a[i] : 0xaaaaaaaaaaaaaaaaull);
	sim_stop();
}

static void
failures(void **state)
{
	(void)state;
	failed_read("m1,clock=step,fault=eperm@1s", false);
	failed_read("m1,clock=step,fault=eperm@1s,rows=copied", true);
}

/* m2max powers its last cluster down by itself, other seeds elsewhere. */
static void
naps(void **state)
{
	unsigned stale = 0;
	uint64_t last[24] = { 0 }, now[24];

	(void)state;
	start("m2max,clock=step");
	for (int s = 1; s <= 96; s++) {
		at_ms(s * 1000);
		memset(now, 0, sizeof(now));
		assert_int_equal(api->kpc_get_cpu_counters(true, 1, NULL, now),
				 0);
		if (now[16] == 0) {
			stale++;
			assert_true(now[0] > last[0]);
			assert_true(now[14] > last[14]);
		}
		memcpy(last, now, sizeof(last));
	}
	assert_true(stale >= 12 && stale <= 22); /* two naps of 6 to 10 s */
	sim_stop();
}

static void
steal(void **state)
{
	uint64_t mine[8], theirs[8];

	(void)state;
	start("m1,clock=step,fault=steal@3s-6s");
	full_mode(0x2008c);
	assert_int_equal(api->kpc_get_config(2, mine), 0);
	at_ms(2999);
	assert_int_equal(api->kpc_get_config(2, theirs), 0);
	assert_memory_equal(mine, theirs, sizeof(mine));
	at_ms(3000);
	assert_int_equal(api->kpc_get_config(2, theirs), 0);
	assert_memory_not_equal(mine, theirs, sizeof(mine));
	assert_int_equal(api->kpc_get_counting(), 3);
	/* who takes it back is robbed again */
	assert_int_equal(api->kpc_set_counting(0), 0);
	assert_int_equal(config_all(0x2008c), 0);
	assert_int_equal(api->kpc_set_counting(3), 0);
	at_ms(3600);
	assert_int_equal(api->kpc_get_config(2, theirs), 0);
	assert_memory_not_equal(mine, theirs, sizeof(mine));
	at_ms(6000);
	assert_int_equal(api->kpc_get_counting(), 0);
	full_mode(0x2008c);
	at_ms(9000);
	assert_int_equal(api->kpc_get_config(2, theirs), 0);
	assert_memory_equal(mine, theirs, sizeof(mine));
	sim_stop();
}

static void
taken(void **state)
{
	int on = 0;

	(void)state;
	start("m1,clock=step,fault=taken@1s-2s");
	at_ms(1500);
	assert_int_equal(api->kpc_force_all_ctrs_set(1), -1);
	assert_int_equal(errno, EACCES);
	assert_int_equal(api->kpc_force_all_ctrs_get(&on), 0);
	assert_int_equal(on, 1);
	at_ms(2000);
	assert_int_equal(api->kpc_force_all_ctrs_set(1), 0);
	sim_stop();
	/* it cannot take what we hold */
	start("m1,clock=step,fault=taken@1s-2s");
	assert_int_equal(api->kpc_force_all_ctrs_set(1), 0);
	at_ms(1500);
	assert_int_equal(api->kpc_force_all_ctrs_set(0), 0);
	at_ms(2500);
	assert_int_equal(api->kpc_force_all_ctrs_get(&on), 0);
	assert_int_equal(on, 0);
	sim_stop();
}

static void
refuse(void **state)
{
	(void)state;
	start("m1,clock=step,fault=refuse:INST_ALL@1s-2s,"
	      "fault=busy@3s-4s,fault=eperm@5s-6s");
	full_mode(0x2008c);
	at_ms(1000);
	assert_int_equal(config_all(0x2008c), -1);
	assert_int_equal(errno, EPERM);
	assert_int_equal(config_all(0x20002), 0);
	at_ms(2000);
	assert_int_equal(config_all(0x2008c), 0);
	at_ms(3000);
	assert_int_equal(api->kpc_set_counting(3), -1);
	assert_int_equal(errno, EBUSY);
	at_ms(4000);
	assert_int_equal(api->kpc_set_counting(3), 0);
	at_ms(5999);
	assert_int_equal(api->kpc_set_counting(3), -1);
	assert_int_equal(errno, EPERM);
	at_ms(6000);
	assert_int_equal(api->kpc_set_counting(3), 0);
	sim_stop();
}

static void
slow(void **state)
{
	uint64_t buf[16];
	struct stamp t;

	(void)state;
	start("m1,clock=step,fault=slow:80ms@1s-2s");
	at_ms(1000);
	assert_int_equal(api->kpc_get_cpu_counters(true, 1, NULL, buf), 0);
	clock_now(&host->clock, &t);
	/* it asks for the counter count, then for the counters */
	assert_int_equal(t.awake_ns, START + 1160 * MS);
	at_ms(2500);
	assert_int_equal(api->kpc_get_cpu_counters(true, 1, NULL, buf), 0);
	clock_now(&host->clock, &t);
	assert_int_equal(t.awake_ns, START + 2500 * MS);
	sim_stop();
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(offline),     cmocka_unit_test(off_is_exact),
		cmocka_unit_test(off_is_idle), cmocka_unit_test(failures),
		cmocka_unit_test(naps),        cmocka_unit_test(steal),
		cmocka_unit_test(taken),       cmocka_unit_test(refuse),
		cmocka_unit_test(slow),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Faults and power-down, seen through the framework's functions. */
#include "sim/frameworks.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* E is off: rows 0-3 stale, the last four are not copied out. */
static void
missing_rows(const char *spec, bool copied)
{
	uint64_t a[16], b[16], old[16];
	int cpu;

	start(spec);
	at_ms(1000);
	OK(api->kpc_get_cpu_counters(true, 1, &cpu, old));
	assert_int_equal(cpu, 4);
	at_ms(3500);
	memset(a, 0xaa, sizeof(a));
	OK(api->kpc_get_cpu_counters(true, 1, &cpu, a));
	assert_memory_equal(a, old, 8 * 8); /* E: what was there */
	for (int i = 8; i < 16; i++)
		assert_int_equal(a[i], copied ? old[i] : 0xaaaaaaaaaaaaaaaaull);
	at_ms(7000);
	OK(api->kpc_get_cpu_counters(true, 1, &cpu, b));
	for (int i = 0; i < 16; i++)
		assert_true(b[i] > old[i]);
}

UNIT(offline)
{
	missing_rows("m1,clock=step,fault=off:E@3s-6s", false);
	missing_rows("m1,clock=step,fault=off:E@3s-6s,rows=copied", true);
}

/* An off cluster counts nothing, and nobody else loses or gains a count. */
UNIT(off_is_exact)
{
	uint64_t with[120], without[120];

	for (int round = 0; round < 2; round++) {
		uint64_t *row = round ? without : with;
		start(round ? "m2max,clock=step,fault=off:P1@90s-91s"
			    : "m2max,clock=step,fault=off:P1@3s-6s");
		full_mode(0x2008c);
		at_ms(10000);
		OK(api->kpc_get_cpu_counters(true, 3, NULL, row));
		sim_stop();
	}
	assert_memory_equal(with, without, 8 * 10 * 8);

	/* the cluster is where it would have been three seconds earlier */
	start("m2max,clock=step,fault=off:P1@90s-91s");
	full_mode(0x2008c);
	at_ms(7000);
	OK(api->kpc_get_cpu_counters(true, 3, NULL, without));
	assert_memory_equal(with + 80, without + 80, 8 * 10 * 4);
}

/* To the system a core that is off is idle. */
UNIT(off_is_idle)
{
	struct host_cpu_load a[8], b[8];

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
}

/* A read that fails leaves the rows alone, or hands the old ones on. */
static void
failed_read(const char *spec, bool copied)
{
	uint64_t a[16], b[16];

	start(spec);
	OK(api->kpc_get_cpu_counters(true, 1, NULL, a));
	at_ms(1000);
	memset(b, 0xaa, sizeof(b));
	assert_int_equal(api->kpc_get_cpu_counters(true, 1, NULL, b), -1);
	for (int i = 0; i < 16; i++)
		assert_int_equal(b[i], copied ? a[i] : 0xaaaaaaaaaaaaaaaaull);
}

UNIT(failures)
{
	failed_read("m1,clock=step,fault=eperm@1s", false);
	failed_read("m1,clock=step,fault=eperm@1s,rows=copied", true);
}

/* m2max powers its last cluster down by itself, other seeds elsewhere. */
UNIT(naps)
{
	unsigned stale = 0;
	uint64_t last[24] = { 0 }, now[24];

	start("m2max,clock=step");
	for (int s = 1; s <= 96; s++) {
		at_ms(s * 1000);
		memset(now, 0, sizeof(now));
		OK(api->kpc_get_cpu_counters(true, 1, NULL, now));
		if (now[16] == 0) {
			stale++;
			assert_true(now[0] > last[0]);
			assert_true(now[14] > last[14]);
		}
		memcpy(last, now, sizeof(last));
	}
	assert_true(stale >= 12 && stale <= 22); /* two naps of 6 to 10 s */
}

UNIT(steal)
{
	uint64_t mine[8], theirs[8];

	start("m1,clock=step,fault=steal@3s-6s");
	full_mode(0x2008c);
	OK(api->kpc_get_config(2, mine));
	at_ms(2999);
	OK(api->kpc_get_config(2, theirs));
	assert_memory_equal(mine, theirs, sizeof(mine));
	at_ms(3000);
	OK(api->kpc_get_config(2, theirs));
	assert_memory_not_equal(mine, theirs, sizeof(mine));
	assert_int_equal(api->kpc_get_counting(), 3);
	/* who takes it back is robbed again */
	OK(api->kpc_set_counting(0));
	OK(config_all(0x2008c));
	OK(api->kpc_set_counting(3));
	at_ms(3600);
	OK(api->kpc_get_config(2, theirs));
	assert_memory_not_equal(mine, theirs, sizeof(mine));
	at_ms(6000);
	OK(api->kpc_get_counting());
	full_mode(0x2008c);
	at_ms(9000);
	OK(api->kpc_get_config(2, theirs));
	assert_memory_equal(mine, theirs, sizeof(mine));
}

UNIT(taken)
{
	int on = 0;

	start("m1,clock=step,fault=taken@1s-2s");
	at_ms(1500);
	assert_int_equal(api->kpc_force_all_ctrs_set(1), -1);
	assert_int_equal(errno, EACCES);
	OK(api->kpc_force_all_ctrs_get(&on));
	assert_int_equal(on, 1);
	at_ms(2000);
	OK(api->kpc_force_all_ctrs_set(1));
	sim_stop();
	/* it cannot take what we hold */
	start("m1,clock=step,fault=taken@1s-2s");
	OK(api->kpc_force_all_ctrs_set(1));
	at_ms(1500);
	OK(api->kpc_force_all_ctrs_set(0));
	at_ms(2500);
	OK(api->kpc_force_all_ctrs_get(&on));
	assert_int_equal(on, 0);
}

UNIT(refuse)
{
	start("m1,clock=step,fault=refuse:INST_ALL@1s-2s,"
	      "fault=busy@3s-4s,fault=eperm@5s-6s");
	full_mode(0x2008c);
	at_ms(1000);
	assert_int_equal(config_all(0x2008c), -1);
	assert_int_equal(errno, EPERM);
	OK(config_all(0x20002));
	at_ms(2000);
	OK(config_all(0x2008c));
	at_ms(3000);
	assert_int_equal(api->kpc_set_counting(3), -1);
	assert_int_equal(errno, EBUSY);
	at_ms(4000);
	OK(api->kpc_set_counting(3));
	at_ms(5999);
	assert_int_equal(api->kpc_set_counting(3), -1);
	assert_int_equal(errno, EPERM);
	at_ms(6000);
	OK(api->kpc_set_counting(3));
}

/* Its counter stands still in the window, and no other's count differs. */
UNIT(dead)
{
	static const int ms[] = { 500, 1000, 1500, 1999, 2000, 3000 };
	uint64_t row[2][6][80];

	for (int round = 0; round < 2; round++) {
		start(round ? "m1,clock=step"
			    : "m1,clock=step,fault=dead:INST_ALL@1s-2s");
		full_mode(0x2008c);
		for (int i = 0; i < 6; i++) {
			at_ms(ms[i]);
			OK(api->kpc_get_cpu_counters(true, 3, NULL,
						     row[round][i]));
		}
		sim_stop();
	}
	for (int i = 0; i < 80; i++) {
		uint64_t d[2][6];

		for (int r = 0; r < 2; r++)
			for (int n = 1; n < 6; n++)
				d[r][n] = row[r][n][i] - row[r][n - 1][i];
		assert_true(d[0][1] == d[1][1] && d[0][5] == d[1][5]);
		if (i % 10 < 2) { /* the fixed pair */
			assert_true(d[0][2] == d[1][2] && d[0][3] == d[1][3]);
		} else {
			assert_true(d[0][2] == 0 && d[0][3] == 0);
			assert_true(d[0][4] == 0);
		}
	}
}

/* Another fault that joins in the same moment moves no count. */
UNIT(two_at_once)
{
	uint64_t before[80], after[80];
	struct err e;

	start("m1,clock=step");
	full_mode(0x2008c);
	at_ms(1000);
	assert_true(sim_fault("dead:INST_ALL@0ms-500ms", &e));
	OK(api->kpc_get_cpu_counters(true, 3, NULL, before));
	assert_true(sim_fault("wall:+5s@0ms-500ms", &e));
	assert_true(sim_fault("dead:INST_BRANCH@0ms-500ms", &e));
	OK(api->kpc_get_cpu_counters(true, 3, NULL, after));
	for (int i = 0; i < 80; i++)
		if (i % 10 >= 2)
			assert_int_equal(after[i], before[i]);
}

UNIT(slow)
{
	uint64_t buf[16];
	struct stamp t;

	start("m1,clock=step,fault=slow:80ms@1s-2s");
	at_ms(1000);
	OK(api->kpc_get_cpu_counters(true, 1, NULL, buf));
	clock_now(&host->clock, &t);
	/* it asks for the counter count, then for the counters */
	assert_int_equal(t.awake_ns, START + 1160 * MS);
	at_ms(2500);
	OK(api->kpc_get_cpu_counters(true, 1, NULL, buf));
	clock_now(&host->clock, &t);
	assert_int_equal(t.awake_ns, START + 2500 * MS);
}

/* The wall clock is set, and nothing else. */
UNIT(wall_clock)
{
	struct stamp a, b;
	struct err e;

	start("m1,clock=step,fault=wall:+60m@1s-3s,fault=wall:-90s@2s");
	clock_now(&host->clock, &a);
	static const struct {
		int64_t at_ms, set_s;
	} cases[] = { { 999, 0 },
		      { 1000, 3600 },
		      { 2500, 3510 },
		      { 3000, -90 },
		      { 9000, -90 } };
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		at_ms(cases[i].at_ms);
		clock_now(&host->clock, &b);
		assert_int_equal(b.awake_ns - a.awake_ns, cases[i].at_ms * MS);
		assert_int_equal(b.elapsed_ns - a.elapsed_ns,
				 cases[i].at_ms * MS);
		assert_int_equal(b.wall_ns - a.wall_ns,
				 cases[i].at_ms * MS +
					 cases[i].set_s * 1000 * MS);
	}
	sim_stop();
	assert_false(sim_start("m1,fault=wall:60m@1s", &e));
	assert_non_null(strstr(e.text, "a time with a sign"));
	assert_false(sim_start("m1,fault=wall:+1441m@1s", &e));
	assert_false(sim_start("m1,fault=wall@1s", &e));
}

/* Faults join while it runs; what is over makes room and is not forgotten. */
UNIT(joined)
{
	uint64_t row[16], total;
	struct stamp now;
	struct err e;
	int64_t slept = 0, off = 0, at = 0;

	assert_false(sim_fault("busy@0s", &e));
	start("m1,clock=step");
	for (int i = 0; i < 200; i++) {
		char text[64];

		snprintf(text, sizeof(text), "off:cpu2@%dms-%dms", 1 + i,
			 100 + i);
		assert_true(sim_fault(text, &e));
		assert_true(sim_fault("sleep@50ms-5s", &e));
		assert_true(sim_fault("busy@20ms-30ms", &e));
		at_ms(at += 25);
		assert_int_equal(api->kpc_get_cpu_counters(true, 1, NULL, row),
				 -1);
		at_ms(at += 975);
		slept += 4950;
		off += 99;
		OK(api->kpc_get_cpu_counters(true, 1, NULL, row));
		clock_now(&host->clock, &now);
		assert_int_equal(now.elapsed_ns - now.awake_ns, slept * MS);
		/* Time off is no work: as much as that much earlier. */
		total = sim_total(2, "FIXED_CYCLES", true, now.awake_ns);
		assert_int_equal(row[4], total + sim_reads(2) * 2000);
		total = sim_total(3, "FIXED_CYCLES", true, now.awake_ns);
		assert_int_equal(row[6], total + sim_reads(3) * 2000);
	}
	assert_int_equal(sim_reads(2), 200);
	total = sim_total(2, "FIXED_CYCLES", true, START + at * MS);
	start("m1,clock=step");
	assert_int_equal(
		sim_total(2, "FIXED_CYCLES", true, START + (at - off) * MS),
		total);
	for (int i = 0; i < 16; i++)
		assert_true(sim_fault("steal@9s-10s", &e));
	assert_false(sim_fault("steal@9s-10s", &e));
	assert_false(sim_fault("nonsense@9s", &e));
	start("m1");
	assert_false(sim_fault("busy@0s", &e));
	assert_int_equal(e.code, ERR_USAGE);
	start("m2max,clock=step");
	assert_false(sim_fault("off:P1@1s-2s", &e));
	assert_true(sim_fault("off:P0@1s-2s", &e));
}

/* Two months of work do not overflow a product of shares and nanoseconds. */
UNIT(months)
{
	struct host_cpu_load before[8], now[8];

	start("m1,clock=step");
	memset(before, 0, sizeof(before));
	for (int64_t day = 1; day <= 400; day++) {
		at_ms(day * 86400000);
		assert_int_equal(host->cpu_load(now, 8), 8);
		for (int c = 0; c < 8; c++) {
			uint64_t all = now[c].user + now[c].system +
				       now[c].idle - before[c].user -
				       before[c].system - before[c].idle;

			assert_true(now[c].user >= before[c].user);
			assert_true(now[c].system >= before[c].system);
			if (day > 1) /* each share is cut by itself */
				assert_true(all >= 8639997 && all <= 8640003);
		}
		memcpy(before, now, sizeof(before));
	}
}

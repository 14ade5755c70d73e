/*
 * The test vectors of the kernel's behaviour, numbered as in our notes on the
 * xnu sources. Profile M unless said: M1, macOS 15.5, two counters reserved.
 */
#include "sim/world.h"

#define M "m1,os=15.5,clock=step,pm=0x60"
#define OLD "m1,os=14.6,clock=step"

UNIT(public_counts)
{
	struct world *w = world_new(M);
	static const struct {
		uint32_t classes, n;
	} c[] = { { 0, 0 }, { 1, 2 }, { 2, 6 }, { 3, 8 },
		  { 4, 2 }, { 8, 0 }, { 7, 10 } },
	  f[] = { { 1, 0 }, { 2, 6 }, { 3, 6 }, { 8, 0 }, { 10, 6 } };

	assert_int_equal(value32(w, &w->user, "kpc.classes"), 11); /* 1 */
	for (size_t i = 0; i < sizeof(c) / sizeof(*c); i++)        /* 2 */
		assert_int_equal(counters_n(w, c[i].classes), c[i].n);
	for (size_t i = 0; i < sizeof(f) / sizeof(*f); i++) /* 3 */
		assert_int_equal(configs_n(w, f[i].classes), f[i].n);
	assert_int_equal(counters_n(w, 0x80000003), counters_n(w, 3)); /* 6 */
	world_free(w);
}

UNIT(forced_counts)
{
	struct world *w = world_new(M);

	assert_int_equal(force(w, &w->a, 1), 0); /* 4 */
	assert_int_equal(counters_n(w, 1), 2);
	assert_int_equal(counters_n(w, 2), 8);
	assert_int_equal(counters_n(w, 3), 10);
	assert_int_equal(counters_n(w, 4), 0);
	assert_int_equal(configs_n(w, 2), 8);
	assert_int_equal(configs_n(w, 8), 11);
	assert_int_equal(configs_n(w, 10), 19);
	assert_int_equal(force(w, &w->a, 1), 0); /* 56 */
	world_free(w);

	w = world_new("m1,os=15.5,pm=0"); /* 5 */
	assert_int_equal(counters_n(w, 2), 8);
	assert_int_equal(counters_n(w, 4), 0);
	assert_int_equal(configs_n(w, 8), 11);
	world_free(w);

	w = world_new("m1"); /* the default keeps three */
	assert_int_equal(counters_n(w, 2), 5);
	world_free(w);
}

UNIT(privilege)
{
	struct world *w = world_new(M);
	uint64_t buf[32] = { 0 };
	uint32_t v;
	size_t size = sizeof(buf);

	assert_int_equal(get32(w, &w->user, "kpc.counting", &v), EPERM); /*7*/
	assert_int_equal(set32(w, &w->user, "kpc.counting", 3), EPERM);  /*8*/
	assert_int_equal(config_get(w, &w->user, 2, buf, 8), EPERM);
	assert_int_equal(config_fill(w, &w->user, 2, 0, 6), EPERM);
	assert_int_equal(counters(w, &w->user, 1 | ALL, buf, &size), EPERM);
	assert_int_equal(get32(w, &w->user, "kpc.pmu_version", &v), EPERM);
	assert_int_equal(get32(w, &w->user, "kpc.force_all_ctrs", &v), EPERM);
	assert_int_equal(counting(w, &w->a), 0);                    /* 9 */
	assert_int_equal(set32(w, &w->a, "kpc.classes", 1), EPERM); /* 10 */
	assert_int_equal(value32(w, &w->a, "kpc.pmu_version"), 2);  /* 11 */
	world_free(w);
}

UNIT(reading)
{
	struct world *w = world_new(M);
	uint64_t buf[128];
	size_t size = 8 * 17;
	uint32_t classes = 1 | ALL;

	assert_int_equal(counters(w, &w->a, 1 | ALL, buf, &size), 0); /* 12 */
	assert_int_equal(size, 136);
	assert_int_equal(buf[0], w->a.cpu);
	for (unsigned i = 0; i < 16; i++)
		assert_true(buf[1 + i] > 0);
	size = sizeof(buf);
	assert_int_equal(counters(w, &w->a, ALL, buf, &size), EINVAL); /* 14 */
	assert_int_equal(counters(w, &w->a, 8 | ALL, buf, &size), EINVAL);
	assert_int_equal(sim_kernel_sysctl(&w->k, &w->a, "kpc.counters", buf,
					   &size, &classes, 2),
			 EINVAL); /* 16 */
	assert_int_equal(sim_kernel_sysctl(&w->k, &w->a, "kpc.counters", buf,
					   &size, NULL, 0),
			 EINVAL); /* 17 */
	assert_int_equal(size, sizeof(buf));
	assert_int_equal(force(w, &w->a, 1), 0);
	assert_int_equal(counters(w, &w->a, 4 | ALL, buf, &size), EINVAL);
	/* that was 15 */
	size = 648;
	assert_int_equal(counters(w, &w->a, 3 | ALL, buf, &size), 0); /* 18 */
	assert_int_equal(size, 648);
	size = 640;
	buf[0] = 77;
	assert_int_equal(counters(w, &w->a, 3 | ALL, buf, &size), ENOMEM);
	assert_int_equal(size, 0); /* 19 */
	assert_int_equal(buf[0], 77);
	size = 0;
	assert_int_equal(counters(w, &w->a, 3 | ALL, NULL, &size), 0); /* 20 */
	assert_int_equal(size, 648);
	size = sizeof(buf);
	assert_int_equal(counters(w, &w->a, 3, buf, &size), 0); /* 21 */
	assert_int_equal(size, 88);
	assert_int_equal(buf[0], 4);
	world_free(w);
}

UNIT(config_sizes)
{
	struct world *w = world_new(M);
	uint64_t words[24] = { 0 }, in = 2;
	size_t size = sizeof(words);

	assert_int_equal(config_get(w, &w->a, 1, words, 24), EINVAL); /* 23 */
	assert_int_equal(config_get(w, &w->a, 0, words, 24), EINVAL); /* 24 */
	assert_int_equal(sim_kernel_sysctl(&w->k, &w->a, "kpc.config", words,
					   &size, &in, 4),
			 EINVAL);                                  /* 25 */
	assert_int_equal(config_fill(w, &w->a, 4, 0, 2), EPERM);   /* 39 */
	assert_int_equal(config_fill(w, &w->a, 6, 0, 8), EPERM);   /* 41 */
	assert_int_equal(config_fill(w, &w->a, 8, 0, 11), EINVAL); /* 42 */
	assert_int_equal(config_get(w, &w->a, 8, words, 24), EINVAL);
	/* configurable or raw, with a power manager and unforced: 10 has words
	 */
	assert_int_equal(config_fill(w, &w->a, 10, 0, 6), EPERM);
	assert_int_equal(force(w, &w->a, 1), 0);
	assert_int_equal(config_fill(w, &w->a, 3, 0x2008c, 8), 0); /* 36 */
	assert_int_equal(config_fill(w, &w->a, 2, 0x20002, 7), EINVAL);
	assert_int_equal(config_get(w, &w->a, 2, words, 8), 0); /* 37 */
	assert_int_equal(words[0], 0x2008c);
	assert_int_equal(config_fill(w, &w->a, 4, 0, 8), EINVAL);  /* 40 */
	assert_int_equal(config_fill(w, &w->a, 8, 0x1234, 11), 0); /* 43 */
	assert_int_equal(config_get(w, &w->a, 8, words, 11), 0);
	assert_int_equal(words[10], 0x1234);
	/* trap 15: a short write that also reads is a read */
	uint64_t out[8] = { 0 }, few[4] = { 2, 0x20002, 0x20002, 0x20002 };
	size = sizeof(out);
	assert_int_equal(sim_kernel_sysctl(&w->k, &w->a, "kpc.config", out,
					   &size, few, sizeof(few)),
			 0);
	assert_int_equal(out[0], 0x2008c);
	world_free(w);
}

static void
read_back(const char *spec, uint64_t word, uint64_t want)
{
	struct world *w = world_new(spec);
	uint64_t words[8] = { 0 };

	assert_int_equal(force(w, &w->a, 1), 0);
	assert_int_equal(config_fill(w, &w->a, 2, word, 8), 0);
	assert_int_equal(config_get(w, &w->a, 2, words, 8), 0);
	for (unsigned i = 0; i < 8; i++)
		assert_int_equal(words[i], want);
	world_free(w);
}

UNIT(modes)
{
	read_back(M, 0x2008c, 0x2008c); /* 26 */
	read_back(M, 0x6008c, 0x2008c); /* 27 */
	read_back("m1,os=15.0", 0x6008c, 0x2008c);
	read_back("m1,os=14.6", 0x6008c, 0xe008c);
	read_back("m1,os=26", 0x6008c, 0x2008c);
	read_back(M, 0x8c, 0x2008c); /* 28 */
	read_back("m1,os=14.6", 0x8c, 0xf008c);
	read_back(M, 0x4008c, 0x2008c); /* 29 */
	read_back("m1,os=14.6", 0x4008c, 0xc008c);
	read_back(M, 0x1008c, 0x0008c); /* 30 */
	read_back("m1,os=15.4", 0x1008c, 0x0008c);
	read_back("m1,os=15.3", 0x1008c, 0x1008c);
	read_back(M, 0, 0); /* 32 */
	read_back(M, 0x20000, 0x20000);
	read_back(M, 0x2018c, 0x2008c); /* 33 */
	read_back("m2max,os=15.5", 0x2018c, 0x2008c);
}

/* What a word counts in a second on a core of profile M. */
static uint64_t
counts_in_a_second(const char *spec, uint64_t word)
{
	struct world *w = world_new(spec);
	uint64_t before[128], after[128], sum = 0;

	assert_int_equal(force(w, &w->a, 1), 0);
	assert_int_equal(config_fill(w, &w->a, 2, word, 8), 0);
	assert_int_equal(set32(w, &w->a, "kpc.counting", 3), 0);
	rows(w, &w->a, 3, before);
	wait_ms(w, 1000);
	rows(w, &w->a, 3, after);
	for (unsigned c = 0; c < 8; c++)
		sum += after[c * 10 + 2] - before[c * 10 + 2];
	world_free(w);
	return sum;
}

UNIT(counts_nothing)
{
	assert_int_equal(counts_in_a_second(M, 0x1008c), 0); /* 30 */
	assert_int_equal(counts_in_a_second(M, 0), 0);       /* 32 */
	assert_int_equal(counts_in_a_second(M, 0x20000), 0);
	assert_true(counts_in_a_second(M, 0x2008c) > 1000000);
	/* kernel mode is counted until 14.6 */
	assert_true(counts_in_a_second(OLD, 0x8c) >
		    counts_in_a_second(OLD, 0x2008c));
	assert_true(counts_in_a_second(OLD, 0x4008c) > 0);
	assert_int_equal(counts_in_a_second(OLD, 0x8c),
			 counts_in_a_second(OLD, 0x2008c) +
				 counts_in_a_second(OLD, 0x4008c));
}

UNIT(allow_list)
{
	struct world *w = world_new(M);
	uint64_t words[8];

	assert_int_equal(force(w, &w->a, 1), 0);
	assert_int_equal(config_fill(w, &w->a, 2, 0x20099, 8), 0);
	for (unsigned i = 0; i < 8; i++)
		words[i] = 0x2008c;
	words[5] = 0x200ff;
	assert_int_equal(config_set(w, &w->a, 2, words, 8), EPERM); /* 31 */
	assert_int_equal(config_get(w, &w->a, 2, words, 8), 0);
	assert_int_equal(words[0], 0x20099);
	world_free(w);

	w = world_new("m1,os=11.2"); /* 86 */
	assert_int_equal(force(w, &w->a, 1), 0);
	assert_int_equal(config_fill(w, &w->a, 2, 0x200a3, 8), EPERM);
	assert_int_equal(config_fill(w, &w->a, 2, 0x200bf, 8), 0);
	world_free(w);

	w = world_new("m1,os=11.5"); /* 87 */
	assert_int_equal(force(w, &w->a, 1), 0);
	assert_int_equal(config_fill(w, &w->a, 2, 0x200ff, 8), 0);
	world_free(w);

	/* a chip without a list: nothing but 0; on 26 the database's events */
	w = world_new("m5,os=15.5");
	assert_int_equal(force(w, &w->a, 1), 0);
	assert_int_equal(config_fill(w, &w->a, 2, 0x20008, 8), EPERM);
	assert_int_equal(config_fill(w, &w->a, 2, 0, 8), 0);
	world_free(w);
	w = world_new("m5");
	assert_int_equal(force(w, &w->a, 1), 0);
	assert_int_equal(config_fill(w, &w->a, 2, 0x20008, 8), 0);
	assert_int_equal(config_fill(w, &w->a, 2, 0x2fffe, 8), EPERM);
	world_free(w);
}

UNIT(running)
{
	struct world *w = world_new(M);
	uint64_t t0[128], t1[128], wide;

	assert_int_equal(force(w, &w->a, 1), 0);
	assert_int_equal(config_fill(w, &w->a, 2, 0x2008c, 8), 0);
	assert_int_equal(set32(w, &w->a, "kpc.counting", 3), 0); /* 44 */
	assert_int_equal(counting(w, &w->a), 3);
	wait_ms(w, 2000);
	assert_int_equal(set32(w, &w->a, "kpc.counting", 1), 0); /* 45 */
	assert_int_equal(counting(w, &w->a), 1);
	rows(w, &w->a, 3, t0);
	assert_true(t0[4 * 10 + 2] > 0);
	wait_ms(w, 1000);
	rows(w, &w->a, 3, t1);
	for (unsigned c = 0; c < 8; c++) {
		assert_true(t1[c * 10] > t0[c * 10]);
		for (unsigned i = 2; i < 10; i++)
			assert_int_equal(t1[c * 10 + i], t0[c * 10 + i]);
	}
	assert_int_equal(set32(w, &w->a, "kpc.counting", 0), 0); /* 46 */
	assert_int_equal(counting(w, &w->a), 0);
	wait_ms(w, 1000);
	rows(w, &w->a, 3, t0);
	for (unsigned c = 0; c < 8; c++)
		assert_true(t0[c * 10] > t1[c * 10]);
	wide = 3;
	assert_int_equal(sim_kernel_sysctl(&w->k, &w->a, "kpc.counting", NULL,
					   NULL, &wide, 8),
			 0); /* 52 */
	assert_int_equal(counting(w, &w->a), 3);
	wide = 1ull << 32;
	assert_int_equal(sim_kernel_sysctl(&w->k, &w->a, "kpc.counting", NULL,
					   NULL, &wide, 8),
			 ERANGE);
	assert_int_equal(sim_kernel_sysctl(&w->k, &w->a, "kpc.counting", NULL,
					   NULL, &wide, 3),
			 EINVAL);                                     /* 53 */
	assert_int_equal(set32(w, &w->a, "kpc.counting", 0x1000), 0); /* 54 */
	assert_int_equal(counting(w, &w->a), 0);
	world_free(w);
}

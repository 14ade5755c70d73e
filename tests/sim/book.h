/* How docs/SIMULATION.md draws and fills a grain, in the tests' own way. */
#ifndef TESTS_SIM_BOOK_H
#define TESTS_SIM_BOOK_H

#include <stdint.h>

#include "sim/work.h"

static inline uint64_t
book_mix(uint64_t x)
{
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
	return x ^ (x >> 31);
}

static inline uint64_t
book_draw(uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
	const uint64_t golden = 0x9e3779b97f4a7c15ull;

	return book_mix(
		(book_mix((book_mix((book_mix(a + golden) ^ b) + golden) ^ c) +
			  golden) ^
		 d) +
		golden);
}

static inline int
book_noise(uint64_t seed, uint64_t who, unsigned g)
{
	int a = (int)(book_draw(seed, 3, who, g / 8) % 2001) - 1000;
	int b = (int)(book_draw(seed, 3, who, g / 8 + 1) % 2001) - 1000;

	return a + (b - a) * (int)(g % 8) / 8;
}

struct book_phase {
	int busy, mix[WORK_ACTIVITIES];
};

static inline void
book_grain(const struct book_phase *from, const struct book_phase *to, int k,
	   int n1, int n2, int *share, int *busy)
{
	int p[WORK_ACTIVITIES], main = 0, used = 0;

	*busy = (from->busy * 10 * (8 - k) + to->busy * 10 * k) / 8;
	*busy += *busy * n1 / 16000;
	if (*busy > 1000)
		*busy = 1000;
	for (int a = 0; a < WORK_ACTIVITIES; a++)
		p[a] = (from->mix[a] * (8 - k) + to->mix[a] * k) / 8;
	for (int a = 1; a < WORK_ACTIVITIES; a++)
		if (p[a] > p[main])
			main = a;
	int other = main == 0 ? 1 : 0, moved = n2 / 20;
	moved = moved > p[main] ? p[main] : moved;
	moved = moved < -p[other] ? -p[other] : moved;
	p[main] -= moved;
	p[other] += moved;
	for (int a = 0; a < WORK_ACTIVITIES; a++)
		used += share[a] = 4096 * *busy / 1000 * p[a] / 1000;
	if (used < 4096)
		share[WORK_KERNEL]++;
}

#endif

#include "model/blocks.h"

#include <math.h>

/*
 * A drift: straight lines over the blocks explain half of the squares of both
 * sides (F of 2 and 8 degrees of freedom above 4, by chance in 6 % of pairs),
 * and one of them rises by most of what the sides differ by.
 */
static const double share_of_lines = 0.5, share_of_rise = 0.7;

struct drift {
	double all, lines; /* squares around the means; explained by lines */
	double rise;       /* the larger of a line from begin to end */
};

static void
means_of_blocks(const struct blocks_series *s, double block[BLOCKS])
{
	double sum = 0;

	for (unsigned i = 0; i < s->n; i++)
		sum += s->den[i];
	for (unsigned k = 0; k < BLOCKS; k++) {
		unsigned from = s->n * k / BLOCKS;
		unsigned to = s->n * (k + 1) / BLOCKS;

		block[k] = 0;
		for (unsigned i = from; i < to; i++)
			block[k] += s->num[i] - s->ratio * s->den[i];
		block[k] /= sum / s->n * (to - from);
	}
}

static void
add_line(struct drift *d, const double block[BLOCKS], double variance)
{
	double along = 0, times = 0;

	for (unsigned k = 0; k < BLOCKS; k++) {
		double time = k - (BLOCKS - 1) / 2.0;

		along += time * block[k];
		times += time * time;
	}
	d->all += variance * (double)(BLOCKS * (BLOCKS - 1));
	d->lines += along * along / times;
	d->rise = fmax(d->rise, fabs(along / times * (double)BLOCKS));
}

bool
blocks_difference(const struct blocks_series *a, const struct blocks_series *b,
		  double confidence, struct difference *out)
{
	const struct blocks_series *side[] = { a, b };
	struct estimate of[2];
	struct drift drift = { 0, 0, 0 };

	for (unsigned i = 0; i < 2; i++) {
		double block[BLOCKS];

		means_of_blocks(side[i], block);
		student_mean(block, BLOCKS, &of[i]);
		of[i].value = side[i]->ratio;
		add_line(&drift, block, of[i].variance);
	}
	student_difference(&of[0], &of[1], confidence, out);
	return drift.lines <= share_of_lines * drift.all ||
	       drift.rise < share_of_rise * fabs(out->value);
}

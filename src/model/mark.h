/* From where on a number is worth a word: one criterion for all that judge. */
#ifndef MODEL_MARK_H
#define MODEL_MARK_H

#include "model/frame.h"

/*
 * Where a metric's colour begins (good) and its mark (bad), for one row. The
 * table has them as for a core that maps eight micro-operations a cycle: work
 * per cycle is judged by the width of the row's kind, and by what a core of it
 * has reached so far.
 */
struct mark {
	double good, bad;
};

/*
 * False: no judgement of that row. Neither end is better, or the limit is one
 * CPU's and the row a sum, or its kinds have limits of their own.
 */
bool mark_of(const struct metric *m, const struct frame *f, unsigned scope,
	     struct mark *out);

/*
 * How far v is over the mark: 1 is at it, 2 twice as far. Of what is better the
 * more there is, how far it is below. 0 for NAN.
 */
double mark_over(const struct mark *mark, double v);

/* Over two thirds of the way from good to the mark: nearly. */
bool mark_nearly(const struct mark *mark, double v);

#endif

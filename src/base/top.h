/* Keeps the rows of greatest weight, in descending order; ties: first offered
 * first. */
#ifndef BASE_TOP_H
#define BASE_TOP_H

struct top_row {
	unsigned index;
	double weight;
};

struct top {
	unsigned room, n;
	struct top_row *row;
};

static inline void
top_offer(struct top *t, unsigned index, double weight)
{
	unsigned at = t->n;

	if (t->n < t->room)
		t->n++;
	else if (t->n == 0 || t->row[--at].weight >= weight)
		return;
	for (; at > 0 && t->row[at - 1].weight < weight; at--)
		t->row[at] = t->row[at - 1];
	t->row[at] = (struct top_row){ index, weight };
}

#endif

#include "out/top.h"

#include <stdlib.h>

bool
top_init(struct top *t, unsigned room,
	 bool (*less)(const void *of, unsigned a, unsigned b))
{
	*t = (struct top){ .room = room, .less = less };
	t->index = room > 0 ? calloc(room, sizeof *t->index) : NULL;
	return room == 0 || t->index != NULL;
}

void
top_free(struct top *t)
{
	free(t->index);
	*t = (struct top){ 0 };
}

void
top_begin(struct top *t, const void *of)
{
	t->n = 0;
	t->of = of;
}

static void
swap(struct top *t, unsigned a, unsigned b)
{
	unsigned kept = t->index[a];

	t->index[a] = t->index[b];
	t->index[b] = kept;
}

static bool
is_less(const struct top *t, unsigned a, unsigned b)
{
	return t->less(t->of, t->index[a], t->index[b]);
}

/* A heap of n, the least of it at 0. */
static void
sink_down(struct top *t, unsigned n)
{
	unsigned at = 0;

	for (;;) {
		unsigned least = at, left = 2 * at + 1;

		if (left < n && is_less(t, left, least))
			least = left;
		if (left + 1 < n && is_less(t, left + 1, least))
			least = left + 1;
		if (least == at)
			return;
		swap(t, at, least);
		at = least;
	}
}

static void
swim_up(struct top *t, unsigned at)
{
	while (at > 0 && is_less(t, at, (at - 1) / 2)) {
		swap(t, at, (at - 1) / 2);
		at = (at - 1) / 2;
	}
}

void
top_offer(struct top *t, unsigned index)
{
	if (t->n < t->room) {
		t->index[t->n] = index;
		swim_up(t, t->n++);
	} else if (t->n > 0 && t->less(t->of, t->index[0], index)) {
		t->index[0] = index;
		sink_down(t, t->n);
	}
}

/* The least goes to the end, again and again. */
void
top_sort(struct top *t)
{
	for (unsigned n = t->n; n > 1; n--) {
		swap(t, 0, n - 1);
		sink_down(t, n - 1);
	}
}

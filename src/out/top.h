/* The greatest few of many, in a fixed room: nothing is allocated for it. */
#ifndef OUT_TOP_H
#define OUT_TOP_H

#include <stdbool.h>

struct top {
	unsigned room, n, *index; /* [room] */
	/* Does a come behind b? An order without equals. */
	bool (*less)(const void *of, unsigned a, unsigned b);
	const void *of;
};

/* False: memory is short. top_free is needed also then. */
bool top_init(struct top *t, unsigned room,
	      bool (*less)(const void *of, unsigned a, unsigned b));
void top_free(struct top *t);

/* Empties it, for numbers of `of`. */
void top_begin(struct top *t, const void *of);
void top_offer(struct top *t, unsigned index);

/* The greatest first; offers come no more. */
void top_sort(struct top *t);

#endif

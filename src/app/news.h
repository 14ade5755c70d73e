/*
 * Sentences for the person. Whoever has one leaves it here as a value; the
 * loop says it, on the screen or on standard error.
 */
#ifndef APP_NEWS_H
#define APP_NEWS_H

#include <stdbool.h>
#include <stddef.h>

enum { NEWS_SENTENCE = 640, NEWS_SENTENCES = 40 };

struct news {
	unsigned first, n;
	char text[NEWS_SENTENCES][NEWS_SENTENCE];
};

/* Where there is no room left, the oldest sentence makes it. */
void news_add(struct news *n, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* The oldest sentence, which is valid until the next news_add; NULL: none. */
const char *news_take(struct news *n);

#endif

/* Sentences for the user: kept until the loop says them. */
#include "app/state.h"

#include <stdarg.h>
#include <stdio.h>

void
news_add(struct news *n, const char *format, ...)
{
	va_list args;

	if (n->n == NEWS_SENTENCES)
		(void)news_take(n);
	va_start(args, format);
	vsnprintf(n->text[(n->first + n->n) % NEWS_SENTENCES], NEWS_SENTENCE,
		  format, args);
	va_end(args);
	n->n++;
}

const char *
news_take(struct news *n)
{
	const char *text = n->text[n->first];

	if (n->n == 0)
		return NULL;
	n->first = (n->first + 1) % NEWS_SENTENCES;
	n->n--;
	return text;
}

/* The queue of messages that the loop prints or shows. */
#include "app/state.h"

#include <stdarg.h>
#include <stdio.h>

void
messages_add(struct messages *n, const char *format, ...)
{
	va_list args;

	if (n->n == MESSAGES_KEPT)
		(void)messages_take(n);
	va_start(args, format);
	vsnprintf(n->text[(n->first + n->n) % MESSAGES_KEPT], MESSAGE_BYTES,
		  format, args);
	va_end(args);
	n->n++;
}

const char *
messages_take(struct messages *n)
{
	const char *text = n->text[n->first];

	if (n->n == 0)
		return NULL;
	n->first = (n->first + 1) % MESSAGES_KEPT;
	n->n--;
	return text;
}

#include "kperf/tape/tape.h"

#include <inttypes.h>

void
tape_print_bytes(FILE *f, const void *at, size_t size)
{
	static const char digit[] = "0123456789abcdef";
	const unsigned char *p = at;

	for (size_t i = 0; i < size; i++) {
		putc(digit[p[i] >> 4], f);
		putc(digit[p[i] & 15], f);
	}
}

void
tape_print_call(FILE *f, const struct tape_call *c, const struct stamp *now)
{
	fprintf(f, "%s", tape_name(c->id));
	for (unsigned i = 0; i < c->nargs; i++)
		fprintf(f, " %" PRIu64, c->arg[i]);
	if (c->in != NULL && c->in_size > 0) {
		fprintf(f, " i:");
		tape_print_bytes(f, c->in, c->in_size);
	}
	fprintf(f, " > %" PRId64 " %d %" PRId64 " %" PRId64 " %" PRId64,
		c->result, c->error, now->awake_ns, now->elapsed_ns,
		now->wall_ns);
}

void
tape_print_run(FILE *f, const struct tape_run *r)
{
	fprintf(f, " o%u:%zu:", r->out, r->offset);
	tape_print_bytes(f, r->bytes, r->size);
}

static int
digit_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

bool
tape_bytes(char *text, unsigned char **bytes, size_t *size)
{
	unsigned char *to = (unsigned char *)text;
	size_t n = 0;

	for (const char *s = text; *s != '\0'; s += 2) {
		int high = digit_value(s[0]);
		int low = high < 0 ? -1 : digit_value(s[1]);

		if (low < 0)
			return false;
		to[n++] = (unsigned char)(high << 4 | low);
	}
	*bytes = to;
	*size = n;
	return true;
}

#include "model/event.h"

#include "base/buf.h"

#include <string.h>

const char *const domain_name[] = { "", "all", "user", "kernel", "mixed" };

/* As strcmp for the n bytes of `name` against the whole of `whole`. */
static int
name_compare(const char *name, size_t n, const char *whole)
{
	int d = strncmp(name, whole, n);

	if (d == 0 && whole[n] != '\0')
		return -1;
	return d;
}

const struct event *
catalog_find_n(const struct catalog *c, const char *name, unsigned n)
{
	unsigned low = 0, high = c->len;

	while (low < high) {
		unsigned mid = low + (high - low) / 2;
		int d = name_compare(name, n, c->event[mid].name);

		if (d == 0)
			return &c->event[mid];
		if (d < 0)
			high = mid;
		else
			low = mid + 1;
	}
	for (unsigned i = 0; i < c->len; i++)
		if (c->event[i].alias != NULL &&
		    name_compare(name, n, c->event[i].alias) == 0)
			return &c->event[i];
	return NULL;
}

const struct event *
catalog_find(const struct catalog *c, const char *name)
{
	return catalog_find_n(c, name, (unsigned)strlen(name));
}

const struct event *
catalog_find_any(const struct catalog *c, const char *names)
{
	for (;;) {
		unsigned n = (unsigned)strcspn(names, "|");
		const struct event *e = catalog_find_n(c, names, n);

		if (e != NULL || names[n] == '\0')
			return e;
		names += n + 1;
	}
}

uint32_t
eventset_own(const struct eventset *s)
{
	uint32_t own = 0;

	for (unsigned i = 0; i < s->len; i++)
		if (strncmp(s->slot[i].event->name, "SW_", 3) == 0)
			own |= 1u << i;
	return own;
}

bool
eventset_same_events(const struct eventset *a, const struct eventset *b)
{
	if (a->len != b->len)
		return false;
	for (unsigned i = 0; i < a->len; i++)
		if (a->slot[i].event != b->slot[i].event)
			return false;
	return true;
}

bool
eventset_same(const struct eventset *a, const struct eventset *b)
{
	if (!eventset_same_events(a, b) || strcmp(a->name, b->name) != 0)
		return false;
	for (unsigned i = 0; i < a->len; i++)
		if (a->slot[i].counter != b->slot[i].counter)
			return false;
	return true;
}

void
eventset_drop(struct eventset *s, const char *event, const char *why)
{
	if (s->ndropped == EVENTSET_MAX)
		return;
	struct buf b =
		buf_over(s->dropped[s->ndropped].why, sizeof s->dropped[0].why);

	s->dropped[s->ndropped++].event = event;
	buf_str(&b, why);
	buf_cstr(&b);
}

unsigned
eventset_uncounted(const struct eventset *s)
{
	unsigned n = 0;

	for (unsigned i = 0; i < s->len; i++)
		for (unsigned k = 0; k < s->ndropped; k++)
			if (strcmp(s->slot[i].event->name,
				   s->dropped[k].event) == 0) {
				n++;
				break;
			}
	return n;
}

#include "app/refused.h"

#include <string.h>

#include "base/buf.h"
#include "pmu/pmu.h"

/* "macOS 15.4" is 1504; 0 for what is no macOS. */
static unsigned
version_of(const char *os)
{
	static const char head[] = "macOS ";
	unsigned part[2] = { 0, 0 };

	if (os == NULL || strncmp(os, head, sizeof head - 1) != 0)
		return 0;
	os += sizeof head - 1;
	for (unsigned i = 0; i < 2; i++) {
		while (*os >= '0' && *os <= '9' && part[i] < 100)
			part[i] = part[i] * 10 + (unsigned)(*os++ - '0');
		if (*os != '.')
			break;
		os++;
	}
	return part[0] * 100 + part[1];
}

static void
set_bit(struct refused *r, unsigned i)
{
	if (i / 64 < REFUSED_WORDS)
		r->bit[i / 64] |= UINT64_C(1) << i % 64;
}

void
refused_begin(struct refused *r, const struct catalog *c, const char *os)
{
	enum { LISTED_FROM = 1404, LISTED_BEFORE = 2600 };
	unsigned version = version_of(os);

	if (c == r->catalog)
		return;
	*r = (struct refused){ .catalog = c };
	const struct pmu *p = c != NULL ? pmu_by_db(c->name) : NULL;

	if (p == NULL || p->allowed == NULL || version < LISTED_FROM ||
	    version >= LISTED_BEFORE)
		return;
	for (unsigned i = 0; i < c->len; i++)
		if (!c->event[i].fixed && !pmu_allows(p, c->event[i].number))
			set_bit(r, i);
}

static bool
place_of(const struct refused *r, const char *name, unsigned *i)
{
	const struct event *event = catalog_find(r->catalog, name);

	if (event == NULL || event->fixed)
		return false;
	*i = (unsigned)(event - r->catalog->event);
	return *i / 64 < REFUSED_WORDS;
}

static void
learn(struct refused *r, const char *name)
{
	unsigned i;

	if (place_of(r, name, &i))
		set_bit(r, i);
}

void
refused_learn(struct refused *r, const struct eventset *set)
{
	static const char head[] = "macOS refuses";
	unsigned at;

	if (r->catalog == NULL)
		return;
	/* Those that count are refused no more, if they ever were. */
	for (unsigned i = 0; i < set->len; i++)
		if (place_of(r, set->slot[i].event->name, &at))
			r->bit[at / 64] &= ~(UINT64_C(1) << at % 64);
	for (unsigned i = 0; i < set->ndropped; i++)
		if (strncmp(set->dropped[i].why, head, sizeof head - 1) == 0)
			learn(r, set->dropped[i].event);
}

void
refused_learn_all(struct refused *r, const struct eventset *set,
		  const struct err *e)
{
	static const char head[] = "macOS refuses ";

	if (e == NULL || e->code != ERR_PERM || r->catalog == NULL ||
	    strncmp(e->text, head, sizeof head - 1) != 0)
		return;
	for (unsigned i = 0; i < set->len; i++)
		learn(r, set->slot[i].event->name);
}

bool
refused_all(const struct refused *r, const struct eventset *set)
{
	unsigned n = 0, at;

	for (unsigned i = 0; r->catalog != NULL && i < set->len; i++) {
		if (!place_of(r, set->slot[i].event->name, &at))
			continue;
		if ((r->bit[at / 64] >> at % 64 & 1) == 0)
			return false;
		n++;
	}
	return n > 0;
}

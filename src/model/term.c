#include "model/term.h"

#include <string.h>

bool
term_next(const char **text, struct term_names *out)
{
	const char *s = *text;

	out->n = 0;
	if (s == NULL || *s == '\0')
		return false;
	for (;;) {
		unsigned n = (unsigned)strcspn(s, "+|");

		if (out->n < TERM_SUM_MAX) {
			out->at[out->n] = s;
			out->len[out->n++] = n;
		}
		s += n;
		if (*s != '+')
			break;
		s++;
	}
	*text = *s == '|' ? s + 1 : s;
	return true;
}

int
term_pseudo(const char *name, unsigned len)
{
	static const struct {
		const char *name;
		enum term_source source;
	} pseudo[] = { { METRIC_FIXED_CYCLES, TERM_CYCLES },
		       { METRIC_FIXED_INSTRUCTIONS, TERM_INSTRUCTIONS },
		       { METRIC_BUSY_NS, TERM_BUSY_NS },
		       { METRIC_WALL_NS, TERM_WALL_NS },
		       { METRIC_CPU_NS, TERM_CPU_NS },
		       { METRIC_EVENT_NS, TERM_EVENT_NS },
		       { METRIC_NOTHING, TERM_NOTHING } };

	for (unsigned i = 0; i < sizeof pseudo / sizeof pseudo[0]; i++)
		if (strlen(pseudo[i].name) == len &&
		    memcmp(pseudo[i].name, name, len) == 0)
			return (int)pseudo[i].source;
	return -1;
}

static bool
resolve_names(const struct term_names *names, const struct catalog *c,
	      struct term_events *out)
{
	out->n = 0;
	for (unsigned i = 0; i < names->n; i++) {
		const struct event *e;

		if (term_pseudo(names->at[i], names->len[i]) >= 0)
			continue;
		e = c == NULL ? NULL
			      : catalog_find_n(c, names->at[i], names->len[i]);
		if (e == NULL)
			return false;
		out->event[out->n++] = e;
		if (e->less == NULL)
			continue;
		e = catalog_find(c, e->less);
		if (e == NULL || out->n == TERM_SUM_MAX)
			return false;
		out->event[out->n++] = e;
	}
	return true;
}

bool
term_resolve(const char *text, const struct catalog *c, struct term_events *out)
{
	struct term_names names;

	while (term_next(&text, &names))
		if (resolve_names(&names, c, out))
			return true;
	out->n = 0;
	return false;
}

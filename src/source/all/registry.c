#include "source/all/sources.h"

#include <string.h>
#include <time.h>

enum { TRIES = 5, BETWEEN_NS = 100 * 1000 * 1000 };

const struct source_ops *
source_find(const char *name)
{
	for (unsigned i = 0; source_table[i] != NULL; i++)
		if (strcmp(source_table[i]->name, name) == 0)
			return source_table[i];
	return NULL;
}

static const char *
named_source(const struct source_options *o)
{
	if (o->nreplay > 0)
		return "replay";
	if (o->sim != NULL)
		return "sim";
	if (o->kperf_path != NULL || o->kperfdata_path != NULL)
		return "kperf";
	return NULL;
}

const struct source_ops *
source_choose(const struct source_options *o, struct err *e)
{
	const char *name = named_source(o);
	struct err last = { ERR_FAIL,
			    "this build has no source for this machine" };

	if (name != NULL)
		return source_find(name);
	for (unsigned i = 0; source_table[i] != NULL; i++) {
		struct err why = { ERR_NONE, "" };

		if (source_table[i]->probe(o, &why))
			return source_table[i];
		/* ERR_USAGE: only a user who requests this source needs the
		 * reason. */
		if (why.code != ERR_USAGE)
			last = why;
	}
	if (e != NULL)
		*e = last;
	return NULL;
}

struct source *
source_open(const struct source_options *o, struct err *e)
{
	const struct source_ops *ops = source_choose(o, e);

	return ops != NULL ? ops->open(o, e) : NULL;
}

bool
source_end(struct source *s, struct err *e)
{
	const struct timespec between = { .tv_nsec = BETWEEN_NS };
	bool ok = s == NULL || !s->info.restores;

	for (int i = 0; !ok && i < TRIES; i++) {
		if (i > 0 && !s->info.clock->stepped)
			(void)nanosleep(&between, NULL);
		ok = s->ops->program(s, NULL, NULL);
	}
	if (s != NULL)
		s->ops->close(s);
	return ok ||
	       err_set(e, ERR_FAIL,
		       "the kernel refuses to restore the counters, so they keep ktop's settings; run sudo ktop doctor --repair later");
}

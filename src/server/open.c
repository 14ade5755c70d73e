#include "server/open.h"

#include "base/clock.h"
#include "server/remote.h"
#include "source/all/sources.h"

static bool
source_is_remote(const struct options *o)
{
	return o->source.server != 0 && o->source.nreplay == 0;
}

/* The server refuses later times. */
static bool
clock_is_in_range(struct err *e)
{
	struct stamp now;

	clock_now(clock_system(), &now);
	return now.wall_ns <= REMOTE_WALL_MOST_NS ||
	       err_set(e, ERR_FAIL,
		       "the system clock is past March 2189, the latest time that ktop supports; set the clock and start ktop again");
}

bool
server_knows_source(const struct options *o, struct err *e)
{
	const char *names[16], *name = o->source_name;
	unsigned n = 0;

	if (name == NULL || source_find(name) != NULL)
		return true;
	for (; n < 16 && source_table[n] != NULL; n++)
		names[n] = source_table[n]->name;
	return options_unknown(e, "source", name, names, n, "--list-sources");
}

struct source *
server_open_source(const struct options *o, struct err *e)
{
	if (o->source.nreplay == 0 && !clock_is_in_range(e))
		return NULL;
	if (source_is_remote(o))
		return remote_open(&o->source, o->source_name, e);
	if (o->source_name == NULL)
		return source_open(&o->source, e);
	return source_find(o->source_name)->open(&o->source, e);
}

bool
server_close_source(const struct options *o, struct source *s, struct err *e)
{
	bool ok = true;

	if (s == NULL)
		return true;
	if (source_is_remote(o))
		ok = remote_release(s, e);
	return source_end(s, ok ? e : NULL) && ok;
}

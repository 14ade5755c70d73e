#include "server/open.h"

#include "server/remote.h"
#include "source/all/sources.h"

/* A recording is the person's own, and needs no rights. */
static bool
is_remote(const struct options *o)
{
	return o->source.server != 0 && o->source.nreplay == 0;
}

struct source *
server_open_source(const struct options *o, struct err *e)
{
	if (is_remote(o))
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
	if (is_remote(o))
		ok = remote_leave(s, e);
	return source_end(s, ok ? e : NULL) && ok;
}

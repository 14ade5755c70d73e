/* The outputs of a start: all of them are looked at before one is made. */
#include "app/state.h"

#include "out/place.h"

#include <string.h>

enum { OUTPUTS = 3 };

struct output {
	const char *option, *path;
};

static unsigned
outputs_of(const struct options *o, struct output out[OUTPUTS])
{
	const struct output all[OUTPUTS] = { { "csv", o->csv },
					     { "json", o->json },
					     { "openmetrics",
					       o->openmetrics } };
	unsigned n = 0;

	for (unsigned i = 0; i < OUTPUTS; i++)
		if (all[i].path != NULL)
			out[n++] = all[i];
	return n;
}

/* A file that is written while it is read has no end. */
static bool
apart_from_replay(const struct options *o, const struct output *out,
		  struct err *e)
{
	for (unsigned i = 0; i < o->nreplay; i++)
		if (strcmp(out->path, "-") != 0 &&
		    place_same(out->path, o->replay[i]))
			return err_set(e, ERR_USAGE,
				       "--%s %s is the recording that --replay "
				       "reads; give it another file",
				       out->option, out->path);
	return true;
}

static bool
all_apart(const struct options *o, const struct output *out, unsigned n,
	  struct err *e)
{
	for (unsigned i = 0; i < n; i++) {
		if (!apart_from_replay(o, &out[i], e))
			return false;
		for (unsigned k = 0; k < i; k++)
			if (place_same(out[k].path, out[i].path))
				return err_set(e, ERR_USAGE,
					       "--%s %s and --%s %s are one "
					       "file; give one of them "
					       "another",
					       out[k].option, out[k].path,
					       out[i].option, out[i].path);
	}
	return true;
}

bool
app_outlets_check(const struct app *a, struct err *e)
{
	const struct options *o = a->o;
	enum target_mode mode = o->append  ? TARGET_APPEND
				: o->force ? TARGET_REPLACE
					   : TARGET_NEW;
	struct output out[OUTPUTS];
	unsigned n = outputs_of(o, out);

	return all_apart(o, out, n, e) &&
	       (o->csv == NULL || place_check(o->csv, mode, e)) &&
	       (o->json == NULL || place_check(o->json, mode, e));
}

/* First what makes no file before there is a frame. */
bool
app_outlets_open(struct app *a, struct err *e)
{
	const struct options *o = a->o;

	if (a->text && !app_outlet_open(a, APP_TEXT, "-", e))
		return false;
	if (o->openmetrics != NULL &&
	    !app_outlet_open(a, APP_OPENMETRICS, o->openmetrics, e))
		return false;
	if (o->csv != NULL && !app_outlet_open(a, APP_CSV, o->csv, e))
		return false;
	return o->json == NULL || app_outlet_open(a, APP_JSON, o->json, e);
}

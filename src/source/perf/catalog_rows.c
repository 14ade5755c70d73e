#include "source/perf/machine.h"

#include "model/metric.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *
catalog_keep_text(struct build *b, const char *text)
{
	struct perf_catalog *c = b->out;
	char **more = realloc(c->text, (c->ntexts + 1) * sizeof *more);

	if (more == NULL)
		return NULL;
	c->text = more;
	c->text[c->ntexts] = strdup(text);
	if (c->text[c->ntexts] == NULL)
		return NULL;
	return c->text[c->ntexts++];
}

static struct build_row *
catalog_find_or_add_row(struct build *b, const char *name)
{
	struct build_row *r;

	for (unsigned i = 0; i < b->nrows; i++)
		if (strcmp(b->row[i].event.name, name) == 0)
			return &b->row[i];
	name = b->nrows < BUILD_ROWS_MAX ? catalog_keep_text(b, name) : NULL;
	if (name == NULL)
		return NULL;
	r = &b->row[b->nrows];
	r->code = calloc(b->out->nkinds, sizeof *r->code);
	if (r->code == NULL)
		return NULL;
	r->event = (struct event){ .name = name };
	r->general = false;
	b->nrows++;
	return r;
}

static bool
row_add_native(struct build *b, struct build_row *r, const struct candidate *c)
{
	char text[NATIVE_SIZE], mention[PMU_NAME_SIZE + 2];
	const char *before = r->event.native;

	if (c->native == NULL || (before != NULL && c->pmu == NULL))
		return true;
	if (c->pmu == NULL) {
		snprintf(text, sizeof text, "%s", c->native);
	} else {
		snprintf(mention, sizeof mention, "%s/", c->pmu);
		if (before != NULL && strstr(before, mention) != NULL)
			return true;
		snprintf(text, sizeof text, "%s%s%s%s/",
			 before != NULL ? before : "",
			 before != NULL ? " " : "", mention, c->native);
	}
	r->event.native = catalog_keep_text(b, text);
	return r->event.native != NULL;
}

static void
row_narrow_counters(const struct build *b, struct build_row *r, uint32_t mask)
{
	uint32_t all = b->counters;

	if (event_is_slots(r->event.name))
		all |= b->spare;
	if (!r->general)
		r->event.counters = all;
	r->general = true;
	r->event.counters &= mask != 0 ? mask : all;
}

bool
event_is_slots(const char *name)
{
	return strncmp(name, "SLOT_", 5) == 0;
}

static void
row_add_text(struct build *b, struct build_row *r, unsigned kind,
	     const char *text)
{
	char both[NATIVE_SIZE];
	const char *before = r->event.text;

	if (before != NULL && text != NULL && strstr(before, text) == NULL &&
	    !event_is_slots(r->event.name) &&
	    strcmp(r->event.name, METRIC_CORE_CYCLES) != 0)
		r->event.unlike = true;
	if (before != NULL && text != NULL && strstr(before, text) == NULL) {
		snprintf(both, sizeof both, "%s; %s: %s", before,
			 b->out->kind[kind].pmu.name, text);
		text = catalog_keep_text(b, both);
	}
	if (before == NULL || (text != NULL && strstr(before, text) == NULL))
		r->event.text = text != NULL ? text : before;
}

struct build_row *
catalog_add_candidate(struct build *b, unsigned kind, const struct candidate *c)
{
	struct build_row *r = catalog_find_or_add_row(b, c->name);

	if (r == NULL || !row_add_native(b, r, c))
		return NULL;
	if (r->event.alias == NULL && c->alias != NULL &&
	    strcmp(c->alias, c->name) != 0)
		r->event.alias = c->alias;
	row_add_text(b, r, kind, c->text);
	if (r->event.number == 0)
		r->event.number = (uint32_t)c->code.code.config;
	if (c->general)
		row_narrow_counters(b, r, c->counters);
	r->code[kind] = c->code;
	return r;
}

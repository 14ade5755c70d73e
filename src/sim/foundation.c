#include "sim/foundation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
	unsigned objects;
	unsigned nnames;
	struct cf_object name[CF_NAMES];
} cf;

struct cf_object *
cf_new(enum cf_type type)
{
	struct cf_object *o = calloc(1, sizeof *o);

	if (o == NULL)
		abort();
	o->type = type;
	o->refs = 1;
	cf.objects++;
	return o;
}

void
cf_release(const void *object)
{
	struct cf_object *o = (struct cf_object *)(uintptr_t)object;

	if (--o->refs > 0)
		return;
	for (long i = 0; i < o->n; i++)
		cf_release(o->item[i]);
	free(o->item);
	if (o->list != NULL)
		cf_release(o->list);
	if (o->elements != NULL)
		cf_release(o->elements);
	cf.objects--;
	free(o);
}

void
cf_append(struct cf_object *list, struct cf_object *item)
{
	struct cf_object **more =
		realloc(list->item, (size_t)(list->n + 1) * sizeof *more);

	if (more == NULL)
		abort();
	list->item = more;
	more[list->n++] = item;
}

const void *
cf_lasting(const char *text)
{
	struct cf_object *name = cf.name;

	for (unsigned i = 0; i < cf.nnames; i++)
		if (strcmp(name[i].text, text) == 0)
			return &name[i];
	if (cf.nnames == sizeof cf.name / sizeof cf.name[0])
		return NULL;
	name += cf.nnames++;
	*name = (struct cf_object){ .type = CF_STRING, .refs = 1 };
	snprintf(name->text, CF_NAME, "%s", text);
	return name;
}

const void *
cf_string(const void *allocator, const char *text, uint32_t encoding)
{
	struct cf_object *o = cf_new(CF_STRING);

	(void)allocator;
	(void)encoding;
	snprintf(o->text, sizeof o->text, "%s", text);
	return o;
}

unsigned char
cf_text(const void *string, char *out, long size, uint32_t encoding)
{
	const struct cf_object *o = string;

	(void)encoding;
	if ((long)strlen(o->text) >= size)
		return 0;
	memcpy(out, o->text, strlen(o->text) + 1);
	return 1;
}

const void *
cf_get(const void *dictionary, const void *key)
{
	const struct cf_object *o = dictionary, *k = key;

	return strcmp(k->text, "RawElements") == 0 ? o->elements : o->list;
}

long
cf_count(const void *list)
{
	return ((const struct cf_object *)list)->n;
}

const void *
cf_at(const void *list, long i)
{
	return ((const struct cf_object *)list)->item[i];
}

void
cf_remove(const void *list, long i)
{
	struct cf_object *o = (struct cf_object *)(uintptr_t)list;

	cf_release(o->item[i]);
	o->n--;
	memmove(&o->item[i], &o->item[i + 1],
		(size_t)(o->n - i) * sizeof o->item[0]);
}

const unsigned char *
cf_bytes(const void *data)
{
	return ((const struct cf_object *)data)->data;
}

long
cf_length(const void *data)
{
	(void)data;
	return (long)sizeof((struct cf_object *)0)->data;
}

unsigned
cf_objects(void)
{
	return cf.objects;
}

void
cf_reset(void)
{
	memset(&cf, 0, sizeof cf);
}

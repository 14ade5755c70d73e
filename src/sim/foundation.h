/* CoreFoundation objects of the simulated libIOReport, as structs with a
 * reference count. */
#ifndef SIM_FOUNDATION_H
#define SIM_FOUNDATION_H

#include <stdint.h>

struct channel;

enum { CF_NAME = 40, CF_NAMES = 1024, CF_STATES = 33 };

enum cf_type {
	CF_STRING,
	CF_DICTIONARY,
	CF_LIST,
	CF_CHANNEL,
	CF_DATA,
	CF_SUBSCRIPTION
};

struct cf_object {
	enum cf_type type;
	unsigned refs;
	char text[CF_NAME];
	struct cf_object **item;
	long n;
	struct cf_object *list;
	struct cf_object *elements; /* "RawElements" of a CF_CHANNEL */
	const struct channel *channel;
	int64_t value;
	int32_t nstates;
	int64_t ticks[CF_STATES];
	unsigned char data[64];
};

struct cf_object *cf_new(enum cf_type type);
void cf_release(const void *object);
void cf_append(struct cf_object *list, struct cf_object *item);
/* Returns a string that stays valid until cf_reset, as callers do not release
 * what getters return. NULL: CF_NAMES strings exist. */
const void *cf_lasting(const char *text);
const void *cf_string(const void *allocator, const char *text,
		      uint32_t encoding);
unsigned char cf_text(const void *string, char *out, long size,
		      uint32_t encoding);
const void *cf_get(const void *dictionary, const void *key);
long cf_count(const void *list);
const void *cf_at(const void *list, long i);
void cf_remove(const void *list, long i);
const unsigned char *cf_bytes(const void *data);
long cf_length(const void *data);

unsigned cf_objects(void);
void cf_reset(void);

#endif

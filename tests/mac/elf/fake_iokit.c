/*
 * The device tree through IOKit, and the CoreFoundation objects it hands out.
 * A port is 1000 + its place in the table below.
 */
#include "fake_inside.h"

#include <stdlib.h>
#include <string.h>

#define KERN_FAILURE 5
#define CF_DATA 20
#define CF_NUMBER 22
#define CF_STRING 7
#define OBJECTS 256

enum object_kind { OBJECT_NONE, OBJECT_CPUS, OBJECT_CPU, OBJECT_ITERATOR };

struct object {
	enum object_kind kind;
	unsigned at; /* the node's index, or the iterator's next one */
};

/* What clang lays out for CFSTR("..."). */
struct cf_constant_string {
	const void *class;
	int flags;
	const char *text;
	long len;
};

struct cf {
	unsigned long type;
	int64_t number;
	size_t size;
	unsigned char bytes[];
};

static struct object object_table[OBJECTS];

void
fake_objects_forget(void)
{
	memset(object_table, 0, sizeof object_table);
}

/* IOKit */

static uint32_t
object_new(enum object_kind kind, unsigned at)
{
	for (unsigned i = 0; i < OBJECTS; i++) {
		if (object_table[i].kind == OBJECT_NONE) {
			object_table[i].kind = kind;
			object_table[i].at = at;
			fake_hold(1);
			return 1000 + i;
		}
	}
	abort();
}

/* The live object of that kind behind a port, else NULL and a mistake seen. */
static struct object *
object_of(uint32_t port, enum object_kind kind)
{
	if (port >= 1000 && port < 1000 + OBJECTS &&
	    object_table[port - 1000].kind == kind)
		return &object_table[port - 1000];
	fake_mistake();
	return NULL;
}

uint32_t
IORegistryEntryFromPath(uint32_t main_port, const char *path)
{
	(void)main_port;
	if (fake_fails(FAKE_ENTRY))
		return 0;
	const struct fake_node *cpus = fake_now()->cpus;

	if (strcmp(path, "IODeviceTree:/cpus") == 0 && cpus != NULL)
		return object_new(OBJECT_CPUS, 0);
	for (unsigned i = 0; cpus != NULL && cpus[i].name != NULL; i++)
		if (strncmp(path, "IODeviceTree:/cpus/", 19) == 0 &&
		    strcmp(path + 19, cpus[i].name) == 0)
			return object_new(OBJECT_CPU, i);
	return 0;
}

int
IORegistryEntryGetChildIterator(uint32_t entry, const char *plane,
				uint32_t *iterator)
{
	if (fake_fails(FAKE_CHILDREN))
		return KERN_FAILURE;
	if (object_of(entry, OBJECT_CPUS) == NULL ||
	    strcmp(plane, "IODeviceTree") != 0) {
		fake_mistake();
		return KERN_FAILURE;
	}
	*iterator = object_new(OBJECT_ITERATOR, 0);
	return 0;
}

uint32_t
IOIteratorNext(uint32_t iterator)
{
	struct object *o = object_of(iterator, OBJECT_ITERATOR);

	if (o == NULL || fake_now()->cpus[o->at].name == NULL)
		return 0;
	return object_new(OBJECT_CPU, o->at++);
}

int
IORegistryEntryGetName(uint32_t entry, char name[128])
{
	struct object *o = object_of(entry, OBJECT_CPU);

	if (fake_fails(FAKE_NAME) || o == NULL)
		return KERN_FAILURE;
	strncpy(name, fake_now()->cpus[o->at].name, 127);
	name[127] = '\0';
	return 0;
}

int
IOObjectRelease(uint32_t port)
{
	if (port < 1000 || port >= 1000 + OBJECTS ||
	    object_table[port - 1000].kind == OBJECT_NONE) {
		fake_mistake();
		return KERN_FAILURE;
	}
	object_table[port - 1000].kind = OBJECT_NONE;
	fake_hold(-1);
	return 0;
}

/* CoreFoundation */

const void *const kCFAllocatorDefault;
int __CFConstantStringClassReference[32];

static const struct cf *
cf_new(const struct fake_property *p)
{
	static const unsigned long type_id[] = { CF_NUMBER, CF_DATA,
						 CF_STRING };
	size_t size = p->data != NULL ? p->data_size : 4;
	/* exactly as long as the value: a read past its end is seen */
	struct cf *cf = malloc(sizeof *cf + size);

	if (cf == NULL)
		abort();
	cf->type = type_id[p->type];
	cf->number = p->number;
	cf->size = size;
	memcpy(cf->bytes, p->data != NULL ? (const void *)p->data : &p->number,
	       size);
	fake_hold(1);
	return cf;
}

/* One of the program's own: as CFSTR has it, given back like the others. */
struct cf_constant_string *CFStringCreateWithCString(const void *allocator,
						     const char *text,
						     uint32_t encoding);
const void *
IORegistryEntryCreateCFProperty(uint32_t entry,
				const struct cf_constant_string *key,
				const void *allocator, uint32_t options);
const void *
IORegistryEntryCreateCFProperty(uint32_t entry,
				const struct cf_constant_string *key,
				const void *allocator, uint32_t options)
{
	const struct object *o = object_of(entry, OBJECT_CPU);

	(void)allocator;
	(void)options;
	if (fake_fails(FAKE_PROPERTY) || o == NULL)
		return NULL;
	const struct fake_property *p = fake_now()->cpus[o->at].property;

	for (int i = 0; i < FAKE_NODE_PROPERTIES && p[i].name != NULL; i++)
		if (strcmp(p[i].name, key->text) == 0)
			return cf_new(&p[i]);
	return NULL;
}

void
CFRelease(void *cf)
{
	if (cf == NULL)
		abort(); /* as Apple's does */
	fake_hold(-1);
	free(cf);
}

struct cf_constant_string *
CFStringCreateWithCString(const void *allocator, const char *text,
			  uint32_t encoding)
{
	size_t len = strlen(text);
	struct cf_constant_string *out = malloc(sizeof *out + len + 1);

	(void)allocator;
	(void)encoding;
	if (out == NULL)
		abort();
	memset(out, 0, sizeof *out);
	out->text = memcpy(out + 1, text, len + 1);
	out->len = (long)len;
	fake_hold(1);
	return out;
}

unsigned long
CFGetTypeID(const struct cf *cf)
{
	return cf->type;
}

unsigned long
CFDataGetTypeID(void)
{
	return CF_DATA;
}

unsigned long
CFNumberGetTypeID(void)
{
	return CF_NUMBER;
}

unsigned long
CFStringGetTypeID(void)
{
	return CF_STRING;
}

const unsigned char *
CFDataGetBytePtr(const struct cf *cf)
{
	if (cf->type != CF_DATA)
		fake_mistake();
	return cf->bytes;
}

long
CFDataGetLength(const struct cf *cf)
{
	if (cf->type != CF_DATA)
		fake_mistake();
	return (long)cf->size;
}

/* kCFNumberSInt32Type 3 and IntType 9 are 4 bytes, SInt64 4, LongLong 11: 8 */
unsigned char
CFNumberGetValue(const struct cf *cf, long type, void *value)
{
	int32_t narrow = (int32_t)cf->number;

	if (cf->type != CF_NUMBER)
		fake_mistake();
	if (fake_fails(FAKE_NUMBER))
		return 0;
	if (type == 3 || type == 9)
		memcpy(value, &narrow, sizeof narrow);
	else if (type == 4 || type == 11)
		memcpy(value, &cf->number, sizeof cf->number);
	else
		fake_mistake();
	return 1;
}

/* kCFStringEncodingUTF8; false where the text does not fit with its end */
unsigned char
CFStringGetCString(const struct cf *cf, char *buffer, long size,
		   uint32_t encoding)
{
	if (cf->type != CF_STRING || encoding != 0x08000100)
		fake_mistake();
	if (size > 0)
		buffer[0] = '\0';
	if (size <= 0 || cf->size >= (size_t)size)
		return 0;
	memcpy(buffer, cf->bytes, cf->size);
	buffer[cf->size] = '\0';
	return 1;
}

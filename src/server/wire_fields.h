/* Short hands for tables of fields; nobody but wire*.c includes it. */
#ifndef SERVER_WIRE_FIELDS_H
#define SERVER_WIRE_FIELDS_H

#include "server/wire.h"

#include <stddef.h>

/* Tables of the fields of struct OF. */
#define FIELD(type, name, max)                \
	{                                     \
		type, offsetof(OF, name), max \
	}
#define TEXT(name) FIELD(WIRE_TEXT, name, sizeof(((OF *)NULL)->name))
#define STRING(name) FIELD(WIRE_STRING, name, UINT16_MAX)
#define FLAG(name) FIELD(WIRE_FLAG, name, 0)
#define SMALL(name, max) FIELD(WIRE_SMALL, name, max)
#define BITS(name, allowed) FIELD(WIRE_BITS, name, allowed)
#define ENUM(name, max) FIELD(WIRE_ENUM, name, max)
#define UINT(name) FIELD(WIRE_UINT, name, 0)
#define BELOW(name, limit) FIELD(WIRE_BELOW, name, limit)
#define INT(name) FIELD(WIRE_INT, name, 0)
#define U64(name) FIELD(WIRE_U64, name, 0)
#define I64(name) FIELD(WIRE_I64, name, 0)
#define PUT(w, table, from) \
	wire_put_fields(w, table, sizeof table / sizeof *table, from)
#define GET(r, table, limit, to) \
	wire_get_fields(r, table, sizeof table / sizeof *table, limit, to)

#endif

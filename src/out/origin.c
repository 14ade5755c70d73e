#include "out/origin.h"

#include <stdio.h>
#include <string.h>

#include "model/columns.h"

enum { FIELD_SIZE = ORIGIN_SIZE / 2 };

void
origin_name(char out[ORIGIN_SIZE], const char *model, const char *source)
{
	snprintf(out, ORIGIN_SIZE, "%.*s (%.*s)", FIELD_SIZE - 2, model,
		 FIELD_SIZE - 2, source);
}

/* A field, in quotes or not; behind its comma, or NULL. */
static const char *
take_field(const char *at, bool json, char out[FIELD_SIZE])
{
	size_t n = 0;
	bool quoted;

	if (json && (at = strchr(at, ':')) != NULL)
		at++;
	if (at == NULL)
		return NULL;
	quoted = *at == '"';
	for (at += quoted; *at != '\0' && (quoted || *at != ','); at++) {
		if (quoted && *at == '"' && (json || at[1] != '"'))
			break;
		if (quoted && *at == (json ? '\\' : '"'))
			at++;
		if (*at != '\0' && n + 1 < FIELD_SIZE)
			out[n++] = *at;
	}
	out[n] = '\0';
	at += quoted && *at == '"';
	return *at == ',' ? at + 1 : NULL;
}

bool
origin_of_row(char out[ORIGIN_SIZE], const char *row)
{
	char source[FIELD_SIZE], model[FIELD_SIZE];
	bool json = *row == '{';

	for (unsigned i = 0; i < COLUMN_SOURCE; i++) {
		row = strchr(row, ',');
		if (row == NULL)
			return false;
		row++;
	}
	row = take_field(row, json, source);
	if (row == NULL || take_field(row, json, model) == NULL)
		return false;
	origin_name(out, model, source);
	return true;
}

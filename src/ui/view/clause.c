/* Words of a filter: "kv", "4-7", "ipc<1". */
#include "ui/view/clause.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool
same_letter(char a, char b)
{
	return tolower((unsigned char)a) == tolower((unsigned char)b);
}

bool
clause_contains(const char *text, const char *part)
{
	size_t n = strlen(part);

	for (; *text != 0; text++) {
		size_t i = 0;

		while (i < n && text[i] != 0 && same_letter(text[i], part[i]))
			i++;
		if (i == n)
			return true;
	}
	return n == 0;
}

bool
clause_next(const char *text, size_t *at, char word[CLAUSE_SIZE], bool *either)
{
	bool first = *at == 0;
	size_t n;

	*either = false;
	for (; text[*at] == ' ' || text[*at] == ','; ++*at)
		*either |= text[*at] == ',' && !first;
	n = strcspn(text + *at, " ,");
	if (n >= CLAUSE_SIZE)
		n = CLAUSE_SIZE - 1;
	memcpy(word, text + *at, n);
	word[n] = 0;
	*at += n;
	return n > 0;
}

struct clause
clause_of(const char *word)
{
	struct clause c = { .op = 0 };
	size_t n = strcspn(word, "<>=");
	const char *at = word + n;
	char *end;

	if (*at == 0 || n == 0)
		return c;
	memcpy(c.name, word, n);
	c.op = *at++;
	if (*at == '=') {
		c.equal = true;
		at++;
	}
	c.number = strtod(at, &end);
	c.whole = end != at && *end == 0;
	return c;
}

bool
clause_called(const char *label, const char *name)
{
	size_t i = 0;

	while (label[i] != 0 && name[i] != 0 && same_letter(label[i], name[i]))
		i++;
	return name[i] == 0 &&
	       (label[i] == 0 || (strchr("%~", label[i]) && label[i + 1] == 0));
}

bool
clause_holds(const struct clause *c, double value)
{
	if (isnan(value))
		return false;
	if ((c->equal || c->op == '=') && fabs(value - c->number) < 1e-9)
		return true;
	return c->op == '<' ? value < c->number
			    : c->op == '>' && value > c->number;
}

bool
clause_range(const char *word, long *from, long *to)
{
	char *end;

	if (!isdigit((unsigned char)word[0]))
		return false;
	*from = *to = strtol(word, &end, 10);
	if (*end == '-' && isdigit((unsigned char)end[1]))
		*to = strtol(end + 1, &end, 10);
	else if (*end == '-' && end[1] == 0)
		end++; /* still typed */
	return *end == 0;
}

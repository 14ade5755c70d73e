#include "ui/draw/role.h"

#include <string.h>

#define ROW(role, name, text, reads, fades) { name, text, reads, fades },
const struct role_text role_table[ROLE_COUNT] = { ROLES(ROW) };

int
role_find(const char *name)
{
	for (int i = 0; i < ROLE_COUNT; i++)
		if (strcmp(role_table[i].name, name) == 0)
			return i;
	return -1;
}

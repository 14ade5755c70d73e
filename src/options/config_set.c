/* The text of the config file: one more line, or another. */
#include "options/config.h"

#include <string.h>

#include "base/buf.h"

/* The line of an option before the first section; NULL if it has none. */
static char *
find_option(char *text, const char *name, char **sections)
{
	size_t n = strlen(name);

	for (char *at = text; *at != '\0';) {
		char *s = at + strspn(at, " \t"), *behind = s + n;

		*sections = at;
		if (*s == '[')
			return NULL;
		if (strncmp(s, name, n) == 0 &&
		    behind[strspn(behind, " \t")] == '=')
			return at;
		at += strcspn(at, "\n");
		at += *at == '\n';
		*sections = at;
	}
	return NULL;
}

/* n bytes at `at` give way to s. */
static bool
splice(char text[CONFIG_MAX], char *at, size_t n, const char *s)
{
	size_t tail = strlen(at + n) + 1, len = strlen(s);

	if ((size_t)(at - text) + len + tail > CONFIG_MAX)
		return false;
	memmove(at + len, at + n, tail);
	memcpy(at, s, len);
	return true;
}

bool
config_set(char text[CONFIG_MAX], const char *name, const char *value)
{
	char line[CONFIG_LINE_SIZE], *end = text;
	struct buf b = buf_over(line, sizeof line);
	char *at = find_option(text, name, &end);
	size_t n = at != NULL ? strcspn(at, "\n") : 0;

	if (at != NULL && at[n] == '\n')
		n++;
	if (at == NULL) /* behind the other options, before the blank lines */
		for (at = end;
		     at > text + 1 && at[-1] == '\n' && at[-2] == '\n';)
			at--;
	if (value != NULL) {
		if (at > text && at[-1] != '\n')
			buf_char(&b, '\n');
		buf_str(&b, name);
		buf_str(&b, " = ");
		buf_str(&b, value);
		buf_char(&b, '\n');
	}
	(void)buf_cstr(&b);
	return !b.full && splice(text, at, n, line);
}

bool
config_add_preset(char text[CONFIG_MAX], const struct user *u, int preset)
{
	char section[CONFIG_LINE_SIZE];
	struct buf b = buf_over(section, sizeof section);
	unsigned k = (unsigned)preset - preset_count;
	const struct preset *p = user_preset(u, preset);
	size_t len = strlen(text);

	buf_printf(&b, "%s[preset %s]\n",
		   len > 0 && text[len - 1] != '\n' ? "\n\n" : "\n", p->name);
	if (p->key != 0)
		buf_printf(&b, "key = %c\n", p->key);
	buf_str(&b, "events = ");
	for (unsigned i = 0; i < u->nevents[k]; i++)
		buf_printf(&b, "%s%s", i > 0 ? ", " : "", u->event[k][i]);
	buf_char(&b, '\n');
	(void)buf_cstr(&b);
	return !b.full && splice(text, text + len, 0, section);
}

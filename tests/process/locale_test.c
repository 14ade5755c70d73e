/* Locales that are not there: what is tried instead, and what is said. */
#include "process/locale.h"

#include <locale.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* A system with these locales, and an environment. */
static const char *has[8], *lang, *lc_ctype, *lc_all;
static char characters[64]; /* the locale that gives them */

static const char *
variable(const char *name)
{
	return strcmp(name, "LANG") == 0       ? lang
	       : strcmp(name, "LC_CTYPE") == 0 ? lc_ctype
					       : lc_all;
}

static bool
is_there(const char *name)
{
	if (name == NULL || strcmp(name, "C") == 0)
		return true;
	for (unsigned i = 0; has[i] != NULL; i++)
		if (strcmp(has[i], name) == 0)
			return true;
	return false;
}

static bool
set(int category, const char *name)
{
	const char *ctype = lc_all != NULL     ? lc_all
			    : lc_ctype != NULL ? lc_ctype
			    : lang != NULL     ? lang
					       : "C";

	if (name[0] != '\0')
		ctype = name;
	else if (category == LC_ALL &&
		 (!is_there(lang) || !is_there(lc_ctype) || !is_there(lc_all)))
		return false;
	if (!is_there(ctype))
		return false;
	if (category == LC_ALL || category == LC_CTYPE)
		snprintf(characters, sizeof(characters), "%s", ctype);
	return true;
}

static bool
take(char *text, size_t size)
{
	static const struct locale_system system = { variable, set };

	snprintf(characters, sizeof(characters), "C");
	return locale_set(&system, text, size);
}

UNIT(test_what_is_tried)
{
	static const struct {
		const char *lang, *ctype, *all, *has[5], *want;
	} row[] = {
		{ "de_DE.UTF-8",
		  NULL,
		  NULL,
		  { "de_DE.UTF-8", "C.UTF-8" },
		  "de_DE.UTF-8" },
		{ NULL, NULL, NULL, { "C.UTF-8" }, "C" },
		{ "en_NL.UTF-8",
		  NULL,
		  NULL,
		  { "C.UTF-8", "en_US.UTF-8" },
		  "C.UTF-8" },
		/* macOS before 15 has no C.UTF-8 */
		{ "en_NL.UTF-8",
		  NULL,
		  NULL,
		  { "UTF-8", "en_US.UTF-8" },
		  "UTF-8" },
		{ "en_NL.UTF-8", NULL, NULL, { "en_US.UTF-8" }, "en_US.UTF-8" },
		{ "en_NL", NULL, NULL, { "C.UTF-8" }, "C.UTF-8" },
		{ "en_NL.UTF-8",
		  "de_DE.UTF-8",
		  NULL,
		  { "de_DE.UTF-8", "C.UTF-8" },
		  "de_DE.UTF-8" },
		{ "de_DE.UTF-8",
		  "de_DE.UTF-8",
		  "en_NL.UTF-8",
		  { "de_DE.UTF-8", "C.UTF-8" },
		  "de_DE.UTF-8" },
		{ "de_DE.UTF-8",
		  "UTF-8",
		  NULL,
		  { "de_DE.UTF-8", "C.UTF-8" },
		  "C.UTF-8" },
	};
	char text[300];

	for (unsigned i = 0; i < sizeof(row) / sizeof(*row); i++) {
		lang = row[i].lang;
		lc_ctype = row[i].ctype;
		lc_all = row[i].all;
		memcpy(has, row[i].has, sizeof(row[i].has));
		assert_true(take(text, sizeof(text)));
		assert_string_equal(text, "");
		assert_string_equal(characters, row[i].want);
	}
}

UNIT(test_what_is_said_when_nothing_works)
{
	char text[300];

	memset(has, 0, sizeof(has));
	lc_ctype = lc_all = NULL;
	lang = "en_NL.UTF-8";
	assert_false(take(text, sizeof(text)));
	assert_non_null(strstr(text, "locale en_NL.UTF-8 is not installed"));
	assert_non_null(strstr(text, "locale -a"));
	assert_string_equal(characters, "C");
	/* another set of characters is not replaced by UTF-8 */
	has[0] = "C.UTF-8";
	lang = "nl_NL.ISO8859-1";
	assert_false(take(text, sizeof(text)));
	assert_non_null(strstr(text, "nl_NL.ISO8859-1"));
	assert_string_equal(characters, "C");
}

#include "process/locale.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"

static const char *
locale_name(const struct locale_system *system)
{
	static const char *const variable[] = { "LC_ALL", "LC_CTYPE", "LANG" };

	for (size_t i = 0; i < sizeof variable / sizeof *variable; i++) {
		const char *name = system->variable(variable[i]);

		if (name != NULL && name[0] != '\0')
			return name;
	}
	return "";
}

static bool
may_be_utf8(const char *name)
{
	const char *set = strchr(name, '.');

	return set == NULL || strncasecmp(set + 1, "UTF-8", 5) == 0 ||
	       strncasecmp(set + 1, "UTF8", 4) == 0;
}

static bool
locale_set_fallback(const struct locale_system *system)
{
	static const char *const spare[] = { "C.UTF-8", "UTF-8",
					     "en_US.UTF-8" };
	const char *own = system->variable("LC_CTYPE");

	/* LC_CTYPE may be installed although another category's locale is
	 * missing. */
	if (system->set(LC_CTYPE, ""))
		return true;
	if (own != NULL && own[0] != '\0' && system->set(LC_CTYPE, own))
		return true;
	if (!may_be_utf8(locale_name(system)))
		return false;
	for (size_t i = 0; i < sizeof spare / sizeof *spare; i++)
		if (system->set(LC_CTYPE, spare[i]))
			return true;
	return false;
}

bool
locale_set(const struct locale_system *system, char *text, size_t size)
{
	struct buf b = buf_over(text, size);
	bool ok = system->set(LC_ALL, "") || locale_set_fallback(system);

	(void)system->set(LC_NUMERIC, "C");
	if (!ok)
		buf_printf(
			&b,
			"locale %s is not installed, so the screen is plain ASCII; set LC_ALL to a UTF-8 locale that locale -a lists",
			locale_name(system));
	buf_cstr(&b);
	return ok;
}

static const char *
locale_read_variable(const char *name)
{
	return getenv(name);
}

static bool
locale_set_category(int category, const char *name)
{
	return setlocale(category, name) != NULL;
}

bool
locale_init(char *text, size_t size)
{
	static const struct locale_system system = { locale_read_variable,
						     locale_set_category };

	return locale_set(&system, text, size);
}

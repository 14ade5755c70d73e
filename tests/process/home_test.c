/* The one home of a person's files, with sudo and without. */
#include "process/caller.h"

#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static void
set(const char *name, const char *value)
{
	if (value == NULL)
		assert_int_equal(unsetenv(name), 0);
	else
		assert_int_equal(setenv(name, value, 1), 0);
}

static void
under(const char *sudo_uid, const char *home)
{
	set("SUDO_UID", sudo_uid);
	set("SUDO_GID", sudo_uid);
	set("HOME", home);
}

UNIT(home_is_what_the_environment_says)
{
	under(NULL, "/some/where");
	assert_string_equal(home_of_user(), "/some/where");
}

/* A cron job has none, and a relative one is none. */
UNIT(without_one_the_passwd_file_tells)
{
	const struct passwd *pw = getpwuid(getuid());

	if (pw == NULL)
		return;
	char *own = strdup(pw->pw_dir);

	assert_non_null(own);
	under(NULL, NULL);
	assert_string_equal(home_of_user(), own);
	under(NULL, "relative");
	assert_string_equal(home_of_user(), own);
	/* Root's rights were given up: the user is the caller by now. */
	under("12345", "/kept/of/another");
	if (geteuid() != 0)
		assert_string_equal(home_of_user(), own);
	free(own);
}

UNIT(under_sudo_it_is_the_callers)
{
	const struct passwd *pw = getpwnam("nobody");
	char uid[16];

	if (geteuid() != 0 || pw == NULL)
		return;
	(void)snprintf(uid, sizeof uid, "%u", (unsigned)pw->pw_uid);
	char *home = strdup(pw->pw_dir);

	assert_non_null(home);
	under(uid, "/kept/of/another");
	assert_string_equal(home_of_user(), home);
	free(home);
	/* A caller that no list has: what the environment says is left. */
	under("64999", "/kept");
	assert_string_equal(home_of_user(), "/kept");
	under("64999", NULL);
	assert_null(home_of_user());
}

UNIT(folders_are_below_it)
{
	char text[64];
	struct buf b = buf_over(text, sizeof text);

	under(NULL, "/h");
	set("XDG_STATE_HOME", "relative");
	assert_false(home_by_variable("XDG_STATE_HOME", &b));
	assert_int_equal(b.len, 0);
	assert_true(home_by_user("/.config", &b));
	assert_string_equal(buf_cstr(&b), "/h/.config/ktop");
	set("XDG_STATE_HOME", "/state");
	b = buf_over(text, sizeof text);
	assert_true(home_by_variable("XDG_STATE_HOME", &b));
	assert_string_equal(buf_cstr(&b), "/state/ktop");
}

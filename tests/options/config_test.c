/* The config file: options, own presets, mistakes, saving. */
#include "options/rows.h"

#include "options/config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct err e;

static struct options *
options_new(void)
{
	struct options *o = calloc(1, sizeof *o);

	assert_non_null(o);
	return o;
}

static bool
take(struct options *o, const char *text)
{
	memset(o, 0, sizeof *o);
	e = (struct err){ ERR_NONE, "" };
	return config_parse(o, "ktoprc", text, &e);
}

UNIT(test_options)
{
	struct options *o = options_new();

	assert_true(take(o, "# all\n\n delay = 250ms \nbatch=yes\nhold = no\n"
			    "preset = mine\ntheme = nord\nmouse = on\r\n"
			    "rotate = l1d,mine\n\n"
			    "[preset mine]\nevents = INST_ALL\n"));
	assert_int_equal(o->period_ns, 250000000);
	assert_true(o->out.batch);
	assert_false(o->hold);
	assert_true(o->ui.mouse);
	assert_string_equal(o->ui.theme, "nord");
	assert_int_equal(o->preset, preset_count);
	assert_int_equal(o->rotate[1], preset_count);
	free(o);
}

static void
check_mistake(char *const *field)
{
	struct options *o = options_new();

	if (take(o, field[0]) || e.code != ERR_USAGE ||
	    strstr(e.text, field[1]) == NULL)
		fail_msg("%s: '%s' is not in '%s'", field[0], field[1], e.text);
	free(o);
}

UNIT(test_every_mistake_says_where)
{
	rows_each("config-mistakes", 30, check_mistake);
}

/* Twelve and eleven bytes, eight columns each. */
UNIT(test_labels_are_measured_in_columns)
{
	static const char *const label[] = {
		"\xe5\x88\x86\xe5\xb2\x90\xe7\x8e\x87\xe7\x8e\x87",
		"ff\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc/s"
	};

	for (unsigned i = 0; i < 2; i++) {
		struct options *o = options_new();
		char text[80];

		(void)snprintf(text, sizeof text,
			       "[preset a]\nlabel = %s\nevents = A\n",
			       label[i]);
		assert_true(take(o, text));
		assert_string_equal(o->user.preset[0].label, label[i]);
		free(o);
	}
}

/* One notice, whatever the file has; what is left of its presets works. */
UNIT(test_own_metrics_are_told)
{
	struct options *o = options_new();

	assert_true(take(o, "preset = all\nrotate = l1d,all\nsort = mine\n"
			    "delay = 2s\n"
			    "[metric mine]\nformula = 100 * A / B\nlabel = x\n"
			    "[preset some]\nmetrics = ipc, mine\n"
			    "[preset all]\nmetrics = mine\n"
			    "[metric other]\nformula = B / (A\n"
			    "[preset last]\nevents = A\n"));
	assert_non_null(strstr(
		o->config.odd,
		"ktoprc:5:2: ktop does not have user-defined metrics: use [preset NAME] with events"));
	assert_null(strstr(o->config.odd, "ktoprc:12"));
	assert_non_null(strstr(
		o->config.odd,
		"ktoprc:1:10: preset all (ktoprc:10:1) has only metrics that were removed"));
	assert_non_null(strstr(o->config.odd, "; ktoprc:2:10: preset all"));
	assert_int_equal(o->period_ns, 2000000000);
	assert_int_equal(o->nrotate, 0);
	assert_int_equal(o->user.npresets, 2);
	assert_string_equal(o->user.preset[0].metrics[0], "ipc");
	assert_null(o->user.preset[0].metrics[1]);
	assert_string_equal(o->user.event[1][0], "A");
	free(o);
}

/* Where there is no room for one more, none is cut. */
UNIT(test_notices_are_whole)
{
	struct options *o = options_new();
	char text[2000] = "";
	size_t n = 0;

	for (unsigned i = 0; i < 40; i++)
		n += (size_t)snprintf(text + n, sizeof text - n,
				      "sort = x%*d\n", (int)i, 1);
	assert_true(take(o, text));
	assert_null(strstr(o->config.odd, ";;"));
	n = strlen(o->config.odd);
	assert_true(n > 300);
	assert_string_equal(o->config.odd + n - 5, "; ...");
	for (const char *at = o->config.odd; strstr(at, "; k") != NULL;
	     at = strstr(at, "; k") + 3)
		assert_non_null(strstr(at, "unknown column"));
	free(o);
}

/* Options that are gone are told as well. */
UNIT(test_options_that_are_gone_are_told)
{
	static const char *const gone[] = { "inject", "sql", "tape" };
	struct options *o = options_new();
	char text[64];

	for (unsigned i = 0; i < sizeof gone / sizeof *gone; i++) {
		(void)snprintf(text, sizeof text, "%s = x\ndelay = 2s\n",
			       gone[i]);
		assert_true(take(o, text));
		(void)snprintf(text, sizeof text,
			       "ktoprc:1:1: there is no --%s", gone[i]);
		assert_ptr_equal(strstr(o->config.odd, text), o->config.odd);
		assert_int_equal(o->period_ns, 2000000000);
	}
	free(o);
}

static const struct event made_up[] = {
	{ .name = "A", .number = 1, .counters = 0x0e0 },
	{ .name = "B", .number = 2, .counters = 0x0e0 },
	{ .name = "C", .number = 3, .counters = 0x0e0 },
	{ .name = "D", .number = 4, .counters = 0x0e0 },
	{ .name = "E", .number = 5, .counters = 0x3fc },
};
static const struct catalog catalog = { "test", made_up, 5, 0x3fc };

UNIT(test_sets_of_own_presets)
{
	struct options *o = options_new();
	struct eventset set;

	assert_true(take(o, "[preset crowd]\nevents = A B, C D E nix\n"
			    "[preset none]\nevents = nix\n"));
	int at = (int)preset_count;

	/* three counters for four: the fourth is left out, with a reason */
	assert_true(user_preset_derive(&o->user, at, &catalog, DOMAIN_ALL, &set,
				       &e));
	assert_string_equal(set.name, "crowd");
	assert_int_equal(set.len, 4);
	assert_int_equal(set.ndropped, 2);
	assert_string_equal(set.dropped[0].event, "D");
	assert_string_equal(set.dropped[1].event, "nix");
	assert_false(user_preset_derive(&o->user, at + 1, &catalog, DOMAIN_ALL,
					&set, &e));
	assert_int_equal(e.code, ERR_NO_PMU);
	free(o);
}

UNIT(test_saving_changes_nothing_else)
{
	static char text[CONFIG_MAX];
	static const char before[] = "# mine\ndelay = 1s\n\n[preset a]\n"
				     "events = A, B\n";

	memcpy(text, before, sizeof before);
	assert_true(config_set(text, "delay", "250ms"));
	assert_true(config_set(text, "theme", "nord"));
	assert_string_equal(text, "# mine\ndelay = 250ms\ntheme = nord\n\n"
				  "[preset a]\nevents = A, B\n");
	assert_true(config_set(text, "theme", NULL));
	assert_true(config_set(text, "delay", "1s"));
	assert_string_equal(text, before);
	/* names are whole, and a section's lines are not options */
	memcpy(text, "del = 1\n[preset a]\ndelay = 2", 29);
	assert_true(config_set(text, "delay", "3s"));
	assert_string_equal(text, "del = 1\ndelay = 3s\n[preset a]\ndelay = 2");
	assert_true(config_has(text, "delay"));
	assert_true(config_has("# x\n rotate = a\n", "rotate"));
	assert_false(config_has("rotates = a\n# rotate = a\n", "rotate"));
	assert_false(config_has("[preset a]\nevents = A\n", "events"));
	text[0] = '\0';
	assert_true(config_set(text, "delay", "3s"));
	assert_string_equal(text, "delay = 3s\n");
	memcpy(text, "a = 1\n\n\n", 9); /* blank lines stay behind it */
	assert_true(config_set(text, "delay", "3s"));
	assert_string_equal(text, "a = 1\ndelay = 3s\n\n\n");
	memset(text, 'x', CONFIG_MAX - 2);
	text[CONFIG_MAX - 2] = '\0';
	assert_false(config_set(text, "delay", "3s"));
}

UNIT(test_the_file)
{
	char dir[] = "/tmp/ktop-config-XXXXXX", path[CONFIG_PATH_MAX];
	static char text[CONFIG_MAX];
	struct stat st;

	assert_non_null(mkdtemp(dir));
	assert_int_equal(setenv("XDG_CONFIG_HOME", dir, 1), 0);
	assert_true(config_path(path));
	/* none is fine, unless it was asked for */
	assert_true(config_read(NULL, text, NULL, &e));
	assert_string_equal(text, "");
	assert_false(config_read(path, text, NULL, &e));
	assert_true(config_write(NULL, "delay = 2s\n", &e));
	assert_true(config_read(NULL, text, NULL, &e));
	assert_string_equal(text, "delay = 2s\n");
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_size, 11);
	assert_int_equal(unlink(path), 0);
	*strrchr(path, '/') = '\0';
	assert_int_equal(rmdir(path), 0); /* nothing else was left there */
	assert_int_equal(rmdir(dir), 0);
	assert_int_equal(setenv("XDG_CONFIG_HOME", "relative", 1), 0);
	assert_int_equal(setenv("HOME", "/nobody", 1), 0);
	assert_int_equal(unsetenv("SUDO_UID"), 0);
	assert_true(config_path(path));
	assert_string_equal(path, "/nobody/.config/ktop/ktoprc");
}

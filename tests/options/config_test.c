/* The config file: options, own metrics and presets, mistakes, saving. */
#include "options/config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

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

static void
test_options(void **state)
{
	struct options *o = options_new();

	(void)state;
	assert_true(take(o, "# all\n\n delay = 250ms \nbatch=yes\nhold = no\n"
			    "preset = mine\ntheme = nord\nmouse = on\r\n"
			    "rotate = l1d,mine\n\n"
			    "[preset mine]\nevents = INST_ALL\n"));
	assert_int_equal(o->period_ns, 250000000);
	assert_true(o->batch);
	assert_false(o->hold);
	assert_true(o->ui.mouse);
	assert_string_equal(o->ui.theme, "nord");
	assert_int_equal(o->preset, preset_count);
	assert_int_equal(o->rotate[1], preset_count);
	free(o);
}

/* Eight times an accent that stands on the letter before it. */
#define ACUTE "\xcc\x81\xcc\x81\xcc\x81\xcc\x81\xcc\x81\xcc\x81\xcc\x81\xcc\x81"

static const struct {
	const char *text, *says;
} mistake[] = {
	{ "\n dealy = 1", "ktoprc:2:2: unknown option 'dealy'; did "
			  "you mean 'delay'" },
	{ "delay = soon", "ktoprc:1:9: --delay 'soon'" },
	{ "delay 1", "ktoprc:1:1: a line is 'name = value'" },
	{ "hold = maybe", "ktoprc:1:8: hold is yes or no, not 'maybe'" },
	{ "version = yes", "ktoprc:1:1: --version is something to do" },
	{ "config = x", "something to do" },
	{ "theme =", "ktoprc:1:8: --theme needs" },
	{ "preset = bramch", "ktoprc:1:10: unknown preset 'bramch'; "
			     "did you mean 'branch'" },
	{ "[metric]\n", "ktoprc:1:8: a name has" },
	{ "[metric A]\n", "ktoprc:1:9: a name has" },
	{ " [colour x]\n", "ktoprc:1:3: unknown section 'colour'" },
	{ "[metric a\n", "ktoprc:1:1: a section is" },
	/* duplicates: of built-in ones, of own ones, of keys, of
	   digits */
	{ "[metric ipc]\n", "ktoprc:1:9: there is already a metric "
			    "'ipc'" },
	{ "[metric a]\nformula=A/B\n[metric  a]\n",
	  "ktoprc:3:10: there is already a metric 'a'" },
	{ "[preset branch]\n", "ktoprc:1:9: there is already a preset "
			       "'branch'" },
	{ "[preset a]\nevents=A\n\n [preset a ]\n",
	  "ktoprc:4:10: there is already a preset 'a'" },
	{ "[preset a]\nkey = 1\nevents=A\n[preset b]\nkey = 1\n",
	  "ktoprc:5:7: key 1 is that of preset a" },
	{ "[metric a]\nformula = A / B\n formula = A / C\n",
	  "ktoprc:3:2: said twice: 'formula'" },
	{ "[metric a]\nlabel = A\nlabel = A\n", "ktoprc:3:1: said" },
	{ "[preset a]\nevents = A\nevents = B\n", "ktoprc:3:1: said" },
	{ "[preset a]\nkey = 1\nkey = 2\n", "ktoprc:3:1: said" },
	/* a section that does not say enough: where it began */
	{ "#\n[metric a]\nlabel = A\n", "ktoprc:2:1: no formula" },
	{ "[preset a]\nkey = 1\n", "ktoprc:1:1: neither events" },
	{ "[preset a]\nkey = x\nevents = A\n", "ktoprc:2:7: a key is" },
	{ "[preset a]\nkey = 12\nevents = A\n", "ktoprc:2:7: a key is" },
	{ "[preset a]\nkey = 0\nevents = A\n", "ktoprc:2:7: a key is" },
	{ "[preset a]\nlabel = muchtoolong\n", "ktoprc:2:9: a label "
					       "is 1 to 8 columns" },
	{ "[preset a]\ncolour = red\n",
	  "ktoprc:2:1: a preset has no key 'colour'" },
	{ "[preset a]\nmetrics = ipc, nix\n", "ktoprc:2:16: unknown metric" },
	{ "[preset a]\nevents = A B C D E F G H I J K\n",
	  "ktoprc:2:30: a preset has at most 10" },
	{ "[metric a]\nlabel = muchtoolong\n", "ktoprc:2:9: a label "
					       "is 1 to 7 columns" },
	/* eight columns, of two each; and signs of no end on one letter */
	{ "[metric a]\nlabel = \xe5\x88\x86\xe5\xb2\x90\xe5\x88\x86\xe5\xb2\x90\n",
	  "ktoprc:2:9: a label is 1 to 7 columns" },
	{ "[metric a]\nlabel = e" ACUTE ACUTE ACUTE ACUTE "\n",
	  "ktoprc:2:9: a label is 1 to 7 columns" },
	{ "[metric a]\nunit = miles\n", "ktoprc:2:8: unknown unit" },
	{ "[metric a]\n decimals = 9\n", "ktoprc:2:13: decimals" },
	{ "[metric a]\ngood = x\n", "ktoprc:2:8: no number" },
	{ "[metric a]\nformulae = x\n",
	  "ktoprc:2:1: a metric has no key 'formulae'" },
	/* columns count from 1, in the line as written */
	{ "[metric a]\nformula = A\n", "ktoprc:2:12: here should be a /" },
	{ "[metric a]\nformula = A / \n", "ktoprc:2:14: here should be "
					  "the name" },
	{ "[metric a]\nformula = (A + ) / B\n", "ktoprc:2:16: " },
	{ "[metric a]\nformula = (A / B\n", "ktoprc:2:14: here should "
					    "be a )" },
	{ "[metric a]\n  formula = 2 A / B\n", "ktoprc:2:15: a number" },
	{ "[metric a]\nformula = A / B C\n", "ktoprc:2:17: here the" },
	{ "[metric a]\nformula = 0 * A / B\n", "ktoprc:2:11: the "
					       "factor" },
	{ "[metric a]\nformula = A / (A+A+A+A+A+A+A+A)\n",
	  "ktoprc:2:30: a sum has at most 7" },
};

static void
test_every_mistake_says_where(void **state)
{
	struct options *o = options_new();

	(void)state;
	for (unsigned i = 0; i < sizeof mistake / sizeof *mistake; i++) {
		assert_false(take(o, mistake[i].text));
		assert_int_equal(e.code, ERR_USAGE);
		if (strstr(e.text, mistake[i].says) == NULL)
			fail_msg("row %u: '%s' is not in '%s'", i,
				 mistake[i].says, e.text);
	}
	free(o);
}

/* Nine and ten bytes, six and seven columns. */
static void
test_labels_are_measured_in_columns(void **state)
{
	static const char *const label[] = {
		"\xe5\x88\x86\xe5\xb2\x90\xe7\x8e\x87",
		"f\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc/s"
	};

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		struct options *o = options_new();
		char text[80];

		(void)snprintf(text, sizeof text,
			       "[metric a]\nlabel = %s\nformula = A/B\n",
			       label[i]);
		assert_true(take(o, text));
		assert_string_equal(o->user.metric[0].label, label[i]);
		free(o);
	}
}

static void
test_formula(void **state)
{
	struct options *o = options_new();

	(void)state;
	assert_true(take(o, "[metric a]\nlabel = mine\ndecimals = 3\n"
			    "good = 1\nbad = 2.5\nunit = %\n"
			    "formula = 100 * (A + 2.5*B-x - C|D)/(E)\n"));
	const struct metric *m = &o->user.metric[0];

	assert_string_equal(m->name, "a");
	assert_string_equal(m->label, "mine");
	assert_int_equal(m->decimals, 3);
	assert_int_equal(m->unit, UNIT_PCT);
	assert_true(m->bad > 2.4 && m->bad < 2.6);
	assert_true(m->scale > 99.9 && m->scale < 100.1);
	assert_string_equal(m->num[0].event, "A");
	assert_string_equal(m->num[1].event, "B-x");
	assert_true(m->num[1].weight > 2.4 && m->num[1].weight < 2.6);
	assert_string_equal(m->num[2].event, "C|D");
	assert_true(m->num[2].weight < -0.9);
	assert_null(m->num[3].event);
	assert_string_equal(m->den[0].event, "E");
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

static void
test_sets_of_own_presets(void **state)
{
	struct options *o = options_new();
	struct eventset set;

	(void)state;
	assert_true(take(o, "[metric ae]\nformula = A / E\n"
			    "[preset crowd]\nevents = A B, C D E nix\n"
			    "[preset byratio]\nmetrics = ae\n"
			    "[preset none]\nevents = nix\n"));
	int at = (int)preset_count;

	/* three counters for four: the fourth is left out, with a reason */
	assert_true(user_derive(&o->user, at, &catalog, DOMAIN_ALL, &set, &e));
	assert_string_equal(set.name, "crowd");
	assert_int_equal(set.len, 4);
	assert_int_equal(set.ndropped, 2);
	assert_string_equal(set.dropped[0].event, "D");
	assert_string_equal(set.dropped[1].event, "nix");
	assert_true(
		user_derive(&o->user, at + 1, &catalog, DOMAIN_ALL, &set, &e));
	assert_int_equal(set.len, 2);
	assert_false(
		user_derive(&o->user, at + 2, &catalog, DOMAIN_ALL, &set, &e));
	assert_int_equal(e.code, ERR_NO_PMU);
	free(o);
}

static void
test_saving_changes_nothing_else(void **state)
{
	static char text[CONFIG_MAX];
	static const char before[] = "# mine\ndelay = 1s\n\n[metric a]\n"
				     "formula = A / B\n";

	(void)state;
	memcpy(text, before, sizeof before);
	assert_true(config_set(text, "delay", "250ms"));
	assert_true(config_set(text, "theme", "nord"));
	assert_string_equal(text, "# mine\ndelay = 250ms\ntheme = nord\n\n"
				  "[metric a]\nformula = A / B\n");
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

static void
test_the_file(void **state)
{
	char dir[] = "/tmp/ktop-config-XXXXXX", path[CONFIG_PATH_MAX];
	static char text[CONFIG_MAX];
	struct stat st;

	(void)state;
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

int
main(void)
{
	const struct CMUnitTest test[] = {
		cmocka_unit_test(test_options),
		cmocka_unit_test(test_every_mistake_says_where),
		cmocka_unit_test(test_labels_are_measured_in_columns),
		cmocka_unit_test(test_formula),
		cmocka_unit_test(test_sets_of_own_presets),
		cmocka_unit_test(test_saving_changes_nothing_else),
		cmocka_unit_test(test_the_file),
	};

	return cmocka_run_group_tests(test, NULL, NULL);
}

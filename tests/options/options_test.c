#include "options/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "model/frame.h"
#include "source/all/sources.h"
#include "ui/view/layout.h"

enum { ARGS_MAX = 16 };

static struct err e;

static bool
parse(struct options *o, const char *const *word)
{
	static char storage[ARGS_MAX][64];
	char *argv[ARGS_MAX + 1];
	int argc = 0;

	(void)snprintf(storage[argc++], sizeof storage[0], "ktop");
	for (; *word != NULL; word++)
		(void)snprintf(storage[argc++], sizeof storage[0], "%s", *word);
	for (int i = 0; i < argc; i++)
		argv[i] = storage[i];
	argv[argc] = NULL;
	e = (struct err){ ERR_NONE, "" };
	return options_parse(o, argc, argv, &e);
}

#define PARSE(o, ...) parse(o, (const char *const[]){ __VA_ARGS__, NULL })

static void
refused(const char *sentence)
{
	assert_int_equal(e.code, ERR_USAGE);
	if (strstr(e.text, sentence) == NULL)
		fail_msg("'%s' is not in '%s'", sentence, e.text);
}

static void
defaults(void **state)
{
	struct options o;

	assert_true(parse(&o, (const char *const[]){ NULL }));
	assert_int_equal(o.period_ns, 1000000000);
	assert_int_equal(o.source.period_ns, 1000000000);
	assert_int_equal(o.frames, 0);
	assert_int_equal(o.out.rows, 1u << SCOPE_CORE);
	assert_string_equal(preset_table[o.preset].name, "overview");
	assert_null(o.out.file[OUTPUT_CSV]);
	assert_int_equal(o.cmd.id, COMMAND_MEASURE);
	assert_null(o.source.sim);
	assert_int_equal(o.ui.color, UI_COLOR_AUTO);
}

static void
intervals(void **state)
{
	struct options o;

	assert_true(PARSE(&o, "-d", "0.5"));
	assert_int_equal(o.period_ns, 500000000);
	assert_true(PARSE(&o, "-d250ms"));
	assert_int_equal(o.period_ns, 250000000);
	assert_true(PARSE(&o, "--delay=2"));
	assert_int_equal(o.period_ns, 2000000000);
	assert_false(PARSE(&o, "-d", "fast"));
	refused("'fast'");
	assert_false(PARSE(&o, "-d", "0"));
	refused("'0'");
	assert_false(PARSE(&o, "-d"));
	refused("needs a TIME");
}

static void
letters_may_be_joined(void **state)
{
	struct options o;

	assert_true(PARSE(&o, "-bn5"));
	assert_true(o.out.batch);
	assert_int_equal(o.frames, 5);
	assert_true(PARSE(&o, "-b", "-n", "7"));
	assert_int_equal(o.frames, 7);
	assert_false(PARSE(&o, "-n", "0"));
	refused("'0'");
	assert_false(PARSE(&o, "-n", "-1"));
	refused("'-1'");
	assert_false(PARSE(&o, "-Q"));
	refused("'-Q'");
}

/* Behind the word of a command it may mean something of its own. */
static void
letters_may_be_of_a_command(void **state)
{
	struct options o;

	assert_true(PARSE(&o, "stat", "-p", "12", "-r5", "-I", "100"));
	assert_string_equal(o.stat.process, "12");
	assert_int_equal(o.preset, 0);
	assert_int_equal(o.stat.runs, 5);
	assert_int_equal(o.stat.interval_ns, 100000000);
	assert_true(PARSE(&o, "-p", "branch", "stat"));
	assert_null(o.stat.process);
	assert_true(o.preset > 0);
	assert_false(PARSE(&o, "-r", "5"));
	refused("'-r'");
	assert_true(PARSE(&o, "stat", "-I", "1.5s", "--", "a", "--vs", "b"));
	assert_int_equal(o.stat.interval_ns, 1500000000);
	assert_int_equal(o.cmd.id, COMMAND_STAT);
	assert_string_equal(o.cmd.exec[1], "--vs");
	assert_true(PARSE(&o, "--", "a"));
	assert_int_equal(o.cmd.id, COMMAND_STAT);
	assert_null(o.cmd.named);
}

static void
unknown_words_get_the_nearest(void **state)
{
	struct options o;

	assert_false(PARSE(&o, "--prset", "x"));
	refused("'--preset'");
	assert_false(PARSE(&o, "--list-metric"));
	refused("'--list-metrics'");
	assert_false(PARSE(&o, "--zzzzzzzz"));
	refused("--help");
	assert_false(PARSE(&o, "--preset", "brnach"));
	refused("'branch'");
	assert_false(PARSE(&o, "topologie"));
	refused("'topology'");
	assert_false(PARSE(&o, "--csv-rows", "core,clustre"));
	refused("'cluster'");
	assert_false(PARSE(&o, "--glyphs", "brail"));
	refused("'braille'");
}

/* The view of key H has one name on the screen; the older one is understood. */
static void
history_is_a_view_and_so_is_chart(void **state)
{
	struct options o;

	assert_true(PARSE(&o, "--view", "history"));
	assert_int_equal(o.ui.view, VIEW_CHART);
	assert_true(PARSE(&o, "--view", "chart"));
	assert_int_equal(o.ui.view, VIEW_CHART);
}

static void
unknown_words_get_all_of_a_few(void **state)
{
	struct options o;

	assert_false(PARSE(&o, "--view", "x"));
	refused("overview, processes, cores, history, bottlenecks, events or detail");
	assert_false(PARSE(&o, "--color", "x"));
	refused("unknown color 'x'; it is auto, always or never");
	assert_false(PARSE(&o, "--group", "x"));
	refused("unknown group 'x'; it is none, cluster, kind or die");
	assert_false(PARSE(&o, "--preset", "zzz"));
	refused("overview, topdown, ");
	assert_false(PARSE(&o, "--csv-rows", "q"));
	refused("core, cluster, kind or all");
	assert_true(PARSE(&o, "--view", "processes", "--sort", "watts"));
	assert_false(PARSE(&o, "--sort", "zzzzzzzz"));
	refused("see --list-metrics");
}

static void
missing_arguments_are_named(void **state)
{
	struct options o;

	assert_false(PARSE(&o, "--events"));
	refused("--events needs A,B,...");
	assert_false(PARSE(&o, "--pin"));
	refused("--pin needs ROWS");
	assert_false(PARSE(&o, "--csv"));
	refused("--csv needs a FILE");
	assert_false(PARSE(&o, "--csv", ""));
	refused("--csv needs a FILE that is not empty");
}

static void
what_excludes_each_other_is_refused(void **state)
{
	static const struct {
		const char *word[5], *says;
	} rows[] = {
		{ { "--root", "/", "--sim", "m1" }, "--root reads" },
		{ { "--root", "/", "--source", "sim" }, "--source sim" },
		{ { "--root", "/", "--replay", "f" }, "drop --root" },
		{ { "--ipc", "--events", "A" }, "--ipc leaves alone" },
		{ { "--events", "A", "--rotate", "1,2" }, "in turn" },
		{ { "--ipc", "--rotate", "1,2" }, "--ipc leaves alone" },
	};
	struct options o;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		assert_false(parse(&o, rows[i].word));
		refused(rows[i].says);
	}
	/* Of use to one command only. */
	assert_true(PARSE(&o, "--list-events", "--chip", "a14"));
	assert_true(PARSE(&o, "--root", "/", "--source", "perf"));
}

static void
presets_by_name_or_key(void **state)
{
	struct options o;

	assert_true(PARSE(&o, "--preset", "branch"));
	assert_string_equal(preset_table[o.preset].name, "branch");
	assert_true(PARSE(&o, "-p", "3"));
	assert_string_equal(preset_table[o.preset].name, "branch");
}

static void
rotation_is_a_list(void **state)
{
	struct options o;

	assert_true(PARSE(&o, "--rotate", "overview,branch,l1d"));
	assert_int_equal(o.nrotate, 3);
	assert_string_equal(preset_table[o.rotate[2]].name, "l1d");
	assert_false(PARSE(&o, "--rotate", "overview,,branch"));
	refused("''");
	assert_false(PARSE(&o, "--rotate", "overview,branch", "--ipc"));
	refused("--ipc");
	assert_false(
		PARSE(&o, "--rotate", "1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1"));
	refused("at most 16");
}

static void
rows_always_have_the_cores(void **state)
{
	struct options o;

	assert_true(PARSE(&o, "--csv-rows", "all"));
	assert_int_equal(o.out.rows, 1u << SCOPE_CORE | 1u << SCOPE_ALL);
	assert_true(PARSE(&o, "--csv-rows=core,cluster,kind,all"));
	assert_int_equal(o.out.rows, 15);
}

static void
arguments_are_checked(void **state)
{
	struct options o;

	assert_false(PARSE(&o, "--batch=yes"));
	refused("takes no argument");
	assert_false(PARSE(&o, "--csv="));
	refused("not empty");
	assert_false(PARSE(&o, "-b", "--csv", "-"));
	refused("standard output");
	assert_false(
		PARSE(&o, "--source", source_table[0]->name, "--sim", "m1"));
	refused("--sim");
	assert_true(PARSE(&o, "--source", "sim", "--sim", "m1"));
	assert_true(PARSE(&o, "--csv", "-"));
	assert_string_equal(o.out.file[OUTPUT_CSV], "-");
}

static void
commands_take_their_words(void **state)
{
	struct options o;

	assert_true(PARSE(&o, "topology", "--sim", "m1"));
	assert_int_equal(o.cmd.id, COMMAND_TOPOLOGY);
	assert_string_equal(o.source.sim, "m1");
	assert_false(PARSE(&o, "topology", "extra"));
	refused("too many");
	assert_true(PARSE(&o, "summary", "--", "-file"));
	assert_int_equal(o.cmd.nargs, 1);
	assert_string_equal(o.cmd.arg[0], "-file");
	assert_true(PARSE(&o, "--sim", "m1", "--", "make", "-n"));
	assert_int_equal(o.cmd.id, COMMAND_STAT);
	assert_string_equal(o.cmd.exec[0], "make");
	assert_string_equal(o.cmd.exec[1], "-n");
	assert_null(o.cmd.exec[2]);
	assert_true(PARSE(&o, "-p", "branch", "--", "make", "--", "-n"));
	assert_string_equal(preset_table[o.preset].name, "branch");
	assert_string_equal(o.cmd.exec[1], "--");
	assert_string_equal(o.cmd.exec[2], "-n");
}

static void
rotation_is_by_size_or_time(void **state)
{
	struct options o;

	assert_true(PARSE(&o, "--csv-rotate", "3M"));
	assert_int_equal(o.out.rotate_bytes, 3 * 1024 * 1024);
	assert_true(PARSE(&o, "--csv-rotate", "1GB"));
	assert_int_equal(o.out.rotate_bytes, 1024 * 1024 * 1024);
	assert_true(PARSE(&o, "--csv-rotate", "90s"));
	assert_int_equal(o.out.rotate_bytes, 0);
	assert_int_equal(o.out.rotate_ns, 90000000000);
	assert_false(PARSE(&o, "--csv-rotate", "3"));
	refused("--csv-rotate");
}

static void
the_environment_stands_in(void **state)
{
	struct options o;

	assert_int_equal(setenv("KTOP_SIM", "m3", 1), 0);
	assert_true(parse(&o, (const char *const[]){ NULL }));
	assert_string_equal(o.source.sim, "m3");
	assert_true(PARSE(&o, "--sim", "m1"));
	assert_string_equal(o.source.sim, "m1");
	assert_true(PARSE(&o, "--kperf", "/lib/x"));
	assert_null(o.source.sim);
	assert_int_equal(unsetenv("KTOP_SIM"), 0);
}

/* An argument that the row takes, and another one than its default. */
static const char *
sample(const struct option *opt)
{
	static const struct {
		const char *name, *arg;
	} row[] = { { "csv-rows", "core,kind" }, { "speed", "2" },
		    { "csv-rotate", "5M" },      { "preset", "branch" },
		    { "rotate", "branch,l1d" },  { "source", "sim" },
		    { "view", "chart" },         { "sort", "busy" },
		    { "at-least", "2%" },        { "processes", "9" },
		    { "interval", "100" },       { "separator", ";" } };

	for (unsigned i = 0; i < sizeof row / sizeof *row; i++)
		if (strcmp(row[i].name, opt->name) == 0)
			return row[i].arg;
	return opt->type == OPTION_WORD       ? opt->word[opt->nwords - 1]
	       : opt->type == OPTION_DURATION ? "250ms"
	       : opt->type == OPTION_COUNT    ? "7"
	       : opt->type == OPTION_FLAG     ? "yes"
					      : "some/text";
}

/* What the rows say, without what only the parser keeps. */
static void
plain(struct options *o)
{
	memset(o->config.given, 0, sizeof o->config.given);
	memset(&o->user, 0, sizeof o->user);
	o->source.replay = NULL; /* of this struct */
	o->config.name = NULL;
}

static bool
same(const struct options *a, const struct options *b)
{
	return memcmp(a, b, offsetof(struct options, user)) == 0;
}

static void
processes(void **state)
{
	struct options o;

	assert_true(PARSE(&o, "-b"));
	assert_int_equal(o.out.processes, 0);
	assert_true(PARSE(&o, "--processes", "-b"));
	assert_int_equal(o.out.processes, PROCESS_TOP);
	assert_true(PARSE(&o, "--processes=5"));
	assert_int_equal(o.out.processes, 5);
	assert_true(PARSE(&o, "--processes", "7"));
	assert_int_equal(o.out.processes, 7);
	assert_true(PARSE(&o, "--processes=5", "--no-processes"));
	assert_int_equal(o.out.processes, 0);
	/* A word is no number: it is a command. */
	assert_true(PARSE(&o, "--processes", "summary", "a"));
	assert_int_equal(o.out.processes, PROCESS_TOP);
	assert_int_equal(o.cmd.id, COMMAND_SUMMARY);
	assert_false(PARSE(&o, "--processes=0"));
	refused("'0' is not a number from 1 to 4096");
	assert_false(PARSE(&o, "--processes=4097"));
	assert_false(PARSE(&o, "--processes", "5x"));
	refused("'5x'");
}

static void
every_option_can_be_taken_back(void **state)
{
	static struct options none, with, without;

	/* It takes any of them. */
	assert_true(PARSE(&none, "--list-events"));
	plain(&none);
	for (unsigned i = 0; i < option_count; i++) {
		const struct option *opt = &option_table[i];
		char yes[64], no[64];

		snprintf(no, sizeof no, "--no-%s", opt->name);
		if (!option_is_setting(opt)) {
			assert_false(PARSE(&without, no));
			continue;
		}
		if (opt->type == OPTION_FLAG)
			snprintf(yes, sizeof yes, "--%s", opt->name);
		else
			snprintf(yes, sizeof yes, "--%s=%s", opt->name,
				 sample(opt));
		if (!PARSE(&with, "--list-events", yes))
			fail_msg("%s: %s", yes, e.text);
		plain(&with);
		if (same(&with, &none))
			fail_msg("%s changes nothing", yes);
		if (!PARSE(&without, "--list-events", yes, no))
			fail_msg("%s: %s", no, e.text);
		plain(&without);
		/* Lists begin again: what is behind their end says nothing. */
		memset(without.rotate, 0, sizeof without.rotate);
		memset(without.replay.file, 0, sizeof without.replay.file);
		if (!same(&without, &none))
			fail_msg("%s leaves something", no);
	}
	assert_false(PARSE(&without, "--no-mose"));
	refused("'--no-mouse'");
	assert_false(PARSE(&without, "--no-"));
	refused("--help");
}

/* A file goes before the defaults and gives way to the line. */
static void
the_line_negates_the_file(void **state)
{
	struct options o;
	char path[] = "/tmp/ktop-options-XXXXXX";
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	assert_int_equal(write(fd,
			       "mouse = yes\ncsv = a.csv\ndelay = 2s\n"
			       "sim = m1\n",
			       43),
			 43);
	assert_int_equal(close(fd), 0);
	assert_int_equal(setenv("KTOP_SIM", "m3", 1), 0);
	assert_true(PARSE(&o, "--config", path));
	assert_true(o.ui.mouse);
	assert_string_equal(o.out.file[OUTPUT_CSV], "a.csv");
	assert_string_equal(o.source.sim, "m1");
	assert_true(PARSE(&o, "--config", path, "--no-mouse", "--no-csv",
			  "--no-delay", "--no-sim"));
	assert_false(o.ui.mouse);
	assert_null(o.out.file[OUTPUT_CSV]);
	assert_int_equal(o.period_ns, 1000000000);
	assert_null(o.source.sim); /* not the environment's either */
	assert_true(PARSE(&o, "--no-mouse", "--config", path, "--mouse"));
	assert_true(o.ui.mouse);
	assert_int_equal(unsetenv("KTOP_SIM"), 0);
	assert_int_equal(unlink(path), 0);
}

/* Every row can be used as it stands: no field that its type needs is empty. */
static void
the_table_is_sound(void **state)
{
	for (unsigned i = 0; i < option_count; i++) {
		const struct option *a = &option_table[i];

		assert_true(strlen(a->text) > 5);
		assert_true(strlen(a->text) < 90);
		if ((a->type == OPTION_CALL) != (a->set != NULL) ||
		    (a->type == OPTION_RUN) != (a->command != COMMAND_MEASURE))
			fail_msg("--%s has the wrong function", a->name);
		if ((a->type == OPTION_WORD) != (a->nwords > 0))
			fail_msg("--%s has the wrong words", a->name);
		if (a->arg == NULL &&
		    !(a->type == OPTION_FLAG || a->type == OPTION_RUN))
			fail_msg("--%s needs an argument's name", a->name);
		for (unsigned k = i + 1; k < option_count; k++) {
			const struct option *b = &option_table[k];

			assert_string_not_equal(a->name, b->name);
			if (a->letter != 0 && a->letter_of == b->letter_of)
				assert_int_not_equal(a->letter, b->letter);
		}
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(defaults),
		cmocka_unit_test(intervals),
		cmocka_unit_test(letters_may_be_joined),
		cmocka_unit_test(letters_may_be_of_a_command),
		cmocka_unit_test(unknown_words_get_the_nearest),
		cmocka_unit_test(unknown_words_get_all_of_a_few),
		cmocka_unit_test(history_is_a_view_and_so_is_chart),
		cmocka_unit_test(missing_arguments_are_named),
		cmocka_unit_test(what_excludes_each_other_is_refused),
		cmocka_unit_test(presets_by_name_or_key),
		cmocka_unit_test(rotation_is_a_list),
		cmocka_unit_test(rows_always_have_the_cores),
		cmocka_unit_test(arguments_are_checked),
		cmocka_unit_test(commands_take_their_words),
		cmocka_unit_test(rotation_is_by_size_or_time),
		cmocka_unit_test(the_environment_stands_in),
		cmocka_unit_test(processes),
		cmocka_unit_test(every_option_can_be_taken_back),
		cmocka_unit_test(the_line_negates_the_file),
		cmocka_unit_test(the_table_is_sound),
	};

	(void)unsetenv("KTOP_SIM");
	/* The config file of who runs the tests is not theirs. */
	(void)setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}

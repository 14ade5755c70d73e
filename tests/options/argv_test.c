/* One reader of argv: what it finds in a line, and that the parser obeys it. */
#include "options/argv.h"

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WORDS_MAX = 8, FOUND_SIZE = 256 };

struct line { /* a command line of its own, as main() gets one */
	char word[WORDS_MAX][32], *argv[WORDS_MAX + 1];
	int argc;
};

static struct line *
line(const char *const *word, int n)
{
	static struct line l;

	for (int i = 0; i < n; i++) {
		(void)snprintf(l.word[i], sizeof l.word[i], "%s", word[i]);
		l.argv[i] = l.word[i];
	}
	l.argv[n] = NULL;
	l.argc = n;
	return &l;
}

/* Of a text, at its blanks; "ktop" before them. */
static struct line *
line_of(const char *text)
{
	static char copy[FOUND_SIZE];
	const char *word[WORDS_MAX] = { "ktop" };
	int n = 1;

	(void)snprintf(copy, sizeof copy, "%s", text);
	for (char *at = strtok(copy, " "); at != NULL; at = strtok(NULL, " "))
		word[n++] = at;
	return line(word, n);
}

/* "option csv=a | command doctor | ...", or what is wrong behind "wrong". */
static const char *
found(const char *text, bool replays)
{
	static const char *const name[] = {
		[ARGV_OPTION] = "option",       [ARGV_NEGATED] = "negated",
		[ARGV_COMMAND] = "command",     [ARGV_ARGUMENT] = "argument",
		[ARGV_RECORDING] = "recording", [ARGV_DASHES] = "dashes",
		[ARGV_REST] = "rest",           [ARGV_WRONG] = "wrong",
	};
	static char out[4 * FOUND_SIZE];
	struct line *l = line_of(text);
	struct argv_scan s = argv_scan(l->argc, l->argv, replays);
	enum argv_kind kind;
	struct err e;
	size_t n = 0;

	out[0] = '\0';
	while ((kind = argv_next(&s, &e)) != ARGV_END) {
		bool option = kind == ARGV_OPTION || kind == ARGV_NEGATED;
		const char *word = kind == ARGV_REST     ? s.rest[0]
				   : kind == ARGV_WRONG  ? e.text
				   : kind == ARGV_DASHES ? NULL
							 : s.word;

		n += (size_t)snprintf(out + n, sizeof out - n, "%s%s%s%s%s%s",
				      n > 0 ? " | " : "", name[kind],
				      option || word != NULL ? " " : "",
				      option ? s.option->name : "",
				      option && word != NULL ? "=" : "",
				      word != NULL ? word : "");
		if (kind == ARGV_WRONG)
			break;
	}
	return out;
}

static void
options_take_their_arguments(void **state)
{
	assert_string_equal(found("", false), "");
	assert_string_equal(found("--csv a -b", false),
			    "option csv=a | option batch");
	assert_string_equal(found("--csv=a -", true),
			    "option csv=a | recording -");
	assert_string_equal(found("-bn5 -n 5 -d2", false),
			    "option batch | option frames=5 | "
			    "option frames=5 | option delay=2");
	assert_string_equal(found("--csv= --csv --force", false),
			    "option csv= | option csv=--force");
	assert_string_equal(found("--no-csv --no-mouse", false),
			    "negated csv | negated mouse");
}

static void
words_are_what_stands_before_them(void **state)
{
	assert_string_equal(found("doctor --repair", false),
			    "command doctor | option repair");
	assert_string_equal(found("compare a -- b --csv", false),
			    "command compare | argument a | dashes | "
			    "argument b | argument --csv");
	assert_string_equal(found("doctor", true), "recording doctor");
	assert_string_equal(found("--replay a doctor -- -b", false),
			    "option replay=a | recording doctor | dashes | "
			    "recording -b");
	assert_string_equal(found("--no-replay doctor", true),
			    "negated replay | command doctor");
}

static void
another_program_has_the_rest(void **state)
{
	assert_string_equal(found("-- ls -l", false), "rest ls");
	assert_string_equal(found("stat ls -l", false),
			    "command stat | rest ls");
	assert_string_equal(found("stat -b -- -l", false),
			    "command stat | option batch | rest -l");
	assert_string_equal(found("--", false), "rest");
	assert_string_equal(found("stat", false), "command stat");
	assert_string_equal(found("-- ls", true), "dashes | recording ls");
}

static void
mistakes_say_what_is_meant(void **state)
{
	assert_string_equal(found("doctor more", false),
			    "command doctor | wrong "
			    "'more' is one word too many for ktop doctor");
	assert_string_equal(found("--csv", false), "wrong --csv needs a FILE");
	assert_string_equal(found("--ipc=1", false),
			    "wrong --ipc takes no argument");
	assert_string_equal(found("-by", false),
			    "option batch | wrong "
			    "unknown option '-y'; see --help all");
	assert_string_equal(found("--no-mose", false),
			    "wrong unknown option '--no-mose'; "
			    "did you mean '--no-mouse'?");
	assert_string_equal(found("--no-help", false),
			    "wrong unknown option '--no-help'; "
			    "did you mean '--no-hold'?");
	assert_string_equal(found("doctors", false),
			    "wrong unknown command 'doctors'; "
			    "did you mean 'doctor'?");
}

/* What an earlier ktop had says what to use instead. */
static void
withdrawn_words_have_a_substitute(void **state)
{
	static const struct {
		const char *words, *instead;
	} gone[] = {
		{ "--docs keys", "wrong --docs was removed: use --help all" },
		{ "export", "wrong ktop export was removed: use the CREATE" },
		{ "--inject", "wrong --inject was removed: use ktop stat -p" },
		{ "--rows-json", "wrong --rows-json was removed: use ktop" },
		{ "repair", "wrong ktop repair was removed: use ktop doctor" },
		{ "run ls", "wrong ktop run was removed: use ktop stat --" },
		{ "--separator=,", "wrong --separator was removed: use ktop" },
		{ "sim-state a", "wrong ktop sim-state was removed: use " },
		{ "--sql -", "wrong --sql was removed: use the CREATE" },
		{ "--tape f", "wrong --tape was removed: paste the report" },
		{ "--no-tape", "wrong --no-tape was removed: paste the re" },
		{ "-j", "wrong -j was removed: use ktop stat --json" },
		{ "-x,", "wrong -x was removed: use ktop stat --csv" },
	};

	for (size_t i = 0; i < sizeof gone / sizeof *gone; i++) {
		const char *said = found(gone[i].words, false);

		if (strncmp(said, gone[i].instead, strlen(gone[i].instead)) !=
		    0)
			fail_msg("%s: %s", gone[i].words, said);
	}
	/* Their names are free elsewhere. */
	assert_string_equal(found("summary run", false),
			    "command summary | argument run");
}

/* It runs nothing, whatever stands around it. */
static void
help_may_have_a_word(void **state)
{
	assert_string_equal(found("--help", false), "option help");
	assert_string_equal(found("--help all", false), "option help=all");
	assert_string_equal(found("--help=all -b", false),
			    "option help=all | option batch");
	assert_string_equal(found("--help -b", false),
			    "option help | option batch");
	assert_string_equal(found("-bh all", false),
			    "option batch | option help=all");
	assert_string_equal(found("-hb", false), "option help | option batch");
	assert_string_equal(found("mark -h all", false),
			    "command mark | option help | argument all");
	assert_string_equal(found("stat --help ls", false),
			    "command stat | option help | rest ls");
}

static enum command_id
asked(const char *text)
{
	struct line *l = line_of(text);

	return argv_command(l->argc, l->argv);
}

static void
a_command_stands_where_one_stands(void **state)
{
	assert_int_equal(asked("doctor"), COMMAND_DOCTOR);
	assert_int_equal(asked("repair"), COMMAND_MEASURE);
	assert_int_equal(asked("doctor --repair"), COMMAND_DOCTOR);
	assert_int_equal(asked("--sim m1 doctor"), COMMAND_DOCTOR);
	assert_int_equal(asked("-bn5 --sim=m1 doctor"), COMMAND_DOCTOR);
	assert_int_equal(asked("--no-csv -- doctor"), COMMAND_STAT);
	assert_int_equal(asked("--help doctor"), COMMAND_HELP);
	assert_int_equal(asked("doctor --help"), COMMAND_HELP);
	assert_int_equal(asked("--help all"), COMMAND_HELP);
	assert_int_equal(asked("stat --help ls"), COMMAND_HELP);
	assert_int_equal(asked("--help -- ls"), COMMAND_HELP);
	assert_int_equal(asked("--help -b doctor"), COMMAND_HELP);
	assert_int_equal(asked("doctor --list-metrics"), COMMAND_LIST_METRICS);
}

static void
elsewhere_it_is_a_word(void **state)
{
	assert_int_equal(asked("--csv doctor"), COMMAND_MEASURE);
	assert_int_equal(asked("--theme repair"), COMMAND_MEASURE);
	assert_int_equal(asked("--sim doctor"), COMMAND_MEASURE);
	assert_int_equal(asked("-d doctor"), COMMAND_MEASURE);
	assert_int_equal(asked("--replay a.csv doctor"), COMMAND_MEASURE);
	assert_int_equal(asked("--csv=doctor"), COMMAND_MEASURE);
	assert_int_equal(asked("-- echo doctor"), COMMAND_STAT);
	assert_int_equal(asked("stat doctor"), COMMAND_STAT);
	assert_int_equal(asked("mark doctor"), COMMAND_MARK);
}

static void
a_mistake_is_no_command(void **state)
{
	assert_int_equal(asked("--doctor"), COMMAND_MEASURE);
	assert_int_equal(asked("doctors"), COMMAND_MEASURE);
	assert_int_equal(asked("topology doctor"), COMMAND_MEASURE);
	assert_int_equal(asked("doctor more"), COMMAND_MEASURE);
	assert_int_equal(asked("doctor --csv"), COMMAND_MEASURE);
	assert_int_equal(asked("--nonsense doctor"), COMMAND_MEASURE);
	assert_int_equal(asked("doctor -x"), COMMAND_MEASURE);
	assert_int_equal(asked("doctor --repair=yes"), COMMAND_MEASURE);
	assert_int_equal(argv_command(0, (char *[]){ NULL }), COMMAND_MEASURE);
}

static struct options o;

static bool
parses(const char *text)
{
	struct line *l = line_of(text);
	struct err e;

	return options_parse(&o, l->argc, l->argv, &e);
}

/* Of ktop's own words alone, wherever they stand, and the last of several. */
static void
the_config_file_is_found_first(void **state)
{
	char path[] = "/tmp/ktop-argv-XXXXXX", text[FOUND_SIZE];
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, "replay = a.csv\n", 15), 15);
	assert_int_equal(close(fd), 0);
	(void)snprintf(text, sizeof text, "b.csv --config %s", path);
	assert_true(parses(text));
	assert_int_equal(o.replay.n, 2);
	(void)snprintf(text, sizeof text, "--config /none --config %s", path);
	assert_true(parses(text));
	assert_int_equal(o.replay.n, 1);
	assert_false(parses("--config /none"));
	/* That of another program is none of ours. */
	assert_true(parses("stat other --config /none"));
	assert_null(o.config.path);
	assert_true(parses("--csv --config"));
	assert_int_equal(unlink(path), 0);
}

/* Every argv that parses, out of these words, asks for the same both ways. */
static void
agrees_with_the_parser(void **state)
{
	static const char *const word[] = {
		"doctor",  "repair",   "--repair",    "--",
		"stat",    "mark",     "echo",        "--sim",
		"m1",      "--sim=m1", "--csv",       "doctor",
		"--help",  "-V",       "-b",          "-bn",
		"5",       "-n5",      "--replay",    "--replay=a",
		"-",       "--no-csv", "summary",     "-V",
		"options", "--ascii",  "--no-replay", "--list-presets",
	};
	enum { N = sizeof word / sizeof *word, TRIES = 60000 };
	unsigned long x = 1, parsed = 0, whole = 0;

	for (int i = 0; i < TRIES; i++) {
		const char *chosen[WORDS_MAX] = { "ktop" };
		struct err e;
		int n = 2 + i % (WORDS_MAX - 2);

		for (int k = 1; k < n; k++) {
			x = (x * 1103515245 + 12345) & 0x7fffffff;
			chosen[k] = word[(x >> 8) % N];
		}
		struct line *l = line(chosen, n);

		if (!options_parse(&o, n, l->argv, &e))
			continue;
		parsed++;
		whole += o.cmd.id == COMMAND_DOCTOR;
		if (argv_command(n, l->argv) != o.cmd.id)
			fail_msg("%s %s %s %s %s %s", chosen[1],
				 n > 2 ? chosen[2] : "", n > 3 ? chosen[3] : "",
				 n > 4 ? chosen[4] : "", n > 5 ? chosen[5] : "",
				 n > 6 ? chosen[6] : "");
	}
	assert_true(parsed > TRIES / 20);
	assert_true(whole > 100);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(options_take_their_arguments),
		cmocka_unit_test(words_are_what_stands_before_them),
		cmocka_unit_test(another_program_has_the_rest),
		cmocka_unit_test(mistakes_say_what_is_meant),
		cmocka_unit_test(withdrawn_words_have_a_substitute),
		cmocka_unit_test(help_may_have_a_word),
		cmocka_unit_test(a_command_stands_where_one_stands),
		cmocka_unit_test(elsewhere_it_is_a_word),
		cmocka_unit_test(a_mistake_is_no_command),
		cmocka_unit_test(the_config_file_is_found_first),
		cmocka_unit_test(agrees_with_the_parser),
	};

	(void)setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
	(void)unsetenv("KTOP_SIM");
	return cmocka_run_group_tests(tests, NULL, NULL);
}

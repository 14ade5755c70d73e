/* What the words ask for, without obeying them, is what options_parse finds. */
#include "commands/command.h"
#include "commands/command_word.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS_MAX = 7 };

static options_run *
found(const char *const *word, int n)
{
	static char copy[WORDS_MAX][32];
	char *argv[WORDS_MAX + 1] = { NULL };

	for (int i = 0; i < n; i++) {
		strcpy(copy[i], word[i]);
		argv[i] = copy[i];
	}
	return command_word(n, argv);
}

#define FOUND(...)                                                         \
	found((const char *const[]){ "ktop", __VA_ARGS__ },                \
	      (int)(sizeof((const char *const[]){ "ktop", __VA_ARGS__ }) / \
		    sizeof(const char *)))

static void
a_command_stands_where_one_stands(void **state)
{
	(void)state;
	assert_ptr_equal(FOUND("doctor"), command_examine);
	assert_ptr_equal(FOUND("repair"), command_repair);
	assert_ptr_equal(FOUND("doctor", "--repair"), command_examine);
	assert_ptr_equal(FOUND("--sim", "m1", "doctor"), command_examine);
	assert_ptr_equal(FOUND("-bn5", "--sim=m1", "doctor"), command_examine);
	assert_ptr_equal(FOUND("--no-csv", "--", "doctor"), command_run);
	assert_ptr_equal(FOUND("--help", "doctor"), command_examine);
	assert_ptr_equal(FOUND("doctor", "--help"), command_help);
}

static void
elsewhere_it_is_a_word(void **state)
{
	(void)state;
	assert_null(FOUND("--csv", "doctor"));
	assert_null(FOUND("--theme", "repair"));
	assert_null(FOUND("--sim", "doctor"));
	assert_null(FOUND("-d", "doctor"));
	assert_null(FOUND("--replay", "a.csv", "doctor"));
	assert_null(FOUND("--csv=doctor"));
	assert_null(FOUND("--doctor"));
	assert_null(FOUND("doctors"));
	assert_ptr_equal(FOUND("--", "echo", "doctor"), command_run);
	assert_ptr_equal(FOUND("run", "doctor"), command_run);
	assert_ptr_equal(FOUND("topology", "doctor"), NULL);
	assert_ptr_equal(FOUND("mark", "doctor"), command_mark);
}

static void
a_mistake_is_no_command(void **state)
{
	(void)state;
	assert_null(FOUND("doctor", "more"));
	assert_null(FOUND("doctor", "--csv"));
	assert_null(FOUND("--nonsense", "doctor"));
	assert_null(FOUND("doctor", "-x"));
	assert_null(FOUND("doctor", "--repair=yes"));
	assert_null(found(NULL, 0));
}

/* Every argv that parses, out of these words, is the same both ways. */
static void
agrees_with_the_parser(void **state)
{
	static const char *const word[] = {
		"doctor",   "repair",     "--repair",
		"--",       "run",        "mark",
		"echo",     "--sim",      "m1",
		"--sim=m1", "--csv",      "doctor",
		"--help",   "-V",         "-b",
		"-bn",      "5",          "-n5",
		"--replay", "--replay=a", "-",
		"--no-csv", "summary",    "--docs",
		"options",  "--ascii",    "--no-replay",
		"--tape",   "x",          "--list-presets",
	};
	enum { N = sizeof word / sizeof *word, TRIES = 60000 };
	static struct options o;
	unsigned long x = 1, parsed = 0, whole = 0;

	(void)state;
	(void)setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
	(void)unsetenv("KTOP_SIM");
	for (int i = 0; i < TRIES; i++) {
		const char *chosen[WORDS_MAX] = { "ktop" };
		char copy[WORDS_MAX][32] = { "ktop" };
		char *argv[WORDS_MAX + 1] = { copy[0] };
		struct err e = { ERR_NONE, "" };
		int n = 2 + i % (WORDS_MAX - 1);

		for (int k = 1; k < n; k++) {
			x = (x * 1103515245 + 12345) & 0x7fffffff;
			chosen[k] = word[(x >> 8) % N];
			argv[k] = strcpy(copy[k], chosen[k]);
		}
		if (!options_parse(&o, n, argv, &e))
			continue;
		options_run *run = command_word(n, argv);
		bool docs = false;

		for (int k = 1; k < n; k++)
			docs = docs || strcmp(chosen[k], "--docs") == 0;
		parsed++;
		whole += o.run == command_examine || o.run == command_repair;
		if (docs && run == NULL)
			run = o.run;
		if (run != o.run)
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
		cmocka_unit_test(a_command_stands_where_one_stands),
		cmocka_unit_test(elsewhere_it_is_a_word),
		cmocka_unit_test(a_mistake_is_no_command),
		cmocka_unit_test(agrees_with_the_parser),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* When ktop becomes two processes, and who the one of doctor is. */
#include "server/privilege.h"

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "skip.h"

enum { CALLER = 64999, SPLIT = 21, WHOLE = 22, WRONG = 23 };

/* Runs in a process of its own; the status, also of a server left behind. */
static int
apart(int (*run)(void))
{
	int status;
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid == 0)
		_exit(run());
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 99;
}

static const char *first, *second, *third;

static bool
begin(struct privilege *p)
{
	static char word[4][32] = { "ktop" };
	char *argv[] = { word[0], word[1], word[2], word[3], NULL };
	struct err e;

	(void)snprintf(word[1], sizeof word[1], "%s", first);
	(void)snprintf(word[2], sizeof word[2], "%s", second);
	(void)snprintf(word[3], sizeof word[3], "%s",
		       third != NULL ? third : "");
	if (third == NULL)
		argv[3] = NULL;
	return privilege_begin(p, third != NULL ? 4 : 3, argv, &e);
}

static int
begins(void)
{
	struct privilege p;

	if (!begin(&p))
		return WRONG;
	if (p.server > 0 && p.whole)
		return WRONG;
	return p.server > 0 ? SPLIT : WHOLE;
}

static int
start(const char *a, const char *b, const char *c)
{
	first = a;
	second = b;
	third = c;
	return apart(begins);
}

UNIT(the_word_elsewhere_puts_nothing_off)
{
	(void)unsetenv("SUDO_UID");
	(void)unsetenv("SUDO_GID");
	(void)setenv("KTOP_SEPARATE", "always", 1);
	assert_int_equal(start("--csv", "doctor", NULL), SPLIT);
	assert_int_equal(start("--theme", "doctor", NULL), SPLIT);
	assert_int_equal(start("--theme", "repair", "-b"), SPLIT);
	assert_int_equal(start("--", "echo", "doctor"), SPLIT);
	assert_int_equal(start("run", "doctor", NULL), SPLIT);
	assert_int_equal(start("doctor", "--help", NULL), SPLIT);
	assert_int_equal(start("doctor", "doctor", NULL), SPLIT);
	assert_int_equal(start("doctor", "--nonsense", NULL), SPLIT);
	/* Where they are the command they stay one. */
	assert_int_equal(start("--sim", "m1", "doctor"), WHOLE);
	assert_int_equal(start("doctor", "--repair", NULL), WHOLE);
	assert_int_equal(start("--sim=m1", "repair", NULL), SPLIT);
}

/* A config file with `replay` makes a recording of the word. */
static int
splits_late(void)
{
	static struct options o;
	struct privilege p;
	struct err e;

	first = "--sim=m1";
	second = "doctor";
	third = NULL;
	if (!begin(&p) || !p.whole || p.server > 0)
		return WRONG;
	o.cmd.id = COMMAND_MEASURE;
	if (!privilege_apply_options(&p, &o, &e))
		return WRONG;
	return p.server > 0 && o.source.server == p.server ? SPLIT : WHOLE;
}

UNIT(what_turns_out_to_be_no_doctor_splits)
{
	(void)setenv("KTOP_SEPARATE", "always", 1);
	assert_int_equal(apart(splits_late), SPLIT);
	if (geteuid() != 0)
		return;
	(void)unsetenv("KTOP_SEPARATE");
	(void)setenv("SUDO_UID", "64999", 1);
	(void)setenv("SUDO_GID", "64999", 1);
	assert_int_equal(apart(splits_late), SPLIT);
	(void)unsetenv("SUDO_UID");
	(void)unsetenv("SUDO_GID");
}

/* True where there are no such sets, too. */
static bool
has_no_capability(void)
{
	static const char *const set[] = { "CapPrm:", "CapEff:", "CapBnd:" };
	FILE *f = fopen("/proc/self/status", "r");
	char line[256];
	bool none = true;

	while (f != NULL && fgets(line, sizeof line, f) != NULL)
		for (int i = 0; i < 3; i++)
			if (strncmp(line, set[i], 7) == 0 &&
			    strtoull(line + 7, NULL, 16) != 0)
				none = false;
	if (f != NULL)
		(void)fclose(f);
	return none;
}

static int
simulates(void)
{
	static struct options o;
	struct privilege p;
	struct err e;

	first = "doctor";
	second = "--sim=m1";
	third = NULL;
	if (!begin(&p) || !p.whole)
		return WRONG;
	o.cmd.id = COMMAND_DOCTOR;
	o.source.sim = "m1";
	if (!privilege_apply_options(&p, &o, &e))
		return WRONG;
	return getuid() != CALLER || geteuid() != CALLER || setuid(0) == 0 ||
	       !has_no_capability();
}

UNIT(a_simulated_doctor_is_the_caller)
{
	if (geteuid() != 0)
		skip_because("only root can become somebody else");
	(void)setenv("SUDO_UID", "64999", 1);
	(void)setenv("SUDO_GID", "64999", 1);
	assert_int_equal(apart(simulates), 0);
}

/* Before setlocale, which loads libraries from there. */
static int
keeps_gconv_path(void)
{
	struct privilege p;

	first = "doctor";
	second = "--sim=m1";
	third = NULL;
	return !begin(&p) || getenv("GCONV_PATH") != NULL;
}

UNIT(a_caller_names_no_conversions_of_characters)
{
	if (geteuid() != 0)
		skip_because("only root can become somebody else");
	(void)setenv("GCONV_PATH", "/", 1);
	(void)unsetenv("SUDO_UID");
	(void)unsetenv("SUDO_GID");
	assert_int_equal(apart(keeps_gconv_path), 1);
	(void)setenv("SUDO_UID", "64999", 1);
	(void)setenv("SUDO_GID", "64999", 1);
	assert_int_equal(apart(keeps_gconv_path), 0);
	(void)unsetenv("GCONV_PATH");
}

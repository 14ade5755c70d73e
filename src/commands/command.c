/* Subcommands, help and version. */
#include "commands/command.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "app/app.h"
#include "base/buf.h"
#include "commands/doctor/commands.h"
#include "options/config.h"
#include "sim/sim.h"

enum { HELP_COLUMN = 26, HELP_WIDTH = 79 };

/*
 * After whatever ran and ended with `code`: what it printed has to be written.
 * Returns the exit code, after a sentence if something was lost.
 */
static int
flush_output(int code)
{
	errno = 0;
	if (fflush(stdout) == 0 && !ferror(stdout))
		return code;
	err_print(
		"cannot write standard output: %s; what was printed is not whole",
		errno == EBADF ? "it is closed"
		: errno != 0   ? strerror(errno)
			       : "it took a part only");
	return code != 0 ? code : ERR_FAIL;
}

int
command_sim_state(const struct options *o)
{
	struct err e = { ERR_NONE, "" };

	if (o->nargs == 0) {
		(void)err_set(
			&e, ERR_USAGE,
			"sim-state needs the FILE of --sim MACHINE,state=FILE");
		return err_fail(&e);
	}
	return sim_state_print(o->arg[0], stdout, &e) ? 0 : err_fail(&e);
}

static int
version(const struct options *o)
{
	(void)o;
	puts("ktop " KTOP_VERSION);
	return 0;
}

/* The text from `column` on, broken at blanks before HELP_WIDTH. */
static void
wrap(const char *text, int column)
{
	int at = column;

	for (const char *word = text; *word != '\0';) {
		int len = (int)strcspn(word, " ");

		if (at > column && at + 1 + len > HELP_WIDTH) {
			printf("\n%*s", column, "");
			at = column;
		}
		at += printf("%s%.*s", at > column ? " " : "", len, word);
		word += len + (word[len] == ' ');
	}
	putchar('\n');
}

static void
help_row(const char *name, const char *text)
{
	if ((int)strlen(name) < HELP_COLUMN)
		printf("%-*s", HELP_COLUMN, name);
	else
		printf("%s\n%*s", name, HELP_COLUMN, "");
	wrap(text, HELP_COLUMN);
}

static void
help_option(const struct option *opt)
{
	char name[80], text[256];
	struct buf n = buf_over(name, sizeof name);
	struct buf t = buf_over(text, sizeof text);

	buf_str(&n, "  ");
	if (opt->letter != 0)
		buf_printf(&n, "-%c, ", opt->letter);
	else
		buf_str(&n, "    ");
	buf_printf(&n, "--%s", opt->name);
	if (opt->arg != NULL)
		buf_printf(&n, " %s", opt->arg);
	buf_str(&t, opt->text);
	if (opt->initial != NULL)
		buf_printf(&t, " (%s)", opt->initial);
	help_row(buf_cstr(&n), buf_cstr(&t));
}

static int
help(const struct options *o)
{
	(void)o;
	puts("ktop: top for hardware performance counters\n\n"
	     "usage: ktop [options]\n"
	     "       ktop COMMAND [options]\n\nOptions (default):");
	for (unsigned i = 0; i < option_count; i++)
		help_option(&option_table[i]);
	puts("\n--no-NAME takes back what the config file says about an option:\n"
	     "--no-mouse, --no-csv.\n\nCommands:");
	for (unsigned i = 0; i < command_count; i++) {
		char name[80];
		struct buf n = buf_over(name, sizeof name);

		buf_printf(&n, "  %s %s", command_table[i].name,
			   command_table[i].args);
		help_row(buf_cstr(&n), command_table[i].text);
	}
	puts("\nExit codes: 0 ok, 1 failure, 2 usage, 3 no permission, 4 counters taken,\n  5 no counters here, 6 bad recording, 128+n on signal n\n\n"
	     "Examples:\n"
	     "  sudo ktop                       the screen, on a Mac\n"
	     "  sudo ktop -p branch -d 250ms    branch misses, four times a second\n"
	     "  sudo ktop --csv run.csv -n 60   and a recording of a minute\n"
	     "  ktop --sim m1                   a simulated M1, anywhere\n"
	     "  ktop --sim m1,clock=step --csv - -n 5\n"
	     "Press ? on the screen for its keys and columns; see ktop(1).");
	return 0;
}

/* clang-format off */
#define COMMAND_CASE(constant, function, ...) case constant: return function(o);
static int
do_command(const struct options *o)
{
	switch (o->command) {
	COMMAND_TABLE(COMMAND_CASE)
	case COMMAND_MEASURE:       return app_run(o);
	case COMMAND_WRITE_CONFIG:  return config_print(o);
	case COMMAND_LIST_PRESETS:  return command_list_presets(o);
	case COMMAND_LIST_METRICS:  return command_list_metrics(o);
	case COMMAND_LIST_COLUMNS:  return command_list_columns(o);
	case COMMAND_LIST_EVENTS:   return command_list_events(o);
	case COMMAND_LIST_SOURCES:  return command_list_sources(o);
	case COMMAND_LIST_MACHINES: return command_list_machines(o);
	case COMMAND_DOCS:          return command_docs(o);
	case COMMAND_HELP:          return help(o);
	case COMMAND_VERSION:       return version(o);
	}
	return ERR_FAIL;
}
/* clang-format on */

int
command_perform(const struct options *o)
{
	return flush_output(do_command(o));
}

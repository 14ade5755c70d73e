/* Subcommands, help and version. */
#include "commands/command.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "sim/sim.h"
#include "server/remote.h"

enum { HELP_COLUMN = 26, HELP_WIDTH = 79 };

/* clang-format off */
const struct command command_table[] = {
	{ "topology", "", "Print the clusters, tab-separated, a row each", 0,
	    command_topology },
	{ "doctor", "", "Print a report that helps to support this machine", 0,
	    command_examine },
	{ "repair", "", "Short for doctor --repair: show what a killed ktop left, put it right", 0,
	    command_repair },
	{ "summary", "FILE...", "Print what a recording comes to, per cluster and core",
	    OPTIONS_ARGS_MAX, command_summary },
	{ "compare", "A B", "Print what stands out between two recordings, or runs: A1 A2 -- B1 B2",
	    OPTIONS_ARGS_MAX, command_compare },
	{ "run", "[--] CMD ARGS...", "Measure while CMD runs, as the user who called sudo; also: ktop -- CMD",
	    COMMAND_REST, command_run },
	{ "mark", "TEXT", "Put a mark into the recording of a ktop that runs",
	    OPTIONS_ARGS_MAX, command_mark },
	{ "export", "[FILE...]", "Write what other programs need to read recordings, see --sql",
	    OPTIONS_ARGS_MAX, command_export },
	{ "sim-state", "FILE", "Print the simulated kernel kept in FILE", 1,
	    command_sim_state },
};
/* clang-format on */
const unsigned command_count = sizeof command_table / sizeof *command_table;

int
command_fail(const struct err *e)
{
	err_print("%s", e->text);
	return e->code == ERR_NONE ? ERR_FAIL : (int)e->code;
}

int
command_end(int code)
{
	errno = 0;
	if (fflush(stdout) == 0 && !ferror(stdout))
		return code;
	err_print("cannot write standard output: %s; what was printed is not "
		  "whole",
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
		(void)err_set(&e, ERR_USAGE,
			      "sim-state needs the FILE of "
			      "--sim MACHINE,state=FILE");
		return command_fail(&e);
	}
	return sim_state_print(o->arg[0], stdout, &e) ? 0 : command_fail(&e);
}

struct source *
command_open_source(const struct options *o, struct err *e)
{
	/* A recording is the person's own, and needs no rights. */
	if (o->source.server != 0 && o->source.nreplay == 0)
		return remote_open(&o->source, o->source_name, e);
	if (o->source_name == NULL)
		return source_open(&o->source, e);
	return source_find(o->source_name)->open(&o->source, e);
}

bool
command_close_source(const struct options *o, struct source *s, struct err *e)
{
	bool ok = true;

	if (s == NULL)
		return true;
	if (o->source.server != 0 && o->source.nreplay == 0)
		ok = remote_leave(s, e);
	return source_end(s, ok ? e : NULL) && ok;
}

int
command_version(const struct options *o)
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

int
command_help(const struct options *o)
{
	(void)o;
	puts("ktop: top for hardware performance counters\n\n"
	     "usage: ktop [options]\n"
	     "       ktop COMMAND [options]\n\nOptions (default):");
	for (unsigned i = 0; i < option_count; i++)
		help_option(&option_table[i]);
	puts("\n--no-NAME takes back what the config file says about an "
	     "option:\n"
	     "--no-mouse, --no-csv.\n\nCommands:");
	for (unsigned i = 0; i < command_count; i++) {
		char name[80];
		struct buf n = buf_over(name, sizeof name);

		buf_printf(&n, "  %s %s", command_table[i].name,
			   command_table[i].args);
		help_row(buf_cstr(&n), command_table[i].text);
	}
	puts("\nExit codes: 0 ok, 1 failure, 2 usage, 3 no permission, "
	     "4 counters taken,\n  5 no counters here, 6 bad recording, "
	     "128+n on signal n\n\n"
	     "Examples:\n"
	     "  sudo ktop                       the screen, on a Mac\n"
	     "  sudo ktop -p branch -d 250ms    branch misses, four times a "
	     "second\n"
	     "  sudo ktop --csv run.csv -n 60   and a recording of a minute\n"
	     "  ktop --sim m1                   a simulated M1, anywhere\n"
	     "  ktop --sim m1,clock=step --csv - -n 5\n"
	     "Press ? on the screen for its keys and columns; see ktop(1).");
	return 0;
}

#include "commands/command.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { HELP_COLUMN = 26, HELP_WIDTH = 79, NAME_SIZE = 80, TOPICS = 64 };

/* Prints text in lines up to HELP_WIDTH; the cursor is at `column`. */
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

/* For a letter, the option of the command itself has precedence. */
static bool
has_letter(const struct option *opt, enum command_id of)
{
	if (opt->letter == 0)
		return false;
	if (opt->letter_of != COMMAND_MEASURE)
		return opt->letter_of == of;
	for (unsigned i = 0; i < option_count; i++)
		if (option_table[i].letter == opt->letter &&
		    option_table[i].letter_of != COMMAND_MEASURE &&
		    option_table[i].letter_of == of)
			return false;
	return true;
}

static void
help_option(const struct option *opt, enum command_id of)
{
	char letter[] = "    ", name[NAME_SIZE], text[256];
	const char *is = opt->text, *rest = strstr(is, ": ");
	bool arg = opt->arg != NULL, initial = opt->initial != NULL;

	if (has_letter(opt, of))
		snprintf(letter, sizeof letter, "-%c, ", opt->letter);
	snprintf(name, sizeof name, "  %s--%s%s%s", letter, opt->name,
		 arg ? " " : "", arg ? opt->arg : "");
	/* The help of a command omits a prefix such as "For stat: ". */
	if (of != COMMAND_MEASURE && rest != NULL &&
	    strncmp(is, "For ", strlen("For ")) == 0)
		is = rest + strlen(": ");
	snprintf(text, sizeof text, "%c%s%s%s%s",
		 is != opt->text ? toupper((unsigned char)is[0]) : is[0],
		 is + 1, initial ? " (" : "", initial ? opt->initial : "",
		 initial ? ")" : "");
	help_row(name, text);
}

/* shown: bits of options; 0: all. Returns the number of options. */
static unsigned
help_options(int shown, enum command_id of, const char *heading)
{
	unsigned n = 0;

	for (unsigned i = 0; i < option_count; i++) {
		if (shown != 0 && (option_table[i].shown & shown) == 0)
			continue;
		if (n++ == 0)
			puts(heading);
		help_option(&option_table[i], of);
	}
	return n;
}

static void
help_commands(void)
{
	puts("\nCommands (ktop COMMAND --help lists the options of a command):");
	for (unsigned i = 0; i < command_count; i++) {
		char name[NAME_SIZE];

		snprintf(name, sizeof name, "  %s %s", command_table[i].name,
			 command_table[i].args);
		help_row(name, command_table[i].text);
	}
}

static int
help_program(bool all)
{
	puts("ktop: top for hardware performance counters\n\n"
	     "usage: ktop [options]\n"
	     "       ktop COMMAND [options]\n");
	(void)help_options(
		all ? 0 : SHOWN_FIRST, COMMAND_MEASURE,
		all ? "Options (default):"
		    : "Options (default); --help all lists every option:");
	if (all)
		puts("\n--no-NAME cancels an option of the configuration file: --no-mouse, --no-csv.");
	help_commands();
	if (all)
		puts("\nExit status: 0 success, 1 failure, 2 usage, 3 no permission, 4 counters in use,\n  5 no counters, 6 unreadable recording, 128+n ended by signal n");
	puts("\nExamples:\n"
	     "  sudo ktop                       start the screen on a Mac\n"
	     "  sudo ktop -p branch -d 250ms    count branch misses, four samples a second\n"
	     "  sudo ktop --csv run.csv -n 60   record 60 samples (one minute)\n"
	     "  ktop stat -r 5 -- ./a --vs ./b  compare two commands, five runs each\n"
	     "  ktop --sim m1                   run on a simulated M1\n"
	     "  ktop --sim m1,clock=step --csv - -n 5\n                                  print a recording of five samples\n"
	     "Press ? on the screen for help on keys and columns. See also ktop(1).");
	return 0;
}

static int
help_command(const struct command *c)
{
	printf("usage: ktop %s [options]%s%s\n\n", c->name,
	       c->args[0] != '\0' ? " " : "", c->args);
	wrap(c->text, 0);
	putchar('\n');
	if (help_options(SHOWN_OF(c->id), c->id, "Options (default):") == 0)
		puts("This command has no options of its own.");
	puts("\nFor every option: ktop --help all; see ktop(1).");
	return 0;
}

int
command_help(const struct options *o)
{
	const char *topic[TOPICS] = { "all" };
	unsigned n = 1;
	struct err e;

	if (o->cmd.help == NULL)
		return o->cmd.named != NULL ? help_command(o->cmd.named)
					    : help_program(false);
	if (strcmp(o->cmd.help, topic[0]) == 0)
		return help_program(true);
	for (unsigned i = 0; i < command_count && n < TOPICS; i++) {
		topic[n++] = command_table[i].name;
		if (strcmp(o->cmd.help, command_table[i].name) == 0)
			return help_command(&command_table[i]);
	}
	(void)options_unknown(
		&e, "word behind --help", o->cmd.help, topic, n,
		"ktop --help; --help all has every option, COMMAND --help those of a command");
	return err_fail(&e);
}

/* What --help prints goes by the table of options. */
#include "commands/command.h"

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TEXT = 1 << 16, FIRST_MAX = 15 };

static char printed[TEXT];

/* What help prints of that word (or NULL), of that command (or NULL). */
static const char *
help_of(const char *word, const struct command *named)
{
	static struct options o;
	FILE *file = tmpfile();
	int out = dup(STDOUT_FILENO);

	assert_non_null(file);
	assert_true(out >= 0);
	o.cmd.id = COMMAND_HELP;
	o.cmd.help = word;
	o.cmd.named = named;
	(void)fflush(stdout);
	assert_true(dup2(fileno(file), STDOUT_FILENO) >= 0);
	int code = command_help(&o);

	(void)fflush(stdout);
	assert_true(dup2(out, STDOUT_FILENO) >= 0);
	(void)close(out);
	rewind(file);
	printed[fread(printed, 1, TEXT - 1, file)] = '\0';
	(void)fclose(file);
	assert_int_equal(code, 0);
	return printed;
}

static bool
lists(const char *text, const struct option *opt)
{
	char name[64];

	(void)snprintf(name, sizeof name, " --%s%s", opt->name,
		       opt->arg != NULL ? " " : "");
	for (const char *at = text; at != NULL; at = strchr(at + 1, '\n')) {
		const char *end = strchr(at + 1, '\n');
		const char *found = strstr(at, name);

		/* Before the column of what it does, not in a text. */
		if (found != NULL && found - at < 8 &&
		    (end == NULL || found < end))
			return true;
	}
	return false;
}

UNIT(the_first_help_is_short)
{
	unsigned n = 0;
	const char *text = help_of(NULL, NULL);

	for (unsigned i = 0; i < option_count; i++) {
		const struct option *opt = &option_table[i];
		bool first = (opt->shown & SHOWN_FIRST) != 0;

		n += first;
		assert_int_equal(lists(text, opt), first);
	}
	assert_in_range(n, 1, FIRST_MAX);
	for (unsigned i = 0; i < command_count; i++)
		assert_non_null(strstr(text, command_table[i].name));
}

UNIT(all_of_it_has_every_option)
{
	const char *text = help_of("all", NULL);

	for (unsigned i = 0; i < option_count; i++)
		assert_true(lists(text, &option_table[i]));
	assert_non_null(strstr(text, "--no-NAME"));
}

UNIT(a_command_shows_its_own)
{
	for (unsigned c = 0; c < command_count; c++) {
		const struct command *own = &command_table[c];
		const char *text = help_of(NULL, own);
		bool any = false;

		for (unsigned i = 0; i < option_count; i++) {
			const struct option *opt = &option_table[i];
			bool its = (opt->shown & SHOWN_OF(own->id)) != 0;

			any = any || its;
			assert_int_equal(lists(text, opt), its);
		}
		assert_int_equal(strstr(text, "no options of its own") == NULL,
				 any);
		assert_non_null(strstr(text, own->name));
		/* The word behind --help says the same. */
		char *as_option = strdup(text);

		assert_non_null(as_option);
		assert_string_equal(help_of(own->name, NULL), as_option);
		free(as_option);
	}
}

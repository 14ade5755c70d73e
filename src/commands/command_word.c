#include "commands/command_word.h"

#include <string.h>

#include "commands/command.h"

struct words { /* as options_parse goes through them */
	char **argv;
	int argc, at;
	const struct command *command;
	unsigned nargs; /* of the command's */
	options_run *run;
	bool plain, replays, wrong;
};

static const struct option *
find(const char *name, size_t len, char letter)
{
	for (unsigned i = 0; i < option_count; i++) {
		const struct option *o = &option_table[i];

		if (name == NULL ? letter != 0 && o->letter == letter
				 : strlen(o->name) == len &&
					   memcmp(o->name, name, len) == 0)
			return o;
	}
	return NULL;
}

/* Its argument is joined to it, or the next word. */
static void
take(struct words *w, const struct option *o, bool joined)
{
	if (o->arg == NULL && joined)
		w->wrong = true;
	else if (o->arg != NULL && !joined && w->at++ >= w->argc)
		w->wrong = true;
	else if (strcmp(o->name, "replay") == 0)
		w->replays = true;
	/* What --docs prints is a command of its own, whatever it says. */
	if (o->type == OPTION_RUN)
		w->run = o->run;
	else if (strcmp(o->name, "docs") == 0)
		w->run = NULL;
}

static void
take_letters(struct words *w, const char *word)
{
	const struct option *o = NULL;

	for (; *word != '\0' && !w->wrong && (o == NULL || o->arg == NULL);
	     word++) {
		o = find(NULL, 0, *word);
		if (o == NULL)
			w->wrong = true;
		else
			take(w, o, o->arg != NULL && word[1] != '\0');
	}
}

static void
take_long(struct words *w, const char *word)
{
	size_t len = strcspn(word, "=");
	const struct option *o =
		strncmp(word, "no-", 3) == 0
			? find(word + 3, strlen(word + 3), '\0')
			: NULL;

	if (o != NULL && option_is_setting(o)) {
		if (strcmp(o->name, "replay") == 0)
			w->replays = false;
		return;
	}
	o = find(word, len, '\0');
	if (o == NULL)
		w->wrong = true;
	else
		take(w, o, word[len] == '=');
}

static void
take_name(struct words *w, const char *word)
{
	if (w->command != NULL) {
		w->wrong = w->nargs++ >= w->command->nargs_max;
		return;
	}
	if (w->replays) /* one more recording */
		return;
	for (unsigned i = 0; i < command_count; i++)
		if (strcmp(command_table[i].name, word) == 0)
			w->command = &command_table[i];
	if (w->command != NULL)
		w->run = w->command->run;
	else
		w->wrong = true;
}

static void
take_word(struct words *w, const char *word)
{
	bool option = word[0] == '-' && word[1] != '\0';
	bool rest = w->command == NULL ? !w->replays
				       : w->command->nargs_max == COMMAND_REST;

	if (rest &&
	    (strcmp(word, "--") == 0 || (w->command != NULL && !option))) {
		w->run = command_run;
		w->at = w->argc;
	} else if (w->plain || !option) {
		take_name(w, word);
	} else if (word[1] != '-') {
		take_letters(w, word + 1);
	} else if (word[2] != '\0') {
		take_long(w, word + 2);
	} else {
		w->plain = true;
	}
}

options_run *
command_word(int argc, char **argv)
{
	struct words w = { .argv = argv, .argc = argc, .at = argc > 0 };

	while (w.at < argc && !w.wrong)
		take_word(&w, argv[w.at++]);
	return w.wrong ? NULL : w.run;
}

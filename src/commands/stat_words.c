/* The commands of ktop stat, in the words behind --. */
#include "commands/stat.h"

#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"

static void
join_words(char *to, size_t size, char *const *argv)
{
	char text[STAT_NAME_SIZE];
	struct buf b = buf_over(text, sizeof text);

	for (unsigned i = 0; argv[i] != NULL; i++)
		buf_printf(&b, "%s%s", i > 0 ? " " : "", argv[i]);
	utf8_visible(to, size, buf_cstr(&b));
}

static bool
add_command(struct stat_job *j, char **argv, struct err *e)
{
	struct stat_command *c = &j->command[j->n];

	if (j->n == STAT_COMMANDS)
		return err_set(e, ERR_USAGE,
			       "stat compares at most %d commands",
			       STAT_COMMANDS);
	if (argv[0] == NULL || argv[0][0] == '\0')
		return err_set(
			e, ERR_USAGE,
			"stat needs a command: ktop stat -- CMD ARGS [--vs CMD ARGS]");
	c->argv = argv;
	c->letter[0] = (char)('A' + j->n++);
	join_words(c->name, sizeof c->name, argv);
	return true;
}

enum parting { NO_PART, PART_VS, PART_AND };

static enum parting
parting_of(const struct stat_job *j, const char *word)
{
	if (word == NULL)
		return PART_AND;
	/* What stands behind ktop -- is the command's own, all of it. */
	if (j->o->cmd.named == NULL)
		return NO_PART;
	return strcmp(word, "--vs") == 0    ? PART_VS
	       : strcmp(word, "--and") == 0 ? PART_AND
					    : NO_PART;
}

/* All are compared with the first of theirs, and so the like of each other. */
static bool
end_group(struct stat_job *j, unsigned *base, struct err *e)
{
	unsigned n = j->n - *base;

	for (unsigned i = *base; i < j->n; i++)
		j->command[i].base = *base;
	if (*base == 0)
		j->group = n;
	else if (n != j->group || n < 2)
		return err_set(
			e, ERR_USAGE,
			"each --and begins as many commands as there are before it, to compare the like: A --vs B --and C --vs D");
	*base = j->n;
	return true;
}

/* The words behind --, parted at each --vs and --and. */
bool
stat_find_commands(struct stat_job *j, struct err *e)
{
	unsigned n = 0, from = 0, base = 0;

	while (j->o->cmd.exec[n] != NULL)
		n++;
	j->words = calloc(n + 1, sizeof *j->words);
	if (j->words == NULL)
		return err_set(e, ERR_FAIL, "out of memory");
	for (unsigned i = 0; i <= n; i++) {
		char *word = j->o->cmd.exec[i];
		enum parting part = parting_of(j, word);

		if (part == NO_PART) {
			j->words[i] = word;
			continue;
		}
		if (!add_command(j, j->words + from, e) ||
		    (part == PART_AND && !end_group(j, &base, e)))
			return false;
		from = i + 1;
	}
	return true;
}

#include "commands/stat.h"

#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"

static void
command_join_words(char *to, size_t size, char *const *argv)
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
	command_join_words(c->name, sizeof c->name, argv);
	return true;
}

enum parting { NO_PART, PART_VS, PART_AND };

static enum parting
parting_of(const struct stat_job *j, const char *word)
{
	if (word == NULL)
		return PART_AND;
	/* After "ktop --" all words belong to one command. */
	if (j->o->cmd.named == NULL)
		return NO_PART;
	return strcmp(word, "--vs") == 0    ? PART_VS
	       : strcmp(word, "--and") == 0 ? PART_AND
					    : NO_PART;
}

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
			"each --and needs as many commands as the group before it: A --vs B --and C --vs D");
	*base = j->n;
	return true;
}

static bool
part_words(struct stat_job *j, struct err *e)
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

/* Allocates memory that stat_forget_commands frees. NULL and *e: failure. */
static void *
job_keep(struct stat_job *j, size_t size, struct err *e)
{
	void **more = realloc(j->kept, (j->nkept + 1) * sizeof *more);
	void *new = more != NULL ? malloc(size) : NULL;

	if (more != NULL)
		j->kept = more;
	if (new != NULL)
		j->kept[j->nkept++] = new;
	else
		err_set(e, ERR_FAIL, "out of memory");
	return new;
}

static unsigned
count_values(const char *parameter)
{
	unsigned n = 1;

	for (const char *at = parameter; *at != '\0'; at++)
		n += *at == ',';
	return n;
}

static size_t
find_value(const char *parameter, unsigned i, const char **value)
{
	const char *at = strchr(parameter, '=') + 1;

	while (i-- > 0)
		at += strcspn(at, ",") + 1;
	*value = at;
	return strcspn(at, ",");
}

/* Returns the index of the parameter with {NAME} at `at`; nparameters: none. */
static unsigned
parameter_at(const struct stat_options *o, const char *at)
{
	unsigned i = 0;

	for (; *at == '{' && i < o->nparameters; i++) {
		size_t n = strcspn(o->parameter[i], "=");

		if (strncmp(at + 1, o->parameter[i], n) == 0 &&
		    at[n + 1] == '}')
			return i;
	}
	return o->nparameters;
}

/* Copies word with {NAME} replaced by c's values; to NULL: only measures.
 * Returns the length. */
static size_t
put_values(char *to, const struct stat_options *o, const char *word,
	   const struct stat_command *c, bool *used)
{
	size_t len = 0;

	while (*word != '\0') {
		unsigned i = parameter_at(o, word);
		const char *from = word;
		size_t n = 1;

		if (i < o->nparameters) {
			n = find_value(o->parameter[i], c->with[i], &from);
			word += strcspn(word, "}");
			used[i] = true;
		}
		word++;
		if (to != NULL)
			memcpy(to + len, from, n);
		len += n;
	}
	return len;
}

/* Allocates word with c's values in it. NULL: word is NULL, or *e is set. */
static char *
expand(struct stat_job *j, const char *word, const struct stat_command *c,
       bool *used, struct err *e)
{
	if (word == NULL)
		return NULL;
	size_t len = put_values(NULL, &j->o->stat, word, c, used);
	char *to = job_keep(j, len + 1, e);

	if (to == NULL)
		return NULL;
	(void)put_values(to, &j->o->stat, word, c, used);
	to[len] = '\0';
	return to;
}

static bool
expand_command(struct stat_job *j, struct stat_command *c, bool *used,
	       struct err *e)
{
	const struct stat_options *o = &j->o->stat;
	unsigned n = 0;

	while (c->argv[n] != NULL)
		n++;
	char **argv = job_keep(j, (n + 1) * sizeof *argv, e);

	for (unsigned i = 0; argv != NULL && i <= n; i++)
		argv[i] = expand(j, c->argv[i], c, used, e);
	c->argv = argv;
	c->setup = expand(j, o->setup, c, used, e);
	c->prepare = expand(j, o->prepare, c, used, e);
	c->cleanup = expand(j, o->cleanup, c, used, e);
	if (e->code != ERR_NONE)
		return false;
	command_join_words(c->name, sizeof c->name, c->argv);
	return true;
}

static bool
parameters_check_used(const struct stat_options *o, const bool *used,
		      struct err *e)
{
	for (unsigned i = 0; i < o->nparameters; i++) {
		int n = (int)strcspn(o->parameter[i], "=");

		if (!used[i])
			return err_set(
				e, ERR_USAGE,
				"--parameter %s: no command contains {%.*s}",
				o->parameter[i], n, o->parameter[i]);
	}
	return true;
}

/* Makes the commands once for each combination of values. A single command is
 * compared with its first combination; several become a group for each. */
static bool
multiply(struct stat_job *j, struct err *e)
{
	const struct stat_options *o = &j->o->stat;
	struct stat_command was[STAT_COMMANDS];
	bool used[OPTIONS_PARAMETERS] = { false };
	unsigned n = j->n, all = 1;

	memcpy(was, j->command, sizeof was);
	for (unsigned i = 0; i < o->nparameters && all <= STAT_COMMANDS; i++)
		all *= count_values(o->parameter[i]);
	if (j->group != n && o->nparameters > 0)
		return err_set(
			e, ERR_USAGE,
			"--parameter makes one group for each value; omit --and");
	if (all * n > STAT_COMMANDS)
		return err_set(
			e, ERR_USAGE,
			"stat compares at most %d commands; give --parameter fewer values",
			STAT_COMMANDS);
	for (unsigned k = 0; k < all * n; k++) {
		struct stat_command *c = &j->command[k];
		unsigned rest = k / n;

		*c = was[k % n];
		c->letter[0] = (char)('A' + k);
		if (o->nparameters > 0)
			c->base = n == 1 ? 0 : k / n * n;
		for (unsigned i = o->nparameters; i-- > 0;) {
			c->with[i] = rest % count_values(o->parameter[i]);
			rest /= count_values(o->parameter[i]);
		}
		if (!expand_command(j, c, used, e))
			return false;
	}
	j->n = all * n;
	if (o->nparameters > 0)
		j->group = n == 1 ? j->n : n;
	return parameters_check_used(o, used, e);
}

bool
stat_find_commands(struct stat_job *j, struct err *e)
{
	return part_words(j, e) && multiply(j, e);
}

void
stat_forget_commands(struct stat_job *j)
{
	for (unsigned i = 0; i < j->nkept; i++)
		free(j->kept[i]);
	free(j->kept);
	free(j->words);
}

#include "options/argv.h"

#include <string.h>

enum { NAMES_MAX = 96, NAME_SIZE = 33 };

struct argv_scan
argv_scan(int argc, char **argv, bool replays)
{
	return (struct argv_scan){
		.argv = argv, .argc = argc, .at = argc > 0, .replays = replays
	};
}

static const struct option *
find_letter(const struct argv_scan *s, char letter)
{
	const struct option *found = NULL;

	for (unsigned i = 0; i < option_count; i++) {
		const struct option *opt = &option_table[i];

		if (opt->letter == 0 || opt->letter != letter)
			continue;
		if (opt->letter_of == COMMAND_MEASURE)
			found = found != NULL ? found : opt;
		else if (s->named != NULL && s->named->id == opt->letter_of)
			return opt;
	}
	return found;
}

static const struct option *
find_negated(const char *word)
{
	const struct option *opt =
		strncmp(word, "no-", 3) == 0
			? option_find(word + 3, strlen(word + 3))
			: NULL;

	return opt != NULL && option_is_setting(opt) ? opt : NULL;
}

static bool
has_no_argument(const struct argv_scan *s, const struct option *opt)
{
	const char *next = s->at < s->argc ? s->argv[s->at] : "-";

	if (!opt->maybe)
		return false;
	if (opt->type != OPTION_RUN)
		return next[0] < '0' || next[0] > '9';
	return s->named != NULL || next[0] == '-';
}

static enum argv_kind
scan_option(struct argv_scan *s, const struct option *opt, const char *joined,
	    struct err *e)
{
	if (opt->arg == NULL && joined != NULL) {
		err_set(e, ERR_USAGE, "--%s takes no argument", opt->name);
		return ARGV_WRONG;
	}
	bool none =
		opt->arg == NULL || (joined == NULL && has_no_argument(s, opt));

	if (!none && joined == NULL && s->at >= s->argc) {
		err_set(e, ERR_USAGE, "--%s needs %s%s", opt->name,
			options_article(opt->arg), opt->arg);
		return ARGV_WRONG;
	}
	/* In "stat --markdown -- CMD" the file name is missing. */
	if (!none && joined == NULL && strcmp(s->argv[s->at], "--") == 0) {
		err_set(e, ERR_USAGE, "--%s needs %s%s before '--'", opt->name,
			options_article(opt->arg), opt->arg);
		return ARGV_WRONG;
	}
	s->option = opt;
	s->word = none || joined != NULL ? joined : s->argv[s->at++];
	if (opt->type == OPTION_RUN)
		s->command = opt->command;
	if (opt->set == options_replay)
		s->replays = true;
	return ARGV_OPTION;
}

static bool
was_withdrawn(const char *kind, const char *word, size_t len, struct err *e)
{
	bool negated = strcmp(kind, "--") == 0 && strncmp(word, "no-", 3) == 0;
	const char *instead =
		negated ? option_withdrawn(kind, word + 3, len - 3)
			: option_withdrawn(kind, word, len);

	if (instead != NULL)
		err_set(e, ERR_USAGE, "there is no %s%.*s: %s", kind, (int)len,
			word, instead);
	return instead != NULL;
}

static enum argv_kind
unknown_option(const char *word, size_t len, struct err *e)
{
	const char *names[OPTIONS_MAX];
	char name[NAME_SIZE];

	if (len >= sizeof name)
		len = sizeof name - 1;
	memcpy(name, word, len);
	name[len] = '\0';
	bool no = strncmp(name, "no-", 3) == 0;

	const char *near =
		options_nearest(name + 3 * no, names, option_names(names, no));

	if (find_negated(name) != NULL)
		err_set(e, ERR_USAGE, "--%s takes no argument: it cancels --%s",
			name, name + 3);
	else if (near != NULL)
		err_set(e, ERR_USAGE,
			"unknown option '--%s'; did you mean '--%s%s'?", name,
			no ? "no-" : "", near);
	else
		err_set(e, ERR_USAGE, "unknown option '--%s'; see --help all",
			name);
	return ARGV_WRONG;
}

static enum argv_kind
scan_long(struct argv_scan *s, const char *word, struct err *e)
{
	size_t len = strcspn(word, "=");
	const struct option *opt = find_negated(word);

	if (opt != NULL) {
		s->option = opt;
		s->word = NULL;
		if (opt->set == options_replay)
			s->replays = false;
		return ARGV_NEGATED;
	}
	opt = option_find(word, len);
	if (opt == NULL)
		return was_withdrawn("--", word, len, e)
			       ? ARGV_WRONG
			       : unknown_option(word, len, e);
	return scan_option(s, opt, word[len] == '=' ? word + len + 1 : NULL, e);
}

static enum argv_kind
scan_letter(struct argv_scan *s, const char *at, struct err *e)
{
	const struct option *opt = find_letter(s, *at);
	const char *joined = at[1] != '\0' ? at + 1 : NULL;

	s->letter = NULL;
	if (opt == NULL) {
		if (!was_withdrawn("-", at, 1, e))
			err_set(e, ERR_USAGE,
				"unknown option '-%c'; see --help all", *at);
		return ARGV_WRONG;
	}
	if (opt->arg != NULL && !(opt->maybe && joined != NULL))
		return scan_option(s, opt, joined, e);
	s->letter = joined;
	return scan_option(s, opt, NULL, e);
}

static bool
means_option(const char *word, struct err *e)
{
	const char *option =
		option_find(word, strlen(word)) != NULL ? "" : NULL;

	for (unsigned i = 0; i < VIEW_COUNT; i++)
		if (strcmp(word, layout_view_name[i]) == 0)
			option = "view ";
	if (preset_find(word) >= 0)
		option = "preset ";
	else if (strstr(word, ".csv") != NULL || strstr(word, ".json") != NULL)
		option = "replay ";
	if (option != NULL)
		err_set(e, ERR_USAGE, "there is no ktop %s: use ktop --%s%s",
			word, option, word);
	return option != NULL;
}

static void
fail_unknown_command(const char *word, const char *const *names, struct err *e)
{
	const char *near = options_nearest(word, names, command_count);

	if (near != NULL)
		err_set(e, ERR_USAGE,
			"unknown command '%s'; did you mean '%s'?", word, near);
	else
		err_set(e, ERR_USAGE,
			"unknown command '%s'; see ktop --help, or use ktop stat -- %s to count a program",
			word, word);
}

static enum argv_kind
scan_command(struct argv_scan *s, const char *word, struct err *e)
{
	const char *names[NAMES_MAX];

	for (unsigned i = 0; i < command_count; i++) {
		names[i] = command_table[i].name;
		if (strcmp(word, names[i]) != 0)
			continue;
		s->named = &command_table[i];
		if (s->command != COMMAND_HELP)
			s->command = s->named->id;
		return ARGV_COMMAND;
	}
	if (!was_withdrawn("ktop ", word, strlen(word), e) &&
	    !means_option(word, e))
		fail_unknown_command(word, names, e);
	return ARGV_WRONG;
}

static enum argv_kind
scan_word(struct argv_scan *s, const char *word, struct err *e)
{
	s->word = word;
	if (s->named == NULL)
		return s->replays ? ARGV_RECORDING : scan_command(s, word, e);
	if (s->nargs < s->named->nargs_max && s->nargs < OPTIONS_ARGS_MAX) {
		s->nargs++;
		return ARGV_ARGUMENT;
	}
	err_set(e, ERR_USAGE, "'%s' is one argument too many for ktop %s", word,
		s->named->name);
	return ARGV_WRONG;
}

static enum argv_kind
scan_rest(struct argv_scan *s, int from)
{
	s->rest = &s->argv[from];
	if (s->command != COMMAND_HELP && s->command != COMMAND_COMPLETION &&
	    s->named == NULL)
		s->command = COMMAND_STAT;
	s->at = s->argc;
	return ARGV_REST;
}

enum argv_kind
argv_next(struct argv_scan *s, struct err *e)
{
	if (s->letter != NULL)
		return scan_letter(s, s->letter, e);
	if (s->at >= s->argc)
		return ARGV_END;
	const char *word = s->argv[s->at++];
	bool dashes = strcmp(word, "--") == 0;
	bool option = word[0] == '-' && word[1] != '\0';
	bool rest = s->named == NULL ? !s->replays
				     : s->named->nargs_max == COMMAND_REST;

	if (rest && dashes)
		return scan_rest(s, s->at);
	if (rest && s->named != NULL && !option)
		return scan_rest(s, s->at - 1);
	if (s->plain || !option)
		return scan_word(s, word, e);
	if (word[1] != '-')
		return scan_letter(s, word + 1, e);
	if (!dashes)
		return scan_long(s, word + 2, e);
	s->plain = true;
	return ARGV_DASHES;
}

enum command_id
argv_command(int argc, char **argv)
{
	struct argv_scan s = argv_scan(argc, argv, false);
	enum argv_kind kind;

	do
		kind = argv_next(&s, NULL);
	while (kind != ARGV_END && kind != ARGV_WRONG);
	return kind == ARGV_END ? s.command : COMMAND_MEASURE;
}

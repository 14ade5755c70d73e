#include "options/options.h"

#include <stdlib.h>
#include <string.h>

#include "commands/command.h"
#include "options/config.h"
#include "base/parse.h"

enum { NEAREST_MAX = 96, WORD_MAX = 32 };

int
options_preset(const struct options *o, const char *name, struct err *e)
{
	const char *names[NEAREST_MAX];
	unsigned all = user_preset_count(&o->user);
	unsigned n = all < NEAREST_MAX ? all : NEAREST_MAX;
	int found = user_preset_find(&o->user, name);

	/* From the last on: an own one has taken the key over, as on screen. */
	for (unsigned i = n; i-- > 0 && found < 0;) {
		const struct preset *p = user_preset(&o->user, (int)i);

		names[i] = p->name;
		if (name[0] != '\0' && name[1] == '\0' && p->key == name[0])
			found = (int)i;
	}
	if (found < 0)
		(void)options_unknown(e, "preset", name, names, n,
				      "--list-presets");
	return found;
}

static const struct option *
find_long(const char *name, size_t len)
{
	for (unsigned i = 0; i < option_count; i++)
		if (strlen(option_table[i].name) == len &&
		    memcmp(option_table[i].name, name, len) == 0)
			return &option_table[i];
	return NULL;
}

static const struct option *
find_letter(char letter)
{
	for (unsigned i = 0; i < option_count; i++)
		if (option_table[i].letter != 0 &&
		    option_table[i].letter == letter)
			return &option_table[i];
	return NULL;
}

static bool
apply(struct options *o, const struct option *opt, const char *arg,
      struct err *e)
{
	void *field = (char *)o + opt->offset;

	o->given[opt - option_table] = arg != NULL ? arg : "yes";
	o->given_line[opt - option_table] = o->line;
	switch (opt->type) {
	case OPTION_FLAG:
		*(bool *)field = true;
		return true;
	case OPTION_TEXT:
		if (arg[0] == '\0')
			return err_set(e, ERR_USAGE,
				       "--%s needs %s%s that is "
				       "not empty",
				       opt->name, options_article(opt->arg),
				       opt->arg);
		*(const char **)field = arg;
		return true;
	case OPTION_DURATION:
		if (parse_duration(arg, field) && *(int64_t *)field > 0)
			return true;
		return err_set(e, ERR_USAGE,
			       "--%s '%s' is not a time; write "
			       "1, 0.5 or 250ms",
			       opt->name, arg);
	case OPTION_COUNT:
		if (parse_u64(arg, INT64_MAX, field) && *(uint64_t *)field > 0)
			return true;
		return err_set(e, ERR_USAGE,
			       "--%s '%s' is not a count; write "
			       "1 or more",
			       opt->name, arg);
	case OPTION_CALL:
		return opt->set(o, arg, e);
	case OPTION_RUN:
		o->run = opt->run;
		return true;
	}
	return true;
}

/* As if nothing had said it: neither the file nor the environment. */
static bool
negate(struct options *o, const struct option *opt, struct err *e)
{
	void *field = (char *)o + opt->offset;
	bool ok = true;

	if (opt->type == OPTION_FLAG)
		*(bool *)field = false;
	else if (opt->type == OPTION_TEXT)
		*(const char **)field = NULL;
	else if (opt->initial != NULL)
		ok = apply(o, opt, opt->initial, e);
	else if (opt->type == OPTION_CALL)
		ok = opt->set(o, NULL, e);
	else
		*(uint64_t *)field = 0;
	o->given[opt - option_table] = "";
	return ok;
}

struct cursor { /* the words not read yet */
	char **argv;
	int argc, at;
};

/* The argument: `joined` to the option, or the next word. */
static bool
apply_with(struct options *o, struct cursor *c, const struct option *opt,
	   const char *joined, struct err *e)
{
	if (opt->arg == NULL && joined != NULL)
		return err_set(e, ERR_USAGE, "--%s takes no argument",
			       opt->name);
	if (opt->arg == NULL || joined != NULL)
		return apply(o, opt, joined, e);
	if (c->at >= c->argc)
		return err_set(e, ERR_USAGE, "--%s needs %s%s", opt->name,
			       options_article(opt->arg), opt->arg);
	return apply(o, opt, c->argv[c->at++], e);
}

/* "--no-NAME": of all that can stand in the config file. */
static const struct option *
find_negated(const char *word)
{
	const struct option *opt =
		strncmp(word, "no-", 3) == 0
			? find_long(word + 3, strlen(word + 3))
			: NULL;

	return opt != NULL && option_is_setting(opt) ? opt : NULL;
}

static bool
parse_long(struct options *o, struct cursor *c, const char *word, struct err *e)
{
	size_t len = strcspn(word, "=");
	const struct option *opt = find_long(word, len);
	const char *names[NEAREST_MAX];
	char name[WORD_MAX + 1];

	if (opt != NULL)
		return apply_with(o, c, opt,
				  word[len] == '=' ? word + len + 1 : NULL, e);
	for (unsigned i = 0; i < option_count; i++)
		names[i] = option_table[i].name;
	if (len > WORD_MAX)
		len = WORD_MAX;
	memcpy(name, word, len);
	name[len] = '\0';
	bool no = strncmp(name, "no-", 3) == 0;

	if (find_negated(name) != NULL)
		return err_set(e, ERR_USAGE,
			       "--%s takes no argument: it takes back what was "
			       "said about --%s",
			       name, name + 3);
	const char *near = options_nearest(name + 3 * no, names, option_count);

	if (near != NULL)
		return err_set(e, ERR_USAGE,
			       "unknown option '--%s'; did you "
			       "mean '--%s%s'?",
			       name, no ? "no-" : "", near);
	return err_set(e, ERR_USAGE, "unknown option '--%s'; see --help", name);
}

/* -b, -bn5, -n5, -n 5 */
static bool
parse_letters(struct options *o, struct cursor *c, const char *word,
	      struct err *e)
{
	for (; *word != '\0'; word++) {
		const struct option *opt = find_letter(*word);

		if (opt == NULL)
			return err_set(e, ERR_USAGE,
				       "unknown option '-%c'; "
				       "see --help",
				       *word);
		if (opt->arg != NULL)
			return apply_with(o, c, opt,
					  word[1] != '\0' ? word + 1 : NULL, e);
		if (!apply(o, opt, NULL, e))
			return false;
	}
	return true;
}

static bool
parse_command(struct options *o, const char *word, const struct command **cmd,
	      struct err *e)
{
	const char *names[NEAREST_MAX];

	for (unsigned i = 0; i < command_count; i++) {
		names[i] = command_table[i].name;
		if (strcmp(word, names[i]) != 0)
			continue;
		*cmd = &command_table[i];
		o->run = command_table[i].run;
		return true;
	}
	return options_unknown(e, "command", word, names, command_count,
			       "--help");
}

static bool
parse_word(struct options *o, const char *word, const struct command **cmd,
	   struct err *e)
{
	if (*cmd == NULL && o->nreplay > 0) /* --replay run-*.csv */
		return options_replay(o, word, e);
	if (*cmd == NULL)
		return parse_command(o, word, cmd, e);
	if (o->nargs >= (*cmd)->nargs_max || o->nargs >= OPTIONS_ARGS_MAX)
		return err_set(e, ERR_USAGE,
			       "'%s' is one word too many for "
			       "ktop %s",
			       word, (*cmd)->name);
	o->arg[o->nargs++] = word;
	return true;
}

/* From here on the words are another program's. */
static bool
parse_rest(struct options *o, struct cursor *c, int from)
{
	o->exec = &c->argv[from];
	o->run = command_run;
	c->at = c->argc;
	return true;
}

static bool
is_option(const char *word)
{
	return word[0] == '-' && word[1] != '\0';
}

/* A --: the words after it are names, and apart from those before. */
static bool
end_options(struct options *o, bool *plain)
{
	o->split = o->nargs;
	*plain = true;
	return true;
}

static bool
parse_words(struct options *o, struct cursor *c, struct err *e)
{
	const struct command *cmd = NULL;
	bool plain = false; /* after -- */

	while (c->at < c->argc) {
		const char *word = c->argv[c->at++];
		bool rest = cmd == NULL ? o->nreplay == 0
					: cmd->nargs_max == COMMAND_REST;
		bool ok;

		if (rest && strcmp(word, "--") == 0)
			ok = parse_rest(o, c, c->at);
		else if (rest && cmd != NULL && !is_option(word))
			ok = parse_rest(o, c, c->at - 1);
		else if (plain || word[0] != '-' || word[1] == '\0')
			ok = parse_word(o, word, &cmd, e);
		else if (word[1] != '-')
			ok = parse_letters(o, c, word + 1, e);
		else if (find_negated(word + 2) != NULL)
			ok = negate(o, find_negated(word + 2), e);
		else if (word[2] != '\0')
			ok = parse_long(o, c, word + 2, e);
		else
			ok = end_options(o, &plain);
		if (!ok)
			return false;
	}
	return true;
}

bool
option_is_setting(const struct option *opt)
{
	return opt->type != OPTION_RUN && strcmp(opt->name, "docs") != 0 &&
	       strcmp(opt->name, "config") != 0 &&
	       strcmp(opt->name, "repair") != 0;
}

static bool
assign_flag(struct options *o, const struct option *opt, const char *value,
	    struct err *e)
{
	static const char *const word[] = { "no",  "false", "off",
					    "yes", "true",  "on" };
	enum { WORDS = 6 };

	for (unsigned i = 0; i < WORDS; i++) {
		if (strcmp(value, word[i]) != 0)
			continue;
		*(bool *)((char *)o + opt->offset) = i >= WORDS / 2;
		o->given[opt - option_table] = i >= WORDS / 2 ? "yes" : "";
		return true;
	}
	return err_set(e, ERR_USAGE, "%s is yes or no, not '%s'", opt->name,
		       value);
}

unsigned
options_line(const struct options *o, const char *name)
{
	const struct option *opt = find_long(name, strlen(name));

	return opt != NULL ? o->given_line[opt - option_table] : 0;
}

bool
options_known(const char *name)
{
	const struct option *opt = find_long(name, strlen(name));

	return opt != NULL && option_is_setting(opt);
}

bool
options_assign(struct options *o, const char *name, const char *value,
	       struct err *e)
{
	const struct option *opt = find_long(name, strlen(name));
	const char *names[NEAREST_MAX];
	unsigned n = 0;

	for (unsigned i = 0; i < option_count && n < NEAREST_MAX; i++)
		if (option_is_setting(&option_table[i]))
			names[n++] = option_table[i].name;
	if (opt == NULL)
		return options_unknown(e, "option", name, names, n, "--help");
	if (!option_is_setting(opt))
		return err_set(e, ERR_USAGE,
			       "--%s is something to do, not a setting; give "
			       "it on the command line",
			       name);
	if (opt->type == OPTION_FLAG)
		return assign_flag(o, opt, value, e);
	value = user_keep(&o->user, value, strlen(value), e);
	return value != NULL && apply(o, opt, value, e);
}

/* --config FILE has to be known before all others. */
static const char *
find_config(int argc, char **argv)
{
	static const char name[] = "--config";
	enum { LEN = sizeof name - 1 };

	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
		if (strncmp(argv[i], name, LEN) != 0)
			continue;
		if (argv[i][LEN] == '=')
			return argv[i] + LEN + 1;
		if (argv[i][LEN] == '\0' && i + 1 < argc)
			return argv[i + 1];
	}
	return NULL;
}

/* An environment variable is nearer than a file. */
static bool
use_config(struct options *o, int argc, char **argv, struct err *e)
{
	char path[CONFIG_PATH_MAX] = "config", *text;
	const char *theme = getenv("KTOP_THEME"), *given;

	given = o->config = find_config(argc, argv);
	if (given == NULL && !config_path(path))
		return true;
	text = malloc(CONFIG_MAX);
	if (text == NULL)
		return err_set(e, ERR_FAIL, "out of memory");
	bool ok = config_read(given, text, e) &&
		  config_parse(o, given != NULL ? given : path, text,
			       options_assign, e);

	free(text);
	if (!ok)
		return false;
	if (theme != NULL && theme[0] != '\0')
		o->ui.theme = NULL;
	return true;
}

/* The defaults come from the table, through the same parsers. */
static bool
set_defaults(struct options *o, struct err *e)
{
	memset(o, 0, sizeof *o);
	o->preset = -1;
	for (unsigned i = 0; i < option_count; i++) {
		const struct option *opt = &option_table[i];

		if (opt->initial != NULL && opt->type != OPTION_TEXT &&
		    !apply(o, opt, opt->initial, e))
			return false;
	}
	return true;
}

/* An environment variable stands in where no option says otherwise. */
static void
use_environment(struct options *o)
{
	const char *sim = getenv("KTOP_SIM");
	const char *said = o->given[find_long("sim", 3) - option_table];

	if (sim != NULL && sim[0] != '\0' && said == NULL && o->nreplay == 0 &&
	    o->source.kperf_path == NULL && o->source.kperfdata_path == NULL &&
	    o->source.root == NULL &&
	    (o->source_name == NULL || strcmp(o->source_name, "sim") == 0))
		o->source.sim = sim;
}

bool
options_parse(struct options *o, int argc, char **argv, struct err *e)
{
	struct cursor c = { argv, argc, argc > 0 ? 1 : 0 };

	struct err wrong = { ERR_NONE, "" };

	if (!set_defaults(o, e))
		return false;
	bool config = use_config(o, argc, argv, &wrong);

	if (!parse_words(o, &c, e))
		return false;
	/* Help is there also when the file has a mistake. */
	if (!config && o->run != command_help && o->run != command_version) {
		*e = wrong;
		return false;
	}
	if (!options_check(o, e))
		return false;
	use_environment(o);
	o->source.replay = o->replay;
	o->source.nreplay = o->nreplay;
	o->source.period_ns = o->period_ns;
	return true;
}

#include "options/options.h"

#include <stdlib.h>
#include <string.h>

#include "options/argv.h"
#include "options/config.h"
#include "base/parse.h"

enum { NEAREST_MAX = 96 };

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
		if (arg != NULL)
			*(const char **)field = arg;
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

static bool
obey(struct options *o, const struct argv_scan *s, enum argv_kind kind,
     struct err *e)
{
	switch (kind) {
	case ARGV_OPTION:
		return apply(o, s->option, s->word, e);
	case ARGV_NEGATED:
		return negate(o, s->option, e);
	case ARGV_RECORDING:
		return options_replay(o, s->word, e);
	case ARGV_ARGUMENT:
		o->arg[o->nargs++] = s->word;
		return true;
	case ARGV_DASHES:
		o->split = o->nargs;
		return true;
	case ARGV_REST:
		o->exec = s->rest;
		return true;
	case ARGV_COMMAND:
	case ARGV_END:
		return true;
	case ARGV_WRONG:
		break;
	}
	return false;
}

static bool
parse_words(struct options *o, int argc, char **argv, struct err *e)
{
	struct argv_scan s = argv_scan(argc, argv, o->nreplay > 0);
	enum argv_kind kind;

	do {
		kind = argv_next(&s, e);
		if (!obey(o, &s, kind, e))
			return false;
	} while (kind != ARGV_END);
	o->command = s.command;
	return true;
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
	const struct option *opt = option_find(name, strlen(name));

	return opt != NULL ? o->given_line[opt - option_table] : 0;
}

bool
options_assign(struct options *o, const char *name, const char *value,
	       struct err *e)
{
	const struct option *opt = option_find(name, strlen(name));
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

/*
 * --config FILE has to be known before all others. The file may be what makes
 * recordings of words that are no commands, so mistakes are passed over here.
 */
static const char *
find_config(int argc, char **argv)
{
	struct argv_scan s = argv_scan(argc, argv, false);
	const char *path = NULL;
	enum argv_kind kind;

	while ((kind = argv_next(&s, NULL)) != ARGV_END)
		if (kind == ARGV_OPTION &&
		    strcmp(s.option->name, "config") == 0)
			path = s.word;
	return path;
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
	const char *said = o->given[option_find("sim", 3) - option_table];

	if (sim != NULL && sim[0] != '\0' && said == NULL && o->nreplay == 0 &&
	    o->source.kperf_path == NULL && o->source.kperfdata_path == NULL &&
	    o->source.root == NULL &&
	    (o->source_name == NULL || strcmp(o->source_name, "sim") == 0))
		o->source.sim = sim;
}

bool
options_parse(struct options *o, int argc, char **argv, struct err *e)
{
	struct err wrong = { ERR_NONE, "" };

	if (!set_defaults(o, e))
		return false;
	bool config = use_config(o, argc, argv, &wrong);

	if (!parse_words(o, argc, argv, e))
		return false;
	/* Help is there also when the file has a mistake. */
	if (!config && o->command != COMMAND_HELP &&
	    o->command != COMMAND_VERSION) {
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

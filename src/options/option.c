#include "options/options.h"

#include <string.h>

#include "base/parse.h"
#include "out/target.h"

const struct option *
option_find(const char *name, size_t len)
{
	for (unsigned i = 0; i < option_count; i++)
		if (strlen(option_table[i].name) == len &&
		    memcmp(option_table[i].name, name, len) == 0)
			return &option_table[i];
	return NULL;
}

bool
option_is_setting(const struct option *opt)
{
	return opt->type != OPTION_RUN && strcmp(opt->name, "config") != 0 &&
	       strcmp(opt->name, "repair") != 0;
}

unsigned
option_names(const char *names[OPTIONS_MAX], bool settings)
{
	unsigned n = 0;

	for (unsigned i = 0; i < option_count && n < OPTIONS_MAX; i++)
		if (!settings || option_is_setting(&option_table[i]))
			names[n++] = option_table[i].name;
	return n;
}

bool
option_known(const char *name)
{
	const struct option *opt = option_find(name, strlen(name));

	return opt != NULL && option_is_setting(opt);
}

bool
option_apply(struct options *o, const struct option *opt, const char *arg,
	     struct err *e)
{
	void *field = (char *)o + opt->offset;

	if (arg == NULL && opt->maybe && opt->type != OPTION_RUN)
		arg = "yes";
	o->config.given[opt - option_table] = arg != NULL ? arg : "yes";
	o->config.given_line[opt - option_table] = o->config.line;
	switch (opt->type) {
	case OPTION_FLAG:
		*(bool *)field = true;
		return true;
	case OPTION_TEXT:
		if (arg[0] == '\0')
			return err_set(e, ERR_USAGE,
				       "--%s has an empty argument; give %s%s",
				       opt->name, options_article(opt->arg),
				       opt->arg);
		if (opt->output && !path_check_suffix(arg, opt->piped, e))
			return false;
		*(const char **)field = arg;
		return true;
	case OPTION_DURATION:
		if (parse_duration(arg, field) && *(int64_t *)field > 0)
			return true;
		return err_set(e, ERR_USAGE,
			       "--%s '%s' is not a time; write 1, 0.5 or 250ms",
			       opt->name, arg);
	case OPTION_COUNT:
		if (parse_u64(arg, INT64_MAX, field) && *(uint64_t *)field > 0)
			return true;
		return err_set(e, ERR_USAGE,
			       "--%s '%s' is not a count; write 1 or more",
			       opt->name, arg);
	case OPTION_WORD:
		for (unsigned i = 0; i < opt->nwords; i++)
			if (strcmp(arg, opt->word[i]) == 0) {
				*(unsigned *)field = i;
				return true;
			}
		return options_unknown(e, opt->name, arg, opt->word,
				       opt->nwords, "--help");
	case OPTION_CALL:
		return opt->set(o, arg, e);
	case OPTION_RUN:
		if (arg != NULL)
			*(const char **)field = arg;
		return true;
	}
	return true;
}

bool
option_negate(struct options *o, const struct option *opt, struct err *e)
{
	void *field = (char *)o + opt->offset;
	bool ok = true;

	if (opt->type == OPTION_FLAG)
		*(bool *)field = false;
	else if (opt->type == OPTION_TEXT)
		*(const char **)field = NULL;
	else if (opt->initial != NULL)
		ok = option_apply(o, opt, opt->initial, e);
	else if (opt->type == OPTION_CALL)
		ok = opt->set(o, NULL, e);
	else
		*(uint64_t *)field = 0;
	o->config.given[opt - option_table] = "";
	return ok;
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
		o->config.given[opt - option_table] =
			i >= WORDS / 2 ? "yes" : "";
		o->config.given_line[opt - option_table] = o->config.line;
		return true;
	}
	return err_set(e, ERR_USAGE, "%s must be yes or no, not '%s'",
		       opt->name, value);
}

static size_t
option_index(const char *name)
{
	return (size_t)(option_find(name, strlen(name)) - option_table);
}

const char *
option_given(const struct options *o, const char *name)
{
	return o->config.given[option_index(name)];
}

unsigned
option_line(const struct options *o, const char *name)
{
	return o->config.given_line[option_index(name)];
}

bool
option_assign(struct options *o, const char *name, const char *value,
	      struct err *e)
{
	const struct option *opt = option_find(name, strlen(name));
	const char *names[OPTIONS_MAX];
	const char *instead = option_withdrawn("--", name, strlen(name));

	if (instead != NULL)
		return err_set(e, ERR_USAGE, "there is no --%s: %s", name,
			       instead);
	if (opt == NULL)
		return options_unknown(e, "option", name, names,
				       option_names(names, true), "--help all");
	if (!option_is_setting(opt))
		return err_set(
			e, ERR_USAGE,
			"--%s is an action, not a setting; give it on the command line",
			name);
	if (opt->type == OPTION_FLAG)
		return assign_flag(o, opt, value, e);
	value = user_keep(&o->user, value, strlen(value), e);
	return value != NULL && option_apply(o, opt, value, e);
}

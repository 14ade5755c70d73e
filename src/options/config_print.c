/* --write-config: a config file that says what holds now. */
#include "options/config.h"

#include <stdio.h>
#include <string.h>

static void
print_option(const struct options *o, const struct option *opt)
{
	const char *value = o->given[opt - option_table];

	printf("\n# %s\n", opt->text);
	if (opt->set == options_replay && o->nreplay > 1) {
		/* The only one that is a list: a line for each. */
		for (unsigned i = 0; i < o->nreplay; i++)
			printf("%s = %s\n", opt->name, o->replay[i]);
		return;
	}
	if (value != NULL && value[0] != '\0')
		printf("%s = %s\n", opt->name, value);
	else
		printf("# %s = %s\n", opt->name,
		       opt->type == OPTION_FLAG ? "yes" : opt->arg);
}

int
config_print(const struct options *o)
{
	static const struct err none = { ERR_NONE, "" };
	char text[CONFIG_MAX], path[CONFIG_PATH_MAX] = "";
	struct err e = none;

	if (!config_read(o->config, text, &e))
		return err_fail(&e);
	(void)config_path(path);
	printf("# ktop reads this from %s\n# or from --config FILE.\n",
	       path[0] != '\0' ? path : "~/.config/ktop/ktoprc");
	for (unsigned i = 0; i < option_count; i++)
		if (option_is_setting(&option_table[i]))
			print_option(o, &option_table[i]);
	/* Own metrics and presets stay as they are written. */
	const char *at = text[0] == '[' ? text : strstr(text, "\n[");

	if (at != NULL)
		printf("\n%s", at + (at[0] == '\n'));
	return 0;
}

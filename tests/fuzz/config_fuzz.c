/*
 * The config file and the command line. The first byte chooses: a file of a
 * person's, or words of argv (cut at NUL).
 */
#include "options/argv.h"
#include "options/config.h"
#include "options/options.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { WORDS_MAX = 32 };

static char text[CONFIG_MAX];
static struct options options;

static void
check(int ok)
{
	if (!ok)
		abort();
}

/* No file of whoever runs this: every one is named "-" or is not there. */
int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	check(setenv("XDG_CONFIG_HOME", "/nonexistent", 1) == 0);
	check(setenv("HOME", "/nonexistent", 1) == 0);
	return 0;
}

static void
check_presets(const struct options *o)
{
	for (unsigned i = 0; i < user_preset_count(&o->user); i++) {
		const struct preset *p = user_preset(&o->user, (int)i);

		check(p->name != NULL && p->name[0] != '\0');
		check(user_preset_find(&o->user, p->name) >= 0);
	}
	for (unsigned i = 0; i < o->user.nmetrics; i++)
		check(user_metric_find(&o->user, o->user.metric[i].name) !=
		      NULL);
}

static void
try_file(void)
{
	struct err e = { ERR_NONE, "" };

	memset(&options, 0, sizeof(options));
	if (config_parse(&options, "fuzz", text, &e))
		check_presets(&options);
	else
		check(e.code != ERR_NONE && e.text[0] != '\0');
	/* What a key writes into it can be read again, and is what it says. */
	if (!config_set(text, "delay", "250ms"))
		return;
	check(strlen(text) < CONFIG_MAX);
	check(strstr(text, "250ms") != NULL);
	(void)config_set(text, "delay", NULL);
}

static void
try_words(size_t n)
{
	static char name[] = "ktop";
	char *argv[WORDS_MAX + 2] = { name };
	struct err e = { ERR_NONE, "" };
	int argc = 1;

	for (size_t at = 0; at < n && argc <= WORDS_MAX;
	     at += strlen(text + at) + 1)
		argv[argc++] = text + at;
	/* Files are none of this: the parser of themes has its own. */
	if (!options_parse(&options, argc, argv, &e))
		check(e.text[0] != '\0');
	else /* who keeps root is decided by the same words */
		check(argv_command(argc, argv) == options.cmd.id);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < 1 || size > sizeof(text))
		return 0;
	memcpy(text, data + 1, size - 1);
	text[size - 1] = '\0';
	if (data[0] % 3 == 0)
		try_file();
	else
		try_words(size - 1);
	return 0;
}

#include "options/options.h"

#include <stdlib.h>
#include <string.h>

#include "options/argv.h"
#include "options/config.h"
#include "out/sink.h"

static bool
apply_word(struct options *o, const struct argv_scan *s, enum argv_kind kind,
	   struct err *e)
{
	switch (kind) {
	case ARGV_OPTION:
		return option_apply(o, s->option, s->word, e);
	case ARGV_NEGATED:
		return option_negate(o, s->option, e);
	case ARGV_RECORDING:
		return options_replay(o, s->word, e);
	case ARGV_ARGUMENT:
		o->cmd.arg[o->cmd.nargs++] = s->word;
		return true;
	case ARGV_DASHES:
		o->cmd.split = o->cmd.nargs;
		return true;
	case ARGV_REST:
		o->cmd.exec = s->rest;
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
	struct argv_scan s = argv_scan(argc, argv, o->replay.n > 0);
	enum argv_kind kind;

	do {
		kind = argv_next(&s, e);
		if (!apply_word(o, &s, kind, e))
			return false;
	} while (kind != ARGV_END);
	o->cmd.id = s.command;
	o->cmd.named = s.named;
	return true;
}

/* An option in argv that has no effect is an error, unless another option
 * prints and exits. The config file may have such options. */
static bool
check_arguments_used(const struct options *o, int argc, char **argv,
		     struct err *e)
{
	struct argv_scan s = argv_scan(argc, argv, o->replay.n > 0);
	bool live = o->cmd.id == COMMAND_MEASURE, replays = o->replay.n > 0;
	int used = live && replays ? SHOWN_REPLAY : SHOWN_OF(o->cmd.id);
	const char *who = replays ? "--replay" : "without a command";
	enum argv_kind kind;

	if (o->cmd.named == NULL && o->cmd.id == COMMAND_STAT) {
		used = SHOWN_OF(COMMAND_MEASURE) | SHOWN_OF(COMMAND_STAT);
		who = "-- CMD";
	} else if (o->cmd.named != NULL && o->cmd.named->id == o->cmd.id) {
		who = o->cmd.named->name;
	} else if (!live) {
		return true;
	}
	while ((kind = argv_next(&s, e)) != ARGV_END)
		if (kind == ARGV_OPTION && (s.option->shown & used) == 0)
			return err_set(
				e, ERR_USAGE,
				"ktop %s does not use --%s; omit it, or see --help all",
				who, s.option->name);
	return true;
}

/* Ignores errors: some words are valid only if the config file has `replay`. */
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

/* KTOP_THEME has precedence over the theme of the config file. */
static bool
use_config(struct options *o, int argc, char **argv, struct err *e)
{
	char path[CONFIG_PATH_MAX] = "config", *text;
	const char *theme = getenv("KTOP_THEME"), *given;

	given = o->config.path = find_config(argc, argv);
	if (given == NULL && !config_path(path))
		return true;
	text = malloc(CONFIG_MAX);
	if (text == NULL)
		return err_set(e, ERR_FAIL, "out of memory");
	bool ok = config_read(given, text, &o->config.roots, e) &&
		  config_parse(o, given != NULL ? given : path, text, e);

	free(text);
	if (!ok)
		return false;
	if (theme != NULL && theme[0] != '\0')
		o->ui.theme = NULL;
	return true;
}

void
options_clear_libraries(struct options *o)
{
	bool kperf =
		o->source.kperf_path != NULL && option_line(o, "kperf") > 0;
	bool data = o->source.kperfdata_path != NULL &&
		    option_line(o, "kperfdata") > 0;

	if (o->config.roots || (!kperf && !data))
		return;
	if (kperf)
		o->source.kperf_path = NULL;
	if (data)
		o->source.kperfdata_path = NULL;
	err_print(
		"%s: root ignores kperf and kperfdata, because users other than root can write this file; give them as options",
		o->config.name);
}

static bool
set_defaults(struct options *o, struct err *e)
{
	memset(o, 0, sizeof *o);
	o->preset = -1;
	for (unsigned i = 0; i < option_count; i++) {
		const struct option *opt = &option_table[i];

		if (opt->initial != NULL && opt->type != OPTION_TEXT &&
		    !option_apply(o, opt, opt->initial, e))
			return false;
	}
	return true;
}

/* Uses KTOP_SIM unless an option selects another source or machine. */
static void
use_environment(struct options *o)
{
	const char *sim = getenv("KTOP_SIM");

	if (sim != NULL && sim[0] != '\0' && option_given(o, "sim") == NULL &&
	    o->replay.n == 0 && o->source.kperf_path == NULL &&
	    o->source.kperfdata_path == NULL && o->source.root == NULL &&
	    (o->source_name == NULL || strcmp(o->source_name, "sim") == 0))
		o->source.sim = sim;
}

static bool
is_standard(const char *target)
{
	return target != NULL && strcmp(target, "-") == 0;
}

static bool
check_recording(const struct options *o, unsigned which, struct err *e)
{
	const char *to = o->out.file[which], *name = sink_table[which]->name;
	const char *file = is_standard(to) ? "standard output" : to;

	if (o->out.batch && is_standard(to))
		return err_set(
			e, ERR_USAGE,
			"-b and --%s - both write to standard output; give --%s a file",
			name, name);
	for (unsigned i = 0; i < which; i++)
		if (sink_table[i]->records && o->out.file[i] != NULL &&
		    strcmp(o->out.file[i], to) == 0)
			return err_set(
				e, ERR_USAGE,
				"--%s and --%s both write to %s; choose another file for one of them",
				sink_table[i]->name, name, file);
	if (o->cmd.exec != NULL && is_standard(to))
		return err_set(
			e, ERR_USAGE,
			"standard output belongs to the command; give --%s a file",
			name);
	return true;
}

static bool
check_source(const struct options *o, struct err *e)
{
	const char *name = o->source_name, *other = NULL;

	if (name == NULL)
		return true;
	if (o->source.root != NULL && strcmp(name, "perf") != 0)
		other = "files of --root";
	else if (o->source.sim != NULL && strcmp(name, "sim") != 0)
		other = "machine of --sim";
	return other == NULL ||
	       err_set(e, ERR_USAGE,
		       "--source %s cannot read the %s; omit one of them", name,
		       other);
}

/* Ignores `ipc` of the config file, which key w may have written, if options in
 * argv count events. */
static bool
ipc_gives_way(struct options *o, struct err *e)
{
	bool events = o->source.events != NULL && option_line(o, "events") == 0;
	bool rotates = o->nrotate > 0 && option_line(o, "rotate") == 0;

	return !o->ipc || option_line(o, "ipc") == 0 || (!events && !rotates) ||
	       option_negate(o, option_find("ipc", strlen("ipc")), e);
}

static bool
check_combinations(const struct options *o, struct err *e)
{
	const struct source_options *s = &o->source;
	bool replays = o->replay.n > 0, rotates = o->nrotate > 0;
	bool events = s->events != NULL && !replays;
	bool segments = o->out.rotate_bytes > 0 || o->out.rotate_ns > 0;
	/* clang-format off */
	const struct {
		bool is_so;
		const char *wrong;
	} rule[] = {
		{ o->cmd.exec != NULL && (o->cmd.exec[0] == NULL || o->cmd.exec[0][0] == '\0') && o->cmd.named == NULL, "-- needs a command: ktop -- CMD ARGS" },
		{ replays && o->cmd.exec != NULL, "--replay cannot run a command; omit one of them" },
		{ segments && is_standard(o->out.file[OUTPUT_CSV]), "--csv-rotate writes numbered files; give --csv a file name instead of -" },
		{ segments && o->out.file[OUTPUT_CSV] == NULL && (o->out.batch || o->out.file[OUTPUT_JSON] != NULL) && option_line(o, "csv-rotate") == 0, "--csv-rotate applies to --csv; add --csv FILE" },
		{ o->out.append && o->cmd.id == COMMAND_MEASURE && o->out.file[OUTPUT_CSV] == NULL && o->out.file[OUTPUT_JSON] == NULL && option_line(o, "append") == 0, "--append continues a recording; add --csv FILE or --json FILE" },
		{ o->out.append && o->out.force, "--append keeps the file that --force replaces; omit one of them" },
		{ s->root != NULL && s->sim != NULL, "--root reads the files of a Linux machine, --sim simulates a Mac; omit one of them" },
		{ replays && s->root != NULL, "--replay reads a recording, not a machine; omit --root" },
		{ replays && (s->sim != NULL || o->source_name != NULL), "--replay reads a recording, not a machine; omit --sim and --source" },
		{ events && o->ipc, "--events needs the counters that --ipc does not use; omit one of them" },
		{ events && rotates, "--events counts one set in every sample, --rotate counts presets in turn; omit one of them" },
		{ rotates && o->ipc, "--rotate needs the counters that --ipc does not use; omit one of them" },
		{ o->cmd.repair && o->cmd.id != COMMAND_DOCTOR, "--repair applies to doctor: ktop doctor --repair" },
	};
	/* clang-format on */

	for (unsigned i = 0; i < OUTPUTS; i++)
		if (sink_table[i]->records && o->out.file[i] != NULL &&
		    !check_recording(o, i, e))
			return false;
	for (unsigned i = 0; i < sizeof rule / sizeof *rule; i++)
		if (rule[i].is_so)
			return err_set(e, ERR_USAGE, "%s", rule[i].wrong);
	return check_source(o, e);
}

bool
options_parse(struct options *o, int argc, char **argv, struct err *e)
{
	struct err wrong = { ERR_NONE, "" };

	if (!set_defaults(o, e))
		return false;
	bool config = use_config(o, argc, argv, &wrong);

	if (!parse_words(o, argc, argv, e)) {
		/* The config file, which is invalid, may define the unknown
		 * name. */
		if (!config)
			*e = wrong;
		return false;
	}
	/* --help and --version work with an invalid config file. */
	if (!config && o->cmd.id != COMMAND_HELP &&
	    o->cmd.id != COMMAND_VERSION) {
		*e = wrong;
		return false;
	}
	if (!ipc_gives_way(o, e) || !check_combinations(o, e) ||
	    !check_arguments_used(o, argc, argv, e))
		return false;
	use_environment(o);
	o->source.replay = o->replay.file;
	o->source.nreplay = o->replay.n;
	o->source.period_ns = o->period_ns;
	return true;
}

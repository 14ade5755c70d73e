/* Every option: its row, and a parser where a type is not enough. */
#include "app/options.h"

#include <stddef.h>
#include <string.h>

#include "app/command.h"
#include "model/frame.h"

#define AT(field) offsetof(struct options, field)

enum { NAMES_MAX = 32, WORD_MAX = 32 };

static bool
set_preset(struct options *o, const char *arg, struct err *e)
{
	o->preset = options_preset(arg, e);
	return o->preset >= 0;
}

/*
 * Calls take for each word of a comma list; a word longer than any name that
 * could be meant is cut, and then unknown.
 */
static bool
each_word(struct options *o, const char *list, struct err *e,
	  bool (*take)(struct options *, const char *, struct err *))
{
	char word[WORD_MAX + 1];

	for (const char *at = list;; at++) {
		size_t n = strcspn(at, ","), len = n;

		if (len >= sizeof word)
			len = sizeof word - 1;
		memcpy(word, at, len);
		word[len] = '\0';
		if (!take(o, word, e))
			return false;
		at += n;
		if (*at == '\0')
			return true;
	}
}

static bool
take_rotate(struct options *o, const char *word, struct err *e)
{
	int preset = options_preset(word, e);

	if (preset < 0)
		return false;
	if (o->nrotate == OPTIONS_ROTATE_MAX)
		return err_set(e, ERR_USAGE,
			       "--rotate takes at most %d presets",
			       OPTIONS_ROTATE_MAX);
	o->rotate[o->nrotate++] = preset;
	return true;
}

static bool
set_rotate(struct options *o, const char *arg, struct err *e)
{
	o->nrotate = 0;
	return each_word(o, arg, e, take_rotate);
}

static bool
take_rows(struct options *o, const char *word, struct err *e)
{
	enum { LEVELS = SCOPE_ALL + 1 };

	for (unsigned i = 0; i < LEVELS; i++)
		if (strcmp(word, scope_level_name[i]) == 0) {
			o->csv_rows |= 1u << i;
			return true;
		}
	return options_unknown(e, "row level", word, scope_level_name, LEVELS,
			       "--csv-rows core,cluster,kind,all");
}

static bool
set_csv_rows(struct options *o, const char *arg, struct err *e)
{
	o->csv_rows = 1u << SCOPE_CORE; /* always: the rest are sums of them */
	return each_word(o, arg, e, take_rows);
}

/* Index of arg among the words; -1 and *e if it is none of them. */
static int
find_word(const char *arg, const char *const *words, unsigned n,
	  const char *what, struct err *e)
{
	for (unsigned i = 0; i < n; i++)
		if (strcmp(arg, words[i]) == 0)
			return (int)i;
	(void)options_unknown(e, what, arg, words, n, "--help");
	return -1;
}

static bool
set_color(struct options *o, const char *arg, struct err *e)
{
	static const char *const words[] = { "auto", "always", "never" };
	int i = find_word(arg, words, 3, "--color", e);

	if (i < 0)
		return false;
	o->ui.color = (enum ui_color)i;
	return true;
}

static bool
set_glyphs(struct options *o, const char *arg, struct err *e)
{
	static const char *const words[] = { "auto", "ascii", "block",
					     "braille" };
	int i = find_word(arg, words, 4, "--glyphs", e);

	if (i < 0)
		return false;
	o->ui.glyphs = (enum ui_glyphs)i;
	return true;
}

static bool
set_source(struct options *o, const char *arg, struct err *e)
{
	const char *names[NAMES_MAX];
	unsigned n = 0;

	for (; source_table[n] != NULL && n < NAMES_MAX; n++)
		names[n] = source_table[n]->name;
	o->source_name = arg;
	if (source_find(arg) != NULL)
		return true;
	return options_unknown(e, "source", arg, names, n, "--list-sources");
}

/* clang-format off */
const struct option option_table[] = {
	{ "delay", 'd', "TIME", OPTION_DURATION, "1s",
	    "Interval between frames: 1, 0.5, 250ms", AT(period_ns), NULL, NULL },
	{ "frames", 'n', "COUNT", OPTION_COUNT, NULL,
	    "Stop after COUNT frames", AT(frames), NULL, NULL },
	{ "hold", 0, NULL, OPTION_FLAG, NULL,
	    "After -n keep the last screen until q", AT(hold), NULL, NULL },
	{ "batch", 'b', NULL, OPTION_FLAG, NULL,
	    "Print a table a frame instead of the screen", AT(batch), NULL, NULL },
	{ "csv", 0, "FILE", OPTION_TEXT, NULL,
	    "Record every frame to FILE; - is standard output, without the screen",
	    AT(csv), NULL, NULL },
	{ "csv-rows", 0, "LEVELS", OPTION_CALL, "core",
	    "Rows of a recording: core, cluster, kind, all", 0, set_csv_rows, NULL },
	{ "force", 0, NULL, OPTION_FLAG, NULL,
	    "Replace the file of --csv if it exists", AT(force), NULL, NULL },
	{ "preset", 'p', "NAME", OPTION_CALL, "overview",
	    "Events to count first, by name or key", 0, set_preset, NULL },
	{ "rotate", 0, "A,B,...", OPTION_CALL, NULL,
	    "Presets take turns, one a frame", 0, set_rotate, NULL },
	{ "ipc", 0, NULL, OPTION_FLAG, NULL,
	    "Only cycles and instructions: leave the machine's counters alone",
	    AT(ipc), NULL, NULL },
	{ "user", 0, NULL, OPTION_FLAG, NULL,
	    "Count events in user mode only", AT(source.user_only), NULL, NULL },
	{ "require-pmu", 0, NULL, OPTION_FLAG, NULL,
	    "Exit with 5 where there are no counters", AT(require_pmu), NULL, NULL },
	{ "sim", 0, "SPEC", OPTION_TEXT, NULL,
	    "Run on a simulated Mac: MACHINE[,key=value]... (or KTOP_SIM)",
	    AT(source.sim), NULL, NULL },
	{ "source", 0, "NAME", OPTION_CALL, NULL,
	    "Where to read counters; the first that works if not given",
	    0, set_source, NULL },
	{ "kperf", 0, "PATH", OPTION_TEXT, NULL,
	    "The kperf framework's library (or KTOP_KPERF)",
	    AT(source.kperf_path), NULL, NULL },
	{ "kperfdata", 0, "PATH", OPTION_TEXT, NULL,
	    "The kperfdata framework's library (or KTOP_KPERFDATA)",
	    AT(source.kperfdata_path), NULL, NULL },
	{ "root", 0, "DIR", OPTION_TEXT, NULL,
	    "Read DIR/sys and DIR/proc instead of the system's (Linux)",
	    AT(source.root), NULL, NULL },
	{ "theme", 0, "NAME", OPTION_TEXT, "default",
	    "Theme, by name or path (or KTOP_THEME)", AT(ui.theme), NULL, NULL },
	{ "color", 0, "WHEN", OPTION_CALL, "auto",
	    "auto, always or never", 0, set_color, NULL },
	{ "glyphs", 0, "SET", OPTION_CALL, "auto",
	    "auto, ascii, block or braille", 0, set_glyphs, NULL },
	{ "mouse", 0, NULL, OPTION_FLAG, NULL,
	    "Let the mouse select rows", AT(ui.mouse), NULL, NULL },
	{ "chip", 0, "NAME", OPTION_TEXT, NULL,
	    "Database for --list-events: a14, as1, ...", AT(chip), NULL, NULL },
	{ "tape", 0, "FILE", OPTION_TEXT, NULL,
	    "For doctor: record every framework call to FILE", AT(tape), NULL, NULL },
	{ "list-presets", 0, NULL, OPTION_RUN, NULL,
	    "List the presets and what they answer", 0, NULL, command_list_presets },
	{ "list-metrics", 0, NULL, OPTION_RUN, NULL,
	    "List the metrics and what they mean", 0, NULL, command_list_metrics },
	{ "list-columns", 0, NULL, OPTION_RUN, NULL,
	    "List the columns of a recording", 0, NULL, command_list_columns },
	{ "list-events", 0, NULL, OPTION_RUN, NULL,
	    "List the events of this machine, --sim or --chip", 0, NULL,
	    command_list_events },
	{ "list-sources", 0, NULL, OPTION_RUN, NULL,
	    "List where counters can come from", 0, NULL, command_list_sources },
	{ "list-machines", 0, NULL, OPTION_RUN, NULL,
	    "List the simulated machines", 0, NULL, command_list_machines },
	{ "docs", 0, "WHAT", OPTION_CALL, NULL,
	    "Print a table for the manual: options, commands, keys, metrics, "
	    "presets, columns", 0, command_set_docs, NULL },
	{ "help", 'h', NULL, OPTION_RUN, NULL, "Print this", 0, NULL, command_help },
	{ "version", 'V', NULL, OPTION_RUN, NULL,
	    "Print the version", 0, NULL, command_version },
};
/* clang-format on */
const unsigned option_count = sizeof option_table / sizeof *option_table;

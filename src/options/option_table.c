#include "options/options.h"

#include <stddef.h>
#include <string.h>

#include "base/buf.h"
#include "base/parse.h"
#include "model/columns.h"
#include "model/frame.h"

#define TO(field) .offset = offsetof(struct options, field)
#define SHOWN(where) .shown = (where)
#define ONE_OF(list) .word = list, .nwords = sizeof list / sizeof *list

enum { NAMES_MAX = 96, WORD_MAX = 32 };
enum { LABELS_MAX = 8, LABEL_KEY_MAX = 24, LABEL_MAX = 128 };

static int
find_preset(const struct options *o, const char *name, struct err *e)
{
	const char *names[NAMES_MAX];
	unsigned all = user_preset_count(&o->user);
	unsigned n = all < NAMES_MAX ? all : NAMES_MAX;
	int found = user_preset_find(&o->user, name);
	const char *instead = option_withdrawn("preset ", name, strlen(name));

	/* The user's presets are last, and their keys have precedence. */
	for (unsigned i = n; i-- > 0 && found < 0;) {
		const struct preset *p = user_preset(&o->user, (int)i);

		names[i] = p->name;
		if (name[0] != '\0' && name[1] == '\0' && p->key == name[0])
			found = (int)i;
	}
	for (unsigned i = 0; i < o->user.nlost && found < 0; i++)
		if (strcmp(o->user.lost[i].text, name) == 0) {
			err_set(e, ERR_USAGE,
				"preset %s (%s:%u:%u) has only metrics that were removed: give it events = A, B",
				name, o->config.name, o->user.lost[i].line,
				o->user.lost[i].column);
			return -1;
		}
	if (found < 0 && instead != NULL)
		err_set(e, ERR_USAGE, "preset %s was renamed: %s", name,
			instead);
	else if (found < 0 && name[0] != '\0' &&
		 name[strspn(name, "0123456789")] == '\0')
		err_set(e, ERR_USAGE,
			"unknown preset '%s'; for a process use --view processes --filter %s",
			name, name);
	else if (found < 0)
		(void)options_unknown(e, "preset", name, names, n,
				      "--list-presets");
	return found;
}

static bool
set_preset(struct options *o, const char *arg, struct err *e)
{
	int found = find_preset(o, arg, e);

	if (found >= 0)
		o->preset = found;
	return found >= 0;
}

/* A word of LABEL_MAX bytes or more is cut; no valid word is this long. */
static bool
call_each_word(struct options *o, const char *list, struct err *e,
	       bool (*take)(struct options *, const char *, struct err *))
{
	char word[LABEL_MAX];

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
add_rotate_preset(struct options *o, const char *word, struct err *e)
{
	int preset = find_preset(o, word, e);

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
	if (arg == NULL || call_each_word(o, arg, e, add_rotate_preset))
		return true;
	o->nrotate = 0;
	return false;
}

static bool
add_csv_row(struct options *o, const char *word, struct err *e)
{
	enum column_row row = column_row_find(word, strlen(word));

	if (row > ROW_OF_MACHINE)
		return options_unknown(e, "row", word, column_row_name,
				       ROW_OF_MACHINE + 1,
				       "--csv-rows cpu,cluster,kind,machine");
	o->out.rows |= 1u << row;
	return true;
}

static bool
set_csv_rows(struct options *o, const char *arg, struct err *e)
{
	o->out.rows = 1u << SCOPE_CORE; /* rows of CPUs cannot be omitted */
	return call_each_word(o, arg, e, add_csv_row);
}

static bool
is_label_key(const char *s, size_t n)
{
	return n > 0 && n <= LABEL_KEY_MAX && s[0] >= 'a' && s[0] <= 'z' &&
	       strspn(s, "abcdefghijklmnopqrstuvwxyz0123456789_") >= n;
}

static bool
same_label(const char *a, const char *b)
{
	size_t n = strcspn(a, "=");

	return strncmp(a, b, n + 1) == 0;
}

static bool
add_label(struct options *o, const char *word, struct err *e)
{
	char all[LABELS_MAX * LABEL_MAX];
	struct buf b = buf_over(all, sizeof all);
	size_t key = strcspn(word, "="), len = strlen(word);
	unsigned n = 1;

	if (key >= len || !is_label_key(word, key) || len > LABEL_MAX - 2 ||
	    len == key + 1)
		return err_set(
			e, ERR_USAGE,
			"--label '%s' is not KEY=VALUE, such as host=build7: KEY begins with a letter and has at most %d letters (a-z), digits and _; KEY=VALUE has at most %d bytes",
			word, LABEL_KEY_MAX, LABEL_MAX - 2);
	for (const char *at = o->out.labels; at != NULL && *at != '\0';) {
		size_t old = strcspn(at, ",");

		if (!same_label(at, word) && ++n > 0)
			buf_printf(&b, "%.*s,", (int)old, at);
		at += old + (at[old] == ',');
	}
	if (n > LABELS_MAX)
		return err_set(e, ERR_USAGE, "--label takes at most %d labels",
			       LABELS_MAX);
	buf_str(&b, word);
	o->out.labels = user_keep(&o->user, all, b.len, e);
	return o->out.labels != NULL;
}

static bool
set_label(struct options *o, const char *arg, struct err *e)
{
	if (arg == NULL) {
		o->out.labels = NULL;
		return true;
	}
	if (!call_each_word(o, arg, e, add_label))
		return false;
	/* config_print needs all labels, not only the last argument. */
	for (unsigned i = 0; i < option_count; i++)
		if (option_table[i].set == set_label)
			o->config.given[i] = o->out.labels;
	return true;
}

static bool
set_processes(struct options *o, const char *arg, struct err *e)
{
	uint64_t n = PROCESS_TOP;

	o->out.processes = 0;
	if (arg == NULL || strcmp(arg, "no") == 0)
		return true;
	if (strcmp(arg, "yes") != 0 &&
	    (!parse_u64(arg, PROCESS_ROWS_MAX, &n) || n == 0))
		return err_set(e, ERR_USAGE,
			       "--processes '%s' is not a number from 1 to %d",
			       arg, PROCESS_ROWS_MAX);
	o->out.processes = (unsigned)n;
	return true;
}

static bool
set_view(struct options *o, const char *arg, struct err *e)
{
	if (strcmp(arg, "chart") == 0)
		arg = layout_view_name[VIEW_CHART];
	for (o->ui.view = 0; o->ui.view < VIEW_COUNT; o->ui.view++)
		if (strcmp(arg, layout_view_name[o->ui.view]) == 0)
			return true;
	return options_unknown(e, "view", arg, layout_view_name, VIEW_COUNT,
			       "--help");
}

unsigned
option_sort_names(const char *names[OPTION_SORTS])
{
	static const char *const word[] = { "cpu", "busy", "worst", "pid",
					    "name" };
	unsigned n = 0;

	for (; n < sizeof word / sizeof *word; n++)
		names[n] = word[n];
	for (unsigned i = 0; i < metric_count; i++)
		names[n++] = metric_table[i].name;
	for (unsigned i = 0; i < PROCESS_METRICS; i++)
		names[n++] = process_metrics[i].name;
	names[n] = NULL;
	return n;
}

static bool
set_sort(struct options *o, const char *arg, struct err *e)
{
	const char *names[OPTION_SORTS];
	unsigned n = option_sort_names(names);

	for (unsigned i = 0; i < n; i++)
		if (strcmp(arg, names[i]) == 0) {
			o->ui.sort = arg;
			return true;
		}
	return options_unknown(
		e, "column", arg, names, n,
		"--list-metrics, or --sort in ktop(1) for the columns of processes");
}

/* Parses a size such as "100M" (powers of 1024), or a time such as "1h". */
static bool
set_csv_rotate(struct options *o, const char *arg, struct err *e)
{
	static const char units[] = "KMGT";
	char digits[WORD_MAX + 1];
	uint64_t v;

	o->out.rotate_bytes = 0;
	o->out.rotate_ns = 0;
	if (arg == NULL)
		return true;
	size_t n = strspn(arg, "0123456789");
	const char *unit = arg[n] != '\0' ? strchr(units, arg[n]) : NULL;

	if (unit != NULL && n > 0 && n <= WORD_MAX &&
	    (arg[n + 1] == '\0' || strcmp(arg + n + 1, "B") == 0 ||
	     strcmp(arg + n + 1, "iB") == 0)) {
		unsigned shift = 10 * (unsigned)(unit - units + 1);

		memcpy(digits, arg, n);
		digits[n] = '\0';
		if (parse_u64(digits, UINT64_MAX >> shift, &v) && v > 0) {
			o->out.rotate_bytes = v << shift;
			return true;
		}
	} else if (arg[n] != '\0' && parse_duration(arg, &o->out.rotate_ns) &&
		   o->out.rotate_ns > 0) {
		return true;
	}
	return err_set(
		e, ERR_USAGE,
		"--csv-rotate '%s' is neither a size nor a time; write a size like 100M (capital K, M, G or T), or a time like 10m or 1h",
		arg);
}

bool
options_replay(struct options *o, const char *path, struct err *e)
{
	if (path == NULL) {
		o->replay.n = 0;
		return true;
	}
	if (o->replay.n == OPTIONS_ARGS_MAX)
		return err_set(e, ERR_USAGE,
			       "--replay takes at most %d segments",
			       OPTIONS_ARGS_MAX);
	if (path[0] == '\0')
		return err_set(e, ERR_USAGE,
			       "--replay has an empty argument; give a FILE");
	o->replay.file[o->replay.n++] = path;
	return true;
}

static bool
set_speed(struct options *o, const char *arg, struct err *e)
{
	if (parse_double(arg, &o->replay.speed) && o->replay.speed >= 0.01 &&
	    o->replay.speed <= 1000)
		return true;
	return err_set(e, ERR_USAGE,
		       "--speed '%s' is not a factor from 0.01 to 1000", arg);
}

bool
option_parse_percent(const char *s, size_t n, double *out)
{
	char number[32] = "";

	if (n > 0 && s[n - 1] == '%')
		n--;
	if (n < sizeof number)
		memcpy(number, s, n);
	return parse_double(number, out) && *out >= 0;
}

static bool
set_at_least(struct options *o, const char *arg, struct err *e)
{
	return option_parse_percent(arg, strlen(arg),
				    &o->compare.at_least_pct) ||
	       err_set(e, ERR_USAGE,
		       "--at-least '%s' is not a percentage like 2%%", arg);
}

/* A number without a unit is in ms, as in perf stat. */
static bool
set_interval(struct options *o, const char *arg, struct err *e)
{
	uint64_t ms;

	o->stat.interval_ns = 0;
	if (arg == NULL)
		return true;
	if (parse_u64(arg, INT64_MAX / 1000000, &ms))
		o->stat.interval_ns = (int64_t)ms * 1000000;
	else if (!parse_duration(arg, &o->stat.interval_ns))
		o->stat.interval_ns = 0;
	return o->stat.interval_ns > 0 ||
	       err_set(e, ERR_USAGE,
		       "--interval '%s' is not a time; write 100 (milliseconds) or 0.5s",
		       arg);
}

static bool
set_runs(struct options *o, const char *arg, struct err *e)
{
	o->stat.runs = 0;
	if (strcmp(arg, "auto") == 0 ||
	    (parse_u64(arg, INT64_MAX, &o->stat.runs) && o->stat.runs > 0))
		return true;
	return err_set(e, ERR_USAGE,
		       "--runs '%s' is not a count; write 1 or more, or auto",
		       arg);
}

static bool
is_parameter(const char *s)
{
	static const char letters[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789";
	size_t n = strspn(s, letters);
	char before = '=';

	if (n == 0 || s[n] != '=' || (s[0] >= '0' && s[0] <= '9'))
		return false;
	for (const char *at = s + n + 1;; before = *at++) {
		bool between = *at == ',' || *at == '\0';

		if (between && (before == ',' || before == '='))
			return false;
		if (*at == '\0')
			return true;
	}
}

static bool
set_parameter(struct options *o, const char *arg, struct err *e)
{
	if (arg == NULL) {
		o->stat.nparameters = 0;
		memset(o->stat.parameter, 0, sizeof o->stat.parameter);
		return true;
	}
	if (!is_parameter(arg))
		return err_set(
			e, ERR_USAGE,
			"--parameter '%s' is not NAME=VALUE,VALUE,... with commas between the values, such as threads=1,2,4",
			arg);
	if (o->stat.nparameters == OPTIONS_PARAMETERS)
		return err_set(e, ERR_USAGE,
			       "stat takes at most %d --parameter options",
			       OPTIONS_PARAMETERS);
	o->stat.parameter[o->stat.nparameters++] = arg;
	return true;
}

enum {
	FIRST = SHOWN_FIRST,
	LIVE = SHOWN_OF(COMMAND_MEASURE),
	REPLAY = SHOWN_REPLAY,
	STAT = SHOWN_OF(COMMAND_STAT),
	SUMMARY = SHOWN_OF(COMMAND_SUMMARY),
	COMPARE = SHOWN_OF(COMMAND_COMPARE),
	TOPOLOGY = SHOWN_OF(COMMAND_TOPOLOGY),
	DOCTOR = SHOWN_OF(COMMAND_DOCTOR)
};

/* clang-format off */
#define OUTPUT(constant, name, help) \
	{ #name, 0, "FILE", OPTION_TEXT, NULL, help, TO(out.file[constant]), \
	    .output = true, .piped = constant != OUTPUT_OPENMETRICS, \
	    SHOWN(LIVE | REPLAY | (constant == OUTPUT_CSV ? FIRST : 0) | \
		  (constant == OUTPUT_CSV || constant == OUTPUT_JSON ? \
		   STAT | SUMMARY | COMPARE : 0)) },
#define RUNS(constant, function, name, letter, arg, help, ...) \
	{ name, letter, arg, OPTION_RUN, NULL, help, .command = constant, __VA_ARGS__ },
/* clang-format on */

static const char *const color_word[] = { "auto", "always", "never" };
static const char *const compare_rows_word[] = {
	"all", "machine", "kind", "cluster", "cpu", "process"
};
static const char *const glyphs_word[] = { "auto", "ascii", "block",
					   "braille" };

/* clang-format off */
const struct option option_table[] = {
	{ "delay", 'd', "TIME", OPTION_DURATION, "1s",
	    "Interval between samples: 1, 0.5, 250ms", TO(period_ns),
	    SHOWN(FIRST | STAT | LIVE | REPLAY | DOCTOR) },
	{ "samples", 'n', "COUNT", OPTION_COUNT, NULL,
	    "Stop after COUNT samples", TO(frames), SHOWN(FIRST | LIVE | REPLAY | DOCTOR) },
	{ "hold", 0, NULL, OPTION_FLAG, NULL,
	    "Keep the last screen after -n, until q", TO(hold), SHOWN(LIVE | REPLAY) },
	{ "batch", 'b', NULL, OPTION_FLAG, NULL,
	    "Print one table per sample instead of the screen", TO(out.batch),
	    SHOWN(FIRST | LIVE | REPLAY) },
	OUTPUT_TABLE(OUTPUT)
	{ "csv-rows", 0, "LEVELS", OPTION_CALL, "cpu",
	    "Rows of a recording, separated by commas: cpu, cluster, kind, machine", .set = set_csv_rows,
	    SHOWN(LIVE | REPLAY) },
	{ "processes", 0, "[N]", OPTION_CALL, NULL,
	    "Also output the N busiest processes (24) of each sample, and all others as one row",
	    .set = set_processes, .maybe = true, SHOWN(SUMMARY | LIVE | REPLAY) },
	{ "trace-processes", 0, NULL, OPTION_FLAG, NULL,
	    "Count events per process; on macOS this takes over kernel tracing",
	    TO(ui.trace), SHOWN(LIVE) },
	{ "replay", 0, "FILE", OPTION_CALL, NULL,
	    "Show a recording; further arguments are its next segments; - is standard input",
	    .set = options_replay, SHOWN(FIRST | LIVE | REPLAY) },
	{ "speed", 0, "FACTOR", OPTION_CALL, "1",
	    "Speed of a replay on the screen, relative to the recording", .set = set_speed, SHOWN(REPLAY) },
	{ "from", 0, "TIME", OPTION_TEXT, NULL,
	    "For --replay, summary and compare: ignore samples before TIME", TO(source.from),
	    SHOWN(SUMMARY | COMPARE | REPLAY) },
	{ "to", 0, "TIME", OPTION_TEXT, NULL,
	    "For --replay, summary and compare: ignore samples after TIME", TO(source.to),
	    SHOWN(SUMMARY | COMPARE | REPLAY) },
	{ "mark", 0, "A..B", OPTION_TEXT, NULL,
	    "For --replay, summary and compare: the part from A to B (markers, times, start or end)",
	    TO(source.mark), SHOWN(SUMMARY | COMPARE | REPLAY) },
	{ "skip-damaged", 0, NULL, OPTION_FLAG, NULL,
	    "Ignore damaged rows of a recording and report their number",
	    TO(source.skip_damaged), SHOWN(SUMMARY | COMPARE | REPLAY) },
	{ "at-least", 0, "PERCENT", OPTION_CALL, "0",
	    "For compare: treat differences below PERCENT of A as none", .set = set_at_least,
	    SHOWN(COMPARE) },
	{ "vs", 0, "A..B", OPTION_TEXT, NULL,
	    "For compare with one recording: the part that is compared with the part of --mark",
	    TO(compare.vs), SHOWN(COMPARE) },
	{ "rows", 0, "LEVEL", OPTION_WORD, "all",
	    "For compare: print only rows of this level: all, machine, kind, cluster, cpu or process",
	    TO(compare.rows), ONE_OF(compare_rows_word), SHOWN(COMPARE) },
	{ "all", 0, NULL, OPTION_FLAG, NULL,
	    "For compare: print all rows, not only the ten largest changes", TO(compare.all), SHOWN(COMPARE) },
	{ "runs", 'r', "N", OPTION_CALL, "1",
	    "For stat: run each command N times; auto: until times are known within 1 %, at most 30 s", .set = set_runs,
	    SHOWN(STAT), .letter_of = COMMAND_STAT },
	{ "warmups", 'w', "N", OPTION_COUNT, NULL,
	    "For stat: first run each command N times without counting", TO(stat.warmups),
	    SHOWN(STAT), .letter_of = COMMAND_STAT },
	{ "blocks", 0, NULL, OPTION_FLAG, NULL,
	    "For stat: do all runs of a command before the next command, not in random order", TO(stat.blocks),
	    SHOWN(STAT) },
	{ "seed", 0, "N", OPTION_COUNT, NULL,
	    "For stat: seed of the random order; each report prints the seed", TO(stat.seed),
	    SHOWN(STAT) },
	{ "null", 0, NULL, OPTION_FLAG, NULL,
	    "For stat: count nothing; report only times", TO(stat.null),
	    SHOWN(STAT) },
	{ "prepare", 0, "CMD", OPTION_TEXT, NULL,
	    "For stat: run a shell command before each run, without counting it", TO(stat.prepare),
	    SHOWN(STAT) },
	{ "setup", 0, "CMD", OPTION_TEXT, NULL,
	    "For stat: run a shell command once for each command, before its first run", TO(stat.setup),
	    SHOWN(STAT) },
	{ "cleanup", 0, "CMD", OPTION_TEXT, NULL,
	    "For stat: run a shell command once for each command, after its last run", TO(stat.cleanup),
	    SHOWN(STAT) },
	{ "parameter", 'L', "NAME=A,B,...", OPTION_CALL, NULL,
	    "For stat: run each command with {NAME} replaced by A, by B, ..., and compare the results", .set = set_parameter,
	    SHOWN(STAT), .letter_of = COMMAND_STAT },
	{ "ignore-failure", 'i', NULL, OPTION_FLAG, NULL,
	    "For stat: exit with 0 even if a run failed", TO(stat.ignore_failure),
	    SHOWN(STAT), .letter_of = COMMAND_STAT },
	{ "input", 0, "FILE", OPTION_TEXT, NULL,
	    "For stat: each run reads FILE from its start as standard input", TO(stat.input),
	    SHOWN(STAT) },
	{ "interval", 'I', "MS", OPTION_CALL, NULL,
	    "For stat: print interim results every MS milliseconds", .set = set_interval,
	    SHOWN(STAT), .letter_of = COMMAND_STAT },
	{ "pid", 'p', "PID", OPTION_TEXT, NULL,
	    "For stat: count a running process until it ends or ^C is pressed", TO(stat.process),
	    SHOWN(STAT), .letter_of = COMMAND_STAT },
	{ "report", 'o', "FILE", OPTION_TEXT, NULL,
	    "For stat: write the report to FILE instead of standard error", TO(stat.report), .output = true,
	    SHOWN(STAT), .letter_of = COMMAND_STAT },
	{ "markdown", 0, "FILE", OPTION_TEXT, NULL,
	    "For stat: also write a Markdown table to FILE", TO(stat.markdown), .output = true,
	    SHOWN(STAT) },
	{ "fail-above", 0, "PERCENT:VALUE", OPTION_TEXT, NULL,
	    "For stat: exit with 1 if the interval of B lies PERCENT above A, as in 1%:instructions", TO(stat.fail_above),
	    SHOWN(STAT) },
	{ "quiet", 'q', NULL, OPTION_FLAG, NULL,
	    "For stat: print no hints and no progress", TO(stat.quiet),
	    SHOWN(STAT), .letter_of = COMMAND_STAT },
	{ "csv-rotate", 0, "LIMIT", OPTION_CALL, NULL,
	    "Start a new file (out.0001.csv) before out.csv exceeds a size (100M) or time (1h)",
	    .set = set_csv_rotate, SHOWN(LIVE | REPLAY) },
	{ "append", 0, NULL, OPTION_FLAG, NULL,
	    "Append to existing files of --csv and --json", TO(out.append),
	    SHOWN(LIVE | REPLAY) },
	{ "label", 0, "KEY=VALUE", OPTION_CALL, NULL,
	    "Add a column label_KEY with VALUE to every row of a recording: host=build7",
	    .set = set_label, SHOWN(LIVE | REPLAY) },
	{ "force", 0, NULL, OPTION_FLAG, NULL,
	    "Replace existing output files; read more than 256 CPUs more often than twice a second", TO(out.force),
	    SHOWN(STAT | DOCTOR | LIVE | REPLAY | SUMMARY | COMPARE) },
	{ "preset", 'p', "NAME", OPTION_CALL, "basic",
	    "Preset whose events are counted first: its name or key", .set = set_preset,
	    SHOWN(FIRST | STAT | LIVE | DOCTOR) },
	{ "rotate", 0, "A,B,...", OPTION_CALL, NULL,
	    "Count these presets in turn, one per sample", .set = set_rotate, SHOWN(STAT | LIVE | DOCTOR) },
	{ "ipc", 0, NULL, OPTION_FLAG, NULL,
	    "Count only cycles and instructions; do not use the configurable counters", TO(ipc),
	    SHOWN(FIRST | STAT | LIVE | DOCTOR) },
	{ "user", 0, NULL, OPTION_FLAG, NULL,
	    "Count events in user mode only", TO(source.user_only), SHOWN(STAT | LIVE | DOCTOR) },
	{ "require-pmu", 0, NULL, OPTION_FLAG, NULL,
	    "Exit with status 5 if there are no counters", TO(require_pmu), SHOWN(STAT | LIVE) },
	{ "sim", 0, "SPEC", OPTION_TEXT, NULL,
	    "Run on a simulated Mac: MACHINE[,key=value]... (or KTOP_SIM)", TO(source.sim),
	    SHOWN(FIRST | STAT | TOPOLOGY | DOCTOR | LIVE) },
	{ "source", 0, "NAME", OPTION_TEXT, NULL,
	    "Source of the counters (see --list-sources); default: the first that works", TO(source_name),
	    SHOWN(STAT | TOPOLOGY | DOCTOR | LIVE) },
	{ "kperf", 0, "PATH", OPTION_TEXT, NULL,
	    "Library of the kperf framework (or KTOP_KPERF)", TO(source.kperf_path),
	    SHOWN(DOCTOR | LIVE | STAT | TOPOLOGY) },
	{ "kperfdata", 0, "PATH", OPTION_TEXT, NULL,
	    "Library of the kperfdata framework (or KTOP_KPERFDATA)", TO(source.kperfdata_path),
	    SHOWN(DOCTOR | LIVE | STAT | TOPOLOGY) },
	{ "events", 'e', "A,B,...", OPTION_TEXT, NULL,
	    "Count these events, named as in --list-events; suffix :u or :k: one mode only",
	    TO(source.events), SHOWN(FIRST | STAT | LIVE), .letter_of = COMMAND_STAT },
	{ "lazy", 0, NULL, OPTION_FLAG, NULL,
	    "Read idle CPUs only in every tenth sample, except while recording (Linux)",
	    TO(source.lazy), SHOWN(LIVE | STAT) },
	{ "mux", 0, NULL, OPTION_FLAG, NULL,
	    "Multiplex events if other programs use counters (Linux)", TO(source.mux),
	    SHOWN(STAT | LIVE | DOCTOR) },
	{ "root", 0, "DIR", OPTION_TEXT, NULL,
	    "Read DIR/sys and DIR/proc instead of /sys and /proc (Linux)", TO(source.root),
	    SHOWN(TOPOLOGY | DOCTOR | LIVE | STAT) },
	{ "theme", 0, "NAME", OPTION_TEXT, "auto",
	    "Name or path of the theme (or KTOP_THEME); auto: chosen by the terminal's background", TO(ui.theme),
	    SHOWN(FIRST | LIVE | REPLAY) },
	{ "color", 0, "WHEN", OPTION_WORD, "auto",
	    "When to use colour: auto, always or never", TO(ui.color), ONE_OF(color_word), SHOWN(LIVE | REPLAY) },
	{ "glyphs", 0, "SET", OPTION_WORD, "auto",
	    "Characters of bars and charts: auto, ascii, block or braille", TO(ui.glyphs), ONE_OF(glyphs_word),
	    SHOWN(LIVE | REPLAY) },
	{ "mouse", 0, NULL, OPTION_FLAG, NULL,
	    "Let the mouse select rows, sort and scroll", TO(ui.mouse), SHOWN(LIVE | REPLAY) },
	{ "view", 0, "NAME", OPTION_CALL, "overview",
	    "First view: overview, processes, cores, history, power, bottlenecks, events, detail",
	    .set = set_view, SHOWN(FIRST | LIVE | REPLAY) },
	{ "sort", 0, "COLUMN", OPTION_CALL, "cpu",
	    "Order of cores (cpu, busy, worst or a metric) or, with --view processes, of processes", .set = set_sort,
	    SHOWN(LIVE | REPLAY) },
	{ "reverse", 0, NULL, OPTION_FLAG, NULL,
	    "Reverse the order of --sort", TO(ui.reverse), SHOWN(LIVE | REPLAY) },
	{ "filter", 0, "TEXT", OPTION_TEXT, "none",
	    "Show only some cores, as key / does: P0, 4-7, 'ipc<1 busy>=50'", TO(ui.filter),
	    SHOWN(FIRST | LIVE | REPLAY) },
	{ "group", 0, "NAME", OPTION_WORD, "none",
	    "Group the cores by cluster, kind, die or none", TO(ui.group), ONE_OF(view_group_name),
	    SHOWN(LIVE | REPLAY) },
	{ "pin", 0, "ROWS", OPTION_TEXT, "none",
	    "CPUs and clusters whose rows stay at the top: 4,P0", TO(ui.pin), SHOWN(LIVE | REPLAY) },
	{ "config", 0, "FILE", OPTION_TEXT, NULL,
	    "Read options from FILE instead of ~/.config/ktop/ktoprc", TO(config.path),
	    SHOWN(~FIRST) },
	{ "chip", 0, "NAME", OPTION_TEXT, NULL,
	    "Event database for --list-events: a14, as1, ...", TO(chip) },
	{ "repair", 0, NULL, OPTION_FLAG, NULL,
	    "For doctor: undo the settings that a killed ktop left on this Mac", TO(cmd.repair),
	    SHOWN(DOCTOR) },
	RUN_TABLE(RUNS)
};
/* clang-format on */

#define COMMAND(constant, function, name, args, most, text) \
	{ name, args, text, most, constant },
const struct command command_table[] = { COMMAND_TABLE(COMMAND) };
const unsigned command_count = sizeof command_table / sizeof *command_table;
const unsigned option_count = sizeof option_table / sizeof *option_table;

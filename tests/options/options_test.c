/* Command lines, as rows of tests/data/options, and the table of options. */
#include "options/rows.h"

#include "options/argv.h"
#include "source/all/sources.h"

#include <stdlib.h>

enum { WORDS_MAX = 24 };

static struct options o;
static struct err e;
static char *argv[WORDS_MAX + 1];
static int argc;

/* A command line at its blanks; '' is an empty word, KTOP_SIM= is set. */
static void
split(const char *text)
{
	static char copy[ROW_SIZE], ktop[] = "ktop";

	assert_true(strlen(text) < sizeof copy);
	strcpy(copy, text);
	argc = 0;
	argv[argc++] = ktop;
	(void)unsetenv("KTOP_SIM");
	for (char *at = strtok(copy, " "); at != NULL; at = strtok(NULL, " ")) {
		assert_true(argc < WORDS_MAX);
		if (strncmp(at, "KTOP_SIM=", 9) == 0)
			assert_int_equal(setenv("KTOP_SIM", at + 9, 1), 0);
		else
			argv[argc++] = strcmp(at, "''") == 0 ? at + 2 : at;
	}
	argv[argc] = NULL;
}

static bool
parse(const char *text)
{
	split(text);
	e = (struct err){ ERR_NONE, "" };
	return options_parse(&o, argc, argv, &e);
}

static const char *
command_name(enum command_id id)
{
	for (unsigned i = 0; i < command_count; i++)
		if (command_table[i].id == id)
			return command_table[i].name;
	for (unsigned i = 0; i < option_count; i++)
		if (option_table[i].type == OPTION_RUN &&
		    option_table[i].command == id)
			return option_table[i].name;
	return "measure";
}

/* ---- what the words come to ---- */

/* i: int64_t, u: unsigned, b: bool, s: string, d: double */
static const struct {
	const char *name;
	char type;
	size_t at;
} plain_field[] = {
#define FIELD(name, type, field)                            \
	{                                                   \
		name, type, offsetof(struct options, field) \
	}
	FIELD("at-least", 'd', compare.at_least_pct),
	FIELD("batch", 'b', out.batch),
	FIELD("chip", 's', chip),
	FIELD("color", 'u', ui.color),
	FIELD("config", 's', config.path),
	FIELD("csv", 's', out.file[OUTPUT_CSV]),
	FIELD("delay", 'i', period_ns),
	FIELD("samples", 'i', frames),
	FIELD("interval", 'i', stat.interval_ns),
	FIELD("mouse", 'b', ui.mouse),
	FIELD("named", 's', cmd.named),
	FIELD("pid", 's', stat.process),
	FIELD("processes", 'u', out.processes),
	FIELD("root", 's', source.root),
	FIELD("rotate-bytes", 'i', out.rotate_bytes),
	FIELD("rotate-ns", 'i', out.rotate_ns),
	FIELD("rows", 'u', out.rows),
	FIELD("runs", 'i', stat.runs),
	FIELD("segments", 'u', replay.n),
	FIELD("sim", 's', source.sim),
	FIELD("sort", 's', ui.sort),
	FIELD("source-delay", 'i', source.period_ns),
	FIELD("split", 'u', cmd.split),
};

static void
plain_value(const char *name, char *to, size_t size)
{
	for (unsigned i = 0; i < sizeof plain_field / sizeof *plain_field;
	     i++) {
		const void *at = (const char *)&o + plain_field[i].at;
		const char *text;

		if (strcmp(plain_field[i].name, name) != 0)
			continue;
		switch (plain_field[i].type) {
		case 'i':
			snprintf(to, size, "%lld",
				 (long long)*(const int64_t *)at);
			return;
		case 'u':
			snprintf(to, size, "%u", *(const unsigned *)at);
			return;
		case 'b':
			snprintf(to, size, "%d", *(const bool *)at);
			return;
		case 'd':
			snprintf(to, size, "%g", *(const double *)at);
			return;
		default:
			text = *(const char *const *)at;
			snprintf(to, size, "%s", text != NULL ? text : "NULL");
			return;
		}
	}
	fail_msg("no field %s", name);
}

static void
join(char *to, size_t size, const char *word, char between)
{
	size_t n = strlen(to);

	snprintf(to + n, size - n, "%.*s%s", n > 0, &between, word);
}

/* A field of o as text. */
static const char *
value(const char *name)
{
	static char to[256];

	to[0] = '\0';
	if (strcmp(name, "command") == 0)
		return command_name(o.cmd.id);
	if (strcmp(name, "view") == 0)
		return layout_view_name[o.ui.view];
	if (strcmp(name, "preset") == 0)
		return preset_table[o.preset].name;
	if (strcmp(name, "rotate") == 0)
		for (unsigned i = 0; i < o.nrotate; i++)
			join(to, sizeof to, preset_table[o.rotate[i]].name,
			     ',');
	else if (strcmp(name, "exec") == 0)
		for (char **word = o.cmd.exec; *word != NULL; word++)
			join(to, sizeof to, *word, ' ');
	else if (strcmp(name, "arguments") == 0)
		for (unsigned i = 0; i < o.cmd.nargs; i++)
			join(to, sizeof to, o.cmd.arg[i], ' ');
	else
		plain_value(name, to, sizeof to);
	return to;
}

static void
check_values(char *const *field)
{
	if (!parse(field[0]))
		fail_msg("%s: %s", field[0], e.text);
	for (unsigned i = 1; field[i][0] != '\0'; i++) {
		char *want = strchr(field[i], '=');

		*want++ = '\0';
		if (strcmp(value(field[i]), want) != 0)
			fail_msg("%s: %s is %s, not %s", field[0], field[i],
				 value(field[i]), want);
	}
}

UNIT(words_have_values)
{
	rows_each("values", 49, check_values);
}

static void
check_refused(char *const *field)
{
	if (parse(field[0]))
		fail_msg("%s is not refused", field[0]);
	assert_int_equal(e.code, ERR_USAGE);
	if (field[1][0] == '\0' || strstr(e.text, field[1]) == NULL)
		fail_msg("%s: '%s' is not in '%s'", field[0], field[1], e.text);
}

UNIT(mistakes_are_named)
{
	char two[64];

	rows_each("refused", 44, check_refused);
	snprintf(two, sizeof two, "--source %s --sim m1",
		 source_table[0]->name);
	check_refused((char *[]){ two, (char[]){ "--sim" } });
}

/* ---- one reader of argv ---- */

/* "option csv=a | command doctor | ...", or what is wrong behind "wrong". */
static const char *
found(const char *text, bool replays)
{
	static const char *const name[] = {
		[ARGV_OPTION] = "option",       [ARGV_NEGATED] = "negated",
		[ARGV_COMMAND] = "command",     [ARGV_ARGUMENT] = "argument",
		[ARGV_RECORDING] = "recording", [ARGV_DASHES] = "dashes",
		[ARGV_REST] = "rest",           [ARGV_WRONG] = "wrong",
	};
	static char out[ROW_SIZE];
	enum argv_kind kind;
	size_t n = 0;

	split(text);
	struct argv_scan s = argv_scan(argc, argv, replays);

	out[0] = '\0';
	while ((kind = argv_next(&s, &e)) != ARGV_END) {
		bool option = kind == ARGV_OPTION || kind == ARGV_NEGATED;
		const char *word = kind == ARGV_REST     ? s.rest[0]
				   : kind == ARGV_WRONG  ? e.text
				   : kind == ARGV_DASHES ? NULL
							 : s.word;

		n += (size_t)snprintf(out + n, sizeof out - n, "%s%s%s%s%s%s",
				      n > 0 ? " | " : "", name[kind],
				      option || word != NULL ? " " : "",
				      option ? s.option->name : "",
				      option && word != NULL ? "=" : "",
				      word != NULL ? word : "");
		if (kind == ARGV_WRONG)
			break;
	}
	return out;
}

/* Where "..." ends the row, more may follow. */
static void
check_found(char *const *field)
{
	const char *got = found(field[0], field[1][0] != '\0');
	size_t n = strlen(field[2]);
	bool head = n > 3 && strcmp(field[2] + n - 3, "...") == 0;

	if (head ? strncmp(got, field[2], n - 3) : strcmp(got, field[2]))
		fail_msg("%s: %s, not %s", field[0], got, field[2]);
}

UNIT(words_are_found)
{
	rows_each("found", 46, check_found);
}

static void
check_command(char *const *field)
{
	split(field[0]);
	assert_string_equal(command_name(argv_command(argc, argv)), field[1]);
}

UNIT(commands_are_found)
{
	rows_each("commands", 30, check_command);
	assert_int_equal(argv_command(0, (char *[]){ NULL }), COMMAND_MEASURE);
}

/* Every argv that parses, out of these words, asks for the same both ways. */
UNIT(agrees_with_the_parser)
{
	static const char *const word[] = {
		"doctor",  "repair",   "--repair",    "--",
		"stat",    "mark",     "echo",        "--sim",
		"m1",      "--sim=m1", "--csv",       "doctor",
		"--help",  "-V",       "-b",          "-bn",
		"5",       "-n5",      "--replay",    "--replay=a",
		"-",       "--no-csv", "summary",     "-V",
		"options", "--ascii",  "--no-replay", "--list-presets",
	};
	enum { N = sizeof word / sizeof *word, TRIES = 60000, MOST = 8 };
	unsigned long x = 1, parsed = 0, whole = 0;

	for (int i = 0; i < TRIES; i++) {
		char text[256] = "";

		for (int k = 1; k < 2 + i % (MOST - 2); k++) {
			x = (x * 1103515245 + 12345) & 0x7fffffff;
			join(text, sizeof text, word[(x >> 8) % N], ' ');
		}
		if (!parse(text))
			continue;
		parsed++;
		whole += o.cmd.id == COMMAND_DOCTOR;
		if (argv_command(argc, argv) != o.cmd.id)
			fail_msg("%s", text);
	}
	assert_true(parsed > TRIES / 20);
	assert_true(whole > 100);
}

/* ---- the table ---- */

/* An argument that the row takes, and another one than its default. */
static const char *
sample(const struct option *opt)
{
	static const struct {
		const char *name, *arg;
	} row[] = { { "csv-rows", "core,kind" },
		    { "speed", "2" },
		    { "csv-rotate", "5M" },
		    { "preset", "branch" },
		    { "rotate", "branch,l1d" },
		    { "source", "sim" },
		    { "view", "chart" },
		    { "sort", "busy" },
		    { "at-least", "2%" },
		    { "processes", "9" },
		    { "interval", "100" },
		    { "label", "host=a,build=b" },
		    { "runs", "3" },
		    { "parameter", "x=1,2" } };

	for (unsigned i = 0; i < sizeof row / sizeof *row; i++)
		if (strcmp(row[i].name, opt->name) == 0)
			return row[i].arg;
	return opt->type == OPTION_WORD       ? opt->word[opt->nwords - 1]
	       : opt->type == OPTION_DURATION ? "250ms"
	       : opt->type == OPTION_COUNT    ? "7"
	       : opt->type == OPTION_FLAG     ? "yes"
					      : "some/text";
}

/* What the rows say, without what only the parser keeps. */
static bool
parse_plain(struct options *to, const char *text)
{
	bool ok = parse(text);

	*to = o;
	memset(to->config.given, 0, sizeof to->config.given);
	memset(&to->user, 0, sizeof to->user);
	/* Lists begin again: what is behind their end says nothing. */
	for (unsigned i = o.nrotate; i < OPTIONS_ROTATE_MAX; i++)
		to->rotate[i] = 0;
	for (unsigned i = o.replay.n; i < OPTIONS_ARGS_MAX; i++)
		to->replay.file[i] = NULL;
	to->source.replay = NULL; /* of this struct */
	to->config.name = NULL;
	return ok;
}

static bool
same(const struct options *a, const struct options *b)
{
	return memcmp(a, b, offsetof(struct options, user)) == 0;
}

UNIT(every_option_can_be_taken_back)
{
	static struct options none, with, without;

	/* It takes any of them. */
	assert_true(parse_plain(&none, "--list-events"));
	for (unsigned i = 0; i < option_count; i++) {
		const struct option *opt = &option_table[i];
		bool flag = opt->type == OPTION_FLAG;
		char yes[96], no[128];

		snprintf(yes, sizeof yes, "--list-events --%s%s%s", opt->name,
			 flag ? "" : "=", flag ? "" : sample(opt));
		snprintf(no, sizeof no, "%s --no-%s", yes, opt->name);
		if (!option_is_setting(opt)) {
			assert_false(parse(strstr(no, "--no-")));
			continue;
		}
		if (!parse_plain(&with, yes) || same(&with, &none))
			fail_msg("%s changes nothing: %s", yes, e.text);
		if (!parse_plain(&without, no) || !same(&without, &none))
			fail_msg("%s leaves something: %s", no, e.text);
	}
}

/* Every row can be used as it stands: no field that its type needs is empty. */
UNIT(the_table_is_sound)
{
	for (unsigned i = 0; i < option_count; i++) {
		const struct option *a = &option_table[i];

		assert_true(strlen(a->text) > 5);
		assert_true(strlen(a->text) < 90);
		if ((a->type == OPTION_CALL) != (a->set != NULL) ||
		    (a->type == OPTION_RUN) != (a->command != COMMAND_MEASURE))
			fail_msg("--%s has the wrong function", a->name);
		if ((a->type == OPTION_WORD) != (a->nwords > 0))
			fail_msg("--%s has the wrong words", a->name);
		if (a->arg == NULL &&
		    !(a->type == OPTION_FLAG || a->type == OPTION_RUN))
			fail_msg("--%s needs an argument's name", a->name);
		for (unsigned k = i + 1; k < option_count; k++) {
			const struct option *b = &option_table[k];

			assert_string_not_equal(a->name, b->name);
			if (a->letter != 0 && a->letter_of == b->letter_of)
				assert_int_not_equal(a->letter, b->letter);
		}
	}
}

static int
set_up(void **state)
{
	/* The config file of whoever runs the tests is not theirs. */
	return setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
}

UNITS_IN(set_up, NULL)

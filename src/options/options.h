/* Parsed options, and the table of all options. */
#ifndef OPTIONS_OPTIONS_H
#define OPTIONS_OPTIONS_H

#include "options/user.h"
#include "base/err.h"
#include "model/metric.h"
#include "model/process.h"
#include "options/commands.h"
#include "out/outputs.h"
#include "source/source.h"
#include "ui/draw/choices.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { OPTIONS_MAX = 96, OPTIONS_ROTATE_MAX = 16, OPTIONS_ARGS_MAX = 1024 };

struct options;

#define COMMAND_CONSTANT(constant, ...) constant,
enum command_id {
	COMMAND_MEASURE,
	COMMAND_TABLE(COMMAND_CONSTANT) RUN_TABLE(COMMAND_CONSTANT)
};
#undef COMMAND_CONSTANT

struct output_options {
	const char *file[OUTPUTS]; /* NULL: none; "-": standard output */
	bool batch, append, force;
	uint64_t rotate_bytes; /* bytes per segment; 0: unlimited */
	int64_t rotate_ns;
	uint32_t rows;      /* 1 << enum scope_level */
	unsigned processes; /* process rows; 0: none */
	const char *labels; /* "host=a,build=b", or NULL */
};

struct command_line {
	enum command_id id;
	const struct command *named;
	char **exec;      /* after --, NULL ends; or NULL */
	const char *help; /* word after --help or --completion, or NULL */
	bool repair;
	unsigned nargs;
	const char *arg[OPTIONS_ARGS_MAX];
	unsigned split; /* number of words before --; 0: no -- */
};

struct replay_options {
	unsigned n;
	const char *file[OPTIONS_ARGS_MAX];
	double speed;
};

enum { OPTIONS_PARAMETERS = 4 };

struct stat_options {
	uint64_t runs, warmups; /* per command; runs 0: automatic */
	unsigned nparameters;
	const char *parameter[OPTIONS_PARAMETERS]; /* "NAME=V1,V2" */
	int64_t interval_ns;                       /* 0: no interim results */
	uint64_t seed;        /* seed of the random order; 0: random */
	const char *report;   /* report file; NULL: standard error */
	const char *markdown; /* additional table, or NULL */
	const char *process;  /* pid instead of a command, or NULL */
	const char *prepare;  /* shell command before each run, or NULL */
	const char *setup, *cleanup; /* before and after all runs, or NULL */
	const char *input;      /* each run's standard input; NULL: ktop's */
	const char *fail_above; /* "1%:instructions"; NULL: never */
	bool blocks, quiet, null, ignore_failure;
};

struct compare_options {
	double at_least_pct; /* smaller differences are called small */
	const char *vs;
	bool all; /* all lines, not only the largest differences */
	unsigned rows;
};

enum compare_rows {
	COMPARE_ROWS_ALL,
	COMPARE_ROWS_MACHINE,
	COMPARE_ROWS_KIND,
	COMPARE_ROWS_CLUSTER,
	COMPARE_ROWS_CPU,
	COMPARE_ROWS_PROCESS
};

/* Origin of options, and unusable parts of the config file. */
struct config_options {
	const char *path;
	const char *name;
	bool roots;    /* only root can write it */
	unsigned line; /* line being read, or 0 */
	/* Texts in table order, for option_given and option_line. */
	const char *given[OPTIONS_MAX];
	unsigned given_line[OPTIONS_MAX];
	char odd[600]; /* notice on unusable parts, or "" */
};

struct options {
	struct source_options source; /* all but `ipc`, below */
	struct ui_options ui;
	struct output_options out;
	struct command_line cmd;
	struct replay_options replay;
	struct stat_options stat;
	struct config_options config;
	const char *source_name; /* NULL: the first that works */
	const char *chip;        /* --list-events; NULL: this machine's */
	int64_t period_ns;
	uint64_t frames; /* 0: no limit */
	bool hold, ipc, require_pmu;
	int preset; /* index as user_preset counts */
	unsigned nrotate;
	int rotate[OPTIONS_ROTATE_MAX];
	struct compare_options compare;
	struct user user;
	const char *no_locale; /* why ASCII is used, or NULL */
};

enum option_type {
	OPTION_FLAG,
	OPTION_TEXT,
	OPTION_DURATION, /* int64_t, ns, > 0 */
	OPTION_COUNT,
	OPTION_WORD, /* index in `word`; unsigned, or an enum */
	OPTION_CALL,
	OPTION_RUN /* selects `command`; argument: const char * */
};

/* Which help text lists an option. A command accepts only its own.
 * COMMAND_MEASURE: the live program. */
#define SHOWN_FIRST (1 << 30)
#define SHOWN_REPLAY (1 << 29)
#define SHOWN_OF(command) (1 << (command))

struct option {
	const char *name;
	char letter;     /* or 0 */
	const char *arg; /* argument's name in help; NULL: none */
	enum option_type type;
	const char *initial; /* text of the default, or NULL */
	const char *text;    /* help text, no full stop */
	size_t offset;       /* offset of the typed option's field */
	/* NULL: restores the default. */
	bool (*set)(struct options *o, const char *arg, struct err *e);
	enum command_id command;
	const char *const *word;
	unsigned nwords;
	int shown; /* SHOWN_; --help all and ktop(1) show all */
	bool maybe;
	bool output, piped; /* output file; -: standard output */
	/* The letter is valid only after this command. */
	enum command_id letter_of;
};
extern const struct option option_table[];
extern const unsigned option_count;

/* By long name of len bytes; NULL: none. */
const struct option *option_find(const char *name, size_t len);

enum { OPTION_SORTS = METRIC_MAX + PROCESS_METRICS + 6 };
unsigned option_sort_names(const char *names[OPTION_SORTS]);

bool option_is_setting(const struct option *opt);

/* Names of options; settings: those of the config file. Returns the number. */
unsigned option_names(const char *names[OPTIONS_MAX], bool settings);

bool option_known(const char *name);

/* What replaces a word of another version or tool; NULL: unknown. kind: "--"
 * option, "-" letter, "ktop " command, "section " of the config file. */
const char *option_withdrawn(const char *kind, const char *name, size_t len);

/* arg NULL: none. */
bool option_apply(struct options *o, const struct option *opt, const char *arg,
		  struct err *e);

/* Resets to the default, ignoring file and environment. */
bool option_negate(struct options *o, const struct option *opt, struct err *e);

bool option_assign(struct options *o, const char *name, const char *value,
		   struct err *e);

/* The last value as text; NULL: none, "": negated. */
const char *option_given(const struct options *o, const char *name);

/* The config file's line of the value, or 0. */
unsigned option_line(const struct options *o, const char *name);

enum { COMMAND_REST = 0x7fffffff };

struct command {
	const char *name, *args, *text;
	unsigned nargs_max; /* COMMAND_REST: another program's words */
	enum command_id id;
};
extern const struct command command_table[];
extern const unsigned command_count;

/* Reads defaults, config file, argv. Strings are borrowed from argv,
 * environment and o->user. False and *e: the first error. */
bool options_parse(struct options *o, int argc, char **argv, struct err *e);

/* Ignores library paths of a file that others can write, if root. */
void options_clear_libraries(struct options *o);

/* The nearest word by edit distance; NULL: none is near. */
const char *options_nearest(const char *word, const char *const *candidate,
			    unsigned n);

/* *e names the nearest word, all words (if few, or list is NULL), or list. */
bool options_unknown(struct err *e, const char *what, const char *word,
		     const char *const *candidate, unsigned n,
		     const char *list);

/* "1" or "1%", n bytes. */
bool option_parse_percent(const char *s, size_t n, double *out);

/* "a ", "an " or "" for "needs a FILE". */
const char *options_article(const char *arg);

bool options_replay(struct options *o, const char *path, struct err *e);

#endif

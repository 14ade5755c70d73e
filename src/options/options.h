/* The parsed options, and the table of all options. */
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
	uint32_t rows;      /* bits: 1 << enum column_row */
	unsigned processes; /* number of processes per sample; 0: none */
	const char *labels; /* "host=a,build=b", or NULL */
};

struct command_line {
	enum command_id id;
	const struct command *named;
	char **exec;      /* words of the command, ending with NULL; or NULL */
	const char *help; /* argument of --help or --completion, or NULL */
	bool repair;
	unsigned nargs;
	const char *arg[OPTIONS_ARGS_MAX];
	unsigned split; /* number of arg[] before --; 0 also without -- */
};

struct replay_options {
	unsigned n;
	const char *file[OPTIONS_ARGS_MAX];
	double speed;
};

enum { OPTIONS_PARAMETERS = 4 };

struct stat_options {
	uint64_t runs, warmups; /* number per command; runs 0: auto */
	unsigned nparameters;
	const char *parameter[OPTIONS_PARAMETERS];
	int64_t interval_ns; /* 0: no interim results */
	uint64_t seed;       /* seed of the random order; 0: chosen at random */
	const char *report;  /* file of the report; NULL: standard error */
	const char *markdown; /* file of an additional table, or NULL */
	const char *process;  /* pid of a process to count, or NULL */
	const char *prepare; /* shell command to run before each run, or NULL */
	const char *setup, *cleanup; /* around all runs of a command, or NULL */
	const char *input; /* file for standard input; NULL: that of ktop */
	const char *fail_above; /* such as "1%:instructions"; NULL: no limit */
	bool blocks, quiet, null, ignore_failure;
};

struct compare_options {
	double at_least_pct; /* % of A; smaller differences count as none */
	const char *vs;
	bool all; /* print all rows, not only the largest changes */
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

struct config_options {
	const char *path;
	const char *name;
	bool roots; /* only root can write the config file */
	unsigned line;
	/* Values as text, by index in option_table; see option_given. */
	const char *given[OPTIONS_MAX];
	unsigned given_line[OPTIONS_MAX];
	char odd[600]; /* notice about invalid lines that are ignored, or "" */
};

struct options {
	struct source_options source;
	struct ui_options ui;
	struct output_options out;
	struct command_line cmd;
	struct replay_options replay;
	struct stat_options stat;
	struct config_options config;
	const char *source_name;
	const char *chip; /* of --list-events; NULL: this machine's */
	int64_t period_ns;
	uint64_t frames; /* number of samples; 0: no limit */
	bool hold, ipc, require_pmu;
	int preset; /* index for user_preset */
	unsigned nrotate;
	int rotate[OPTIONS_ROTATE_MAX];
	struct compare_options compare;
	struct user user;
	const char *no_locale; /* reason for using ASCII, or NULL */
};

enum option_type {
	OPTION_FLAG,
	OPTION_TEXT,
	OPTION_DURATION, /* the field is int64_t, in ns, > 0 */
	OPTION_COUNT,
	OPTION_WORD, /* the field is the index in `word`: unsigned or an enum */
	OPTION_CALL,
	OPTION_RUN /* selects `command`; the argument is a const char * */
};

/* Bits of the commands that use an option, and of the help texts that list the
 * option. COMMAND_MEASURE: ktop without a command. */
#define SHOWN_FIRST (1 << 30)
#define SHOWN_REPLAY (1 << 29)
#define SHOWN_OF(command) (1 << (command))

struct option {
	const char *name;
	char letter;     /* 0: none */
	const char *arg; /* name of the argument in help; NULL: no argument */
	enum option_type type;
	const char *initial; /* the default as text, or NULL */
	const char *text;
	size_t offset;
	/* For OPTION_CALL. arg NULL: restores the default. */
	bool (*set)(struct options *o, const char *arg, struct err *e);
	enum command_id command;
	const char *const *word;
	unsigned nwords;
	int shown; /* SHOWN_ bits */
	bool maybe;
	bool output, piped; /* piped: an error message proposes a pipe */
	/* The command of `letter`; COMMAND_MEASURE: those without such a
	 * letter. */
	enum command_id letter_of;
};
extern const struct option option_table[];
extern const unsigned option_count;

const struct option *option_find(const char *name, size_t len);

enum { OPTION_SORTS = METRIC_MAX + PROCESS_METRICS + 6 };
unsigned option_sort_names(const char *names[OPTION_SORTS]);

bool option_is_setting(const struct option *opt);

/* settings: only those of the config file. Returns their number. */
unsigned option_names(const char *names[OPTIONS_MAX], bool settings);

bool option_known(const char *name);

/* Returns what replaces a word of an earlier version or of another tool; NULL:
 * nothing known. kind: "--", "-", "ktop ", "section " or "preset ". */
const char *option_withdrawn(const char *kind, const char *name, size_t len);

/* Sets an option; borrows arg (NULL: none). False and *e: arg is invalid. */
bool option_apply(struct options *o, const struct option *opt, const char *arg,
		  struct err *e);

/* Resets an option to the built-in default. */
bool option_negate(struct options *o, const struct option *opt, struct err *e);

bool option_assign(struct options *o, const char *name, const char *value,
		   struct err *e);

/* The last value as text, which may be the default; NULL: none, "": negated. */
const char *option_given(const struct options *o, const char *name);

/* The line of the config file that set the value; 0: no line. */
unsigned option_line(const struct options *o, const char *name);

enum { COMMAND_REST = 0x7fffffff };

struct command {
	const char *name, *args, *text;
	unsigned nargs_max;
	enum command_id id;
};
extern const struct command command_table[];
extern const unsigned command_count;

/* Parses defaults, config file, argv and environment. *o borrows strings of
 * argv and of the environment. False and *e: an option is invalid. */
bool options_parse(struct options *o, int argc, char **argv, struct err *e);

/* For root: clears library paths of a config file that others can write. */
void options_clear_libraries(struct options *o);

/* Returns the candidate nearest by prefix or edit distance; NULL: none. */
const char *options_nearest(const char *word, const char *const *candidate,
			    unsigned n);

/* Returns false. *e names the nearest candidate; else all, if they are few or
 * `list` is NULL; else `list`. */
bool options_unknown(struct err *e, const char *what, const char *word,
		     const char *const *candidate, unsigned n,
		     const char *list);

/* Parses n bytes such as "1" or "1%". False: no number, or negative. */
bool option_parse_percent(const char *s, size_t n, double *out);

const char *options_article(const char *arg);

bool options_replay(struct options *o, const char *path, struct err *e);

#endif

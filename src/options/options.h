/* What the command line asks for; one table says every option there is. */
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

/* What ktop is asked to do; src/commands/command.c has the function of each. */
#define COMMAND_CONSTANT(constant, ...) constant,
enum command_id {
	COMMAND_MEASURE, /* no command */
	COMMAND_TABLE(COMMAND_CONSTANT) RUN_TABLE(COMMAND_CONSTANT)
};
#undef COMMAND_CONSTANT

/* Where frames go besides the screen. */
struct output_options {
	const char *file[OUTPUTS]; /* NULL: none; "-": standard output */
	bool batch, append, force;
	uint64_t rotate_bytes; /* size of a segment; 0: no limit */
	int64_t rotate_ns;
	uint32_t rows;      /* 1 << enum scope_level */
	unsigned processes; /* rows of them; 0: none */
	const char *labels; /* "host=a,build=b"; NULL: none */
};

struct command_line {
	enum command_id id;
	const struct command *named; /* whose word was given; NULL: none */
	char **exec;      /* the words behind --, ended by NULL; NULL: none */
	const char *help; /* word behind --help or --completion; NULL: none */
	bool repair;      /* of doctor */
	unsigned nargs;   /* what stood after the command's name */
	const char *arg[OPTIONS_ARGS_MAX];
	unsigned split; /* of nargs those before a --; 0: there was none */
};

struct replay_options {
	unsigned n; /* segments of --replay; source.replay is this */
	const char *file[OPTIONS_ARGS_MAX];
	double speed; /* 1 is as it was */
};

enum { OPTIONS_PARAMETERS = 4 };

struct stat_options {
	uint64_t runs, warmups; /* each command; runs 0: as many as it takes */
	unsigned nparameters;
	const char *parameter[OPTIONS_PARAMETERS]; /* "NAME=V1,V2" */
	int64_t interval_ns;                       /* of its looks; 0: none */
	uint64_t seed;                             /* of the order; 0: drawn */
	const char *report;   /* file of its report; NULL: standard error */
	const char *markdown; /* file of a table besides; NULL: none */
	const char *process;  /* pid instead of a command; NULL: none */
	const char *prepare;  /* for the shell, before each run; NULL */
	const char *setup, *cleanup; /* before and after all; NULL */
	const char *input;      /* file that each run reads; NULL: as ktop */
	const char *fail_above; /* "1%:instructions"; NULL: never */
	bool blocks, quiet, null, ignore_failure;
};

struct compare_options {
	double at_least_pct; /* smaller differences are small */
	const char *vs;      /* the part that is B, of one recording; NULL */
	bool all;            /* every line, not the largest changes alone */
	unsigned rows;       /* enum compare_rows */
};

enum compare_rows {
	COMPARE_ROWS_ALL,
	COMPARE_ROWS_MACHINE,
	COMPARE_ROWS_KIND,
	COMPARE_ROWS_CLUSTER,
	COMPARE_ROWS_CPU,
	COMPARE_ROWS_PROCESS
};

/* What said the options, and what of the file cannot be used. */
struct config_options {
	const char *path; /* of --config; NULL: the usual one */
	const char *name; /* of the file that was read */
	bool roots;       /* nobody else may write it */
	unsigned line;    /* the one that is read; 0: none is */
	/* In the table's order: option_given, option_line. */
	const char *given[OPTIONS_MAX];
	unsigned given_line[OPTIONS_MAX];
	char odd[600]; /* what it says and cannot be used; "": nothing */
};

struct options {
	struct source_options source; /* its `ipc` is the field below instead */
	struct ui_options ui;
	struct output_options out;
	struct command_line cmd;
	struct replay_options replay;
	struct stat_options stat;
	struct config_options config;
	const char *source_name; /* NULL: the first that works */
	const char *chip;        /* of --list-events; NULL: this machine's */
	int64_t period_ns;
	uint64_t frames; /* 0: until told to stop */
	bool hold, ipc, require_pmu;
	int preset; /* as user_preset counts */
	unsigned nrotate;
	int rotate[OPTIONS_ROTATE_MAX]; /* the same */
	struct compare_options compare;
	struct user user;      /* own presets, rates of events */
	const char *no_locale; /* why signs are ASCII; NULL: they need not be */
};

enum option_type {
	OPTION_FLAG,     /* bool */
	OPTION_TEXT,     /* const char * */
	OPTION_DURATION, /* int64_t, ns, more than 0 */
	OPTION_COUNT,    /* uint64_t, at least 1 */
	OPTION_WORD,     /* one of `word`; unsigned, or an enum: its index */
	OPTION_CALL,     /* parsed by `set` */
	OPTION_RUN       /* asks for `command`; its argument is const char * */
};

/*
 * Where help shows an option: --help, and that of commands it is for. A command
 * takes no other on its command line. COMMAND_MEASURE: the live program.
 */
#define SHOWN_FIRST (1 << 30)
#define SHOWN_REPLAY (1 << 29)
#define SHOWN_OF(command) (1 << (command))

struct option {
	const char *name; /* long, without -- */
	char letter;      /* 0: none */
	const char *arg;  /* the argument's name in help; NULL: takes none */
	enum option_type type;
	const char *initial; /* default, as text; NULL: none */
	const char *text;    /* help, one sentence without a full stop */
	size_t offset;       /* in struct options, for the typed ones */
	/* Where there is no default, NULL takes back what was set. */
	bool (*set)(struct options *o, const char *arg, struct err *e);
	enum command_id command;
	const char *const *word;
	unsigned nwords;
	int shown;  /* SHOWN_...; --help all and ktop(1) have every one */
	bool maybe; /* the argument may be left out */
	bool output, piped; /* a file that is written; - is standard output */
	/* The letter is its own behind this command's word only. */
	enum command_id letter_of;
};
extern const struct option option_table[];
extern const unsigned option_count;

/* By its long name, of which `len` bytes count; NULL. */
const struct option *option_find(const char *name, size_t len);

/* What --sort takes; ends with NULL. */
enum { OPTION_SORTS = METRIC_MAX + PROCESS_METRICS + 6 };
unsigned option_sort_names(const char *names[OPTION_SORTS]);

/* Can it stand in the config file? Not what only prints something. */
bool option_is_setting(const struct option *opt);

/* The names of all options, or of those that can; how many. */
unsigned option_names(const char *names[OPTIONS_MAX], bool settings);

/* Is it the name of one that can? */
bool option_known(const char *name);

/*
 * What to use instead of what was removed, or NULL. kind is "--" for an option,
 * "-" a letter, "ktop " a command, "section " one of the config file.
 */
const char *option_withdrawn(const char *kind, const char *name, size_t len);

/* As on the command line; arg is NULL where it takes none. */
bool option_apply(struct options *o, const struct option *opt, const char *arg,
		  struct err *e);

/* As if nothing had said it: neither the file nor the environment. */
bool option_negate(struct options *o, const struct option *opt, struct err *e);

/* A line of the config file. */
bool option_assign(struct options *o, const char *name, const char *value,
		   struct err *e);

/* Its last value as text; NULL: none, "": it was negated. */
const char *option_given(const struct options *o, const char *name);

/* The line of the config file that has its value; 0: it has not. */
unsigned option_line(const struct options *o, const char *name);

enum { COMMAND_REST = 0x7fffffff };

/* The first word that is no option; takes the rest as arguments. */
struct command {
	const char *name, *args, *text;
	unsigned nargs_max; /* COMMAND_REST: the words are another program's */
	enum command_id id;
};
extern const struct command command_table[];
extern const unsigned command_count;

/*
 * Defaults, then the config file, then argv; strings are borrowed from argv,
 * the environment and o->user. False and *e on the first mistake.
 */
bool options_parse(struct options *o, int argc, char **argv, struct err *e);

/* With root's rights no file that the caller may write says what to load. */
void options_clear_libraries(struct options *o);

/* The candidate nearest to word by edit distance, or NULL if none is near. */
const char *options_nearest(const char *word, const char *const *candidate,
			    unsigned n);

/* Not in the list: *e with the nearest, all of a short one, or where it is. */
bool options_unknown(struct err *e, const char *what, const char *word,
		     const char *const *candidate, unsigned n,
		     const char *list);

/* Before the name of an argument in "needs a FILE": "a ", "an " or "". */
const char *options_article(const char *arg);

/* One more segment of --replay. */
bool options_replay(struct options *o, const char *path, struct err *e);

#endif

/* What the command line asks for; one table says every option there is. */
#ifndef APP_OPTIONS_H
#define APP_OPTIONS_H

#include "base/err.h"
#include "model/metric.h"
#include "source/source.h"
#include "ui/ui.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { OPTIONS_ROTATE_MAX = 16, OPTIONS_ARGS_MAX = 8 };

struct options;

/* What to do instead of measuring; returns the exit code. */
typedef int options_run(const struct options *o);

struct options {
	struct source_options source; /* its `ipc` is the field below instead */
	struct ui_options ui;
	const char *source_name; /* NULL: the first that works */
	int64_t period_ns;
	uint64_t frames; /* 0: until told to stop */
	bool hold, batch, force, ipc, require_pmu;
	const char *csv;   /* NULL: no recording; "-": standard output */
	uint32_t csv_rows; /* 1 << enum scope_level */
	int preset;        /* index in preset_table */
	unsigned nrotate;
	int rotate[OPTIONS_ROTATE_MAX]; /* indices in preset_table */
	const char *chip; /* of --list-events; NULL: this machine's */
	const char *tape; /* of doctor; NULL: none */
	options_run *run; /* NULL: measure */
	unsigned nargs;   /* what stood after the command's name */
	const char *arg[OPTIONS_ARGS_MAX];
};

enum option_type {
	OPTION_FLAG,     /* bool */
	OPTION_TEXT,     /* const char * */
	OPTION_DURATION, /* int64_t, ns, more than 0 */
	OPTION_COUNT,    /* uint64_t, at least 1 */
	OPTION_CALL,     /* parsed by `set` */
	OPTION_RUN       /* sets options.run to `run` */
};

struct option {
	const char *name; /* long, without -- */
	char letter;      /* 0: none */
	const char *arg;  /* the argument's name in help; NULL: takes none */
	enum option_type type;
	const char *initial; /* default, as text; NULL: none */
	const char *text;    /* help, one sentence without a full stop */
	size_t offset;       /* in struct options, for the typed ones */
	bool (*set)(struct options *o, const char *arg, struct err *e);
	options_run *run;
};
extern const struct option option_table[];
extern const unsigned option_count;

/* The first word that is no option; takes the rest as arguments. */
struct command {
	const char *name, *args, *text;
	unsigned nargs_max;
	options_run *run;
};
extern const struct command command_table[];
extern const unsigned command_count;

/*
 * Fills *o with the defaults, then what argv says; strings are borrowed from
 * argv and the environment. False and *e (ERR_USAGE) on the first mistake.
 */
bool options_parse(struct options *o, int argc, char **argv, struct err *e);

/* The candidate nearest to word by edit distance, or NULL if none is near. */
const char *options_nearest(const char *word, const char *const *candidate,
			    unsigned n);

/* An error about a word that is not in a list, with the nearest that is. */
bool options_unknown(struct err *e, const char *what, const char *word,
		     const char *const *candidate, unsigned n,
		     const char *list);

/* Index of a preset by name or key; -1 and *e with the nearest name. */
int options_preset(const char *name, struct err *e);

#endif

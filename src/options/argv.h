/* Scans argv, for options and for the decision which process keeps root. */
#ifndef OPTIONS_ARGV_H
#define OPTIONS_ARGV_H

#include "options/options.h"

enum argv_kind {
	ARGV_OPTION, /* see `option`; word: its argument, or NULL */
	ARGV_NEGATED,
	ARGV_COMMAND,
	ARGV_ARGUMENT,  /* word: argument of the command */
	ARGV_RECORDING, /* word: another segment of --replay */
	ARGV_DASHES,
	ARGV_REST, /* rest: words of another program */
	ARGV_END,
	ARGV_WRONG /* an error; scanning can continue */
};

struct argv_scan {
	char **argv;
	int argc, at;
	const char *letter; /* next letter of -bn5, or NULL */
	bool plain;
	bool replays; /* words without a command are recordings */
	unsigned nargs;
	const struct command *named; /* NULL: none yet */
	enum command_id command; /* the command of the words scanned so far */
	const struct option *option;
	const char *word;
	char **rest; /* ends with NULL */
};

/* Starts a scan. replays: words without a command are recordings. */
struct argv_scan argv_scan(int argc, char **argv, bool replays);

/* Scans one item. *e (may be NULL): the error of ARGV_WRONG. */
enum argv_kind argv_next(struct argv_scan *s, struct err *e);

/* The command in argv. COMMAND_MEASURE: none, or argv has an error. */
enum command_id argv_command(int argc, char **argv);

#endif

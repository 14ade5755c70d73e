/* Scans argv: options_parse takes the options; src/server takes only the
 * command, to choose the process that keeps root privileges. */
#ifndef OPTIONS_ARGV_H
#define OPTIONS_ARGV_H

#include "options/options.h"

enum argv_kind {
	ARGV_OPTION, /* sets `option`; `word`: its argument, or NULL */
	ARGV_NEGATED,
	ARGV_COMMAND,
	ARGV_ARGUMENT,
	ARGV_RECORDING,
	ARGV_DASHES,
	ARGV_REST, /* `rest`: the words of the command to run */
	ARGV_END,
	ARGV_WRONG /* an error; scanning can continue */
};

struct argv_scan {
	char **argv;
	int argc, at;
	const char *letter; /* next letter of a word such as -bn5, or NULL */
	bool plain;
	bool replays; /* words that are no options are recordings */
	unsigned nargs;
	const struct command *named; /* NULL: no command so far */
	enum command_id command;     /* of the words so far */
	const struct option *option;
	const char *word;
	char **rest;
};

struct argv_scan argv_scan(int argc, char **argv, bool replays);

/* Scans the next item. *e, which may be NULL, gets the error of ARGV_WRONG. */
enum argv_kind argv_next(struct argv_scan *s, struct err *e);

/* Returns argv's command; COMMAND_MEASURE: none, or argv has an error. */
enum command_id argv_command(int argc, char **argv);

#endif

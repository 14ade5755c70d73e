/* The only reader of argv, also used to decide which process keeps root. */
#ifndef OPTIONS_ARGV_H
#define OPTIONS_ARGV_H

#include "options/options.h"

enum argv_kind {
	ARGV_OPTION, /* `option`; word: its argument, or NULL */
	ARGV_NEGATED,
	ARGV_COMMAND,
	ARGV_ARGUMENT,  /* word: the command's */
	ARGV_RECORDING, /* word: a further segment of --replay */
	ARGV_DASHES,
	ARGV_REST, /* rest: the other program's words */
	ARGV_END,
	ARGV_WRONG /* an error; scanning may continue */
};

struct argv_scan {
	char **argv;
	int argc, at;
	const char *letter; /* the next letter of -bn5, or NULL */
	bool plain;
	bool replays; /* words are recordings */
	unsigned nargs;
	const struct command *named; /* NULL: none yet */
	enum command_id command;     /* the command so far */
	const struct option *option;
	const char *word;
	char **rest; /* NULL ends */
};

/* replays: words are recordings. Reads no file. */
struct argv_scan argv_scan(int argc, char **argv, bool replays);

/* *e (may be NULL): for ARGV_WRONG. */
enum argv_kind argv_next(struct argv_scan *s, struct err *e);

/* The command in argv; COMMAND_MEASURE if argv has an error. */
enum command_id argv_command(int argc, char **argv);

#endif

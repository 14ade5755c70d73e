/* The only reader of argv: for options_parse, and to decide who keeps root
 * before. */
#ifndef OPTIONS_ARGV_H
#define OPTIONS_ARGV_H

#include "options/options.h"

enum argv_kind {
	ARGV_OPTION, /* `option`; word: its argument, or NULL */
	ARGV_NEGATED,
	ARGV_COMMAND,
	ARGV_ARGUMENT,  /* word: the command's */
	ARGV_RECORDING, /* word: another --replay segment */
	ARGV_DASHES,
	ARGV_REST, /* rest: another program's words */
	ARGV_END,
	ARGV_WRONG /* a mistake; scanning may continue */
};

struct argv_scan {
	char **argv;
	int argc, at;
	const char *letter; /* the next of -bn5, or NULL */
	bool plain;
	bool replays; /* words are recordings */
	unsigned nargs;
	const struct command *named; /* NULL: none yet */
	enum command_id command;     /* so far */
	const struct option *option;
	const char *word;
	char **rest; /* NULL ends */
};

/* replays: as after --replay. Changes nothing, reads no file. */
struct argv_scan argv_scan(int argc, char **argv, bool replays);

/* *e (may be NULL): for ARGV_WRONG. */
enum argv_kind argv_next(struct argv_scan *s, struct err *e);

/* The command that argv asks for; COMMAND_MEASURE if argv has a mistake. */
enum command_id argv_command(int argc, char **argv);

#endif

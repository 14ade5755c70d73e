/*
 * What the words of a command line are. options_parse obeys what this finds;
 * who keeps root's rights is decided by it before. No other code reads argv.
 */
#ifndef OPTIONS_ARGV_H
#define OPTIONS_ARGV_H

#include "options/options.h"

enum argv_kind {
	ARGV_OPTION,    /* `option`; word: its argument, NULL: takes none */
	ARGV_NEGATED,   /* --no-NAME of `option` */
	ARGV_COMMAND,   /* word: the command's name */
	ARGV_ARGUMENT,  /* word: one of the command's own */
	ARGV_RECORDING, /* word: one more segment of --replay */
	ARGV_DASHES,    /* --: what follows are no options */
	ARGV_REST,      /* rest: the command line of another program */
	ARGV_END,
	ARGV_WRONG /* a mistake; what stands behind it can be read on */
};

struct argv_scan {
	char **argv;
	int argc, at;       /* the next word */
	const char *letter; /* the next of -bn5; NULL: not within one */
	bool plain;         /* behind a -- */
	bool replays;       /* words are recordings, no commands */
	unsigned nargs;
	const struct command *named; /* NULL: no command's name as yet */
	enum command_id command;     /* what is asked for, as far as read */
	const struct option *option; /* these say what was found */
	const char *word;
	char **rest; /* ended by NULL */
};

/* replays: as if --replay stood before them. Obeys nothing, reads no file. */
struct argv_scan argv_scan(int argc, char **argv, bool replays);

/* What comes next; *e (or NULL) of ARGV_WRONG. */
enum argv_kind argv_next(struct argv_scan *s, struct err *e);

/*
 * The command that all of argv asks for. COMMAND_MEASURE where a mistake is
 * among them; a config file that replays something may make less of it.
 */
enum command_id argv_command(int argc, char **argv);

#endif

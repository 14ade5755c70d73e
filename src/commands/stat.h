/* ktop stat: what the files of the command share. */
#ifndef COMMANDS_STAT_H
#define COMMANDS_STAT_H

#include "app/meanwhile.h"
#include "commands/report.h"
#include "options/options.h"
#include "stat/stat.h"

#include <sys/types.h>

/*
 * With --runs auto a whole round is made again until each time and each ratio
 * is known to 1 %: of 10 rounds at least, since the interval of few is narrow
 * by chance at times. Simulated, claims are as seldom wrong as of a fixed
 * number.
 */
enum { STAT_NAME_SIZE = 240, STAT_AUTO_LEAST = 10, STAT_AUTO_MOST = 1000 };
#define STAT_AUTO_S 30.0
#define STAT_AUTO_HALF 0.01

struct stat_command {
	char **argv;   /* NULL: a process that runs */
	unsigned base; /* the command that it is compared with; its own: none */
	char letter[2];
	char name[STAT_NAME_SIZE]; /* its words, as a terminal may see them */
	unsigned with[OPTIONS_PARAMETERS]; /* which of the values it has */
	/* For the shell, with its values; NULL: none. */
	const char *setup, *prepare, *cleanup;
	bool is_set_up;
	struct value_set values;
	unsigned failed; /* runs that did not end with 0 */
	int code;        /* of the last of those */
	bool scaled;
	unsigned others; /* processes it started that were counted, at most */
	/* Of all runs that the machine was counted in; NAN: unknown. */
	double beside_cycles, beside_cpu_s;
};

struct stat_job {
	const struct options *o;
	struct counter *counter;
	unsigned n;     /* commands */
	unsigned group; /* of them belong together, and so do the next ones */
	struct stat_command command[STAT_COMMANDS];
	char **words; /* of all commands, parted by NULL */
	void **kept;  /* [nkept]: what -L has made of them */
	unsigned nkept;
	off_t input_at; /* of a plain standard input, before each run; or -1 */
	const struct stat_command *now; /* that runs */
	unsigned runs;                  /* of each, at most where `automatic` */
	bool automatic;
	double ran_s; /* those that are done, together */
	uint64_t seed;
	bool by_turns;
	int code;     /* of the last run that did not end with 0 */
	int stopped;  /* the signal that ended it before its time; 0: none */
	bool partial; /* so that the one run there is was not whole */
	double gate;  /* of --fail-above: more than so many times A's */
	unsigned gate_value;
	const char *gate_name;
	/* Of the lines of this report; what stat_claims leaves of each. */
	unsigned nlines;
	uint8_t outcome[2][STAT_COMMANDS][VALUES_AND_RATIOS];
	struct report text, markdown;
	struct report rows[2]; /* as CSV, as JSON */
	unsigned nrows;
	struct meanwhile *machine;    /* NULL: not counted, and why: */
	struct meanwhile_power power; /* of its last run */
	struct err no_machine;        /* "" is known from elsewhere */
};

/* The command that it is compared with; NULL: it is one of those. */
static inline const struct stat_command *
stat_base(const struct stat_job *j, const struct stat_command *c)
{
	return c == &j->command[c->base] ? NULL : &j->command[c->base];
}

/* stat_words.c: the commands behind --, parted at each --vs and --and, each
 * with all values of --parameter. */
bool stat_find_commands(struct stat_job *j, struct err *e);
void stat_forget_commands(struct stat_job *j);

/* stat_machine.c: what the machine counts meanwhile. Both may be in vain. */
void stat_machine_open(struct stat_job *j);
/* False: the counters are not back, which has been said. */
bool stat_machine_close(struct stat_job *j);
/*
 * With the command's counter there: is what was asked for to be had? pid: of a
 * process that runs; else 0.
 */
bool stat_machine_check(struct stat_job *j, int32_t pid, struct err *e);
/* For stat_watch; ns until it is to be told of STAT_LOOK. */
int64_t stat_machine_tell(struct stat_job *j, enum stat_moment moment);
/* A run it was counted in. */
void stat_machine_note(struct stat_job *j, struct stat_command *c,
		       struct stat_run *run);
void stat_machine_text(struct stat_job *j);

/* stat_text.c: the report, to j->text. */
void stat_text(struct stat_job *j);

/* What was counted since the look before, in a line. */
void stat_text_look(struct stat_job *j, double at_s, double interval_s,
		    const struct counter_reading *d);

/* "3.718 G"; in the scale of `like`, where a digit of it is left then. */
void stat_put_like(struct buf *b, const char *unit, double v, double like);

/* stat_markdown.c: a row of a table for each command. */
void stat_markdown(struct stat_job *j);

/* stat_rows.c: the same as rows, to one file; see ktop(1). */
void stat_rows(struct stat_job *j, struct report *out);
void stat_rows_look(struct stat_job *j, struct report *out, double at_s,
		    double interval_s, const struct counter_reading *d);

/*
 * stat_claims.c: what may be claimed, of all lines of the report together. A
 * value of command c with the same of what it is compared with; mean: the
 * geometric mean of its like in all groups.
 */
void stat_claims(struct stat_job *j);
void stat_job_compare(const struct stat_job *j, unsigned c, unsigned value,
		      bool mean, struct stat_change *out);

/* The i-th value of which the report has a line; false past the end. */
bool stat_compared(const struct stat_job *j, unsigned i, unsigned *value);

/* Would it be claimed if it were the only line? */
bool stat_change_alone(const struct stat_change *d);

#endif

/* ktop stat */
#ifndef COMMANDS_STAT_H
#define COMMANDS_STAT_H

#include "app/machine_counter.h"
#include "commands/report.h"
#include "options/options.h"
#include "stat/stat.h"

#include <sys/types.h>

/* --runs auto repeats rounds until each time and ratio is known to 1 %, 10 at
 * least: intervals of few are narrow by chance. Simulated, as few claims are
 * false as with a fixed number. */
enum { STAT_NAME_SIZE = 240, STAT_AUTO_LEAST = 10, STAT_AUTO_MOST = 1000 };
#define STAT_AUTO_S 30.0
#define STAT_AUTO_HALF 0.01

struct stat_command {
	char **argv;   /* NULL: a running process */
	unsigned base; /* the command to compare with; itself: none */
	char letter[2];
	char name[STAT_NAME_SIZE];         /* its words, printable */
	unsigned with[OPTIONS_PARAMETERS]; /* indices of its parameters' values
					    */
	/* Lines for the shell; may be NULL. */
	const char *setup, *prepare, *cleanup;
	bool is_set_up;
	struct value_set values;
	unsigned failed; /* runs that did not end with 0 */
	int code;        /* exit code of the last of these */
	bool scaled;
	unsigned others; /* most children counted in a run */
	/* Sums over runs with the machine's counts; NAN: unknown. */
	double beside_cycles, beside_cpu_s;
};

struct stat_job {
	const struct options *o;
	struct counter *counter;
	unsigned n;     /* commands */
	unsigned group; /* commands of a group */
	struct stat_command command[STAT_COMMANDS];
	char **words; /* words of all commands, separated by NULL */
	void **kept;  /* [nkept], allocated for -L */
	unsigned nkept;
	off_t input_at; /* offset of standard input before each run; -1 */
	const struct stat_command *now; /* that runs */
	unsigned runs; /* runs of each command; automatic: the maximum */
	bool automatic;
	double ran_s;
	uint64_t seed;
	bool by_turns;
	int code;     /* exit code of the last run that did not end with 0 */
	int stopped;  /* signal that ended it; 0: none */
	bool partial; /* the only run was interrupted */
	double gate;  /* --fail-above: limit, as a multiple of A */
	unsigned gate_value;
	const char *gate_name;
	unsigned nlines;
	uint8_t outcome[2][STAT_COMMANDS][VALUES_AND_RATIOS];
	struct report text, markdown;
	struct report rows[2]; /* as CSV, as JSON */
	unsigned nrows;
	struct machine_counter *machine;    /* NULL: not counted; the reason: */
	struct machine_counter_power power; /* power in its last run */
	struct err no_machine;              /* "": printed before */
};

/* The command to compare with; NULL: it is the base itself. */
static inline const struct stat_command *
stat_base(const struct stat_job *j, const struct stat_command *c)
{
	return c == &j->command[c->base] ? NULL : &j->command[c->base];
}

/* stat_words.c: the commands after --, with all values of --parameter. */
bool stat_find_commands(struct stat_job *j, struct err *e);
void stat_forget_commands(struct stat_job *j);

/* stat_machine.c. On failure sets j->no_machine. */
void stat_machine_open(struct stat_job *j);
/* False: the counters were not released; the error was printed. */
bool stat_machine_close(struct stat_job *j);
/* Can the events be counted? pid: a running process, else 0. */
bool stat_machine_check(struct stat_job *j, int32_t pid, struct err *e);
/* Waits for stat_watch; ns until STAT_LOOK. */
int64_t stat_machine_tell(struct stat_job *j, enum stat_moment moment);
/* Call after each run. */
void stat_machine_note(struct stat_job *j, struct stat_command *c,
		       struct stat_run *run);
void stat_machine_text(struct stat_job *j);

/* stat_text.c: the report, to j->text. */
void stat_text(struct stat_job *j);

/* Prints a line with the interval's counts. */
void stat_text_look(struct stat_job *j, double at_s, double interval_s,
		    const struct counter_reading *d);

/* "3.718 G", in the scale of `like` if a digit remains. */
void stat_put_like(struct buf *b, const char *unit, double v, double like);

/* stat_markdown.c */
void stat_markdown(struct stat_job *j);

/* stat_rows.c */
void stat_rows(struct stat_job *j, struct report *out);
void stat_rows_look(struct stat_job *j, struct report *out, double at_s,
		    double interval_s, const struct counter_reading *d);

/* stat_claims.c. A value of command c against its base; mean: the geometric
 * mean over all groups. */
void stat_claims(struct stat_job *j);
void stat_job_compare(const struct stat_job *j, unsigned c, unsigned value,
		      bool mean, struct stat_change *out);

/* The i-th value that the report compares; false: no more. */
bool stat_compared(const struct stat_job *j, unsigned i, unsigned *value);

/* Would the difference be reported if it were the only line? */
bool stat_change_alone(const struct stat_change *d);

#endif

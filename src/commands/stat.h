/* ktop stat: types and functions of its files. */
#ifndef COMMANDS_STAT_H
#define COMMANDS_STAT_H

#include "app/machine_counter.h"
#include "commands/report.h"
#include "options/options.h"
#include "stat/stat.h"

#include <sys/types.h>

/* --runs auto makes rounds until the runs have taken STAT_AUTO_S seconds, or
 * each time and ratio is known to STAT_AUTO_HALF. The latter needs
 * STAT_AUTO_LEAST rounds, because few runs can agree by chance. */
enum { STAT_NAME_SIZE = 240, STAT_AUTO_LEAST = 10, STAT_AUTO_MOST = 1000 };
#define STAT_AUTO_S 30.0
#define STAT_AUTO_HALF 0.01

struct stat_command {
	char **argv;   /* NULL: a running process is counted */
	unsigned base; /* index of the base; own index: no base */
	char letter[2];
	char name[STAT_NAME_SIZE]; /* words of the command, printable */
	unsigned with[OPTIONS_PARAMETERS];
	/* Commands for the shell; NULL: none. */
	const char *setup, *prepare, *cleanup;
	bool is_set_up;
	struct value_set values;
	unsigned failed; /* number of runs with an exit code other than 0 */
	int code;        /* exit code of the last failed run */
	bool scaled;
	unsigned others; /* largest number of children counted in a run */
	/* Cycles and CPU seconds of runs during which the machine was counted;
	 * NAN: unknown. */
	double beside_cycles, beside_cpu_s;
};

struct stat_job {
	const struct options *o;
	struct counter *counter;
	unsigned n;
	unsigned group; /* number of commands in a group */
	struct stat_command command[STAT_COMMANDS];
	char **words; /* words of all commands, separated by NULL */
	void **kept;  /* [nkept], freed by stat_forget_commands */
	unsigned nkept;
	off_t input_at; /* initial offset of standard input; -1: no file */
	const struct stat_command *now;
	unsigned runs; /* runs of each command; if automatic, the maximum */
	bool automatic;
	double ran_s;
	uint64_t seed;
	bool by_turns;
	int code;     /* last exit code other than 0 of a run */
	int stopped;  /* signal that ended ktop stat; 0: none */
	bool partial; /* the values are not of a complete run */
	double gate;  /* limit of --fail-above as a multiple of A's value */
	unsigned gate_value;
	const char *gate_name;
	unsigned nlines;
	uint8_t outcome[2][STAT_COMMANDS][VALUES_AND_RATIOS];
	struct report text, markdown;
	struct report rows[2]; /* CSV, then JSON, if requested */
	unsigned nrows;
	struct machine_counter *machine; /* NULL: not counted, see no_machine */
	struct machine_counter_power power;
	struct err no_machine; /* why machine is NULL; "": printed elsewhere */
};

/* Returns the command that c is compared with; NULL: none. */
static inline const struct stat_command *
stat_base(const struct stat_job *j, const struct stat_command *c)
{
	return c == &j->command[c->base] ? NULL : &j->command[c->base];
}

/* stat_words.c. False and *e: an error; call stat_forget_commands then, too. */
bool stat_find_commands(struct stat_job *j, struct err *e);
void stat_forget_commands(struct stat_job *j);

/* stat_machine.c: opens j->machine; on failure sets j->no_machine. */
void stat_machine_open(struct stat_job *j);
/* False: the counters were not released, and the error was printed. */
bool stat_machine_close(struct stat_job *j);
/* pid: the process of --pid, or 0. False and *e: events cannot be counted. */
bool stat_machine_check(struct stat_job *j, int32_t pid, struct err *e);
/* For stat_watch.machine: returns the ns until STAT_LOOK is due. */
int64_t stat_machine_tell(struct stat_job *j, enum stat_moment moment);
/* Call after each run; sets the machine's energy and traffic in *run. */
void stat_machine_note(struct stat_job *j, struct stat_command *c,
		       struct stat_run *run);
void stat_machine_text(struct stat_job *j);

/* stat_text.c: prints the report to j->text. */
void stat_text(struct stat_job *j);

void stat_text_look(struct stat_job *j, double at_s, double interval_s,
		    const struct counter_reading *d);

/* Appends v, such as "3.718 G", in the scale that fits `like`, or that fits v
 * if v is below 0.001 in the scale of `like`. */
void stat_put_like(struct buf *b, const char *unit, double v, double like);

void stat_markdown(struct stat_job *j);

void stat_rows(struct stat_job *j, struct report *out);
void stat_rows_look(struct stat_job *j, struct report *out, double at_s,
		    double interval_s, const struct counter_reading *d);

/* stat_claims.c: stat_job_compare compares a value of command c with its base;
 * the outcome needs stat_claims. mean: the geometric mean over all groups. */
void stat_claims(struct stat_job *j);
void stat_job_compare(const struct stat_job *j, unsigned c, unsigned value,
		      bool mean, struct stat_change *out);

/* Gives value i of those that the report compares. False: no more values. */
bool stat_compared(const struct stat_job *j, unsigned i, unsigned *value);

/* Would the difference be reported if the report had no other line? */
bool stat_change_alone(const struct stat_change *d);

#endif

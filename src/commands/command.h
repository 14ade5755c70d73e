/* What ktop does besides measuring: lists, help, subcommands. */
#ifndef COMMANDS_COMMAND_H
#define COMMANDS_COMMAND_H

#include "options/options.h"

/* Each prints to standard output and returns the exit code. */
options_run command_help, command_version;
options_run command_list_presets, command_list_metrics, command_list_columns,
	command_list_events, command_list_sources, command_list_machines;
options_run command_topology, command_sim_state;
options_run command_mark, command_run, command_export;
options_run command_write_config;             /* options/config_print.c */
options_run command_doctor;                   /* doctor/doctor.c */
options_run command_summary, command_compare; /* of recordings */
/* repair.c: the command repair, and doctor with --repair or without. */
options_run command_repair, command_examine;

/* --docs WHAT: chooses the table that options.run then prints. */
bool command_set_docs(struct options *o, const char *what, struct err *e);

/*
 * Opens what the options name: --source, --sim, paths, or the first source
 * that works. NULL and *e on failure; closed by source->ops->close.
 */
struct source *command_open_source(const struct options *o, struct err *e);

/*
 * Closes it; NULL is fine. False and *e: a counter server does not answer, and
 * puts the counters back later.
 */
bool command_close_source(const struct options *o, struct source *s,
			  struct err *e);

/*
 * After whatever ran and ended with `code`: what it printed has to be written.
 * Returns the exit code, after a sentence if something was lost.
 */
int command_end(int code);

/* "ktop: sentence" to standard error; returns the error's exit code. */
int command_fail(const struct err *e);

#endif

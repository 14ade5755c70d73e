/* Tables of commands, and of options that print and exit. */
#ifndef OPTIONS_COMMANDS_H
#define OPTIONS_COMMANDS_H

/* ROW(constant, function, name, arguments, their maximum number, help).
 * COMMAND_REST: the arguments are another program's words. A macro, because
 * this module may not include src/commands, which has the functions. */
/* clang-format off */
#define COMMAND_TABLE(ROW) \
	ROW(COMMAND_TOPOLOGY, command_topology, "topology", "", 0, \
	    "Print the clusters, one per row, separated by tabs") \
	ROW(COMMAND_DOCTOR, command_doctor, "doctor", "", 0, \
	    "Print a diagnostic report to paste into a bug report") \
	ROW(COMMAND_SUMMARY, command_summary, "summary", "FILE...", OPTIONS_ARGS_MAX, \
	    "Summarize a recording: metrics and bottlenecks of each cluster and core") \
	ROW(COMMAND_COMPARE, command_compare, "compare", "A B", OPTIONS_ARGS_MAX, \
	    "Compare two recordings, or several recordings of each side: A1 A2 -- B1 B2") \
	ROW(COMMAND_STAT, command_stat, "stat", "[--] CMD ARGS... [--vs CMD ARGS...]... [--and ...]", COMMAND_REST, \
	    "Count the events of a command, and compare commands") \
	ROW(COMMAND_MARK, command_mark, "mark", "TEXT", OPTIONS_ARGS_MAX, \
	    "Put a marker into the recordings of every running ktop of this user")

/* ROW(constant, function, name, letter, argument, help, ...): ktop calls the
 * function and exits. The other arguments set further fields of the row. */
#define RUN_TABLE(ROW) \
	ROW(COMMAND_WRITE_CONFIG, config_print, "write-config", 0, NULL, \
	    "Print a configuration file with the current options", .shown = 0) \
	ROW(COMMAND_LIST_PRESETS, command_list_presets, "list-presets", 0, NULL, \
	    "List the presets and the questions they answer", .shown = SHOWN_FIRST) \
	ROW(COMMAND_LIST_METRICS, command_list_metrics, "list-metrics", 0, NULL, \
	    "List the metrics with their formulas and meanings", .shown = 0) \
	ROW(COMMAND_LIST_COLUMNS, command_list_columns, "list-columns", 0, NULL, \
	    "List the columns of a recording", .shown = 0) \
	ROW(COMMAND_LIST_EVENTS, command_list_events, "list-events", 0, NULL, \
	    "List the events of this machine, of --sim or of --chip", .shown = 0) \
	ROW(COMMAND_LIST_SOURCES, command_list_sources, "list-sources", 0, NULL, \
	    "List the sources of counters and why a source does not work", .shown = 0) \
	ROW(COMMAND_LIST_MACHINES, command_list_machines, "list-machines", 0, NULL, \
	    "List the simulated machines", .shown = 0) \
	ROW(COMMAND_COMPLETION, command_completion, "completion", 0, "SHELL", \
	    "Print the completion for a shell: bash, zsh or fish", \
	    .shown = 0, .offset = offsetof(struct options, cmd.help)) \
	ROW(COMMAND_HELP, command_help, "help", 'h', "[WHAT]", \
	    "Print the common options; with all every option; with a command its options", \
	    .shown = SHOWN_FIRST, .offset = offsetof(struct options, cmd.help), .maybe = true) \
	ROW(COMMAND_VERSION, command_version, "version", 'V', NULL, \
	    "Print the version", .shown = SHOWN_FIRST)
/* clang-format on */

#endif

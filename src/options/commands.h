/* The table of commands: a row here and a file make one. */
#ifndef OPTIONS_COMMANDS_H
#define OPTIONS_COMMANDS_H

/*
 * ROW(CONSTANT, function, name, arguments, most of them, help): the first word
 * that is no option; what stands behind it are its arguments. COMMAND_REST: the
 * words are another program's. A macro, since options know no function of
 * src/commands, and src/commands knows no list of its own.
 */
/* clang-format off */
#define COMMAND_TABLE(ROW) \
	ROW(COMMAND_TOPOLOGY, command_topology, "topology", "", 0, \
	    "Print the clusters, tab-separated, a row each") \
	ROW(COMMAND_DOCTOR, command_examine, "doctor", "", 0, \
	    "Print a report that helps to support this machine") \
	ROW(COMMAND_REPAIR, command_repair, "repair", "", 0, \
	    "Short for doctor --repair: show what a killed ktop left, put it right") \
	ROW(COMMAND_SUMMARY, command_summary, "summary", "FILE...", OPTIONS_ARGS_MAX, \
	    "Print what a recording comes to, per cluster and core") \
	ROW(COMMAND_COMPARE, command_compare, "compare", "A B", OPTIONS_ARGS_MAX, \
	    "Print what stands out between two recordings, or runs: A1 A2 -- B1 B2") \
	ROW(COMMAND_RUN, app_run_command, "run", "[--] CMD ARGS...", COMMAND_REST, \
	    "Measure while CMD runs, as the user who called sudo; also: ktop -- CMD") \
	ROW(COMMAND_MARK, command_mark, "mark", "TEXT", OPTIONS_ARGS_MAX, \
	    "Put a mark into the recording of a ktop that runs") \
	ROW(COMMAND_EXPORT, command_export, "export", "[FILE...]", OPTIONS_ARGS_MAX, \
	    "Write what other programs need to read recordings, see --sql") \
	ROW(COMMAND_SIM_STATE, command_sim_state, "sim-state", "FILE", 1, \
	    "Print the simulated kernel kept in FILE")
/* clang-format on */

#endif

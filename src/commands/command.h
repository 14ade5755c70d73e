/* Commands of ktop besides measuring: lists, help, subcommands. */
#ifndef COMMANDS_COMMAND_H
#define COMMANDS_COMMAND_H

#include "options/options.h"

/* Returns the exit code, after a message on an error. */
int command_perform(const struct options *o);

/* Each prints to standard output and returns the exit code. */
typedef int command_function(const struct options *o);
#define COMMAND_FUNCTION(constant, function, ...) command_function function;
COMMAND_TABLE(COMMAND_FUNCTION)
RUN_TABLE(COMMAND_FUNCTION)
#undef COMMAND_FUNCTION

#endif

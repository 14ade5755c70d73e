/* Functions of commands, and of options that print and exit. */
#ifndef COMMANDS_COMMAND_H
#define COMMANDS_COMMAND_H

#include "options/options.h"

/* Runs the command of the options. Returns the exit code; prints errors. */
int command_perform(const struct options *o);

/* A function prints its result and errors, and returns the exit code. */
typedef int command_function(const struct options *o);
#define COMMAND_FUNCTION(constant, function, ...) command_function function;
COMMAND_TABLE(COMMAND_FUNCTION)
RUN_TABLE(COMMAND_FUNCTION)
#undef COMMAND_FUNCTION

#endif

/* What a command line asks to run, before anything of it is obeyed. */
#ifndef COMMANDS_COMMAND_WORD_H
#define COMMANDS_COMMAND_WORD_H

#include "options/options.h"

/*
 * What options_parse would set options.run to, from the words alone: no file,
 * no environment, no option's own parser. NULL: nothing, or a mistake among
 * them. A config file that replays something may make less of it.
 */
options_run *command_word(int argc, char **argv);

#endif

/* The commands doctor and repair. */
#ifndef COMMANDS_DOCTOR_COMMANDS_H
#define COMMANDS_DOCTOR_COMMANDS_H

#include "options/options.h"

/* The report of doctor.c; each prints and returns the exit code. */
int command_doctor(const struct options *o);

/* repair.c: the command repair, and doctor with --repair or without. */
int command_repair(const struct options *o);
int command_examine(const struct options *o);

#endif

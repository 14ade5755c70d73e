/* A loop whose instructions, branches and loads are known. */
#ifndef COMMANDS_DOCTOR_LOOP_H
#define COMMANDS_DOCTOR_LOOP_H

#include <stdbool.h>
#include <stdint.h>

enum { /* an iteration */
       DOCTOR_LOOP_INSTRUCTIONS = 8,
       DOCTOR_LOOP_BRANCHES = 1,
       DOCTOR_LOOP_LOADS = 2
};

/* Runs n iterations, at least 1; false: not known for this processor. */
bool doctor_loop(uint64_t n);

#endif

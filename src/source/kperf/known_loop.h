/* A loop whose instructions, branches and loads are known. */
#ifndef SOURCE_KPERF_KNOWN_LOOP_H
#define SOURCE_KPERF_KNOWN_LOOP_H

#include <stdbool.h>
#include <stdint.h>

enum { /* an iteration */
       KNOWN_LOOP_INSTRUCTIONS = 8,
       KNOWN_LOOP_BRANCHES = 1,
       KNOWN_LOOP_LOADS = 2
};

/* Runs n iterations, at least 1; false: not known for this processor. */
bool known_loop(uint64_t n);

#endif

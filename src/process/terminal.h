/* Writes to a terminal even if its output is stopped. */
#ifndef PROCESS_TERMINAL_H
#define PROCESS_TERMINAL_H

#include <stddef.h>

/* Async-signal-safe. If the terminal's output is stopped, discards the pending
 * output and restarts it. Use it only for sequences that restore the
 * terminal. */
void terminal_force(int out, const char *text, size_t n);

#endif

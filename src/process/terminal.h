/* The last words to a terminal, whatever state it is in. */
#ifndef PROCESS_TERMINAL_H
#define PROCESS_TERMINAL_H

#include <stddef.h>

/*
 * Async-signal-safe: text to a terminal that may take nothing (stopped by ^S,
 * or nobody reads it). Where it does not fit, what waits there is thrown away
 * and output goes on; so it is for what puts a terminal in order, alone.
 */
void terminal_force(int out, const char *text, size_t n);

#endif

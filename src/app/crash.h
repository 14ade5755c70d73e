/* A fault of our own must not leave the terminal or the counters behind. */
#ifndef APP_CRASH_H
#define APP_CRASH_H

/*
 * On SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGABRT: puts the terminal and the
 * counters back, prints `line` (borrowed until crash_close) and lets the
 * signal end the process. Returns the handler's own stack, for crash_close;
 * NULL when memory is short (it then runs on the stack it finds).
 */
void *crash_open(const char *line);
void crash_close(void *stack);

#endif

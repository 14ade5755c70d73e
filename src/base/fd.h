/* File descriptors: kind, standard ones, waits that signals end. */
#ifndef BASE_FD_H
#define BASE_FD_H

#include <stdbool.h>

/* Is fd a pty master without a slave (/dev/ptmx)? It never gives or takes a
 * byte. */
bool fd_is_endless(int fd);

/* Replaces closed standard descriptors, so that no later file gets 0, 1 or 2.
 */
void fd_keep_standard(void);

/* Waits for input or end of file. False: SIGINT, SIGTERM, SIGHUP or SIGQUIT
 * came first, even if the caller blocks them. */
bool fd_await_input(int fd);

/* open(2) for reading; these signals end the wait for a FIFO's writer (EINTR).
 */
int fd_open_input(const char *path);

/* Is the name a socket, which open(2) cannot open? Keeps errno. */
bool fd_names_socket(const char *path);

#endif

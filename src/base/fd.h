/* Checks of file descriptors, and waits that signals interrupt */
#ifndef BASE_FD_H
#define BASE_FD_H

#include <stdbool.h>

/* Is fd a pty master, such as an opened /dev/ptmx? With no slave open, a read
 * of fd would block forever. */
bool fd_is_endless(int fd);

/* Opens /dev/null for closed standard descriptors, so that no later file gets
 * number 0, 1 or 2. */
void fd_keep_standard(void);

/* False: a signal ended the wait. SIGINT, SIGTERM, SIGHUP and SIGQUIT end the
 * wait even if the caller blocks them. */
bool fd_await_input(int fd);

/* Opens path for reading; -1 and errno on failure. SIGINT, SIGTERM, SIGHUP and
 * SIGQUIT end the wait for a FIFO's writer with EINTR, even if the caller
 * blocks them. */
int fd_open_input(const char *path);

/* Is path a socket, which open(2) cannot open? Keeps errno. */
bool fd_names_socket(const char *path);

#endif

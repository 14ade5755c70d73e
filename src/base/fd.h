/* What a descriptor is, where opening a name does not tell. */
#ifndef BASE_FD_H
#define BASE_FD_H

#include <stdbool.h>

/*
 * The far end of a terminal that nobody has made, as /dev/ptmx gives one to
 * each who opens it: no byte ever comes out, and none that goes in is taken.
 */
bool fd_is_endless(int fd);

/*
 * Standard descriptors that the caller closed are opened to what fails each
 * use, so that no file opened later takes their numbers and what is printed.
 */
void fd_keep_standard(void);

/*
 * Waits until `fd` has something to read or is at its end. false: what asks
 * ktop to end (SIGINT, SIGTERM, SIGHUP, SIGQUIT) came first, also while the
 * caller has these signals blocked.
 */
bool fd_await_input(int fd);

/*
 * open(2) to read, which may wait for a FIFO's writer: those signals end the
 * wait with EINTR.
 */
int fd_open_input(const char *path);

/*
 * Is a name that could not be opened a socket, as nobody can open one?
 * errno stays.
 */
bool fd_names_socket(const char *path);

#endif

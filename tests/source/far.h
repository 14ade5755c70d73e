/* A counter server in another process, for tests of the screen side's end. */
#ifndef TESTS_SOURCE_FAR_H
#define TESTS_SOURCE_FAR_H

#include "source/server.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

struct far { /* the other process */
	int fd;
	pid_t pid;
};

static inline void
serve(int fd)
{
	struct server *s = server_new(fd, NULL);
	struct pollfd p = { .fd = fd, .events = POLLIN };

	while (s != NULL && poll(&p, 1, -1) >= 0 && server_turn(s) == SERVER_ON)
		p.events = server_is_sending(s) ? POLLOUT : POLLIN;
	server_free(s);
	_exit(0);
}

static inline struct far
start_server(void)
{
	struct far f;
	int pair[2];

	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
	f.pid = fork();
	assert_true(f.pid >= 0);
	if (f.pid == 0) {
		(void)close(pair[0]);
		serve(pair[1]);
	}
	(void)close(pair[1]);
	f.fd = pair[0];
	return f;
}

static inline void
stop_server(struct far *f)
{
	int status;

	(void)close(f->fd);
	assert_int_equal(waitpid(f->pid, &status, 0), f->pid);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

#endif

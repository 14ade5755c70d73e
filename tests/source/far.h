/* A counter server in another process, for tests of the screen side's end. */
#ifndef TESTS_SOURCE_FAR_H
#define TESTS_SOURCE_FAR_H

#include "server/remote.h"
#include "server/server.h"

#include <cmocka.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

struct far { /* the other process, and what is open there */
	int fd;
	pid_t pid;
	struct source *source;
	struct sample *sample;
};

/* All that a test can try was asked for. */
static inline bool
far_long(void)
{
	return getenv("KTOP_LONG") != NULL;
}

/* As fork(), with an end of a socket to the other process in *fd. */
static inline pid_t
far_fork(int *fd)
{
	int pair[2];

	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
	pid_t pid = fork();

	assert_true(pid >= 0);
	(void)close(pair[pid == 0 ? 0 : 1]);
	*fd = pair[pid == 0 ? 1 : 0];
	return pid;
}

static inline void
far_serve(int fd)
{
	struct server *s = server_new(fd, NULL);
	struct pollfd p = { .fd = fd, .events = POLLIN };

	while (s != NULL && poll(&p, 1, -1) >= 0 && server_turn(s) == SERVER_ON)
		p.events = server_is_sending(s) ? POLLOUT : POLLIN;
	(void)server_free(s, NULL);
	_exit(0);
}

static inline struct far
far_start(void)
{
	struct far f = { .source = NULL };

	f.pid = far_fork(&f.fd);
	if (f.pid == 0)
		far_serve(f.fd);
	return f;
}

static inline void
far_stop(struct far *f)
{
	int status;

	(void)close(f->fd);
	assert_int_equal(waitpid(f->pid, &status, 0), f->pid);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

/* A server, a source there, and room for its readings. */
static inline struct far
far_open(const char *spec)
{
	struct far f = far_start();
	struct source_options o = { .sim = spec, .server = f.fd };
	struct err e = { ERR_NONE, "" };

	f.source = remote_open(&o, NULL, &e);
	if (f.source == NULL)
		fail_msg("%s: %s", spec, e.text);
	f.sample = sample_new(f.source->info.topology->ncpus, &e);
	assert_non_null(f.sample);
	return f;
}

/* The source alone; the server is far_stop's. */
static inline void
far_close(struct far *f)
{
	sample_free(f->sample);
	f->source->ops->close(f->source);
}

static inline enum source_status
far_read(struct far *f, struct err *e)
{
	return f->source->ops->read(f->source, f->sample, e);
}

/* The process is told, not the source. */
/* SIGSTOP: it has stopped when this is back. */
static inline void
far_signal(const struct far *f, int number)
{
	int status;

	assert_int_equal(kill(f->pid, number), 0);
	if (number != SIGSTOP)
		return;
	assert_int_equal(waitpid(f->pid, &status, WUNTRACED), f->pid);
	assert_true(WIFSTOPPED(status));
}

/* Of a group of tests: a server that is gone must not end them. */
static inline int
far_ignore_pipes(void **state)
{
	(void)state;
	(void)signal(SIGPIPE, SIG_IGN);
	return 0;
}

#endif

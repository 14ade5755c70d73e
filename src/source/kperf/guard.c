#include "source/kperf/guard.h"

#include "process/descriptors.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
	FIRST_FREE = 3,
	LOOKED_AT = 256, /* descriptors that may be files */
	TURNS = 1000,    /* until whoever has ended is gone from the kernel */
	TURN_NS = 10 * 1000 * 1000
};

struct watched {
	const struct kperf_api *k;
	const struct kperf_system *system;
	int fd;
	pid_t pid;
	uint32_t threads; /* classes that they counted before */
};

/*
 * Nobody is to wait for the end of a pipe, socket or terminal that the guard
 * has too. Files stay: a simulated kernel may be in one.
 */
static void
close_others(int mine)
{
	int keep[LOOKED_AT];
	unsigned n = 0;
	struct stat st;

	for (int fd = 0; fd < LOOKED_AT; fd++)
		if (fd == mine || (fstat(fd, &st) == 0 && S_ISREG(st.st_mode)))
			keep[n++] = fd;
	descriptors_close(0, keep, n);
}

/* Has the other one let go by itself? It says so, and not by ending. */
static bool
was_told(int fd)
{
	char byte;
	ssize_t n;

	do
		n = read(fd, &byte, 1);
	while (n < 0 && errno == EINTR);
	return n != 0;
}

/* True: nothing is left to do, or it is somebody else's. */
static bool
cleared(const struct watched *w)
{
	struct kperf_owner owner;
	struct kperf_fault why;

	if (!kperf_trace_owner(w->system, &owner, &why))
		return true;
	if (owner.pid == w->pid)
		return false; /* it is on its way */
	if (owner.pid == 0 && (kperf_trace_left(w->system) ||
			       w->k->kpc_get_thread_counting() != w->threads))
		(void)kperf_trace_clear(w->k, w->system, w->threads, &why);
	return true;
}

_Noreturn static void
keep_watch(const struct watched *w)
{
	const struct timespec turn = { 0, TURN_NS };

	close_others(w->fd);
	if (!was_told(w->fd))
		for (unsigned i = 0; i < TURNS && !cleared(w); i++)
			(void)nanosleep(&turn, NULL);
	_exit(0);
}

/*
 * In a session of its own and nobody's child: what is sent to all of a
 * terminal's processes is not for it, and nobody finds it among those that have
 * ended. Its signals stay blocked.
 */
static bool
set_up(const struct watched *w)
{
	pid_t child = fork();
	int status = 0;

	if (child == 0) {
		pid_t guard = setsid() < 0 ? -1 : fork();

		if (guard == 0)
			keep_watch(w);
		_exit(guard < 0);
	}
	if (child < 0)
		return false;
	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return false;
	return status == 0;
}

/* Both ends, out of the way of standard descriptors that may be closed. */
static bool
make_pipe(int end[2])
{
	int raw[2];

	if (pipe(raw) != 0)
		return false;
	for (int i = 0; i < 2; i++) {
		end[i] = fcntl(raw[i], F_DUPFD_CLOEXEC, FIRST_FREE);
		close(raw[i]);
	}
	if (end[0] >= 0 && end[1] >= 0)
		return true;
	for (int i = 0; i < 2; i++)
		if (end[i] >= 0)
			close(end[i]);
	return false;
}

void
kperf_guard_begin(struct kperf_guard *g, const struct kperf_api *k,
		  const struct kperf_system *s, bool left)
{
	struct watched w = { .k = k, .system = s, .pid = getpid() };
	sigset_t all, old;
	int end[2];

	if (g->fd != 0 || !make_pipe(end))
		return;
	w.fd = end[0];
	w.threads = left ? 0 : k->kpc_get_thread_counting();
	(void)sigfillset(&all);
	(void)sigprocmask(SIG_BLOCK, &all, &old);
	g->fd = set_up(&w) ? end[1] : 0;
	(void)sigprocmask(SIG_SETMASK, &old, NULL);
	close(end[0]);
	if (g->fd == 0)
		close(end[1]);
}

void
kperf_guard_end(struct kperf_guard *g)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN }, old;
	int fd = g->fd;

	g->fd = 0;
	if (fd == 0)
		return;
	/* Somebody may have killed the guard: that is no end of ours. */
	(void)sigemptyset(&ignore.sa_mask);
	(void)sigaction(SIGPIPE, &ignore, &old);
	(void)!write(fd, "", 1);
	(void)sigaction(SIGPIPE, &old, NULL);
	close(fd);
}

/* Reads energy once a second, in a thread if reading is slow. */
#include "app/state.h"
#include "base/buf.h"
#include "base/fd.h"
#include "monitor/power.h"

#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/select.h>
#include <unistd.h>

/* A reading takes 3 to 10 ms on a Mac, too long for the loop. The thread writes
 * each finished span to a pipe as one record. The loop itself reads fast
 * sources and those with a stepped clock. */
struct power_feed {
	struct power_source *source;
	const struct clock *clock;
	struct power_track track[POWER_RAILS];
	int64_t due_ns; /* used without a thread */
	bool threaded;
	pthread_t thread;
	int news[2],
		wake[2]; /* pipes; wake: a byte requests a reading, EOF stops */
};

enum { HURRY_US = 100000, NO_RAIL = UINT16_MAX };

static void *
power_read_each_second(void *self)
{
	struct power_feed *p = self;
	struct power_news news[POWER_RAILS];
	const struct power_news answer = { .rail = NO_RAIL };
	bool asked = false;
	char byte;

	for (;;) {
		unsigned n = power_poll(p->source, p->track,
					clock_awake_ns(p->clock), news);
		struct timeval t = { 1, 0 };
		fd_set in;

		for (unsigned i = 0; i < n; i++)
			if (write(p->news[1], &news[i], sizeof news[i]) < 0)
				break; /* the pipe is full */
		if (asked && write(p->news[1], &answer, sizeof answer) < 0)
			asked = false;
		FD_ZERO(&in);
		FD_SET(p->wake[0], &in);
		asked = select(p->wake[0] + 1, &in, NULL, NULL, &t) > 0;
		if (asked && read(p->wake[0], &byte, 1) != 1)
			return NULL;
	}
}

static void
power_close_pipe(int fd[2])
{
	for (unsigned i = 0; i < 2; i++)
		if (fd[i] >= 0)
			close(fd[i]);
}

static bool
power_open_pipe(int fd[2])
{
	if (pipe(fd) != 0) {
		fd[0] = fd[1] = -1;
		return false;
	}
	for (unsigned i = 0; i < 2; i++) {
		(void)fcntl(fd[i], F_SETFD, FD_CLOEXEC);
		(void)fcntl(fd[i], F_SETFL, O_NONBLOCK);
	}
	return fd[0] < FD_SETSIZE;
}

/* Signals are handled by the loop's thread. */
static bool
power_start_thread(struct power_feed *p)
{
	sigset_t all, before;

	if (!power_open_pipe(p->news) || !power_open_pipe(p->wake))
		return false;
	sigfillset(&all);
	(void)pthread_sigmask(SIG_SETMASK, &all, &before);
	p->threaded = pthread_create(&p->thread, NULL, power_read_each_second,
				     p) == 0;
	(void)pthread_sigmask(SIG_SETMASK, &before, NULL);
	return p->threaded;
}

void
power_feed_open(struct app *a)
{
	struct power_feed *p;
	struct err e;

	power_feed_close(a);
	power_join_ceiling(monitor_power(a->monitor),
			   power_ceiling(a->source->info.model));
	if (a->source->ops->power == NULL)
		return;
	struct power_source *s = a->source->ops->power(a->source, &e);

	if (s == NULL) {
		struct power_source none = { .nrails = 0 };

		struct buf b = buf_over(none.no_energy, sizeof none.no_energy);

		buf_str(&b, e.text);
		buf_cstr(&b);
		power_join_source(monitor_power(a->monitor), &none);
		return;
	}
	p = calloc(1, sizeof *p);
	if (p == NULL) {
		s->ops->close(s);
		return;
	}
	*p = (struct power_feed){ .source = s,
				  .clock = a->clock,
				  .news = { -1, -1 },
				  .wake = { -1, -1 } };
	a->power = p;
	if (s->slow && !a->clock->stepped && !power_start_thread(p))
		power_feed_close(a);
	else
		power_join_source(monitor_power(a->monitor), s);
}

void
power_use_monitor(struct app *a)
{
	if (a->power != NULL)
		power_join_source(monitor_power(a->monitor), a->power->source);
}

/* Reads without a thread; returns the number of finished spans. */
static unsigned
power_read_now(struct power_feed *p, int64_t now_ns,
	       struct power_news news[POWER_RAILS])
{
	p->due_ns = now_ns + SECOND_NS;
	return power_poll(p->source, p->track, now_ns, news);
}

void
power_read_early(struct app *a)
{
	struct power_feed *p = a->power;
	struct timeval t = { 0, HURRY_US };
	struct power_news news[POWER_RAILS];
	fd_set in;

	if (p == NULL)
		return;
	if (!p->threaded) {
		unsigned n = power_read_now(p, clock_awake_ns(p->clock), news);

		power_join_tell(monitor_power(a->monitor), news, n);
		return;
	}
	if (write(p->wake[1], "", 1) != 1)
		return;
	do {
		FD_ZERO(&in);
		FD_SET(p->news[0], &in);
		if (select(p->news[0] + 1, &in, NULL, NULL, &t) <= 0 ||
		    read(p->news[0], &news[0], sizeof news[0]) !=
			    (ssize_t)sizeof news[0])
			return;
		power_join_tell(monitor_power(a->monitor), news, 1);
	} while (news[0].rail != NO_RAIL);
}

void
power_read_due(struct app *a, int64_t now_ns)
{
	struct power_feed *p = a->power;
	struct power_news news[POWER_RAILS];
	unsigned n = 0;

	if (p == NULL)
		return;
	if (!p->threaded) {
		if (now_ns >= p->due_ns)
			n = power_read_now(p, now_ns, news);
		power_join_tell(monitor_power(a->monitor), news, n);
		return;
	}
	while (read(p->news[0], &news[0], sizeof news[0]) ==
	       (ssize_t)sizeof news[0])
		power_join_tell(monitor_power(a->monitor), news, 1);
}

void
power_feed_close(struct app *a)
{
	struct power_feed *p = a->power;

	a->power = NULL;
	if (p == NULL)
		return;
	if (p->threaded) {
		close(p->wake[1]);
		p->wake[1] = -1;
		(void)pthread_join(p->thread, NULL);
	}
	power_close_pipe(p->news);
	power_close_pipe(p->wake);
	p->source->ops->close(p->source);
	free(p);
}

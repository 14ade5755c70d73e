/* Reads energy once a second, in a thread if reading is slow. */
#include "app/state.h"
#include "monitor/power.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/select.h>
#include <unistd.h>

/* A reading takes 3 to 10 ms on a Mac, too long for the loop: a thread writes
 * each finished span to a pipe as one record. The loop itself reads fast
 * sources and those with a stepped clock. */
struct power_feed {
	struct power_source *source;
	const struct clock *clock;
	pthread_mutex_t reading; /* protects the tracks and the source */
	struct power_track track[POWER_RAILS];
	int64_t due_ns;
	bool threaded;
	pthread_t thread;
	int span_pipe[2], stop[2];
};

static void
power_read_to_pipe(struct power_feed *p)
{
	struct power_update update[POWER_RAILS];

	pthread_mutex_lock(&p->reading);
	unsigned n = power_poll(p->source, p->track, clock_awake_ns(p->clock),
				update);

	for (unsigned i = 0; i < n; i++)
		if (write(p->span_pipe[1], &update[i], sizeof update[i]) < 0)
			break; /* the pipe is full: the span is lost */
	pthread_mutex_unlock(&p->reading);
}

static void *
power_read_each_second(void *self)
{
	struct power_feed *p = self;
	fd_set in;

	for (;;) {
		struct timeval t = { 1, 0 };

		power_read_to_pipe(p);
		FD_ZERO(&in);
		FD_SET(p->stop[0], &in);
		if (select(p->stop[0] + 1, &in, NULL, NULL, &t) > 0)
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

/* The thread blocks all signals: the loop's thread handles them. */
static bool
power_start_thread(struct power_feed *p)
{
	sigset_t all, before;

	if (!power_open_pipe(p->span_pipe) || !power_open_pipe(p->stop))
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

		snprintf(none.no_energy, sizeof none.no_energy, "%.*s",
			 (int)sizeof none.no_energy - 1, e.text);
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
				  .reading = PTHREAD_MUTEX_INITIALIZER,
				  .span_pipe = { -1, -1 },
				  .stop = { -1, -1 } };
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

void
power_read_due(struct app *a, int64_t now_ns)
{
	struct power_feed *p = a->power;
	struct power_update update[POWER_RAILS];
	unsigned n = 0;

	if (p == NULL)
		return;
	if (!p->threaded && now_ns >= p->due_ns) {
		p->due_ns = now_ns + SECOND_NS;
		n = power_poll(p->source, p->track, now_ns, update);
		power_join_add(monitor_power(a->monitor), update, n);
	}
	while (p->threaded &&
	       read(p->span_pipe[0], &update[0], sizeof update[0]) ==
		       (ssize_t)sizeof update[0])
		power_join_add(monitor_power(a->monitor), update, 1);
}

void
power_read_early(struct app *a)
{
	struct power_feed *p = a->power;

	if (p == NULL)
		return;
	p->due_ns = 0;
	if (p->threaded)
		power_read_to_pipe(p);
	power_read_due(a, clock_awake_ns(p->clock));
}

void
power_feed_close(struct app *a)
{
	struct power_feed *p = a->power;

	a->power = NULL;
	if (p == NULL)
		return;
	if (p->threaded) {
		close(p->stop[1]);
		p->stop[1] = -1;
		(void)pthread_join(p->thread, NULL);
	}
	power_close_pipe(p->span_pipe);
	power_close_pipe(p->stop);
	p->source->ops->close(p->source);
	free(p);
}

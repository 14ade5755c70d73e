#include "source/kperf/state.h"

#include "kperf/tally.h"
#include "process/descriptors.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct kperf_traced {
	struct kperf_trace trace;
	struct kperf_tally *tally;
	bool on, refused;
	uint64_t epoch;
	uint64_t gaps;
	struct trace_budget budget;
	uint64_t records;
	int64_t looked_ns;
	int64_t cost_ns;
	char why[PROCESS_TRACED_WHY];
	struct kperf_guard guard;
};

static void
set_refusal(struct kperf_traced *t, const char *text)
{
	t->refused = true;
	snprintf(t->why, sizeof t->why, "%s", text);
}

static void
set_refused_call(struct kperf_source *s, struct kperf_traced *t,
		 const struct kperf_fault *f)
{
	struct kperf_owner owner = { 0, false };
	struct kperf_fault other;

	t->refused = true;
	if (f->why == EBUSY)
		(void)kperf_trace_owner(s->host->system, &owner, &other);
	if (f->why == EPERM)
		set_refusal(
			t,
			"the kernel lets only root trace it; start ktop with sudo");
	else if (f->why == EBUSY)
		snprintf(
			t->why, sizeof t->why,
			"another tool traces the kernel (process %d: Instruments, fs_usage, ktrace?); quit it, then press v, then y",
			(int)owner.pid);
	else
		snprintf(t->why, sizeof t->why,
			 "the kernel cannot be traced: %s: %s", f->call,
			 strerror(f->why));
}

static struct kperf_traced *
traced_new(struct kperf_source *s)
{
	const struct kperf_tally_options o = {
		.counters = s->stride,
		.pid = -1,
		.cycles = (int)s->fixed[FIXED_CYCLES],
		.most_hz = 6e9,
		.tick_hz = (double)s->kpc->kperf_tick_frequency(),
		.period_ns = TRACE_PERIOD_NS,
	};
	struct kperf_traced *t = calloc(1, sizeof *t);

	if (t == NULL)
		return NULL;
	t->trace.kperf = s->kpc;
	t->trace.system = s->host->system;
	t->tally = kperf_tally_new(&o);
	if (t->tally != NULL)
		return t;
	free(t);
	return NULL;
}

static bool
traced_start(struct kperf_source *s, struct kperf_traced *t)
{
	bool left = kperf_trace_is_stale(s->host->system);
	struct kperf_fault f;

	kperf_guard_begin(&t->guard, s->kpc, s->host->system, left);
	if (!kperf_trace_prepare(&t->trace, -1, TRACE_PERIOD_NS, &f)) {
		kperf_guard_end(&t->guard);
		set_refused_call(s, t, &f);
		return false;
	}
	/* Thread counting left by a dead owner must not be restored later. */
	if (left)
		(void)s->kpc->kpc_set_thread_counting(0);
	if (!kperf_counters_set_threads(s->kpc, &s->found, &s->changes,
					KPERF_BOTH, &f) ||
	    !kperf_trace_start(&t->trace, &f)) {
		(void)kperf_trace_release(&t->trace);
		(void)kperf_counters_restore_threads(s->kpc, &s->found,
						     &s->changes);
		kperf_guard_end(&t->guard);
		set_refused_call(s, t, &f);
		return false;
	}
	t->on = true;
	t->gaps = 0;
	t->epoch = s->epoch;
	t->looked_ns = 0;
	kperf_tally_period(t->tally, t->trace.period_ns);
	kperf_tally_restart(t->tally);
	kperf_tally_learn(t->tally, &t->trace);
	return true;
}

bool
kperf_traced_stop(struct kperf_source *s)
{
	struct kperf_traced *t = s->traced;

	if (t == NULL || !t->on)
		return true;
	t->on = false;
	bool ok = kperf_trace_release(&t->trace);
	ok = kperf_counters_restore_threads(s->kpc, &s->found, &s->changes) &&
	     ok;
	/* After a failure the guard stays, to restore the rest when ktop has
	 * ended. */
	if (ok)
		kperf_guard_end(&t->guard);
	return ok;
}

void
kperf_traced_free(struct kperf_source *s)
{
	if (s->traced == NULL)
		return;
	kperf_tally_free(s->traced->tally);
	free(s->traced);
	s->traced = NULL;
}

static bool
read_records(struct kperf_traced *t, bool skip)
{
	struct kperf_fault f;

	switch (kperf_tally_read(t->tally, &t->trace, skip, &t->gaps, &f)) {
	case KPERF_TRACE_EVICTED:
		set_refusal(
			t,
			"another tool has taken over kernel tracing; when it has ended, press v, then y");
		return false;
	case KPERF_TRACE_FAILED:
		set_refusal(
			t,
			"kernel tracing has failed: the trace buffer is gone; press v, then y");
		return false;
	case KPERF_TRACE_OK:
	case KPERF_TRACE_MORE:
		break;
	}
	return true;
}

static void
fill_counts(const struct kperf_source *s, const struct kperf_tallied *row,
	    struct process_counts *out)
{
	*out = (struct process_counts){
		.pid = row->pid,
		.thread = row->thread,
		.cycles = row->delta[s->fixed[FIXED_CYCLES]],
		.instructions = row->delta[s->fixed[FIXED_INSTRUCTIONS]],
	};
	for (unsigned i = 0; i < s->set.len; i++)
		out->slot[i] = row->delta[s->column[i]];
}

/* Returns NULL if there is no row. If a pid was reused, the newer process gets
 * the row. */
static struct process_counts *
counts_row(struct process_traced *out, const uint64_t *unique,
	   const struct kperf_tallied *row)
{
	for (unsigned i = 0; i < out->n; i++)
		if (out->row[i].pid == row->pid)
			return unique[i] < row->unique ? &out->row[i] : NULL;
	if (out->n < PROCESS_TRACED_MAX)
		return &out->row[out->n++];
	out->left_out++;
	return NULL;
}

static void
copy_traced_rows(const struct kperf_source *s, int32_t opened,
		 struct process_traced *out)
{
	uint64_t unique[PROCESS_TRACED_MAX];
	const struct kperf_tally *tally = s->traced->tally;
	struct kperf_tallied row;

	for (unsigned i = 0; kperf_tally_process(tally, i, &row); i++) {
		struct process_counts *at = counts_row(out, unique, &row);

		out->cycles += row.delta[s->fixed[FIXED_CYCLES]];
		if (at == NULL)
			continue;
		unique[at - out->row] = row.unique;
		fill_counts(s, &row, at);
	}
	for (unsigned i = 0; kperf_tally_thread(tally, i, &row); i++)
		if (row.pid == opened && out->nthreads < PROCESS_TRACED_THREADS)
			fill_counts(s, &row, &out->thread[out->nthreads++]);
	process_traced_sort(out);
}

static void
adjust_period(const struct kperf_source *s, struct kperf_traced *t)
{
	uint64_t records = kperf_tally_quality(t->tally)->records, period;
	struct kperf_fault f;
	struct stamp now;

	clock_now(&s->clock, &now);
	double seconds = (double)(now.awake_ns - t->looked_ns) * 1e-9;

	if (t->looked_ns != 0 && seconds > 0) {
		period = trace_budget_period(
			&t->budget, t->trace.period_ns,
			(double)(records - t->records) / seconds,
			(double)t->cost_ns * 1e-9 / seconds);
		if (period != t->trace.period_ns &&
		    kperf_trace_period(&t->trace, period, &f))
			kperf_tally_period(t->tally, period);
	}
	t->looked_ns = now.awake_ns;
	t->records = records;
}

static uint32_t
counted_slots(const struct kperf_source *s)
{
	uint32_t slots = 0;

	for (unsigned i = 0; i < s->set.len; i++)
		if ((s->left_out >> i & 1) == 0)
			slots |= UINT32_C(1) << i;
	return slots;
}

static void
read_new_counts(struct kperf_source *s, int32_t opened,
		struct process_traced *out)
{
	struct kperf_traced *t = s->traced;
	bool other = t->epoch != s->epoch || s->taken_over;

	if (!read_records(t, other)) {
		(void)kperf_traced_stop(s);
		return;
	}
	if (other) { /* counts are of other events, or of another tool's */
		kperf_tally_restart(t->tally);
		t->epoch = s->epoch;
		return;
	}
	out->slots = counted_slots(s);
	copy_traced_rows(s, opened, out);
	adjust_period(s, t);
}

static void
describe_tracing(const struct kperf_source *s, bool requested,
		 struct process_traced *out)
{
	const struct kperf_traced *t = s->traced;
	const char *why = "";

	out->state = t != NULL && t->on ? PROCESS_TRACING_ON
		     : requested        ? PROCESS_TRACING_REFUSED
					: PROCESS_TRACING_OFF;
	if (out->state == PROCESS_TRACING_REFUSED)
		why = t != NULL && t->refused ? t->why
		      : s->mode != SOURCE_FULL
			      ? "kernel tracing needs the counters: press i to acquire them"
			      : "kernel tracing: out of memory";
	snprintf(out->why, sizeof out->why, "%s", why);
	if (t == NULL)
		return;
	out->gaps = t->gaps;
	out->dropped = kperf_tally_quality(t->tally)->rejected;
	out->period_ns = t->trace.period_ns;
}

void
kperf_traced_read(struct kperf_source *s, const struct process_request *w,
		  struct process_traced *out)
{
	struct stamp from, to;
	struct kperf_owner owner;
	struct kperf_fault f;
	bool requested = w != NULL && w->trace;

	process_traced_reset(out);
	if (s->host->system == NULL || s->no_pmu || s->intel)
		return;
	clock_now(&s->clock, &from);
	if (!requested) {
		(void)kperf_traced_stop(s);
		if (s->traced != NULL)
			s->traced->refused = false;
	} else if (s->traced != NULL && s->traced->on) {
		read_new_counts(s, w->opened, out);
	} else if (s->mode == SOURCE_FULL && !s->taken_over) {
		if (s->traced == NULL)
			s->traced = traced_new(s);
		if (s->traced != NULL && !s->traced->refused)
			(void)traced_start(s, s->traced);
	}
	if (!requested && kperf_trace_owner(s->host->system, &owner, &f))
		out->owner = owner.background ? 0 : owner.pid;
	describe_tracing(s, requested, out);
	clock_now(&s->clock, &to);
	out->cost_ns = to.awake_ns - from.awake_ns;
	if (s->traced != NULL)
		s->traced->cost_ns = out->cost_ns;
}

enum { OVER = 5, QUIET = 30, MOST_NS = 1000000000 };

static const double records_most = 50000, share_most = 0.02;

uint64_t
trace_budget_period(struct trace_budget *b, uint64_t period_ns,
		    double records_s, double core_share)
{
	bool over = records_s > records_most || core_share > share_most;
	/* Without a margin the period would oscillate. */
	bool quiet =
		2 * records_s < records_most && 2 * core_share < share_most;

	b->over = over ? b->over + 1 : 0;
	b->quiet = quiet ? b->quiet + 1 : 0;
	if (b->over >= OVER && period_ns < MOST_NS) {
		b->over = 0;
		return 2 * period_ns < MOST_NS ? 2 * period_ns : MOST_NS;
	}
	if (b->quiet >= QUIET && period_ns > TRACE_PERIOD_NS) {
		b->quiet = 0;
		return period_ns / 2 > TRACE_PERIOD_NS ? period_ns / 2
						       : TRACE_PERIOD_NS;
	}
	return period_ns;
}

enum {
	FIRST_FREE = 3,
	LOOKED_AT = 256,
	TURNS = 1000,
	TURN_NS = 10 * 1000 * 1000
};

struct watched {
	const struct kperf_api *k;
	const struct kperf_system *system;
	int fd;
	pid_t pid;
	uint32_t threads;
};

/* Closes pipes, sockets and terminals, so that their readers do not wait for
 * the guard. Files stay open: one may hold a simulated kernel's state. */
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

/* False: ktop ended without kperf_guard_end. */
static bool
is_dismissed(int fd)
{
	char byte;
	ssize_t n;

	do
		n = read(fd, &byte, 1);
	while (n < 0 && errno == EINTR);
	return n != 0;
}

/* False: the killed ktop still owns ktrace, so the guard must try again. */
static bool
is_released(const struct watched *w)
{
	struct kperf_owner owner;
	struct kperf_fault why;

	if (!kperf_trace_owner(w->system, &owner, &why))
		return true;
	if (owner.pid == w->pid)
		return false;
	if (owner.pid == 0 && (kperf_trace_is_stale(w->system) ||
			       w->k->kpc_get_thread_counting() != w->threads))
		(void)kperf_trace_clear(w->k, w->system, w->threads, &why);
	return true;
}

_Noreturn static void
run_guard(const struct watched *w)
{
	const struct timespec turn = { 0, TURN_NS };

	close_others(w->fd);
	if (!is_dismissed(w->fd))
		for (unsigned i = 0; i < TURNS && !is_released(w); i++)
			(void)nanosleep(&turn, NULL);
	_exit(0);
}

/* Starts the guard in a new session without a parent: job signals do not reach
 * it, and ktop need not wait for it. */
static bool
detach_guard(const struct watched *w)
{
	pid_t child = fork();
	int status = 0;

	if (child == 0) {
		pid_t guard = setsid() < 0 ? -1 : fork();

		if (guard == 0)
			run_guard(w);
		_exit(guard < 0);
	}
	if (child < 0)
		return false;
	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return false;
	return status == 0;
}

/* The standard descriptors may be closed in ktop; the pipe must not take their
 * numbers. */
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
	g->fd = detach_guard(&w) ? end[1] : 0;
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
	/* If the guard was killed, SIGPIPE must not kill ktop. */
	(void)sigemptyset(&ignore.sa_mask);
	(void)sigaction(SIGPIPE, &ignore, &old);
	(void)!write(fd, "", 1);
	(void)sigaction(SIGPIPE, &old, NULL);
	close(fd);
}

/* Chooses the processes to count: the busiest, pinned ones, and the opened one
 * with its threads. */
#include "source/perf/state.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum {
	ASK_AGAIN = 64,   /* looks to wait after a refusal */
	LEAVES_AFTER = 4, /* looks outside the 2 * top busiest */
	FAILURES_MAX = 3, /* failed readings before a reopen */
	THREADS_MAX = 2048,
	OPENED_AT_ONCE = 256,
	SPARE = 64,
	RECORDED_FILES = 256
};

static const int64_t second_ns = 1000000000, back_off_max_ns = 64000000000;

uint64_t
perf_tracks_file_budget(struct perf_source *s, uint64_t want)
{
	struct perf_processes *p = &s->processes;
	const struct perf_ops *ops = s->port.ops;
	uint64_t others, spare = SPARE;

	if (ops == NULL)
		return RECORDED_FILES;
	if (p->limit_before == 0)
		p->limit_before = ops->limit(ops->self, 0);
	others = s->used + perf_count_files(s);
	if (p->limit == 0 ||
	    (!p->at_most && p->limit < others + want + spare)) {
		p->limit = ops->limit(ops->self, others + want + spare);
		p->at_most = p->limit < others + want + spare;
	}
	if (spare > p->limit / 4)
		spare = p->limit / 4;
	return p->limit > others + spare ? p->limit - others - spare : 0;
}

static struct proc_entry *
track_find_entry(const struct perf_processes *p, unsigned i)
{
	const struct proc_list *l = &p->list;
	int32_t pid = p->track[i].pid;

	for (unsigned n = proc_list_place(l, pid);
	     p->track[i].used && n < l->n && l->entry[n].pid == pid; n++)
		if (l->entry[n].group == (int)i)
			return &l->entry[n];
	return NULL;
}

static void
track_close_set(struct perf_processes *p, struct track *k)
{
	p->files -= k->set.files;
	task_set_close(&k->set, &p->plan);
}

static void
untrack_entry(struct perf_processes *p, struct proc_entry *e,
	      enum process_access why)
{
	if (e->group < 0)
		return;
	track_close_set(p, &p->track[e->group]);
	p->track[e->group].used = false;
	e->group = -1;
	e->access = (uint8_t)why;
}

static void
untrack_all(struct perf_processes *p, struct proc_list *l)
{
	for (unsigned i = 0; i < l->n; i++)
		untrack_entry(p, &l->entry[i], PROCESS_NOT_TRACKED);
}

void
perf_tracks_drop_gone(struct perf_source *s)
{
	struct perf_processes *p = &s->processes;

	for (unsigned i = 0; i < p->list.n; i++)
		if (p->list.entry[i].gone)
			untrack_entry(p, &p->list.entry[i],
				      PROCESS_NOT_TRACKED);
}

static struct track *
find_free_track(struct perf_processes *p, unsigned from, unsigned to)
{
	for (unsigned i = from; i < to; i++)
		if (!p->track[i].used)
			return &p->track[i];
	return NULL;
}

/* Returns the number of threads (may exceed max), or -1 and errno. */
static int
entry_list_threads(const struct proc_list *l, const struct proc_entry *e,
		   int32_t *tid, unsigned max)
{
	char path[40];

	tid[0] = e->pid;
	if (e->line.threads == 1)
		return 1;
	snprintf(path, sizeof path, "%d/task", (int)e->pid);
	return proc_numbers(dirfd(l->dir), path, tid, max);
}

static enum process_access
access_from_errno(int code)
{
	switch (code) {
	case 0:
		return PROCESS_COUNTED;
	case EACCES:
	case EPERM:
		return PROCESS_DENIED;
	case EMFILE:
	case ENFILE:
	case ENOMEM:
		return PROCESS_NO_ROOM;
	case ESRCH: /* ended meanwhile: the next look shows it */
		return PROCESS_NOT_TRACKED;
	}
	return PROCESS_NO_COUNTERS;
}

static uint64_t
files_left_for(struct perf_source *s, uint64_t others, unsigned threads)
{
	uint64_t need = task_set_files(&s->processes.plan, threads);
	uint64_t room = perf_tracks_file_budget(s, others + need);

	return room > others ? room - others : 0;
}

/* awake_ns 0: the window starts at the next reading. */
static void
track_begin_window(struct track *k, const struct proc_list *l,
		   const struct proc_entry *e, int64_t awake_ns)
{
	k->window_ns = awake_ns;
	k->ran_ns = k->ticks_ns = 0;
	k->ticks_last_ns = (e->line.user + e->line.system) * l->tick_ns;
}

static int
track_open_tids(struct perf_source *s, struct track *k, struct proc_entry *e,
		const int32_t *tid, unsigned n, bool follow)
{
	struct perf_processes *p = &s->processes;
	uint64_t need = task_set_files(&p->plan, n);
	uint64_t room = files_left_for(s, p->files, n);
	int code;

	if (room < need)
		return EMFILE;
	/* Counters have precedence over files kept open for speed. */
	if (room < need + p->list.kept)
		proc_list_trim(&p->list, (unsigned)(room - need));
	code = task_set_open(&k->set, &p->plan, tid, n, follow, room);
	if (code != 0)
		return code;
	p->files += k->set.files;
	k->counting = ++p->counting;
	k->threads = e->line.threads;
	/* Run time during the open is not counted: the window starts later. */
	track_begin_window(k, &p->list, e, 0);
	return 0;
}

static int
track_open_process(struct perf_source *s, struct track *k, struct proc_entry *e)
{
	int32_t tid[THREADS_MAX];
	int n = entry_list_threads(&s->processes.list, e, tid, THREADS_MAX);

	if (n < 0)
		return errno == ENOENT ? ESRCH : errno;
	if (n > THREADS_MAX)
		return EMFILE;
	return track_open_tids(s, k, e, tid, (unsigned)n, true);
}

static void
track_begin(struct perf_processes *p, struct track *k, struct proc_entry *e)
{
	k->used = true;
	k->pid = e->pid;
	k->leaves_out = false;
	k->again_ns = 0;
	k->back_off_ns = second_ns;
	e->group = (int)(k - p->track);
	e->access = PROCESS_COUNTED;
	e->below = 0;
}

static void
track_process(struct perf_source *s, struct proc_entry *e)
{
	struct perf_processes *p = &s->processes;
	struct track *k = find_free_track(p, 0, TRACKS_PROCESSES);
	int code = k != NULL ? track_open_process(s, k, e) : EMFILE;

	if (code == 0) {
		track_begin(p, k, e);
		return;
	}
	e->access = (uint8_t)access_from_errno(code);
	e->retry_in =
		code == ESRCH || e->access == PROCESS_NO_ROOM ? 1 : ASK_AGAIN;
	p->no_files += e->access == PROCESS_NO_ROOM;
}

/* Threads that start during the open are not counted. Then counters show less
 * run time than ticks within a second. */
static void
track_watch_missed_time(struct track *k, const struct proc_list *l,
			const struct proc_entry *e, int64_t awake_ns)
{
	uint64_t ticks = (e->line.user + e->line.system) * l->tick_ns;

	if (k->window_ns == 0) {
		track_begin_window(k, l, e, awake_ns);
		return;
	}
	k->ran_ns += k->set.ran_ns;
	if (ticks > k->ticks_last_ns)
		k->ticks_ns += ticks - k->ticks_last_ns;
	k->ticks_last_ns = ticks;
	if (awake_ns - k->window_ns < second_ns)
		return;
	/* User and system ticks are both truncated. */
	k->leaves_out = k->ticks_ns > 2 * l->tick_ns &&
			k->ran_ns < (k->ticks_ns - 2 * l->tick_ns) / 10 * 9;
	track_begin_window(k, l, e, awake_ns);
}

void
perf_tracks_read(struct perf_source *s, int64_t awake_ns)
{
	struct perf_processes *p = &s->processes;

	for (unsigned i = 0; i < TRACKS_PROCESSES; i++) {
		struct track *k = &p->track[i];
		struct proc_entry *e = track_find_entry(p, i);

		if (e == NULL || k->set.n == 0)
			continue;
		if (!e->moved && !e->gone && !k->set.late)
			continue;
		if (!task_set_read(&k->set, &p->plan))
			continue;
		if (e->line.threads != 1 || !p->list.schedstat)
			proc_list_refine(&p->list, e, k->set.ran_ns);
		track_watch_missed_time(k, &p->list, e, awake_ns);
	}
}

struct ranking {
	unsigned n;
	struct proc_entry *entry[2 * TRACKS_TOP];
};

static bool
entry_may_count(const struct perf_processes *p, const struct proc_entry *e)
{
	return !e->gone && !e->unreadable && e->line.state != PROCESS_ENDED &&
	       !(p->plan.user_only && e->line.kernel);
}

static void
ranking_insert(struct ranking *r, struct proc_entry *e, unsigned max)
{
	unsigned at = r->n;

	if (max == 0)
		return;
	if (r->n == max && e->grew_ns <= r->entry[max - 1]->grew_ns)
		return;
	if (r->n < max)
		r->n++;
	else
		at--;
	for (; at > 0 && r->entry[at - 1]->grew_ns < e->grew_ns; at--)
		r->entry[at] = r->entry[at - 1];
	r->entry[at] = e;
}

static bool
user_chose_pid(const struct process_request *w, int32_t pid)
{
	for (unsigned i = 0; i < w->npins && i < TRACKS_PINS - 1; i++)
		if (w->pin[i] == pid)
			return true;
	return pid == w->opened;
}

static void
rank_and_untrack(struct perf_processes *p, const struct process_request *w,
		 unsigned top, struct ranking *r)
{
	struct proc_list *l = &p->list;
	unsigned busier = 0;

	r->n = 0;
	for (unsigned i = 0; i < l->n; i++) {
		struct proc_entry *e = &l->entry[i];

		e->below++;
		if (e->retry_in > 0)
			e->retry_in--;
		if (!entry_may_count(p, e))
			continue;
		busier += e->grew_ns > 0;
		if (e->grew_ns > 0 && (e->group >= 0 || e->retry_in == 0))
			ranking_insert(r, e, 2 * top);
	}
	for (unsigned i = 0; i < r->n; i++)
		r->entry[i]->below = 0;
	for (unsigned i = 0; i < l->n; i++) {
		struct proc_entry *e = &l->entry[i];

		/* If few processes are busy, none is outside the busiest. */
		if (user_chose_pid(w, e->pid) || busier < 2 * top)
			e->below = 0;
		if (e->below >= LEAVES_AFTER)
			untrack_entry(p, e, PROCESS_NOT_TRACKED);
	}
}

static void
free_idlest_track(struct perf_processes *p, const struct process_request *w)
{
	struct proc_entry *out = NULL;

	if (find_free_track(p, 0, TRACKS_PROCESSES) != NULL)
		return;
	for (unsigned i = 0; i < p->list.n; i++) {
		struct proc_entry *e = &p->list.entry[i];

		if (e->group >= 0 && !e->gone && !user_chose_pid(w, e->pid) &&
		    (out == NULL || e->grew_ns < out->grew_ns))
			out = e;
	}
	if (out != NULL)
		untrack_entry(p, out, PROCESS_NOT_TRACKED);
}

static void
track_renew_threads(struct perf_source *s, struct track *k,
		    const struct proc_entry *e)
{
	struct perf_processes *p = &s->processes;
	int32_t tid[THREADS_MAX];
	uint64_t others = p->files - k->set.files;
	int n;

	if (!s->port.no_threads || k->set.late || e->line.threads == k->threads)
		return;
	n = entry_list_threads(&p->list, e, tid, THREADS_MAX);
	if (n <= 0 || n > THREADS_MAX)
		return;
	/* Threads that cannot be opened show as missing time. */
	if (task_set_renew(&k->set, &p->plan, tid, (unsigned)n,
			   files_left_for(s, others, (unsigned)n)) == 0)
		k->threads = e->line.threads;
	p->files = others + k->set.files;
}

static void
tracks_reopen(struct perf_source *s, int64_t awake_ns)
{
	struct perf_processes *p = &s->processes;

	for (unsigned i = 0; i < TRACKS_PROCESSES; i++) {
		struct track *k = &p->track[i];
		struct proc_entry *e = track_find_entry(p, i);
		int code;

		if (e == NULL || !entry_may_count(p, e))
			continue;
		track_renew_threads(s, k, e);
		if (k->set.failed < FAILURES_MAX &&
		    (!k->leaves_out || awake_ns < k->again_ns))
			continue;
		track_close_set(p, k);
		code = track_open_process(s, k, e);
		if (code != 0) {
			untrack_entry(p, e, access_from_errno(code));
			continue;
		}
		k->leaves_out = false;
		k->back_off_ns *= 8;
		if (k->back_off_ns > back_off_max_ns)
			k->back_off_ns = back_off_max_ns;
		k->again_ns = awake_ns + k->back_off_ns;
	}
}

/* Tries to count ktop itself. Other processes may still be refused. */
static void
try_counting_processes(struct perf_source *s)
{
	struct perf_processes *p = &s->processes;

	if (s->port.ops == NULL || s->port.ops->open_task == NULL ||
	    p->plan.nparts == 0) {
		p->why = PROCESS_NO_COUNTERS;
		p->code = ENOENT;
		return;
	}
	p->code = task_plan_try(&p->plan, (int32_t)getpid());
	p->why = access_from_errno(p->code);
	p->try_in = ASK_AGAIN;
}

static void
entries_set_access(struct proc_list *l, enum process_access why)
{
	for (unsigned i = 0; i < l->n; i++)
		l->entry[i].access = (uint8_t)why;
}

/* A recent refusal is kept until the next try. */
static void
entries_reset_access(struct perf_processes *p)
{
	for (unsigned i = 0; i < p->list.n; i++) {
		struct proc_entry *e = &p->list.entry[i];

		if (e->group >= 0 ||
		    (e->retry_in > 0 && e->access != PROCESS_COUNTED))
			continue;
		e->access = p->plan.user_only && e->line.kernel
				    ? PROCESS_DENIED
				    : PROCESS_NOT_TRACKED;
	}
}

static bool
track_wanted_process(struct perf_source *s, const struct process_request *w,
		     struct proc_entry *e)
{
	s->processes.wanted++;
	if (e->group >= 0 || e->retry_in > 0)
		return false;
	free_idlest_track(&s->processes, w);
	track_process(s, e);
	return true;
}

void
perf_tracks_choose(struct perf_source *s, const struct process_request *w,
		   int64_t awake_ns)
{
	struct perf_processes *p = &s->processes;
	unsigned top = w->top < TRACKS_TOP ? w->top : TRACKS_TOP, threads = 0;
	struct ranking r;

	p->wanted = p->no_files = 0;
	if (top == 0 && w->npins == 0 && w->opened < 0) {
		untrack_all(p, &p->list);
		entries_set_access(&p->list, p->why != PROCESS_COUNTED
						     ? p->why
						     : PROCESS_NOT_TRACKED);
		return;
	}
	if (p->try_in == 0 || (p->why != PROCESS_COUNTED && --p->try_in == 0))
		try_counting_processes(s);
	if (p->why != PROCESS_COUNTED) {
		entries_set_access(&p->list, p->why);
		return;
	}
	entries_reset_access(p);
	rank_and_untrack(p, w, top, &r);
	tracks_reopen(s, awake_ns);
	for (unsigned i = 0; i < p->list.n; i++)
		if (user_chose_pid(w, p->list.entry[i].pid) &&
		    entry_may_count(p, &p->list.entry[i]))
			track_wanted_process(s, w, &p->list.entry[i]);
	for (unsigned i = 0; i < r.n && i < top; i++) {
		struct proc_entry *e = r.entry[i];

		if (user_chose_pid(w, e->pid))
			continue;
		if (threads > OPENED_AT_ONCE)
			p->wanted++;
		else if (track_wanted_process(s, w, e))
			threads += e->line.threads;
	}
}

static void
tracks_close_threads(struct perf_processes *p)
{
	if (p->threads.dir == NULL)
		return;
	untrack_all(p, &p->threads);
	proc_list_close(&p->threads);
	p->command.pid = -1;
}

void
perf_tracks_close(struct perf_source *s)
{
	struct perf_processes *p = &s->processes;

	tracks_close_threads(p);
	untrack_all(p, &p->list);
	for (unsigned i = 0; i < TRACKS; i++)
		task_set_free(&p->track[i].set);
	p->try_in = 0;
}

/* Does not follow new threads, as each thread has a row. */
static void
track_thread(struct perf_source *s, struct proc_entry *e)
{
	struct perf_processes *p = &s->processes;
	struct track *k = find_free_track(p, TRACKS_PROCESSES, TRACKS);
	int code = k != NULL ? track_open_tids(s, k, e, &e->pid, 1, false)
			     : EMFILE;

	e->access = (uint8_t)access_from_errno(code);
	if (code == 0)
		track_begin(p, k, e);
}

/* Reads the command again only after exec. */
static void
read_process_command(struct perf_processes *p, const struct proc_entry *e)
{
	struct process_command *c = &p->command;
	char path[40], args[PROCESS_COMMAND_SIZE];
	ssize_t n;

	if (c->pid == e->pid && c->start == e->line.start &&
	    strcmp(p->command_of, e->line.name) == 0)
		return;
	snprintf(path, sizeof path, "%d/cmdline", (int)e->pid);
	n = proc_read_once(dirfd(p->list.dir), path, args, sizeof args);
	process_command_make(c, e->pid, e->line.start, args,
			     n > 0 ? (size_t)n : 0);
	memcpy(p->command_of, e->line.name, sizeof p->command_of);
}

static void
thread_read_counts(struct perf_source *s, struct proc_entry *e)
{
	struct perf_processes *p = &s->processes;

	if (e->group >= 0 && (e->moved || e->gone))
		(void)task_set_read(&p->track[e->group].set, &p->plan);
	else if (e->group < 0 && p->why == PROCESS_COUNTED && !e->gone &&
		 e->line.state != PROCESS_ENDED)
		track_thread(s, e);
	else if (e->group < 0)
		e->access = (uint8_t)p->why;
}

const struct proc_entry *
perf_tracks_threads(struct perf_source *s, const struct process_request *w,
		    const struct stamp *now)
{
	struct perf_processes *p = &s->processes;
	const struct proc_entry *whole =
		w->opened >= 0 ? proc_list_find(&p->list, w->opened) : NULL;

	if (whole != NULL && whole->line.start != w->opened_at)
		whole = NULL;
	if (whole == NULL || p->opened != whole->pid ||
	    p->opened_at != whole->line.start)
		tracks_close_threads(p);
	if (whole == NULL)
		return NULL;
	read_process_command(p, whole);
	if (p->threads.dir == NULL &&
	    !proc_list_open_threads(&p->threads, &p->list, s->root, whole->pid))
		return whole;
	p->opened = whole->pid;
	p->opened_at = whole->line.start;
	p->threads.keep =
		p->list.keep > p->list.kept ? p->list.keep - p->list.kept : 0;
	if (!proc_list_look(&p->threads, now, UINT64_MAX, NULL))
		return NULL;
	for (unsigned i = 0; i < p->threads.n; i++) {
		thread_read_counts(s, &p->threads.entry[i]);
		if (p->threads.entry[i].gone)
			untrack_entry(p, &p->threads.entry[i],
				      PROCESS_NOT_TRACKED);
	}
	return whole;
}

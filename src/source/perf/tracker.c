#include "source/perf/tracker.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

enum {
	ASK_AGAIN = 64,   /* looks, after a refusal */
	LEAVES_AFTER = 4, /* looks below rank 2N */
	FAILURES_MAX = 3, /* readings in a row that failed: opened again */
	THREADS_MAX = 2048,
	OPENED_AT_ONCE = 256 /* threads, at one look */
};

static const int64_t second_ns = 1000000000, back_off_max_ns = 64000000000;

/* ---- one ---- */

static struct track *
track_of(struct tracker *t, const struct proc_entry *e)
{
	return e->group >= 0 ? &t->track[e->group] : NULL;
}

static struct proc_entry *
entry_of(const struct tracker *t, const struct proc_list *l, unsigned i)
{
	const struct track *k = &t->track[i];

	for (unsigned n = proc_list_place(l, k->pid);
	     n < l->n && l->entry[n].pid == k->pid; n++)
		if (l->entry[n].group == (int)i)
			return &l->entry[n];
	return NULL;
}

static void
close_set(struct tracker *t, struct track *k)
{
	t->files -= k->set.files;
	task_set_close(&k->set, &t->plan);
}

static void
drop(struct tracker *t, struct proc_entry *e, enum process_access why)
{
	struct track *k = track_of(t, e);

	if (k == NULL)
		return;
	close_set(t, k);
	k->used = false;
	e->group = -1;
	e->access = (uint8_t)why;
}

void
tracker_drop(struct tracker *t, struct proc_entry *e)
{
	drop(t, e, PROCESS_NOT_TRACKED);
}

static struct track *
free_track(struct tracker *t)
{
	for (unsigned i = 0; i < TRACKER_MAX; i++)
		if (!t->track[i].used) {
			t->n = i >= t->n ? i + 1 : t->n;
			return &t->track[i];
		}
	return NULL;
}

/* What its threads are; at most `max`. How many, or -1 and errno. */
static int
threads_of(const struct proc_list *l, const struct proc_entry *e, int32_t *tid,
	   unsigned max)
{
	char path[40];

	tid[0] = e->pid;
	if (e->line.threads == 1)
		return 1;
	snprintf(path, sizeof path, "%d/task", (int)e->pid);
	return proc_numbers(dirfd(l->dir), path, tid, max);
}

enum process_access
tracker_access(int code)
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
	case ESRCH: /* it ended before this: the next look tells */
		return PROCESS_NOT_TRACKED;
	}
	return PROCESS_NO_COUNTERS;
}

uint32_t
tracker_known(const struct tracker *t)
{
	return PROCESS_HAS_COUNTS |
	       (t->plan.nparts > 1 ? PROCESS_HAS_PARTS | PROCESS_HAS_PART_TIMES
				   : 0);
}

/* Awake time 0: with the next reading. */
static void
begin_window(struct track *k, const struct proc_list *l,
	     const struct proc_entry *e, int64_t awake_ns)
{
	k->window_ns = awake_ns;
	k->ran_ns = k->ticks_ns = 0;
	k->ticks_last_ns = (e->line.user + e->line.system) * l->tick_ns;
}

/* 0, or the errno. */
static int
open_track(struct tracker *t, struct track *k, struct proc_list *l,
	   struct proc_entry *e, const struct tracker_files *files)
{
	int32_t tid[THREADS_MAX];
	int n = threads_of(l, e, tid, THREADS_MAX), code;
	uint64_t need, room;

	if (n < 0)
		return errno == ENOENT ? ESRCH : errno;
	if (n > THREADS_MAX)
		return EMFILE;
	need = task_set_files(&t->plan, (unsigned)n);
	room = files->room(files->self, t->files + need);
	room = room > t->files ? room - t->files : 0;
	if (room < need)
		return EMFILE;
	/* Files kept for speed make room for counters. */
	if (room < need + l->kept)
		proc_list_trim(l, (unsigned)(room - need));
	code = task_set_open(&k->set, &t->plan, tid, (unsigned)n, true, room);
	if (code != 0)
		return code;
	t->files += k->set.files;
	k->counting = ++t->counting;
	k->threads = e->line.threads;
	/* It took a while: what ran in it was not counted. */
	begin_window(k, l, e, 0);
	return 0;
}

static bool
attach(struct tracker *t, struct proc_list *l, struct proc_entry *e,
       const struct tracker_files *files)
{
	struct track *k = free_track(t);
	int code = k != NULL ? open_track(t, k, l, e, files) : EMFILE;

	if (code != 0) {
		e->access = (uint8_t)tracker_access(code);
		e->forgo = code == ESRCH || e->access == PROCESS_NO_ROOM
				   ? 1
				   : ASK_AGAIN;
		t->no_room += e->access == PROCESS_NO_ROOM;
		return false;
	}
	k->used = true;
	k->pid = e->pid;
	k->leaves_out = false;
	k->again_ns = 0;
	k->back_off_ns = second_ns;
	e->group = (int)(k - t->track);
	e->access = PROCESS_COUNTED;
	e->below = 0;
	return true;
}

/* ---- reading ---- */

/*
 * A thread that was made while its maker was opened is not counted, and what
 * it makes is not. Its time tells: over a second the counters' falls behind.
 */
static void
watch(struct track *k, const struct proc_list *l, const struct proc_entry *e,
      int64_t awake_ns)
{
	uint64_t ticks = (e->line.user + e->line.system) * l->tick_ns;

	if (k->window_ns == 0) {
		begin_window(k, l, e, awake_ns);
		return;
	}
	k->ran_ns += k->set.ran_ns;
	if (ticks > k->ticks_last_ns)
		k->ticks_ns += ticks - k->ticks_last_ns;
	k->ticks_last_ns = ticks;
	if (awake_ns - k->window_ns < second_ns)
		return;
	/* A tick or two are always missing: user's and system's rest. */
	k->leaves_out = k->ticks_ns > 2 * l->tick_ns &&
			k->ran_ns < (k->ticks_ns - 2 * l->tick_ns) / 10 * 9;
	begin_window(k, l, e, awake_ns);
}

void
tracker_read(struct tracker *t, struct proc_list *l, int64_t awake_ns)
{
	for (unsigned i = 0; i < t->n; i++) {
		struct track *k = &t->track[i];
		struct proc_entry *e = k->used ? entry_of(t, l, i) : NULL;

		if (e == NULL || k->set.n == 0)
			continue;
		/* What slept has not counted either. */
		if (!e->moved && !e->gone && !k->set.late)
			continue;
		if (!task_set_read(&k->set, &t->plan))
			continue;
		if (e->line.threads != 1 || !l->schedstat)
			proc_list_refine(l, e, k->set.ran_ns);
		watch(k, l, e, awake_ns);
	}
}

/* ---- choosing ---- */

struct ranking {
	unsigned n;
	struct proc_entry *entry[2 * TRACKER_TOP_MAX]; /* busiest first */
};

static bool
may_count(const struct tracker *t, const struct proc_entry *e)
{
	return !e->gone && !e->unreadable && e->line.state != PROCESS_ENDED &&
	       !(t->plan.user_only && e->line.kernel);
}

static void
rank(struct ranking *r, struct proc_entry *e, unsigned max)
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

static void
drop_all(struct tracker *t, struct proc_list *l)
{
	for (unsigned i = 0; i < l->n; i++)
		if (l->entry[i].group >= 0)
			drop(t, &l->entry[i], PROCESS_NOT_TRACKED);
}

static bool
is_wanted(const struct process_wish *w, int32_t pid)
{
	for (unsigned i = 0; i < w->npins && i < TRACKER_PINS_MAX - 1; i++)
		if (w->pin[i] == pid)
			return true;
	return pid == w->opened;
}

/* Ranks those that ran, and lets go who has not been among them for long. */
static void
rank_all(struct tracker *t, struct proc_list *l, const struct process_wish *w,
	 unsigned top, struct ranking *r)
{
	unsigned busier = 0;

	r->n = 0;
	for (unsigned i = 0; i < l->n; i++) {
		struct proc_entry *e = &l->entry[i];

		e->below++;
		if (e->forgo > 0)
			e->forgo--;
		if (!may_count(t, e))
			continue;
		busier += e->grew_ns > 0;
		if (e->grew_ns > 0 && (e->group >= 0 || e->forgo == 0))
			rank(r, e, 2 * top);
	}
	for (unsigned i = 0; i < r->n; i++)
		r->entry[i]->below = 0;
	for (unsigned i = 0; i < l->n; i++) {
		struct proc_entry *e = &l->entry[i];

		/* As long as few are busy, nobody is below. */
		if (is_wanted(w, e->pid) || busier < 2 * top)
			e->below = 0;
		if (e->group >= 0 && e->below >= LEAVES_AFTER)
			drop(t, e, PROCESS_NOT_TRACKED);
	}
}

/* The one that has been out of the ranks for longest gives its place. */
static void
make_place(struct tracker *t, struct proc_list *l, const struct process_wish *w)
{
	struct proc_entry *out = NULL;

	for (unsigned i = 0; i < TRACKER_MAX; i++)
		if (!t->track[i].used)
			return;
	for (unsigned i = 0; i < l->n; i++) {
		struct proc_entry *e = &l->entry[i];

		if (e->group >= 0 && !e->gone && !is_wanted(w, e->pid) &&
		    (out == NULL || e->grew_ns < out->grew_ns))
			out = e;
	}
	if (out != NULL)
		drop(t, out, PROCESS_NOT_TRACKED);
}

/* Does what it counts lack threads, or fail? Then it is opened again. */
static bool
is_broken(const struct track *k, int64_t awake_ns)
{
	return k->set.failed >= FAILURES_MAX ||
	       (k->leaves_out && awake_ns >= k->again_ns);
}

/* An old kernel follows no threads: they are looked for. */
static void
renew_threads(struct tracker *t, struct track *k, const struct proc_list *l,
	      const struct proc_entry *e, const struct tracker_files *files)
{
	int32_t tid[THREADS_MAX];
	uint64_t others = t->files - k->set.files, room;
	int n;

	if (!t->plan.port->no_threads || k->set.late ||
	    e->line.threads == k->threads)
		return;
	n = threads_of(l, e, tid, THREADS_MAX);
	if (n <= 0 || n > THREADS_MAX)
		return;
	room = files->room(files->self,
			   others + task_set_files(&t->plan, (unsigned)n));
	/* What cannot be opened is missed by its time. */
	if (task_set_renew(&k->set, &t->plan, tid, (unsigned)n,
			   room > others ? room - others : 0) == 0)
		k->threads = e->line.threads;
	t->files = others + k->set.files;
}

static void
open_again(struct tracker *t, struct proc_list *l,
	   const struct tracker_files *files, int64_t awake_ns)
{
	for (unsigned i = 0; i < t->n; i++) {
		struct track *k = &t->track[i];
		struct proc_entry *e = k->used ? entry_of(t, l, i) : NULL;
		int code;

		if (e == NULL || !may_count(t, e))
			continue;
		renew_threads(t, k, l, e, files);
		if (!is_broken(k, awake_ns))
			continue;
		close_set(t, k);
		code = open_track(t, k, l, e, files);
		if (code != 0) {
			drop(t, e, tracker_access(code));
			continue;
		}
		k->leaves_out = false;
		k->back_off_ns *= 8;
		if (k->back_off_ns > back_off_max_ns)
			k->back_off_ns = back_off_max_ns;
		k->again_ns = awake_ns + k->back_off_ns;
	}
}

/* Can ktop count itself? Then others, too, or it is told of each. */
static void
ask(struct tracker *t)
{
	int code;

	if (t->plan.port->ops == NULL || t->plan.port->ops->open_task == NULL ||
	    t->plan.nparts == 0) {
		t->why = PROCESS_NO_COUNTERS;
		t->code = ENOENT;
		return;
	}
	code = t->code = task_plan_try(&t->plan, (int32_t)getpid());
	t->why = tracker_access(code);
	t->ask_in = ASK_AGAIN;
}

static void
say_why(struct proc_list *l, enum process_access why)
{
	for (unsigned i = 0; i < l->n; i++)
		l->entry[i].access = (uint8_t)why;
}

/* Who is not tried has no reason of its own, or keeps the last for a while. */
static void
forget_reasons(const struct tracker *t, struct proc_list *l)
{
	for (unsigned i = 0; i < l->n; i++) {
		struct proc_entry *e = &l->entry[i];

		if (e->group >= 0 ||
		    (e->forgo > 0 && e->access != PROCESS_COUNTED))
			continue;
		e->access = t->plan.user_only && e->line.kernel
				    ? PROCESS_DENIED
				    : PROCESS_NOT_TRACKED;
	}
}

/* What a person chose comes first. */
static void
choose_wanted(struct tracker *t, struct proc_list *l,
	      const struct process_wish *w, const struct tracker_files *files)
{
	for (unsigned i = 0; i < l->n; i++) {
		struct proc_entry *e = &l->entry[i];

		if (!is_wanted(w, e->pid) || !may_count(t, e))
			continue;
		t->wanted++;
		if (e->group >= 0 || e->forgo > 0)
			continue;
		make_place(t, l, w);
		attach(t, l, e, files);
	}
}

static void
choose_busy(struct tracker *t, struct proc_list *l,
	    const struct process_wish *w, const struct tracker_files *files,
	    const struct ranking *r, unsigned top)
{
	unsigned threads = 0;

	for (unsigned i = 0; i < r->n && i < top; i++) {
		struct proc_entry *e = r->entry[i];

		if (is_wanted(w, e->pid))
			continue;
		t->wanted++;
		if (e->group >= 0 || e->forgo > 0 || threads > OPENED_AT_ONCE)
			continue;
		threads += e->line.threads;
		make_place(t, l, w);
		attach(t, l, e, files);
	}
}

void
tracker_choose(struct tracker *t, struct proc_list *l,
	       const struct process_wish *w, const struct tracker_files *files,
	       int64_t awake_ns)
{
	unsigned top = w->top < TRACKER_TOP_MAX ? w->top : TRACKER_TOP_MAX;
	struct ranking r;

	t->wanted = t->no_room = 0;
	if (top == 0 && w->npins == 0 && w->opened < 0) {
		drop_all(t, l);
		say_why(l, t->why != PROCESS_COUNTED ? t->why
						     : PROCESS_NOT_TRACKED);
		return;
	}
	if (t->ask_in == 0 || (t->why != PROCESS_COUNTED && --t->ask_in == 0))
		ask(t);
	if (t->why != PROCESS_COUNTED) {
		say_why(l, t->why);
		return;
	}
	forget_reasons(t, l);
	rank_all(t, l, w, top, &r);
	open_again(t, l, files, awake_ns);
	choose_wanted(t, l, w, files);
	choose_busy(t, l, w, files, &r, top);
}

void
tracker_close(struct tracker *t, struct proc_list *l)
{
	drop_all(t, l);
	for (unsigned i = 0; i < t->n; i++)
		task_set_free(&t->track[i].set);
	t->n = 0;
	t->ask_in = 0;
}

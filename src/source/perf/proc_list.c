#include "source/perf/state.h"

#include "base/err.h"
#include "base/parse.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	TICKS_CUT = 3, /* ticks by which truncation can reduce user and system
			  time */
	FIRST_ROOM = 512,
	/* An entry idle for so many looks is read at every 8th look. */
	SLEEPER_TURNS = 8,
	PATH_SIZE = 40
};

static void
entry_keep_file(struct proc_list *l, int *fd, const char *path)
{
	if (*fd >= 0 || l->kept >= l->keep)
		return;
	*fd = proc_open(dirfd(l->dir), path);
	l->kept += *fd >= 0;
}

static void
entry_close_file(struct proc_list *l, int *fd)
{
	if (*fd < 0)
		return;
	close(*fd);
	*fd = -1;
	l->kept--;
}

static void
entry_set_ended(struct proc_list *l, struct proc_entry *e)
{
	entry_close_file(l, &e->stat_fd);
	entry_close_file(l, &e->sched_fd);
	e->gone = true;
	e->grew_ns = 0;
	e->line.state = PROCESS_ENDED;
}

static ssize_t
entry_read_file(struct proc_list *l, const struct proc_entry *e, int *fd,
		const char *name, char *out, size_t size)
{
	char path[PATH_SIZE];

	if (*fd >= 0)
		return proc_read(*fd, out, size);
	snprintf(path, sizeof path, "%d/%s", (int)e->pid, name);
	entry_keep_file(l, fd, path);
	return *fd >= 0 ? proc_read(*fd, out, size)
			: proc_read_once(dirfd(l->dir), path, out, size);
}

/* The folder's owner is the effective user, even of an undumpable process
 * (task_dump_owner in fs/proc/base.c). Reading `status` takes six times as
 * long. */
static void
entry_read_uid(struct proc_list *l, struct proc_entry *e)
{
	char path[PATH_SIZE], text[1024];
	struct stat st;

	if (l->threads)
		return;
	snprintf(path, sizeof path, "%d", (int)e->pid);
	if (!l->copied) {
		if (fstatat(dirfd(l->dir), path, &st, 0) == 0)
			e->uid = st.st_uid;
		return;
	}
	snprintf(path, sizeof path, "%d/status", (int)e->pid);
	if (proc_read_once(dirfd(l->dir), path, text, sizeof text) > 0)
		(void)proc_status_uid(text, &e->uid);
}

/* Ticks are truncated to 10 ms; schedstat has ns, but lacks ended threads. So
 * time grows by ran_ns, within the limits that the ticks set. */
static void
entry_set_times(const struct proc_list *l, struct proc_entry *e,
		uint64_t ran_ns)
{
	uint64_t before = e->user_before_ns + e->system_before_ns;
	uint64_t now = before + ran_ns, system = e->line.system * l->tick_ns;
	uint64_t least = e->line.user * l->tick_ns + system;
	uint64_t most = least + TICKS_CUT * l->tick_ns;

	if (now > most)
		now = most;
	if (now < least)
		now = least;
	if (now < before)
		now = before;
	if (system < e->system_before_ns)
		system = e->system_before_ns;
	if (now < system || now - system < e->user_before_ns)
		system = now - e->user_before_ns;
	e->system_ns = system;
	e->user_ns = now - system;
	e->grew_ns = now - before;
}

void
proc_list_refine(const struct proc_list *l, struct proc_entry *e,
		 uint64_t ran_ns)
{
	if (e->moved && !e->missed && !e->unreadable)
		entry_set_times(l, e, ran_ns);
}

static bool
is_process_gone(ssize_t n)
{
	return n == 0 || (n < 0 && (errno == ESRCH || errno == ENOENT));
}

static bool
entry_check_line(const struct proc_list *l, const struct proc_entry *e,
		 const struct proc_line *line)
{
	const uint64_t most = INT64_MAX / l->tick_ns / 2;

	return line->pid == e->pid && line->user <= most &&
	       line->system <= most;
}

/* False: the process has ended, or another process has its pid. */
static bool
entry_read_line(struct proc_list *l, struct proc_entry *e, uint64_t ran_ns)
{
	char text[PROC_LINE_SIZE];
	struct proc_line line;
	ssize_t n =
		entry_read_file(l, e, &e->stat_fd, "stat", text, sizeof text);

	e->missed = n <= 0;
	if (n <= 0)
		return !is_process_gone(n);
	e->unreadable = !proc_line_parse(text, (size_t)n, &line) ||
			!entry_check_line(l, e, &line);
	if (e->unreadable)
		return true;
	if (e->looks > 0 && line.start != e->line.start)
		return false;
	/* The name changes with exec, which may change the user (sudo). */
	if (e->looks % SLEEPER_TURNS == 0 ||
	    strcmp(line.name, e->line.name) != 0)
		entry_read_uid(l, e);
	e->line = line;
	entry_set_times(l, e, ran_ns);
	return true;
}

static bool
entry_has_one_thread(const struct proc_list *l, const struct proc_entry *e)
{
	return e->line.threads == 1 || (l->threads && e->line.threads > 0);
}

/* False: the entry did not run, so it started no threads. */
static bool
entry_read_schedstat(struct proc_list *l, struct proc_entry *e,
		     uint64_t *ran_ns, bool *gone)
{
	char text[80], *end;
	uint64_t now;
	ssize_t n;

	*ran_ns = 0;
	if (!l->schedstat || !entry_has_one_thread(l, e) || e->unreadable)
		return true;
	n = entry_read_file(l, e, &e->sched_fd, "schedstat", text, sizeof text);
	*gone = n <= 0 && is_process_gone(n);
	if (n <= 0)
		return true;
	now = strtoull(text, &end, 10);
	if (end == text || now == UINT64_MAX)
		return true;
	if (e->ran_known && now == e->ran_ns)
		return false;
	if (e->ran_known && now > e->ran_ns)
		*ran_ns = now - e->ran_ns;
	e->ran_ns = now;
	e->ran_known = true;
	return true;
}

static void
entry_look(struct proc_list *l, struct proc_entry *e)
{
	bool gone = false;
	uint64_t ran_ns;

	e->user_before_ns = e->user_ns;
	e->system_before_ns = e->system_ns;
	e->grew_ns = 0;
	e->missed = false;
	e->moved = entry_read_schedstat(l, e, &ran_ns, &gone);
	if (gone || (e->moved && !entry_read_line(l, e, ran_ns))) {
		entry_set_ended(l, e);
		return;
	}
	if (!entry_has_one_thread(l, e)) {
		entry_close_file(l, &e->sched_fd);
		e->ran_known = false;
	}
	e->looks++;
	/* With several threads, only ticks show run time. */
	if (entry_has_one_thread(l, e) ? e->moved : e->grew_ns > 0)
		e->slept = 0;
	else
		e->slept++;
}

void
proc_list_trim(struct proc_list *l, unsigned keep)
{
	l->keep = keep;
	for (unsigned i = 0; i < l->n && l->kept > keep; i++)
		if (!l->entry[i].moved || l->entry[i].line.threads == 1)
			entry_close_file(l, &l->entry[i].stat_fd);
	for (unsigned i = 0; i < l->n && l->kept > keep; i++) {
		entry_close_file(l, &l->entry[i].stat_fd);
		entry_close_file(l, &l->entry[i].sched_fd);
	}
}

static bool
folder_has_numbers(struct proc_list *l)
{
	const struct dirent *d;
	uint64_t pid;

	while ((d = readdir(l->dir)) != NULL)
		if (parse_u64(d->d_name, INT32_MAX, &pid))
			return true;
	return false;
}

/* Without CONFIG_SCHED_INFO all values are 0, even for ktop itself. */
static bool
proc_has_schedstat(const struct proc_list *l)
{
	char text[80];

	return proc_read_once(dirfd(l->dir), "self/schedstat", text,
			      sizeof text) > 0 &&
	       strtoull(text, NULL, 10) > 0;
}

static bool
proc_list_open_folder(struct proc_list *l, const char *path)
{
	long ticks = sysconf(_SC_CLK_TCK);

	memset(l, 0, sizeof *l);
	l->loadavg_fd = -1;
	l->tick_ns = 1000000000 / (uint64_t)(ticks > 0 ? ticks : 100);
	l->dir = opendir(path);
	if (l->dir != NULL && folder_has_numbers(l))
		return true;
	proc_list_close(l);
	return false;
}

bool
proc_list_open(struct proc_list *l, const char *root)
{
	char path[4096];

	memset(l, 0, sizeof *l);
	if (snprintf(path, sizeof path, "%s/proc", root != NULL ? root : "") >=
		    (int)sizeof path ||
	    !proc_list_open_folder(l, path))
		return false;
	l->copied = root != NULL;
	l->schedstat = proc_has_schedstat(l);
	l->loadavg_fd = proc_open(dirfd(l->dir), "loadavg");
	return true;
}

bool
proc_list_open_threads(struct proc_list *l, const struct proc_list *all,
		       const char *root, int32_t pid)
{
	char path[4096];

	memset(l, 0, sizeof *l);
	if (snprintf(path, sizeof path, "%s/proc/%d/task",
		     root != NULL ? root : "", (int)pid) >= (int)sizeof path ||
	    !proc_list_open_folder(l, path))
		return false;
	l->schedstat = all->schedstat;
	l->threads = true;
	return true;
}

void
proc_list_close(struct proc_list *l)
{
	if (l->dir == NULL)
		return;
	for (unsigned i = 0; i < l->n; i++)
		entry_set_ended(l, &l->entry[i]);
	if (l->loadavg_fd >= 0)
		close(l->loadavg_fd);
	(void)closedir(l->dir);
	free(l->entry);
	memset(l, 0, sizeof *l);
}

static void
proc_list_remove_gone(struct proc_list *l)
{
	unsigned n = 0;

	for (unsigned i = 0; i < l->n; i++)
		if (!l->entry[i].gone)
			l->entry[n++] = l->entry[i];
	l->n = n;
}

static bool
proc_list_grow(struct proc_list *l, struct err *e)
{
	unsigned room = l->room == 0 ? FIRST_ROOM : l->room * 2;
	struct proc_entry *more;

	if (l->n < l->room)
		return true;
	more = realloc(l->entry, room * sizeof *more);
	if (more == NULL)
		return err_set(e, ERR_FAIL, "processes: out of memory");
	l->entry = more;
	l->room = room;
	return true;
}

unsigned
proc_list_place(const struct proc_list *l, int32_t pid)
{
	unsigned from = 0, to = l->n;

	while (from < to) {
		unsigned mid = from + (to - from) / 2;

		if (l->entry[mid].pid < pid)
			from = mid + 1;
		else
			to = mid;
	}
	return from;
}

struct proc_entry *
proc_list_find(const struct proc_list *l, int32_t pid)
{
	for (unsigned i = proc_list_place(l, pid);
	     i < l->n && l->entry[i].pid == pid; i++)
		if (!l->entry[i].gone)
			return &l->entry[i];
	return NULL;
}

/* A new entry started after the last look, even if its ticks are earlier. */
static int64_t
entry_started_awake(const struct proc_list *l, const struct proc_entry *e,
		    const struct stamp *now)
{
	int64_t start, slack = TICKS_CUT * (int64_t)l->tick_ns;

	if (e->line.start > (uint64_t)INT64_MAX / l->tick_ns)
		return 0;
	start = (int64_t)(e->line.start * l->tick_ns) -
		(now->elapsed_ns - now->awake_ns);
	if (l->before_ns != 0 && start <= l->before_ns &&
	    start >= l->before_ns - slack)
		return l->before_ns + 1;
	return start > 0 ? start : 0;
}

static bool
entry_look_first(struct proc_list *l, struct proc_entry *e)
{
	entry_look(l, e);
	if (!e->gone && (e->missed || e->unreadable))
		entry_set_ended(l, e);
	/* The number of threads is known now: schedstat's base can be read. */
	if (!e->gone)
		(void)entry_read_schedstat(l, e, &(uint64_t){ 0 },
					   &(bool){ false });
	return !e->gone;
}

static bool
proc_list_add(struct proc_list *l, int32_t pid, const struct stamp *now,
	      struct err *err)
{
	struct proc_entry e;
	unsigned at;

	if (!proc_list_grow(l, err))
		return false;
	memset(&e, 0, sizeof e);
	e.pid = pid;
	e.stat_fd = e.sched_fd = e.group = -1;
	if (!entry_look_first(l, &e))
		return true;
	if (e.ran_known)
		entry_set_times(l, &e, e.ran_ns);
	e.moved = l->before_ns != 0;
	e.listed = true;
	e.started_awake_ns = entry_started_awake(l, &e, now);
	for (at = proc_list_place(l, pid); at < l->n && l->entry[at].pid == pid;
	     at++)
		continue;
	memmove(l->entry + at + 1, l->entry + at, (l->n - at) * sizeof e);
	l->entry[at] = e;
	l->n++;
	return true;
}

static bool
proc_list_readdir(struct proc_list *l, const struct stamp *now, struct err *e)
{
	const struct dirent *d;
	uint64_t pid;

	for (unsigned i = 0; i < l->n; i++)
		l->entry[i].listed = false;
	rewinddir(l->dir);
	while ((d = readdir(l->dir)) != NULL) {
		struct proc_entry *known;

		if (!parse_u64(d->d_name, INT32_MAX, &pid))
			continue;
		known = proc_list_find(l, (int32_t)pid);
		if (known != NULL)
			known->listed = true;
		else if (!proc_list_add(l, (int32_t)pid, now, e))
			return false;
	}
	for (unsigned i = 0; i < l->n; i++)
		if (!l->entry[i].listed && !l->entry[i].gone)
			entry_set_ended(l, &l->entry[i]);
	return true;
}

static bool
entry_may_skip(const struct proc_list *l, const struct proc_entry *e)
{
	return e->slept >= SLEEPER_TURNS && e->group < 0 &&
	       (unsigned)e->pid % SLEEPER_TURNS != l->turn % SLEEPER_TURNS;
}

/* Reads the entries, but skips sleepers unless `all`. Returns the run time
 * since the last look of the entries read. */
static uint64_t
proc_list_look_busy(struct proc_list *l, bool all)
{
	uint64_t ran_ns = 0;

	for (unsigned i = 0; i < l->n; i++) {
		struct proc_entry *e = &l->entry[i];

		if (all || !entry_may_skip(l, e)) {
			entry_look(l, e);
			ran_ns += e->grew_ns;
			continue;
		}
		e->grew_ns = 0;
		e->moved = false;
		e->missed = true;
	}
	return ran_ns;
}

/* Differences up to 10 % and three ticks are rounding. */
static bool
busy_time_unexplained(const struct proc_list *l, uint64_t ran_ns,
		      uint64_t busy_ns)
{
	return busy_ns > ran_ns + ran_ns / 10 + 3 * l->tick_ns;
}

/* Reads the skipped entries. True: one of them ran for more than a tick. */
static bool
proc_list_look_sleepers(struct proc_list *l)
{
	bool found = false;

	for (unsigned i = 0; i < l->n; i++) {
		struct proc_entry *e = &l->entry[i];

		if (!e->missed)
			continue;
		entry_look(l, e);
		found = found || e->grew_ns > l->tick_ns;
	}
	return found;
}

/* Listing /proc takes as long as the rest of a look. While the last new pid in
 * loadavg (also of a thread) stays the same, only every 8th look lists. */
static bool
listing_is_due(struct proc_list *l)
{
	char text[80] = "", *last;

	if (l->loadavg_fd >= 0)
		(void)proc_read(l->loadavg_fd, text, sizeof text);
	last = strrchr(text, ' ');
	if (last == NULL || strlen(last) >= sizeof l->newest)
		return true;
	if (strcmp(last, l->newest) == 0)
		return l->turn % SLEEPER_TURNS == 0;
	memcpy(l->newest, last, strlen(last) + 1);
	return true;
}

bool
proc_list_look(struct proc_list *l, const struct stamp *now, uint64_t busy_ns,
	       struct err *e)
{
	bool all = busy_ns == UINT64_MAX;

	l->turn++;
	proc_list_remove_gone(l);
	if (busy_time_unexplained(l, proc_list_look_busy(l, all), busy_ns) &&
	    !all && (!l->none_woke || l->turn % SLEEPER_TURNS == 0))
		l->none_woke = !proc_list_look_sleepers(l);
	if (listing_is_due(l) && !proc_list_readdir(l, now, e))
		return false;
	l->before_ns = now->awake_ns;
	return true;
}

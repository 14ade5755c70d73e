/* Reads usage with one proc_pid_rusage per process. Names and users are read
 * for new processes and programs, and at every eighth reading. */
#include "source/kperf/state.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/plural.h"

enum {
	FIRST_ROOM = 512, /* initial capacity, in processes */
	GROWTH = 4,
	LIST_CALLS = 3,
	TURNS = 8, /* readings between two refreshes of a process's name */
	STILL = 4, /* unchanged readings before a process may be skipped */
	FLAVOR_PARTS = 6,
	PATH_SIZE = 1024, /* MAXPATHLEN of macOS */
	USERS = 64
};

/* If reading all processes takes longer, only some sleeping processes are read
 * each time. */
static const int64_t budget_ns = 2000000;

/* User names are cached, since a lookup may use the network. */
struct users {
	unsigned n, next;
	struct {
		uint32_t uid;
		char name[PROCESS_USER_SIZE]; /* "": unknown */
	} user[USERS];
};

struct kept {
	struct process_read read;
	struct host_proc brief;
	bool named; /* read.name is set */
	struct host_usage usage;
	unsigned still;
};

struct kperf_processes {
	const struct host_api *host;
	uint32_t numer, denom; /* a tick is numer / denom ns */
	struct process_parts parts;
	struct users users;
	unsigned room;
	int32_t *pid;
	struct kept *was, *now;
	unsigned nlooks, nwas, nnow;
	unsigned nbeyond;
	uint32_t pass;
	int64_t look_ns;
	bool slow; /* reading all processes exceeds budget_ns */
	bool cut;
	/* True after a process had CPU time, counts, energy, P-core energy. */
	bool clocked, counted, powered, part_powered;
	bool older; /* the last usage has no parts: before macOS 13 */
	struct process_command command;
	char command_name[PROCESS_NAME_SIZE];
	unsigned ndenied, nkept;
	bool kernel; /* pid 0 was readable, so all processes are */
};

bool
kperf_processes_offered(const struct host_api *host)
{
	return host->proc_list != NULL && host->proc_usage != NULL;
}

static bool
grow_tables(struct kperf_processes *p, unsigned room)
{
	int32_t *pid = realloc(p->pid, room * sizeof *pid);
	struct kept *was = realloc(p->was, room * sizeof *was);
	struct kept *now = realloc(p->now, room * sizeof *now);
	bool ok = pid != NULL && was != NULL && now != NULL;

	p->pid = pid != NULL ? pid : p->pid;
	p->was = was != NULL ? was : p->was;
	p->now = now != NULL ? now : p->now;
	p->room = ok ? room : p->room;
	return ok;
}

struct kperf_processes *
kperf_processes_new(const struct host_api *host, const struct topology *t)
{
	struct kperf_processes *p = calloc(1, sizeof *p);

	if (p == NULL)
		return NULL;
	p->host = host;
	p->numer = p->denom = 1;
	if (host->timebase != NULL)
		host->timebase(&p->numer, &p->denom);
	if (p->numer == 0 || p->denom == 0)
		p->numer = p->denom = 1;
	process_parts_of(t, &p->parts);
	if (grow_tables(p, FIRST_ROOM))
		return p;
	kperf_processes_free(p);
	return NULL;
}

void
kperf_processes_free(struct kperf_processes *p)
{
	if (p == NULL)
		return;
	free(p->pid);
	free(p->was);
	free(p->now);
	free(p);
}

/* Does not use qsort, which may allocate. */
static unsigned
sort_pids(int32_t *at, unsigned n)
{
	unsigned to = 0;

	for (unsigned gap = n / 2; gap > 0; gap /= 2)
		for (unsigned i = gap; i < n; i++) {
			int32_t pid = at[i];
			unsigned k = i;

			for (; k >= gap && at[k - gap] > pid; k -= gap)
				at[k] = at[k - gap];
			at[k] = pid;
		}
	for (unsigned i = 0; i < n; i++)
		if (at[i] >= 0 && (to == 0 || at[to - 1] != at[i]))
			at[to++] = at[i];
	return to;
}

static bool
list_pids(struct kperf_processes *p, struct err *e)
{
	int n = 0;

	for (unsigned call = 0; call < LIST_CALLS; call++) {
		errno = 0;
		n = p->host->proc_list(p->pid, (int)p->room);
		if (n < 0)
			return err_set(e, ERR_FAIL, "cannot list processes: %s",
				       strerror(errno));
		if ((unsigned)n < p->room || call == LIST_CALLS - 1)
			break;
		if (!grow_tables(p, p->room * GROWTH))
			return err_set(e, ERR_FAIL, "processes: out of memory");
	}
	p->cut = (unsigned)n >= p->room;
	unsigned npids = sort_pids(p->pid, p->cut ? p->room : (unsigned)n);
	p->nlooks = npids < PROCESS_ROWS_MAX ? npids : PROCESS_ROWS_MAX;
	p->nbeyond = npids - p->nlooks;
	return true;
}

static const char *
user_name(const struct host_api *host, struct users *users, uint32_t uid)
{
	for (unsigned i = 0; i < users->n; i++)
		if (users->user[i].uid == uid)
			return users->user[i].name;
	unsigned at = users->next;
	users->next = (at + 1) % USERS;
	if (users->n < USERS)
		users->n++;
	users->user[at].uid = uid;
	if (host->user_name == NULL ||
	    !host->user_name(uid, users->user[at].name,
			     sizeof users->user[at].name))
		users->user[at].name[0] = '\0';
	return users->user[at].name;
}

static bool
path_name(const struct host_api *host, int32_t pid, char *out, size_t size)
{
	char path[PATH_SIZE];

	if (host->proc_path == NULL)
		return false;
	int len = host->proc_path(pid, path, sizeof path);
	if (len <= 0 || (size_t)len >= sizeof path)
		return false;
	path[len] = '\0';
	const char *last = strrchr(path, '/');
	last = last != NULL ? last + 1 : path;
	if (last[0] == '\0')
		return false;
	struct buf b = buf_over(out, size);

	buf_str(&b, last);
	buf_cstr(&b);
	return true;
}

static void
update_name(const struct host_api *host, bool fresh, struct kept *who,
	    struct process_read *r)
{
	if (!fresh && who->named)
		return;
	memset(r->name, 0, sizeof r->name);
	who->named = path_name(host, r->pid, r->name, sizeof r->name);
	if (who->named)
		return;
	if (who->brief.name[0] != '\0')
		snprintf(r->name, sizeof r->name, "%s", who->brief.name);
	else if (r->pid == 0)
		snprintf(r->name, sizeof r->name, "kernel_task");
	who->named = r->name[0] != '\0';
}

/* fresh: the program is new, so its name is read. False: the process ended. */
static bool
update_identity(const struct host_api *host, struct users *users, bool fresh,
		struct kept *who, struct process_read *r)
{
	struct host_proc now;

	memset(&now, 0, sizeof now);
	errno = 0;
	if (host->proc_short != NULL && host->proc_short(r->pid, &now) == 0) {
		now.name[sizeof now.name - 1] = '\0';
		fresh = fresh || strcmp(who->brief.name, now.name) != 0;
		who->brief = now;
		r->parent = now.ppid;
		r->uid = now.uid;
		snprintf(r->user, sizeof r->user, "%s",
			 user_name(host, users, now.uid));
	} else if (errno == ESRCH && r->pid != 0) {
		return false;
	}
	update_name(host, fresh, who, r);
	return true;
}

/* Rounds down, so that more ticks never give fewer ns. */
static uint64_t
ticks_to_ns(const struct kperf_processes *p, uint64_t ticks)
{
	uint64_t whole = ticks / p->denom, part = ticks % p->denom;

	if (whole > UINT64_MAX / p->numer - p->numer)
		return UINT64_MAX;
	return whole * p->numer + part * p->numer / p->denom;
}

/* Part 0 is the usage on P cores, part 1 the remainder. */
static void
fill_parts(const struct kperf_processes *p, const struct host_usage *u,
	   struct process_read *r)
{
	uint64_t ticks = u->user_time + u->system_time;
	uint64_t pticks = u->user_ptime + u->system_ptime;
	struct process_part *fast = &r->total.part[0],
			    *rest = &r->total.part[1];

	if (p->parts.n == 0 || u->pcycles > u->cycles ||
	    u->pinstructions > u->instructions || pticks > ticks ||
	    u->penergy_nj > u->energy_nj)
		return;
	*fast = (struct process_part){ u->pcycles, u->pinstructions,
				       ticks_to_ns(p, pticks), u->penergy_nj };
	*rest = (struct process_part){ u->cycles - u->pcycles,
				       u->instructions - u->pinstructions,
				       ticks_to_ns(p, ticks - pticks),
				       u->energy_nj - u->penergy_nj };
	r->known |= PROCESS_HAS_PARTS | PROCESS_HAS_PART_TIMES |
		    PROCESS_HAS_PART_ENERGY;
}

static void
fill_totals(struct kperf_processes *p, const struct host_usage *u,
	    struct process_read *r)
{
	memset(&r->total, 0, sizeof r->total);
	r->known = PROCESS_HAS_TIMES | PROCESS_HAS_COUNTS;
	r->total.user_ns = ticks_to_ns(p, u->user_time);
	r->total.system_ns = ticks_to_ns(p, u->system_time);
	r->total.cycles = u->cycles;
	r->total.instructions = u->instructions;
	p->clocked = p->clocked || u->user_time != 0 || u->system_time != 0;
	p->counted = p->counted || u->cycles != 0 || u->instructions != 0;
	if (u->flavor < FLAVOR_PARTS)
		return;
	r->known |= PROCESS_HAS_ENERGY;
	r->total.energy_nj = u->energy_nj;
	p->powered = p->powered || u->energy_nj != 0;
	p->part_powered = p->part_powered || u->penergy_nj != 0;
	fill_parts(p, u, r);
}

static void
init_kept(struct kept *k, int32_t pid)
{
	memset(k, 0, sizeof *k);
	k->read.pid = pid;
	k->read.parent = -1;
	k->read.uid = UINT32_MAX;
}

/* `start` is in ticks, which stop while the machine sleeps: its wall-clock time
 * is known only if the machine has not slept since boot. */
static void
set_start_time(const struct kperf_processes *p, const struct stamp *now,
	       uint64_t start, struct process_read *r)
{
	static const int64_t slept_ns = 1000000000;
	uint64_t ns = ticks_to_ns(p, start);

	r->start = start;
	if (ns == 0 || now->awake_ns < 0 || ns > (uint64_t)now->awake_ns)
		return;
	r->started_awake_ns = (int64_t)ns;
	if (now->elapsed_ns - now->awake_ns < slept_ns)
		r->started_ns = now->wall_ns - (now->awake_ns - (int64_t)ns);
}

/* macOS reports all live processes as running, so unchanged totals mean sleep.
 */
static enum process_state
infer_state(const struct kept *k, bool ended, bool seen)
{
	enum { STOPPED = 4, ZOMBIE = 5 };

	if (ended || k->brief.status == ZOMBIE)
		return PROCESS_ENDED;
	if (k->brief.status == STOPPED && k->still > 0)
		return PROCESS_STOPPED;
	if (!seen)
		return PROCESS_STATE_UNKNOWN;
	return k->still > 0 ? PROCESS_SLEEPS : PROCESS_RUNS;
}

struct look {
	const struct stamp *now;
	const struct kept *was;
	bool turn;
};

static bool
fill_from_usage(struct kperf_processes *p, const struct look *l, int32_t pid,
		const struct host_usage *u, struct kept *k)
{
	bool same = l->was != NULL && l->was->read.access == PROCESS_COUNTED &&
		    l->was->read.start == u->start_abstime;
	/* exec changes the UUID. */
	bool fresh = !same ||
		     memcmp(l->was->usage.uuid, u->uuid, sizeof u->uuid) != 0;

	if (same)
		*k = *l->was;
	else
		init_kept(k, pid);
	p->older = u->flavor < FLAVOR_PARTS;
	k->read.flags = 0;
	k->still++;
	if (!same || memcmp(&k->usage, u, sizeof *u) != 0)
		fill_totals(p, u, &k->read);
	if (!same || memcmp(&k->read.total, &l->was->read.total,
			    sizeof k->read.total) != 0)
		k->still = 0;
	if (!same)
		set_start_time(p, l->now, u->start_abstime, &k->read);
	memcpy(&k->usage, u, sizeof *u);
	/* A known process that has just ended gets a last row. */
	if ((fresh || l->turn) &&
	    !update_identity(p->host, &p->users, fresh, k, &k->read) && !same)
		return false;
	k->read.state = (uint8_t)infer_state(k, u->exit_abstime != 0, same);
	return true;
}

/* For other users' processes macOS reports the identity only. */
static bool
fill_denied(struct kperf_processes *p, const struct look *l, int32_t pid,
	    enum process_access access, struct kept *k)
{
	bool same = l->was != NULL && l->was->read.access == access;

	if (same)
		*k = *l->was;
	else
		init_kept(k, pid);
	k->read.access = (uint8_t)access;
	k->read.flags = 0;
	k->still++;
	if ((!same || l->turn) &&
	    !update_identity(p->host, &p->users, !same, k, &k->read))
		return false;
	k->read.state = (uint8_t)infer_state(k, false, false);
	return true;
}

static bool
read_process(struct kperf_processes *p, const struct look *l, int32_t pid,
	     struct kept *k)
{
	struct host_usage u;

	memset(&u, 0, sizeof u);
	errno = 0;
	if (p->host->proc_usage(pid, &u) == 0)
		return fill_from_usage(p, l, pid, &u, k);
	int why = errno;
	if (why == ESRCH)
		return false;
	return fill_denied(p, l, pid,
			   why == EPERM ? PROCESS_DENIED : PROCESS_UNREADABLE,
			   k);
}

static bool
is_wanted(const struct process_request *w, int32_t pid)
{
	if (w == NULL)
		return false;
	for (unsigned i = 0; i < w->npins; i++)
		if (w->pin[i] == pid)
			return true;
	return w->opened == pid;
}

static bool
may_skip(const struct kperf_processes *p, const struct look *l,
	 const struct process_request *w)
{
	return p->slow && !l->turn && l->was != NULL &&
	       l->was->still >= STILL && !is_wanted(w, l->was->read.pid);
}

static unsigned
read_each_process(struct kperf_processes *p, const struct process_request *w,
		  const struct stamp *now)
{
	unsigned at = 0, looks = 0;

	p->nnow = p->nkept = 0;
	for (unsigned i = 0; i < p->nlooks; i++) {
		int32_t pid = p->pid[i];
		struct look l = { now, NULL, false };

		while (at < p->nwas && p->was[at].read.pid < pid)
			at++;
		if (at < p->nwas && p->was[at].read.pid == pid)
			l.was = &p->was[at];
		l.turn = ((uint32_t)pid + p->pass) % TURNS == 0;
		if (may_skip(p, &l, w)) {
			p->now[p->nnow] = *l.was;
			p->now[p->nnow++].read.flags |= PROCESS_KEPT;
			p->nkept++;
			continue;
		}
		looks++;
		if (read_process(p, &l, pid, &p->now[p->nnow]))
			p->nnow++;
	}
	return looks;
}

/* In virtual machines processes have times, but no counts. */
static uint32_t
known_fields(const struct kperf_processes *p)
{
	uint32_t known = PROCESS_HAS_TIMES | PROCESS_HAS_PART_TIMES;

	if (p->counted || !p->clocked)
		known |= PROCESS_HAS_COUNTS | PROCESS_HAS_PARTS;
	if (p->powered)
		known |= PROCESS_HAS_ENERGY;
	if (p->part_powered)
		known |= PROCESS_HAS_PART_ENERGY;
	return known;
}

static bool
copy_rows(struct kperf_processes *p, struct process_reading *out, struct err *e)
{
	unsigned n = p->nnow;
	uint32_t known = known_fields(p);

	if (!process_reading_grow(out, n))
		return err_set(e, ERR_FAIL, "processes: out of memory");
	p->ndenied = 0;
	p->kernel = false;
	for (unsigned i = 0; i < n; i++) {
		const struct process_read *r = &p->now[i].read;

		p->ndenied += r->access == PROCESS_DENIED;
		if (r->pid == 0 && r->access == PROCESS_COUNTED)
			p->kernel = true;
		out->row[i] = *r;
		out->row[i].known &= known;
		if (r->access == PROCESS_COUNTED &&
		    (known & PROCESS_HAS_COUNTS) == 0)
			out->row[i].access = PROCESS_NO_COUNTERS;
	}
	out->n = n;
	out->left_out = p->nbeyond;
	return true;
}

static void
write_notice(const struct kperf_processes *p, struct process_reading *out)
{
	struct buf b = buf_over(out->notice, sizeof out->notice);

	if (p->cut || out->left_out > 0)
		buf_printf(&b, "more processes than ktop has room for (%d)",
			   PROCESS_ROWS_MAX);
	else if (p->ndenied > 0 && !p->kernel)
		buf_printf(&b, "%u of %u %s are denied", p->ndenied, out->n,
			   plural(out->n, "process", "processes"));
	else if (p->nkept > 0)
		buf_printf(
			&b,
			"%u %s asleep: looked at every %dth time, for all together take too long",
			p->nkept,
			plural(p->nkept, "process is", "processes are"), TURNS);
	else if (p->older && p->parts.n > 0)
		buf_str(&b,
			"macOS 13 and later tell also each kind of core's part, and energy");
	buf_cstr(&b);
}

static void
fill_thread(const struct kperf_processes *p, const struct process_read *of,
	    struct host_thread *t, struct process_read *r)
{
	unsigned levels = t->levels <= 2 ? t->levels : 2;
	uint64_t user = 0, system = 0;

	memset(r, 0, sizeof *r);
	r->pid = of->pid;
	r->parent = of->parent;
	r->start = of->start;
	r->uid = of->uid;
	r->thread = t->id;
	r->state = t->running ? PROCESS_RUNS : PROCESS_SLEEPS;
	r->access = of->access;
	t->name[sizeof t->name - 1] = '\0';
	snprintf(r->name, sizeof r->name, "%s", t->name);
	memcpy(r->user, of->user, sizeof r->user);
	for (unsigned i = 0; i < levels; i++) {
		r->total.cycles += t->level[i].cycles;
		r->total.instructions += t->level[i].instructions;
		r->total.energy_nj += t->level[i].energy_nj;
		user += t->level[i].user_time;
		system += t->level[i].system_time;
		r->total.part[i] = (struct process_part){
			t->level[i].cycles,
			t->level[i].instructions,
			ticks_to_ns(p, t->level[i].user_time +
					       t->level[i].system_time),
			t->level[i].energy_nj,
		};
	}
	r->total.user_ns = ticks_to_ns(p, user);
	r->total.system_ns = ticks_to_ns(p, system);
	r->known = PROCESS_HAS_TIMES | PROCESS_HAS_COUNTS | PROCESS_HAS_ENERGY;
	if (levels == 2 && p->parts.n == 2)
		r->known |= PROCESS_HAS_PARTS | PROCESS_HAS_PART_TIMES |
			    PROCESS_HAS_PART_ENERGY;
	else
		memset(r->total.part, 0, sizeof r->total.part);
	r->known &= known_fields(p);
}

static void
copy_threads(const struct kperf_processes *p, struct process_read *of,
	     struct process_reading *out)
{
	uint64_t id[PROCESS_THREADS_MAX];
	int n = p->host->thread_list(of->pid, id, PROCESS_THREADS_MAX);

	for (int i = 0; i < n && i < PROCESS_THREADS_MAX; i++) {
		struct host_thread t;

		memset(&t, 0, sizeof t);
		if (p->host->thread_counts(of->pid, id[i], &t) != 0)
			continue;
		t.id = id[i];
		fill_thread(p, of, &t, &out->thread[out->nthreads++]);
	}
	if (n > 0 && n < PROCESS_THREADS_MAX)
		of->threads = (unsigned)n;
}

/* The call takes 40 us, and only exec changes the arguments. */
static void
copy_command(struct kperf_processes *p, const struct process_read *of,
	     struct process_reading *out)
{
	struct process_command *c = &p->command;
	char args[PROCESS_COMMAND_SIZE];
	int n;

	if (c->pid != of->pid || c->start != of->start ||
	    strcmp(p->command_name, of->name) != 0) {
		n = p->host->proc_args(of->pid, args, sizeof args);
		process_command_make(c, of->pid, of->start, args,
				     n > 0 ? (size_t)n : 0);
		memcpy(p->command_name, of->name, sizeof p->command_name);
	}
	out->command = *c;
}

static struct process_read *
find_opened(const struct process_request *w, const struct process_reading *out)
{
	for (unsigned i = 0; w != NULL && w->opened >= 0 && i < out->n; i++)
		if (out->row[i].pid == w->opened &&
		    out->row[i].start == w->opened_at)
			return &out->row[i];
	return NULL;
}

static void
read_opened(struct kperf_processes *p, const struct process_request *w,
	    struct process_reading *out)
{
	struct process_read *row = find_opened(w, out);

	out->nthreads = 0;
	out->command.pid = -1;
	if (row == NULL) {
		p->command.pid = -1;
		return;
	}
	if (p->host->proc_args != NULL)
		copy_command(p, row, out);
	if (p->host->thread_list != NULL && p->host->thread_counts != NULL)
		copy_threads(p, row, out);
}

bool
kperf_processes_read(struct kperf_processes *p, const struct clock *c,
		     const struct process_request *w,
		     struct process_reading *out, struct err *e)
{
	struct stamp begun, done;

	if (!list_pids(p, e))
		return false;
	clock_now(c, &begun);
	unsigned looks = read_each_process(p, w, &begun);
	clock_now(c, &done);
	if (looks > 0)
		p->look_ns = (done.awake_ns - begun.awake_ns) / looks;
	p->slow = p->look_ns * p->nlooks > budget_ns;
	if (!copy_rows(p, out, e))
		return false;
	read_opened(p, w, out);
	write_notice(p, out);
	clock_now(c, &done);
	out->stamp = begun;
	out->cost_ns = done.awake_ns - begun.awake_ns;
	out->parts = p->parts;
	out->domain = DOMAIN_ALL;
	/* A user who can read pid 0 can read all processes. */
	out->everything = p->kernel && !p->cut && out->left_out == 0;
	out->recorded = out->has_rest = false;
	out->started = UINT64_MAX;
	struct kept *swap = p->was;
	p->was = p->now;
	p->now = swap;
	p->nwas = p->nnow;
	p->pass++;
	return true;
}

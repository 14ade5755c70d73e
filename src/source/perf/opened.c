#include "source/perf/opened.h"

#include <stdio.h>
#include <string.h>

static const struct proc_entry *
wished_for(const struct proc_list *all, const struct process_wish *w)
{
	const struct proc_entry *e =
		w->opened >= 0 ? proc_list_find(all, w->opened) : NULL;

	return e != NULL && e->line.start == w->opened_at ? e : NULL;
}

static void
drop(struct opened *o, struct tracker *t, struct proc_entry *e)
{
	struct task_set *set;

	if (e->group < 0)
		return;
	set = &o->set[e->group];
	t->files -= set->files;
	task_set_close(set, &t->plan);
	e->group = -1;
}

void
opened_close(struct opened *o, struct tracker *t)
{
	if (!o->used)
		return;
	for (unsigned i = 0; i < o->list.n; i++)
		drop(o, t, &o->list.entry[i]);
	for (unsigned i = 0; i < PROCESS_THREADS_MAX; i++)
		task_set_free(&o->set[i]);
	proc_list_close(&o->list);
	o->used = false;
	o->command.pid = -1;
}

/* A group of its own, that follows nobody: each thread has a row. */
static void
attach(struct opened *o, struct tracker *t, struct proc_entry *e,
       const struct tracker_files *files)
{
	uint64_t room = files->room(files->self,
				    t->files + task_set_files(&t->plan, 1));
	unsigned i = 0;
	int code;

	e->access = PROCESS_NO_ROOM;
	while (i < PROCESS_THREADS_MAX && o->set[i].n > 0)
		i++;
	if (i == PROCESS_THREADS_MAX || room <= t->files)
		return;
	code = task_set_open(&o->set[i], &t->plan, &e->pid, 1, false,
			     room - t->files);
	e->access = (uint8_t)tracker_access(code);
	if (code != 0)
		return;
	t->files += o->set[i].files;
	o->counting[i] = ++t->counting;
	e->group = (int)i;
}

static void
fill_row(const struct opened *o, const struct tracker *t,
	 const struct proc_entry *e, const struct proc_entry *whole,
	 struct process_read *row)
{
	const struct task_set *set = e->group >= 0 ? &o->set[e->group] : NULL;

	memset(row, 0, sizeof *row);
	row->pid = o->pid;
	row->parent = whole->line.parent;
	row->start = e->line.start;
	row->started_awake_ns = e->started_awake_ns;
	row->uid = whole->uid;
	row->thread = (uint64_t)e->pid;
	row->state = e->line.state;
	row->access = e->access;
	memcpy(row->name, e->line.name, sizeof row->name);
	if (set != NULL) {
		row->total = set->total;
		row->counting = o->counting[e->group];
		row->flags = set->flags;
		if (set->starved)
			row->access = PROCESS_HELD;
		else
			row->known = tracker_known(t);
	}
	row->total.user_ns = e->user_ns;
	row->total.system_ns = e->system_ns;
	row->known |= PROCESS_HAS_TIMES;
	if (e->missed || (set != NULL && set->late))
		row->flags |= PROCESS_KEPT;
}

/* Once: what it was started as stays, but for another program. */
static void
read_command(struct opened *o, const struct proc_list *all,
	     const struct proc_entry *e)
{
	struct process_command *c = &o->command;
	char path[40], args[PROCESS_COMMAND_SIZE];
	ssize_t n;

	if (c->pid == e->pid && c->start == e->line.start &&
	    strcmp(o->name, e->line.name) == 0)
		return;
	snprintf(path, sizeof path, "%d/cmdline", (int)e->pid);
	n = proc_read_once(dirfd(all->dir), path, args, sizeof args);
	process_command_make(c, e->pid, e->line.start, args,
			     n > 0 ? (size_t)n : 0);
	memcpy(o->name, e->line.name, sizeof o->name);
}

void
opened_look(struct opened *o, struct tracker *t, struct proc_list *all,
	    const char *root, const struct process_wish *w,
	    const struct tracker_files *files, const struct stamp *now,
	    struct process_reading *out)
{
	const struct proc_entry *whole = wished_for(all, w);

	if (o->used && (whole == NULL || o->pid != whole->pid ||
			o->start != whole->line.start))
		opened_close(o, t);
	if (whole == NULL)
		return;
	read_command(o, all, whole);
	out->command = o->command;
	if (!o->used &&
	    !proc_list_open_threads(&o->list, all, root, whole->pid))
		return;
	o->used = true;
	o->pid = whole->pid;
	o->start = whole->line.start;
	o->list.keep = all->keep > all->kept ? all->keep - all->kept : 0;
	if (!proc_list_look(&o->list, now, UINT64_MAX, NULL))
		return;
	for (unsigned i = 0; i < o->list.n; i++) {
		struct proc_entry *e = &o->list.entry[i];

		if (e->group >= 0 && (e->moved || e->gone))
			(void)task_set_read(&o->set[e->group], &t->plan);
		else if (e->group < 0 && t->why == PROCESS_COUNTED &&
			 !e->gone && e->line.state != PROCESS_ENDED)
			attach(o, t, e, files);
		else if (e->group < 0)
			e->access = (uint8_t)t->why;
		if (!e->gone && out->nthreads < PROCESS_THREADS_MAX)
			fill_row(o, t, e, whole, &out->thread[out->nthreads++]);
		if (e->gone)
			drop(o, t, e);
	}
}

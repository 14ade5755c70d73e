/* Made-up processes below a recorded machine's /proc. */
#ifndef TESTS_SOURCE_PERF_PROCESSES_H
#define TESTS_SOURCE_PERF_PROCESSES_H

#include "source/fake_perf.h"

#include <sys/stat.h>

struct made_up {
	int pid, parent;
	const char *name;
	char state;
	unsigned uid, threads;
	unsigned long long user, system, start; /* ticks */
	unsigned long long ran_ns;
};

static inline void
made_up_write(const struct rig *r, const struct made_up *p, const char *folder)
{
	char path[128], text[512];

	snprintf(path, sizeof(path), "%s%s", r->root, folder);
	(void)mkdir(path, 0755);
	snprintf(path, sizeof(path), "%s/stat", folder);
	snprintf(
		text, sizeof(text),
		"%d (%s) %c %d 1 1 0 -1 0 0 0 0 0 %llu %llu 0 0 20 0 %u 0 %llu 0 0\n",
		p->pid, p->name, p->state, p->parent, p->user, p->system,
		p->threads, p->start);
	rig_write(r, path, text);
	snprintf(path, sizeof(path), "%s/schedstat", folder);
	snprintf(text, sizeof(text), "%llu 0 1\n", p->ran_ns);
	rig_write(r, path, text);
	snprintf(path, sizeof(path), "%s/status", folder);
	snprintf(text, sizeof(text), "Name:\tx\nUid:\t9\t%u\t9\t9\n", p->uid);
	rig_write(r, path, text);
}

/* As the kernel changes its files: the same inodes. */
static inline void
made_up_put(const struct rig *r, const struct made_up *p)
{
	char folder[64];

	snprintf(folder, sizeof(folder), "/proc/%d", p->pid);
	made_up_write(r, p, folder);
}

/* It ended: whoever has its files open reads nothing, and its folder goes. */
static inline void
made_up_remove_folder(const struct rig *r, const char *folder)
{
	static const char *const name[] = { "stat", "schedstat", "status",
					    "cmdline" };
	char path[128];

	for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
		snprintf(path, sizeof(path), "%s/%s", folder, name[i]);
		rig_write(r, path, "");
		snprintf(path, sizeof(path), "%s%s/%s", r->root, folder,
			 name[i]);
		(void)unlink(path);
	}
	snprintf(path, sizeof(path), "%s%s", r->root, folder);
	(void)rmdir(path);
}

static inline void
made_up_remove(const struct rig *r, int pid)
{
	char folder[64];

	snprintf(folder, sizeof(folder), "/proc/%d", pid);
	made_up_remove_folder(r, folder);
}

static inline const struct process_read *
row_of(const struct process_reading *r, int pid)
{
	for (unsigned i = 0; i < r->n; i++)
		if (r->row[i].pid == pid)
			return &r->row[i];
	return NULL;
}

static inline uint64_t
time_of(const struct process_reading *r, int pid)
{
	const struct process_read *row = row_of(r, pid);

	assert_non_null(row);
	assert_true(row->known & PROCESS_HAS_TIMES);
	return row->total.user_ns + row->total.system_ns;
}

static inline void
read_processes(struct rig *r, struct process_reading *out)
{
	static const struct process_request some = { .opened = -1, .top = 4 };

	if (!r->s->ops->processes(r->s, &some, out, &r->e))
		fail_msg("%s", r->e.text);
}

#endif

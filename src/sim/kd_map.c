#include "sim/kd_map.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Sleepers have one thread each; nobody else more than CPUs. */
#define MOST_PIDS (SIM_PROCS_MOST + 2 * SIM_SLOTS)
#define MOST_THREADS (MOST_PIDS + SIM_SLOTS * SIM_MAX_CPUS)

_Static_assert(sizeof(struct sim_map_entry) == 32, "kd_threadmap");

static void
entry_add(struct sim_map *map, uint64_t thread, int32_t pid, const char *name)
{
	struct sim_map_entry *m = &map->entry[map->len++];

	memset(m, 0, sizeof *m);
	m->thread = thread;
	m->pid = pid == 0 ? 1 : pid;
	snprintf(m->command, sizeof m->command, "%.19s", name);
}

static void
process_add(struct sim_kernel *k, struct sim_map *map, int32_t pid)
{
	static const struct sim_caller root;
	struct host_proc p;
	uint64_t id[SIM_MAX_CPUS];
	int n = 0;

	if (sim_proc_short(k, &root, pid, &p) != 0 ||
	    sim_thread_list(k, &root, pid, id, SIM_MAX_CPUS, &n) != 0)
		return;
	for (int i = 0; i < n && map->len < MOST_THREADS; i++)
		entry_add(map, id[i], pid, p.name);
}

bool
sim_kd_map_make(struct sim_kernel *k, struct sim_map *m)
{
	int32_t *pid = calloc(MOST_PIDS, sizeof *pid);
	bool listed = k->table.listed;
	int n = 0;

	if (m->entry == NULL)
		m->entry = calloc(MOST_THREADS, sizeof *m->entry);
	if (pid == NULL || m->entry == NULL) {
		free(pid);
		return false;
	}
	m->len = 0;
	sim_proc_list(k, pid, MOST_PIDS, &n);
	k->table.listed = listed; /* the caller has not seen it */
	for (int i = 0; i < n; i++)
		process_add(k, m, pid[i]);
	free(pid);
	return true;
}

static int
map_out(struct sim_kd_call *c, const struct sim_map *m)
{
	size_t size = m->len * sizeof *m->entry;

	if (c->req.old_size < size)
		return EINVAL;
	memcpy(c->req.old, m->entry, size);
	c->out = size;
	return 0;
}

int
sim_kd_map_once(struct sim_kd_call *c)
{
	struct sim_kernel *k = c->req.k;
	int code;

	if ((k->s->kd.flags & SIM_KD_MAPINIT) == 0 ||
	    k->tracing.map.entry == NULL)
		return ENODATA;
	if (c->req.old == NULL)
		return EINVAL;
	if ((code = map_out(c, &k->tracing.map)) == 0)
		k->s->kd.flags &= ~(uint32_t)SIM_KD_MAPINIT;
	return code;
}

/* There is no asking for the size: room for a quarter more than there are. */
int
sim_kd_map_now(struct sim_kd_call *c)
{
	struct sim_map m = { .entry = NULL };
	int code = 0;

	if (c->req.old == NULL || c->req.old_size == 0)
		return EFAULT;
	if (!sim_kd_map_make(c->req.k, &m))
		code = ENOMEM;
	else if (c->req.old_size < (m.len + m.len / 4) * sizeof *m.entry)
		code = EINVAL;
	else
		code = map_out(c, &m);
	free(m.entry);
	return code;
}

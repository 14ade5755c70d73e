/* kdebug's sysctl, as in bsd/kern/kdebug.c. Callers pass input in `old`. */
#include "sim/inside.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A sleeper has one thread, others at most SIM_MAX_CPUS. */
#define MOST_PIDS (SIM_PROCS_MOST + 2 * SIM_SLOTS)
#define MOST_THREADS (MOST_PIDS + SIM_SLOTS * SIM_MAX_CPUS)

_Static_assert(sizeof(struct sim_map_entry) == 32, "kd_threadmap");

static void
map_add(struct sim_map *map, uint64_t thread, int32_t pid, const char *name)
{
	struct sim_map_entry *m = &map->entry[map->len++];

	memset(m, 0, sizeof *m);
	m->thread = thread;
	m->pid = pid == 0 ? 1 : pid;
	snprintf(m->command, sizeof m->command, "%.19s", name);
}

static void
map_add_process(struct sim_kernel *k, struct sim_map *map, int32_t pid)
{
	static const struct sim_caller root;
	struct host_proc p;
	uint64_t id[SIM_MAX_CPUS];
	int n = 0;

	if (sim_proc_short(k, &root, pid, &p) != 0 ||
	    sim_thread_list(k, &root, pid, id, SIM_MAX_CPUS, &n) != 0)
		return;
	for (int i = 0; i < n && map->len < MOST_THREADS; i++)
		map_add(map, id[i], pid, p.name);
}

static bool
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
	k->table.listed = listed;
	for (int i = 0; i < n; i++)
		map_add_process(k, m, pid[i]);
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

/* KDTHRMAP returns the map of KDENABLE, once. */
static int
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

static int
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

enum op {
	OP_EFLAGS = 1,
	OP_DFLAGS,
	OP_ENABLE,
	OP_SETBUF,
	OP_GETBUF,
	OP_SETUP,
	OP_REMOVE,
	OP_SETREG,
	OP_GETREG,
	OP_READTR,
	OP_THRMAP = 12,
	OP_READCURTHRMAP = 21,
	OP_SET_TYPEFILTER,
	OP_BUFWAIT
};

enum {
	CLASSTYPE = 0x10000,
	SUBCLSTYPE = 0x20000,
	RANGETYPE = 0x40000,
	TYPENONE = 0x80000
};

#define CLASS_TRACE 7
#define COPROCESSORS_MORE 16 /* for coprocessors that register later */
#define LEAST_A_CPU 8192
#define MOST_EVENTS (SIM_KD_UNITS_MOST * SIM_UNIT_RECORDS)
#define SLEEP_NS 100000000LL
#define FOR_EVER_NS (3600 * SIM_SECOND_NS)

struct regtype {
	uint32_t type, value[4];
};

struct bufinfo {
	int32_t nkdbufs, nolog;
	uint32_t flags;
	int32_t nkdthreads, bufid;
};

_Static_assert(sizeof(struct regtype) == 20, "kd_regtype");
_Static_assert(sizeof(struct bufinfo) == 20, "kbufinfo_t");
_Static_assert(sizeof(struct sim_record) == 64, "kd_buf");

static int
op_enable(struct sim_kd_call *c)
{
	struct sim_kernel *k = c->req.k;
	struct sim_kd *kd = &k->s->kd;
	int value = c->mib[3];

	if (value != 0 && value != 1 && value != 8)
		return EINVAL;
	if (value != 0 && kd->units == 0)
		return EINVAL;
	c->out = (size_t)value;
	if (value == 0) {
		kd->enabled = kd->logs = false;
		return 0;
	}
	if (!sim_kd_map_make(k, &k->tracing.map))
		return ENOMEM;
	kd->flags |= SIM_KD_MAPINIT;
	kd->map_threads = k->tracing.map.len;
	kd->oldest = sim_kd_ticks(k, k->s->time.now_ns);
	kd->enabled = kd->logs = true;
	memset(k->tracing.last_tick, 0, sizeof k->tracing.last_tick);
	return 0;
}

static int
op_getbuf(struct sim_kd_call *c)
{
	struct sim_kernel *k = c->req.k;
	const struct sim_kd *kd = &k->s->kd;
	int32_t owner = sim_ktrace_owner(k);
	struct bufinfo b = {
		.nkdbufs =
			(int32_t)(kd->units != 0 ? kd->units * SIM_UNIT_RECORDS
						 : kd->asked),
		.nolog = !kd->logs,
		.flags = kd->flags | SIM_KD_LP64 |
			 (kd->units != 0 ? SIM_KD_BUFINIT : 0),
		.nkdthreads = (int32_t)kd->map_threads,
		.bufid = owner != 0 ? owner : -1,
	};

	c->out = c->req.old_size < sizeof b ? c->req.old_size : sizeof b;
	if (c->req.old != NULL)
		memcpy(c->req.old, &b, c->out);
	return 0;
}

/* Stops kdebug and allocates a new ring. Filters and all flags but
 * SIM_KD_WRAPPED stay. */
static int
op_setup(struct sim_kd_call *c)
{
	struct sim_kernel *k = c->req.k;
	struct sim_kd *kd = &k->s->kd;
	uint32_t cpus = k->ncpus + COPROCESSORS_MORE;
	uint32_t units = kd->asked / SIM_UNIT_RECORDS;

	if (units < cpus * LEAST_A_CPU / SIM_UNIT_RECORDS)
		units = cpus * LEAST_A_CPU / SIM_UNIT_RECORDS;
	kd->enabled = kd->logs = false;
	c->wait_ns = SLEEP_NS;
	sim_ring_free(k->tracing.ring);
	k->tracing.ring = sim_ring_new(units);
	kd->units = k->tracing.ring != NULL ? units : 0;
	kd->flags &= ~(uint32_t)SIM_KD_WRAPPED;
	k->tracing.ring_setup = ++kd->setup;
	return k->tracing.ring != NULL ? 0 : ENOSPC;
}

static int
op_setreg(struct sim_kd_call *c)
{
	struct sim_kd *kd = &c->req.k->s->kd;
	uint32_t all = SIM_KD_RANGECHECK | SIM_KD_VALCHECK;
	struct regtype t;

	if (c->req.old == NULL || c->req.old_size < sizeof t)
		return EINVAL;
	memcpy(&t, c->req.old, sizeof t);
	switch (t.type) {
	case CLASSTYPE:
		t.value[0] = (t.value[0] & 0xff) << 24;
		t.value[1] = (t.value[1] & 0xff) << 24;
		break;
	case SUBCLSTYPE:
		t.value[0] = (t.value[0] & 0xff) << 24 | (t.value[1] & 0xff)
								 << 16;
		t.value[1] = t.value[0] + (1u << 16);
		break;
	case RANGETYPE:
	case SIM_KD_VALCHECK:
	case TYPENONE:
		break;
	default:
		return EINVAL;
	}
	kd->flags &= ~all;
	if (t.type != TYPENONE)
		kd->flags |= t.type == SIM_KD_VALCHECK ? SIM_KD_VALCHECK
						       : SIM_KD_RANGECHECK;
	memcpy(kd->value, t.value, sizeof kd->value);
	c->out = sizeof t;
	return 0;
}

static int
op_typefilter(struct sim_kd_call *c)
{
	struct sim_kd *kd = &c->req.k->s->kd;

	if (c->req.old == NULL || c->req.old_size != sizeof kd->types)
		return EINVAL;
	memcpy(kd->types, c->req.old, sizeof kd->types);
	/* Class TRACE always passes. A class has 32 bytes, one bit per
	 * subclass. */
	memset(kd->types + CLASS_TRACE * 32, 0xff, 32);
	kd->flags |= SIM_KD_TYPEFILTER;
	c->out = sizeof kd->types;
	return 0;
}

static int
op_readtr(struct sim_kd_call *c)
{
	struct sim_kernel *k = c->req.k;
	struct sim_kd *kd = &k->s->kd;
	size_t max = c->req.old_size / sizeof(struct sim_record), n = 0;
	struct sim_record *out = (struct sim_record *)(void *)c->req.old;

	if (c->req.old == NULL || max == 0 || kd->units == 0)
		return EINVAL;
	if (max > (size_t)kd->units * SIM_UNIT_RECORDS)
		max = (size_t)kd->units * SIM_UNIT_RECORDS;
	/* The reader makes this record, so no filter applies. */
	if (kd->flags & SIM_KD_WRAPPED)
		out[n++] = (struct sim_record){
			.timestamp = sim_kd_ticks(k, k->s->time.now_ns),
			.debugid = SIM_KD_LOST,
		};
	kd->flags &= ~(uint32_t)SIM_KD_WRAPPED;
	if (sim_kd_ring(k))
		n += sim_ring_read(k->tracing.ring, kd->oldest,
				   sim_kd_ticks(k, k->s->time.now_ns), out + n,
				   max - n);
	if (n > 1 && out[0].debugid == SIM_KD_LOST)
		out[0].timestamp = out[1].timestamp;
	/* From macOS 13 on, kdebug stops if the ring fills up during a read. */
	if (sim_fault_now(k, SIM_FAULT_RING) != NULL && kd->enabled) {
		kd->flags |= SIM_KD_WRAPPED;
		if (k->s->os >= SIM_OS(13, 0))
			kd->enabled = false;
	}
	if (n > 0 && out[n - 1].debugid != SIM_KD_LOST)
		kd->oldest = out[n - 1].timestamp;
	c->out = n;
	return 0;
}

static int
op_any_setup(struct sim_kd_call *c)
{
	struct sim_kernel *k = c->req.k;
	struct sim_kd *kd = &k->s->kd;

	switch (c->mib[2]) {
	case OP_EFLAGS:
		kd->flags |= (uint32_t)c->mib[3] & SIM_KD_USERFLAGS;
		c->out = (uint32_t)c->mib[3];
		return 0;
	case OP_DFLAGS:
		kd->flags &= ~((uint32_t)c->mib[3] & SIM_KD_USERFLAGS);
		c->out = (uint32_t)c->mib[3];
		return 0;
	case OP_ENABLE:
		return op_enable(c);
	case OP_SETBUF:
		kd->asked = (uint32_t)c->mib[3] < MOST_EVENTS
				    ? (uint32_t)c->mib[3]
				    : MOST_EVENTS;
		c->out = (uint32_t)c->mib[3];
		return 0;
	case OP_SETUP:
		return op_setup(c);
	case OP_REMOVE:
		sim_ktrace_reset(k, SIM_KTRACE_KDEBUG);
		c->wait_ns = SLEEP_NS;
		return 0;
	case OP_SETREG:
		return op_setreg(c);
	case OP_GETREG:
		return EINVAL;
	case OP_READTR:
		return op_readtr(c);
	case OP_THRMAP:
		return sim_kd_map_once(c);
	case OP_SET_TYPEFILTER:
		return op_typefilter(c);
	case OP_BUFWAIT:
		c->until_half = true;
		c->wait_ns = c->req.old_size == 0 || c->req.old_size > 3600000
				     ? FOR_EVER_NS
				     : (int64_t)c->req.old_size * 1000000;
		return 0;
	default:
		return ENOTSUP;
	}
}

int
sim_kdebug(struct sim_kd_call *c)
{
	bool value, reads;

	if (c->n < 3)
		return ENOTSUP;
	value = c->mib[2] >= OP_EFLAGS && c->mib[2] <= OP_SETBUF;
	if (value && c->n < 4)
		return EINVAL;
	/* All operations except these two make the caller the owner of
	 * tracing. */
	reads = c->mib[2] == OP_GETBUF || c->mib[2] == OP_READCURTHRMAP;
	if (reads && !sim_ktrace_allows(&c->req))
		return EPERM;
	if (reads)
		return c->mib[2] == OP_GETBUF ? op_getbuf(c)
					      : sim_kd_map_now(c);
	int code = sim_ktrace_configure(&c->req, SIM_KTRACE_KDEBUG);
	return code != 0 ? code : op_any_setup(c);
}

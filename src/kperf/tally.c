#include "kperf/tally.h"

#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

enum { CPUS = 128 }; /* samples of CPUs from this number on are ignored */
enum { VALUES = KPC_MAX_COUNTERS + 4 };
enum { LAST_READS = 2 }; /* readings until an ended thread is forgotten */

struct pending_sample {
	uint64_t thread, value[VALUES];
	uint64_t info_thread; /* thread of `pid` */
	int32_t pid;
	unsigned n;
	bool on;
};

struct thread {
	uint64_t id, seen; /* id 0: free; seen: ticks of the last sample */
	uint32_t process;
	bool based;    /* has a previous total */
	uint8_t dying; /* readings until the thread is forgotten; 0: alive */
};

struct process {
	int32_t pid;
	uint64_t unique;
	uint32_t threads;
};

struct node {
	uint32_t chain; /* next node of the bucket or of the free list */
	bool touched;
	uint64_t samples;
};

struct table {
	struct node *node;
	uint32_t *bucket;
	uint32_t free;
	uint32_t *touched;
	uint32_t ntouched;
	uint64_t *delta; /* [most * counters], differences of this reading */
};

enum {
	RECORDS = 32768, /* records per call: 2 MiB */
	CALLS = 8 /* calls per reading; remaining records are read next time */
};

struct kperf_tally {
	struct kperf_record *buffer;
	struct kperf_tally_options o;
	unsigned buckets;
	struct table by_thread, by_process;
	struct thread *thread;
	struct process *process;
	uint64_t *last; /* [most * counters], last totals of threads */
	uint32_t *dying;
	uint32_t ndying;
	uint64_t sum[KPC_MAX_COUNTERS];
	struct kperf_tally_quality quality;
	struct pending_sample cpu[CPUS];
};

static uint32_t *
bucket_of(const struct kperf_tally *t, const struct table *in, uint64_t key)
{
	uint64_t h = key * UINT64_C(0x9e3779b97f4a7c15);

	return &in->bucket[h >> 32 & (t->buckets - 1)];
}

static uint32_t
node_alloc(struct kperf_tally *t, struct table *in, uint64_t key)
{
	uint32_t at = in->free, *bucket = bucket_of(t, in, key);

	if (at == NONE)
		return NONE;
	in->free = in->node[at].chain;
	in->node[at] = (struct node){ .chain = *bucket };
	*bucket = at;
	return at;
}

static void
node_free(struct kperf_tally *t, struct table *in, uint32_t at, uint64_t key)
{
	uint32_t *from = bucket_of(t, in, key);

	while (*from != at)
		from = &in->node[*from].chain;
	*from = in->node[at].chain;
	in->node[at].chain = in->free;
	in->free = at;
}

static bool
table_new(struct kperf_tally *t, struct table *in)
{
	in->node = calloc(t->o.most, sizeof *in->node);
	in->bucket = malloc(t->buckets * sizeof *in->bucket);
	in->touched = malloc(t->o.most * sizeof *in->touched);
	in->delta =
		calloc((size_t)t->o.most * t->o.counters, sizeof *in->delta);
	if (in->node == NULL || in->bucket == NULL || in->touched == NULL ||
	    in->delta == NULL)
		return false;
	memset(in->bucket, 0xff, t->buckets * sizeof *in->bucket);
	for (uint32_t i = 0; i < t->o.most; i++)
		in->node[i].chain = i + 1 < t->o.most ? i + 1 : NONE;
	return true;
}

static void
table_free(struct table *in)
{
	free(in->node);
	free(in->bucket);
	free(in->touched);
	free(in->delta);
}

struct kperf_tally *
kperf_tally_new(const struct kperf_tally_options *o)
{
	struct kperf_tally *t = calloc(1, sizeof *t);

	if (t == NULL)
		return NULL;
	t->o = *o;
	if (t->o.most == 0 || t->o.most > KPERF_TALLY_MOST)
		t->o.most = KPERF_TALLY_MOST;
	for (t->buckets = 1; t->buckets < 2 * t->o.most;)
		t->buckets *= 2;
	t->thread = calloc(t->o.most, sizeof *t->thread);
	t->process = calloc(t->o.most, sizeof *t->process);
	t->last = calloc((size_t)t->o.most * o->counters, sizeof *t->last);
	t->dying = calloc(t->o.most, sizeof *t->dying);
	t->buffer = malloc(RECORDS * sizeof *t->buffer);
	if (t->buffer != NULL && t->thread != NULL && t->process != NULL &&
	    t->last != NULL && t->dying != NULL &&
	    table_new(t, &t->by_thread) && table_new(t, &t->by_process))
		return t;
	kperf_tally_free(t);
	return NULL;
}

void
kperf_tally_free(struct kperf_tally *t)
{
	if (t == NULL)
		return;
	table_free(&t->by_thread);
	table_free(&t->by_process);
	free(t->thread);
	free(t->process);
	free(t->last);
	free(t->dying);
	free(t->buffer);
	free(t);
}

static uint32_t
tally_find_process(const struct kperf_tally *t, int32_t pid)
{
	uint32_t at = *bucket_of(t, &t->by_process, (uint64_t)(int64_t)pid);

	while (at != NONE && t->process[at].pid != pid)
		at = t->by_process.node[at].chain;
	return at;
}

static void
process_forget(struct kperf_tally *t, uint32_t at)
{
	node_free(t, &t->by_process, at, (uint64_t)(int64_t)t->process[at].pid);
}

static uint32_t
process_new(struct kperf_tally *t, int32_t pid, uint64_t unique)
{
	uint32_t at = node_alloc(t, &t->by_process, (uint64_t)(int64_t)pid);

	if (at == NONE)
		return NONE;
	t->process[at] = (struct process){ .pid = pid, .unique = unique };
	return at;
}

/* Returns the process of a new thread. A process with an unknown unique id
 * is taken only if it has the creating thread, since pids are reused. */
static uint32_t
process_of_birth(struct kperf_tally *t, const struct kperf_record *r,
		 uint32_t maker)
{
	int32_t pid = (int32_t)r->arg[1];
	uint64_t unique = r->arg[3];
	uint32_t at = tally_find_process(t, pid);

	if (at != NONE && t->process[at].unique == unique)
		return at;
	if (at != NONE && t->process[at].unique == 0 && maker != NONE &&
	    t->thread[maker].process == at) {
		t->process[at].unique = unique;
		return at;
	}
	return process_new(t, pid, unique);
}

static uint32_t
tally_find_thread(const struct kperf_tally *t, uint64_t id)
{
	uint32_t at = *bucket_of(t, &t->by_thread, id);

	while (at != NONE && t->thread[at].id != id)
		at = t->by_thread.node[at].chain;
	return at;
}

static void
thread_forget(struct kperf_tally *t, uint32_t at)
{
	uint32_t process = t->thread[at].process;

	node_free(t, &t->by_thread, at, t->thread[at].id);
	t->thread[at].id = 0;
	/* Keep a process with samples until the next reading. */
	if (--t->process[process].threads == 0 &&
	    !t->by_process.node[process].touched)
		process_forget(t, process);
}

/* If a table is full, evicts the thread that was not sampled for the longest
 * time, never one sampled in this reading. True: both tables have space. */
static bool
evict_thread(struct kperf_tally *t)
{
	uint32_t at = NONE;

	if (t->by_thread.free != NONE && t->by_process.free != NONE)
		return true;
	t->quality.forgotten++;
	for (uint32_t i = 0; i < t->o.most; i++) {
		const struct thread *it = &t->thread[i];

		if (it->id != 0 && !t->by_thread.node[i].touched &&
		    it->dying == 0 &&
		    (at == NONE || it->seen < t->thread[at].seen))
			at = i;
	}
	if (at == NONE)
		return false;
	thread_forget(t, at);
	return t->by_thread.free != NONE && t->by_process.free != NONE;
}

static uint32_t
thread_new(struct kperf_tally *t, uint64_t id, uint32_t process)
{
	uint32_t at = node_alloc(t, &t->by_thread, id);

	if (at == NONE)
		return NONE;
	t->thread[at] = (struct thread){ .id = id, .process = process };
	t->process[process].threads++;
	memset(&t->last[(size_t)at * t->o.counters], 0,
	       t->o.counters * sizeof *t->last);
	return at;
}

static uint32_t
thread_seen_first(struct kperf_tally *t, uint64_t id, int32_t pid)
{
	if (!evict_thread(t))
		return NONE;
	uint32_t process = tally_find_process(t, pid);
	if (process == NONE)
		process = process_new(t, pid, 0);
	return thread_new(t, id, process);
}

/* A new thread's counters start at 0. The thread may already be known from the
 * kernel's map. */
static void
thread_born(struct kperf_tally *t, const struct kperf_record *r)
{
	uint32_t at = tally_find_thread(t, r->arg[0]);

	if (t->o.pid != -1 && (int32_t)r->arg[1] != t->o.pid)
		return;
	if (at == NONE && evict_thread(t))
		at = thread_new(t, r->arg[0],
				process_of_birth(
					t, r, tally_find_thread(t, r->thread)));
	if (at == NONE || t->thread[at].based)
		return;
	t->thread[at].based = true;
	t->thread[at].seen = r->timestamp;
}

static void
thread_ended(struct kperf_tally *t, const struct kperf_record *r)
{
	uint32_t at = tally_find_thread(t, r->thread);

	if (at == NONE || t->thread[at].dying != 0)
		return;
	if (t->process[t->thread[at].process].unique == 0)
		t->process[t->thread[at].process].unique = r->arg[1];
	t->thread[at].dying = LAST_READS;
	t->dying[t->ndying++] = at;
}

static uint64_t *
node_delta(const struct kperf_tally *t, const struct table *in, uint32_t at)
{
	return &in->delta[(size_t)at * t->o.counters];
}

static void
node_touch(struct kperf_tally *t, struct table *in, uint32_t at)
{
	struct node *it = &in->node[at];

	if (it->touched)
		return;
	it->touched = true;
	it->samples = 0;
	memset(node_delta(t, in, at), 0, t->o.counters * sizeof *in->delta);
	in->touched[in->ntouched++] = at;
}

/* True: no count fell, and cycles fit the clock rate, with a tolerance. */
static bool
is_possible_difference(const struct kperf_tally *t, const struct thread *it,
		       const uint64_t *last, const uint64_t *now,
		       uint64_t ticks)
{
	double s = ticks > it->seen ? (double)(ticks - it->seen) / t->o.tick_hz
				    : 0;
	int c = t->o.cycles;

	for (unsigned i = 0; i < t->o.counters; i++)
		if (now[i] < last[i])
			return false;
	return c < 0 || (double)(now[c] - last[c]) <=
				1.05 * t->o.most_hz *
					(s + (double)t->o.period_ns * 1e-9);
}

static void
add_difference(struct kperf_tally *t, uint32_t at, const uint64_t *now)
{
	uint32_t process = t->thread[at].process;
	const uint64_t *last = &t->last[(size_t)at * t->o.counters];
	uint64_t *thread_sum = node_delta(t, &t->by_thread, at);
	uint64_t *process_sum = node_delta(t, &t->by_process, process);

	for (unsigned i = 0; i < t->o.counters; i++) {
		uint64_t d = now[i] - last[i];

		thread_sum[i] += d;
		process_sum[i] += d;
		t->sum[i] += d;
	}
	t->by_thread.node[at].samples++;
	t->by_process.node[process].samples++;
}

static bool
all_zero(const uint64_t *value, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (value[i] != 0)
			return false;
	return true;
}

static void
count_sample(struct kperf_tally *t, const struct pending_sample *j,
	     uint64_t ticks)
{
	unsigned n = t->o.counters;
	uint32_t at = tally_find_thread(t, j->thread);
	bool info_thread = j->info_thread == j->thread;

	t->quality.samples++;
	if (at == NONE && info_thread)
		at = thread_seen_first(t, j->thread, j->pid);
	if (at == NONE)
		return;
	struct thread *it = &t->thread[at];
	node_touch(t, &t->by_thread, at);
	node_touch(t, &t->by_process, it->process);
	if (all_zero(j->value, n)) { /* the thread has no buffer yet */
		t->quality.unbuffered++;
		return;
	}
	if (!it->based)
		t->quality.first++;
	else if (!is_possible_difference(t, it, &t->last[(size_t)at * n],
					 j->value, ticks))
		t->quality.rejected++;
	else
		add_difference(t, at, j->value);
	memcpy(&t->last[(size_t)at * n], j->value, n * sizeof *t->last);
	it->based = true;
	it->seen = ticks;
}

static void
add_counters(struct kperf_tally *t, struct pending_sample *j,
	     const struct kperf_record *r)
{
	enum { START = 1, END = 2 };

	if (r->debugid & START) {
		t->quality.torn += j->on;
		j->thread = r->thread;
		j->n = 0;
		j->on = true;
	}
	/* Skip the remaining records of a complete sample, and samples without
	 * a start. */
	if (!j->on)
		return;
	if (r->thread != j->thread) {
		t->quality.torn++;
		j->on = false;
		return;
	}
	for (unsigned i = 0; i < 4 && j->n < VALUES; i++)
		j->value[j->n++] = r->arg[i];
	if (j->n >= t->o.counters) {
		j->on = false;
		count_sample(t, j, r->timestamp);
	} else if (r->debugid & END) {
		t->quality.torn++;
		j->on = false;
	}
}

static void
add_record(struct kperf_tally *t, const struct kperf_record *r)
{
	struct pending_sample *j = &t->cpu[r->cpu < CPUS ? r->cpu : 0];

	switch (r->debugid) {
	case KPERF_REC_LOST:
		memset(t->cpu, 0, sizeof t->cpu); /* totals stay valid */
		return;
	case KPERF_REC_NEWTHREAD:
		thread_born(t, r);
		return;
	case KPERF_REC_TERMINATED:
		thread_ended(t, r);
		return;
	}
	if (r->cpu >= CPUS)
		return;
	if ((r->debugid & ~3u) == KPERF_REC_KPC_THREAD) {
		add_counters(t, j, r);
	} else if (r->debugid == KPERF_REC_TI_DATA) {
		t->quality.torn += j->on;
		j->on = false;
		j->pid = (int32_t)r->arg[0];
		j->info_thread = r->arg[1];
	}
}

void
kperf_tally_add(struct kperf_tally *t, const struct kperf_record *r, size_t n)
{
	t->quality.records += n;
	for (size_t i = 0; i < n; i++)
		add_record(t, &r[i]);
}

/* The map gives kernel threads pid 1, samples give them pid 0. */
void
kperf_tally_map(struct kperf_tally *t, const struct kperf_mapped *m, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (m[i].pid > 1 && m[i].thread != 0 &&
		    (t->o.pid == -1 || t->o.pid == m[i].pid) &&
		    t->by_thread.free != NONE && t->by_process.free != NONE &&
		    tally_find_thread(t, m[i].thread) == NONE)
			(void)thread_seen_first(t, m[i].thread, m[i].pid);
}

void
kperf_tally_learn(struct kperf_tally *t, const struct kperf_trace *trace)
{
	struct kperf_mapped *map = (struct kperf_mapped *)(void *)t->buffer;

	kperf_tally_map(
		t, map,
		kperf_trace_map(trace, map,
				RECORDS * sizeof *t->buffer / sizeof *map));
}

void
kperf_tally_period(struct kperf_tally *t, uint64_t period_ns)
{
	t->o.period_ns = period_ns;
}

void
kperf_tally_restart(struct kperf_tally *t)
{
	memset(t->cpu, 0, sizeof t->cpu);
	for (uint32_t i = 0; i < t->o.most; i++)
		t->thread[i].based = false;
}

static void
forget_ended_threads(struct kperf_tally *t)
{
	uint32_t left = 0;

	for (uint32_t i = 0; i < t->ndying; i++) {
		uint32_t at = t->dying[i];

		if (--t->thread[at].dying == 0)
			thread_forget(t, at);
		else
			t->dying[left++] = at;
	}
	t->ndying = left;
}

void
kperf_tally_begin(struct kperf_tally *t)
{
	for (uint32_t i = 0; i < t->by_thread.ntouched; i++)
		t->by_thread.node[t->by_thread.touched[i]].touched = false;
	t->by_thread.ntouched = 0;
	for (uint32_t i = 0; i < t->by_process.ntouched; i++) {
		uint32_t at = t->by_process.touched[i];

		t->by_process.node[at].touched = false;
		if (t->process[at].threads == 0)
			process_forget(t, at);
	}
	t->by_process.ntouched = 0;
	forget_ended_threads(t);
}

enum kperf_trace_state
kperf_tally_read(struct kperf_tally *t, struct kperf_trace *trace, bool skip,
		 uint64_t *gaps, struct kperf_fault *why)
{
	enum kperf_trace_state state = KPERF_TRACE_MORE;
	bool gap, any = false;
	size_t n;

	kperf_tally_begin(t);
	for (unsigned i = 0; i < CALLS && state == KPERF_TRACE_MORE; i++) {
		state = kperf_trace_read(trace, t->buffer, RECORDS, &n, &gap,
					 why);
		if (state == KPERF_TRACE_EVICTED || state == KPERF_TRACE_FAILED)
			return state;
		if (!skip)
			kperf_tally_add(t, t->buffer, n);
		any = any || gap;
	}
	*gaps += any;
	return KPERF_TRACE_OK;
}

bool
kperf_tally_process(const struct kperf_tally *t, unsigned i,
		    struct kperf_tallied *out)
{
	if (i >= t->by_process.ntouched)
		return false;
	uint32_t at = t->by_process.touched[i];
	const struct process *p = &t->process[at];

	*out = (struct kperf_tallied){
		.pid = p->pid,
		.unique = p->unique,
		.samples = t->by_process.node[at].samples,
		.threads = p->threads,
		.delta = node_delta(t, &t->by_process, at),
	};
	return true;
}

bool
kperf_tally_thread(const struct kperf_tally *t, unsigned i,
		   struct kperf_tallied *out)
{
	if (i >= t->by_thread.ntouched)
		return false;
	uint32_t at = t->by_thread.touched[i];
	const struct thread *it = &t->thread[at];
	const struct process *p = &t->process[it->process];

	*out = (struct kperf_tallied){
		.thread = it->id,
		.pid = p->pid,
		.unique = p->unique,
		.samples = t->by_thread.node[at].samples,
		.ended = it->dying != 0,
		.seen = it->seen,
		.delta = node_delta(t, &t->by_thread, at),
	};
	return true;
}

const uint64_t *
kperf_tally_sum(const struct kperf_tally *t)
{
	return t->sum;
}

const struct kperf_tally_quality *
kperf_tally_quality(const struct kperf_tally *t)
{
	return &t->quality;
}

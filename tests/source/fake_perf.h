/*
 * A kernel's perf events that are not there: behind the seam of perf_ops, with
 * the errors, limits and habits that a test asks for.
 */
#ifndef TESTS_SOURCE_FAKE_PERF_H
#define TESTS_SOURCE_FAKE_PERF_H

#include "model/metric.h"
#include "monitor/monitor.h"
#include "source/perf/perf.h"
#include "source/tree.h"

#include <errno.h>
#include <cmocka.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	FAKE_FDS = 16384,
	FAKE_FD_FIRST = 100,
	FAKE_MEMBERS = 16,
	FAKE_LISTS = 64,
	FAKE_TASK = 1000000 /* a thread is a CPU of its own, from here on */
};

struct fake_event {
	bool used, enabled;
	struct perf_event_attr attr;
	int cpu, leader; /* index of the leader; its own if it leads */
	int member[FAKE_MEMBERS], nmembers;
	uint64_t value, en, run;
	bool torn; /* its CPU was off line */
	struct fake_event *after;
};

struct fake {
	struct perf_ops ops;
	struct clock clock;
	int64_t now_ns, slept_ns;
	struct fake_event *event; /* [FAKE_FDS] */
	/* Those that are open, as they came: a list for some of the CPUs. */
	struct fake_event *list[FAKE_LISTS];
	/* 0, or the errno that the open gives. NULL: none. */
	int (*refuse)(struct fake *f, const struct perf_event_attr *attr,
		      int cpu, int leader);
	/* Takes over a read; false: the usual answer. */
	bool (*on_read)(struct fake *f, struct fake_event *e, void *buf,
			ssize_t *n);
	uint64_t soft, hard; /* limit of files; 0: none */
	unsigned raised;     /* times the limit was asked for */
	uint64_t put_back;   /* the limit, at the end */
	unsigned files, opens, reads, next;
	unsigned general; /* counters a group may have beside the pair; 0: any
			   */
	/*
	 * Counters of each CPU (0: as many as are wanted), and those of them
	 * that others hold: for good, or by turns with whoever else wants them.
	 */
	unsigned counters, pinned, others;
	int from; /* that CPU on: those before have as many as are wanted */
	uint64_t *offline;  /* bit set of CPUs, or NULL */
	bool clocks_starve; /* see fake_starves */
	int failures;       /* for on_read */
	void *arg;
};

static inline struct fake_event *
fake_at(struct fake *f, int fd)
{
	return &f->event[fd - FAKE_FD_FIRST];
}

static inline struct fake_event **
fake_list(struct fake *f, int cpu)
{
	return &f->list[(unsigned)cpu % FAKE_LISTS];
}

/* Of e and those after it in its list the first on that CPU, or NULL. */
static inline struct fake_event *
fake_from(struct fake_event *e, int cpu)
{
	while (e != NULL && e->cpu != cpu)
		e = e->after;
	return e;
}

/* What is open on a CPU, as it came; NULL ends. */
static inline struct fake_event *
fake_first_on(struct fake *f, int cpu)
{
	return fake_from(*fake_list(f, cpu), cpu);
}

static inline struct fake_event *
fake_next_on(const struct fake_event *e)
{
	return fake_from(e->after, e->cpu);
}

/* What is open at all, one list after the other: begins after NULL. */
static inline struct fake_event *
fake_next(struct fake *f, const struct fake_event *e)
{
	unsigned i = e == NULL ? 0 : (unsigned)e->cpu % FAKE_LISTS + 1;

	if (e != NULL && e->after != NULL)
		return e->after;
	while (i < FAKE_LISTS && f->list[i] == NULL)
		i++;
	return i < FAKE_LISTS ? f->list[i] : NULL;
}

static inline bool
fake_leads(const struct fake *f, const struct fake_event *e)
{
	return &f->event[e->leader] == e;
}

static inline void
fake_list_add(struct fake *f, struct fake_event *e)
{
	struct fake_event **at = fake_list(f, e->cpu);

	while (*at != NULL)
		at = &(*at)->after;
	*at = e;
}

static inline void
fake_list_remove(struct fake *f, struct fake_event *e)
{
	struct fake_event **at = fake_list(f, e->cpu);

	while (*at != e)
		at = &(*at)->after;
	*at = e->after;
}

static inline int
fake_open(void *self, struct perf_event_attr *attr, int cpu, int leader)
{
	struct fake *f = self;
	struct fake_event *e;
	int code, i;

	f->opens++;
	if (f->refuse != NULL &&
	    (code = f->refuse(f, attr, cpu, leader)) != 0) {
		errno = code;
		return -1;
	}
	if (f->soft != 0 && f->files >= f->soft) {
		errno = EMFILE;
		return -1;
	}
	for (i = (int)f->next; f->event[i].used; i = (i + 1) % FAKE_FDS)
		continue;
	f->next = (unsigned)(i + 1) % FAKE_FDS;
	e = &f->event[i];
	memset(e, 0, sizeof(*e));
	e->used = true;
	e->attr = *attr;
	e->cpu = cpu;
	e->leader = leader < 0 ? i : leader - FAKE_FD_FIRST;
	e->enabled = !attr->disabled;
	struct fake_event *l = &f->event[e->leader];

	assert_int_equal(l->cpu, cpu); /* EINVAL otherwise */
	assert_true(l->nmembers < FAKE_MEMBERS);
	l->member[l->nmembers++] = i;
	fake_list_add(f, e);
	f->files++;
	return FAKE_FD_FIRST + i;
}

static inline int
fake_open_task(void *self, struct perf_event_attr *attr, int32_t tid,
	       int leader)
{
	return fake_open(self, attr, FAKE_TASK + tid, leader);
}

static inline ssize_t
fake_read(void *self, int fd, void *buf, size_t size)
{
	struct fake *f = self;
	struct fake_event *e = fake_at(f, fd);
	uint64_t *w = buf;
	ssize_t n;

	f->reads++;
	assert_true(e->used);
	if (f->on_read != NULL && f->on_read(f, e, buf, &n))
		return n;
	if (size < (size_t)(3 + 2 * e->nmembers) * 8) {
		errno = ENOSPC;
		return -1;
	}
	w[0] = e->torn ? 1 : (uint64_t)e->nmembers;
	w[1] = e->en;
	w[2] = e->run;
	for (int i = 0; i < e->nmembers; i++) {
		w[3 + 2 * i] = f->event[e->member[i]].value;
		w[4 + 2 * i] = (uint64_t)e->member[i];
	}
	return (ssize_t)(3 + 2 * w[0]) * 8;
}

/* Counters that a group takes: the kernel's own events take none. */
static inline unsigned
fake_needs(const struct fake *f, const struct fake_event *leader)
{
	unsigned n = 0;

	for (int k = 0; k < leader->nmembers; k++)
		n += f->event[leader->member[k]].attr.type !=
		     PERF_TYPE_SOFTWARE;
	return n;
}

/* All counters that groups on that CPU want, of others too. */
static inline unsigned
fake_wanted(struct fake *f, int cpu)
{
	unsigned n = f->others;

	for (struct fake_event *e = fake_first_on(f, cpu); e != NULL;
	     e = fake_next_on(e))
		if (fake_leads(f, e) && e->enabled)
			n += fake_needs(f, e);
	return n;
}

/*
 * The time of `ns` that a group counts: all, where everybody's find counters;
 * a share, where they take turns; none, where it never fits.
 */
static inline uint64_t
fake_runs(struct fake *f, const struct fake_event *leader, uint64_t ns)
{
	unsigned needs = fake_needs(f, leader), wanted;
	unsigned left = f->counters - f->pinned;

	if (f->counters == 0 || needs == 0 || leader->cpu < f->from)
		return ns;
	wanted = fake_wanted(f, leader->cpu);
	if (wanted <= left)
		return ns;
	return needs <= left ? ns * left / wanted : 0;
}

static inline int
fake_ioctl(void *self, int fd, unsigned long request)
{
	struct fake *f = self;
	struct fake_event *e = fake_at(f, fd);

	assert_int_equal(request, PERF_EVENT_IOC_ENABLE);
	for (int i = 0; i < e->nmembers; i++)
		f->event[e->member[i]].enabled = true;
	/* It is placed at once, behind all others, or waits for its turn. */
	if (f->counters != 0) {
		e->en += 1000;
		e->run += fake_runs(f, e, 1000) == 1000 ? 1000 : 0;
	}
	return 0;
}

static inline int
fake_close(void *self, int fd)
{
	struct fake *f = self;
	struct fake_event *e = fake_at(f, fd);

	struct fake_event *l = &f->event[e->leader];
	int n = 0;

	assert_true(e->used);
	/* A member that is closed leaves its group. */
	for (int i = 0; l->used && i < l->nmembers; i++)
		if (l->member[i] != fd - FAKE_FD_FIRST)
			l->member[n++] = l->member[i];
	if (l->used)
		l->nmembers = n;
	e->used = false;
	fake_list_remove(f, e);
	f->files--;
	return 0;
}

static inline uint64_t
fake_limit(void *self, uint64_t want)
{
	struct fake *f = self;

	f->raised++;
	if (f->hard == 0)
		return want;
	if (want > f->hard)
		want = f->hard;
	if (want > f->soft)
		f->soft = want;
	return f->soft;
}

static inline void
fake_limit_back(void *self, uint64_t to)
{
	struct fake *f = self;

	f->put_back = to;
}

static inline void
fake_now(void *self, struct stamp *out)
{
	struct fake *f = self;

	*out = (struct stamp){ f->now_ns, f->now_ns + f->slept_ns, f->now_ns };
}

static inline struct fake *
fake_new(void)
{
	struct fake *f = calloc(1, sizeof(*f));

	assert_non_null(f);
	f->event = calloc(FAKE_FDS, sizeof(*f->event));
	assert_non_null(f->event);
	f->now_ns = 1000000000;
	f->clock = (struct clock){ .self = f, .now = fake_now };
	f->ops = (struct perf_ops){ .self = f,
				    .open = fake_open,
				    .open_task = fake_open_task,
				    .read = fake_read,
				    .ioctl = fake_ioctl,
				    .close = fake_close,
				    .limit = fake_limit,
				    .limit_back = fake_limit_back,
				    .clock = &f->clock };
	return f;
}

static inline void
fake_free(struct fake *f)
{
	assert_int_equal(f->files, 0); /* nothing leaks */
	free(f->event);
	free(f);
}

/* The open leader on that CPU, or NULL. */
static inline struct fake_event *
fake_leader(struct fake *f, int cpu)
{
	for (struct fake_event *e = fake_first_on(f, cpu); e != NULL;
	     e = fake_next_on(e))
		if (fake_leads(f, e))
			return e;
	return NULL;
}

/* The open event of that config on that CPU, or NULL. */
static inline struct fake_event *
fake_find(struct fake *f, int cpu, uint32_t type, uint64_t config)
{
	for (struct fake_event *e = fake_first_on(f, cpu); e != NULL;
	     e = fake_next_on(e))
		if (e->attr.type == type && e->attr.config == config)
			return e;
	return NULL;
}

static inline void
fake_times(struct fake *f, int cpu, uint64_t en, uint64_t run)
{
	struct fake_event *l = fake_leader(f, cpu);

	assert_non_null(l);
	l->en += en;
	l->run += run;
}

/* The kernel's bug (6.12 to 7.2): a clock that leads and was never disabled. */
static inline bool
fake_starves(const struct fake_event *leader)
{
	return leader->attr.type == PERF_TYPE_SOFTWARE &&
	       leader->attr.config <= PERF_COUNT_SW_TASK_CLOCK &&
	       !leader->attr.disabled;
}

/* One second of the same on every CPU: v in each event, all the time. */
static inline void
fake_second(struct fake *f, uint64_t v)
{
	const uint64_t second = 1000000000;

	f->now_ns += (int64_t)second;
	for (struct fake_event *e = fake_next(f, NULL); e != NULL;
	     e = fake_next(f, e)) {
		uint64_t run;

		if (!e->enabled || f->event[e->leader].torn)
			continue;
		run = fake_runs(f, &f->event[e->leader], second);
		if (!(f->clocks_starve && !fake_leads(f, e) &&
		      fake_starves(&f->event[e->leader])))
			e->value +=
				run == second ? v : v / 1000 * (run / 1000000);
		if (fake_leads(f, e)) {
			e->en += second;
			e->run += run;
		}
	}
}

/* ---- a source on a recorded machine and this kernel ---- */

struct rig {
	char root[64];
	struct fake *f;
	struct source_options o;
	struct source *s;
	struct sample *sample;
	struct monitor *m;
	const struct frame *frame;
	struct err e;
	uint64_t ticks[64][2]; /* /proc/stat: busy, idle of each CPU */
};

static inline void
rig_write(const struct rig *r, const char *path, const char *text)
{
	char full[256];
	FILE *fp;

	snprintf(full, sizeof(full), "%s%s", r->root, path);
	fp = fopen(full, "w");
	assert_non_null(fp);
	assert_true(fputs(text, fp) >= 0);
	fclose(fp);
}

/* As the kernel changes a file in place: the same inode. */
static inline void
rig_stat(struct rig *r)
{
	char text[8192];
	size_t n = (size_t)snprintf(text, sizeof(text), "cpu  0 0 0 0\n");

	for (unsigned i = 0; i < 64; i++)
		n += (size_t)snprintf(text + n, sizeof(text) - n,
				      "cpu%u %llu 0 0 %llu 0 0 0 0 0 0\n", i,
				      (unsigned long long)r->ticks[i][0],
				      (unsigned long long)r->ticks[i][1]);
	rig_write(r, "/proc/stat", text);
}

static inline void
rig_prepare(struct rig *r, const char *machine)
{
	memset(r, 0, sizeof(*r));
	assert_true(tree_unpack(machine, r->root, sizeof(r->root)));
	r->f = fake_new();
	r->o.root = r->root;
	rig_stat(r);
}

static inline void
rig_open(struct rig *r)
{
	struct monitor_options mo = { .period_ns = 1000000000 };

	r->s = perf_open_with(&r->o, &r->f->ops, &r->e);
	if (r->s == NULL)
		fail_msg("%s", r->e.text);
	r->sample = sample_new(r->s->info.topology->ncpus, &r->e);
	mo.catalog = r->s->info.catalog;
	r->m = monitor_new(r->s->info.topology, &mo, &r->e);
	assert_non_null(r->sample);
	assert_non_null(r->m);
}

static inline const struct event *
rig_event(const struct rig *r, const char *name)
{
	const struct event *e = catalog_find(r->s->info.catalog, name);

	if (e == NULL)
		fail_msg("no %s", name);
	return e;
}

static inline void
rig_close(struct rig *r)
{
	monitor_free(r->m);
	sample_free(r->sample);
	if (r->s != NULL)
		r->s->ops->close(r->s);
	fake_free(r->f);
	tree_remove(r->root);
}

static inline const struct frame *
rig_read(struct rig *r)
{
	assert_int_equal(r->s->ops->read(r->s, r->sample, &r->e), SOURCE_OK);
	r->frame = monitor_feed(r->m, r->sample);
	return r->frame;
}

/* On a recorded machine whose kernel refuses that; NULL: nothing. */
static inline void
rig_start(struct rig *r, const char *machine,
	  int (*refuse)(struct fake *f, const struct perf_event_attr *attr,
			int cpu, int leader))
{
	rig_prepare(r, machine);
	r->f->refuse = refuse;
	rig_open(r);
}

/* A second in which each event counts v, and what the source says of it. */
static inline const struct frame *
rig_second(struct rig *r, uint64_t v)
{
	fake_second(r->f, v);
	return rig_read(r);
}

static inline bool
rig_program(struct rig *r, const char *preset)
{
	struct eventset set;

	if (!preset_derive(&preset_table[preset_find(preset)],
			   r->s->info.catalog, DOMAIN_ALL, &set, &r->e) ||
	    !r->s->ops->program(r->s, &set, &r->e))
		return false;
	rig_read(r);
	return true;
}

/* Names separated by blanks; the slot of each is its place in *at. */
static inline void
rig_events(struct rig *r, const char *names, unsigned at[EVENTSET_MAX])
{
	const struct event *want[EVENTSET_MAX];
	struct eventset set = { .len = 0 };
	char copy[256], *save = NULL;
	unsigned n = 0;

	snprintf(copy, sizeof(copy), "%s", names);
	for (char *s = strtok_r(copy, " ", &save); s != NULL;
	     s = strtok_r(NULL, " ", &save))
		want[n++] = rig_event(r, s);
	if (!slots_place(r->s->info.catalog, want, n, &set, &r->e) ||
	    !r->s->ops->program(r->s, &set, &r->e))
		fail_msg("%s", r->e.text);
	for (unsigned i = 0; i < n; i++)
		for (unsigned k = 0; k < set.len; k++)
			if (set.slot[k].event == want[i])
				at[i] = k;
	rig_read(r);
}

static inline double
rig_value(const struct rig *r, unsigned scope, const char *metric)
{
	return frame_value(r->frame, scope, (unsigned)metric_find(metric));
}

static inline enum value_state
rig_state(const struct rig *r, unsigned scope, const char *metric)
{
	return frame_state(r->frame, scope, (unsigned)metric_find(metric));
}

static inline bool
near(double a, double b)
{
	return fabs(a - b) <= 1e-9 * fabs(b);
}

#endif

#include "kperf/inside.h"

#include "kperf/tally.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PERIOD_NS = 50000000 };

struct kps_processes {
	struct kps_group group;
	struct kps_cpus *cpus;
	unsigned rows;
	struct kps_processes_options o;
	struct kperf_trace trace;
	struct kperf_tally *tally; /* NULL: never started */
	uint64_t *now, *last;      /* [rows * events] */
	bool *answered, *based;    /* [rows]; based: `last` is valid */
	uint64_t machine[KPS_EVENTS_MAX];
	uint64_t epoch, gaps;
	bool every_cpu;
};

/* clang-format off */
KPS_LIFE(kps_processes)
KPS_GET(uint64_t, kps_processes_period, kps_processes, it->trace.period_ns)
/* clang-format on */

static bool
fail_trace(struct kps_error *e, const struct kperf_fault *f,
	   enum kps_status otherwise, const char *detail)
{
	enum kps_status code = f->why == EPERM   ? KPS_MISSING_PRIVILEGES
			       : f->why == EBUSY ? KPS_TRACE_OWNED
						 : otherwise;
	const char *advice = kps_status_advice(code);

	kps_fail(e, code, f->call, "%s%s (%s: %s)%s%s", kps_status_text(code),
		 detail, f->call, strerror(f->why), advice != NULL ? "; " : "",
		 advice != NULL ? advice : "");
	if (e != NULL)
		e->sys_errno = f->why;
	return false;
}

static bool
check_trace_offered(const struct kps_sampler *s, struct kps_error *e)
{
	return s->system != NULL || kps_fail_status(e, KPS_NO_TRACE, NULL);
}

bool
kps_tracer(struct kps_sampler *s, struct kps_tracer *out, struct kps_error *e)
{
	struct kperf_owner owner;
	struct kperf_fault why;

	if (!check_trace_offered(s, e))
		return false;
	if (!kperf_trace_owner(s->system, &owner, &why))
		return fail_trace(e, &why, KPS_TRACE_FAILED, "");
	*out = (struct kps_tracer){ owner.pid, owner.background };
	return true;
}

static bool
fail_start(const struct kps_processes *p, const struct kperf_fault *f,
	   struct kps_error *e)
{
	struct kperf_owner owner = { 0, false };
	struct kperf_fault why;
	char who[40] = "";

	if (f->why == EBUSY &&
	    kperf_trace_owner(p->trace.system, &owner, &why) && owner.pid != 0)
		snprintf(who, sizeof who, ", pid %d", (int)owner.pid);
	return fail_trace(e, f, KPS_TRACE_FAILED, who);
}

static bool
stop_tracing(struct kps_group *g, struct kps_error *e)
{
	struct kps_processes *p = (struct kps_processes *)(void *)g;

	if (g->sampler->machine->tracer == g)
		g->sampler->machine->tracer = NULL;
	return kperf_trace_release(&p->trace) ||
	       kps_fail(
		       e, KPS_TRACE_FAILED, "kperf_reset",
		       "kernel tracing cannot be restored; another tool that traces the kernel resets it, and so does a restart of the Mac");
}

static void
destroy_processes(struct kps_processes *p)
{
	if (p == NULL)
		return;
	kps_cpus_free(p->cpus);
	kperf_tally_free(p->tally);
	free(p->now);
	free(p->last);
	free(p->answered);
	free(p->based);
	free(p);
}

static bool
allocate_rows(struct kps_processes *p, unsigned n, struct kps_error *e)
{
	size_t values = (size_t)p->rows * n;

	p->now = calloc(values, sizeof *p->now);
	p->last = calloc(values, sizeof *p->last);
	p->answered = calloc(p->rows, sizeof *p->answered);
	p->based = calloc(p->rows, sizeof *p->based);
	return (p->now != NULL && p->last != NULL && p->answered != NULL &&
		p->based != NULL) ||
	       kps_fail_memory(e, "a sampler of processes");
}

struct kps_processes *
kps_processes_new(struct kps_sampler *s, const char *const *names, unsigned n,
		  const struct kps_processes_options *o, struct kps_error *e)
{
	struct kps_processes *p;

	if (!check_trace_offered(s, e))
		return NULL;
	p = kps_new(sizeof *p, "a sampler of processes", e);
	if (p == NULL)
		return NULL;
	if (o != NULL)
		p->o = *o;
	p->trace.kperf = &s->kperf;
	p->trace.system = s->system;
	p->group.threads = true;
	p->group.stopping = stop_tracing;
	p->cpus = kps_cpus_new(s, names, n, e);
	p->rows = p->cpus != NULL ? kps_cpus_count(p->cpus) : 0;
	if (p->cpus != NULL && allocate_rows(p, n, e) &&
	    kps_group_init(&p->group, s, names, n, e))
		return p;
	destroy_processes(p);
	return NULL;
}

void
kps_processes_free(struct kps_processes *p)
{
	if (p == NULL)
		return;
	kps_group_done(&p->group);
	destroy_processes(p);
}

static int
cycles_column(const struct kps_database *d)
{
	const struct kps_event *ev = kps_database_find(d, "Cycles");
	int column = 0;

	if (ev == NULL || !ev->fixed || ev->counters == 0)
		return -1;
	while ((ev->counters >> column & 1) == 0)
		column++;
	return column;
}

static bool
tally_new(struct kps_processes *p, struct kps_error *e)
{
	const struct kps_sampler *s = p->group.sampler;
	struct kperf_tally_options o = {
		.counters = p->group.stride,
		.most = p->o.threads_max,
		.pid = p->o.pid != 0 ? p->o.pid : -1,
		.cycles = cycles_column(s->database),
		.most_hz = p->o.hz_max > 0 ? p->o.hz_max : 6e9,
		.tick_hz = (double)s->kperf.kperf_tick_frequency(),
		.period_ns = p->trace.period_ns,
	};

	kperf_tally_free(p->tally);
	p->tally = kperf_tally_new(&o);
	return p->tally != NULL || kps_fail_memory(e, "threads");
}

static bool
read_machine(struct kps_processes *p, struct kps_error *e)
{
	unsigned n = p->group.n;

	if (!kps_cpus_sample(p->cpus, p->now, p->answered, e))
		return false;
	for (unsigned cpu = 0; cpu < p->rows; cpu++) {
		uint64_t *now = &p->now[(size_t)cpu * n];
		uint64_t *last = &p->last[(size_t)cpu * n];

		if (!p->answered[cpu]) {
			p->every_cpu = p->every_cpu && !p->based[cpu];
			continue;
		}
		for (unsigned i = 0; p->based[cpu] && i < n; i++)
			p->machine[i] += now[i] - last[i];
		memcpy(last, now, n * sizeof *now);
		p->based[cpu] = true;
	}
	return true;
}

static void
reset_machine(struct kps_processes *p)
{
	memset(p->based, 0, p->rows * sizeof *p->based);
	(void)read_machine(p, NULL);
}

/* Call with the lock taken, while the counters run. */
static bool
trace_start(struct kps_processes *p, struct kps_error *e)
{
	struct kps_machine *m = p->group.sampler->machine;
	struct kperf_fault why = { KPERF_FAULT_CALL, "", 0 };

	if (m->tracer != NULL)
		return kps_fail(
			e, KPS_TRACE_OWNED, NULL,
			"another sampler of processes runs in this program; stop it first");
	/* Thread counting was set by a dead tracer: do not restore it. */
	if (kperf_trace_is_stale(p->trace.system))
		m->found.threads = 0;
	if (!kperf_trace_prepare(
		    &p->trace, p->o.pid != 0 ? p->o.pid : -1,
		    p->o.period_ns != 0 ? p->o.period_ns : PERIOD_NS, &why))
		return fail_start(p, &why, e);
	if (!tally_new(p, e)) {
		(void)kperf_trace_release(&p->trace);
		return false;
	}
	p->gaps = 0;
	p->epoch = m->epoch;
	p->every_cpu = true;
	memset(p->machine, 0, sizeof p->machine);
	reset_machine(p);
	if (!kperf_trace_start(&p->trace, &why))
		return fail_start(p, &why, e);
	m->tracer = &p->group;
	kperf_tally_learn(p->tally, &p->trace);
	return true;
}

/* Checks the owner of ktrace before any change; another tool can still become
 * owner later. */
static bool
is_trace_free(const struct kps_processes *p, struct kps_error *e)
{
	struct kperf_fault why = { KPERF_FAULT_CALL, "KERN_KDDFLAGS", EBUSY };
	struct kperf_owner owner;

	if (!kperf_trace_owner(p->trace.system, &owner, &why))
		return fail_trace(e, &why, KPS_TRACE_FAILED, "");
	return owner.pid == 0 || owner.background ||
	       owner.pid == (int32_t)getpid() || fail_start(p, &why, e);
}

bool
kps_processes_start(struct kps_processes *p, struct kps_error *e)
{
	if (kps_processes_running(p))
		return true;
	if (!is_trace_free(p, e) || !kps_group_start(&p->group, e))
		return false;
	bool ok = kps_cpus_start(p->cpus, e);
	kps_lock();
	ok = ok && trace_start(p, e);
	kps_unlock();
	if (!ok) {
		(void)kps_cpus_stop(p->cpus, NULL);
		(void)kps_group_stop(&p->group, NULL);
	}
	return ok;
}

bool
kps_processes_stop(struct kps_processes *p, struct kps_error *e)
{
	bool ok = kps_group_stop(&p->group, e);

	return kps_cpus_stop(p->cpus, ok ? e : NULL) && ok;
}

static bool
fail_read(enum kperf_trace_state state, const struct kperf_fault *f,
	  struct kps_error *e)
{
	if (state == KPERF_TRACE_EVICTED) {
		kps_fail_status(e, KPS_TRACE_EVICTED, f->call);
		return false;
	}
	return fail_trace(e, f, KPS_TRACE_LOST, "");
}

static bool
read_locked(struct kps_processes *p, struct kps_error *e)
{
	const struct kps_machine *m = p->group.sampler->machine;
	bool other = p->epoch != m->epoch;
	struct kperf_fault why;

	enum kperf_trace_state state =
		kperf_tally_read(p->tally, &p->trace, other, &p->gaps, &why);
	if (state != KPERF_TRACE_OK)
		return fail_read(state, &why, e);
	if (!other)
		return read_machine(p, e);
	p->epoch = m->epoch;
	p->gaps++;
	kperf_tally_restart(p->tally);
	reset_machine(p);
	return true;
}

bool
kps_processes_read(struct kps_processes *p, struct kps_error *e)
{
	/* Locked, since a read after a release would take ktrace again. */
	kps_lock();
	bool ok = kps_group_ready(&p->group, e) && read_locked(p, e);
	kps_unlock();
	return ok;
}

static void
fill_sampled(const struct kps_processes *p, const struct kperf_tallied *row,
	     struct kps_sampled *out)
{
	*out = (struct kps_sampled){
		.pid = row->pid,
		.thread = row->thread,
		.unique = row->unique,
		.samples = row->samples,
		.threads = row->threads,
		.ended = row->ended,
		.ticks = row->seen,
	};
	for (unsigned i = 0; i < p->group.n; i++)
		out->values[i] = row->delta[p->group.column[i]];
}

bool
kps_processes_process(const struct kps_processes *p, unsigned i,
		      struct kps_sampled *out)
{
	struct kperf_tallied row;

	if (p->tally == NULL || !kperf_tally_process(p->tally, i, &row))
		return false;
	fill_sampled(p, &row, out);
	return true;
}

bool
kps_processes_thread(const struct kps_processes *p, unsigned i,
		     struct kps_sampled *out)
{
	struct kperf_tallied row;

	if (p->tally == NULL || !kperf_tally_thread(p->tally, i, &row))
		return false;
	fill_sampled(p, &row, out);
	return true;
}

void
kps_processes_quality(const struct kps_processes *p,
		      struct kps_processes_quality *out)
{
	memset(out, 0, sizeof *out);
	if (p->tally == NULL)
		return;
	const struct kperf_tally_quality *q = kperf_tally_quality(p->tally);
	const uint64_t *sum = kperf_tally_sum(p->tally);
	for (unsigned i = 0; i < p->group.n; i++) {
		out->machine[i] = p->machine[i];
		out->attributed[i] = sum[p->group.column[i]];
	}
	out->records = q->records;
	out->samples = q->samples;
	out->gaps = p->gaps;
	out->torn = q->torn;
	out->rejected = q->rejected;
	out->first = q->first;
	out->unbuffered = q->unbuffered;
	out->forgotten = q->forgotten;
	out->every_cpu = p->every_cpu;
}

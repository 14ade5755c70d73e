/*
 * Does tracing of the kernel tell the counts of other programs' threads here?
 * What nobody could say of it without a Mac, by trying for a moment.
 */
#include "source/kperf/examine.h"

#include <errno.h>
#include <inttypes.h>

#include "base/report.h"
#include "kperf/trace.h"
#include "source/kperf/host.h"

enum { TRIAL_NS = 200 * 1000 * 1000, KD_GETBUF = 5, A_CPU = 8192, MORE = 16 };

/* Who has it: nobody's name, only numbers, and what the tool is called. */
static void
owner_line(const struct examine *x, const char *key)
{
	const struct host_api *host = kperf_of(x->s)->host;
	char by[64];

	if (!host_text(host, "ktrace.configured_by", by, sizeof by))
		by[0] = '\0';
	report_line(x->out, key,
		    "state %" PRIu64 ", process %" PRIu64
		    ", in the background %" PRIu64 "%s%s",
		    host_number_or(host, "ktrace.state", 0),
		    host_number_or(host, "ktrace.owning_pid", 0),
		    host_number_or(host, "ktrace.background_pid", 0),
		    by[0] != '\0' ? ", set up by " : "", by);
}

/* On recent systems a size that is not asked for is said to be an error. */
static void
size_line(const struct examine *x, const struct kperf_system *system)
{
	uint8_t info[64];
	char number[24];
	int code;

	errno = 0;
	code = system->kdebug(KD_GETBUF, 0, info, NULL) == 0 ? 0 : errno;
	report_line(x->out, "without a size", "%s",
		    report_outcome(code, number));
}

static double
ms(int64_t ns)
{
	return (double)ns * 1e-6;
}

/* Of samples on two CPUs at nearly one time. */
static void
shape_line(const struct examine *x, const struct trace_shape *h)
{
	const struct kperf_api *k = kperf_of(x->s)->kpc;
	uint64_t of = h->near != 0 ? h->near : 1;

	report_line(x->out, "mixed",
		    "%" PRIu64 " of %" PRIu64
		    " samples have another CPU's record in between; %" PRIu64
		    " began within %d us of another CPU's, %" PRIu64
		    " ns later on average, at most %" PRIu64 " ns",
		    h->mixed, h->samples, h->near, KPERF_NEAR_NS / 1000,
		    k->kperf_ticks_to_ns(h->ticks) / of,
		    k->kperf_ticks_to_ns(h->most));
}

/* Which processes, by number, have most of what threads counted. */
static void
put_busiest(struct buf *b, const struct kperf_traced_trial *t)
{
	for (unsigned i = 0; i < t->n; i++)
		buf_printf(b, "%s %d (%.0f%%)", i == 0 ? "; processes" : ",",
			   (int)t->row[i].pid,
			   100 * (double)t->row[i].cycles /
				   (double)t->all.cycles);
}

/*
 * Between two samples of a thread, all threads together; of the events, which
 * are the first preset's, how many came.
 */
static void
count_line(const struct examine *x, const struct kperf_traced_trial *t)
{
	const struct eventset *set = &kperf_of(x->s)->set;
	unsigned came = 0;
	char text[1024];
	struct buf b = buf_over(text, sizeof text);

	if (t->all.cycles == 0) {
		report_line(x->out, "threads counted", "nothing");
		return;
	}
	for (unsigned i = 0; i < set->len; i++)
		came += (t->slots >> i & 1) != 0 && t->all.slot[i] != 0;
	buf_printf(&b, "%" PRIu64 " cycles, IPC %.2f, %u of %u events",
		   t->all.cycles,
		   (double)t->all.instructions / (double)t->all.cycles, came,
		   set->len);
	put_busiest(&b, t);
	report_line(x->out, "threads counted", "%s", buf_cstr(&b));
}

static void
trial_lines(const struct examine *x, const struct kperf_traced_trial *t)
{
	if (t->start_ns == 0 && t->why[0] != '\0') {
		report_line(x->out, "trial", "%s", t->why);
		return;
	}
	report_line(
		x->out, "start",
		"%.1f ms, a ring of %d records: for %d CPUs and coprocessors",
		ms(t->start_ns), (int)t->ring, (int)t->ring / A_CPU - MORE);
	report_line(x->out, "trial",
		    "%d ms, one each %.0f ms: %" PRIu64 " records, %" PRIu64
		    " samples, %u threads, %u processes",
		    TRIAL_NS / 1000000, ms((int64_t)t->period_ns), t->records,
		    t->samples, t->threads, t->processes);
	report_line(x->out, "samples",
		    "%" PRIu64 " without counters, %" PRIu64 " torn, %" PRIu64
		    " rejected; records lost %" PRIu64 " times",
		    t->unbuffered, t->torn, t->dropped, t->gaps);
	count_line(x, t);
	shape_line(x, &t->shape);
	report_line(x->out, "read, stop", "%.1f ms, %.1f ms%s", ms(t->read_ns),
		    ms(t->stop_ns),
		    t->put_back ? "" : "; not everything could be put back");
	if (t->why[0] != '\0')
		report_line(x->out, "lost", "%s", t->why);
}

void
kperf_examine_tracing(struct examine *x)
{
	struct kperf_source *s = kperf_of(x->s);
	struct kperf_traced_trial t;
	struct kperf_owner owner;
	struct kperf_fault f;

	if (s->host->system == NULL) {
		report_line(x->out, "tracing", "not offered");
		return;
	}
	owner_line(x, "owner before");
	if (kperf_trace_owner(s->host->system, &owner, &f) && owner.pid != 0 &&
	    !owner.background) {
		report_line(x->out, "trial",
			    "not tried: process %d traces the kernel",
			    (int)owner.pid);
		return;
	}
	report_line(x->out, "shortest period", "%" PRIu64 " ns",
		    host_number_or(s->host,
				   "kperf.limits.timer_min_pet_period_ns", 0));
	size_line(x, s->host->system);
	kperf_traced_try(s, TRIAL_NS, &t);
	trial_lines(x, &t);
	owner_line(x, "owner after");
}

/* ktop stat: measures the machine while commands run. */
#include "app/machine_counter.h"
#include "app/app.h"
#include "app/state.h"
#include "base/ticker.h"
#include "monitor/power.h"
#include "process/crash.h"
#include "server/open.h"
#include "source/source.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void
add_traced_counts(struct traced *t, const struct process_traced *now)
{
	const struct process_counts *c = process_traced_find(now, t->pid, 0);

	t->slots = t->intervals++ == 0 ? now->slots : t->slots & now->slots;
	if (c == NULL)
		return;
	process_counts_add(&t->sum, c);
}

static void
set_traced_refusal(struct traced *t, const char *why)
{
	t->state = PROCESS_TRACING_REFUSED;
	snprintf(t->why, sizeof t->why, "%s", why);
}

void
traced_read(struct traced *t, struct source *s)
{
	const struct process_request w = { .top = 1,
					   .opened = -1,
					   .pin = &t->pid,
					   .npins = 1,
					   .trace = true };
	const struct process_traced *now = &t->reading.traced;
	bool traced = t->state == PROCESS_TRACING_ON;
	struct err e = { ERR_NONE, "" };

	if (t->pid == 0)
		return;
	if (!s->info.processes || s->ops->processes == NULL) {
		set_traced_refusal(t, "this source does not list processes");
		return;
	}
	if (!s->ops->processes(s, &w, &t->reading, &e)) {
		set_traced_refusal(t, e.text);
		return;
	}
	t->state = (enum process_tracing)now->state;
	t->gaps = now->gaps;
	t->dropped = now->dropped;
	if (t->state == PROCESS_TRACING_NONE)
		set_traced_refusal(
			t, "the kernel of this machine cannot be traced");
	else if (t->state == PROCESS_TRACING_REFUSED)
		set_traced_refusal(t, now->why);
	else if (traced)
		add_traced_counts(t, now);
}

void
traced_free(struct traced *t)
{
	process_reading_free(&t->reading);
}

struct part {
	struct monitor *monitor;
	bool fed;
	struct account account;
};

struct machine_counter {
	struct app app;
	struct options o;
	char *words[1]; /* no words: ktop stat starts the commands itself */
	struct ticker ticker;
	unsigned n;
	struct part *part;
	struct part *now;
	bool taken;
	bool over;
	struct traced traced;
	/* Sums of the run, which began at began_ns (awake time). */
	struct power_sums *power;
	int64_t began_ns;
};

static bool
make_parts(struct machine_counter *m, struct err *e)
{
	struct app *a = &m->app;
	const struct topology *t = a->source->info.topology;

	m->part = calloc(m->n, sizeof *m->part);
	m->power = calloc(t->nclusters + 1, sizeof *m->power);
	if (m->part == NULL || m->power == NULL)
		return err_set(e, ERR_FAIL, "out of memory");
	for (unsigned i = 0; i < m->n; i++) {
		struct part *p = &m->part[i];

		p->monitor = i == 0 ? a->monitor : sampling_monitor(a, e);
		if (p->monitor == NULL)
			return false;
		if (!account_init(&p->account, t))
			return err_set(e, ERR_FAIL, "out of memory");
	}
	m->part[0].fed = true; /* read when counters were acquired */
	return true;
}

/* False and *e (the source's reason): no counter can be read. */
static bool
can_count(const struct app *a, struct err *e)
{
	const struct source_info *i = &a->source->info;

	if (i->mode != SOURCE_BUSY_ONLY && !i->ends)
		return true;
	return err_set(e, i->why.code != ERR_NONE ? i->why.code : ERR_NO_PMU,
		       "%.*s", source_why_bytes(&i->why), i->why.text);
}

static bool
open_machine_source(struct machine_counter *m, struct err *e)
{
	struct app *a = &m->app;

	a->source = server_open_source(a->o, e);
	if (a->source == NULL)
		return false;
	a->crash = crash_open("\nktop " KTOP_VERSION
			      " crashed; please report this line\n");
	return can_count(a, e) && sampling_period_ok(a, a->period_ns, e) &&
	       user_names_known(&a->user, a->source->info.catalog, e) &&
	       sampling_open(a, e) && counting_start(a, e) && make_parts(m, e);
}

struct machine_counter *
machine_counter_open(const struct options *o, unsigned commands, struct err *e)
{
	struct machine_counter *m = calloc(1, sizeof *m);
	struct app *a = m != NULL ? &m->app : NULL;

	if (m == NULL)
		return err_null(e, ERR_FAIL, "out of memory");
	m->o = *o;
	m->o.cmd.exec = m->words;
	m->o.out.processes = 0;
	m->n = commands;
	/* The simulated machine must run in this process. */
	if (o->source.sim != NULL)
		m->o.source.server = 0;
	a->screen.own_cpu_pct = NAN;
	a->process_reader.opened = -1;
	a->outlets.mark_file.fd = -1;
	a->o = &m->o;
	a->user = o->user;
	a->period_ns = o->period_ns;
	if (open_machine_source(m, e))
		return m;
	(void)machine_counter_close(m, NULL);
	return NULL;
}

bool
machine_counter_close(struct machine_counter *m, struct err *e)
{
	struct err late;

	if (m == NULL)
		return true;
	power_feed_close(&m->app);
	bool ok = server_close_source(m->app.o, m->app.source, &late);

	if (!ok && e != NULL)
		*e = late;
	for (unsigned i = 0; m->part != NULL && i < m->n; i++) {
		if (i > 0)
			monitor_free(m->part[i].monitor);
		account_free(&m->part[i].account);
	}
	if (m->part != NULL)
		m->app.monitor = m->part[0].monitor;
	sampling_close(&m->app);
	traced_free(&m->traced);
	crash_close(m->app.crash);
	free(m->power);
	free(m->part);
	free(m);
	return ok;
}

static void
read_machine_now(struct machine_counter *m)
{
	struct app *a = &m->app;
	bool reads = !m->over;

	switch (m->over ? SAMPLED_NOTHING : sampling_read_frame(a)) {
	case SAMPLED_FRAME:
		if (m->now == NULL)
			break;
		account_add(&m->now->account, a->frame);
		if (a->frame->power != NULL)
			power_sums_add(m->power, a->frame->power,
				       (double)(a->frame->stamp.awake_ns -
						m->began_ns) *
					       1e-9);
		break;
	case SAMPLED_GONE:
		m->over = true;
		messages_add(&a->messages, "not counted to the end: %s",
			     a->sampling.why.text);
		break;
	case SAMPLED_END:
	case SAMPLED_FAILED:
	case SAMPLED_NOTHING:
		break;
	}
	if (reads && !m->over)
		traced_read(&m->traced, a->source);
}

static int64_t
left_ns(const struct machine_counter *m)
{
	int64_t left =
		ticker_deadline(&m->ticker) - clock_awake_ns(m->app.clock);

	return left > 0 ? left : 1;
}

int64_t
machine_counter_begin(struct machine_counter *m, unsigned command)
{
	struct app *a = &m->app;

	struct part *p = &m->part[command];

	/* The gap between two runs belongs to no command. */
	a->monitor = p->monitor;
	if (p->fed)
		monitor_gap(p->monitor);
	m->began_ns = clock_awake_ns(a->clock);
	power_use_monitor(a);
	power_read_early(a);
	read_machine_now(m);
	p->fed = true;
	m->now = p;
	memset(m->power, 0,
	       (a->source->info.topology->nclusters + 1) * sizeof *m->power);
	ticker_start(&m->ticker, clock_awake_ns(m->app.clock), a->period_ns);
	return left_ns(m);
}

/* Stops the readings if the CPUs change, as totals would mix two machines. */
static void
end_if_machine_changed(struct machine_counter *m)
{
	if (m->over || !m->app.source->info.outdated)
		return;
	m->over = true;
	messages_add(&m->app.messages, "%s",
		     "not counted to the end: the CPUs of the machine changed");
}

int64_t
machine_counter_look(struct machine_counter *m)
{
	struct app *a = &m->app;
	uint64_t missed = 0;
	int64_t late_ns = 0;

	/* A stepped clock advances one interval per call. */
	if (a->clock->stepped)
		a->clock->step(a->clock->self, ticker_deadline(&m->ticker));
	if (ticker_due(&m->ticker, clock_awake_ns(m->app.clock), &missed,
		       &late_ns)) {
		read_machine_now(m);
		rotation_use_next(a);
		counting_retry_resume(a);
		end_if_machine_changed(m);
	}
	return left_ns(m);
}

void
machine_counter_end(struct machine_counter *m)
{
	if (!m->app.clock->stepped) {
		power_read_early(&m->app);
		read_machine_now(m);
	}
	end_if_machine_changed(m);
	m->now = NULL;
}

void
machine_counter_pause(struct machine_counter *m)
{
	read_machine_now(m);
	m->taken = counting_release(&m->app);
}

void
machine_counter_resume(struct machine_counter *m)
{
	monitor_gap(m->app.monitor);
	counting_resume(&m->app, m->taken);
	ticker_start(&m->ticker, clock_awake_ns(m->app.clock),
		     m->app.period_ns);
}

void
machine_counter_trace(struct machine_counter *m, int32_t pid)
{
	m->traced.pid = pid;
}

const struct traced *
machine_counter_traced(const struct machine_counter *m)
{
	return m->traced.pid != 0 ? &m->traced : NULL;
}

const struct app *
machine_counter_app(const struct machine_counter *m)
{
	return &m->app;
}

/* Amounts are not scaled up: below this share of the run they are unknown. */
static const double covered_least = 0.95;

struct machine_counter_power
machine_counter_power(const struct machine_counter *m, double run_s)
{
	static const char uncovered[] =
		"the times that the machine publishes do not cover the run";
	const struct app *a = &m->app;
	const struct power_sums *all =
		&m->power[a->source->info.topology->nclusters];
	const struct frame_power *p = a->frame != NULL ? a->frame->power : NULL;
	const enum power_total_of package =
		POWER_TOTAL_WHOLES + POWER_RAIL_PACKAGE;
	struct machine_counter_power out = {
		.packages = !(all->of[POWER_TOTAL_CPUS].span_s > 0) &&
			    all->of[package].span_s > 0
	};
	const struct power_total *energy =
		&all->of[out.packages ? package : POWER_TOTAL_CPUS];
	const struct power_total *traffic = &all->of[POWER_TOTAL_TRAFFIC];

	out.measured = p != NULL &&
		       (p->no_energy[0] == '\0' || p->no_traffic[0] == '\0');
	out.joules = energy->span_s >= covered_least * run_s ? energy->amount
							     : (double)NAN;
	out.bytes = traffic->span_s >= covered_least * run_s ? traffic->amount
							     : (double)NAN;
	out.no_joules =
		p != NULL && p->no_energy[0] != '\0' ? p->no_energy : uncovered;
	out.no_bytes = p != NULL && p->no_traffic[0] != '\0' ? p->no_traffic
							     : uncovered;
	return out;
}

struct totals
machine_counter_totals(const struct machine_counter *m, unsigned command)
{
	const struct part *p = &m->part[command];

	return (struct totals){ &p->account, monitor_past(p->monitor) };
}

void
machine_counter_name(const struct machine_counter *m, char *to, size_t size)
{
	const struct app *a = &m->app;
	enum domain domain;
	bool given = a->o->source.events != NULL, turns = a->rotation.on;

	if (machine_counter_set(m, &domain) == NULL) {
		snprintf(to, size, "cycles and instructions alone");
		return;
	}
	/* User mode applies to events; cycles may count all modes. */
	const char *modes = domain != DOMAIN_USER ? "all modes"
			    : given && !turns     ? "in user mode only"
						  : "events in user mode only";

	snprintf(to, size, "%s%s, %s",
		 turns   ? "presets "
		 : given ? ""
			 : "preset ",
		 turns   ? a->rotation.name
		 : given ? "events of -e"
			 : a->counting.set.name,
		 modes);
}

const struct eventset *
machine_counter_set(const struct machine_counter *m, enum domain *domain)
{
	const struct source_info *i = &m->app.source->info;

	*domain = i->domain;
	return i->set != NULL && i->set->len > 0 ? i->set : NULL;
}

enum domain
machine_counter_domain(const struct machine_counter *m)
{
	return totals_domain(&m->app);
}

const char *
machine_counter_message(struct machine_counter *m)
{
	return messages_take(&m->app.messages);
}

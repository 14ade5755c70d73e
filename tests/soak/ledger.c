#include "soak/ledger.h"

#include "sim/kernel.h"
#include "sim/sim.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char *const fixed_name[FIXED_COUNT] = { "FIXED_CYCLES",
						     "FIXED_INSTRUCTIONS" };
static const uint64_t read_cost[FIXED_COUNT] = { SIM_READ_CYCLES,
						 SIM_READ_INSTRUCTIONS };

static bool wrong(struct ledger *l, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static bool
wrong(struct ledger *l, const char *format, ...)
{
	va_list args;

	if (l->wrong[0] != '\0')
		return false;
	va_start(args, format);
	vsnprintf(l->wrong, sizeof(l->wrong), format, args);
	va_end(args);
	return false;
}

/* The fixed total at a row's time, the reads' own cost in it. */
static uint64_t
fixed_truth(const struct ledger *l, unsigned i, unsigned which, int64_t at_ns)
{
	unsigned cpu = (unsigned)l->topology->cpu[i].id;

	return sim_total(cpu, fixed_name[which], true, at_ns) +
	       l->cpu[i].reads * read_cost[which];
}

void
ledger_start(struct ledger *l, const struct topology *t)
{
	struct stamp now;

	l->topology = t;
	clock_now(&sim_host()->clock, &now);
	memset(l->cpu, 0, sizeof(l->cpu));
	for (unsigned i = 0; i < t->ncpus; i++) {
		struct ledger_cpu *c = &l->cpu[i];

		c->open = true;
		c->reads = sim_reads((unsigned)t->cpu[i].id);
		for (unsigned k = 0; k < FIXED_COUNT; k++)
			c->base[k] = fixed_truth(l, i, k, now.awake_ns);
	}
}

/* The frames' sum of a span against the kernel's two totals. */
static bool
check_span(struct ledger *l, unsigned i, struct ledger_span *s)
{
	unsigned cpu = (unsigned)l->topology->cpu[i].id;
	uint64_t now = sim_total(cpu, s->event, false, s->end_ns);

	l->slot_checks++;
	if (now - s->truth == s->sum)
		return true;
	return wrong(l,
		     "cpu%u %s: frames add up to %" PRIu64
		     ", the kernel counted %" PRIu64 " up to %" PRId64,
		     cpu, s->event, s->sum, now - s->truth, s->end_ns);
}

static bool
close_span(struct ledger *l, unsigned i, struct ledger_span *s)
{
	bool ok = !s->open || check_span(l, i, s);

	s->open = false;
	return ok;
}

static bool
add_span(struct ledger *l, unsigned i, struct ledger_span *s, const char *event,
	 uint64_t count, int64_t from_ns, int64_t to_ns)
{
	bool ok = true;

	if (s->open && (s->end_ns != from_ns || strcmp(s->event, event) != 0))
		ok = close_span(l, i, s);
	if (!s->open) {
		l->spans++;
		*s = (struct ledger_span){ .open = true, .event = event };
		s->truth = sim_total((unsigned)l->topology->cpu[i].id, event,
				     false, from_ns);
	}
	s->sum += count;
	s->end_ns = to_ns;
	return ok;
}

void
ledger_dead(struct ledger *l, const char *event, int64_t from_ns, int64_t to_ns)
{
	struct ledger_dead *d = &l->dead[l->ndead++ % LEDGER_DEAD];

	*d = (struct ledger_dead){ .from_ns = from_ns, .to_ns = to_ns };
	snprintf(d->event, sizeof(d->event), "%s", event);
}

static bool
is_dead(const struct ledger *l, const char *event, int64_t from_ns,
	int64_t to_ns)
{
	for (unsigned i = 0; i < LEDGER_DEAD; i++)
		if (strcmp(l->dead[i].event, event) == 0 &&
		    l->dead[i].from_ns <= to_ns && from_ns <= l->dead[i].to_ns)
			return true;
	return false;
}

/* Of a time in which the event counted nothing, for a part of it or all. */
static bool
take_dead(struct ledger *l, unsigned i, struct ledger_span *s,
	  const char *event, uint64_t count, int64_t from_ns, int64_t to_ns)
{
	unsigned cpu = (unsigned)l->topology->cpu[i].id;
	uint64_t most = sim_total(cpu, event, false, to_ns) -
			sim_total(cpu, event, false, from_ns);
	bool ok = close_span(l, i, s);

	l->dead_checks++;
	return count <= most ? ok
			     : wrong(l,
				     "cpu%u %s counts nothing for a while, and "
				     "has %" PRIu64 " of %" PRIu64,
				     cpu, event, count, most);
}

static bool
take_slots(struct ledger *l, const struct frame *f, unsigned i)
{
	const struct span *t = &f->span[i];
	int64_t now = f->stamp.awake_ns;
	int64_t from = now - (int64_t)llround(span_event_s(t) * 1e9);
	bool ok = true;

	for (unsigned k = 0; k < EVENTSET_MAX; k++) {
		struct ledger_span *s = &l->cpu[i].slot[k];

		const char *event = k < f->set->len && span_has_slot(t, k)
					    ? f->set->slot[k].event->name
					    : NULL;

		if (event != NULL && is_dead(l, event, from, now))
			ok = take_dead(l, i, s, event, t->slot[k], from, now) &&
			     ok;
		else if (event != NULL)
			ok = add_span(l, i, s, event, t->slot[k], from, now) &&
			     ok;
		else
			ok = close_span(l, i, s) && ok;
	}
	return ok;
}

static bool
finite_or_nan(double x)
{
	return isnan(x) || (isfinite(x) && x >= 0);
}

/* What can be seen of a row without knowing the truth. */
static bool
plausible(struct ledger *l, const struct frame *f, unsigned s)
{
	const struct span *t = &f->span[s];
	double cpu_s = t->cpu_ns * 1e-9;

	if (!finite_or_nan(span_interval_s(t)) ||
	    !finite_or_nan(span_event_s(t)) ||
	    !finite_or_nan(span_coverage(t)) ||
	    !finite_or_nan(span_busy_pct(t)) ||
	    span_busy_pct(t) > 100.0 + 1e-9 || span_coverage(t) > 1.0 + 1e-9)
		return wrong(l,
			     "frame %" PRIu64 " row %u: interval %g, event %g, "
			     "coverage %g, busy %g",
			     f->seq, s, span_interval_s(t), span_event_s(t),
			     span_coverage(t), span_busy_pct(t));
	/* No simulated core runs at 5 GHz nor retires 8 a cycle. */
	if (span_has_fixed(t) &&
	    ((double)t->cycles > cpu_s * 5e9 + 1e6 ||
	     (double)t->instructions > (double)t->cycles * 8))
		return wrong(l,
			     "frame %" PRIu64 " row %u: %" PRIu64
			     " cycles, %" PRIu64 " instructions in %g s",
			     f->seq, s, t->cycles, t->instructions, cpu_s);
	for (unsigned m = 0; m < f->nmetrics; m++) {
		double x = frame_value(f, s, m);
		enum value_state state = frame_state(f, s, m);
		bool shown = state == VALUE_OK || state == VALUE_FEW;

		/* Of too few events there may be none to divide by. */
		if (!finite_or_nan(x) || (state == VALUE_OK && isnan(x)) ||
		    (!shown && !isnan(x)))
			return wrong(l,
				     "frame %" PRIu64
				     " row %u metric %u: %g in state %d",
				     f->seq, s, m, x, (int)state);
	}
	return true;
}

/* The machine's row against its cores'. */
static bool
adds_up(struct ledger *l, const struct frame *f)
{
	const struct span *all = &f->span[frame_scope_all(f)];
	uint64_t cycles = 0, work = 0;
	unsigned n = 0;

	for (unsigned i = 0; i < f->topology->ncpus; i++)
		if (span_has_fixed(&f->span[i])) {
			cycles += f->span[i].cycles;
			work += f->span[i].instructions;
			n++;
		}
	if (n == all->n_ok &&
	    (n == 0 || (cycles == all->cycles && work == all->instructions)))
		return true;
	return wrong(l,
		     "frame %" PRIu64 ": cores have %" PRIu64
		     " cycles on %u CPUs, the machine %" PRIu64 " on %u",
		     f->seq, cycles, n, all->cycles, all->n_ok);
}

bool
ledger_take(struct ledger *l, const struct frame *f)
{
	bool ok = adds_up(l, f);

	l->frames++;
	for (unsigned s = 0; s < f->nscopes; s++)
		ok = plausible(l, f, s) && ok;
	for (unsigned i = 0; i < f->topology->ncpus; i++) {
		const struct span *t = &f->span[i];
		struct ledger_cpu *c = &l->cpu[i];

		if ((t->quality & (QUALITY_LOST | QUALITY_APPROX)) != 0)
			ok = wrong(l,
				   "frame %" PRIu64 " cpu row %u: quality "
				   "%#x, nothing was reset",
				   f->seq, i, t->quality);
		l->rows++;
		if (!span_has_fixed(t)) {
			l->missing_rows++;
			continue;
		}
		c->reads = sim_reads((unsigned)f->topology->cpu[i].id);
		c->sum[FIXED_CYCLES] += t->cycles;
		c->sum[FIXED_INSTRUCTIONS] += t->instructions;
		ok = take_slots(l, f, i) && ok;
	}
	return ok;
}

static bool
check_cpu(struct ledger *l, const struct frame *f, unsigned i)
{
	struct ledger_cpu *c = &l->cpu[i];
	bool ok = true;

	for (unsigned k = 0; k < FIXED_COUNT; k++) {
		uint64_t truth = fixed_truth(l, i, k, f->stamp.awake_ns);

		l->fixed_checks++;
		if (c->base[k] + c->sum[k] != truth)
			ok = wrong(l,
				   "frame %" PRIu64 " cpu row %u %s: frames "
				   "add up to %" PRIu64 ", the kernel counted "
				   "%" PRIu64,
				   f->seq, i, fixed_name[k], c->sum[k],
				   truth - c->base[k]);
	}
	for (unsigned k = 0; k < EVENTSET_MAX; k++)
		if (c->slot[k].open)
			ok = check_span(l, i, &c->slot[k]) && ok;
	return ok;
}

bool
ledger_check(struct ledger *l, const struct frame *f, bool all)
{
	bool ok = true;

	for (unsigned i = 0; i < f->topology->ncpus; i++)
		if (span_has_fixed(&f->span[i]))
			ok = check_cpu(l, f, i) && ok;
		else if (all)
			ok = wrong(l,
				   "frame %" PRIu64 ": cpu row %u is "
				   "missing, nothing is amiss",
				   f->seq, i);
	return ok;
}

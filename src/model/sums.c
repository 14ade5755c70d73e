#include "model/sums.h"

#include <math.h>
#include <string.h>

#define IDLE_CYCLES_PER_S 1e6 /* fewer are noise: nothing to divide */
#define IPC_MAX 12.0

static const double busy_surely = 0.2; /* of the time, by the OS */

static const uint32_t fixed_bits = 1u << TERM_CYCLES | 1u << TERM_INSTRUCTIONS;
static const uint32_t pair_bits =
	1u << TERM_SLOT_CYCLES | 1u << TERM_SLOT_INSTRUCTIONS;
static const uint32_t busy_bit = 1u << TERM_BUSY_NS;
static const uint32_t counter_bits = (1u << TERM_COUNTS) - 1;

void
sums_clear(struct sums *s)
{
	memset(s, 0, sizeof *s);
	s->have_all = s->cannot_all = UINT32_MAX;
}

uint32_t
sums_cannot(const struct sums *s)
{
	return s->n_told > 0 ? s->cannot_all : 0;
}

static bool
idle(const struct delta *d)
{
	double cycles = (double)d->count[TERM_CYCLES];

	return cycles < IDLE_CYCLES_PER_S * 1e-9 * d->ns[TERM_CYCLES];
}

/* Virtual machines and broken counters give themselves away. */
uint32_t
sums_doubt(const struct delta *d)
{
	double cycles = (double)d->count[TERM_CYCLES];
	double work = (double)d->count[TERM_INSTRUCTIONS];
	double most = SUMS_GHZ_MAX * d->ns[TERM_CYCLES];
	bool busy = d->busy_share >= busy_surely; /* false for NAN */

	if (d->verdict != ROW_GOOD || (d->have & fixed_bits) != fixed_bits)
		return 0;
	if (cycles <= 0)
		return busy ? SUMS_DOUBT_COUNTS : 0;
	if (cycles > most)
		return SUMS_DOUBT_COUNTS;
	if (idle(d))
		return 0;
	if (work <= 0 || work > IPC_MAX * cycles)
		return SUMS_DOUBT_COUNTS;
	return busy && cycles > most * d->busy_share ? SUMS_DOUBT_CLOCK : 0;
}

static void
add_quality(struct sums *s, const struct delta *d)
{
	bool fixed = (d->have & fixed_bits) == fixed_bits;
	uint32_t doubt = sums_doubt(d);

	s->quality |= d->quality;
	s->held |= d->held;
	s->dead |= d->dead;
	switch (d->verdict) {
	case ROW_GOOD:
		s->doubt |= doubt;
		if (fixed && doubt != 0)
			s->quality |= QUALITY_APPROX;
		else if (fixed && idle(d))
			s->n_idle++;
		/* Counters that were on but not for a moment: a dead one. */
		if ((d->have & counter_bits) == 0 &&
		    (d->quality & QUALITY_MUX) == 0)
			s->n_stale++;
		break;
	case ROW_RESET:
		s->quality |= QUALITY_LOST;
		s->n_stale++;
		break;
	case ROW_FIRST:
	case ROW_STALE:
		s->n_stale++;
		break;
	case ROW_OFF:
		s->n_off++;
		break;
	case ROW_SKIPPED:
		s->n_skipped++;
		break;
	case ROW_DENIED:
		s->n_denied++;
		break;
	case ROW_NONE:
		break;
	}
}

/* `restrict`, here and below: several terms are added at a time. */
static void
add_counts(struct sums *restrict s, const struct delta *restrict d)
{
	s->n++;
	s->have_all &= d->have;
	s->have_any |= d->have;
	s->cpu_ns += d->interval_ns;
	s->event_ns += d->event_ns;
	s->busy_ns += d->busy_ns;
	if ((d->have & fixed_bits) == fixed_bits)
		s->n_ok++;
	for (unsigned i = 0; i < TERM_COUNTS; i++)
		s->count[i] += d->count[i];
	for (unsigned i = 0; i < TERM_COUNTS; i++)
		s->ns[i] += d->ns[i];
}

void
sums_add_delta(struct sums *restrict s, const struct delta *restrict d)
{
	s->ncpus++;
	add_quality(s, d);
	if (d->told) {
		s->n_told++;
		s->cannot_all &= d->cannot;
		s->cannot_any |= d->cannot;
	}
	if (!isnan(d->busy_share)) {
		s->seen_ns += d->interval_ns;
		s->seen_busy_ns += d->busy_share * d->interval_ns;
	}
	if (d->verdict == ROW_GOOD &&
	    ((d->have & counter_bits) != 0 || (d->quality & QUALITY_MUX) != 0))
		add_counts(s, d);
}

void
sums_add(struct sums *restrict s, const struct sums *restrict part)
{
	s->ncpus += part->ncpus;
	s->n_off += part->n_off;
	s->n_stale += part->n_stale;
	s->n_idle += part->n_idle;
	s->n_denied += part->n_denied;
	s->n_skipped += part->n_skipped;
	s->n_told += part->n_told;
	s->doubt |= part->doubt;
	s->quality |= part->quality;
	s->held |= part->held;
	s->dead |= part->dead;
	s->cannot_all &= part->cannot_all;
	s->cannot_any |= part->cannot_any;
	s->seen_ns += part->seen_ns;
	s->seen_busy_ns += part->seen_busy_ns;
	if (part->n == 0)
		return;
	s->n += part->n;
	s->n_ok += part->n_ok;
	s->have_all &= part->have_all;
	s->have_any |= part->have_any;
	s->cpu_ns += part->cpu_ns;
	s->event_ns += part->event_ns;
	s->busy_ns += part->busy_ns;
	for (unsigned i = 0; i < TERM_COUNTS; i++)
		s->count[i] += part->count[i];
	for (unsigned i = 0; i < TERM_COUNTS; i++)
		s->ns[i] += part->ns[i];
}

void
sums_run_clear(struct sums_run *r)
{
	sums_clear(&r->s);
	r->wall_ns = r->busy_cpu_ns = r->core_work = r->core_cycles = 0;
}

void
sums_run_add(struct sums_run *r, const struct sums *s, double wall_ns,
	     double busy_cpu_ns)
{
	double busy_ns = r->s.busy_ns;

	sums_add(&r->s, s);
	r->wall_ns += wall_ns;
	r->busy_cpu_ns += busy_cpu_ns;
	r->s.busy_ns = busy_ns + (busy_cpu_ns > 0 ? s->busy_ns : 0);
	if (r->busy_cpu_ns > 0)
		r->s.have_all |= busy_bit;
}

void
sums_run_join(struct sums_run *r, const struct sums_run *part)
{
	sums_run_add(r, &part->s, part->wall_ns, part->busy_cpu_ns);
	r->core_work += part->core_work;
	r->core_cycles += part->core_cycles;
}

void
sums_run_finish(struct sums_run *r)
{
	struct sums *s = &r->s;

	if (r->wall_ns > 0)
		s->mean_n = s->cpu_ns / r->wall_ns;
	s->have_all &= ~busy_bit;
	if (r->busy_cpu_ns > 0) {
		s->have_all |= busy_bit;
		s->have_any |= busy_bit;
		s->busy_ns *= s->cpu_ns / r->busy_cpu_ns;
	}
}

/* A change of events is trouble only for rows whose slots missed much of it. */
static uint32_t
row_quality(const struct sums *s, uint32_t extra, double coverage)
{
	uint32_t q = s->quality | extra;

	if (!(coverage < SUMS_SWAP_COVERAGE))
		q &= ~(uint32_t)QUALITY_SWAP;
	if (s->n_off == s->ncpus)
		q |= QUALITY_OFF;
	else if (s->n_ok == 0 && s->n_stale > 0)
		q |= QUALITY_STALE;
	else if (s->n_ok == 0 && s->n_denied > 0)
		q |= QUALITY_DENIED;
	else if (s->n_ok == 0 ? s->n_skipped > 0 : s->n_idle == s->n_ok)
		q |= QUALITY_IDLE;
	return q;
}

void
sums_tally(const struct sums *s, unsigned nslots, uint32_t extra,
	   double interval_s, struct tally *out)
{
	double n = s->n;

	out->n_ok = s->n_ok;
	out->interval_s = s->n > 0 ? s->cpu_ns / n * 1e-9 : interval_s;
	out->event_s = s->n > 0 ? s->event_ns / n * 1e-9 : 0;
	out->coverage = NAN;
	if (nslots > 0 && s->n > 0 && out->interval_s > 0)
		out->coverage = fmin(out->event_s / out->interval_s, 1);
	out->quality = row_quality(s, extra, out->coverage);
	out->busy_pct =
		s->seen_ns > 0 ? 100 * s->seen_busy_ns / s->seen_ns : NAN;
	out->busy_ns = s->n > 0 ? s->busy_ns : NAN;
	out->cpu_ns = s->cpu_ns;
	out->fixed_known = s->n_ok > 0;
	out->cycles = s->count[TERM_CYCLES];
	out->instructions = s->count[TERM_INSTRUCTIONS];
	out->dead = s->dead & ~s->have_any;
	out->pair_known = s->n > 0 && (s->have_all & pair_bits) == pair_bits;
	out->pair_cycles = s->count[TERM_SLOT_CYCLES];
	out->pair_instructions = s->count[TERM_SLOT_INSTRUCTIONS];
	uint32_t known = s->n > 0 ? s->have_all & ((1u << nslots) - 1) : 0;

	for (unsigned i = 0; i < nslots; i++) {
		out->slot_known[i] = (known >> i & 1) != 0;
		out->slot[i] = s->count[i];
	}
	for (unsigned i = nslots; i < EVENTSET_MAX; i++) {
		out->slot_known[i] = false;
		out->slot[i] = 0;
	}
}

void
sums_note_whole(struct sums *s)
{
	double most = 1e-6 * s->cpu_ns;
	uint32_t apart = 0;

	s->whole = 0;
	if ((s->have_any & counter_bits) == 0)
		return;
	for (unsigned i = 0; i < TERM_COUNTS; i++)
		apart |= (uint32_t)(fabs(s->ns[i] - s->cpu_ns) > most) << i;
	s->whole = s->have_any & counter_bits & ~apart;
}

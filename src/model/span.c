#include "model/span.h"

#include <string.h>

#define IDLE_CYCLES_PER_S 1e6
#define IPC_MAX 12.0

static const double busy_surely =
	0.2; /* at this busy share, cycles of 0 are impossible */

static const uint32_t counter_bits = (1u << TERM_COUNTS) - 1;

void
span_clear(struct span *s)
{
	*s = (struct span){ .have_all = UINT32_MAX, .cannot_all = UINT32_MAX };
}

void
span_set_busy(struct span *s, double busy_ns)
{
	s->seen_ns = s->busy_cpu_ns = s->cpu_ns;
	s->seen_busy_ns = s->busy_ns = busy_ns;
	s->have_any |= 1u << TERM_BUSY_NS;
}

static bool
is_idle_span(const struct span *s)
{
	return (double)s->cycles <
	       IDLE_CYCLES_PER_S * 1e-9 * span_ns(s, TERM_CYCLES);
}

static uint32_t
impossible_bits(const struct span *s)
{
	double cycles = (double)s->cycles, work = (double)s->instructions;
	double most = SPAN_GHZ_MAX * span_ns(s, TERM_CYCLES);
	double share = s->seen_ns > 0 ? s->seen_busy_ns / s->seen_ns : 0;
	bool busy = share >= busy_surely;

	if (cycles <= 0)
		return busy ? SPAN_IMPOSSIBLE_COUNTS : 0;
	if (cycles > most)
		return SPAN_IMPOSSIBLE_COUNTS;
	if (is_idle_span(s))
		return 0;
	if ((s->have_any & 1u << TERM_INSTRUCTIONS) != 0 &&
	    (work <= 0 || work > IPC_MAX * cycles))
		return SPAN_IMPOSSIBLE_COUNTS;
	return busy && cycles > most * share ? SPAN_IMPOSSIBLE_CLOCK : 0;
}

static void
judge_good(struct span *s)
{
	if ((s->have_any & counter_bits) != 0 ||
	    (s->quality & QUALITY_MUX) != 0)
		s->n = 1;
	else
		s->n_stale = 1;
	if ((s->have_any & 1u << TERM_CYCLES) == 0)
		return;
	s->n_ok = 1;
	s->alone = (s->have_any & 1u << TERM_INSTRUCTIONS) == 0;
	s->doubt = impossible_bits(s);
	if (s->doubt != 0)
		s->quality |= QUALITY_APPROX;
	else
		s->n_idle = is_idle_span(s);
}

void
span_judge(struct span *s, enum row_state state, bool known, uint32_t cannot)
{
	s->ncpus = 1;
	s->n_known = known;
	s->cannot_all = known ? cannot : UINT32_MAX;
	s->cannot_any = known ? cannot : 0;
	if (state == ROW_GOOD)
		judge_good(s);
	else if (state == ROW_RESET)
		s->quality |= QUALITY_LOST;
	for (unsigned i = 0; i < TERM_COUNTS; i++)
		if ((s->have_any >> i & 1) == 0)
			s->missed_ns[i] = (float)s->cpu_ns;
	s->n_stale +=
		state == ROW_FIRST || state == ROW_STALE || state == ROW_RESET;
	s->n_off = state == ROW_OFF;
	s->n_skipped = state == ROW_SKIPPED;
	s->n_denied = state == ROW_DENIED;
	s->have_all = s->n > 0 ? s->have_any : UINT32_MAX;
	if (s->n > 0)
		return;
	s->have_any = 0;
	s->cpu_ns = s->event_ns = s->busy_ns = s->busy_cpu_ns = 0;
}

/* restrict lets the compiler vectorize the sums. */
void
span_add(struct span *restrict to, const struct span *restrict part)
{
	to->ncpus += part->ncpus;
	to->n_off += part->n_off;
	to->n_stale += part->n_stale;
	to->n_idle += part->n_idle;
	to->n_denied += part->n_denied;
	to->n_skipped += part->n_skipped;
	to->n_known += part->n_known;
	to->doubt |= part->doubt;
	to->quality |= part->quality;
	to->held |= part->held;
	to->zero |= part->zero;
	to->cannot_all &= part->cannot_all;
	to->cannot_any |= part->cannot_any;
	to->seen_ns += part->seen_ns;
	to->seen_busy_ns += part->seen_busy_ns;
	if (part->n == 0)
		return;
	to->n += part->n;
	to->n_ok += part->n_ok;
	to->alone = to->alone || part->alone;
	to->have_all &= part->have_all;
	to->have_any |= part->have_any;
	to->cpu_ns += part->cpu_ns;
	to->event_ns += part->event_ns;
	to->busy_ns += part->busy_ns;
	to->busy_cpu_ns += part->busy_cpu_ns;
	to->core_instructions += part->core_instructions;
	to->core_cycles += part->core_cycles;
	to->wall_ns += part->wall_ns;
	for (unsigned i = 0; i < TERM_COUNTS; i++)
		to->count[i] += part->count[i];
	for (unsigned i = 0; i < TERM_COUNTS; i++)
		to->missed_ns[i] += part->missed_ns[i];
}

/* An event change is marked only in rows with little coverage. */
static uint32_t
row_quality(const struct span *s, uint32_t extra)
{
	uint32_t q = s->quality | extra;

	if (!(span_coverage(s) < SPAN_SWAP_COVERAGE))
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
span_close(struct span *s, uint32_t extra, double frame_ns)
{
	s->wall_ns = s->n > 0 ? s->cpu_ns / s->n : frame_ns;
	s->quality = row_quality(s, extra);
	s->zero &= ~s->have_any;
}

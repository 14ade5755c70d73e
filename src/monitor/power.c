#include "monitor/power.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A cluster is throttled if in SLOWER_FRAMES consecutive frames it is at least
 * busy_least_pct busy and its clock is below the requested clock by more than
 * the share slower_by. */
static const double slower_by = 0.10, busy_least_pct = 20;
enum { SLOWER_FRAMES = 3 };

static const struct power_energy no_energy = { NAN, NAN, 0, false };
static const struct power_traffic no_traffic = { NAN, NAN, NAN, NAN, 0, false };

/* The sum of clusters may differ from the total by the share sum_part, or by
 * sum_joules for each rail. */
static const double sum_part = 0.01, sum_joules = 0.002;

bool
power_join_init(struct power_join *p, const struct topology *t, struct err *e)
{
	unsigned n = t->nclusters + 1;

	*p = (struct power_join){ .topology = t,
				  .row = calloc(n, sizeof *p->row),
				  .state = calloc(n, sizeof *p->state) };
	if (p->row == NULL || p->state == NULL) {
		power_join_done(p);
		return err_set(e, ERR_FAIL,
			       "out of memory for energy readings");
	}
	for (unsigned i = 0; i < n; i++)
		p->row[i] = (struct power_row){
			.energy = no_energy,
			.nj_instruction = NAN,
			.traffic = no_traffic,
			.clock_ghz = NAN,
		};
	p->frame = (struct frame_power){ .nrows = n,
					 .row = p->row,
					 .ceiling = NAN,
					 .seen = true,
					 .no_energy = "",
					 .no_traffic = "",
					 .no_clock = "" };
	for (unsigned i = 0; i < POWER_WHOLES; i++)
		p->frame.whole[i] = no_energy;
	return true;
}

void
power_join_done(struct power_join *p)
{
	free(p->row);
	free(p->state);
}

static bool
source_has_letter(const struct power_source *s, char letter)
{
	for (unsigned i = 0; i < s->nrails; i++)
		if (s->rail[i].letter == letter)
			return true;
	return false;
}

/* Rails have the letters of Apple's device tree: on machines with M cores, M is
 * a Performance core and P a Super core. */
static char
rail_kind_letter(const struct power_source *s, char letter)
{
	if (!source_has_letter(s, 'M'))
		return letter;
	return letter == 'M' ? 'P' : letter == 'P' ? 'S' : letter;
}

/* nclusters: the machine's row; UINT32_MAX: none. */
static unsigned
rail_row(const struct topology *t, const struct power_source *s,
	 const struct power_rail *r)
{
	char letter = rail_kind_letter(s, r->letter);
	int nth = 0;

	if (r->cluster > 0)
		return (unsigned)r->cluster <= t->nclusters
			       ? (unsigned)r->cluster - 1
			       : UINT32_MAX;
	if (r->letter == 0 || r->letter == '*')
		return t->nclusters;

	for (unsigned c = 0; c < t->nclusters; c++) {
		const struct topology_cluster *cl = &t->cluster[c];

		if (t->kind[cl->kind].letter[0] != letter ||
		    (r->die >= 0 && cl->die >= 0 && cl->die != r->die))
			continue;
		if (nth++ == r->nth)
			return c;
	}
	return UINT32_MAX;
}

void
power_join_ceiling(struct power_join *p, double ceiling)
{
	p->frame.ceiling = ceiling;
	p->frame.seen = isnan(ceiling);
}

void
power_join_source(struct power_join *p, const struct power_source *s)
{
	const char *why[] = { s->no_energy, s->no_traffic, s->no_clock };

	p->nrails = 0;
	p->has_source = true;
	for (unsigned i = 0; i < s->nrails; i++) {
		struct power_rail_state *r = &p->rail[p->nrails++];

		*r = (struct power_rail_state){ .rail = s->rail[i],
						.row = rail_row(p->topology, s,
								&s->rail[i]) };
	}
	for (unsigned i = 0; i < 3; i++)
		snprintf(p->why[i], sizeof p->why[i], "%s", why[i]);
	p->frame.no_energy = p->why[0];
	p->frame.no_traffic = p->why[1];
	p->frame.no_clock = p->why[2];
}

static struct power_span
power_span_join(const struct power_span *a, const struct power_span *b)
{
	struct power_span s = *b;

	if (a->end_ns == 0 || a->end_ns != b->begin_ns || a->stale || b->stale)
		return s;
	s.begin_ns = a->begin_ns;
	s.amount += a->amount;
	s.weight += a->weight;
	s.marks |= a->marks;
	return s;
}

void
power_join_add(struct power_join *p, const struct power_update *update,
	       unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		if (update[i].rail >= p->nrails)
			continue;
		struct power_rail_state *r = &p->rail[update[i].rail];

		if (r->last.end_ns != 0)
			r->waiting = power_span_join(&r->waiting, &r->last);
		r->last = update[i].span;
	}
}

static void
power_note_instructions(struct power_join *p, const struct frame *f)
{
	const struct topology *t = p->topology;
	unsigned n = p->npast > 0 ? p->npast : 1; /* past[0]: the start */

	for (unsigned r = 0; r <= t->nclusters; r++) {
		unsigned scope = r < t->nclusters ? frame_scope_cluster(f, r)
						  : frame_scope_all(f);
		const struct span *s = &f->span[scope];
		bool known = span_has_fixed(s) && s->n_stale == 0;
		struct power_at *past = p->state[r].past;

		if (p->npast == 0)
			past[0].at_ns = f->stamp.awake_ns -
					(int64_t)(f->interval_s * 1e9 + 0.5);
		const struct power_at *last = &past[(n - 1) % POWER_PAST];

		past[n % POWER_PAST] = (struct power_at){
			f->stamp.awake_ns,
			last->instructions +
				(known ? (double)s->instructions : 0),
			last->holes + !known
		};
	}
	p->npast = n + 1;
}

/* Interpolates the instructions between two frames. False: the time is before
 * the kept frames. */
static bool
instructions_at(const struct power_join *p, unsigned row, int64_t at_ns,
		struct power_at *out)
{
	const struct power_at *past = p->state[row].past;
	unsigned n = p->npast < POWER_PAST ? p->npast : POWER_PAST;

	for (unsigned back = 1; back < n; back++) {
		const struct power_at *a =
			&past[(p->npast - 1 - back) % POWER_PAST];
		const struct power_at *b =
			&past[(p->npast - back) % POWER_PAST];

		if (a->at_ns > at_ns || b->at_ns < at_ns ||
		    a->at_ns >= b->at_ns)
			continue;
		double part = (double)(at_ns - a->at_ns) /
			      (double)(b->at_ns - a->at_ns);

		*out = (struct power_at){ at_ns,
					  a->instructions +
						  part * (b->instructions -
							  a->instructions),
					  b->holes };
		return true;
	}
	return false;
}

static double
nj_of_instruction(struct power_join *p, unsigned row,
		  const struct power_span *s, double joules)
{
	struct power_at *end = &p->state[row].end, from = *end;
	bool known = from.at_ns == s->begin_ns ||
		     instructions_at(p, row, s->begin_ns, &from);

	if (!instructions_at(p, row, s->end_ns, end)) {
		end->at_ns = 0;
		return NAN;
	}
	double n = end->instructions - from.instructions;

	return known && from.holes == end->holes && n > 0 ? joules * 1e9 / n
							  : NAN;
}

static void
rails_settle(struct power_join *p, int64_t now_ns)
{
	for (unsigned i = 0; i < p->nrails; i++) {
		struct power_rail_state *r = &p->rail[i];

		r->fresh = false;
		if (r->last.end_ns != 0 && r->last.end_ns <= now_ns) {
			r->waiting = power_span_join(&r->waiting, &r->last);
			r->last.end_ns = 0;
		}
		if (r->waiting.end_ns == 0 || r->waiting.end_ns > now_ns)
			continue;
		r->fresh = !r->waiting.stale;
		r->span = r->waiting;
		r->waiting.end_ns = 0;
	}
}

struct sum {
	double amount, weight, most_s;
	unsigned n;
	bool fresh;
	uint8_t marks;
	const struct power_span *span;
};

static struct sum
rails_sum(const struct power_join *p, enum power_what what, unsigned row)
{
	struct sum s = { .n = 0 };

	for (unsigned i = 0; i < p->nrails; i++) {
		const struct power_rail_state *r = &p->rail[i];

		if (r->rail.what != what ||
		    (row != UINT32_MAX && r->row != row))
			continue;
		if (r->span.end_ns == 0 || r->span.stale)
			return (struct sum){ .n = 0 };
		s.n++;
		s.amount += what == POWER_CLOCK || what == POWER_TRAFFIC
				    ? r->span.amount
				    : r->span.amount / power_span_s(&r->span);
		s.weight += r->span.weight;
		s.most_s = fmax(s.most_s, power_span_s(&r->span));
		s.fresh |= r->fresh;
		s.marks |= r->span.marks;
		s.span = &r->span;
	}
	return s;
}

static struct power_energy
energy_of_sum(const struct sum *s)
{
	if (s->n == 0)
		return no_energy;
	return (struct power_energy){ s->amount, s->most_s, s->marks,
				      s->fresh };
}

static void
row_take_energy(struct power_join *p, unsigned row, const struct sum *s)
{
	struct power_row *r = &p->row[row];

	r->energy = energy_of_sum(s);
	if (s->n == 0)
		r->nj_instruction = NAN;
	else if (s->fresh)
		r->nj_instruction = nj_of_instruction(
			p, row, s->span, s->amount * power_span_s(s->span));
}

/* Without counted reads and writes, POWER_TRAFFIC gives the bytes as amount and
 * their seconds as weight. */
static struct power_traffic
rails_traffic(const struct power_join *p, unsigned row)
{
	struct sum read = rails_sum(p, POWER_READ, row),
		   write = rails_sum(p, POWER_WRITE, row);
	struct power_traffic t = no_traffic;

	if (read.n > 0 && write.n > 0) {
		t = (struct power_traffic){ read.amount,
					    write.amount,
					    read.amount + write.amount,
					    read.most_s,
					    read.marks | write.marks,
					    read.fresh };
		return t;
	}
	for (unsigned i = 0; i < p->nrails; i++) {
		const struct power_rail_state *r = &p->rail[i];

		if (r->rail.what != POWER_TRAFFIC ||
		    (row != UINT32_MAX && r->row != row) ||
		    r->span.end_ns == 0 || r->span.stale ||
		    !(r->span.weight > 0))
			continue;
		t.both = (isnan(t.both) ? 0 : t.both) +
			 r->span.amount / r->span.weight;
		t.span_s = power_span_s(&r->span);
		t.marks |= r->span.marks;
		t.fresh |= r->fresh;
	}
	return t;
}

static void
row_take_clock(struct power_join *p, unsigned c, const struct frame *f)
{
	struct sum s = rails_sum(p, POWER_CLOCK, c);
	struct power_row *r = &p->row[c];
	const struct span *span = &f->span[frame_scope_cluster(f, c)];

	r->clock_ghz =
		s.n > 0 && s.weight > 0 ? s.amount / s.weight * 1e-9 : NAN;
	double ghz = span_has_fixed(span) && span->busy_ns > 0
			     ? (double)span->cycles / span->busy_ns
			     : NAN;
	bool slower = span_busy_pct(span) >= busy_least_pct &&
		      !span_busy_rough(span) &&
		      ghz < r->clock_ghz * (1 - slower_by);

	p->state[c].slower = slower ? p->state[c].slower + 1 : 0;
	struct sum heat = rails_sum(p, POWER_THROTTLE, c);

	r->throttled = p->state[c].slower >= SLOWER_FRAMES || heat.amount > 0;
	r->throttle_known = !isnan(r->clock_ghz) || heat.n > 0;
	r->status_fresh = s.fresh || heat.fresh;
}

static const double held_least_s = 10;

static bool
energy_is_old(double now_s, double at_s, double span_s)
{
	return !(now_s - at_s <= fmax(held_least_s, 2 * span_s));
}

/* Values of a recording become stale at the same age as live ones. */
static void
age_recorded(struct power_join *p, double elapsed_s)
{
	for (unsigned i = 0; i < p->frame.nrows; i++) {
		struct power_row *r = &p->row[i];

		r->energy.fresh = r->traffic.fresh = r->status_fresh = false;
		if (energy_is_old(elapsed_s, p->state[i].status_s, 0)) {
			r->clock_ghz = NAN;
			r->throttled = r->throttle_known = false;
			if (i + 1 == p->frame.nrows)
				p->frame.pressure = POWER_PRESSURE_UNKNOWN;
		}
		if (energy_is_old(elapsed_s, p->state[i].energy_s,
				  r->energy.span_s))
			r->energy.watts = r->nj_instruction = NAN;
		if (energy_is_old(elapsed_s, p->state[i].traffic_s,
				  r->traffic.span_s))
			r->traffic = no_traffic;
	}
	for (unsigned i = 0; i < POWER_WHOLES; i++) {
		struct power_energy *e = &p->frame.whole[i];

		e->fresh = false;
		if (energy_is_old(elapsed_s, p->whole_s[i], e->span_s))
			e->watts = NAN;
	}
}

void
power_join_recorded(struct power_join *p, const struct recorded_power *r,
		    unsigned n, double elapsed_s)
{
	const struct topology *t = p->topology;

	if (n == 0 && !p->recorded)
		return;
	p->recorded = true;
	age_recorded(p, elapsed_s);
	for (; n > 0; n--, r++) {
		int c = r->cluster[0] == '\0'
				? (int)t->nclusters
				: topology_cluster_find(t, r->cluster);

		if (c < 0)
			continue;
		struct power_row *row = &p->row[c];

		row->clock_ghz = r->row.clock_ghz;
		row->throttled = r->row.throttled;
		row->throttle_known = r->row.throttle_known;
		row->status_fresh = r->row.status_fresh;
		p->state[c].status_s = elapsed_s;
		if (r->row.energy.fresh) {
			row->energy = r->row.energy;
			row->nj_instruction = r->row.nj_instruction;
			p->state[c].energy_s = elapsed_s;
		}
		if (r->row.traffic.fresh) {
			row->traffic = r->row.traffic;
			p->state[c].traffic_s = elapsed_s;
		}
		if (c != (int)t->nclusters)
			continue;
		p->frame.pressure = r->pressure;
		for (unsigned i = 0; i < POWER_WHOLES; i++)
			if (r->whole[i].fresh) {
				p->frame.whole[i] = r->whole[i];
				p->whole_s[i] = elapsed_s;
			}
	}
}

/* Nominal is not evidence: some Macs never report another level. */
static void
row_take_pressure(struct power_join *p, struct power_row *all)
{
	struct sum heat = rails_sum(p, POWER_HEAT, p->topology->nclusters);

	/* The amount is level times seconds; divided by time it is the mean
	 * level. */
	unsigned level = heat.n > 0 ? 1 + (unsigned)ceil(heat.amount - 1e-6)
				    : POWER_PRESSURE_UNKNOWN;

	p->frame.pressure = level < POWER_PRESSURES ? (enum power_pressure)level
						    : POWER_PRESSURE_UNKNOWN;
	all->status_fresh = heat.fresh;
	if (p->frame.pressure >= POWER_PRESSURE_HEAVY)
		all->throttled = all->throttle_known = true;
}

static void
machine_take_energy(struct power_join *p)
{
	unsigned n = p->topology->nclusters, known = 0;
	struct sum total = rails_sum(p, POWER_CPU, n), clusters = { .n = 0 };

	for (unsigned c = 0; c < n; c++) {
		struct sum s = rails_sum(p, POWER_CLUSTER, c);

		known += s.n > 0;
		clusters.n += s.n;
		clusters.amount += s.amount;
		clusters.most_s = fmax(clusters.most_s, s.most_s);
		clusters.fresh |= s.fresh;
		clusters.marks |= s.marks;
		clusters.span = s.n > 0 ? s.span : clusters.span;
	}
	if (known < n)
		clusters.n = 0;
	struct sum *its = total.n > 0 ? &total : &clusters;

	if (total.n > 0 && clusters.n > 0) {
		double off = fabs(total.amount - clusters.amount);

		if (off > sum_part * total.amount &&
		    off * total.most_s > sum_joules * clusters.n) {
			total.marks |= POWER_DOUBTFUL;
			for (unsigned c = 0; c < n; c++) {
				p->row[c].energy.marks |= POWER_DOUBTFUL;
				p->row[c].nj_instruction = NAN;
			}
		}
	}
	row_take_energy(p, n, its);
	if ((its->marks & POWER_DOUBTFUL) != 0)
		p->row[n].nj_instruction = NAN;
	p->row[n].traffic = rails_traffic(p, UINT32_MAX);
	p->row[n].clock_ghz = NAN;
	p->row[n].throttled = p->row[n].throttle_known = false;
	for (unsigned c = 0; c < n; c++) {
		p->row[n].throttled |= p->row[c].throttled;
		p->row[n].throttle_known |= p->row[c].throttle_known;
	}
	row_take_pressure(p, &p->row[n]);
}

static void
power_note_most_traffic(struct power_join *p)
{
	double both = frame_power_machine(&p->frame)->traffic.both;

	if (both > p->most)
		p->most = both;
	if (p->frame.seen)
		p->frame.ceiling = p->most > 0 ? p->most : NAN;
}

static void
follow_throttled(struct power_join *p, const struct frame *f)
{
	for (unsigned c = 0; c < p->topology->nclusters; c++) {
		struct power_row *r = &p->row[c];

		r->throttled_s =
			r->throttled ? r->throttled_s + f->interval_s : 0;
	}
}

void
power_join_frame(struct power_join *p, struct frame *f)
{
	f->power = p->recorded ? &p->frame : NULL;
	power_note_instructions(p, f);
	if (p->recorded)
		power_note_most_traffic(p);
	if (!p->has_source) {
		follow_throttled(p, f);
		return;
	}
	rails_settle(p, f->stamp.awake_ns);
	for (unsigned c = 0; c < p->topology->nclusters; c++) {
		struct sum s = rails_sum(p, POWER_CLUSTER, c);

		row_take_energy(p, c, &s);
		p->row[c].traffic = rails_traffic(p, c);
		row_take_clock(p, c, f);
	}
	follow_throttled(p, f);
	machine_take_energy(p);
	for (unsigned i = 0; i < POWER_WHOLES; i++) {
		struct sum s = rails_sum(p, POWER_WHOLE + i, UINT32_MAX);

		p->frame.whole[i] = energy_of_sum(&s);
	}
	power_note_most_traffic(p);
	f->power = &p->frame;
}

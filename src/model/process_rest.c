#include "model/process_rest.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "model/process.h"

enum {
	FEW_CYCLES = 1000000, /* fewer cycles give no IPC */
	FEW_SHARE = 100,      /* below 1/100 of the cycles a part has no IPC */
	SLOW_SLOTS = 15,      /* % of the issue slots */
	MATTERS_CYCLES = 3    /* % of all cycles */
};

#define TEXTS(constant, name, label, unit, decimals, text, needs, formula) \
	{ name, label, unit, decimals, text, needs },
const struct process_metric_texts process_metrics[PROCESS_METRICS] = {
	PROCESS_METRIC_TABLE(TEXTS)
};
#undef TEXTS

int
process_metric_find(const char *name)
{
	for (int i = 0; i < PROCESS_METRICS; i++)
		if (strcmp(process_metrics[i].name, name) == 0)
			return i;
	return -1;
}

/* Outside these clock rates cycles and time do not match. */
#define GHZ_LEAST 0.1
#define GHZ_MOST 10.0

struct operands {
	const struct process_row *row;
	unsigned parts;
	double wall_ns;
	double cpu_ns, user_ns, system_ns;
	double cycles, instructions;
	double all_cycles;
};

static double
value_or_nan(const struct process_row *row, uint32_t has, uint64_t value)
{
	return (row->known & has) != 0 ? (double)value : NAN;
}

static double
quotient_or_nan(double above, double below)
{
	return below > 0 ? above / below : NAN;
}

/* Only delayed counts make a share of over 100 %: it is NAN. */
static double
part_of_all_pct(double of, double all)
{
	return of <= all ? 100 * quotient_or_nan(of, all) : NAN;
}

static double
part_time(const struct operands *o)
{
	double sum = 0;

	if (o->parts == 0 || (o->row->known & PROCESS_HAS_PART_TIMES) == 0)
		return NAN;
	for (unsigned i = 0; i < o->parts; i++)
		sum += (double)o->row->d.part[i].cpu_ns;
	return quotient_or_nan(100 * (double)o->row->d.part[0].cpu_ns, sum);
}

static double
part_work(const struct operands *o)
{
	if (o->parts == 0 || (o->row->known & PROCESS_HAS_PARTS) == 0)
		return NAN;
	return quotient_or_nan(100 * (double)o->row->d.part[0].cycles,
			       o->cycles);
}

static double
operand_part_ipc(const struct operands *o, unsigned part)
{
	const struct process_row *row = o->row;
	const struct process_part *p = &row->d.part[part];

	if (part >= o->parts || (row->known & PROCESS_HAS_PARTS) == 0 ||
	    p->cycles < FEW_CYCLES || p->cycles * FEW_SHARE < row->d.cycles)
		return NAN;
	return quotient_or_nan((double)p->instructions, (double)p->cycles);
}

static double
clock_rate(const struct operands *o)
{
	double ghz = quotient_or_nan(o->cycles, o->cpu_ns);

	return ghz >= GHZ_LEAST && ghz <= GHZ_MOST ? ghz : NAN;
}

static void
make_operands(const struct process_row *row, const struct process_row *cores,
	      unsigned parts, struct operands *o)
{
	const struct process_totals *d = &row->d;

	*o = (struct operands){
		.row = row,
		.parts = parts > 1 ? parts : 0,
		.wall_ns = row->interval_s * 1e9,
		.user_ns = value_or_nan(row, PROCESS_HAS_TIMES, d->user_ns),
		.system_ns = value_or_nan(row, PROCESS_HAS_TIMES, d->system_ns),
		.cycles = value_or_nan(row, PROCESS_HAS_COUNTS, d->cycles),
		.instructions =
			value_or_nan(row, PROCESS_HAS_COUNTS, d->instructions),
		.all_cycles = cores != NULL
				      ? value_or_nan(cores, PROCESS_HAS_COUNTS,
						     cores->d.cycles)
				      : NAN,
	};
	o->cpu_ns = o->user_ns + o->system_ns;
}

void
process_metrics_of(struct process_row *row, const struct process_row *cores,
		   unsigned parts)
{
	struct operands all;
	const struct operands *o = &all;

	make_operands(row, cores, parts, &all);
#define VALUE(constant, name, label, unit, decimals, text, needs, formula) \
	row->value[constant] = formula;
	PROCESS_METRIC_TABLE(VALUE)
#undef VALUE
}

static void
init_row(struct process_row *row, const char *name)
{
	*row = (struct process_row){
		.pid = -1, .parent = -1, .name = name, .user = ""
	};
}

/* A part is one kind, or all kinds that no other part covers. */
static bool
kind_in_part(const struct process_parts *parts, unsigned part, unsigned kind)
{
	if (parts->kind[part] >= 0)
		return (unsigned)parts->kind[part] == kind;
	for (unsigned i = 0; i < parts->n; i++)
		if (parts->kind[i] == (int)kind)
			return false;
	return true;
}

/* The counts of a kind whose cores are all off are known: 0. */
static bool
fixed_known(const struct span *t)
{
	return span_has_fixed(t) || (t->quality & QUALITY_OFF) != 0;
}

static void
add_core_kinds(const struct frame *f, const struct process_parts *parts,
	       struct process_row *cores)
{
	cores->known |= PROCESS_HAS_PARTS;
	for (unsigned k = 0; k < f->topology->nkinds; k++) {
		const struct span *t = &f->span[frame_scope_kind(f, k)];

		if (!fixed_known(t))
			cores->known &= ~(uint32_t)PROCESS_HAS_PARTS;
		if (!span_has_fixed(t))
			continue;
		for (unsigned i = 0; i < parts->n; i++) {
			struct process_part *p = &cores->d.part[i];

			if (!kind_in_part(parts, i, k))
				continue;
			p->cycles += t->cycles;
			p->instructions += t->instructions;
		}
	}
}

void
process_cores_of(const struct frame *f, const struct process_parts *parts,
		 struct process_row *cores)
{
	const struct span *all = &f->span[frame_scope_all(f)];
	const uint32_t missing = QUALITY_STALE | QUALITY_LOST | QUALITY_DENIED;

	init_row(cores, "(cores)");
	cores->interval_s = f->interval_s;
	if (span_has_fixed(all)) {
		cores->known = PROCESS_HAS_COUNTS;
		cores->d.cycles = all->cycles;
		cores->d.instructions = all->instructions;
		if (parts->n > 1)
			add_core_kinds(f, parts, cores);
	}
	if ((all->quality & missing) != 0)
		cores->flags |= PROCESS_PARTIAL;
	if ((all->quality & QUALITY_CATCHUP) != 0)
		cores->flags |= PROCESS_CATCHUP;
	if ((f->quality & QUALITY_GAP) != 0)
		cores->flags |= PROCESS_GAP;
	process_metrics_of(cores, cores, parts->n);
	/* Times in OS ticks are precise enough for CPU%, but not for totals. */
	if (!isnan(span_busy_ns(all)) && f->interval_s > 0)
		cores->value[PROCESS_CPU] =
			100 * span_busy_ns(all) / (f->interval_s * 1e9);
}

void
process_own_of(const struct process_row *row, unsigned n, const bool *out,
	       struct process_row *own)
{
	uint32_t lacks = 0, uncounted = 0;

	init_row(own, "(processes)");
	for (unsigned i = 0; i < n; i++) {
		uint32_t known = row[i].known;

		if (out != NULL && out[i])
			continue;
		if (!row[i].still)
			process_totals_add(&own->d, &row[i].d, known);
		own->known |= known;
		own->flags |= row[i].flags & (PROCESS_SCALED | PROCESS_GAP);
		lacks |= process_lacks(known);
		if ((known & PROCESS_HAS_TIMES) != 0)
			uncounted |= ~known & PROCESS_HAS_COUNTS;
	}
	own->known &= ~lacks;
	if ((own->known & uncounted) != 0)
		own->flags |= PROCESS_PARTIAL;
}

static bool
is_negative(uint64_t cycles, uint64_t instructions)
{
	return (int64_t)cycles < 0 || (int64_t)instructions < 0;
}

static void
clear_impossible(struct process_row *rest)
{
	uint32_t wrong = 0;

	if (is_negative(rest->d.cycles, rest->d.instructions))
		wrong = PROCESS_HAS_COUNTS | PROCESS_HAS_PARTS;
	for (unsigned i = 0; i < PROCESS_PARTS; i++)
		if (is_negative(rest->d.part[i].cycles,
				rest->d.part[i].instructions))
			wrong |= PROCESS_HAS_PARTS;
	if ((rest->known & wrong) != 0)
		rest->flags |= PROCESS_SKEW;
	rest->known &= ~wrong;
}

void
process_rest_metrics(struct process_row *rest, const struct process_row *cores,
		     unsigned parts)
{
	clear_impossible(rest);
	process_metrics_of(rest, cores, parts);
	if (rest->d.cycles < FEW_CYCLES)
		rest->value[PROCESS_IPC] = NAN;
}

bool
process_rest_of(const struct process_row *cores, const struct process_row *own,
		unsigned parts, struct process_row *rest)
{
	const struct process_totals *c = &cores->d, *o = &own->d;

	init_row(rest, PROCESS_REST_NAME);
	rest->interval_s = cores->interval_s;
	rest->known = cores->known & own->known &
		      (PROCESS_HAS_COUNTS | PROCESS_HAS_PARTS);
	rest->flags = cores->flags | (own->flags & PROCESS_SCALED);
	if ((rest->known & PROCESS_HAS_COUNTS) == 0)
		return false;
	rest->d.cycles = c->cycles - o->cycles;
	rest->d.instructions = c->instructions - o->instructions;
	if ((rest->known & PROCESS_HAS_PARTS) != 0)
		for (unsigned i = 0; i < parts; i++) {
			struct process_part *p = &rest->d.part[i];

			p->cycles = c->part[i].cycles - o->part[i].cycles;
			p->instructions = c->part[i].instructions -
					  o->part[i].instructions;
		}
	process_rest_metrics(rest, cores, parts);
	return true;
}

/* Width of the narrowest kind in the part; 0: unknown. */
static unsigned
part_width(const struct process_parts *parts, unsigned part,
	   const struct topology *t)
{
	unsigned least = 0;

	for (unsigned k = 0; k < t->nkinds; k++) {
		unsigned width = t->kind[k].width;

		if (parts != NULL && !kind_in_part(parts, part, k))
			continue;
		if (width == 0)
			return 0;
		if (least == 0 || width < least)
			least = width;
	}
	return least;
}

/* Cycles that the instructions need if they fill all slots; NAN: unknown. */
static double
filled_cycles(const struct process_row *row, const struct process_parts *parts,
	      const struct topology *t)
{
	double sum = 0;

	if (parts->n < 2 || (row->known & PROCESS_HAS_PARTS) == 0) {
		unsigned width = part_width(NULL, 0, t);

		return width > 0 ? (double)row->d.instructions / width : NAN;
	}
	for (unsigned i = 0; i < parts->n; i++) {
		unsigned width = part_width(parts, i, t);

		if (row->d.part[i].instructions == 0)
			continue;
		if (width == 0)
			return NAN;
		sum += (double)row->d.part[i].instructions / width;
	}
	return sum;
}

bool
process_is_slow(const struct process_row *row, const struct process_row *cores,
		const struct process_parts *parts, const struct topology *t,
		double of)
{
	double cycles = (double)row->d.cycles;

	if ((row->known & cores->known & PROCESS_HAS_COUNTS) == 0 ||
	    100 * cycles <=
		    of * (double)MATTERS_CYCLES * (double)cores->d.cycles)
		return false;
	return of * 100 * filled_cycles(row, parts, t) <
	       (double)SLOW_SLOTS * cycles;
}

static int
kind_part(const struct process_parts *parts, int kind)
{
	int several = -1;

	for (unsigned i = 0; i < parts->n; i++) {
		if (parts->kind[i] == kind)
			return (int)i;
		if (parts->kind[i] < 0)
			several = (int)i;
	}
	return several;
}

/* *part -1: all cores. False: the scope's kind of core has no counts of its
 * own. */
static bool
part_of_scope(const struct process_table *t, const struct frame *f,
	      unsigned scope, int *part)
{
	int kind = frame_kind(f, scope);

	*part = -1;
	if (kind >= 0 && f->topology->nkinds > 1)
		*part = kind_part(&t->parts, kind);
	return *part >= 0 || kind < 0 || f->topology->nkinds < 2;
}

static bool
cores_whole(const struct process_table *t)
{
	return (t->cores.flags & (PROCESS_PARTIAL | PROCESS_CATCHUP)) == 0;
}

static uint64_t
row_cycles(const struct process_row *row, int part)
{
	uint32_t need = part < 0 ? PROCESS_HAS_COUNTS : PROCESS_HAS_PARTS;

	if ((row->known & need) == 0)
		return 0;
	return part < 0 ? row->d.cycles : row->d.part[part].cycles;
}

static double
row_ipc(const struct process_row *row, int part)
{
	const struct process_part *p = &row->d.part[part < 0 ? 0 : part];
	double cycles = (double)row_cycles(row, part);

	if (part == 0 || part == 1)
		return row->value[part == 0 ? PROCESS_IPC_0 : PROCESS_IPC_1];
	if (part < 0)
		return row->value[PROCESS_IPC];
	return cycles >= 1e6 ? (double)p->instructions / cycles : NAN;
}

static bool
can_be_culprit(const struct process_row *row, int part,
	       const struct span *cores)
{
	double ipc = row_ipc(row, part);

	if (!span_has_fixed(cores) || cores->cycles < FEW_CYCLES || isnan(ipc))
		return true;
	return ipc * (double)cores->cycles < 2 * (double)cores->instructions;
}

bool
processes_culprit(const struct process_table *t, const struct frame *f,
		  unsigned scope, struct process_culprit *c)
{
	int part;

	*c = (struct process_culprit){ .part = -1,
				       .share_pct = NAN,
				       .ipc = NAN };
	if (!part_of_scope(t, f, scope, &part))
		return false;
	uint64_t all = row_cycles(&t->cores, part), most = 0, several = 0;
	uint64_t possible = 0;

	for (unsigned i = 0; i < t->n; i++) {
		uint64_t cycles = row_cycles(&t->row[i], part);

		if (t->row[i].pid == PROCESS_OTHERS_PID) {
			several = cycles;
		} else if (can_be_culprit(&t->row[i], part, &f->span[scope])) {
			possible += cycles;
			if (cycles <= most)
				continue;
			most = cycles;
			c->row = &t->row[i];
		}
	}
	/* `several` is a sum over processes without a row: one of these may
	 * have more cycles than the candidate. */
	if (c->row == NULL || most > all || several > most || !cores_whole(t))
		return false;
	if (most < possible - most || (span_has_fixed(&f->span[scope]) &&
				       most < f->span[scope].cycles / 2))
		return false;
	c->part = part;
	c->share_pct = 100 * (double)most / (double)all;
	c->ipc = row_ipc(c->row, part);
	return true;
}

unsigned
processes_shares(const struct process_table *t, const struct frame *f,
		 unsigned scope, struct process_share *out, unsigned n,
		 const char **part)
{
	unsigned found = 0;
	int at;

	*part = "";
	if (!part_of_scope(t, f, scope, &at) || !cores_whole(t))
		return 0;
	*part = at >= 0 ? t->parts.label[at] : "all";
	double all = (double)row_cycles(&t->cores, at);

	for (unsigned i = 0; i < t->n; i++) {
		double pct = 100 * (double)row_cycles(&t->row[i], at) / all;
		unsigned to = found;

		if (!(pct > 0 && pct <= 100))
			continue;
		for (; to > 0 && out[to - 1].share_pct < pct; to--)
			if (to < n)
				out[to] = out[to - 1];
		if (to < n)
			out[to] = (struct process_share){ &t->row[i], pct };
		found += found < n;
	}
	return found;
}

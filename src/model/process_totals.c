#include "model/process_totals.h"

/*
 * Times are made of ticks, and those of a kind of core of differences of such
 * times: rounding alone may take them back by this much.
 */
enum { ROUNDING_NS = 1000 };

static bool
time_fell(uint64_t before, uint64_t now)
{
	return now < before && before - now > ROUNDING_NS;
}

static uint64_t
time_since(uint64_t before, uint64_t now)
{
	return now > before ? now - before : 0;
}

static uint32_t
part_fell(const struct process_part *b, const struct process_part *n)
{
	uint32_t fell = 0;

	if (n->cycles < b->cycles || n->instructions < b->instructions)
		fell |= PROCESS_HAS_PARTS;
	if (time_fell(b->cpu_ns, n->cpu_ns))
		fell |= PROCESS_HAS_PART_TIMES;
	if (n->energy_nj < b->energy_nj)
		fell |= PROCESS_HAS_PART_ENERGY;
	return fell;
}

uint32_t
process_totals_fell(const struct process_totals *before,
		    const struct process_totals *now, uint32_t known)
{
	uint32_t fell = 0;

	if (now->cycles < before->cycles ||
	    now->instructions < before->instructions)
		fell |= PROCESS_HAS_COUNTS;
	if (time_fell(before->user_ns, now->user_ns) ||
	    time_fell(before->system_ns, now->system_ns))
		fell |= PROCESS_HAS_TIMES;
	if (now->energy_nj < before->energy_nj)
		fell |= PROCESS_HAS_ENERGY;
	for (unsigned i = 0; i < PROCESS_PARTS; i++)
		fell |= part_fell(&before->part[i], &now->part[i]);
	return fell & known;
}

static struct process_part
part_since(const struct process_part *b, const struct process_part *n,
	   uint32_t known)
{
	struct process_part d = { 0 };

	if ((known & PROCESS_HAS_PARTS) != 0) {
		d.cycles = n->cycles - b->cycles;
		d.instructions = n->instructions - b->instructions;
	}
	if ((known & PROCESS_HAS_PART_TIMES) != 0)
		d.cpu_ns = time_since(b->cpu_ns, n->cpu_ns);
	if ((known & PROCESS_HAS_PART_ENERGY) != 0)
		d.energy_nj = n->energy_nj - b->energy_nj;
	return d;
}

void
process_totals_since(const struct process_totals *before,
		     const struct process_totals *now, uint32_t known,
		     struct process_totals *d)
{
	*d = (struct process_totals){ 0 };
	if ((known & PROCESS_HAS_COUNTS) != 0) {
		d->cycles = now->cycles - before->cycles;
		d->instructions = now->instructions - before->instructions;
	}
	if ((known & PROCESS_HAS_TIMES) != 0) {
		d->user_ns = time_since(before->user_ns, now->user_ns);
		d->system_ns = time_since(before->system_ns, now->system_ns);
	}
	if ((known & PROCESS_HAS_ENERGY) != 0)
		d->energy_nj = now->energy_nj - before->energy_nj;
	for (unsigned i = 0; i < PROCESS_PARTS; i++)
		d->part[i] = part_since(&before->part[i], &now->part[i], known);
}

static void
add_part(struct process_part *sum, const struct process_part *p, uint32_t known)
{
	if ((known & PROCESS_HAS_PARTS) != 0) {
		sum->cycles += p->cycles;
		sum->instructions += p->instructions;
	}
	if ((known & PROCESS_HAS_PART_TIMES) != 0)
		sum->cpu_ns += p->cpu_ns;
	if ((known & PROCESS_HAS_PART_ENERGY) != 0)
		sum->energy_nj += p->energy_nj;
}

void
process_totals_add(struct process_totals *sum, const struct process_totals *add,
		   uint32_t known)
{
	if ((known & PROCESS_HAS_COUNTS) != 0) {
		sum->cycles += add->cycles;
		sum->instructions += add->instructions;
	}
	if ((known & PROCESS_HAS_TIMES) != 0) {
		sum->user_ns += add->user_ns;
		sum->system_ns += add->system_ns;
	}
	if ((known & PROCESS_HAS_ENERGY) != 0)
		sum->energy_nj += add->energy_nj;
	for (unsigned i = 0; i < PROCESS_PARTS; i++)
		add_part(&sum->part[i], &add->part[i], known);
}

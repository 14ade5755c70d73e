#include "out/page_process.h"

#include <string.h>

#include "base/utf8.h"
#include "out/page_text.h"

enum { LABELS_MAX = 640 };

static uint64_t
cpu_ns(const struct process_totals *d)
{
	return d->user_ns + d->system_ns;
}

static uint64_t
cycles(const struct process_totals *d)
{
	return d->cycles;
}

static uint64_t
instructions(const struct process_totals *d)
{
	return d->instructions;
}

static uint64_t
fast_ns(const struct process_totals *d)
{
	return d->part[0].cpu_ns;
}

static uint64_t
fast_cycles(const struct process_totals *d)
{
	return d->part[0].cycles;
}

static uint64_t
fast_instructions(const struct process_totals *d)
{
	return d->part[0].instructions;
}

static uint64_t
energy_nj(const struct process_totals *d)
{
	return d->energy_nj;
}

/* Shown of what knew it in any frame. Of `nano` a thousand millionth is meant.
 */
static const struct counter {
	const char *name, *text;
	uint32_t known;
	bool nano;
	uint64_t (*of)(const struct process_totals *d);
} counters[] = {
	{ "cpu_seconds", "CPU time in user mode and in the kernel.",
	  PROCESS_HAS_TIMES, true, cpu_ns },
	{ "cycles", "Cycles, in the modes that the system counts.",
	  PROCESS_HAS_COUNTS, false, cycles },
	{ "instructions", "Retired instructions, in the same modes.",
	  PROCESS_HAS_COUNTS, false, instructions },
	{ "ptime_seconds", "CPU time on the fastest kind of core.",
	  PROCESS_HAS_PART_TIMES, true, fast_ns },
	{ "pcycles", "Cycles on the fastest kind of core.", PROCESS_HAS_PARTS,
	  false, fast_cycles },
	{ "pinstructions", "Instructions on the fastest kind of core.",
	  PROCESS_HAS_PARTS, false, fast_instructions },
	{ "energy_joules",
	  "The system's estimate of the energy that its cores used.",
	  PROCESS_HAS_ENERGY, true, energy_nj },
};
enum { COUNTERS = sizeof counters / sizeof *counters };

size_t
page_process_size(unsigned n)
{
	size_t line = PAGE_NAME_MAX + LABELS_MAX + PAGE_VALUE_MAX;

	return n > 0 ? COUNTERS * (2 * (size_t)PAGE_HEAD_MAX +
				   ((size_t)n + 1) * line) +
			       PAGE_HEAD_MAX + line
		     : 0;
}

static void
put_plain(struct buf *b, const char *name, const char *text)
{
	char plain[PROCESS_NAME_SIZE];

	utf8_plain(plain, sizeof plain, text, strlen(text));
	page_label(b, name, plain);
}

static const char *
labels_of(const struct process_row *r, const char *source,
	  char labels[LABELS_MAX])
{
	struct buf b = buf_over(labels, LABELS_MAX);
	char pid[16];
	struct buf number = buf_over(pid, sizeof pid);

	buf_i64(&number, r->pid);
	page_label(&b, "pid", buf_cstr(&number));
	put_plain(&b, "process", r->name);
	put_plain(&b, "user", r->user);
	page_label(&b, "source", source);
	return buf_cstr(&b);
}

/* A part of a machine of one kind is all of it. */
static bool
has(const struct process_sum *s, const struct counter *c,
    const struct process_parts *parts)
{
	const uint32_t part = PROCESS_HAS_PARTS | PROCESS_HAS_PART_TIMES;

	return (s->known & c->known) != 0 &&
	       (parts->n > 1 || (c->known & part) == 0);
}

static void
put_sample(struct buf *b, const struct page_family *m, const struct counter *c,
	   const struct process_sum *s, const char *labels)
{
	uint64_t v = c->of(&s->d);

	page_begin(b, m, labels);
	if (c->nano)
		page_real(b, (double)v * 1e-9);
	else
		page_count(b, v);
}

static void
put_counter(struct buf *b, const struct counter *c,
	    const struct process_sums *s, const struct process_table *t,
	    const char *source)
{
	const struct page_family m = { .about = "process",
				       .name = c->name,
				       .suffix = "_total",
				       .type = "counter",
				       .text = c->text };
	bool begun = false;

	for (unsigned i = 0; i < s->top.n; i++) {
		const struct process_sum *sum = &s->sum[s->top.index[i]];
		char labels[LABELS_MAX];

		if (!has(sum, c, &t->parts))
			continue;
		if (!begun)
			page_head(b, &m);
		begun = true;
		put_sample(b, &m, c, sum,
			   labels_of(&t->row[sum->row], source, labels));
	}
}

/* For all processes, those without samples of their own as well. */
static void
put_all(struct buf *b, const struct counter *c, const struct process_sums *s,
	const struct process_table *t, const char *labels)
{
	const struct page_family m = { .about = "processes",
				       .name = c->name,
				       .suffix = "_total",
				       .type = "counter",
				       .text = c->text };

	if (!has(&s->all, c, &t->parts))
		return;
	page_head(b, &m);
	put_sample(b, &m, c, &s->all, labels);
}

void
page_process_put(struct buf *b, const struct process_sums *s,
		 const struct frame *f, const char *source)
{
	const struct page_family number = {
		.about = "processes",
		.name = "now",
		.suffix = "",
		.type = "gauge",
		.text = "Processes that there are.",
	};
	char labels[LABELS_MAX];
	struct buf l = buf_over(labels, sizeof labels);

	if (f->processes == NULL)
		return;
	page_label(&l, "source", source);
	buf_cstr(&l);
	for (unsigned i = 0; i < COUNTERS; i++)
		put_counter(b, &counters[i], s, f->processes, source);
	for (unsigned i = 0; i < COUNTERS; i++)
		put_all(b, &counters[i], s, f->processes, labels);
	page_head(b, &number);
	page_begin(b, &number, labels);
	page_count(b, s->now);
}

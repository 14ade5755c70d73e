#include "model/process.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

#define STATE(constant, word) word,
const char *const process_state_word[PROCESS_STATE_COUNT] = { PROCESS_STATES(
	STATE) };
#undef STATE

#define WORD(constant, word, text) word,
const char *const process_access_word[PROCESS_ACCESS_COUNT] = {
	PROCESS_ACCESSES(WORD)
};
#undef WORD

#define TEXT(constant, word, text) text,
const char *const process_access_text[PROCESS_ACCESS_COUNT] = {
	PROCESS_ACCESSES(TEXT)
};
#undef TEXT

static const char *
kind_name(const struct topology_kind *k)
{
	return k->letter[0] != '\0' ? k->letter : k->name;
}

void
process_parts_of(const struct topology *t, struct process_parts *out)
{
	struct buf first = buf_over(out->label[0], sizeof out->label[0]);
	struct buf rest = buf_over(out->label[1], sizeof out->label[1]);
	bool two = t->nkinds == 2;

	*out = (struct process_parts){ .n = t->nkinds > 1 ? 2 : 0 };
	if (out->n == 0)
		return;
	out->kind[1] = two ? 1 : -1;
	buf_printf(&first, "%s", kind_name(&t->kind[0]));
	buf_printf(&rest, "%s%s", two ? "" : "not ",
		   kind_name(&t->kind[two ? 1 : 0]));
	buf_cstr(&first);
	buf_cstr(&rest);
}

bool
process_reading_init(struct process_reading *r, unsigned room)
{
	memset(r, 0, sizeof *r);
	r->started = UINT64_MAX;
	r->command.pid = -1;
	return process_reading_grow(r, room);
}

void
process_reading_free(struct process_reading *r)
{
	free(r->row);
	r->row = NULL;
	r->n = r->room = 0;
}

bool
process_reading_grow(struct process_reading *r, unsigned n)
{
	if (n <= r->room)
		return true;
	if (n > PROCESS_ROWS_MAX)
		return false;
	unsigned room =
		n + n / 2 < PROCESS_ROWS_MAX ? n + n / 2 : PROCESS_ROWS_MAX;
	struct process_read *row = realloc(r->row, room * sizeof *row);

	if (row == NULL)
		return false;
	memset(row + r->room, 0, (room - r->room) * sizeof *row);
	r->row = row;
	r->room = room;
	return true;
}

void
process_command_make(struct process_command *c, int32_t pid, uint64_t start,
		     const char *args, size_t len)
{
	size_t n = 0;

	c->pid = pid;
	c->start = start;
	while (len > 0 && args[len - 1] == '\0')
		len--;
	for (; n < len && n < sizeof c->text - 1; n++) {
		unsigned char byte = (unsigned char)args[n];

		/* An argument may be a script with newlines. */
		c->text[n] = byte < ' ' || byte == 0x7f ? ' ' : args[n];
	}
	c->text[n] = '\0';
}

/* Rounding of ticks may move times back by this much. */
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

static void
keep_known(struct process_totals *t, uint32_t known)
{
	if ((known & PROCESS_HAS_COUNTS) == 0)
		t->cycles = t->instructions = 0;
	if ((known & PROCESS_HAS_TIMES) == 0)
		t->user_ns = t->system_ns = 0;
	if ((known & PROCESS_HAS_ENERGY) == 0)
		t->energy_nj = 0;
	for (unsigned i = 0; i < PROCESS_PARTS; i++) {
		struct process_part *p = &t->part[i];

		if ((known & PROCESS_HAS_PARTS) == 0)
			p->cycles = p->instructions = 0;
		if ((known & PROCESS_HAS_PART_TIMES) == 0)
			p->cpu_ns = 0;
		if ((known & PROCESS_HAS_PART_ENERGY) == 0)
			p->energy_nj = 0;
	}
}

void
process_totals_since(const struct process_totals *b,
		     const struct process_totals *now, uint32_t known,
		     struct process_totals *d)
{
	*d = (struct process_totals){
		.cycles = now->cycles - b->cycles,
		.instructions = now->instructions - b->instructions,
		.user_ns = time_since(b->user_ns, now->user_ns),
		.system_ns = time_since(b->system_ns, now->system_ns),
		.energy_nj = now->energy_nj - b->energy_nj,
	};
	for (unsigned i = 0; i < PROCESS_PARTS; i++) {
		const struct process_part *p = &b->part[i], *n = &now->part[i];

		d->part[i] = (struct process_part){
			n->cycles - p->cycles,
			n->instructions - p->instructions,
			time_since(p->cpu_ns, n->cpu_ns),
			n->energy_nj - p->energy_nj,
		};
	}
	keep_known(d, known);
}

void
process_totals_add(struct process_totals *sum, const struct process_totals *add,
		   uint32_t known)
{
	struct process_totals a = *add;

	keep_known(&a, known);
	sum->cycles += a.cycles;
	sum->instructions += a.instructions;
	sum->user_ns += a.user_ns;
	sum->system_ns += a.system_ns;
	sum->energy_nj += a.energy_nj;
	for (unsigned i = 0; i < PROCESS_PARTS; i++) {
		sum->part[i].cycles += a.part[i].cycles;
		sum->part[i].instructions += a.part[i].instructions;
		sum->part[i].cpu_ns += a.part[i].cpu_ns;
		sum->part[i].energy_nj += a.part[i].energy_nj;
	}
}

uint32_t
process_lacks(uint32_t known)
{
	static const struct {
		uint32_t part, whole;
	} split[] = { { PROCESS_HAS_PARTS, PROCESS_HAS_COUNTS },
		      { PROCESS_HAS_PART_TIMES, PROCESS_HAS_TIMES },
		      { PROCESS_HAS_PART_ENERGY, PROCESS_HAS_ENERGY } };
	uint32_t lacks = 0;

	for (unsigned i = 0; i < sizeof split / sizeof *split; i++)
		if ((known & split[i].whole) != 0)
			lacks |= split[i].part & ~known;
	return lacks;
}

const struct process_row *
process_find(const struct process_row *row, unsigned n, int32_t pid,
	     uint64_t start)
{
	unsigned least = 0;

	while (least < n) {
		unsigned middle = least + (n - least) / 2;
		const struct process_row *r = &row[middle];

		if (r->pid == pid && r->start == start)
			return r;
		if (r->pid < pid || (r->pid == pid && r->start < start))
			least = middle + 1;
		else
			n = middle;
	}
	return NULL;
}

#define FLAG(bit, word, text) word,
static const char *const flag_word[] = { PROCESS_FLAGS(FLAG) };
#undef FLAG
#define FLAG(bit, word, text) bit,
static const uint32_t flag_bit[] = { PROCESS_FLAGS(FLAG) };
#undef FLAG
enum { FLAGS = sizeof flag_bit / sizeof *flag_bit };

const char *
process_words(const struct process_row *r, char *buf, unsigned size)
{
	struct buf b = buf_over(buf, size);

	if (r->access < PROCESS_ACCESS_COUNT)
		buf_str(&b, process_access_word[r->access]);
	for (unsigned i = 0; i < FLAGS; i++)
		if ((r->flags & flag_bit[i]) != 0)
			buf_printf(&b, "%s%s", b.len > 0 ? ";" : "",
				   flag_word[i]);
	return buf_cstr(&b);
}

static unsigned
word_find(const char *const *word, unsigned n, const char *s, size_t len)
{
	unsigned i = 0;

	while (i < n && (len == 0 || strlen(word[i]) != len ||
			 memcmp(word[i], s, len) != 0))
		i++;
	return i;
}

bool
process_word_parse(const char *s, size_t n, uint32_t *flags, uint8_t *access)
{
	unsigned why =
		word_find(process_access_word, PROCESS_ACCESS_COUNT, s, n);
	unsigned i = word_find(flag_word, FLAGS, s, n);
	/* Words of recordings before 1.0. */
	static const char *const before[] = { "held", "skew" };
	unsigned old = word_find(before, 2, s, n);

	if (old < 2) {
		*access = old == 0 ? PROCESS_IN_USE : *access;
		*flags |= old == 1 ? PROCESS_SKEW : 0;
		return true;
	}
	if (i < FLAGS)
		*flags |= flag_bit[i];
	else if (why < PROCESS_ACCESS_COUNT)
		*access = (uint8_t)why;
	return i < FLAGS || why < PROCESS_ACCESS_COUNT;
}

const char *
process_state_name(uint8_t state)
{
	return state < PROCESS_STATE_COUNT ? process_state_word[state] : "";
}

bool
process_state_parse(const char *s, size_t n, uint8_t *state)
{
	unsigned i = word_find(process_state_word, PROCESS_STATE_COUNT, s, n);

	if (i < PROCESS_STATE_COUNT)
		*state = (uint8_t)i;
	return i < PROCESS_STATE_COUNT;
}

void
process_traced_reset(struct process_traced *t)
{
	memset(t, 0, offsetof(struct process_traced, row));
}

void
process_counts_add(struct process_counts *to, const struct process_counts *c)
{
	to->cycles += c->cycles;
	to->instructions += c->instructions;
	for (unsigned i = 0; i < EVENTSET_MAX; i++)
		to->slot[i] += c->slot[i];
}

static bool
counts_before(const struct process_counts *a, const struct process_counts *b)
{
	return a->pid < b->pid || (a->pid == b->pid && a->thread < b->thread);
}

/* Shellsort, because qsort may allocate memory. */
static void
sort_counts(struct process_counts *row, unsigned n)
{
	static const unsigned gaps[] = { 132, 57, 23, 10, 4, 1 };

	for (unsigned g = 0; g < sizeof gaps / sizeof *gaps; g++)
		for (unsigned i = gaps[g]; i < n; i++) {
			struct process_counts it = row[i];
			unsigned at = i;

			for (; at >= gaps[g] &&
			       counts_before(&it, &row[at - gaps[g]]);
			     at -= gaps[g])
				row[at] = row[at - gaps[g]];
			row[at] = it;
		}
}

void
process_traced_sort(struct process_traced *t)
{
	sort_counts(t->row, t->n);
	sort_counts(t->thread, t->nthreads);
}

const struct process_counts *
process_traced_find(const struct process_traced *t, int32_t pid,
		    uint64_t thread)
{
	const struct process_counts *row = thread != 0 ? t->thread : t->row;
	const struct process_counts want = { .pid = pid, .thread = thread };
	unsigned least = 0, n = thread != 0 ? t->nthreads : t->n;

	while (least < n) {
		unsigned middle = least + (n - least) / 2;

		if (!counts_before(&row[middle], &want) &&
		    !counts_before(&want, &row[middle]))
			return &row[middle];
		if (counts_before(&row[middle], &want))
			least = middle + 1;
		else
			n = middle;
	}
	return NULL;
}

/*
 * Processes that come, go, sleep, are denied, begin again and are missed, by
 * draw. By another way of counting: what a process did since its first base is
 * the sum of its differences, and every frame's rows and rest are its cores.
 */
#include "monitor/processes_kit.h"

#include <cmocka.h>

enum { SLOTS = 60, TICKS = 3000, SEEDS = 4 };

/* Where one stands, by this test's own book. */
struct someone {
	bool alive, based, zombie, shown;
	int pid;
	double began_s;
	uint64_t total, base, sum; /* of cycles */
	uint32_t counting;
};

struct book {
	struct kit k;
	uint64_t random;
	double now_s;
	unsigned missed; /* frames without processes in a row */
	struct someone all[SLOTS];
};

static unsigned
draw(struct book *b, unsigned n)
{
	b->random = b->random * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)((b->random >> 33) % n);
}

static void
be_born(struct book *b, struct someone *s)
{
	/* Pids come back; of two that live there is one. */
	*s = (struct someone){ .alive = true,
			       .pid = 10 + (int)(s - b->all) * 3 +
				      (int)draw(b, 3),
			       .began_s = b->now_s + 0.001 * draw(b, 999) };
}

static void
work(struct book *b, struct someone *s)
{
	uint64_t cycles = draw(b, 1000) * (uint64_t)draw(b, 5000);

	s->total += cycles;
	rig_run(&b->k.rig, s->pid % 2 == 0 ? 2 : 0, cycles, cycles / 2);
}

/* What it is this time; false: it is not in the list. */
static bool
be_read(struct book *b, struct someone *s)
{
	struct process_read *p = kit_add(&b->k, s->pid, s->began_s);

	kit_work(p, s->pid % 2 == 0 ? 0 : 1, s->total, s->total / 2);
	p->counting = s->counting;
	p->state = s->zombie ? PROCESS_ENDED : PROCESS_SLEEPS;
	if (s->zombie)
		return true;
	switch (draw(b, 40)) {
	case 0:
		p->access = PROCESS_DENIED;
		p->known = 0;
		break;
	case 1:
		p->flags = PROCESS_KEPT;
		break;
	case 2:
		p->known &= ~(unsigned)PROCESS_HAS_COUNTS;
		break;
	case 3:
		p->counting = ++s->counting;
		break;
	case 4:
		b->k.r.n--;
		return false;
	}
	return true;
}

/* A row against the book. */
static void
check_row(struct book *b, struct someone *s, const struct process_read *p,
	  bool first_reading)
{
	const struct process_row *row = NULL;

	for (unsigned i = 0; i < b->k.t->n; i++)
		if (b->k.t->row[i].pid == p->pid &&
		    b->k.t->row[i].start == p->start)
			row = &b->k.t->row[i];
	if (s->zombie && s->shown) {
		assert_null(row);
		return;
	}
	if (row == NULL) { /* a zombie that nobody knew */
		assert_true(s->zombie && !s->based);
		s->shown = true;
		return;
	}
	s->shown = s->zombie;
	bool counts = (row->known & PROCESS_HAS_COUNTS) != 0;

	if ((row->flags & PROCESS_BORN) != 0) {
		assert_false(first_reading);
		s->based = counts;
		s->base = s->sum = 0;
	}
	if (counts) {
		assert_true(s->based);
		s->sum += row->d.cycles;
		assert_true(s->sum == s->total - s->base);
	} else {
		assert_true(row->d.cycles == 0);
	}
}

/* The base that the next difference is made with. */
static void
note_base(struct someone *s, const struct process_read *p, uint32_t before)
{
	bool counted = (p->known & PROCESS_HAS_COUNTS) != 0;

	if ((p->flags & PROCESS_KEPT) != 0)
		return;
	if (p->access == PROCESS_DENIED) {
		s->based = false;
	} else if (!counted) {
		/* The base waits, where there is one. */
	} else if (!s->based || p->counting != before) {
		s->based = true;
		s->base = s->total;
		s->sum = 0;
	}
}

static void
one_tick(struct book *b)
{
	struct kit *k = &b->k;
	uint32_t before[SLOTS];
	bool listed[SLOTS];

	k->r.n = 0;
	kit_second(k);
	for (unsigned i = 0; i < SLOTS; i++) {
		struct someone *s = &b->all[i];

		if (s->zombie && draw(b, 3) == 0)
			*s = (struct someone){ .alive = false };
		if (!s->alive && draw(b, 20) == 0)
			be_born(b, s);
		if (s->alive && !s->zombie && draw(b, 50) == 0) {
			work(b, s);
			s->zombie = draw(b, 2) == 0;
			s->alive = s->zombie;
		} else if (s->alive && !s->zombie && draw(b, 3) > 0) {
			work(b, s);
		}
		before[i] = s->counting;
		listed[i] = s->alive && be_read(b, s);
	}
	b->now_s += 1;
	k->f = rig_feed(&k->rig);
	b->missed++;
	if (draw(b, 60) < b->missed * 10 && b->missed < 5 && draw(b, 6) == 0) {
		for (unsigned i = 0; i < SLOTS; i++)
			b->all[i].counting = before[i];
		return;
	}
	bool gap = b->missed > 2, whole = b->missed == 1;

	b->missed = 0;
	kit_feed_processes(k);
	for (unsigned i = 0, at = 0; i < SLOTS; i++) {
		struct someone *s = &b->all[i];

		if (gap || !listed[i])
			s->based = false;
		if (!listed[i])
			continue;
		check_row(b, s, &k->r.row[at], gap);
		note_base(s, &k->r.row[at++], before[i]);
	}
	bool counts = (k->t->own.known & PROCESS_HAS_COUNTS) != 0;

	assert_true(k->t->has_rest == (whole && counts));
	if (k->t->has_rest)
		assert_true(k->t->own.d.cycles + k->t->rest.d.cycles ==
			    k->f->span[RIG_ALL].cycles);
}

UNIT(test_by_draw)
{
	static struct book b;

	for (unsigned seed = 1; seed <= SEEDS; seed++) {
		memset(&b, 0, sizeof b);
		b.random = seed;
		kit_open(&b.k);
		kit_feed_processes(&b.k);
		for (unsigned i = 0; i < TICKS; i++)
			one_tick(&b);
		kit_close(&b.k);
	}
}

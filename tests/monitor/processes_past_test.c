/*
 * The past of processes against the tables of all frames: rows that come, go
 * and have other names, frames without any, and another run.
 */
#include "monitor/processes_kit.h"

#include "monitor/draw.h"

#include <cmocka.h>

enum { FRAMES = 2600, ROWS = 90, RING = PROCESSES_PAST + 50, PIN = 17 };

struct plain { /* a frame's table as it was */
	bool there;
	uint64_t seq;
	struct process_table table;
	struct process_row row[ROWS];
	char name[ROWS][PROCESS_NAME_SIZE], user[ROWS][PROCESS_USER_SIZE];
};

static uint64_t seed = 7;

static unsigned
draw(unsigned n)
{
	return drawn(&seed, n);
}

/* A pid that is drawn: it comes, works, has another name, or goes. */
static void
live(struct kit *k, bool *alive, int pid)
{
	if (!*alive) {
		if (draw(6) == 0) {
			*alive = true;
			kit_add(k, pid, pid - 1000.0);
		}
		return;
	}
	struct process_read *p = kit_find(k, pid);

	if (draw(30) == 0) {
		kit_drop(k, pid);
		*alive = false;
		return;
	}
	if (draw(3) != 0)
		kit_run(k, p, draw(2), draw(1u << 20), draw(1u << 20));
	if (draw(40) == 0) /* exec */
		(void)snprintf(p->name, sizeof p->name, "new%u", draw(1000));
	p->known = draw(9) == 0 ? draw(32) : KIT_KNOWN;
	p->state = (uint8_t)draw(PROCESS_STATE_COUNT - 1);
}

static void
keep(struct plain *p, const struct frame *f)
{
	const struct process_table *t = f->processes;

	*p = (struct plain){ .there = true, .seq = f->seq, .table = *t };
	assert_true(t->n <= ROWS);
	for (unsigned i = 0; i < t->n; i++) {
		p->row[i] = t->row[i];
		(void)snprintf(p->name[i], sizeof p->name[i], "%s",
			       t->row[i].name);
		(void)snprintf(p->user[i], sizeof p->user[i], "%s",
			       t->row[i].user);
		p->row[i].name = p->name[i];
		p->row[i].user = p->user[i];
	}
	p->table.row = p->row;
}

static void
check_row(const struct process_row *was, const struct process_row *is)
{
	assert_string_equal(is->name, was->name);
	assert_string_equal(is->user, was->user);
	struct process_row a = *was, b = *is;

	a.name = b.name = a.user = b.user = "";
	assert_memory_equal(&a, &b, sizeof a);
}

static double
weight(const struct process_row *r)
{
	if (r->pid == PIN)
		return INFINITY;
	if ((r->known & PROCESS_HAS_TIMES) != 0)
		return (double)(r->d.user_ns + r->d.system_ns);
	return (r->known & PROCESS_HAS_COUNTS) != 0 ? (double)r->d.cycles : -1;
}

/* The busiest are there in their order, and nobody else. */
static void
check_table(const struct process_table *was, const struct process_table *is)
{
	double least = INFINITY, left_out = -INFINITY;
	unsigned at = 0;

	assert_non_null(is);
	assert_int_equal(is->n,
			 was->n < PROCESSES_KEPT ? was->n : PROCESSES_KEPT);
	for (unsigned k = 0; k < was->n; k++) {
		double w = weight(&was->row[k]);

		if (at < is->n && is->row[at].pid == was->row[k].pid &&
		    is->row[at].start == was->row[k].start) {
			check_row(&was->row[k], &is->row[at++]);
			least = fmin(least, w);
		} else {
			left_out = fmax(left_out, w);
		}
	}
	assert_int_equal(at, is->n);
	assert_true(left_out <= least);
	assert_int_equal(is->has_rest, was->has_rest);
	if (was->has_rest)
		check_row(&was->rest, &is->rest);
	check_row(&was->own, &is->own);
	check_row(&was->cores, &is->cores);
	assert_memory_equal(&is->parts, &was->parts, sizeof was->parts);
	assert_int_equal(is->domain, was->domain);
	assert_int_equal(is->born, was->born);
	assert_int_equal(is->ended, was->ended);
	assert_int_equal(is->nthreads, 0);
	assert_string_equal(is->notice, "");
}

static void
check_all(const struct kit *k, const struct plain *plain, uint64_t last)
{
	const struct processes *p = monitor_processes(k->rig.m);

	for (uint64_t i = 0; i < RING && i <= last; i++) {
		const struct plain *was = &plain[(last - i) % RING];

		if (i < PROCESSES_PAST && was->there && was->seq == last - i)
			check_table(&was->table, processes_at(p, last - i));
		else
			assert_null(processes_at(p, last - i));
	}
}

UNIT(test_as_shown)
{
	struct plain *plain = calloc(RING, sizeof *plain);
	bool alive[ROWS / 2] = { false };
	int32_t pin = PIN;
	const struct process_request wish = { .opened = -1,
					      .pin = &pin,
					      .npins = 1 };
	struct kit k;

	kit_open(&k);
	(void)snprintf(k.r.notice, sizeof k.r.notice, "some");
	kit_feed_processes(&k);
	monitor_keep_processes(k.rig.m, &wish);
	for (unsigned i = 0, away = 0; i < FRAMES; i++) {
		for (int pid = 0; pid < ROWS / 2; pid++)
			live(&k, &alive[pid], pid + 1);
		if (i == 1500) { /* another run */
			monitor_restart(k.rig.m);
			memset(plain, 0, RING * sizeof *plain);
		}
		if (away == 0 && draw(30) == 0)
			away = i > 900 && i < 930 ? RING + 5 : draw(40);
		kit_second(&k);
		k.f = rig_feed(&k.rig);
		if (k.f == NULL || away > 0) { /* nobody looked */
			away -= away > 0;
			if (k.f == NULL)
				kit_feed_processes(&k);
			continue;
		}
		kit_feed_processes(&k);
		assert_non_null(k.t);
		keep(&plain[k.f->seq % RING], k.f);
		if (i % 97 == 0)
			check_all(&k, plain, k.f->seq);
	}
	check_all(&k, plain, k.f->seq);
	kit_close(&k);
	free(plain);
}

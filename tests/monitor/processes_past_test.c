/*
 * The past of processes against all that was fed: rows that come, go, stand in
 * another order and have other names, frames without any, and another run.
 */
#include "monitor/processes_past.h"

#include "monitor/draw.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { FRAMES = 2600, ROWS = 48, RING = PROCESSES_PAST + 50 };

struct plain { /* a frame as it was fed */
	bool fed;
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

static uint64_t
draw_count(void)
{
	return draw(3) == 0 ? 0 : (uint64_t)draw(1u << 30) * draw(5000);
}

static void
draw_numbers(struct process_row *r)
{
	r->known = draw(4) == 0 ? draw(32) : 31;
	r->flags = draw(5) == 0 ? draw(256) : 0;
	r->interval_s = draw(3) == 0 ? 1 + draw(1000) * 1e-3 : 1;
	r->d = (struct process_totals){ .cycles = draw_count(),
					.instructions = draw_count(),
					.user_ns = draw_count(),
					.system_ns = draw_count(),
					.energy_nj = draw_count() };
	for (unsigned i = 0; i < 2; i++)
		r->d.part[i] =
			(struct process_part){ draw_count(), draw_count(),
					       draw_count(), draw_count() };
	/* Differences can be negative, in two's complement. */
	if (draw(50) == 0)
		r->d.cycles = UINT64_MAX - draw(1000);
}

static void
draw_row(struct plain *p, unsigned i, int32_t pid)
{
	struct process_row *r = &p->row[i];

	*r = (struct process_row){ .pid = pid,
				   .parent = pid % 5 - 1,
				   .start = (uint64_t)pid * 1000003,
				   .started_ns = pid * 77777777777,
				   .uid = (uint32_t)pid % 3 * 0x7fffffffu,
				   .threads = draw(9),
				   .thread = 0,
				   .state = (uint8_t)draw(PROCESS_STATE_COUNT),
				   .access =
					   (uint8_t)draw(PROCESS_ACCESS_COUNT),
				   .alarm = draw(7) == 0,
				   .name = p->name[i],
				   .user = p->user[i] };
	memset(p->name[i], 'a' + pid % 26, (size_t)(pid % PROCESS_NAME_SIZE));
	if (draw(40) == 0) /* exec */
		p->name[i][0] = 'Z';
	memset(p->user[i], 'u', (size_t)(pid % PROCESS_USER_SIZE));
	draw_numbers(r);
}

/* whole: rows are compared with the cores. */
static void
draw_frame(struct plain *p, uint64_t seq, bool whole)
{
	struct process_table *t = &p->table;
	unsigned n = 0;

	memset(p, 0, sizeof *p);
	p->fed = true;
	p->seq = seq;
	for (int32_t pid = 1; pid < 200 && n < ROWS; pid++)
		if (draw(4) == 0 && !(draw(3) == 0 && seq / 30 % 2 == 0))
			draw_row(p, n++, pid);
	*t = (struct process_table){ .n = n,
				     .row = p->row,
				     .has_rest = draw(2) == 0,
				     .parts = { .n = 2,
						.label = { "P", "not P" },
						.kind = { 0, -1 } },
				     .domain = (enum domain)draw(2),
				     .everything = draw(2) == 0,
				     .capacity_pct = 800,
				     .started = draw(2) == 0 ? UINT64_MAX
							     : draw(100),
				     .born = draw(9),
				     .ended = draw(9),
				     .cost_ns = draw(1000000) };
	struct process_row *sum[] = { &t->rest, &t->own, &t->cores };

	for (unsigned i = 0; i < 3; i++) {
		sum[i]->name = "(sum)";
		sum[i]->user = "";
		draw_numbers(sum[i]);
		for (unsigned k = 0; k < PROCESS_METRICS; k++)
			sum[i]->value[k] =
				draw(3) == 0 ? NAN : draw(1000) / 7.0;
	}
	for (unsigned i = 0; i < n; i++)
		process_metrics_of(&p->row[i], whole ? &t->cores : NULL,
				   t->parts.n);
}

static bool
same_values(const double *a, const double *b)
{
	for (unsigned i = 0; i < PROCESS_METRICS; i++)
		if (isnan(a[i]) ? !isnan(b[i]) : a[i] != b[i])
			return false;
	return true;
}

static void
check_row(const struct process_row *was, const struct process_row *is)
{
	assert_int_equal(is->pid, was->pid);
	assert_int_equal(is->parent, was->parent);
	assert_true(is->start == was->start);
	assert_true(is->started_ns == was->started_ns);
	assert_int_equal(is->uid, was->uid);
	assert_int_equal(is->threads, was->threads);
	assert_true(is->thread == was->thread);
	assert_int_equal(is->state, was->state);
	assert_int_equal(is->access, was->access);
	assert_int_equal(is->flags, was->flags);
	assert_int_equal(is->known, was->known);
	assert_int_equal(is->alarm, was->alarm);
	assert_string_equal(is->name, was->name);
	assert_string_equal(is->user, was->user);
	assert_memory_equal(&is->d, &was->d, sizeof was->d);
	assert_true(is->interval_s == was->interval_s);
	assert_true(same_values(is->value, was->value));
}

static void
check_table(const struct process_table *was, const struct process_table *is)
{
	unsigned k = 0;

	assert_non_null(is);
	assert_int_equal(is->n,
			 was->n < PROCESSES_KEPT ? was->n : PROCESSES_KEPT);
	for (unsigned i = 0; i < is->n; i++, k++) {
		while (k < was->n && was->row[k].pid != is->row[i].pid)
			k++;
		assert_true(k < was->n);
		check_row(&was->row[k], &is->row[i]);
	}
	assert_int_equal(is->has_rest, was->has_rest);
	check_row(&was->rest, &is->rest);
	check_row(&was->own, &is->own);
	check_row(&was->cores, &is->cores);
	assert_memory_equal(&is->parts, &was->parts, sizeof was->parts);
	assert_int_equal(is->domain, was->domain);
	assert_int_equal(is->everything, was->everything);
	assert_true(is->capacity_pct == was->capacity_pct);
	assert_true(is->started == was->started);
	assert_int_equal(is->born, was->born);
	assert_int_equal(is->ended, was->ended);
	assert_true(is->cost_ns == was->cost_ns);
	assert_int_equal(is->nthreads, 0);
	assert_string_equal(is->notice, "");
}

static void
check_entry(const struct process_table *was, const struct processes_entry *e)
{
	for (unsigned i = 0; i < e->table.n; i++)
		for (unsigned k = 0; k < was->n; k++) {
			const struct process_row *r = &was->row[k];

			if (r->pid != e->row[i].pid)
				continue;
			assert_true(r->start == e->row[i].start);
			assert_true(same_values(e->row[i].value, r->value));
		}
}

static void
check_all(const struct processes_past *past, const struct plain *plain,
	  uint64_t last)
{
	for (uint64_t i = 0; i < RING && i <= last; i++) {
		uint64_t seq = last - i;
		const struct plain *p = &plain[seq % RING];
		bool kept = i < PROCESSES_PAST && p->fed && p->seq == seq;

		assert_int_equal(processes_past_at(past, seq) != NULL, kept);
		if (!kept) {
			assert_null(processes_past_table(past, seq));
			continue;
		}
		check_entry(&p->table, processes_past_at(past, seq));
		if (i < 40 || draw(7) == 0)
			check_table(&p->table, processes_past_table(past, seq));
	}
}

UNIT(test_as_fed)
{
	struct plain *plain = calloc(RING, sizeof *plain);
	struct processes_past past;
	uint64_t seq = 0;

	assert_true(processes_past_init(&past));
	for (unsigned i = 0; i < FRAMES; i++, seq++) {
		bool whole = draw(8) != 0;

		if (draw(30) == 0)
			seq += draw(40); /* nobody looked */
		if (i == 900)
			seq += PROCESSES_PAST + 5; /* for a long time */
		if (i == 1100) {
			seq = 3; /* another run */
			memset(plain, 0, RING * sizeof *plain);
		}
		struct plain *p = &plain[seq % RING];

		draw_frame(p, seq, whole);
		processes_past_push(&past, &p->table, seq, NULL, 0);
		if (i % 97 == 0 || (i > 890 && i < 920))
			check_all(&past, plain, seq);
	}
	check_all(&past, plain, seq - 1);
	processes_past_clear(&past);
	assert_null(processes_past_at(&past, seq - 1));
	processes_past_done(&past);
	free(plain);
}

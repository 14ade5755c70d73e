/* Sums of parts that are packed and opened again, against plain ones. */
#include "monitor/longrun_rows.h"

#include "monitor/draw.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { PARTS = 700, ROWS = 5 };

static uint64_t seed = 11;

static unsigned
draw(unsigned n)
{
	return drawn(&seed, n);
}

static double
draw_time(void)
{
	switch (draw(5)) {
	case 0:
		return 0;
	case 1:
		return NAN;
	case 2:
		return draw(1u << 30) / 7.0;
	default:
		return draw(1u << 30) * 1000.0;
	}
}

static void
draw_row(struct sums_run *r)
{
	struct sums *s = &r->s;

	s->ncpus = draw(9);
	s->n = draw(9);
	s->n_ok = draw(9);
	s->quality = draw(1u << 31);
	s->have_all = draw(1u << 20);
	s->have_any = draw(1u << 20);
	s->whole = draw(2) * draw(1u << 20);
	s->cpu_ns = draw_time();
	for (unsigned i = 0; i < TERM_COUNTS; i++) {
		s->count[i] = draw(3) * (uint64_t)draw(1u << 30) * draw(9999);
		s->ns[i] = draw(4) == 0 ? draw_time() : s->cpu_ns;
	}
	s->busy_ns = draw_time();
	s->event_ns = draw(2) == 0 ? s->cpu_ns : draw_time();
	s->seen_ns = draw(9);
	s->seen_busy_ns = draw(1000) / 999.0;
	r->wall_ns = draw(2) == 0 ? s->cpu_ns : draw_time();
	r->busy_cpu_ns = draw(2) == 0 ? s->cpu_ns : draw_time();
	r->core_work = draw_time();
	r->core_cycles = draw_time();
}

static void
check(const struct longrun_rows *l, unsigned part, const struct sums_run *want)
{
	for (unsigned row = 0; row < ROWS; row++) {
		struct sums_run room;
		const struct sums_run *r =
			longrun_rows_read(l, part, row, &room);

		assert_memory_equal(r, &want[row], sizeof *r);
	}
}

static void
test_as_written(void **state)
{
	struct sums_run *plain = calloc(PARTS * ROWS, sizeof *plain);
	struct longrun_rows l;
	bool *there = calloc(PARTS, sizeof *there);
	unsigned open = 0;

	(void)state;
	assert_true(longrun_rows_init(&l, PARTS, ROWS));
	for (unsigned turn = 0; turn < 30000; turn++) {
		unsigned part = draw(PARTS), row = draw(ROWS);
		struct sums_run *was = &plain[part * ROWS];

		if (!there[part] || draw(50) == 0) {
			longrun_rows_clear(&l, part);
			for (unsigned i = 0; i < ROWS; i++)
				sums_run_clear(&was[i]);
			there[part] = true;
		} else if (draw(50) == 0) {
			longrun_rows_drop(&l, part);
			there[part] = false;
			continue;
		}
		check(&l, part, was);
		draw_row(&was[row]);
		longrun_rows_open(&l, part)[row] = was[row];
		check(&l, part, was);
	}
	for (unsigned part = 0; part < PARTS; part++) {
		open += l.slot[part] != 0;
		if (there[part])
			check(&l, part, &plain[part * ROWS]);
	}
	assert_true(open <= LONGRUN_OPEN && open > LONGRUN_OPEN / 2);
	longrun_rows_done(&l);
	free(plain);
	free(there);
}

/* Two that are joined lie open at a time, whatever was touched before. */
static void
test_two_at_a_time(void **state)
{
	struct longrun_rows l;

	(void)state;
	assert_true(longrun_rows_init(&l, PARTS, ROWS));
	for (unsigned part = 0; part < PARTS; part++) {
		longrun_rows_clear(&l, part);
		longrun_rows_open(&l, part)->s.count[0] = part;
	}
	for (unsigned turn = 0; turn < 5000; turn++) {
		unsigned a = draw(PARTS), b = draw(PARTS);
		const struct sums_run *to = longrun_rows_open(&l, a);
		const struct sums_run *from = longrun_rows_open(&l, b);

		assert_true(to->s.count[0] == a && from->s.count[0] == b);
	}
	longrun_rows_done(&l);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_as_written),
		cmocka_unit_test(test_two_at_a_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Processes of a recording, each over all of its frames. */
#include "analysis/analysis.h"

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	SPLIT = PROCESS_HAS_PARTS | PROCESS_HAS_PART_TIMES,
	WHOLE = PROCESS_HAS_TIMES | PROCESS_HAS_COUNTS
};

static const struct span nothing;
static const struct digest_cores unknown = { .span = &nothing };

static struct process_read
made(int32_t pid, uint64_t start, const char *name, uint64_t ms)
{
	uint64_t ns = ms * 1000000;
	struct process_read r = {
		.pid = pid,
		.start = start,
		.known = WHOLE | SPLIT,
		.total = { .cycles = 2 * ns,
			   .instructions = 3 * ns,
			   .user_ns = ns,
			   .part = { { ns, 2 * ns, ns / 4 * 3, 0 },
				     { ns, ns, ns / 4, 0 } } },
	};

	(void)snprintf(r.name, sizeof r.name, "%s", name);
	return r;
}

static void
give(struct digest_processes *p, struct process_read *row, unsigned n)
{
	const struct process_reading r = {
		.n = n, .row = row, .recorded = true, .domain = DOMAIN_ALL
	};
	struct err e = { ERR_NONE, "" };

	assert_true(digest_processes_add(p, &r, &unknown, 1000000000, &e));
}

static struct digest_processes *
begin(void)
{
	struct digest_processes *p = digest_processes_new(NULL);

	assert_non_null(p);
	return p;
}

UNIT(lives_are_told_apart)
{
	struct digest_processes *p = begin();
	struct process_read first[] = { made(7, 1, "a", 100),
					made(9, 1, "b", 400) };
	struct process_read second[] = { made(7, 1, "a", 200),
					 made(7, 2, "c", 50) };

	give(p, first, 2);
	give(p, second, 2);
	digest_processes_finish(p);
	assert_int_equal(p->n, 3);
	assert_int_equal(p->frames, 2);
	assert_string_equal(p->row[0].name, "b");
	assert_string_equal(p->row[1].name, "a");
	assert_int_equal(p->row[1].frames, 2);
	assert_int_equal(p->row[1].d.cycles, 600000000);
	assert_true(p->row[1].interval_s == 2);
	assert_true(fabs(digest_process_number(&p->row[1], DIGEST_CPU_S) -
			 0.3) < 1e-12);
	assert_true(digest_process_number(&p->row[1], DIGEST_IPC) == 1.5);
	assert_true(digest_process_number(&p->row[1], DIGEST_IPC_P) == 2);
	assert_true(digest_process_number(&p->row[1], DIGEST_IPC_OTHER) == 1);
	assert_true(digest_process_number(&p->row[1], DIGEST_P_SHARE) == 75);
	assert_string_equal(p->row[2].name, "c");
	assert_int_equal(p->row[2].start, 2);
	assert_false(p->has_others || p->has_rest);
	digest_processes_free(p);
}

/* Exec: the name is another, the process is not. */
UNIT(the_last_name_stands)
{
	struct digest_processes *p = begin();
	struct process_read before = made(7, 1, "sh", 10);
	struct process_read after = made(7, 1, "cc", 10);

	give(p, &before, 1);
	give(p, &after, 1);
	digest_processes_finish(p);
	assert_int_equal(p->n, 1);
	assert_string_equal(p->row[0].name, "cc");
	digest_processes_free(p);
}

/* Nothing is made of what a frame did not know. */
UNIT(what_is_not_known_of_all)
{
	struct digest_processes *p = begin();
	struct process_read row[] = { made(1, 1, "part", 100),
				      made(2, 1, "denied", 0),
				      made(3, 1, "few", 0) };

	row[1].known = 0;
	row[1].access = PROCESS_DENIED;
	row[2].total.part[0].cycles = row[2].total.part[0].instructions = 10;
	give(p, row, 3);
	row[0].known &= ~(uint32_t)SPLIT;
	give(p, row, 3);
	digest_processes_finish(p);
	assert_string_equal(p->row[0].name, "part");
	assert_int_equal(p->row[0].d.cycles, 400000000);
	assert_true(isnan(digest_process_number(&p->row[0], DIGEST_IPC_P)));
	assert_true(isnan(digest_process_number(&p->row[0], DIGEST_P_SHARE)));
	/* Those without times are the last. */
	assert_string_equal(p->row[2].name, "denied");
	assert_int_equal(p->row[2].denied, 2);
	assert_true(isnan(digest_process_number(&p->row[2], DIGEST_CPU_S)));
	assert_true(isnan(digest_process_number(&p->row[2], DIGEST_IPC)));
	assert_true(isnan(digest_process_number(&p->row[1], DIGEST_IPC_P)));
	digest_processes_free(p);
}

UNIT(others_and_the_rest)
{
	struct digest_processes *p = begin();
	struct process_read row[] = { made(-1, 0, PROCESS_OTHERS_NAME, 100),
				      made(5, 1, "a", 10) };
	struct process_reading r = { .n = 2,
				     .row = row,
				     .recorded = true,
				     .has_rest = true,
				     .rest = made(-1, 0, "", 0) };

	r.rest.total.cycles = (uint64_t)-5;
	assert_true(digest_processes_add(p, &r, &unknown, 1000000000, NULL));
	r.rest.total.cycles = 7;
	assert_true(digest_processes_add(p, &r, &unknown, 1000000000, NULL));
	digest_processes_finish(p);
	assert_int_equal(p->n, 1);
	assert_true(p->has_rest && p->has_others);
	assert_int_equal(p->rest.d.cycles, 2);
	assert_int_equal(p->others.d.user_ns, 200000000);
	assert_string_equal(p->others.name, "(other processes)");
	assert_string_equal(p->rest.name, "(unattributed)");
	digest_processes_free(p);
}

/* What came late in one frame was missing in another. */
UNIT(a_rest_evens_out)
{
	for (int late = 0; late < 2; late++) {
		struct digest_processes *p = begin();
		struct process_read row[] = { made(5, 1, "a", 10),
					      made(6, 1, "b", 10) };
		struct process_reading r = { .n = 2,
					     .row = row,
					     .recorded = true,
					     .has_rest = true,
					     .rest = made(-1, 0, "", 0) };
		struct span span = { .n_ok = 1 };
		const struct digest_cores cores = { .span = &span };
		struct err e = { ERR_NONE, "" };

		(void)state;
		r.rest.total.cycles = 700;
		r.rest.total.instructions = 900;
		assert_true(digest_processes_add(p, &r, &cores, 1, &e));
		/* The rows have 40,000,000 cycles and half as many more. */
		row[1].known &= ~(uint32_t)PROCESS_HAS_TIMES;
		r.rest.known = 0;
		r.rest.flags = PROCESS_SKEW;
		span.cycles = 40000000 - (late == 0 ? 600 : 800);
		span.instructions = 60000000 - 100;
		assert_true(digest_processes_add(p, &r, &cores, 1, &e));
		digest_processes_finish(p);
		if (late == 0) {
			assert_int_equal(p->rest.d.cycles, 100);
			assert_int_equal(p->rest.d.instructions, 800);
			assert_true(digest_process_number(&p->rest,
							  DIGEST_IPC) == 8);
			assert_int_equal(p->rest.flags, 0);
		} else { /* nor is the sum ever negative */
			assert_true(isnan(
				digest_process_number(&p->rest, DIGEST_IPC)));
			assert_int_equal(p->rest.flags, PROCESS_SKEW);
		}
		assert_int_equal((p->rest.known & PROCESS_HAS_COUNTS) != 0,
				 late == 0);
		assert_int_equal(p->rest.known & PROCESS_HAS_PARTS, 0);
		digest_processes_free(p);
	}
}

/* A sum of the frames in which it is known would be too much. */
UNIT(a_rest_that_is_unknown_once)
{
	struct digest_processes *p = begin();
	struct process_read row[] = { made(5, 1, "a", 10) };
	struct process_reading r = { .n = 1,
				     .row = row,
				     .recorded = true,
				     .has_rest = true,
				     .rest = made(-1, 0, "", 0) };

	r.rest.total.cycles = 7;
	assert_true(digest_processes_add(p, &r, &unknown, 1000000000, NULL));
	r.rest.known = 0;
	r.rest.flags = PROCESS_SKEW;
	assert_true(digest_processes_add(p, &r, &unknown, 1000000000, NULL));
	digest_processes_finish(p);
	assert_true(p->has_rest);
	assert_int_equal(p->rest.known & PROCESS_HAS_COUNTS, 0);
	assert_int_equal(p->rest.flags, PROCESS_SKEW);
	digest_processes_free(p);
}

UNIT(as_many_as_there_are)
{
	struct digest_processes *p = begin();
	uint64_t sum = 0;

	for (unsigned i = 0; i < 3 * 1000; i++) {
		struct process_read r =
			made((int32_t)(i % 1000), i % 500 + 1, "p", i % 1000);

		sum += r.total.user_ns;
		give(p, &r, 1);
	}
	digest_processes_finish(p);
	assert_int_equal(p->n, 1000);
	for (unsigned i = 0; i < p->n; i++) {
		assert_int_equal(p->row[i].frames, 3);
		sum -= p->row[i].d.user_ns;
		assert_int_equal(p->row[i].pid, 999 - (int)i);
	}
	assert_int_equal(sum, 0);
	digest_processes_free(p);
}

/* Runs are compared by names: a pid says nothing about another run. */
UNIT(names_are_one)
{
	struct digest_processes *p = begin();
	struct process_read row[] = {
		made(1, 1, "cc", 100), made(2, 1, "ld", 150),
		made(3, 1, "cc", 40),  made(4, 1, "as", 30),
		made(5, 1, "cc", 20),
	};

	row[4].known &= ~(uint32_t)SPLIT;
	give(p, row, 5);
	digest_processes_finish(p);
	digest_processes_by_name(p);
	assert_int_equal(p->n, 3);
	assert_string_equal(p->row[0].name, "as");
	assert_string_equal(p->row[2].name, "ld");
	const struct digest_process *cc = digest_process_named(p, "cc");

	assert_non_null(cc);
	assert_int_equal(cc->pid, -1);
	assert_int_equal(cc->d.user_ns, 160000000);
	assert_int_equal(cc->frames, 3);
	assert_true(isnan(digest_process_number(cc, DIGEST_P_SHARE)));
	assert_true(digest_process_number(cc, DIGEST_IPC) == 1.5);
	assert_true(digest_process_number(&p->row[2], DIGEST_P_SHARE) == 75);
	assert_null(digest_process_named(p, "none"));
	digest_processes_free(p);
	p = begin();
	digest_processes_finish(p);
	digest_processes_by_name(p);
	assert_int_equal(p->n, 0);
	assert_null(digest_process_named(p, "cc"));
	digest_processes_free(p);
}

/* Spare metrics become the rates of events chosen while ktop runs. */
#include "app/user_rates.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { EVENTS = 60 };

static struct event event[EVENTS];
static char name[EVENTS][16];

static struct user *
user_with_spares(void)
{
	struct user *u = calloc(1, sizeof *u);

	assert_non_null(u);
	for (unsigned i = 0; i < EVENTS; i++) {
		(void)snprintf(name[i], sizeof name[i], "EVENT_%u", i);
		event[i] = (struct event){ .name = name[i], .text = "counts" };
	}
	user_add_spares(u);
	user_add_spares(u); /* changes nothing */
	assert_int_equal(u->nmetrics, USER_SPARES);
	return u;
}

static struct eventset
set_of(unsigned first, unsigned n)
{
	struct eventset set = { .name = "custom", .len = n };

	for (unsigned i = 0; i < n; i++)
		set.slot[i].event = &event[(first + i) % EVENTS];
	return set;
}

static const struct metric *
rate_of(const struct user *u, const char *of)
{
	for (unsigned i = 0; i < u->nmetrics; i++)
		if (u->metric[i].event &&
		    strcmp(u->metric[i].num[0].event, of) == 0)
			return &u->metric[i];
	return NULL;
}

static void
test_a_spare_one_is_nothing(void **state)
{
	struct user *u = user_with_spares();
	struct eventset set = set_of(0, EVENTSET_MAX);

	(void)state;
	for (unsigned i = 0; i < u->nmetrics; i++)
		assert_false(metric_of_set(&u->metric[i], &set));
	free(u);
}

static void
test_each_event_has_its_rate(void **state)
{
	struct user *u = user_with_spares();
	struct eventset set = set_of(0, 3), next = set_of(2, 3);
	unsigned changed[EVENTSET_MAX];

	(void)state;
	assert_int_equal(user_rates_follow(u, &set, changed), 3);
	assert_int_equal(user_rates_follow(u, &set, changed), 0);
	for (unsigned i = 0; i < 3; i++) {
		const struct metric *m = rate_of(u, name[i]);

		assert_non_null(m);
		assert_true(metric_of_set(m, &set));
		assert_int_equal(m->unit, UNIT_PER_S);
		assert_true(strlen(m->label) > 0 && strlen(m->label) < 13);
	}
	/* Of the next set one is there already, and stays where it is. */
	const struct metric *kept = rate_of(u, name[2]);

	assert_int_equal(user_rates_follow(u, &next, changed), 2);
	for (unsigned i = 0; i < 2; i++) {
		const struct metric *m = &u->metric[changed[i] - metric_count];

		assert_true(metric_of_set(m, &next));
		assert_ptr_not_equal(m, kept);
	}
	assert_ptr_equal(rate_of(u, name[2]), kept);
	free(u);
}

static void
test_set_after_set_never_runs_out(void **state)
{
	struct user *u = user_with_spares();
	unsigned changed[EVENTSET_MAX];

	(void)state;
	for (unsigned first = 0; first < 3 * EVENTS; first += 7) {
		struct eventset set = set_of(first, EVENTSET_MAX);
		struct eventset before = set_of(first - 7, EVENTSET_MAX);

		(void)user_rates_follow(u, &set, changed);
		for (unsigned i = 0; i < set.len; i++)
			assert_non_null(rate_of(u, set.slot[i].event->name));
		/* The set before keeps its own: its past is still wanted. */
		for (unsigned i = 0; first > 0 && i < before.len; i++)
			assert_non_null(rate_of(u, before.slot[i].event->name));
	}
	assert_int_equal(u->nmetrics, USER_SPARES);
	assert_int_equal(u->used, 0); /* of the pool */
	free(u);
}

static void
test_presets_of_metrics_need_none(void **state)
{
	struct user *u = user_with_spares();
	struct eventset set = set_of(0, 3);
	unsigned changed[EVENTSET_MAX];

	(void)state;
	strcpy(set.name, "overview");
	assert_int_equal(user_rates_follow(u, &set, changed), 0);
	free(u);
}

static void
test_a_name_is_kept_once(void **state)
{
	struct user *u = user_with_spares();
	const char *first = user_keep_once(u, "custom", NULL);

	(void)state;
	size_t used = u->used;

	assert_string_equal(first, "custom");
	assert_ptr_equal(user_keep_once(u, "custom", NULL), first);
	assert_int_equal(u->used, used);
	assert_ptr_not_equal(user_keep_once(u, "cust", NULL), first);
	free(u);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_spare_one_is_nothing),
		cmocka_unit_test(test_each_event_has_its_rate),
		cmocka_unit_test(test_set_after_set_never_runs_out),
		cmocka_unit_test(test_presets_of_metrics_need_none),
		cmocka_unit_test(test_a_name_is_kept_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Spare metrics become the rates of events chosen while ktop runs. */
#include "options/user.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pmu/perf/table.h"
#include "pmu/pmu.h"

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

UNIT(test_a_spare_one_is_nothing)
{
	struct user *u = user_with_spares();
	struct eventset set = set_of(0, EVENTSET_MAX);

	for (unsigned i = 0; i < u->nmetrics; i++)
		assert_false(metric_of_set(&u->metric[i], &set));
	free(u);
}

UNIT(test_each_event_has_its_rate)
{
	struct user *u = user_with_spares();
	struct eventset set = set_of(0, 3), next = set_of(2, 3);
	unsigned changed[EVENTSET_MAX];

	assert_int_equal(user_rates_bind(u, &set, changed), 3);
	assert_int_equal(user_rates_bind(u, &set, changed), 0);
	for (unsigned i = 0; i < 3; i++) {
		const struct metric *m = rate_of(u, name[i]);

		assert_non_null(m);
		assert_true(metric_of_set(m, &set));
		assert_int_equal(m->unit, UNIT_PER_S);
		assert_true(strlen(m->label) > 0 && strlen(m->label) <= 8);
	}
	/* Of the next set one is there already, and stays where it is. */
	const struct metric *kept = rate_of(u, name[2]);

	assert_int_equal(user_rates_bind(u, &next, changed), 2);
	for (unsigned i = 0; i < 2; i++) {
		const struct metric *m = &u->metric[changed[i] - metric_count];

		assert_true(metric_of_set(m, &next));
		assert_ptr_not_equal(m, kept);
	}
	assert_ptr_equal(rate_of(u, name[2]), kept);
	free(u);
}

UNIT(test_set_after_set_never_runs_out)
{
	struct user *u = user_with_spares();
	unsigned changed[EVENTSET_MAX];

	for (unsigned first = 0; first < 3 * EVENTS; first += 7) {
		struct eventset set = set_of(first, EVENTSET_MAX);
		struct eventset before = set_of(first - 7, EVENTSET_MAX);

		(void)user_rates_bind(u, &set, changed);
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

UNIT(test_presets_of_metrics_need_none)
{
	struct user *u = user_with_spares();
	struct eventset set = set_of(0, 3);
	unsigned changed[EVENTSET_MAX];

	strcpy(set.name, "basic");
	assert_int_equal(user_rates_bind(u, &set, changed), 0);
	free(u);
}

UNIT(test_a_name_is_kept_once)
{
	struct user *u = user_with_spares();
	const char *first = user_keep_once(u, "custom", NULL);

	size_t used = u->used;

	assert_string_equal(first, "custom");
	assert_ptr_equal(user_keep_once(u, "custom", NULL), first);
	assert_int_equal(u->used, used);
	assert_ptr_not_equal(user_keep_once(u, "cust", NULL), first);
	free(u);
}

/* Events of like names, and one whose title would be that of a metric. */
UNIT(test_titles_are_unlike)
{
	static const char *const names[] = {
		"UOPS_ISSUED.ANYTHING",
		"UOPS_ISSUED.ANYTIME",
		"UOPS_ISSUED.ANYBODY",
		"UOPS_ISSUED.ANYHOW",
		"Gi",
		"BRANCH_MISPRED_NONSPEC",
	};
	enum { N = sizeof names / sizeof *names };
	struct event v[N];
	struct eventset set = { .name = "custom", .len = N };
	struct user *u = user_with_spares();
	unsigned changed[EVENTSET_MAX];

	for (unsigned i = 0; i < N; i++) {
		v[i] = (struct event){ .name = names[i] };
		set.slot[i].event = &v[i];
	}
	assert_int_equal(user_rates_bind(u, &set, changed), N);
	for (unsigned i = 0; i < N; i++) {
		const char *label = rate_of(u, names[i])->label;

		assert_true(strlen(label) > 2 && strlen(label) <= 8);
		assert_string_equal(label + strlen(label) - 2, "/s");
		for (unsigned k = 0; k < i; k++)
			assert_string_not_equal(label,
						rate_of(u, names[k])->label);
		for (unsigned m = 0; m < metric_count; m++)
			assert_string_not_equal(label, metric_table[m].label);
	}
	assert_string_equal(rate_of(u, names[N - 1])->label, "brmiss/s");
	free(u);
}

static void
assert_new(char labels[][EVENT_LABEL_SIZE], unsigned n, const char *of)
{
	event_label(of, labels[n]);
	assert_true(strlen(labels[n]) > 0);
	for (unsigned i = 0; i < n; i++)
		if (strcmp(labels[i], labels[n]) == 0)
			fail_msg("%s: %s is that of another", of, labels[n]);
}

/* Of one machine no two events that we know have the same one. */
UNIT(test_known_events_have_labels)
{
	static char labels[1000][EVENT_LABEL_SIZE];

	for (unsigned k = 0; pmu_at(k) != NULL; k++)
		for (unsigned i = 0;
		     !pmu_at(k)->intel && i < pmu_at(k)->nevents; i++)
			assert_new(labels, i, pmu_at(k)->events[i].name);
	for (unsigned k = 0; linux_pmu_at(k) != NULL; k++) {
		const struct linux_pmu *p = linux_pmu_at(k);
		unsigned n = 0;

		for (unsigned i = 0; i < p->nevents; i++) {
			bool again = false; /* an event may have two ways */

			for (unsigned j = 0; j < i; j++)
				again |= strcmp(p->events[j].name,
						p->events[i].name) == 0;
			if (!again)
				assert_new(labels, n++, p->events[i].name);
		}
	}
}

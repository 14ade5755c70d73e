/* What the tests of the simulated kperfdata share. */
#ifndef TESTS_SIM_KPEP_FIXTURE_H
#define TESTS_SIM_KPEP_FIXTURE_H

#include "sim/kpep.h"

#include <cmocka.h>

#define M1_CPU "cpu_100000c_2_1b588bb3"

static const char *const apple[] = { "a14",   "a15",   "a16",   "as1",   "as2",
				     "as3",   "as4",   "as4-1", "as4-2", "as5",
				     "as5-1", "as5-2", "as9" };

enum { NAPPLE = sizeof(apple) / sizeof(apple[0]) };

static const struct kperfdata_api *k;

/* What most tests work on: a database and an empty configuration of it. */
struct fixture {
	struct kpep_db *db;
	struct kpep_config *config;
};

static inline struct fixture
open_db(const char *name, bool forced)
{
	struct fixture f;

	OK(k->kpep_db_create(name, &f.db));
	OK(k->kpep_config_create(f.db, &f.config));
	if (forced)
		OK(k->kpep_config_force_counters(f.config));
	return f;
}

static inline void
close_db(struct fixture *f)
{
	k->kpep_config_free(f->config);
	k->kpep_db_free(f->db);
}

static inline struct kpep_event *
find(struct kpep_db *db, const char *name)
{
	struct kpep_event *event;

	OK(k->kpep_db_event(db, name, &event));
	return event;
}

static inline int
add(struct fixture *f, const char *name, uint32_t *err)
{
	struct kpep_event *event = find(f->db, name);

	return k->kpep_config_add_event(f->config, &event, 0, err);
}

static inline int
setup(void **state)
{
	(void)state;
	k = sim_kpep_api();
	sim_kpep_set_machine(M1_CPU, SIM_KPEP_56, true);
	return 0;
}

#endif

/* The simulated kperfdata: databases, their memory and their names. */
#include "sim/kpep.h"

#include "pmu/pmu.h"
#include "sim/kpep_fixture.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_EVENTS = 512 };

UNIT_IN(test_no_function_is_missing, setup, NULL)
{
	for (size_t i = 0; i < KPERFDATA_NSYMBOLS; i++) {
		void (*fn)(void);

		memcpy(&fn,
		       (const char *)(const void *)k +
			       kperfdata_symbols[i].offset,
		       sizeof(fn));
		assert_true(fn != NULL);
	}
}

UNIT_IN(test_which_database, setup, NULL)
{
	struct kpep_db *db;

	assert_int_equal(k->kpep_db_create(NULL, NULL), KPEP_INVALID_ARGUMENT);
	OK(k->kpep_db_create(NULL, &db));
	assert_string_equal(db->name, "a14");
	assert_string_equal(db->cpu_id, M1_CPU);
	k->kpep_db_free(db);
	sim_kpep_set_machine("cpu_100000c_2_72015832", SIM_KPEP_56, true);
	OK(k->kpep_db_create(NULL, &db));
	assert_string_equal(db->name, "as3");
	assert_string_equal(db->cpu_id, "cpu_100000c_2_72015832");
	k->kpep_db_free(db);
	OK(k->kpep_db_create("as4-1", &db));
	assert_string_equal(db->name, "as4-1");
	assert_string_equal(db->cpu_id, "cpu_100000c_2_17d5b93a");
	k->kpep_db_free(db);
	OK(k->kpep_db_create("cpu_7_8_37fc219f_5e", &db));
	assert_string_equal(db->name, "skylake");
	k->kpep_db_free(db);
	k->kpep_db_free(NULL);
}

UNIT_IN(test_missing_database, setup, NULL)
{
	struct kpep_db *db;

	assert_int_equal(k->kpep_db_create("a99", &db), KPEP_DB_NOT_FOUND);
	assert_null(db);
	assert_int_equal(k->kpep_db_create("", &db), KPEP_DB_NOT_FOUND);
	/* A chip that the system is too old for; others it does know. */
	sim_kpep_set_machine("cpu_100000c_2_1d5a87e8", SIM_KPEP_56, false);
	assert_int_equal(k->kpep_db_create(NULL, &db), KPEP_DB_NOT_FOUND);
	assert_int_equal(k->kpep_db_create("cpu_100000c_2_1d5a87e8", &db),
			 KPEP_DB_NOT_FOUND);
	OK(k->kpep_db_create("a14", &db));
	k->kpep_db_free(db);
	/* A chip that nobody knows. */
	sim_kpep_set_machine("cpu_100000c_2_12345678", SIM_KPEP_56, true);
	assert_int_equal(k->kpep_db_create(NULL, &db), KPEP_DB_NOT_FOUND);
}

/* A system that is older than the table: its public events, none is refused. */
UNIT_IN(test_database_of_an_older_system, setup, NULL)
{
	static const struct {
		const char *db;
		size_t now, then;
	} want[] = { { "a14", 63, 62 },
		     { "as1", 70, 64 },
		     { "as4-1", 106, 64 } };

	for (size_t i = 0; i < sizeof(want) / sizeof(want[0]); i++) {
		struct kpep_db *db;
		size_t n = 0;

		for (int old = 0; old < 2; old++) {
			sim_kpep_set_machine(want[i].db, SIM_KPEP_56, true);
			if (old)
				sim_kpep_set_listed();
			OK(k->kpep_db_create(NULL, &db));
			OK(k->kpep_db_events_count(db, &n));
			assert_int_equal(n, old ? want[i].then : want[i].now);
			k->kpep_db_free(db);
		}
	}
	sim_kpep_set_machine("a14", SIM_KPEP_56, true);
}

/* What a careful program compares before it trusts the struct. */
static void
check_struct(struct kpep_db *db, const struct pmu *p)
{
	const char *name;
	size_t n;

	OK(k->kpep_db_name(db, &name));
	assert_string_equal(name, p->marketing);
	assert_string_equal(db->marketing_name, name);
	OK(k->kpep_db_events_count(db, &n));
	assert_int_equal(n, p->nevents);
	assert_int_equal(db->event_count, n);
	OK(k->kpep_db_aliases_count(db, &n));
	assert_int_equal(n, 2);
	assert_int_equal(db->alias_count, n);
	OK(k->kpep_db_counters_count(db, 1, &n));
	assert_int_equal(n, 2);
	assert_int_equal(db->fixed_counter_count, n);
	OK(k->kpep_db_counters_count(db, 2, &n));
	assert_int_equal(n, 8);
	assert_int_equal(db->config_counter_count, n);
	OK(k->kpep_db_counters_count(db, 4, &n));
	assert_int_equal(n, 3);
	assert_int_equal(db->power_counter_count, n);
	OK(k->kpep_db_counters_count(db, 2 | 4, &n));
	assert_int_equal(n, 5);
	OK(k->kpep_db_counters_count(db, 1 | 2, &n));
	assert_int_equal(n, 10);
	assert_int_equal(db->architecture, KPEP_ARCH_ARM64);
	assert_int_equal(db->fixed_counter_bits, 0x3);
	assert_int_equal(db->config_counter_bits, 0x3fc);
	assert_int_equal(db->power_counter_bits, 0xe0);
}

static int
by_address(const void *a, const void *b)
{
	uintptr_t x = *(const uintptr_t *)a, y = *(const uintptr_t *)b;

	return (x > y) - (x < y);
}

/* The events as a program finds them: pointers, whose distance tells. */
static void
check_memory(struct kpep_db *db, const struct pmu *p, size_t stride)
{
	struct kpep_event *event[MAX_EVENTS];

	OK(k->kpep_db_events(db, event, sizeof(event)));
	for (size_t i = 0; i < p->nevents; i++) {
		const struct kpep_event_56 *now = (const void *)event[i];
		const struct kpep_event_48 *old = (const void *)event[i];
		const struct pmu_event *row = pmu_event_find(p, now->name);

		assert_int_equal(now->mask, row->counters);
		assert_ptr_equal(now->fallback, row->fallback);
		if (stride == 56) {
			assert_int_equal(now->number, row->number);
			assert_int_equal(now->umask, row->umask);
			assert_int_equal(now->flags, row->fixed >= 0);
		} else {
			assert_int_equal(old->number, row->number & 0xff);
			assert_int_equal(old->umask, row->umask);
			assert_int_equal(old->is_fixed, row->fixed >= 0);
		}
	}
	qsort(event, p->nevents, sizeof(event[0]), by_address);
	assert_ptr_equal(event[0], db->event_arr);
	for (size_t i = 1; i < p->nevents; i++)
		assert_int_equal((char *)event[i] - (char *)event[i - 1],
				 stride);
	assert_ptr_equal(db->fixed_event_arr[0], find(db, "FIXED_CYCLES"));
	assert_ptr_equal(db->fixed_event_arr[1],
			 find(db, "FIXED_INSTRUCTIONS"));
}

UNIT_IN(test_memory_layouts, setup, NULL)
{
	for (size_t i = 0; i < NAPPLE; i++) {
		const struct pmu *p = pmu_by_db(apple[i]);
		struct kpep_db *now, *old;

		sim_kpep_set_machine(apple[i], SIM_KPEP_56, true);
		OK(k->kpep_db_create(NULL, &now));
		sim_kpep_set_machine(apple[i], SIM_KPEP_48, true);
		OK(k->kpep_db_create(NULL, &old));
		check_struct(now, p);
		check_struct(old, p);
		check_memory(now, p, 56);
		check_memory(old, p, 48);
		k->kpep_db_free(now);
		k->kpep_db_free(old);
	}
}

UNIT_IN(test_events_sorted_by_number, setup, NULL)
{
	struct kpep_event *event[MAX_EVENTS];
	struct fixture f = open_db("as5", false);
	size_t n;

	OK(k->kpep_db_events_count(f.db, &n));
	OK(k->kpep_db_events(f.db, event, n * sizeof(event[0])));
	for (size_t i = 1; i < n; i++) {
		const struct kpep_event_56 *a = (void *)event[i - 1];
		const struct kpep_event_56 *b = (void *)event[i];

		assert_true(a->number < b->number ||
			    (a->number == b->number && a->umask <= b->umask));
	}
	assert_int_equal(
		k->kpep_db_events(f.db, event, n * sizeof(event[0]) - 1),
		KPEP_BUFFER_TOO_SMALL);
	assert_int_equal(k->kpep_db_events(f.db, NULL, 0),
			 KPEP_INVALID_ARGUMENT);
	close_db(&f);
}

UNIT_IN(test_names, setup, NULL)
{
	struct fixture f = open_db("a14", false);
	const char *alias[2], *text;

	OK(k->kpep_db_aliases(f.db, alias, sizeof(alias)));
	assert_string_equal(alias[0], "Cycles");
	assert_string_equal(alias[1], "Instructions");
	assert_int_equal(k->kpep_db_aliases(f.db, alias, sizeof(alias) - 1),
			 KPEP_BUFFER_TOO_SMALL);
	assert_ptr_equal(find(f.db, "Cycles"), find(f.db, "FIXED_CYCLES"));
	struct kpep_event *event = find(f.db, "INST_ALL");
	OK(k->kpep_event_name(event, &text));
	assert_string_equal(text, "INST_ALL");
	OK(k->kpep_event_alias(event, &text));
	assert_null(text);
	OK(k->kpep_event_description(event, &text));
	assert_string_equal(text, "instructions retired");
	OK(k->kpep_event_alias(find(f.db, "Cycles"), &text));
	assert_string_equal(text, "Cycles");
	assert_int_equal(k->kpep_db_event(f.db, "NO_SUCH", &event),
			 KPEP_EVENT_NOT_FOUND);
	assert_null(event);
	close_db(&f);
	f = open_db("skylake", false);
	OK(k->kpep_event_description(find(f.db, "BACLEARS.ANY"), &text));
	assert_null(text);
	close_db(&f);
}

UNIT_IN(test_arguments, setup, NULL)
{
	struct fixture f = open_db("a14", false), other = open_db("a15", true);
	struct kpep_event *event = NULL;
	struct kpep_config *config;
	const char *text;
	uint32_t classes;
	uint64_t word;
	size_t n;

	event = find(f.db, "INST_ALL");
#define INVALID(call) assert_int_equal(call, KPEP_INVALID_ARGUMENT)
	INVALID(k->kpep_db_name(NULL, &text));
	INVALID(k->kpep_db_aliases_count(NULL, &n));
	INVALID(k->kpep_db_aliases(NULL, &text, sizeof(text)));
	INVALID(k->kpep_db_counters_count(NULL, 1, &n));
	INVALID(k->kpep_db_counters_count(f.db, 0, &n));
	INVALID(k->kpep_db_counters_count(f.db, 8, &n));
	INVALID(k->kpep_db_events_count(f.db, NULL));
	INVALID(k->kpep_db_events(NULL, &event, sizeof(event)));
	INVALID(k->kpep_db_event(f.db, NULL, &event));
	INVALID(k->kpep_event_name(NULL, &text));
	INVALID(k->kpep_event_alias(NULL, &text));
	INVALID(k->kpep_event_description(NULL, &text));
	INVALID(k->kpep_config_create(NULL, &config));
	INVALID(k->kpep_config_create(f.db, NULL));
	INVALID(k->kpep_config_force_counters(NULL));
	INVALID(k->kpep_config_add_event(NULL, &event, 0, NULL));
	INVALID(k->kpep_config_add_event(f.config, NULL, 0, NULL));
	event = NULL;
	INVALID(k->kpep_config_add_event(f.config, &event, 0, NULL));
	INVALID(k->kpep_config_remove_event(NULL, 0));
	INVALID(k->kpep_config_events_count(NULL, &n));
	INVALID(k->kpep_config_events(NULL, &event, sizeof(event)));
	INVALID(k->kpep_config_kpc_classes(NULL, &classes));
	INVALID(k->kpep_config_kpc_count(NULL, &n));
	INVALID(k->kpep_config_kpc(NULL, &word, sizeof(word)));
	INVALID(k->kpep_config_kpc_map(NULL, &n, sizeof(n)));
	k->kpep_config_free(NULL);
	/* An event of another database is none of this one. */
	event = find(f.db, "INST_ALL");
	assert_int_equal(
		k->kpep_config_add_event(other.config, &event, 0, NULL),
		KPEP_EVENT_NOT_FOUND);
	close_db(&f);
	close_db(&other);
}

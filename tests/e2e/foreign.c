/*
 * A program of somebody else, as they are written for the two frameworks: it
 * knows nothing of ktop, loads what it is given, and counts its own loop.
 * usage: foreign KPERF KPERFDATA; prints one "name value" a line.
 */
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define CONFIGURABLE 2u
#define MAX_COUNTERS 32

struct kpep_db;
struct kpep_config;
struct kpep_event;

static void *
load(const char *path)
{
	void *lib = dlopen(path, RTLD_LAZY);

	if (lib == NULL) {
		fprintf(stderr, "%s\n", dlerror());
		exit(1);
	}
	return lib;
}

static void *
find(void *lib, const char *name)
{
	void *f = dlsym(lib, name);

	if (f == NULL) {
		fprintf(stderr, "no %s\n", name);
		exit(1);
	}
	return f;
}

struct api {
	int (*force_all_ctrs_get)(int *);
	int (*force_all_ctrs_set)(int);
	int (*set_config)(uint32_t, uint64_t *);
	int (*set_counting)(uint32_t);
	int (*set_thread_counting)(uint32_t);
	int (*get_thread_counters)(uint32_t, uint32_t, uint64_t *);
	uint32_t (*get_counter_count)(uint32_t);

	int (*db_create)(const char *, struct kpep_db **);
	int (*db_name)(struct kpep_db *, const char **);
	int (*db_event)(struct kpep_db *, const char *, struct kpep_event **);
	int (*config_create)(struct kpep_db *, struct kpep_config **);
	int (*config_force_counters)(struct kpep_config *);
	int (*config_add_event)(struct kpep_config *, struct kpep_event **,
				uint32_t, uint32_t *);
	int (*config_kpc_classes)(struct kpep_config *, uint32_t *);
	int (*config_kpc_count)(struct kpep_config *, size_t *);
	int (*config_kpc_map)(struct kpep_config *, size_t *, size_t);
	int (*config_kpc)(struct kpep_config *, uint64_t *, size_t);
	void (*config_free)(struct kpep_config *);
	void (*db_free)(struct kpep_db *);
};

/* What is asked of the kernel, and where the answers will stand. */
struct plan {
	struct kpep_db *db;
	struct kpep_config *config;
	uint32_t classes;
	size_t words, map[MAX_COUNTERS];
	uint64_t word[MAX_COUNTERS];
};

/* ISO C has no cast from an object to a function. */
#define KPERF(lib, name) take(&api->name, lib, "kpc_" #name)
#define KPEP(lib, name) take(&api->name, lib, "kpep_" #name)

static void
take(void *to, void *lib, const char *name)
{
	void *f = find(lib, name);

	memcpy(to, &f, sizeof(f));
}

static void
bind(struct api *api, void *kperf, void *kperfdata)
{
	KPERF(kperf, force_all_ctrs_get);
	KPERF(kperf, force_all_ctrs_set);
	KPERF(kperf, set_config);
	KPERF(kperf, set_counting);
	KPERF(kperf, set_thread_counting);
	KPERF(kperf, get_thread_counters);
	KPERF(kperf, get_counter_count);
	KPEP(kperfdata, db_create);
	KPEP(kperfdata, db_name);
	KPEP(kperfdata, db_event);
	KPEP(kperfdata, config_create);
	KPEP(kperfdata, config_force_counters);
	KPEP(kperfdata, config_add_event);
	KPEP(kperfdata, config_kpc_classes);
	KPEP(kperfdata, config_kpc_count);
	KPEP(kperfdata, config_kpc_map);
	KPEP(kperfdata, config_kpc);
	KPEP(kperfdata, config_free);
	KPEP(kperfdata, db_free);
}

static void
must(const char *what, int code)
{
	if (code == 0)
		return;
	fprintf(stderr, "%s: %d\n", what, code);
	exit(1);
}

static double
seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* The metric's names, per chip: the first that the database has. */
static const char *const wanted[][4] = {
	{ "FIXED_CYCLES", "CPU_CLK_UNHALTED.THREAD", NULL },
	{ "FIXED_INSTRUCTIONS", "INST_RETIRED.ANY", NULL },
	{ "INST_BRANCH", "BR_INST_RETIRED.ALL_BRANCHES", NULL },
	{ "BRANCH_MISPRED_NONSPEC", "BR_MISP_RETIRED.ALL_BRANCHES", NULL },
};
#define WANTED (sizeof(wanted) / sizeof(wanted[0]))

static void
prepare(const struct api *a, struct plan *p)
{
	const char *name = NULL, *internal;

	must("kpep_db_create", a->db_create(NULL, &p->db));
	must("kpep_db_name", a->db_name(p->db, &name));
	/* The name for people; the other one is the structure's first field. */
	memcpy(&internal, p->db, sizeof(internal));
	printf("database %s\nname %s\n", internal, name);
	must("kpep_config_create", a->config_create(p->db, &p->config));
	must("kpep_config_force_counters", a->config_force_counters(p->config));
	for (size_t i = 0; i < WANTED; i++) {
		struct kpep_event *event = NULL;

		for (size_t k = 0; event == NULL && wanted[i][k] != NULL; k++)
			if (a->db_event(p->db, wanted[i][k], &event) != 0)
				event = NULL;
		must(wanted[i][0], event == NULL);
		must("kpep_config_add_event",
		     a->config_add_event(p->config, &event, 0, NULL));
	}
	must("kpep_config_kpc_classes",
	     a->config_kpc_classes(p->config, &p->classes));
	must("kpep_config_kpc_count",
	     a->config_kpc_count(p->config, &p->words));
	must("kpep_config_kpc_map",
	     a->config_kpc_map(p->config, p->map, sizeof(p->map)));
	must("kpep_config_kpc",
	     a->config_kpc(p->config, p->word, sizeof(p->word)));
}

static void
start(const struct api *a, struct plan *p)
{
	must("kpc_force_all_ctrs_set", a->force_all_ctrs_set(1));
	if ((p->classes & CONFIGURABLE) != 0 && p->words > 0)
		must("kpc_set_config", a->set_config(p->classes, p->word));
	must("kpc_set_counting", a->set_counting(p->classes));
	must("kpc_set_thread_counting", a->set_thread_counting(p->classes));
	printf("classes %u\ncounters %u\n", p->classes,
	       a->get_counter_count(p->classes));
}

int
main(int argc, char **argv)
{
	struct api api;
	struct plan plan = { .classes = 0 };
	uint64_t before[MAX_COUNTERS] = { 0 }, after[MAX_COUNTERS] = { 0 };
	int force = 0;

	if (argc != 3)
		return 2;
	bind(&api, load(argv[1]), load(argv[2]));
	must("not root: kpc_force_all_ctrs_get",
	     api.force_all_ctrs_get(&force));
	prepare(&api, &plan);

	double outer = seconds();
	start(&api, &plan);
	must("kpc_get_thread_counters",
	     api.get_thread_counters(0, MAX_COUNTERS, before));
	double inner = seconds();
	while (seconds() - inner < 0.05)
		;
	inner = seconds() - inner;
	must("kpc_get_thread_counters",
	     api.get_thread_counters(0, MAX_COUNTERS, after));
	outer = seconds() - outer;

	api.set_counting(0);
	api.set_thread_counting(0);
	api.force_all_ctrs_set(0);
	printf("least_ns %.0f\nmost_ns %.0f\n", inner * 1e9, outer * 1e9);
	for (size_t i = 0; i < WANTED; i++)
		printf("%s %llu\n", wanted[i][0],
		       (unsigned long long)(after[plan.map[i]] -
					    before[plan.map[i]]));
	api.config_free(plan.config);
	api.db_free(plan.db);
	return 0;
}

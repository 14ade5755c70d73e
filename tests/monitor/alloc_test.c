/* Nothing allocates below the tick, a change of the set included. */
#include "monitor/processes_kit.h"

#include <dlfcn.h>
#include <string.h>
#include <cmocka.h>

#include "skip.h"

typedef int install_hooks(void (*)(const volatile void *, size_t),
			  void (*)(const volatile void *));

static volatile unsigned long allocations;

static void
count_malloc(const volatile void *p, size_t size)
{
	allocations = allocations + 1;
}

static void
count_free(const volatile void *p)
{
}

/*
 * The sanitizer's runtime has it; without one the test has nothing to see. It
 * is looked up, as Darwin's linker refuses a weak symbol that nobody has.
 */
static install_hooks *
find_hooks(void)
{
	void *program = dlopen(NULL, RTLD_NOW);
	void *symbol =
		dlsym(program, "__sanitizer_install_malloc_and_free_hooks");
	install_hooks *hooks;

	memcpy(&hooks, &symbol, sizeof(hooks));
	return hooks;
}

UNIT(test_no_allocation)
{
	static const char *const sets[] = { "basic", "topdown", "stalls" };
	struct rig r;

	install_hooks *install = find_hooks();

	if (install == NULL)
		skip_because("allocations are seen by the sanitizer of make "
			     "test-all");
	assert_int_not_equal(install(count_malloc, count_free), 0);
	rig_open(&r, "as5", "mix", true);
	assert_true(allocations > 5); /* the hook sees monitor_new */
	struct eventset prepared[3];

	for (unsigned i = 0; i < 3; i++) {
		rig_set(&r, sets[i]);
		prepared[i] = r.set;
	}
	unsigned long before = allocations;
	unsigned frames = 0;

	for (unsigned i = 0; i < 5000; i++) {
		rig_pass(&r, 1000, i % 50 == 0 ? 500 : 0);
		for (unsigned c = 0; c < RIG_CPUS; c++)
			rig_run(&r, c, 2000000000, 1000000000);
		r.s->cpu[3].state = i % 7 == 0 ? CPU_MISSING : CPU_DELIVERED;
		r.s->cpu[1].slot[2].supported = i % 400 < 200;
		r.s->flags = 0;
		if (i % 10 == 9) {
			r.set = prepared[i / 10 % 3];
			r.s->flags = SAMPLE_BASELINE;
		} else if (i % 33 == 0) {
			r.s->flags = SAMPLE_TAKEN_OVER;
		}
		frames += monitor_feed(r.m, r.s) != NULL;
		monitor_late(r.m, 1, true);
	}
	assert_int_equal(frames, 4500);
	assert_int_equal(allocations - before, 0);
	rig_close(&r);
}

/* Processes that come, go and come back, in as many rows as there were. */
UNIT(test_processes)
{
	install_hooks *install = find_hooks();
	struct kit k;

	if (install == NULL)
		skip_because("allocations are seen by the sanitizer of make "
			     "test-all");
	(void)install(count_malloc, count_free); /* it takes several */
	kit_open(&k);
	for (int pid = 100; pid > 0; pid--)
		kit_add(&k, pid * 31 % 101, -1);
	for (unsigned i = 0; i < 20; i++) {
		k.r.thread[k.r.nthreads] = k.r.row[7];
		k.r.thread[k.r.nthreads++].thread = i + 1;
	}
	kit_feed_processes(&k);
	unsigned long before = allocations;

	for (unsigned i = 0; i < 2000; i++) {
		kit_second(&k);
		kit_run(&k, &k.r.row[i % 100], i & 1, M, M);
		k.r.row[i * 7 % 100].start++;
		k.r.row[i * 3 % 100].name[0]++;
		k.r.nthreads = i % 50 < 40 ? i % 20 : 0;
		kit_tick(&k);
		assert_true(k.t != NULL && k.t->n >= 100);
	}
	assert_int_equal(allocations - before, 0);
	kit_close(&k);
}

/* Nothing allocates below the tick, a change of the set included. */
#include "model/rig.h"

#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "skip.h"

typedef int install_hooks(void (*)(const volatile void *, size_t),
			  void (*)(const volatile void *));

static volatile unsigned long allocations;

static void
count_malloc(const volatile void *p, size_t size)
{
	(void)p;
	(void)size;
	allocations = allocations + 1;
}

static void
count_free(const volatile void *p)
{
	(void)p;
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

static void
test_no_allocation(void **state)
{
	static const char *const sets[] = { "overview", "topdown", "stalls" };
	struct rig r;

	install_hooks *install = find_hooks();

	(void)state;
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
			r.s->flags = SAMPLE_STOLEN;
		}
		frames += monitor_feed(r.m, r.s) != NULL;
		monitor_late(r.m, 1, true);
	}
	assert_int_equal(frames, 4500);
	assert_int_equal(allocations - before, 0);
	rig_close(&r);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_no_allocation),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

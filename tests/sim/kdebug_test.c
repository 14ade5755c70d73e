/* kdebug's maps of threads; tests/data/kernel/kdebug has the rest of it. */
#include "sim/tracing.h"

UNIT(maps)
{
	struct world *w = world_new("m1,os=15.5,clock=step");
	size_t most = 32768 * 32, size = most;
	char *map = calloc(1, most);
	int32_t pid;

	assert_non_null(map);
	OK(kd_op(w, &w->a, SETUP));
	assert_int_equal(kd(w, &w->a, THRMAP, map, &size), ENODATA);
	OK(kd_value(w, &w->a, ENABLE, 1));
	size_t want = (size_t)kd_info(w, &w->a).nkdthreads * 32;
	assert_true(want > 0);
	size = 32;
	assert_int_equal(kd(w, &w->a, THRMAP, map, &size), EINVAL);
	size = most;
	OK(kd(w, &w->a, THRMAP, map, &size));
	assert_int_equal(size, want);
	size = most;
	assert_int_equal(kd(w, &w->a, THRMAP, map, &size), ENODATA);
	size = 32;
	assert_int_equal(kd(w, &w->a, READCURTHRMAP, map, &size), EINVAL);
	size = 0;
	assert_int_equal(kd(w, &w->a, READCURTHRMAP, NULL, &size), EFAULT);
	size = most;
	OK(kd(w, &w->a, READCURTHRMAP, map, &size));
	assert_int_equal(size, want);
	/* whose a thread is, the process table says too */
	for (size_t at = 0; at < size; at += 32) {
		uint64_t tid, ids[SIM_MAX_CPUS];
		int n = 0, found = 0;

		memcpy(&tid, map + at, 8);
		memcpy(&pid, map + at + 8, 4);
		if (strcmp(map + at + 12, "kernel_task") == 0)
			pid = 0;
		OK(sim_thread_list(&w->k, &w->a, pid, ids, SIM_MAX_CPUS, &n));
		for (int i = 0; i < n; i++)
			found += ids[i] == tid;
		assert_int_equal(found, 1);
	}
	free(map);
}

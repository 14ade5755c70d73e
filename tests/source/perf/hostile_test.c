/* Trees no kernel writes: one sentence, no crash, and never a hang. */
#include "source/fake_perf.h"
#include "source/all/sources.h"
#include "source/perf/machine.h"

#include <sys/stat.h>
#include <unistd.h>

#define CPU "/sys/devices/system/cpu"
#define PMU "/sys/bus/event_source/devices"

static void
make(struct rig *r)
{
	memset(r, 0, sizeof(*r));
	snprintf(r->root, sizeof(r->root), "/tmp/ktop-tree.XXXXXX");
	assert_non_null(mkdtemp(r->root));
}

static void
in(const struct rig *r, const char *shell)
{
	char command[1024];

	snprintf(command, sizeof(command), "cd %s && %s", r->root, shell);
	assert_int_equal(system(command), 0);
}

/* A usual machine of four CPUs, to be spoilt. */
static void
make_usual(struct rig *r)
{
	make(r);
	in(r, "mkdir -p proc sys/bus/event_source/devices/cpu/format "
	      "sys/bus/event_source/devices/cpu/events && "
	      "for i in 0 1 2 3; do "
	      "mkdir -p sys/devices/system/cpu/cpu$i/topology "
	      "sys/devices/system/cpu/cpu$i/cache/index0; "
	      "echo $i >sys/devices/system/cpu/cpu$i/topology/core_cpus_list; "
	      "done");
	rig_write(r, CPU "/online", "0-3\n");
	rig_write(r, PMU "/cpu/type", "4\n");
	r->o.root = r->root;
}

UNIT(no_machine)
{
	static const char *const online[] = {
		"",
		"\n",
		"x",
		"4-2",
		"0-99999999999999999999",
		"-1",
		"1,,2",
		"0-9000",
		"\001\002\377\376",
	};

	for (size_t i = 0; i < sizeof(online) / sizeof(online[0]); i++) {
		struct err e = { ERR_NONE, "" };
		struct rig r;

		make_usual(&r);
		rig_write(&r, CPU "/online", online[i]);
		assert_null(topology_linux(r.root, &e));
		assert_int_equal(e.code, ERR_FAIL);
		assert_non_null(strstr(e.text, "online"));
		assert_null(strchr(e.text, '\n'));
		tree_remove(r.root);
	}
}

/* What is wrong about one CPU costs what it says, not the machine. */
UNIT(spoilt_files)
{
	static const struct {
		const char *path, *text;
	} rows[] = {
		{ CPU "/cpu1/topology/core_cpus_list", "9999999\n" },
		{ CPU "/cpu1/topology/core_cpus_list", "\377\376\375" },
		{ CPU "/cpu1/topology/core_cpus_list", "0-99999999\n" },
		{ CPU "/cpu1/topology/cluster_id", "99999999999999999999\n" },
		{ CPU "/cpu1/topology/physical_package_id", "-7\n" },
		{ CPU "/cpu2/cache/index0/level", "333333333\n" },
		{ CPU "/cpu2/cpu_capacity", "1e9\n" },
		{ PMU "/cpu/type", "-4\n" },
		{ PMU "/cpu/type", "18446744073709551615\n" },
		{ PMU "/cpu/format/event", "config:0-\n" },
		{ PMU "/cpu/format/event", "config:63-0,99\n" },
		{ PMU "/cpu/events/cpu-cycles", "event=event=event=\n" },
		{ PMU "/cpu/cpus", "0-3,\n" },
		{ "/proc/cpuinfo", "processor\nvendor_id\n\nmodel name" },
		{ "/proc/cpuinfo", "processor : 99999999999999999999\n" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct err e = { ERR_NONE, "" };
		struct source *s;
		struct rig r;

		make_usual(&r);
		rig_write(&r, rows[i].path, rows[i].text);
		s = source_open(&r.o, &e);
		if (s == NULL)
			fail_msg("%s = %s: %s", rows[i].path, rows[i].text,
				 e.text);
		assert_int_equal(s->info.topology->ncpus, 4);
		s->ops->close(s);
		tree_remove(r.root);
	}
}

UNIT(loops_and_pipes)
{
	struct err e = { ERR_NONE, "" };
	struct source *s;
	struct rig r;

	make_usual(&r);
	in(&r,
	   "ln -s . sys/bus/event_source/devices/loop && "
	   "ln -s self sys/bus/event_source/devices/self && "
	   "rm -r sys/devices/system/cpu/cpu3/topology && "
	   "ln -s ../cpu3 sys/devices/system/cpu/cpu3/topology && "
	   "ln -s topology/topology sys/devices/system/cpu/cpu3/cache2 && "
	   "mkfifo sys/bus/event_source/devices/cpu/cpus && "
	   "mkfifo proc/cpuinfo && mkfifo proc/stat && "
	   "mkfifo sys/devices/system/cpu/cpu2/cpu_capacity && "
	   "mkdir proc/self && mkdir sys/devices/system/cpu/cpu1/cpu_capacity");
	alarm(120);
	s = source_open(&r.o, &e);
	assert_non_null(s);
	assert_int_equal(s->info.topology->ncpus, 4);
	s->ops->close(s);
	alarm(0);
	tree_remove(r.root);
}

UNIT(many_and_long)
{
	struct err e = { ERR_NONE, "" };
	struct source *s;
	struct rig r;

	make_usual(&r);
	in(&r, "n=$(printf '%0200d' 0) && "
	       "mkdir sys/bus/event_source/devices/$n && "
	       "echo 0-3 >sys/bus/event_source/devices/$n/cpus && "
	       "for i in $(seq 40); do "
	       "mkdir sys/bus/event_source/devices/arm_$i; "
	       "echo 0-3 >sys/bus/event_source/devices/arm_$i/cpus; done && "
	       "head -c 3000000 /dev/zero | tr '\\0' 9 >proc/cpuinfo && "
	       "head -c 3000000 /dev/zero | tr '\\0' c >proc/stat");
	alarm(240);
	s = source_open(&r.o, &e);
	assert_non_null(s);
	s->ops->close(s);
	/* Every CPU that a mask of the kernel's has. */
	rig_write(&r, CPU "/online", "0-8190\n");
	s = source_open(&r.o, &e);
	assert_non_null(s);
	assert_int_equal(s->info.topology->ncpus, 8191);
	s->ops->close(s);
	alarm(0);
	tree_remove(r.root);
}

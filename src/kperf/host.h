/* Functions of a Mac besides the frameworks. source/kperf/mac/host.c or
 * sim/sim.c fills them; the simulator's library exports them as "ktop_host". */
#ifndef KPERF_HOST_H
#define KPERF_HOST_H

#include "base/clock.h"
#include "kperf/api.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HOST_VERSION 6
#define HOST_SYMBOL "ktop_host"

/* A child of IODeviceTree:/cpus; -1: the node lacks the value. */
struct host_cpu_node {
	int32_t logical_cpu_id; /* kpc row; -1: unused by XNU */
	int32_t logical_cluster_id;
	int32_t die_id, die_cluster_id, cluster_core_id;
	char cluster_type[8]; /* "E", "P", "M", or "" */
};

/* host_processor_info(PROCESSOR_CPU_LOAD_INFO): ticks since boot. */
struct host_cpu_load {
	uint64_t user, system, idle, nice;
};

/* proc_pid_rusage: totals since the process started, all modes and threads,
 * dead ones too. Times are mach ticks (timebase below). */
struct host_usage {
	unsigned flavor; /* version filled: RUSAGE_INFO_V6, V5 or V4 */
	uint8_t uuid[16];
	uint64_t user_time, system_time;
	uint64_t start_abstime, exit_abstime; /* exit 0: alive */
	uint64_t instructions, cycles;
	/* V6 only (macOS 13): the part on perflevel0 cores; energy in nJ. */
	uint64_t user_ptime, system_ptime, pinstructions, pcycles;
	uint64_t energy_nj, penergy_nj;
};

/* PROC_PIDT_SHORTBSDINFO, which needs no rights. */
struct host_proc {
	int32_t pid, ppid;
	uint32_t uid;
	uint32_t status; /* 1 idle, 2 run, 3 sleep, 4 stop, 5 zombie */
	char name[64];   /* unescaped; at most 15 bytes on a Mac */
};

/* PROC_PIDTHREADCOUNTS, by perflevel. */
struct host_thread {
	uint64_t id;
	bool running;
	char name[64];
	unsigned levels; /* Apple silicon 2 (0: perflevel0), Intel 1 */
	struct {
		uint64_t instructions, cycles, user_time, system_time;
		uint64_t energy_nj;
	} level[2];
};

struct host_api {
	uint32_t version; /* HOST_VERSION */
	bool simulated;
	const char *text;   /* "simulated Apple M1, seed 1"; "" on a real Mac */
	struct clock clock; /* callers pass its `self` */
	/* As sysctlbyname(3): 0, or -1 and errno. fresh is the new value. */
	int (*sysctl)(const char *name, void *old, size_t *old_size,
		      const void *fresh, size_t fresh_size);
	/* Both fill at most max entries and return how many exist, or -1. */
	int (*cpu_nodes)(struct host_cpu_node *out, int max);
	int (*cpu_load)(struct host_cpu_load *out, int max);
	/* The calls for processes may be NULL. This lists all pids, newest
	 * first, with zombies and 0 (the kernel). Returns how many it wrote,
	 * -1: refused. If the buffer is full, there may be more. */
	int (*proc_list)(int32_t *pid, int max);
	/* These return 0, or -1 and errno (EPERM: denied, ESRCH: ended). */
	int (*proc_usage)(int32_t pid, struct host_usage *out);
	int (*proc_short)(int32_t pid, struct host_proc *out);
	/* Returns the length of the path. */
	int (*proc_path)(int32_t pid, char *out, int size);
	/* The arguments, each with a NUL, cut to size. Returns their length, or
	 * -1 and errno: those of other users are hidden. */
	int (*proc_args)(int32_t pid, char *out, int size);
	int (*thread_list)(int32_t pid, uint64_t *id, int max);
	int (*thread_counts)(int32_t pid, uint64_t id, struct host_thread *out);
	/* A mach tick is numer / denom ns; NULL: a tick is 1 ns. */
	void (*timebase)(uint32_t *numer, uint32_t *denom);
	/* False: the user is unknown. */
	bool (*user_name)(uint32_t uid, char *out, int size);
	/* Kernel tracing, or NULL. */
	const struct kperf_system *system;
	/* Runs enum calibrate_loop on a core of a performance level; returns
	 * instructions and CPU. NULL: run it natively. */
	uint64_t (*loop)(unsigned level, unsigned loop, int *cpu);
};

#endif

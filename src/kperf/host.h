/* Functions of a Mac besides the frameworks. source/kperf/mac/host.c or
 * sim/sim.c fills the struct; the simulator's library exports it as
 * "ktop_host". */
#ifndef KPERF_HOST_H
#define KPERF_HOST_H

#include "base/clock.h"
#include "kperf/api.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HOST_VERSION 6
#define HOST_SYMBOL "ktop_host"

/* A child of IODeviceTree:/cpus; -1: the node has no value. */
struct host_cpu_node {
	int32_t logical_cpu_id; /* row in readings; -1: not used by XNU */
	int32_t logical_cluster_id;
	int32_t die_id, die_cluster_id, cluster_core_id;
	char cluster_type[8]; /* "E", "P", "M", or "" */
};

/* host_processor_info(PROCESSOR_CPU_LOAD_INFO): ticks since boot. */
struct host_cpu_load {
	uint64_t user, system, idle, nice;
};

/* proc_pid_rusage: totals since the process started, in all modes, of live and
 * ended threads. Times are mach ticks (see timebase). */
struct host_usage {
	unsigned flavor; /* filled version: RUSAGE_INFO_V6, V5 or V4 */
	uint8_t uuid[16];
	uint64_t user_time, system_time;
	uint64_t start_abstime, exit_abstime; /* exit_abstime 0: alive */
	uint64_t instructions, cycles;
	/* Filled only in V6 (macOS 13); p: on perflevel0 cores. */
	uint64_t user_ptime, system_ptime, pinstructions, pcycles;
	uint64_t energy_nj, penergy_nj;
};

/* PROC_PIDT_SHORTBSDINFO, which needs no privileges. */
struct host_proc {
	int32_t pid, ppid;
	uint32_t uid;
	uint32_t status; /* 1 idle, 2 run, 3 sleep, 4 stop, 5 zombie */
	char name[64];   /* not escaped; at most 15 bytes on a Mac */
};

/* PROC_PIDTHREADCOUNTS: counts of a thread by perflevel. */
struct host_thread {
	uint64_t id;
	bool running;
	char name[64];
	unsigned levels; /* 2 on Apple silicon (0: perflevel0), 1 on Intel */
	struct {
		uint64_t instructions, cycles, user_time, system_time;
		uint64_t energy_nj;
	} level[2];
};

struct host_api {
	uint32_t version;
	bool simulated;
	const char *text;   /* "simulated Apple M1, seed 1"; "" on a real Mac */
	struct clock clock; /* pass its `self` to its functions */
	/* As sysctlbyname(3): 0, or -1 and errno. fresh is the new value. */
	int (*sysctl)(const char *name, void *old, size_t *old_size,
		      const void *fresh, size_t fresh_size);
	/* The next two fill at most max entries and return how many exist, or
	 * -1. */
	int (*cpu_nodes)(struct host_cpu_node *out, int max);
	int (*cpu_load)(struct host_cpu_load *out, int max);
	/* Functions for processes may be NULL. proc_list writes at most max
	 * pids, newest first, with zombies and 0 (the kernel). It returns how
	 * many it wrote; -1: refused. If the buffer is full, pids may be
	 * missing. */
	int (*proc_list)(int32_t *pid, int max);
	/* proc_usage and proc_short return 0, or -1 and errno (EPERM: denied,
	 * ESRCH: ended). */
	int (*proc_usage)(int32_t pid, struct host_usage *out);
	int (*proc_short)(int32_t pid, struct host_proc *out);
	int (*proc_path)(int32_t pid, char *out, int size);
	/* Copies the arguments, each with a NUL, cut to size. Returns their
	 * length, or -1 and errno, for example for other users' processes. */
	int (*proc_args)(int32_t pid, char *out, int size);
	int (*thread_list)(int32_t pid, uint64_t *id, int max);
	int (*thread_counts)(int32_t pid, uint64_t id, struct host_thread *out);
	/* A mach tick is numer / denom ns; NULL: a tick is 1 ns. */
	void (*timebase)(uint32_t *numer, uint32_t *denom);
	bool (*user_name)(uint32_t uid, char *out, int size);
	/* For kernel tracing; NULL: not available. */
	const struct kperf_system *system;
	/* Runs `loop` (enum calibrate_loop) on a core of the level; returns the
	 * instructions and the CPU. NULL: run it natively. */
	uint64_t (*loop)(unsigned level, unsigned loop, int *cpu);
};

#endif

/*
 * What a Mac answers besides the two frameworks: sysctls, the device tree's CPU
 * nodes, CPU load, the clock. A real Mac fills this struct from the system
 * (source/kperf/mac/host.c), the simulator from its kernel (sim/sim.c); the
 * simulator's shared library exports it as the symbol "ktop_host".
 */
#ifndef KPERF_HOST_H
#define KPERF_HOST_H

#include "base/clock.h"
#include "kperf/api.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HOST_VERSION 6
#define HOST_SYMBOL "ktop_host"

/* One child of IODeviceTree:/cpus. A value that the node lacks is -1. */
struct host_cpu_node {
	int32_t logical_cpu_id; /* kpc row index; -1: XNU does not use it */
	int32_t logical_cluster_id;
	int32_t die_id, die_cluster_id, cluster_core_id;
	char cluster_type[8]; /* "E", "P", "M"; empty when absent */
};

/* host_processor_info(PROCESSOR_CPU_LOAD_INFO): ticks since boot. */
struct host_cpu_load {
	uint64_t user, system, idle, nice;
};

/*
 * proc_pid_rusage: totals since the process began, of all modes and threads,
 * dead and alive. Times are mach ticks (timebase below).
 */
struct host_usage {
	unsigned flavor; /* what was filled: RUSAGE_INFO_V6, V5 or V4 */
	uint8_t uuid[16];
	uint64_t user_time, system_time;
	uint64_t start_abstime, exit_abstime; /* exit 0: it lives */
	uint64_t instructions, cycles;
	/* V6 only (macOS 13): the part on cores of perflevel0; energy in nJ. */
	uint64_t user_ptime, system_ptime, pinstructions, pcycles;
	uint64_t energy_nj, penergy_nj;
};

/* PROC_PIDT_SHORTBSDINFO, which anybody may ask. */
struct host_proc {
	int32_t pid, ppid;
	uint32_t uid;
	uint32_t status; /* 1 idle, 2 run, 3 sleep, 4 stop, 5 zombie */
	char name[64];   /* as it is: at most 15 bytes on a Mac */
};

/* PROC_PIDTHREADCOUNTS of a thread, a full split for each perflevel. */
struct host_thread {
	uint64_t id;
	bool running;
	char name[64];
	unsigned levels; /* 2 on Apple silicon, 0 is perflevel0; 1 on Intel */
	struct {
		uint64_t instructions, cycles, user_time, system_time;
		uint64_t energy_nj;
	} level[2];
};

struct host_api {
	uint32_t version; /* HOST_VERSION */
	bool simulated;
	const char *text;   /* "simulated Apple M1, seed 1"; a real Mac: "" */
	struct clock clock; /* its `self` is passed by the caller as is */
	/* As sysctlbyname(3): 0, or -1 with errno. `fresh` is the new value. */
	int (*sysctl)(const char *name, void *old, size_t *old_size,
		      const void *fresh, size_t fresh_size);
	/* Both fill at most max entries and return how many exist, or -1. */
	int (*cpu_nodes)(struct host_cpu_node *out, int max);
	int (*cpu_load)(struct host_cpu_load *out, int max);
	/*
	 * Processes; NULL: not offered. All pids, zombies and 0 (the kernel)
	 * among them, newest first: at most max are written, and how many were
	 * is returned; -1: refused. A full buffer may have been too small.
	 */
	int (*proc_list)(int32_t *pid, int max);
	/* These: 0, or -1 with errno. EPERM: denied; ESRCH: gone. */
	int (*proc_usage)(int32_t pid, struct host_usage *out);
	int (*proc_short)(int32_t pid, struct host_proc *out);
	/* The length of the path of its program. */
	int (*proc_path)(int32_t pid, char *out, int size);
	/*
	 * Its arguments, a NUL behind each, as many bytes as fit; how many they
	 * are, or -1 with errno: another user's are not told.
	 */
	int (*proc_args)(int32_t pid, char *out, int size);
	int (*thread_list)(int32_t pid, uint64_t *id, int max);
	int (*thread_counts)(int32_t pid, uint64_t id, struct host_thread *out);
	/* A mach tick is numer / denom nanoseconds. NULL: 1 / 1. */
	void (*timebase)(uint32_t *numer, uint32_t *denom);
	/* The name of a user; false: none is known. */
	bool (*user_name)(uint32_t uid, char *out, int size);
	/* Tracing of the kernel; NULL: not offered. */
	const struct kperf_system *system;
	/*
	 * Runs a loop (enum calibrate_loop) on a core of a performance level:
	 * how many instructions, and on which CPU. NULL: the processor runs
	 * loops.
	 */
	uint64_t (*loop)(unsigned level, unsigned loop, int *cpu);
};

#endif

/* Lightweight PET and kdebug sample each running thread (of all processes or of
 * one) about once a period into a ring of the kernel. ktrace has one owner in
 * the system (xnu kern_ktrace.c). No locks, no allocation: kperf_trace_release
 * may run in a crash handler. */
#ifndef KPERF_TRACE_H
#define KPERF_TRACE_H

#include "kperf/api.h"
#include "kperf/counters.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* kd_buf of 64-bit kernels (xnu bsd/sys/kdebug_private.h). */
struct kperf_record {
	uint64_t timestamp;
	uint64_t arg[4];
	uint64_t thread;
	uint32_t debugid, cpu;
	uint64_t unused;
};

struct kperf_mapped {
	uint64_t thread;
	int32_t pid;
	char command[20];
};

enum {
	KPERF_REC_TI_DATA = 0x25010004,    /* pid, thread, queue, run mode */
	KPERF_REC_KPC_THREAD = 0x25060020, /* four thread counters */
	KPERF_REC_NEWTHREAD = 0x07000004,  /* thread, pid, exec flag, unique */
	KPERF_REC_TERMINATED =
		0x07000010, /* pid, unique id; of the ending thread */
	KPERF_REC_LOST = 0x07020008
};

struct kperf_trace {
	const struct kperf_api *kperf;
	const struct kperf_system *system;
	int32_t self;
	uint64_t period_ns;
	bool taken;     /* must be released */
	bool restarted; /* the ring stopped and was restarted: records lost */
};

/* The owner of ktrace; pid 0: none, or an ended process. */
struct kperf_owner {
	int32_t pid;
	bool background; /* a background tool, which yields to others */
};

bool kperf_trace_owner(const struct kperf_system *s, struct kperf_owner *out,
		       struct kperf_fault *why);

/* True: an owner of ktrace (of that name) died without a reset. As root,
 * kperf_trace_clear does the reset; threads: classes for thread counting. */
bool kperf_trace_is_stale(const struct kperf_system *s);
bool kperf_trace_is_stale_of(const struct kperf_system *s, const char *program);
bool kperf_trace_clear(const struct kperf_api *k, const struct kperf_system *s,
		       uint32_t threads, struct kperf_fault *why);

/* Takes ownership of ktrace and sets up sampling; sleeps 200 ms in the kernel.
 * pid -1: all processes. Raises period_ns to the system's minimum. Undoes its
 * changes on failure; EBUSY: another owner. */
bool kperf_trace_prepare(struct kperf_trace *t, int32_t pid, uint64_t period_ns,
			 struct kperf_fault *why);
bool kperf_trace_start(struct kperf_trace *t, struct kperf_fault *why);

/* Lists all threads; returns their number, 0: failed. The kernel requires space
 * for 25 % more threads. */
size_t kperf_trace_map(const struct kperf_trace *t, struct kperf_mapped *out,
		       size_t max);

/* Changes the period of a running trace. False: the period is unchanged, or
 * sampling has stopped. */
bool kperf_trace_period(struct kperf_trace *t, uint64_t period_ns,
			struct kperf_fault *why);

enum kperf_trace_state {
	KPERF_TRACE_OK,
	KPERF_TRACE_MORE,    /* the buffer is full: read again at once */
	KPERF_TRACE_EVICTED, /* another tool owns ktrace now */
	KPERF_TRACE_FAILED /* *why: the ring is gone, or permission was lost */
};

/* Reads up to max records. *gap: records were lost before out[0], or will be
 * missing before the next read. */
enum kperf_trace_state kperf_trace_read(struct kperf_trace *t,
					struct kperf_record *out, size_t max,
					size_t *n, bool *gap,
					struct kperf_fault *why);

/* Stops sampling and releases ktrace if this process owns it; keeps another
 * tool's set-up. False: the restore is incomplete. */
bool kperf_trace_release(struct kperf_trace *t);

extern const struct kperf_system kperf_system_mac;

/* Returns the calls of this system; NULL on Linux. */
const struct kperf_system *kperf_system_os(void);

#endif

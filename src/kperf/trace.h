/*
 * Lightweight PET and kdebug: every thread of the machine, or of one process,
 * is sampled about once a period while it runs, and its counters go into a ring
 * of the kernel that is read here. Tracing has one owner in the whole system
 * (xnu kern_ktrace.c). Nothing is locked and no memory is taken: a crash
 * handler may call kperf_trace_release.
 */
#ifndef KPERF_TRACE_H
#define KPERF_TRACE_H

#include "kperf/api.h"
#include "kperf/counters.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* kd_buf of every 64-bit kernel (xnu bsd/sys/kdebug_private.h). */
struct kperf_record {
	uint64_t timestamp; /* ticks */
	uint64_t arg[4];
	uint64_t thread; /* who emitted it */
	uint32_t debugid, cpu;
	uint64_t unused;
};

/* kd_threadmap */
struct kperf_mapped {
	uint64_t thread;
	int32_t pid;
	char command[20];
};

enum {
	KPERF_REC_TI_DATA = 0x25010004,    /* pid, thread, queue, run mode */
	KPERF_REC_KPC_THREAD = 0x25060020, /* four counters of the thread */
	KPERF_REC_NEWTHREAD = 0x07000004,  /* thread, pid, for exec, unique */
	KPERF_REC_TERMINATED = 0x07000010, /* pid, unique; of the dying one */
	KPERF_REC_LOST = 0x07020008
};

struct kperf_trace {
	const struct kperf_api *kperf;
	const struct kperf_system *system;
	int32_t self;       /* pid of this process */
	uint64_t period_ns; /* as it is */
	bool taken;         /* something of it is ours to give back */
	bool lapsed;        /* tracing stood still and was started again */
};

/* Who has the right to trace now; 0: nobody, or who had it is dead. */
struct kperf_owner {
	int32_t pid;
	bool background; /* gives way to whoever asks */
};

bool kperf_trace_owner(const struct kperf_system *s, struct kperf_owner *out,
		       struct kperf_fault *why);

/*
 * Does tracing belong to somebody who has died? Of that name? And an end of it,
 * for root, while nobody owns it: with it threads count these classes.
 */
bool kperf_trace_is_stale(const struct kperf_system *s);
bool kperf_trace_is_stale_of(const struct kperf_system *s, const char *program);
bool kperf_trace_clear(const struct kperf_api *k, const struct kperf_system *s,
		       uint32_t threads, struct kperf_fault *why);

/*
 * Becomes the owner and sets everything up; two sleeps of 100 ms in the kernel
 * are in it. pid -1: all processes. A period shorter than the system's least
 * becomes that. A failure has been undone; EBUSY: another tool is the owner.
 */
bool kperf_trace_prepare(struct kperf_trace *t, int32_t pid, uint64_t period_ns,
			 struct kperf_fault *why);
/* From here on there are records. A failure has been undone. */
bool kperf_trace_start(struct kperf_trace *t, struct kperf_fault *why);

/* All threads of this moment; 0: not told. max: a quarter more than there are.
 */
size_t kperf_trace_map(const struct kperf_trace *t, struct kperf_mapped *out,
		       size_t max);

/* Another one while it goes on. False: as it was, or not at all any more. */
bool kperf_trace_period(struct kperf_trace *t, uint64_t period_ns,
			struct kperf_fault *why);

enum kperf_trace_state {
	KPERF_TRACE_OK,
	KPERF_TRACE_MORE,    /* it was full: read again at once */
	KPERF_TRACE_EVICTED, /* another tool has taken it away */
	KPERF_TRACE_FAILED   /* *why; the ring is gone, or no rights are left */
};

/*
 * Up to max records. *gap: some were lost before the first of these, or will
 * be lacking before the next.
 */
enum kperf_trace_state kperf_trace_read(struct kperf_trace *t,
					struct kperf_record *out, size_t max,
					size_t *n, bool *gap,
					struct kperf_fault *why);

/*
 * Stops it and lets go of ktrace, if it is this process's still; what another
 * tool has set up is left alone. False: something could not be put back.
 */
bool kperf_trace_release(struct kperf_trace *t);

extern const struct kperf_system kperf_system_mac; /* file mac/system.c */

/* Files mac/system.c, linux/system.c; NULL elsewhere than on a Mac. */
const struct kperf_system *kperf_system_os(void);

#endif

#include "kperf/inside.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* clang-format off */
static const struct {
	enum kps_status code;
	const char *name, *text, *advice;
} statuses[] = {
#define STATUS(code, text, advice) { code, #code, text, advice }
#define KPEP(code, text, advice) { KPS_##code, "KPS_" #code, text, advice }
	STATUS(KPS_OK, "no error", NULL),
	STATUS(KPS_LOAD, "the frameworks cannot be loaded",
	       "they exist on macOS only; elsewhere give the paths of libraries with the same functions"),
	STATUS(KPS_FRAMEWORK, "unknown error of kperfdata", NULL),
	STATUS(KPS_INVALID_CPU_NAME, "the database's name cannot be read",
	       "allow unknown chips; events then have the names of the database"),
	STATUS(KPS_UNKNOWN_CPU, "unknown chip",
	       "allow unknown chips; events then have the names of the database"),
	STATUS(KPS_EVENT_UNAVAILABLE, "this chip has no such event",
	       "list the database's events and pick another"),
	STATUS(KPS_EVENT_LAYOUT, "events have an unknown layout in memory",
	       "allow unknown layouts; numbers and counters of events are not shown then"),
	STATUS(KPS_NULL_POINTER, "a framework returned neither an object nor an error", NULL),
	STATUS(KPS_MISSING_PRIVILEGES, "only root may use the counters",
	       "run the program with sudo"),
	STATUS(KPS_FORCE_FAILED, "the counters cannot be acquired", NULL),
	STATUS(KPS_CONFIG_FAILED, "the counters cannot be programmed", NULL),
	STATUS(KPS_START_COUNTING, "counting does not start", NULL),
	STATUS(KPS_STOP_COUNTING, "counting does not stop",
	       "a restart of the Mac resets the counters"),
	STATUS(KPS_START_THREADS, "counting of threads does not start", NULL),
	STATUS(KPS_STOP_THREADS, "counting of threads does not stop",
	       "a restart of the Mac resets the counters"),
	STATUS(KPS_READ_COUNTERS, "the counters cannot be read", NULL),
	STATUS(KPS_RESET_CONTROL, "the counters cannot be restored",
	       "a restart of the Mac resets them"),
	STATUS(KPS_NOT_RUNNING, "this sampler is not running", "start it first"),
	STATUS(KPS_TAKEN_BY_TASK, "counters are in use by another program",
	       "quit Instruments, mactop, powermetrics or ktop and try again"),
	STATUS(KPS_TAKEN_BY_KERNEL, "counters are in use by the kernel",
	       "quit Instruments and try again"),
	STATUS(KPS_EVENT_REFUSED, "macOS refuses to count this event",
	       "omit it; root makes no difference"),
	STATUS(KPS_NO_COUNTERS, "this machine has no counters to read",
	       "most virtual machines have none; run it on the Mac itself"),
	STATUS(KPS_CONFLICT, "the events do not fit the counters",
	       "count some of them in another run"),
	STATUS(KPS_REPROGRAMMED, "another tool has reprogrammed the counters",
	       "quit it, then stop and start the sampler"),
	STATUS(KPS_RELEASED, "this sampler has released its counters",
	       "acquire them again first"),
	STATUS(KPS_WRONG_THREAD, "another thread started this sampler",
	       "make one for each thread"),
	STATUS(KPS_OUT_OF_MEMORY, "out of memory", NULL),
	STATUS(KPS_USAGE, "invalid argument", NULL),
	STATUS(KPS_HELD_BY_TASK, "counters are in use by another program that is counting",
	       "quit it (Instruments, ktop), or set take_anyway"),
	STATUS(KPS_NO_TRACE, "the kernel cannot be traced on this system",
	       "give options.system, or run it on a Mac"),
	STATUS(KPS_TRACE_OWNED, "another tool traces the kernel",
	       "quit it (Instruments, fs_usage, ktrace, another ktop) and try again"),
	STATUS(KPS_TRACE_EVICTED, "another tool has taken over kernel tracing",
	       "wait until it ends, then stop and start the sampler"),
	STATUS(KPS_TRACE_LOST, "the kernel's trace buffer is gone", "stop and start the sampler"),
	STATUS(KPS_TRACE_FAILED, "the kernel cannot be traced", NULL),
	KPEP(KPEP_NONE, "no error", NULL),
	KPEP(KPEP_INVALID_ARGUMENT, "invalid argument", NULL),
	KPEP(KPEP_OUT_OF_MEMORY, "out of memory", NULL),
	KPEP(KPEP_IO, "the database cannot be read", NULL),
	KPEP(KPEP_BUFFER_TOO_SMALL, "buffer too small", NULL),
	KPEP(KPEP_SYSTEM_UNKNOWN, "unknown processor", "is this system older than its chip? Update macOS"),
	KPEP(KPEP_DB_PATH_INVALID, "the database's path is invalid", "check KPEP_DB_PATH"),
	KPEP(KPEP_DB_NOT_FOUND, "no event database for this processor", "is this system older than its chip? Update macOS"),
	KPEP(KPEP_ARCH_UNSUPPORTED, "architecture not supported", NULL),
	KPEP(KPEP_VERSION_UNSUPPORTED, "version of the database not supported", NULL),
	KPEP(KPEP_DB_CORRUPT, "the database is damaged", NULL),
	KPEP(KPEP_EVENT_NOT_FOUND, "event not found", NULL),
	KPEP(KPEP_CONFLICT, "conflicting events", "count some of the events in another run"),
	KPEP(KPEP_FORCE_NEEDED, "needs all counters to be forced", NULL),
	KPEP(KPEP_EVENT_UNAVAILABLE, "event not available", NULL),
	KPEP(KPEP_ERRNO, "system call failed", NULL),
	KPEP(KPEP_NO_COUNTERS, "no counter can count this event", "pick another event"),
};
/* clang-format on */

static int
row_of(enum kps_status code)
{
	for (size_t i = 0; i < sizeof statuses / sizeof statuses[0]; i++)
		if (statuses[i].code == code)
			return (int)i;
	return -1;
}

/* clang-format off */
#define FIELD(call, field) \
const char * \
call(enum kps_status code) \
{ \
	int i = row_of(code); \
	return i < 0 ? NULL : statuses[i].field; \
}

FIELD(kps_status_name, name)
FIELD(kps_status_text, text)
FIELD(kps_status_advice, advice)
/* clang-format on */

bool
kps_fail(struct kps_error *e, enum kps_status code, const char *call,
	 const char *fmt, ...)
{
	va_list ap;

	if (e == NULL)
		return false;
	memset(e, 0, sizeof *e);
	e->code = code;
	e->call = call;
	va_start(ap, fmt);
	vsnprintf(e->text, sizeof e->text, fmt, ap);
	va_end(ap);
	return false;
}

bool
kps_fail_status(struct kps_error *e, enum kps_status code, const char *call)
{
	return kps_fail(e, code, call, "%s; %s", kps_status_text(code),
			kps_status_advice(code));
}

static bool
fail_with(struct kps_error *e, enum kps_status code, const char *call,
	  const char *doing, const char *detail)
{
	const char *advice = kps_status_advice(code);

	return kps_fail(e, code, call, "%s%s%s (%s%s%s)%s%s",
			doing != NULL ? doing : "", doing != NULL ? ": " : "",
			kps_status_text(code), call,
			detail[0] != '\0' ? ": " : "", detail,
			advice != NULL ? "; " : "",
			advice != NULL ? advice : "");
}

bool
kps_fail_errno(struct kps_error *e, const char *call, int why,
	       enum kps_status otherwise)
{
	enum kps_status code = otherwise;

	switch (why) {
	case EPERM:
		code = KPS_MISSING_PRIVILEGES;
		break;
	case EACCES:
		code = KPS_TAKEN_BY_TASK;
		break;
	case EBUSY:
		code = KPS_TAKEN_BY_KERNEL;
		break;
	case ENOENT:
	case ENOTSUP:
		code = KPS_NO_COUNTERS;
		break;
	}
	fail_with(e, code, call, NULL, strerror(why));
	if (e != NULL)
		e->sys_errno = why;
	return false;
}

bool
kps_fail_kpep(struct kps_error *e, const char *call, int code, int why,
	      const char *doing)
{
	char detail[64];

	if (code == KPEP_ERRNO)
		kps_fail_errno(e, call, why, KPS_KPEP_ERRNO);
	else if (code == 0)
		kps_fail(e, KPS_NULL_POINTER, call, "%s: %s (%s)", doing,
			 kps_status_text(KPS_NULL_POINTER), call);
	else if (code > 0 && code <= KPEP_NO_COUNTERS) {
		snprintf(detail, sizeof detail, "code %d", code);
		fail_with(e, (enum kps_status)(KPS_KPEP_NONE + code), call,
			  doing, detail);
	} else
		kps_fail(e, KPS_FRAMEWORK, call,
			 "%s: unknown error %d of kperfdata (%s)", doing, code,
			 call);
	if (e != NULL)
		e->framework_code = code;
	return false;
}

bool
kps_fail_fault(struct kps_error *e, const struct kperf_fault *f,
	       enum kps_status otherwise)
{
	switch (f->kind) {
	case KPERF_FAULT_CALL:
		return kps_fail_errno(e, f->call, f->why, otherwise);
	case KPERF_FAULT_RESIZED:
	case KPERF_FAULT_NOT_OURS:
		return fail_with(e, KPS_REPROGRAMMED, f->call, NULL,
				 f->kind == KPERF_FAULT_RESIZED
					 ? "their number has changed"
					 : "not what was written");
	case KPERF_FAULT_IN_USE:
		return fail_with(e, KPS_HELD_BY_TASK, f->call, NULL,
				 "they are forced, and count");
	case KPERF_FAULT_NOT_RESTORED:
		break;
	}
	return kps_fail_status(e, KPS_RESET_CONTROL, f->call);
}

void *
kps_new(size_t size, const char *what, struct kps_error *e)
{
	void *object = calloc(1, size);

	if (object == NULL)
		kps_fail_memory(e, what);
	return object;
}

bool
kps_fail_memory(struct kps_error *e, const char *what)
{
	return kps_fail(e, KPS_OUT_OF_MEMORY, NULL, "%s: out of memory", what);
}

#ifndef KTOP_VERSION
#define KTOP_VERSION "0"
#endif

const char *
kps_version(void)
{
	return KTOP_VERSION;
}

unsigned
kps_abi(void)
{
	return KPS_ABI;
}

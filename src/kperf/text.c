#include "kperf/text.h"

#include "kperf/abi.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

static const char *const kpep_text[] = {
	[KPEP_OK] = "no error",
	[KPEP_INVALID_ARGUMENT] = "invalid argument",
	[KPEP_OUT_OF_MEMORY] = "out of memory",
	[KPEP_IO] = "the database cannot be read",
	[KPEP_BUFFER_TOO_SMALL] = "buffer too small",
	[KPEP_SYSTEM_UNKNOWN] = "the system does not know this processor",
	[KPEP_DB_PATH_INVALID] = "the database's path is invalid",
	[KPEP_DB_NOT_FOUND] = "no event database for this processor",
	[KPEP_ARCH_UNSUPPORTED] = "architecture not supported",
	[KPEP_VERSION_UNSUPPORTED] = "version of the database not supported",
	[KPEP_DB_CORRUPT] = "the database is damaged",
	[KPEP_EVENT_NOT_FOUND] = "event not found",
	[KPEP_CONFLICT] = "conflicting events",
	[KPEP_FORCE_NEEDED] = "needs all counters to be forced",
	[KPEP_EVENT_UNAVAILABLE] = "event not available",
	[KPEP_ERRNO] = "system call failed",
	[KPEP_NO_COUNTERS] = "no counter can count this event",
};

const char *
kperf_kpep_text(int error)
{
	int n = sizeof kpep_text / sizeof kpep_text[0];

	return error >= 0 && error < n ? kpep_text[error] : NULL;
}

bool
kperf_kpep_err(struct err *e, const char *doing, int error, int errnum)
{
	const char *text = kperf_kpep_text(error);

	if (text == NULL)
		return err_set(e, ERR_FAIL, "%s: unknown error %d of kperfdata",
			       doing, error);
	switch (error) {
	case KPEP_ERRNO:
		return kperf_errno_err(e, doing, errnum, geteuid() == 0);
	case KPEP_SYSTEM_UNKNOWN:
	case KPEP_DB_NOT_FOUND:
		return err_set(
			e, ERR_NO_PMU,
			"%s: %s (code %d); is this system older than its chip? Update macOS",
			doing, text, error);
	case KPEP_ARCH_UNSUPPORTED:
	case KPEP_VERSION_UNSUPPORTED:
		return err_set(e, ERR_NO_PMU, "%s: %s (code %d)", doing, text,
			       error);
	default:
		return err_set(e, ERR_FAIL, "%s: %s (code %d)", doing, text,
			       error);
	}
}

enum err_code
kperf_errno_code(int errnum)
{
	switch (errnum) {
	case EPERM:
		return ERR_PERM;
	case EACCES:
	case EBUSY:
		return ERR_TAKEN;
	case ENOENT:
	case ENOTSUP:
		return ERR_NO_PMU;
	default:
		return ERR_FAIL;
	}
}

/* What the errno means for the counters, and what to do about it. */
static const char *
errno_advice(int errnum, bool root)
{
	switch (errnum) {
	case EPERM:
		return root ? "the kernel refuses it even to root: an event that this macOS does not allow, or counters of the power manager"
			    : "only root may use the counters; run ktop with sudo";
	case EACCES:
		return "another program holds the counters; end it and try again";
	case EBUSY:
		return "another kernel client uses the counters (Instruments with CPU Counters?); end it and try again";
	case ENOENT:
	case ENOTSUP:
		return "this machine has no counters to read, as most virtual machines";
	case 0:
		return "no reason given";
	default:
		return NULL;
	}
}

bool
kperf_errno_err(struct err *e, const char *call, int errnum, bool root)
{
	const char *advice = errno_advice(errnum, root);
	enum err_code code = kperf_errno_code(errnum);

	if (errnum == 0)
		return err_set(e, code, "%s failed: %s", call, advice);
	if (advice == NULL)
		return err_set(e, code, "%s failed: %s", call,
			       strerror(errnum));
	return err_set(e, code, "%s failed: %s (%s)", call, advice,
		       strerror(errnum));
}

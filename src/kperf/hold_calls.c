/* What single calls answer, and the counting of threads; see hold.h. */
#include "kperf/hold.h"

#include <errno.h>

int
kperf_hold_errno(int result)
{
	if (result > 0)
		return result;
	return errno != 0 ? errno : EIO;
}

bool
kperf_hold_counting(const struct kperf_api *k, uint32_t *classes)
{
	/* 0 is "none" as well as "failed"; errno means something only then. */
	errno = 0;
	*classes = k->kpc_get_counting();
	if (*classes == 0)
		return errno == 0;
	return (*classes & KPC_CLASS_NO_MASK) == 0;
}

bool
kperf_hold_counters(const struct kperf_api *k, uint32_t classes, uint32_t *n)
{
	errno = 0;
	*n = k->kpc_get_counter_count(classes);
	if (*n > KPC_MAX_COUNTERS)
		*n = 0;
	if (*n == 0 && errno == 0)
		errno = EIO;
	return *n != 0;
}

static bool
get_threads(const struct kperf_api *k, uint32_t *classes)
{
	errno = 0;
	*classes = k->kpc_get_thread_counting();
	if (*classes == 0)
		return errno == 0;
	return (*classes & KPC_CLASS_NO_MASK) == 0;
}

static bool
failed(struct kperf_fault *f, const char *call, int result)
{
	*f = (struct kperf_fault){ KPERF_FAULT_CALL, call,
				   kperf_hold_errno(result) };
	return false;
}

bool
kperf_hold_threads(const struct kperf_api *k, struct kperf_found *found,
		   struct kperf_held *held, uint32_t classes,
		   struct kperf_fault *why)
{
	int rc;

	if (!held->threads && !get_threads(k, &found->threads))
		return failed(why, "kpc_get_thread_counting", -1);
	errno = 0;
	rc = k->kpc_set_thread_counting(classes);
	if (rc != 0)
		return failed(why, "kpc_set_thread_counting", rc);
	held->threads = true;
	held->threads_are = classes;
	return true;
}

bool
kperf_hold_threads_back(const struct kperf_api *k, const struct kperf_found *f,
			struct kperf_held *held)
{
	uint32_t now;

	if (!held->threads)
		return true;
	if (!get_threads(k, &now) && !get_threads(k, &now))
		return false;
	if (now != held->threads_are) { /* somebody else's now */
		held->threads = false;
		return true;
	}
	held->threads = k->kpc_set_thread_counting(f->threads) != 0 &&
			k->kpc_set_thread_counting(f->threads) != 0;
	return !held->threads;
}

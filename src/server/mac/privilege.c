/* kpc checks the effective user id at every call (xnu ktrace.c, 287-297), so
 * the server stays root: macOS has no narrower right, and entitlements need
 * Apple's signature. */
#include "server/privilege.h"

#include <sys/resource.h>

bool
privilege_keep_counting_only(const struct privilege_caller *who, bool in_effect,
			     struct err *e)
{
	struct rlimit none = { 0, 0 };

	(void)who;
	(void)in_effect;
	(void)e;
	/* The server forks only the guard of tracing; RLIMIT_NPROC does not
	 * apply to root (xnu kern_fork.c). A core dump would contain root's
	 * memory. */
	(void)setrlimit(RLIMIT_NPROC, &none);
	(void)setrlimit(RLIMIT_CORE, &none);
	return true;
}

bool
privilege_filter_calls(void)
{
	return true; /* macOS has no system-call filter for third-party programs
		      */
}

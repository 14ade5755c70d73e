/*
 * kpc asks for the effective user id of every call (xnu ktrace.c, 287-297),
 * so the server keeps that. Nothing finer exists: there is no capability for
 * it, and an entitlement needs Apple's signature.
 */
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
	/*
	 * It starts nothing but the guard of tracing, a copy of itself (root's
	 * processes are not counted: xnu kern_fork.c), and leaves no memory of
	 * root's behind.
	 */
	(void)setrlimit(RLIMIT_NPROC, &none);
	(void)setrlimit(RLIMIT_CORE, &none);
	return true;
}

bool
privilege_filter_calls(void)
{
	return true; /* no way that is open to other people's programs */
}

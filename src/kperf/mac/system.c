/* What the library asks of the Mac that it runs on. */
#include "kperf/trace.h"

#include "kperf/load.h"

#include <sys/sysctl.h>
#include <unistd.h>

/* bsd/sys/kdebug.h; in libSystem since macOS 10.12, in few SDKs' headers. */
extern bool kdebug_is_enabled(uint32_t debugid);

/* The prototypes lack the const that the calls keep. */
static int
sysctl_name(const char *name, void *old, size_t *old_size, const void *fresh,
	    size_t fresh_size)
{
	return sysctlbyname(name, old, old_size, (void *)(uintptr_t)fresh,
			    fresh_size);
}

/* Only the first four take a value; others get no more than their number. */
static int
sysctl_kdebug(int op, int value, void *at, size_t *size)
{
	int mib[4] = { CTL_KERN, KERN_KDEBUG, op, value };

	/* Nothing is fresh: what goes in goes through the old side. */
	return sysctl(mib, op <= KERN_KDSETBUF ? 4 : 3, at, size, NULL, 0);
}

const struct kperf_system kperf_system_mac = { sysctl_name, sysctl_kdebug,
					       kdebug_is_enabled };

const struct kperf_system *
kperf_system_os(void)
{
	return &kperf_system_mac;
}

bool
kperf_privileged_os(void)
{
	return issetugid() != 0;
}

#include "kperf/trace.h"

#include "kperf/load.h"

#include <sys/sysctl.h>
#include <unistd.h>

/* In bsd/sys/kdebug.h since macOS 10.12; few SDKs declare it. */
extern bool kdebug_is_enabled(uint32_t debugid);

/* sysctlbyname(3) takes a non-const pointer but does not write to it. */
static int
sysctl_name(const char *name, void *old, size_t *old_size, const void *fresh,
	    size_t fresh_size)
{
	return sysctlbyname(name, old, old_size, (void *)(uintptr_t)fresh,
			    fresh_size);
}

static int
sysctl_kdebug(int op, int value, void *at, size_t *size)
{
	int mib[4] = { CTL_KERN, KERN_KDEBUG, op, value };

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

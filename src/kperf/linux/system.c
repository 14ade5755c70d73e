#include "kperf/trace.h"

#include "kperf/load.h"

#include <linux/capability.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <unistd.h>

const struct kperf_system *
kperf_system_os(void)
{
	return NULL; /* Linux has no ktrace */
}

bool
kperf_privileged_os(void)
{
	struct __user_cap_header_struct h = { _LINUX_CAPABILITY_VERSION_3, 0 };
	struct __user_cap_data_struct has[2] = { { 0 } };

	/* AT_SECURE is set for file capabilities and set-id programs; sudo can
	 * keep capabilities without AT_SECURE. */
	return getauxval(AT_SECURE) != 0 || syscall(SYS_capget, &h, has) != 0 ||
	       (has[0].permitted | has[1].permitted) != 0;
}

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

	/* File capabilities, a set-id program, or capabilities kept by sudo. */
	return getauxval(AT_SECURE) != 0 || syscall(SYS_capget, &h, has) != 0 ||
	       (has[0].permitted | has[1].permitted) != 0;
}

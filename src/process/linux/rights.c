#include "process/rights.h"

#include <errno.h>
#include <linux/capability.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { CAPS_MAX = 64 };

static bool
read_caps(struct __user_cap_data_struct has[2])
{
	struct __user_cap_header_struct h = { _LINUX_CAPABILITY_VERSION_3, 0 };

	return syscall(SYS_capget, &h, has) == 0;
}

static bool
write_caps(const struct __user_cap_data_struct want[2])
{
	struct __user_cap_header_struct h = { _LINUX_CAPABILITY_VERSION_3, 0 };

	return syscall(SYS_capset, &h, want) == 0;
}

bool
rights_any(void)
{
	struct __user_cap_data_struct has[2] = { { 0 } };

	return !read_caps(has) ||
	       (has[0].permitted | has[1].permitted | has[0].inheritable |
		has[1].inheritable) != 0;
}

void
rights_drop_bounding(int keep)
{
	for (int cap = 0; cap < CAPS_MAX; cap++)
		if (cap != keep)
			/* EINVAL above the last capability; EPERM in some
			 * containers. */
			(void)prctl(PR_CAPBSET_DROP, cap, 0, 0, 0);
}

/* CAP_SETPCAP may be permitted but not effective. */
static void
drop_bounding_again(void)
{
	struct __user_cap_data_struct has[2] = { { 0 } };

	if (!read_caps(has))
		return;
	has[0].effective |= has[0].permitted & 1u << CAP_SETPCAP;
	if (write_caps(has))
		rights_drop_bounding(-1);
}

void
rights_drop_setpcap(void)
{
	struct __user_cap_data_struct has[2] = { { 0 } };

	if (!read_caps(has))
		return;
	has[0].effective &= ~(1u << CAP_SETPCAP);
	has[0].permitted &= ~(1u << CAP_SETPCAP);
	(void)write_caps(has);
}

bool
rights_drop_all(struct err *e)
{
	struct __user_cap_data_struct none[2] = { { 0 } };
	const char *call = "no_new_privs";

	drop_bounding_again();
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0) {
		/* Kernels before 4.3 have no ambient set. */
		(void)prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
		call = "capset";
		if (write_caps(none))
			return true;
	}
	return err_set(e, ERR_PERM, "cannot give up root privileges (%s): %s",
		       call, strerror(errno));
}

#include "process/rights.h"

#include <errno.h>
#include <linux/capability.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { CAPS_MAX = 64 }; /* that the calls can name */

/* Without the C library's help: there is none for these calls. */
static bool
get(struct __user_cap_data_struct has[2])
{
	struct __user_cap_header_struct h = { _LINUX_CAPABILITY_VERSION_3, 0 };

	return syscall(SYS_capget, &h, has) == 0;
}

static bool
set(const struct __user_cap_data_struct want[2])
{
	struct __user_cap_header_struct h = { _LINUX_CAPABILITY_VERSION_3, 0 };

	return syscall(SYS_capset, &h, want) == 0;
}

bool
rights_held(void)
{
	struct __user_cap_data_struct has[2] = { { 0 } };

	/* Whoever cannot tell had better strip, and see that fail. */
	return !get(has) || (has[0].permitted | has[1].permitted |
			     has[0].inheritable | has[1].inheritable) != 0;
}

void
rights_bound(void)
{
	for (int cap = 0; cap < CAPS_MAX; cap++)
		/* EINVAL past the last; EPERM in some containers. */
		(void)prctl(PR_CAPBSET_DROP, cap, 0, 0, 0);
}

/* The counter server keeps CAP_SETPCAP for this, and not in effect. */
static void
bound_again(void)
{
	struct __user_cap_data_struct has[2] = { { 0 } };

	if (!get(has))
		return;
	has[0].effective |= has[0].permitted & 1u << CAP_SETPCAP;
	if (set(has))
		rights_bound();
}

void
rights_settle(void)
{
	struct __user_cap_data_struct has[2] = { { 0 } };

	if (!get(has))
		return;
	has[0].effective &= ~(1u << CAP_SETPCAP);
	has[0].permitted &= ~(1u << CAP_SETPCAP);
	(void)set(has);
}

bool
rights_strip(struct err *e)
{
	struct __user_cap_data_struct none[2] = { { 0 } };
	const char *call = "no_new_privs";

	bound_again();
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0) {
		/* Refused by kernels before 4.3, which have no such set. */
		(void)prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
		call = "capset";
		if (set(none))
			return true;
	}
	return err_set(e, ERR_PERM, "root could not be given up (%s): %s", call,
		       strerror(errno));
}

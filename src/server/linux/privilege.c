/* Capabilities, and a filter of system calls. */
#include "server/privilege.h"

#include <errno.h>
#include <grp.h>
#include <linux/capability.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
	CAPS_MAX = 64,      /* that the calls can name */
	PERFMON = 38,       /* since Linux 5.8; headers may be older */
	PARANOID_DEBIAN = 3 /* from here on only CAP_SYS_ADMIN counts */
};

static bool
set_powers(uint64_t keep, bool in_effect)
{
	struct __user_cap_header_struct h = { _LINUX_CAPABILITY_VERSION_3, 0 };
	struct __user_cap_data_struct has[2] = { { 0 } }, want[2] = { { 0 } };

	if (syscall(SYS_capget, &h, has) != 0)
		return false;
	for (int i = 0; i < 2; i++) {
		uint32_t bits = (uint32_t)(keep >> 32 * i) & has[i].permitted;

		want[i].permitted = bits;
		want[i].effective = in_effect ? bits : 0;
	}
	return syscall(SYS_capset, &h, want) == 0;
}

/* perf_event_paranoid, or a middle value where it cannot be read. */
static int
paranoid(void)
{
	FILE *f = fopen("/proc/sys/kernel/perf_event_paranoid", "re");
	char text[16] = "";
	int level = 2;

	if (f == NULL)
		return level;
	if (fgets(text, sizeof text, f) != NULL && text[0] >= '0' &&
	    text[0] <= '9')
		level = text[0] - '0';
	(void)fclose(f);
	return level;
}

static bool
failed(struct err *e, const char *call)
{
	return err_set(e, ERR_PERM, "root could not be given up (%s): %s", call,
		       strerror(errno));
}

/* All but one of the bounding set; it shrinks only, and exec obeys it. */
static void
bound_to(int keep)
{
	for (int cap = 0; cap < CAPS_MAX; cap++)
		if (cap != keep)
			/* EINVAL past the last; EPERM in some containers. */
			(void)prctl(PR_CAPBSET_DROP, cap, 0, 0, 0);
}

bool
privilege_os_bound(struct err *e)
{
	(void)e;
	bound_to(-1);
	return true;
}

bool
privilege_os_strip(struct err *e)
{
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
		return failed(e, "no_new_privs");
	/* Refused by kernels before 4.3, which have no such set. */
	(void)prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
	return set_powers(0, false) || failed(e, "capset");
}

/*
 * The caller's ids as well: what opens files from here on opens them as that
 * person. A process with a capability more cannot be traced by one without.
 */
bool
privilege_os_confine(const struct privilege_caller *who, bool in_effect,
		     struct err *e)
{
	int cap = paranoid() >= PARANOID_DEBIAN ? CAP_SYS_ADMIN : PERFMON;
	struct rlimit none = { 0, 0 };

	(void)setrlimit(RLIMIT_CORE, &none);
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
		return failed(e, "no_new_privs");
	bound_to(cap);
	if (prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0) != 0)
		return failed(e, "keepcaps");
	if (setgroups(1, &who->gid) != 0 || setgid(who->gid) != 0 ||
	    setuid(who->uid) != 0)
		return failed(e, "setuid");
	(void)prctl(PR_SET_KEEPCAPS, 0, 0, 0, 0);
	(void)prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
	return set_powers((uint64_t)1 << cap, in_effect) || failed(e, "capset");
}

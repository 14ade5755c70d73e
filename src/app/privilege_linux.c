/* Capabilities, and a filter of system calls. */
#include "app/privilege.h"

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
	PERFMON = 38,       /* since Linux 5.8; headers may be older */
	PARANOID_DEBIAN = 3 /* from here on only CAP_SYS_ADMIN counts */
};

static bool
set_powers(uint64_t keep)
{
	struct __user_cap_header_struct h = { _LINUX_CAPABILITY_VERSION_3, 0 };
	struct __user_cap_data_struct has[2] = { { 0 } }, want[2] = { { 0 } };

	if (syscall(SYS_capget, &h, has) != 0)
		return false;
	for (int i = 0; i < 2; i++) {
		uint32_t bits = (uint32_t)(keep >> 32 * i) & has[i].permitted;

		want[i].permitted = want[i].effective = bits;
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

bool
privilege_os_strip(struct err *e)
{
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
		return failed(e, "no_new_privs");
	/* Refused by kernels before 4.3, which have no such set. */
	(void)prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
	return set_powers(0) || failed(e, "capset");
}

/*
 * The caller's ids as well: what opens files from here on opens them as that
 * person. A process with a capability more cannot be traced by one without.
 */
bool
privilege_os_confine(const struct privilege_caller *who, struct err *e)
{
	int cap = paranoid() >= PARANOID_DEBIAN ? CAP_SYS_ADMIN : PERFMON;
	struct rlimit none = { 0, 0 };

	(void)setrlimit(RLIMIT_CORE, &none);
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
		return failed(e, "no_new_privs");
	if (prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0) != 0)
		return failed(e, "keepcaps");
	if (setgroups(1, &who->gid) != 0 || setgid(who->gid) != 0 ||
	    setuid(who->uid) != 0)
		return failed(e, "setuid");
	(void)prctl(PR_SET_KEEPCAPS, 0, 0, 0, 0);
	(void)prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
	return set_powers((uint64_t)1 << cap) || failed(e, "capset");
}

#include "source/perf/state.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define PARANOID "/proc/sys/kernel/perf_event_paranoid"

/* From this level on CAP_PERFMON does not suffice (Debian, Ubuntu). */
enum { LEVEL_ADMIN_ONLY = 3 };

static uint64_t
status_read_number(const char *text, const char *key, int base,
		   uint64_t missing)
{
	const char *at = strstr(text, key);

	return at != NULL ? strtoull(at + strlen(key), NULL, base) : missing;
}

/* The initial user namespace maps all uids: "0 0 4294967295". */
static bool
in_user_namespace(const char *root)
{
	char text[256], *end;

	if (!sysfs_text(root, "/proc/self/uid_map", text, sizeof text))
		return false;
	strtoul(text, &end, 10);
	strtoul(end, &end, 10);
	return strtoul(end, NULL, 10) != UINT32_MAX;
}

void
permission_read(const char *root, struct count_permission *out)
{
	char text[4096];

	memset(out, 0, sizeof *out);
	(void)sysfs_text(root, "/proc/self/status", text, sizeof text);
	out->permitted = status_read_number(text, "CapPrm:", 16, 0);
	out->effective = status_read_number(text, "CapEff:", 16, 0);
	out->seccomp =
		(int)status_read_number(text, "Seccomp:", 10, UINT64_MAX);
	out->inner = in_user_namespace(root);
	out->has_level = sysfs_number(root, PARANOID, &out->level);
}

/* A permitted capability suffices: group_rights raises it for each open. */
static bool
has_capability(const struct count_permission *r, unsigned capability)
{
	return ((r->effective | r->permitted) >> capability & 1) != 0;
}

uint64_t
permission_capability(const struct count_permission *r)
{
	uint64_t perfmon = r->permitted & UINT64_C(1) << PERMISSION_PERFMON;
	uint64_t admin = r->permitted & UINT64_C(1) << PERMISSION_SYS_ADMIN;

	if (r->has_level && r->level >= LEVEL_ADMIN_ONLY && admin != 0)
		return admin;
	return perfmon != 0 ? perfmon : admin;
}

bool
permission_may_count(const struct count_permission *r)
{
	if (!r->has_level)
		return false;
	if (r->level <= 0)
		return true;
	if (r->inner)
		return false;
	return has_capability(r, PERMISSION_SYS_ADMIN) ||
	       (has_capability(r, PERMISSION_PERFMON) &&
		r->level < LEVEL_ADMIN_ONLY);
}

bool
errno_means_no_pmu(int error)
{
	return error == ENOENT || error == EOPNOTSUPP || error == ENODEV ||
	       error == ENXIO;
}

static bool
explain_eacces(const struct count_permission *r, struct err *e)
{
	bool admin = has_capability(r, PERMISSION_SYS_ADMIN);
	bool perfmon = has_capability(r, PERMISSION_PERFMON);

	if (!r->has_level)
		return err_set(
			e, ERR_PERM,
			"the kernel refuses to count (EACCES); run ktop as root");
	if (r->inner && (admin || perfmon))
		return err_set(
			e, ERR_PERM,
			"perf_event_paranoid is %" PRId64
			" and the capabilities of this container do not apply to the kernel's counters; run ktop on the host, or set sysctl kernel.perf_event_paranoid=0 there",
			r->level);
	if (admin || r->level <= 0)
		return err_set(
			e, ERR_PERM,
			"the kernel refuses to count (EACCES) though perf_event_paranoid is %" PRId64
			"%s: a security module denies it (SELinux: class perf_event); allow it in the module's policy",
			r->level, admin ? " and ktop has CAP_SYS_ADMIN" : "");
	if (r->level >= LEVEL_ADMIN_ONLY)
		return err_set(
			e, ERR_PERM,
			"perf_event_paranoid is %" PRId64
			", where %s; run ktop as root, or set sysctl kernel.perf_event_paranoid=2 and run setcap cap_perfmon+ep ktop",
			r->level,
			perfmon ? "CAP_PERFMON is not enough and CAP_SYS_ADMIN is needed"
				: "counting needs CAP_SYS_ADMIN");
	if (perfmon)
		return err_set(
			e, ERR_PERM,
			"the kernel refuses to count (EACCES) though ktop has CAP_PERFMON and perf_event_paranoid is %" PRId64
			": a security module denies it; allow it in the module's policy, or run ktop as root",
			r->level);
	return err_set(
		e, ERR_PERM,
		"perf_event_paranoid is %" PRId64
		": run ktop as root, or run setcap cap_perfmon+ep ktop, or set sysctl kernel.perf_event_paranoid=0",
		r->level);
}

static bool
explain_eperm(const struct count_permission *r, struct err *e)
{
	return err_set(
		e, ERR_PERM,
		"perf_event_open is blocked (EPERM)%s, probably by the container's seccomp profile; start the container with --cap-add PERFMON",
		r->has_level && r->level <= 0
			? " though perf_event_paranoid allows everybody to count"
			: (has_capability(r, PERMISSION_PERFMON) ||
					   has_capability(r,
							  PERMISSION_SYS_ADMIN)
				   ? " though ktop has the capability"
				   : ""));
}

bool
permission_explain(const char *root, int why, struct err *e)
{
	struct count_permission r;

	permission_read(root, &r);
	if (errno_means_no_pmu(why))
		return err_set(
			e, ERR_NO_PMU,
			"no hardware counters (a virtual machine without a PMU?): only busy time is shown");
	switch (why) {
	case EACCES:
		return explain_eacces(&r, e);
	case EPERM:
		return explain_eperm(&r, e);
	case ENOSYS:
		if (r.has_level)
			return err_set(
				e, ERR_PERM,
				"perf_event_open is blocked by a sandbox (ENOSYS); allow it in the sandbox (containers: --cap-add PERFMON)");
		return err_set(
			e, ERR_NO_PMU,
			"this kernel is built without perf events (CONFIG_PERF_EVENTS)");
	case EBUSY:
		return err_set(
			e, ERR_TAKEN,
			"the counters are in use by another program (EBUSY); quit it and start ktop again");
	case ENFILE:
	case ENOMEM:
		return err_set(
			e, ERR_NO_PMU,
			"the system has no %s left for counters; close other programs",
			why == ENFILE ? "file descriptors" : "memory");
	}
	return err_set(e, ERR_NO_PMU, "perf_event_open failed: %s",
		       strerror(why));
}

#include "source/denied_linux.h"

#include "source/sysfs_linux.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define PARANOID "/proc/sys/kernel/perf_event_paranoid"

enum {
	CAP_SYS_ADMIN = 21,
	CAP_PERFMON = 38,
	/* Debian's and Ubuntu's patch: from here on CAP_PERFMON is not asked.
	 */
	LEVEL_ADMIN_ONLY = 3
};

struct rights {
	bool has_level;
	int64_t level; /* of perf_event_paranoid */
	bool perfmon, admin;
	bool inner; /* root of a container's user namespace only */
};

static uint64_t
capabilities(const char *root)
{
	char text[4096];
	const char *at;

	if (!sysfs_text(root, "/proc/self/status", text, sizeof(text)) ||
	    (at = strstr(text, "CapEff:")) == NULL)
		return 0;
	return strtoull(at + strlen("CapEff:"), NULL, 16);
}

/* The first user namespace maps all there is: "0 0 4294967295". */
static bool
inner_namespace(const char *root)
{
	char text[256], *end;

	if (!sysfs_text(root, "/proc/self/uid_map", text, sizeof(text)))
		return false;
	strtoul(text, &end, 10);
	strtoul(end, &end, 10);
	return strtoul(end, NULL, 10) != UINT32_MAX;
}

static struct rights
find_rights(const char *root)
{
	uint64_t caps = capabilities(root);
	struct rights r = { .perfmon = (caps >> CAP_PERFMON & 1) != 0,
			    .admin = (caps >> CAP_SYS_ADMIN & 1) != 0,
			    .inner = inner_namespace(root) };

	r.has_level = sysfs_number(root, PARANOID, &r.level);
	return r;
}

static bool
access_denied(const struct rights *r, struct err *e)
{
	if (!r->has_level)
		return err_set(e, ERR_NO_PMU,
			       "the kernel refuses to count (EACCES); run "
			       "ktop as root");
	if (r->inner && (r->admin || r->perfmon))
		return err_set(e, ERR_NO_PMU,
			       "perf_event_paranoid is %" PRId64
			       " and the rights here are those of a container "
			       "only; run ktop outside of it, or on the host "
			       "sysctl kernel.perf_event_paranoid=0",
			       r->level);
	if (r->admin || r->level <= 0)
		return err_set(e, ERR_NO_PMU,
			       "the kernel refuses to count (EACCES) though "
			       "perf_event_paranoid is %" PRId64
			       "%s: a security module (SELinux: class "
			       "perf_event) does; allow it there",
			       r->level,
			       r->admin ? " and CAP_SYS_ADMIN is held" : "");
	if (r->level >= LEVEL_ADMIN_ONLY)
		return err_set(e, ERR_NO_PMU,
			       "perf_event_paranoid is %" PRId64
			       ", where %s; run ktop as root, or sysctl "
			       "kernel.perf_event_paranoid=2 and setcap "
			       "cap_perfmon+ep ktop",
			       r->level,
			       r->perfmon ? "CAP_PERFMON, which is held, is "
					    "not enough: it takes "
					    "CAP_SYS_ADMIN"
					  : "only CAP_SYS_ADMIN may count");
	if (r->perfmon)
		return err_set(e, ERR_NO_PMU,
			       "the kernel refuses to count (EACCES) though "
			       "CAP_PERFMON is held and perf_event_paranoid "
			       "is %" PRId64 ": a security module does; allow "
			       "it there, or run ktop as root",
			       r->level);
	return err_set(e, ERR_NO_PMU,
		       "perf_event_paranoid is %" PRId64
		       ": run ktop as root, or setcap cap_perfmon+ep ktop, or "
		       "sysctl kernel.perf_event_paranoid=0",
		       r->level);
}

static bool
not_permitted(const struct rights *r, struct err *e)
{
	return err_set(
		e, ERR_NO_PMU,
		"perf_event_open is blocked (EPERM)%s: by the container's "
		"seccomp profile; start it with --cap-add PERFMON",
		r->has_level && r->level <= 0
			? " though perf_event_paranoid lets everybody count"
			: (r->perfmon || r->admin ? " though the right is held"
						  : ""));
}

bool
denied_explain(const char *root, int why, struct err *e)
{
	struct rights r = find_rights(root);

	switch (why) {
	case EACCES:
		return access_denied(&r, e);
	case EPERM:
		return not_permitted(&r, e);
	case ENOSYS:
		if (r.has_level)
			return err_set(e, ERR_NO_PMU,
				       "perf_event_open is blocked by a "
				       "sandbox (ENOSYS); allow it there, as "
				       "with --cap-add PERFMON");
		return err_set(e, ERR_NO_PMU,
			       "this kernel is built without perf events "
			       "(CONFIG_PERF_EVENTS)");
	case ENOENT:
	case EOPNOTSUPP:
	case ENODEV:
	case ENXIO:
		return err_set(e, ERR_NO_PMU,
			       "No hardware counters (a virtual machine "
			       "without a PMU?): showing utilisation only");
	case EBUSY:
		return err_set(e, ERR_NO_PMU,
			       "the counters are in use by another tool "
			       "(EBUSY); quit it and start ktop again");
	case ENFILE:
	case ENOMEM:
		return err_set(e, ERR_NO_PMU,
			       "the system has no %s left for counters; close "
			       "other programs",
			       why == ENFILE ? "file descriptors" : "memory");
	}
	return err_set(e, ERR_NO_PMU, "perf_event_open failed: %s",
		       strerror(why));
}

/* Who may count here: levels, capabilities, walls, and the limit of files. */
#include "source/perf/examine.h"

#include <inttypes.h>
#include <string.h>

#include "base/report.h"
#include "source/perf/state.h"

enum { CAPABILITIES = 41, TEXT_SIZE = 1024 };

/* Names of capabilities(7), by number; a table in one text. */
static const char capability[] =
	"CHOWN DAC_OVERRIDE DAC_READ_SEARCH FOWNER FSETID KILL SETGID SETUID SETPCAP LINUX_IMMUTABLE NET_BIND_SERVICE NET_BROADCAST NET_ADMIN NET_RAW IPC_LOCK IPC_OWNER SYS_MODULE SYS_RAWIO SYS_CHROOT SYS_PTRACE SYS_PACCT SYS_ADMIN SYS_BOOT SYS_NICE SYS_RESOURCE SYS_TIME SYS_TTY_CONFIG MKNOD LEASE AUDIT_WRITE AUDIT_CONTROL SETFCAP MAC_OVERRIDE MAC_ADMIN SYSLOG WAKE_ALARM BLOCK_SUSPEND AUDIT_READ PERFMON BPF CHECKPOINT_RESTORE";

static void
append(struct buf *b, const char *word)
{
	buf_printf(b, "%s%s", b->len > 0 ? " " : "", word);
}

/* All of them, or those that are missing, or those that are held. */
static void
capability_line(const struct examine *x, const char *key, uint64_t set)
{
	char text[TEXT_SIZE];
	struct buf b = buf_over(text, sizeof text);
	const char *name = capability;
	unsigned held = 0;
	bool few;

	for (unsigned i = 0; i < CAPABILITIES; i++)
		held += (set >> i & 1) != 0;
	few = held <= CAPABILITIES / 2;
	if (held == 0 || !few)
		buf_str(&b, held == 0              ? "none"
			    : held == CAPABILITIES ? "all"
						   : "all but");
	for (unsigned i = 0; held > 0 && i < CAPABILITIES; i++) {
		size_t len = strcspn(name, " ");

		if (((set >> i & 1) != 0) == few)
			buf_printf(&b, "%s%.*s", b.len > 0 ? " " : "", (int)len,
				   name);
		name += len + 1;
	}
	report_line(x->out, key, "%s", buf_cstr(&b));
}

static const char *
held(const struct denied_rights *r, unsigned number)
{
	return r->effective >> number & 1   ? "yes"
	       : r->permitted >> number & 1 ? "permitted"
					    : "no";
}

static void
capabilities(const struct examine *x, const struct denied_rights *r)
{
	capability_line(x, "capabilities effective", r->effective);
	capability_line(x, "capabilities permitted", r->permitted);
	report_line(x->out, "capabilities that count",
		    "PERFMON %s, SYS_ADMIN %s", held(r, DENIED_CAP_PERFMON),
		    held(r, DENIED_CAP_SYS_ADMIN));
	report_line(
		x->out, "user namespace", "%s",
		r->inner
			? "a container's: capabilities do not reach the kernel's counters"
			: "the first");
}

static const char *
level_meaning(int64_t level)
{
	if (level <= 0)
		return "everybody may count on CPUs";
	if (level <= 2)
		return "counting on CPUs takes CAP_PERFMON or CAP_SYS_ADMIN";
	return "a distribution's level: counting takes CAP_SYS_ADMIN, CAP_PERFMON is not asked";
}

static const char *
seccomp_meaning(int mode)
{
	switch (mode) {
	case 0:
		return "off";
	case 1:
		return "strict";
	case 2:
		return "a filter; one that blocks perf_event_open answers EPERM or ENOSYS";
	}
	return "not said";
}

/* What a security module says of this process: no name of a person is in it. */
static void
modules(const struct examine *x)
{
	char lsm[256], own[128];

	if (!sysfs_text(x->o->root, "/sys/kernel/security/lsm", lsm,
			sizeof lsm))
		snprintf(lsm, sizeof lsm, "not said");
	if (!sysfs_text(x->o->root, "/proc/self/attr/current", own,
			sizeof own) ||
	    strpbrk(own, ":/") != NULL) /* SELinux: user:role:type:level */
		snprintf(own, sizeof own, "-");
	report_line(x->out, "security modules", "%s; this process: %s", lsm,
		    own);
}

static void
container(const struct examine *x)
{
	static const char *const words[] = { "docker", "kubepods", "libpod",
					     "lxc", "containerd" };
	char groups[2048], flags[4096], text[128];
	struct buf b = buf_over(text, sizeof text);

	if (sysfs_exists(x->o->root, "/.dockerenv"))
		append(&b, "/.dockerenv");
	if (sysfs_exists(x->o->root, "/run/.containerenv"))
		append(&b, "/run/.containerenv");
	if (sysfs_text(x->o->root, "/proc/self/cgroup", groups, sizeof groups))
		for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
			if (strstr(groups, words[i]) != NULL)
				append(&b, words[i]);
	report_line(x->out, "container signs", "%s",
		    b.len > 0 ? buf_cstr(&b) : "none");
	if (sysfs_text(x->o->root, "/proc/cpuinfo", flags, sizeof flags))
		report_line(x->out, "virtual machine", "%s",
			    strstr(flags, " hypervisor") != NULL
				    ? "yes (the hypervisor flag of the CPU)"
				    : "not said");
}

void
perf_examine_rights(struct examine *x)
{
	const struct perf_source *s = perf_examined(x);
	struct denied_rights r;

	denied_rights(x->o->root, &r);
	/* An open source has them only for a moment (group_rights). */
	if (s != NULL && s->had_rights)
		r.effective |= s->port.rights;
	if (r.has_level)
		report_line(x->out, "perf_event_paranoid", "%" PRId64 " (%s)",
			    r.level, level_meaning(r.level));
	else
		report_line(x->out, "perf_event_paranoid",
			    "- (no such file: a kernel without perf events)");
	if (!x->live) {
		report_line(x->out, "of this process",
			    "not said: --root is another machine");
		return;
	}
	capabilities(x, &r);
	report_line(x->out, "seccomp", "%s", seccomp_meaning(r.seccomp));
	modules(x);
	container(x);
	report_line(x->out, "may count",
		    "%s, by the level and the capabilities",
		    denied_may_count(&r) ? "yes" : "no");
}

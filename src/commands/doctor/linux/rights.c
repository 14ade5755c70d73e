/* Who may count here: levels, capabilities, walls, and the limit of files. */
#include "commands/doctor/linux/doctor.h"

#include <inttypes.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/plural.h"
#include "source/perf/sysfs.h"

enum { CAPABILITIES = 41, TEXT_SIZE = 1024 };

/* capabilities(7), by number. */
static const char *const capability[CAPABILITIES] = {
	"CHOWN",
	"DAC_OVERRIDE",
	"DAC_READ_SEARCH",
	"FOWNER",
	"FSETID",
	"KILL",
	"SETGID",
	"SETUID",
	"SETPCAP",
	"LINUX_IMMUTABLE",
	"NET_BIND_SERVICE",
	"NET_BROADCAST",
	"NET_ADMIN",
	"NET_RAW",
	"IPC_LOCK",
	"IPC_OWNER",
	"SYS_MODULE",
	"SYS_RAWIO",
	"SYS_CHROOT",
	"SYS_PTRACE",
	"SYS_PACCT",
	"SYS_ADMIN",
	"SYS_BOOT",
	"SYS_NICE",
	"SYS_RESOURCE",
	"SYS_TIME",
	"SYS_TTY_CONFIG",
	"MKNOD",
	"LEASE",
	"AUDIT_WRITE",
	"AUDIT_CONTROL",
	"SETFCAP",
	"MAC_OVERRIDE",
	"MAC_ADMIN",
	"SYSLOG",
	"WAKE_ALARM",
	"BLOCK_SUSPEND",
	"AUDIT_READ",
	"PERFMON",
	"BPF",
	"CHECKPOINT_RESTORE",
};

static void
append(char *text, size_t size, const char *word)
{
	size_t at = strlen(text);

	(void)snprintf(text + at, size - at, "%s%s", at > 0 ? " " : "", word);
}

/* All of them, or those that are missing, or those that are held. */
static void
name_capabilities(uint64_t set, char *text, size_t size)
{
	unsigned held = 0;

	for (unsigned i = 0; i < CAPABILITIES; i++)
		held += (set >> i & 1) != 0;
	text[0] = '\0';
	if (held == 0 || held == CAPABILITIES) {
		append(text, size, held == 0 ? "none" : "all");
		return;
	}
	if (held > CAPABILITIES / 2)
		append(text, size, "all but");
	for (unsigned i = 0; i < CAPABILITIES; i++)
		if (((set >> i & 1) != 0) == (held <= CAPABILITIES / 2))
			append(text, size, capability[i]);
}

static void
capabilities(const struct doctor_linux *d)
{
	const struct denied_rights *r = &d->rights;
	char text[TEXT_SIZE];

	name_capabilities(r->effective, text, sizeof(text));
	report_line(d->out, "capabilities effective", "%s", text);
	name_capabilities(r->permitted, text, sizeof(text));
	report_line(d->out, "capabilities permitted", "%s", text);
	report_line(d->out, "capabilities that count",
		    "PERFMON %s, SYS_ADMIN %s",
		    r->effective >> DENIED_CAP_PERFMON & 1   ? "yes"
		    : r->permitted >> DENIED_CAP_PERFMON & 1 ? "permitted"
							     : "no",
		    r->effective >> DENIED_CAP_SYS_ADMIN & 1   ? "yes"
		    : r->permitted >> DENIED_CAP_SYS_ADMIN & 1 ? "permitted"
							       : "no");
	report_line(d->out, "user namespace", "%s",
		    r->inner ? "a container's: capabilities do not reach the "
			       "kernel's counters"
			     : "the first");
}

static const char *
level_meaning(int64_t level)
{
	if (level <= 0)
		return "everybody may count on CPUs";
	if (level <= 2)
		return "counting on CPUs takes CAP_PERFMON or CAP_SYS_ADMIN";
	return "a distribution's level: counting takes CAP_SYS_ADMIN, "
	       "CAP_PERFMON is not asked";
}

static void
paranoid(const struct doctor_linux *d)
{
	if (d->rights.has_level)
		report_line(d->out, "perf_event_paranoid", "%" PRId64 " (%s)",
			    d->rights.level, level_meaning(d->rights.level));
	else
		report_line(d->out, "perf_event_paranoid",
			    "- (no such file: a kernel without perf events)");
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
		return "a filter; one that blocks perf_event_open answers "
		       "EPERM or ENOSYS";
	}
	return "not said";
}

/* What a security module says of this process: no name of a person is in it. */
static void
modules(const struct doctor_linux *d)
{
	char lsm[256], own[128];

	if (!sysfs_text(d->root, "/sys/kernel/security/lsm", lsm, sizeof(lsm)))
		(void)snprintf(lsm, sizeof(lsm), "not said");
	if (!sysfs_text(d->root, "/proc/self/attr/current", own, sizeof(own)) ||
	    strpbrk(own, ":/") != NULL) /* SELinux: user:role:type:level */
		(void)snprintf(own, sizeof(own), "-");
	report_line(d->out, "security modules", "%s; this process: %s", lsm,
		    own);
}

static bool
there(const struct doctor_linux *d, const char *path)
{
	int fd = sysfs_open(d->root, path);

	if (fd >= 0)
		(void)close(fd);
	return fd >= 0;
}

static void
container(const struct doctor_linux *d)
{
	static const char *const words[] = { "docker", "kubepods", "libpod",
					     "lxc", "containerd" };
	char groups[2048], flags[4096], text[128] = "";

	if (there(d, "/.dockerenv"))
		append(text, sizeof(text), "/.dockerenv");
	if (there(d, "/run/.containerenv"))
		append(text, sizeof(text), "/run/.containerenv");
	if (sysfs_text(d->root, "/proc/self/cgroup", groups, sizeof(groups)))
		for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
			if (strstr(groups, words[i]) != NULL)
				append(text, sizeof(text), words[i]);
	report_line(d->out, "container signs", "%s",
		    text[0] != '\0' ? text : "none");
	if (sysfs_text(d->root, "/proc/cpuinfo", flags, sizeof(flags)))
		report_line(d->out, "virtual machine", "%s",
			    strstr(flags, " hypervisor") != NULL
				    ? "yes (the hypervisor flag of the CPU)"
				    : "not said");
}

/* Descriptors that a CPU of that kind opens for the set. */
static unsigned
files_of(const struct perf_catalog *c, unsigned kind,
	 const struct eventset *set)
{
	unsigned n = c->kind[kind].counts ? FIXED_COUNT : 0;

	for (unsigned i = 0; i < set->len; i++) {
		const struct perf_event_code *code =
			perf_catalog_code(c, set->slot[i].event, kind);

		if (code->known && code->how != LINUX_CYCLES_TIMES &&
		    code->how != LINUX_NOTHING)
			n += 1u + code->summed;
	}
	return n;
}

/* Those of the largest preset on all CPUs. */
static uint64_t
files_needed(const struct doctor_linux *d, const char **preset)
{
	const struct perf_catalog *c = &d->s->catalog;
	const struct topology *t = d->s->topology;
	uint64_t most = 0;

	for (unsigned p = 0; p < user_preset_count(&d->o->user); p++) {
		struct eventset set;
		uint64_t n = 0;

		if (!user_derive(&d->o->user, (int)p, &c->catalog, DOMAIN_ALL,
				 &set, NULL))
			continue;
		for (unsigned i = 0; i < t->ncpus; i++)
			n += files_of(c, t->cpu[i].kind, &set);
		if (n > most) {
			most = n;
			*preset = user_preset(&d->o->user, (int)p)->name;
		}
	}
	return most;
}

static void
files(const struct doctor_linux *d)
{
	struct rlimit r = { 0, 0 };
	const char *preset = "-";
	uint64_t need, kept;

	if (d->s == NULL)
		return;
	need = files_needed(d, &preset);
	if (!d->live || getrlimit(RLIMIT_NOFILE, &r) != 0) {
		report_line(d->out, "open files",
			    "%" PRIu64 " needed by preset %s", need, preset);
		return;
	}
	kept = perf_files_kept(d->s);
	report_line(d->out, "open files",
		    "limit %llu, at most %llu; %" PRIu64
		    " needed by preset %s on %u %s, beside %" PRIu64 " %s: %s",
		    (unsigned long long)r.rlim_cur,
		    (unsigned long long)r.rlim_max, need, preset,
		    d->s->topology->ncpus,
		    plural(d->s->topology->ncpus, "CPU", "CPUs"), kept,
		    plural(kept, "other", "others"),
		    need + kept > r.rlim_max ? "too few; raise it with ulimit "
					       "-Hn"
		    : need + kept > r.rlim_cur ? "ktop raises the limit"
					       : "enough");
}

void
doctor_rights(struct doctor_linux *d)
{
	report_section(d->out, "rights");
	paranoid(d);
	if (!d->live) {
		report_line(d->out, "of this process",
			    "not said: --root is another machine");
		files(d);
		return;
	}
	capabilities(d);
	report_line(d->out, "seccomp", "%s",
		    seccomp_meaning(d->rights.seccomp));
	modules(d);
	container(d);
	files(d);
	report_line(d->out, "may count", "%s",
		    denied_may_count(&d->rights)
			    ? "yes, by the level and the capabilities"
			    : "no, by the level and the capabilities");
}

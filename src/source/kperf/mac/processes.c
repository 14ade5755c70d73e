#include "source/kperf/mac/processes.h"

#include <errno.h>
#include <libproc.h>
#include <limits.h>
#include <mach/mach_time.h>
#include <pwd.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/proc_info.h>
#include <sys/resource.h>
#include <sys/sysctl.h>

/* bsd/sys/proc_info_private.h; THREAD_COUNTS exists since macOS 13 */
enum { LIST_THREAD_IDS = 28, THREAD_COUNTS = 34 };

/* RUSAGE_INFO_V4 and _V6; older SDKs do not define both. */
enum { USAGE_OLDEST = 4, USAGE_NEWEST = 6 };

enum { LEVELS_MAX = 8, USER_TEXT = 4096 };

/* struct rusage_info_v6 (bsd/sys/resource.h), which older SDKs lack. It starts
 * with V4 and V5; its size has never changed. */
struct usage_v6 {
	uint8_t uuid[16];
	uint64_t user_time, system_time, pkg_idle_wkups, interrupt_wkups;
	uint64_t pageins, wired_size, resident_size, phys_footprint;
	uint64_t start_abstime, exit_abstime;
	uint64_t child[6], diskio[2], cpu_time_qos[7];
	uint64_t billed_system_time, serviced_system_time, logical_writes;
	uint64_t lifetime_max_phys_footprint;
	uint64_t instructions, cycles;
	uint64_t billed_energy, serviced_energy, interval_max_phys_footprint;
	uint64_t runnable_time;
	uint64_t flags; /* V5 adds this field */
	uint64_t user_ptime, system_ptime, pinstructions, pcycles;
	uint64_t energy_nj, penergy_nj;
	uint64_t secure[2], neural[3], reserved[9];
};

#define AT(field, offset)                                            \
	_Static_assert(offsetof(struct usage_v6, field) == (offset), \
		       "rusage_info_v6." #field)
_Static_assert(sizeof(struct usage_v6) == 464, "rusage_info_v6");
AT(user_time, 16);
AT(system_time, 24);
AT(start_abstime, 80);
AT(exit_abstime, 88);
AT(child, 96);
AT(diskio, 144);
AT(cpu_time_qos, 160);
AT(instructions, 248);
AT(cycles, 256);
AT(runnable_time, 288);
AT(flags, 296);
AT(user_ptime, 304);
AT(system_ptime, 312);
AT(pinstructions, 320);
AT(pcycles, 328);
AT(energy_nj, 336);
AT(penergy_nj, 344);
AT(reserved, 392);
_Static_assert(sizeof(struct rusage_info_v4) == 296 &&
		       offsetof(struct rusage_info_v4, ri_cycles) == 256 &&
		       offsetof(struct rusage_info_v4, ri_proc_start_abstime) ==
			       80,
	       "rusage_info_v4");
_Static_assert(sizeof(struct proc_bsdshortinfo) == 64 &&
		       offsetof(struct proc_bsdshortinfo, pbsi_ppid) == 4 &&
		       offsetof(struct proc_bsdshortinfo, pbsi_status) == 12 &&
		       offsetof(struct proc_bsdshortinfo, pbsi_comm) == 16 &&
		       offsetof(struct proc_bsdshortinfo, pbsi_uid) == 36,
	       "proc_bsdshortinfo");
_Static_assert(sizeof(struct proc_threadinfo) == 112 &&
		       offsetof(struct proc_threadinfo, pth_run_state) == 24 &&
		       offsetof(struct proc_threadinfo, pth_name) == 48,
	       "proc_threadinfo");

struct thread_counts {
	uint16_t len, reserved0;
	uint32_t reserved1;
	struct {
		uint64_t instructions, cycles, user_time, system_time;
		uint64_t energy_nj;
	} level[LEVELS_MAX];
};
_Static_assert(offsetof(struct thread_counts, level) == 8 &&
		       sizeof(struct thread_counts) == 8 + LEVELS_MAX * 40,
	       "proc_threadcounts");

int
mac_proc_list(int32_t *pid, int max)
{
	int n;

	if (max > INT_MAX / (int)sizeof *pid)
		max = INT_MAX / (int)sizeof *pid;
	/* The list is never empty: 0 means that the call failed. */
	n = proc_listallpids(pid, max * (int)sizeof *pid);
	return n > 0 ? n : -1;
}

int
mac_proc_usage(int32_t pid, struct host_usage *out)
{
	struct usage_v6 u;
	int flavor = USAGE_NEWEST;

	memset(&u, 0, sizeof u);
	/* An unknown flavor fails quickly with EINVAL. */
	while (proc_pid_rusage(pid, flavor, (rusage_info_t *)(void *)&u) != 0) {
		if (errno != EINVAL || flavor == USAGE_OLDEST)
			return -1;
		flavor--;
	}
	*out = (struct host_usage){
		.flavor = (unsigned)flavor,
		.user_time = u.user_time,
		.system_time = u.system_time,
		.start_abstime = u.start_abstime,
		.exit_abstime = u.exit_abstime,
		.instructions = u.instructions,
		.cycles = u.cycles,
		.user_ptime = u.user_ptime,
		.system_ptime = u.system_ptime,
		.pinstructions = u.pinstructions,
		.pcycles = u.pcycles,
		.energy_nj = u.energy_nj,
		.penergy_nj = u.penergy_nj,
	};
	memcpy(out->uuid, u.uuid, sizeof out->uuid);
	return 0;
}

/* proc_pidinfo returns 0 on failure and may leave an old errno. */
static bool
pid_info(int32_t pid, int flavor, uint64_t arg, void *out, size_t size)
{
	int n;

	errno = 0;
	n = proc_pidinfo(pid, flavor, arg, out, (int)size);
	if (n > 0 && (size_t)n == size)
		return true;
	if (errno == 0)
		errno = ESRCH;
	return false;
}

int
mac_proc_short(int32_t pid, struct host_proc *out)
{
	enum { ZOMBIES_TOO = 1 };
	struct proc_bsdshortinfo info;

	if (!pid_info(pid, PROC_PIDT_SHORTBSDINFO, ZOMBIES_TOO, &info,
		      sizeof info))
		return -1;
	*out = (struct host_proc){ .pid = (int32_t)info.pbsi_pid,
				   .ppid = (int32_t)info.pbsi_ppid,
				   .uid = info.pbsi_uid,
				   .status = info.pbsi_status };
	memcpy(out->name, info.pbsi_comm, sizeof info.pbsi_comm);
	return 0;
}

int
mac_proc_path(int32_t pid, char *out, int size)
{
	return proc_pidpath(pid, out, (uint32_t)size);
}

static int
copy_args(const char *area, size_t len, char *out, int size)
{
	size_t at = sizeof(int), from;
	int count;

	if (len < at)
		return 0;
	memcpy(&count, area, sizeof count);
	at += strnlen(area + at, len - at);
	while (at < len && area[at] == '\0')
		at++;
	for (from = at; count > 0 && at < len; count--)
		at += strnlen(area + at, len - at) + 1;
	if (at > len)
		at = len;
	if (at - from < (size_t)size)
		size = (int)(at - from);
	memcpy(out, area + from, (size_t)size);
	return size;
}

/* A smaller buffer would receive the end of the area, not its start
 * (sysctl_procargsx, kern_sysctl.c). */
int
mac_proc_args(int32_t pid, char *out, int size)
{
	int name[] = { CTL_KERN, KERN_PROCARGS2, pid }, n = -1;
	size_t len = sizeof(int) + ARG_MAX;
	char *area = malloc(len);

	if (area == NULL)
		return -1;
	if (sysctl(name, 3, area, &len, NULL, 0) == 0)
		n = copy_args(area, len, out, size);
	free(area);
	return n;
}

int
mac_thread_list(int32_t pid, uint64_t *id, int max)
{
	int n;

	errno = 0;
	n = proc_pidinfo(pid, LIST_THREAD_IDS, 0, id, max * (int)sizeof *id);
	return n > 0 ? n / (int)sizeof *id : -1;
}

static bool
read_thread_counts(int32_t pid, uint64_t id, struct host_thread *out)
{
	struct thread_counts c;
	int n, levels;

	memset(&c, 0, sizeof c);
	errno = 0;
	n = proc_pidinfo(pid, THREAD_COUNTS, id, &c, sizeof c);
	if (n < (int)offsetof(struct thread_counts, level[1]))
		return false;
	levels = (n - (int)offsetof(struct thread_counts, level)) /
		 (int)sizeof c.level[0];
	if (levels > c.len)
		levels = c.len;
	if (levels < 1 || levels > 2 || levels != c.len)
		return false;
	out->levels = (unsigned)levels;
	for (int i = 0; i < levels; i++) {
		out->level[i].instructions = c.level[i].instructions;
		out->level[i].cycles = c.level[i].cycles;
		out->level[i].user_time = c.level[i].user_time;
		out->level[i].system_time = c.level[i].system_time;
		out->level[i].energy_nj = c.level[i].energy_nj;
	}
	return true;
}

int
mac_thread_counts(int32_t pid, uint64_t id, struct host_thread *out)
{
	struct proc_threadinfo info;

	memset(out, 0, sizeof *out);
	out->id = id;
	if (!read_thread_counts(pid, id, out)) {
		if (errno == 0)
			errno = ESRCH;
		return -1;
	}
	if (!pid_info(pid, PROC_PIDTHREADID64INFO, id, &info, sizeof info))
		return 0; /* the thread has just ended: counts without a name */
	out->running = info.pth_run_state == TH_STATE_RUNNING;
	memcpy(out->name, info.pth_name, sizeof out->name - 1);
	return 0;
}

void
mac_timebase(uint32_t *numer, uint32_t *denom)
{
	mach_timebase_info_data_t base = { 1, 1 };

	(void)mach_timebase_info(&base);
	*numer = base.numer;
	*denom = base.denom;
}

bool
mac_user_name(uint32_t uid, char *out, int size)
{
	char text[USER_TEXT];
	struct passwd pw, *found = NULL;
	size_t len;

	if (size <= 0 || getpwuid_r(uid, &pw, text, sizeof text, &found) != 0 ||
	    found == NULL || found->pw_name == NULL)
		return false;
	len = strlen(found->pw_name);
	if (len >= (size_t)size)
		len = (size_t)size - 1;
	memcpy(out, found->pw_name, len);
	out[len] = '\0';
	return true;
}

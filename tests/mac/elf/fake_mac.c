/*
 * libSystem and Mach of the fake Mac. The functions carry Apple's names and
 * have no header of ours.
 *
 * Compiled with Linux's headers, so Darwin's types are spelled out: ports and
 * kern_return_t are 32 bits, CFTypeID and vm_size_t 64, Boolean is a byte.
 */
#include "fake_inside.h"

#include <stdlib.h>
#include <string.h>

#define KERN_FAILURE 5
#define DARWIN_ENOENT 2
#define DARWIN_ESRCH 3
#define DARWIN_EIO 5
#define DARWIN_EINVAL 22
#define DARWIN_ENOMEM 12
#define HOST_PORT 7u
#define CPU_STATES 4

static struct {
	const struct fake_mac *mac;
	unsigned fail[FAKE_CALLS], fail_any, calls;
	int live, misuse, error;
	int *load;
	size_t load_size;
	uint64_t clock[3];
} fake;

void
fake_use(const struct fake_mac *mac)
{
	free(fake.load);
	memset(&fake, 0, sizeof fake);
	fake.mac = mac;
	fake_objects_forget();
}

void
fake_fail(enum fake_call call, unsigned nth)
{
	fake.fail[call] = nth;
}

void
fake_fail_any(unsigned nth)
{
	fake.fail_any = nth;
}

unsigned
fake_calls(void)
{
	return fake.calls;
}

int
fake_live(void)
{
	return fake.live;
}

int
fake_misuse(void)
{
	return fake.misuse;
}

int
fake_errno(void)
{
	return fake.error;
}

void
fake_clock(uint64_t awake_ns, uint64_t elapsed_ns, uint64_t wall_ns)
{
	fake.clock[0] = awake_ns;
	fake.clock[1] = elapsed_ns;
	fake.clock[2] = wall_ns;
}

uint32_t
fake_load(unsigned cpu, unsigned state)
{
	/* the last row is past INT_MAX: the ticks are unsigned in Darwin */
	return cpu + 1 == fake.mac->load_rows && state == 2
		       ? 4000000000u
		       : 1000 * (cpu + 1) + state;
}

const struct fake_mac *
fake_now(void)
{
	return fake.mac;
}

void
fake_hold(int objects)
{
	fake.live += objects;
}

void
fake_mistake(void)
{
	fake.misuse++;
}

bool
fake_fails(enum fake_call call)
{
	fake.calls++;
	bool any = fake.fail_any != 0 && --fake.fail_any == 0;
	bool one = fake.fail[call] != 0 && --fake.fail[call] == 0;

	return any || one;
}

/* libSystem */

int *
__error(void)
{
	return &fake.error;
}

static int
fail_with(int error)
{
	fake.error = error;
	return -1;
}

static const struct fake_sysctl *
sysctl_find(const char *name)
{
	const struct fake_sysctl *s = fake.mac->sysctl;

	while (s != NULL && s->name != NULL && strcmp(s->name, name) != 0)
		s++;
	return s != NULL && s->name != NULL ? s : NULL;
}

/* As xnu's: a buffer that is too small is filled and ENOMEM the answer. */
int
sysctlbyname(const char *name, void *old, size_t *old_size, void *fresh,
	     size_t fresh_size)
{
	const struct fake_sysctl *s = sysctl_find(name);

	(void)fresh;
	(void)fresh_size;
	if (fake_fails(FAKE_SYSCTL))
		return fail_with(DARWIN_EIO);
	if (s == NULL)
		return fail_with(DARWIN_ENOENT);
	if (old_size == NULL)
		return 0;
	const void *value =
		s->text != NULL ? (const void *)s->text : &s->number;
	size_t size = s->text != NULL ? strlen(s->text) + 1 : s->size;
	size_t room = *old_size;

	*old_size = size;
	if (old == NULL)
		return 0;
	memcpy(old, value, size < room ? size : room);
	*old_size = size < room ? size : room;
	return size <= room ? 0 : fail_with(DARWIN_ENOMEM);
}

/* Remembers what was asked for: the numbers in order, then how many. */
static int
echo_numbers(const int *name, unsigned len, void *old, size_t *old_size,
	     const void *fresh, size_t fresh_size)
{
	if (old == NULL || old_size == NULL || fresh != NULL ||
	    fresh_size != 0 || *old_size < (len + 1) * sizeof(*name))
		return fail_with(DARWIN_EINVAL);
	memcpy(old, name, len * sizeof(*name));
	memcpy((int *)old + len, &len, sizeof(len));
	*old_size = len;
	return 0;
}

bool
kdebug_is_enabled(uint32_t debugid)
{
	return debugid >> 24 == 7;
}

/* Darwin's <time.h>: REALTIME 0, MONOTONIC_RAW 4, MONOTONIC 6, UPTIME_RAW 8 */
uint64_t
clock_gettime_nsec_np(int id)
{
	switch (id) {
	case 8:
		return fake.clock[0];
	case 4:
	case 6:
		return fake.clock[1];
	case 0:
		return fake.clock[2];
	}
	fake.misuse++;
	return 0;
}

int
issetugid(void)
{
	return fake.mac->setugid;
}

const char *
getprogname(void)
{
	return fake.mac->program;
}

/* libproc: what it says of a process, in bytes at places of xnu's structs */

#define DARWIN_EPERM 1

int
proc_listallpids(void *buffer, int size)
{
	static const int kernel;
	const struct fake_process *p = fake.mac->process;
	int n = 0;

	if (fake_fails(FAKE_LIST))
		return fail_with(DARWIN_EPERM) + 1;
	if (p != NULL && size >= (int)sizeof p->pid) {
		memcpy(buffer, &p->pid, sizeof p->pid);
		n++;
	}
	if (size >= (n + 1) * (int)sizeof kernel) {
		memcpy((char *)buffer + n * (int)sizeof kernel, &kernel,
		       sizeof kernel);
		n++;
	}
	return n;
}

/*
 * struct proc_bsdinfo, PROC_PIDTBSDINFO (3), is 136 bytes: the status at 4, the
 * pid at 12, the start's seconds at 120 and microseconds at 128.
 */
static size_t
bsd_info(const struct fake_process *p, unsigned char *info)
{
	memcpy(info + 4, &p->status, sizeof p->status);
	memcpy(info + 12, &p->pid, sizeof p->pid);
	memcpy(info + 120, &p->start_s, sizeof p->start_s);
	memcpy(info + 128, &p->start_us, sizeof p->start_us);
	return 136;
}

/* 64 bytes; the name is cut at 16, and may have no NUL then. */
static size_t
short_info(const struct fake_process *p, unsigned char *info)
{
	size_t len = strlen(p->name);

	memcpy(info, &p->pid, sizeof p->pid);
	memcpy(info + 4, &p->parent, sizeof p->parent);
	memcpy(info + 12, &p->status, sizeof p->status);
	memcpy(info + 16, p->name, len < 16 ? len : 16);
	memcpy(info + 36, &p->uid, sizeof p->uid);
	return 64;
}

/* Two threads, 11 and 12; 112 bytes; the first runs, and has a name. */
static size_t
thread_info(uint64_t id, unsigned char *info)
{
	int state = id == 11 ? 1 : 3;

	memcpy(info + 24, &state, sizeof state);
	if (id == 11)
		memcpy(info + 48, "worker", 6);
	return 112;
}

/* len in the first two bytes, then from 8 on five words for each level. */
static size_t
thread_counts(const struct fake_process *p, uint64_t id, unsigned char *info)
{
	uint16_t len = (uint16_t)p->levels;

	memcpy(info, &len, sizeof len);
	for (int i = 0; i < p->levels * 5; i++) {
		uint64_t value = id * 100 + (unsigned)i;

		memcpy(info + 8 + 8 * i, &value, sizeof value);
	}
	return 8 + (size_t)p->levels * 40;
}

/*
 * As xnu's it returns how many bytes it filled, 0 with errno for a process or
 * thread that is not; a short buffer is refused, but cut for the lists.
 */
int
proc_pidinfo(int pid, int flavor, uint64_t arg, void *buffer, int size)
{
	const struct fake_process *p = fake.mac->process;
	static const uint64_t ids[] = { 11, 12 };
	unsigned char info[400] = { 0 };
	size_t n = 0;

	if (p == NULL || p->pid != pid)
		return fail_with(DARWIN_ESRCH) + 1;
	if ((flavor == 15 || flavor == 34) && arg != 11 && arg != 12)
		return fail_with(DARWIN_ESRCH) + 1;
	if (flavor == 3 && arg == 0)
		n = bsd_info(p, info);
	else if (flavor == 13 && (arg == 1 || p->status != 5))
		n = short_info(p, info);
	else if (flavor == 15)
		n = thread_info(arg, info);
	else if (flavor == 28 && arg == 0)
		memcpy(info, ids, n = sizeof ids);
	else if (flavor == 34 && p->levels > 0)
		n = thread_counts(p, arg, info);
	else if (flavor == 34)
		return fail_with(DARWIN_EINVAL) + 1;
	else
		fake.misuse++;
	if (size < (int)n && flavor < 28) {
		fake.misuse++;
		return fail_with(DARWIN_ENOMEM) + 1;
	}
	if ((int)n > size)
		n = (size_t)size;
	memcpy(buffer, info, n);
	return (int)n;
}

/* A buffer that is too small gets the end: sysctl_procargsx. */
static int
program_area(const int *name, void *old, size_t *old_size, const void *fresh,
	     size_t fresh_size)
{
	const struct fake_process *p = fake.mac->process;

	if (fresh != NULL || fresh_size != 0 ||
	    *old_size > 1024 * 1024 + sizeof(int))
		fake.misuse++;
	if (p == NULL || p->pid != name[2] || p->area_size == 0)
		return fail_with(DARWIN_EINVAL);
	if (*old_size < p->area_size)
		fake.misuse++;
	memcpy(old, p->area, p->area_size);
	*old_size = p->area_size;
	return 0;
}

/* KERN_PROCARGS2 of a process, and by all other numbers nothing but these. */
int
sysctl(int *name, unsigned len, void *old, size_t *old_size, void *fresh,
       size_t fresh_size)
{
	if (len == 3 && name[0] == 1 && name[1] == 49)
		return program_area(name, old, old_size, fresh, fresh_size);
	return echo_numbers(name, len, old, old_size, fresh, fresh_size);
}

int
proc_pidpath(int pid, void *buffer, uint32_t size)
{
	const struct fake_process *p = fake.mac->process;

	if (p == NULL || p->pid != pid || p->path == NULL)
		return fail_with(DARWIN_ESRCH) + 1;
	if (size < 1024)
		return fail_with(DARWIN_ENOMEM) + 1;
	memcpy(buffer, p->path, strlen(p->path) + 1);
	return (int)strlen(p->path);
}

/*
 * struct rusage_info_v0 and later begin with 16 bytes of UUID, then 64-bit
 * user time, system time, idle and interrupt wake-ups, page-ins, wired,
 * resident and footprint bytes. Sizes: <sys/resource.h>.
 */
int
proc_pid_rusage(int pid, int flavor, void *buffer)
{
	static const size_t size[] = { 96, 144, 160, 232, 296, 304, 464 };
	uint64_t value[10] = { 0, 0, 1000000, 2000000, 3,
			       4, 5, 6,       7 << 20, 8 << 20 };
	const struct fake_process *p = fake.mac->process;

	if (fake_fails(FAKE_RUSAGE))
		return fail_with(DARWIN_ESRCH);
	if (p == NULL || p->used == NULL) {
		memcpy(buffer, value, sizeof value);
		return 0;
	}
	if (flavor > p->flavor)
		return fail_with(DARWIN_EINVAL);
	if (pid != p->pid)
		return fail_with(DARWIN_EPERM);
	memset(buffer, 7, 16);
	memcpy((char *)buffer + 16, p->used, size[flavor] - 16);
	return 0;
}

/* Darwin's <pwd.h>: the name is the first member. */
int
getpwuid_r(uint32_t uid, void *entry, char *text, size_t size, void **found)
{
	static const char name[] = "a_user_with_a_name_of_more_than_31_bytes";

	*found = NULL;
	if (uid != 501 || size < sizeof name)
		return 0;
	memcpy(text, name, sizeof name);
	memcpy(entry, &text, sizeof text);
	*found = entry;
	return 0;
}

/* Mach */

/* Apple silicon's. */
int
mach_timebase_info(uint32_t base[2])
{
	base[0] = 125;
	base[1] = 3;
	return 0;
}

uint32_t mach_task_self_ = 1;

uint32_t
mach_host_self(void)
{
	return HOST_PORT;
}

/* Gives a send right back, as polite callers of mach_host_self do. */
int
mach_port_deallocate(uint32_t task, uint32_t port)
{
	if (task != mach_task_self_ || port != HOST_PORT)
		fake.misuse++;
	return 0;
}

int
host_processor_info(uint32_t host, int flavor, uint32_t *rows, int **info,
		    uint32_t *count)
{
	unsigned n = fake.mac->load_rows;

	if (fake_fails(FAKE_PROCESSOR_INFO))
		return KERN_FAILURE;
	if (host != HOST_PORT || flavor != 2 || fake.load != NULL)
		fake.misuse++; /* PROCESSOR_CPU_LOAD_INFO is 2 */
	*rows = n;
	*count = n * CPU_STATES;
	fake.load_size = *count * sizeof *fake.load;
	*info = fake.load = malloc(fake.load_size);
	if (fake.load == NULL)
		abort();
	for (unsigned i = 0; i < *count; i++) {
		uint32_t ticks = fake_load(i / CPU_STATES, i % CPU_STATES);

		memcpy(&fake.load[i], &ticks, sizeof ticks);
	}
	fake.live++;
	return 0;
}

int
vm_deallocate(uint32_t task, uintptr_t address, uintptr_t size)
{
	if (task != mach_task_self_ || fake.load == NULL ||
	    address != (uintptr_t)fake.load || size != fake.load_size) {
		fake.misuse++;
		return KERN_FAILURE;
	}
	free(fake.load);
	fake.load = NULL;
	fake.live--;
	return 0;
}

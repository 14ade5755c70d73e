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

/*
 * struct proc_bsdinfo, PROC_PIDTBSDINFO (3), is 136 bytes: the status at 4, the
 * pid at 12, the start's seconds at 120 and microseconds at 128. As xnu's, it
 * returns how many bytes it filled, 0 with errno for a process that is not.
 */
int
proc_pidinfo(int pid, int flavor, uint64_t arg, void *buffer, int size)
{
	const struct fake_process *p = fake.mac->process;
	unsigned char info[136] = { 0 };

	if (flavor != 3 || arg != 0 || size < (int)sizeof info) {
		fake.misuse++;
		return fail_with(DARWIN_ENOMEM) + 1;
	}
	if (p == NULL || p->pid != pid)
		return fail_with(DARWIN_ESRCH) + 1;
	memcpy(info + 4, &p->status, sizeof p->status);
	memcpy(info + 12, &p->pid, sizeof p->pid);
	memcpy(info + 120, &p->start_s, sizeof p->start_s);
	memcpy(info + 128, &p->start_us, sizeof p->start_us);
	memcpy(buffer, info, sizeof info);
	return (int)sizeof info;
}

/*
 * struct rusage_info_v0 and later begin with 16 bytes of UUID, then 64-bit
 * user time, system time, idle and interrupt wake-ups, page-ins, wired,
 * resident and footprint bytes.
 */
int
proc_pid_rusage(int pid, int flavor, void *buffer)
{
	uint64_t value[10] = { 0, 0, 1000000, 2000000, 3,
			       4, 5, 6,       7 << 20, 8 << 20 };

	(void)pid;
	(void)flavor;
	if (fake_fails(FAKE_RUSAGE))
		return fail_with(DARWIN_ESRCH);
	memcpy(buffer, value, sizeof value);
	return 0;
}

/* Mach */

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

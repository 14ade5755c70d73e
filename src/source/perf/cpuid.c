#include "source/perf/cores.h"

#if defined(__x86_64__) || defined(__i386__)

#include <cpuid.h>
#include <limits.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Extended topology: its first level is the core. */
#define LEAF 0x80000026u

enum { MASK_CPUS = 8192, WORD_BITS = (int)(sizeof(unsigned long) * CHAR_BIT) };

/* The calling thread's CPUs, as sched_setaffinity(2) takes it. */
struct mask {
	unsigned long word[MASK_CPUS / WORD_BITS];
};

static int
ask(void)
{
	unsigned a, b, c, d;

	if ((unsigned)__get_cpuid_max(0x80000000u, NULL) < LEAF)
		return CORE_TYPE_ALIKE;
	__cpuid_count(LEAF, 0, a, b, c, d);
	/* Bit 30 of EAX: the cores of this machine differ. */
	if ((a >> 30 & 1) == 0 || (b >> 28) > 2)
		return CORE_TYPE_ALIKE;
	return (int)(b >> 28) + CORE_TYPE_CLASSIC;
}

int
cpuid_core_type(int id)
{
	struct mask before, there;
	int type = CORE_TYPE_ALIKE;
	long size;

	memset(&before, 0, sizeof before);
	memset(&there, 0, sizeof there);
	size = syscall(SYS_sched_getaffinity, 0, sizeof before, &before);
	if (id < 0 || id >= (int)MASK_CPUS || size <= 0)
		return CORE_TYPE_ALIKE;
	there.word[id / WORD_BITS] = 1ul << (id % WORD_BITS);
	/* Outside of our cpuset it cannot be asked. */
	if (syscall(SYS_sched_setaffinity, 0, sizeof there, &there) == 0)
		type = ask();
	(void)syscall(SYS_sched_setaffinity, 0, (size_t)size, &before);
	return type;
}

#else

int
cpuid_core_type(int id)
{
	(void)id;
	return CORE_TYPE_ALIKE;
}

#endif

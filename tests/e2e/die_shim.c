/*
 * For LD_PRELOAD: faults of a program's own at a chosen moment.
 *	DIE_MEMORY=N          from the Nth call on, there is no memory
 *	DIE_HOW=HOW DIE_AT=N  at the Nth send(2) or write(2) of the process that
 *	DIE_WHO=first|screen  was there first, or of the one it forked:
 *		abort segv fpe bus stack trap exit
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t),
	*__libc_realloc(void *, size_t);

static unsigned long memory_at = ~0ul, memory, die_at, calls;
static const char *how, *who;
static pid_t first;

__attribute__((constructor)) static void
begin(void)
{
	const char *n = getenv("DIE_MEMORY"), *at = getenv("DIE_AT");

	first = getpid();
	how = getenv("DIE_HOW");
	who = getenv("DIE_WHO");
	die_at = at != NULL ? strtoul(at, NULL, 10) : 0;
	memory_at = n != NULL ? strtoul(n, NULL, 10) : ~0ul;
	memory = 0;
}

static bool
is_short(void)
{
	return __atomic_add_fetch(&memory, 1, 5) >= memory_at;
}

void *
malloc(size_t n)
{
	return is_short() ? NULL : __libc_malloc(n);
}

void *
calloc(size_t n, size_t m)
{
	return is_short() ? NULL : __libc_calloc(n, m);
}

void *
realloc(void *p, size_t n)
{
	return is_short() ? NULL : __libc_realloc(p, n);
}

static int
deeper(volatile char *above)
{
	volatile char room[4096];

	room[0] = above[0];
	return deeper(room) + room[0];
}

static void
bus_error(void)
{
	char name[] = "/tmp/ktop-die-XXXXXX";
	int fd = mkstemp(name);
	volatile char *at = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);

	(void)unlink(name);
	(void)*at;
}

static void
die(void)
{
	static volatile int zero;
	static char *volatile nowhere;
	char here = 0;

	if (strcmp(how, "abort") == 0)
		abort();
	if (strcmp(how, "segv") == 0)
		*nowhere = 1;
	if (strcmp(how, "fpe") == 0)
		zero = 7 / zero;
	if (strcmp(how, "bus") == 0)
		bus_error();
	if (strcmp(how, "stack") == 0)
		(void)deeper(&here);
	if (strcmp(how, "trap") == 0)
		__builtin_trap();
	_exit(3);
}

static void
count(void)
{
	bool mine = who != NULL &&
		    (getpid() == first) == (strcmp(who, "first") == 0);

	if (how != NULL && mine && ++calls == die_at)
		die();
}

ssize_t
send(int fd, const void *at, size_t n, int flags)
{
	ssize_t (*real)(int, const void *, size_t, int);

	*(void **)&real = dlsym(RTLD_NEXT, "send");
	count();
	return real(fd, at, n, flags);
}

ssize_t
write(int fd, const void *at, size_t n)
{
	ssize_t (*real)(int, const void *, size_t);

	*(void **)&real = dlsym(RTLD_NEXT, "write");
	count();
	return real(fd, at, n);
}

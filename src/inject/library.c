/*
 * libktop-inject: loaded into a command by ktop stat --inject. Each thread
 * reads its own counters where it begins and where it ends; the differences are
 * added to a file that ktop has made. ktop holds the counters, this only reads
 * them.
 *
 * It is a guest: it prints nothing, starts nothing, and leaves errno alone.
 */
#include "inject/inject.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "inject/record.h"

enum { TRIES = 8 };

typedef int counters_of_thread(uint32_t tid, uint32_t count, uint64_t *buf);

/* A thread, from its first reading on. */
struct own {
	uint64_t row[INJECT_COLUMNS];
	bool read;
};

static struct {
	struct inject_record *record; /* NULL: nothing is counted */
	counters_of_thread *counters; /* NULL: no kperf */
	pthread_key_t key;
	pthread_mutex_t lock; /* nobody is inside kperf during a fork */
} guest = { .lock = PTHREAD_MUTEX_INITIALIZER };

static void
add(_Atomic uint64_t *to, uint64_t n)
{
	atomic_fetch_add(to, n);
}

/* The kernel gives a thread its buffer on the way out of its first call. */
static bool
read_row(uint64_t row[INJECT_COLUMNS])
{
	int rc = ENOENT;

	for (int i = 0; i < TRIES && rc != 0 && guest.counters != NULL; i++) {
		errno = 0;
		(void)pthread_mutex_lock(&guest.lock);
		rc = guest.counters(0, INJECT_COLUMNS, row);
		(void)pthread_mutex_unlock(&guest.lock);
		if (rc < 0)
			rc = errno != 0 ? errno : EIO;
		if (rc != 0 && rc != EINVAL)
			break;
	}
	if (rc == 0)
		return true;
	atomic_store(&guest.record->error, (uint64_t)rc);
	add(&guest.record->refused, 1);
	return false;
}

static void
begin(struct own *own)
{
	add(&guest.record->begun, 1);
	own->read = read_row(own->row);
}

void
inject_begin(void)
{
	int error = errno;
	struct own *own;

	if (guest.record == NULL || pthread_getspecific(guest.key) != NULL)
		return;
	own = calloc(1, sizeof *own);
	if (own != NULL && pthread_setspecific(guest.key, own) == 0)
		begin(own);
	else /* it is not seen */
		add(&guest.record->begun, 1);
	errno = error;
}

/* Sums first: who is killed in between has not ended. */
static void
end(struct own *own)
{
	uint32_t n = guest.record->columns;
	uint64_t now[INJECT_COLUMNS] = { 0 };

	if (!own->read || !read_row(now))
		return;
	for (uint32_t i = 0; i < n; i++)
		if (now[i] < own->row[i]) {
			add(&guest.record->refused, 1);
			return;
		}
	for (uint32_t i = 0; i < n; i++)
		add(&guest.record->sum[i], now[i] - own->row[i]);
	add(&guest.record->ended, 1);
}

/* Of the key: a thread ends. */
static void
thread_ends(void *own)
{
	int error = errno;

	if (guest.record != NULL)
		end(own);
	free(own);
	errno = error;
}

/* Of the process, on the thread that calls exit. */
static void
process_ends(void)
{
	struct own *own = pthread_getspecific(guest.key);

	if (own == NULL || guest.record == NULL)
		return;
	(void)pthread_setspecific(guest.key, NULL);
	thread_ends(own);
}

static void
before_fork(void)
{
	(void)pthread_mutex_lock(&guest.lock);
}

static void
after_fork(void)
{
	(void)pthread_mutex_unlock(&guest.lock);
}

/* A copy of one thread, which has counted nothing yet. */
static void
in_child(void)
{
	int error = errno;
	struct own *own = pthread_getspecific(guest.key);

	(void)pthread_mutex_unlock(&guest.lock);
	if (guest.record == NULL)
		return;
	add(&guest.record->forked, 1);
	if (own != NULL)
		begin(own);
	else
		inject_begin();
	errno = error;
}

static struct inject_record *
map_record(const char *path)
{
	struct inject_record *r = NULL;
	struct stat st;
	int fd = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);

	if (fd < 0)
		return NULL;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
	    st.st_uid == geteuid() && st.st_size == (off_t)sizeof *r)
		r = mmap(NULL, sizeof *r, PROT_READ | PROT_WRITE, MAP_SHARED,
			 fd, 0);
	close(fd);
	if (r == NULL || r == MAP_FAILED)
		return NULL;
	if (r->magic == INJECT_MAGIC && r->size == sizeof *r &&
	    r->columns <= INJECT_COLUMNS)
		return r;
	(void)munmap(r, sizeof *r);
	return NULL;
}

/* dlsym gives an object pointer: the bytes are copied, as ISO C wants it. */
static void
find_kperf(const char *path)
{
	void *lib = path != NULL ? dlopen(path, RTLD_LAZY | RTLD_LOCAL) : NULL;
	void *at = lib != NULL ? dlsym(lib, "kpc_get_thread_counters") : NULL;

	if (at != NULL)
		memcpy(&guest.counters, &at, sizeof at);
}

__attribute__((constructor)) static void
load(void)
{
	const char *path = getenv(INJECT_RECORD);
	struct inject_record *r = path != NULL ? map_record(path) : NULL;
	int error = errno;

	if (r == NULL)
		return;
	find_kperf(getenv(INJECT_KPERF));
	/* Last of all that is called at the end: begun before all others. */
	if (pthread_key_create(&guest.key, thread_ends) == 0 &&
	    atexit(process_ends) == 0) {
		guest.record = r;
		add(&r->loaded, 1);
		inject_begin();
		inject_follow_threads();
		/* After kperf's own, which that has to hear of forks first. */
		if (pthread_atfork(before_fork, after_fork, in_child) != 0)
			guest.record = NULL;
	}
	errno = error;
}

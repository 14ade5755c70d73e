/* The files of one process below /proc: what they say, and how they are read.
 */
#ifndef SOURCE_PERF_PROC_FILE_H
#define SOURCE_PERF_PROC_FILE_H

#include "model/process.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { PROC_LINE_SIZE = 1024 }; /* more than all its fields can be */

/* What /proc/PID/stat says, of a thread /proc/PID/task/TID/stat. */
struct proc_line {
	int32_t pid, parent;
	uint8_t state;         /* enum process_state */
	bool kernel;           /* a thread of the kernel's own */
	uint64_t user, system; /* ticks, of threads that ended too */
	uint64_t start;        /* ticks since boot */
	uint32_t threads;
	char name[PROCESS_NAME_SIZE]; /* as it is */
};

/* False: makes no sense, or was cut. The name may hold all but NUL. */
bool proc_line_parse(const char *text, size_t len, struct proc_line *out);

/* The effective user in /proc/PID/status. */
bool proc_status_uid(const char *text, uint32_t *out);

/*
 * A file below the folder `dir`, or -1 and errno. It gets a high number: the
 * low ones are for what is waited for by select(2).
 */
int proc_open(int dir, const char *path);

/*
 * From its beginning; what was read ends in NUL. 0 or less: there is nothing,
 * as the process has ended (ESRCH).
 */
ssize_t proc_read(int fd, char *out, size_t size);

/* The same of a file that is opened for this once. */
ssize_t proc_read_once(int dir, const char *path, char *out, size_t size);

/*
 * Numbers that are names in a folder below `dir`: processes, threads. Up to
 * `max` of them; how many there are, or -1 and errno.
 */
int proc_numbers(int dir, const char *path, int32_t *out, unsigned max);

#endif

/* Small files below /sys and /proc, or below a copy of them. */
#ifndef SOURCE_PERF_SYSFS_H
#define SOURCE_PERF_SYSFS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CPU_LIST_MAX = 8192 }; /* kernel_max of Debian, plus one */

/* in[cpu] for each CPU of a list like "0-3,8". */
struct cpu_list {
	unsigned len; /* CPUs in it */
	bool in[CPU_LIST_MAX];
};

/* From such a text; false when it is malformed, with what came before that. */
bool cpu_list_parse(const char *text, struct cpu_list *out);

/*
 * A descriptor to read root + path, or -1. Regular files only: a copy of a
 * machine may hold anything, and a pipe would be waited for.
 */
int sysfs_open(const char *root, const char *path);

/* Is there a regular file root + path? */
bool sysfs_exists(const char *root, const char *path);

/*
 * The file root + path as text without its final newline, cut at size; false
 * and "" when it cannot be read. root NULL or "": the system itself.
 */
bool sysfs_text(const char *root, const char *path, char *out, size_t size);

/* A decimal number, maybe negative, or hexadecimal with 0x. */
bool sysfs_number(const char *root, const char *path, int64_t *out);

/* A CPU list; false when the file is missing or malformed. */
bool sysfs_list(const char *root, const char *path, struct cpu_list *out);

/* The first CPU of a list, or -1. */
int sysfs_first(const char *root, const char *path);

#endif

/* The kernel's accounting of each CPU's time, from /proc/stat. */
#ifndef SOURCE_PERF_PROC_STAT_H
#define SOURCE_PERF_PROC_STAT_H

#include "model/sample.h"
#include "model/topology.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct proc_stat {
	int fd; /* -1: there is no such file */
	char *text;
	size_t size, len; /* len: of the last reading */
	uint64_t busy;    /* ticks, by all CPUs in it */
};

/* False when memory is short; a missing file is no failure. */
bool proc_stat_open(struct proc_stat *p, const char *root, unsigned ncpus);
void proc_stat_close(struct proc_stat *p);

/* Fills busy, total and busy_known of the CPUs that the file lists. */
void proc_stat_read(struct proc_stat *p, const struct topology *t,
		    struct sample *out);

/*
 * From the lines behind those of CPUs, of the same reading: tasks that began
 * since boot, threads among them, and when that was. What is missing stays.
 */
void proc_stat_since_boot(struct proc_stat *p, uint64_t *tasks,
			  uint64_t *boot_s);

#endif

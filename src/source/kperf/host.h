/* Sysctls of a Mac as numbers and texts, through its host_api. */
#ifndef SOURCE_KPERF_HOST_H
#define SOURCE_KPERF_HOST_H

#include "kperf/host.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An integer node of 4 or 8 bytes; false when there is none. */
bool host_number(const struct host_api *host, const char *name, uint64_t *out);

/* A string node, cut at size; false and "" when there is none. */
bool host_text(const struct host_api *host, const char *name, char *out,
	       size_t size);

/* host_number, or `otherwise`. */
uint64_t host_number_or(const struct host_api *host, const char *name,
			uint64_t otherwise);

/* The Mac that ktop runs on; file mac/host.c. NULL elsewhere. */
const struct host_api *host_system(void);

#endif

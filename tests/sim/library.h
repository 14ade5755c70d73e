/* libkperf-sim.so as a program finds it: next to the tests' folder, or where
 * KTOP_SIM_SO says.
 */
#ifndef TESTS_SIM_LIBRARY_H
#define TESTS_SIM_LIBRARY_H

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "kperf/api.h"
#include "kperf/host.h"

static const char *self;
static void *lib;
static struct kperf_api kperf;
static struct kperfdata_api kpep;
static const struct host_api *host;

static void
fill(void *api, const struct kperf_symbol *symbols, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		void *at = dlsym(lib, symbols[i].name);
		if (at == NULL)
			fail_msg("no %s", symbols[i].name);
		memcpy((char *)api + symbols[i].offset, &at, sizeof(at));
	}
}

/* Boots the machine of a spec; -1: there is no library. */
static int
library_open(const char *spec)
{
	char path[1024];
	const char *given = getenv("KTOP_SIM_SO");
	const char *slash = strrchr(self, '/');

	snprintf(path, sizeof(path), "%.*s/../../libkperf-sim.so",
		 slash != NULL ? (int)(slash - self) : 1,
		 slash != NULL ? self : ".");
	setenv("KTOP_SIM", spec, 1);
	lib = dlopen(given != NULL ? given : path, RTLD_LAZY | RTLD_LOCAL);
	if (lib == NULL) {
		fprintf(stderr, "%s\n", dlerror());
		return -1;
	}
	fill(&kperf, kperf_symbols, KPERF_NSYMBOLS);
	fill(&kpep, kperfdata_symbols, KPERFDATA_NSYMBOLS);
	host = dlsym(lib, HOST_SYMBOL);
	return host != NULL ? 0 : -1;
}

static int
library_shut(void)
{
	void *it = lib;

	lib = NULL;
	return it != NULL ? dlclose(it) : 0;
}

#endif

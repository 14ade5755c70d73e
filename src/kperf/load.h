/* Finds the two frameworks (or libraries that stand in for them). */
#ifndef KPERF_LOAD_H
#define KPERF_LOAD_H

#include "base/err.h"
#include "kperf/api.h"
#include "kperf/host.h"

#include <stdbool.h>

#define KPERF_PATH "/System/Library/PrivateFrameworks/kperf.framework/kperf"
#define KPERFDATA_PATH \
	"/System/Library/PrivateFrameworks/kperfdata.framework/kperfdata"

#define KPERF_VARIABLE "KTOP_KPERF"
#define KPERFDATA_VARIABLE "KTOP_KPERFDATA"

enum { KPERF_PATH_SIZE = 1024 }; /* PATH_MAX of macOS */

/* Both frameworks, complete, until kperf_unload. */
struct kperf_libs {
	struct kperf_api kperf;
	struct kperfdata_api kperfdata;
	const struct host_api *host; /* exported next to kperf, or NULL */
	void *kperf_handle, *kperfdata_handle;
	char kperf_path[KPERF_PATH_SIZE], kperfdata_path[KPERF_PATH_SIZE];
};

/*
 * Fills *out with all 57 functions or fails and leaves it empty; *e names the
 * library and the first symbol it lacks. A path that is NULL comes from the
 * environment (KTOP_KPERF, KTOP_KPERFDATA), then from the defaults above.
 * A process with privileges loads a given file only if kperf_path_check agrees.
 */
bool kperf_load(const char *kperf_path, const char *kperfdata_path,
		struct kperf_libs *out, struct err *e);

/*
 * One of them: every dlopen of the two is this one. Path is which file it was,
 * "" where it was refused. NULL and *e, or a handle for dlclose. Without e what
 * dlopen refused is left to dlerror.
 */
void *kperf_open(const char *given, const char *variable, const char *fallback,
		 char path[KPERF_PATH_SIZE], struct err *e);

/*
 * May the environment, or a file that root does not own, say which libraries?
 * Neither with privileges nor for a caller of sudo.
 */
bool kperf_untrusted_path_allowed(void);

/* What the environment says then, else NULL. */
const char *kperf_variable(const char *variable);

/* Safe after a failed load, and twice. */
void kperf_unload(struct kperf_libs *libs);

/* Does this process have more rights than the person who started it may? */
bool kperf_privileged(void);

/* The system's part of that: capabilities, set-id; mac and linux. */
bool kperf_privileged_os(void);

/*
 * May a privileged process run code from this file? It and every directory
 * above it must be root's, and no one else's to change. Writes the path with
 * symbolic links resolved to `resolved`, KPERF_PATH_SIZE bytes.
 */
bool kperf_path_check(const char *path, char *resolved, struct err *e);

#endif

/* Loads the two frameworks, or libraries that replace them. */
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

enum { KPERF_PATH_SIZE = 1024 }; /* macOS's PATH_MAX */

struct kperf_libs {
	struct kperf_api kperf;
	struct kperfdata_api kperfdata;
	const struct host_api *host; /* exported by kperf's library, or NULL */
	void *kperf_handle, *kperfdata_handle;
	char kperf_path[KPERF_PATH_SIZE], kperfdata_path[KPERF_PATH_SIZE];
};

/* Fills *out with all 57 functions, or leaves it empty; *e names the library
 * and the missing symbol, if any. A NULL path means the environment variable
 * KTOP_KPERF or KTOP_KPERFDATA, else the system's framework. With privileges
 * other files must pass kperf_path_check. */
bool kperf_load(const char *kperf_path, const char *kperfdata_path,
		struct kperf_libs *out, struct err *e);

/* Opens `given`, else the variable's path, else `fallback`; path receives the
 * chosen path. Returns a handle, or NULL and *e. If e is NULL and dlopen()
 * failed, dlerror() has the reason. */
void *kperf_open(const char *given, const char *variable, const char *fallback,
		 char path[KPERF_PATH_SIZE], struct err *e);

/* True: the environment, or a file not owned by root, may name the libraries.
 * False: the process has privileges or runs under sudo. */
bool kperf_untrusted_path_allowed(void);

/* Returns the environment variable; NULL: unset, or not allowed
 * (kperf_untrusted_path_allowed). */
const char *kperf_variable(const char *variable);

void kperf_unload(struct kperf_libs *libs);

/* True: the process is root or has more privileges than its user. */
bool kperf_privileged(void);

bool kperf_privileged_os(void);

/* True: a privileged process may load the file, since the file and all
 * directories above are root's and only root can replace them. `resolved`
 * (KPERF_PATH_SIZE bytes): the path without symbolic links; "" on failure. */
bool kperf_path_check(const char *path, char *resolved, struct err *e);

#endif

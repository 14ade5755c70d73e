#include "kperf/load.h"

#include "kperf/symbols.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FRAMEWORKS "/System/Library/PrivateFrameworks/"

/* The system's frameworks are in dyld's cache on a sealed volume: they are not
 * files, so their owner cannot be checked. */
static bool
is_system(const char *path)
{
	return strncmp(path, FRAMEWORKS, strlen(FRAMEWORKS)) == 0 &&
	       strstr(path, "/..") == NULL;
}

static bool
copy_path(char *to, const char *prefix, const char *path, struct err *e)
{
	size_t n = strlen(prefix), len = strlen(path);

	if (n + len >= KPERF_PATH_SIZE)
		return err_set(e, ERR_FAIL, "%.60s...: the path is too long",
			       path);
	memcpy(to, prefix, n);
	memcpy(to + n, path, len + 1);
	return true;
}

static bool
choose_path(const char *given, const char *variable, const char *fallback,
	    char *path, struct err *e)
{
	path[0] = '\0';
	if (given == NULL)
		given = kperf_variable(variable);
	if (given == NULL || given[0] == '\0')
		given = fallback;
	if (is_system(given))
		return copy_path(path, "", given, e);
	if (kperf_privileged())
		return kperf_path_check(given, path, e);
	/* dlopen searches the library path for names without a slash. */
	return copy_path(path, strchr(given, '/') == NULL ? "./" : "", given,
			 e);
}

static bool
dl_failed(const char *path, const char *symbol, struct err *e)
{
	const char *why = dlerror();

	if (why == NULL)
		why = "no reason given";
	if (symbol == NULL)
		return err_set(e, ERR_NO_PMU, "cannot load %s: %s", path, why);
	return err_set(e, ERR_NO_PMU, "%s lacks %s: %s", path, symbol, why);
}

/* ISO C has no cast from dlsym's object pointer to a function pointer, so the
 * bytes are copied into `api`, a struct of function pointers. */
static bool
resolve(void *handle, const char *path, const struct kperf_symbol *symbol,
	size_t n, void *api, struct err *e)
{
	for (size_t i = 0; i < n; i++) {
		void *address = dlsym(handle, symbol[i].name);

		if (address == NULL)
			return dl_failed(path, symbol[i].name, e);
		memcpy((char *)api + symbol[i].offset, &address,
		       sizeof address);
	}
	return true;
}

static bool
find_host(struct kperf_libs *libs, struct err *e)
{
	const struct host_api *host = dlsym(libs->kperf_handle, HOST_SYMBOL);

	if (host != NULL && host->version != HOST_VERSION)
		return err_set(
			e, ERR_FAIL,
			"%s is from another version of ktop (its " HOST_SYMBOL
			" has version %u, not %u)",
			libs->kperf_path, (unsigned)host->version,
			HOST_VERSION);
	libs->host = host;
	return true;
}

bool
kperf_untrusted_path_allowed(void)
{
	return !kperf_privileged() && getenv("SUDO_UID") == NULL;
}

const char *
kperf_variable(const char *variable)
{
	return kperf_untrusted_path_allowed() ? getenv(variable) : NULL;
}

/* dlopen would block on a device or FIFO. */
static bool
is_loadable(const char *path, struct err *e)
{
	struct stat st;

	if (is_system(path) || strchr(path, '/') == NULL ||
	    stat(path, &st) != 0 || S_ISREG(st.st_mode))
		return true;
	return err_set(e, ERR_NO_PMU,
		       "cannot load %s: it is not a regular file", path);
}

void *
kperf_open(const char *given, const char *variable, const char *fallback,
	   char path[KPERF_PATH_SIZE], struct err *e)
{
	if (!choose_path(given, variable, fallback, path, e) ||
	    !is_loadable(path, e))
		return NULL;
	void *handle = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
	if (handle == NULL && e != NULL)
		(void)dl_failed(path, NULL, e);
	return handle;
}

static bool
load_all(const char *kperf_path, const char *kperfdata_path,
	 struct kperf_libs *l, struct err *e)
{
	l->kperf_handle = kperf_open(kperf_path, KPERF_VARIABLE, KPERF_PATH,
				     l->kperf_path, e);
	if (l->kperf_handle == NULL)
		return false;
	l->kperfdata_handle = kperf_open(kperfdata_path, KPERFDATA_VARIABLE,
					 KPERFDATA_PATH, l->kperfdata_path, e);
	if (l->kperfdata_handle == NULL)
		return false;
	return resolve(l->kperf_handle, l->kperf_path, kperf_symbols,
		       KPERF_NSYMBOLS, &l->kperf, e) &&
	       resolve(l->kperfdata_handle, l->kperfdata_path,
		       kperfdata_symbols, KPERFDATA_NSYMBOLS, &l->kperfdata,
		       e) &&
	       find_host(l, e);
}

bool
kperf_load(const char *kperf_path, const char *kperfdata_path,
	   struct kperf_libs *out, struct err *e)
{
	memset(out, 0, sizeof *out);
	if (load_all(kperf_path, kperfdata_path, out, e))
		return true;
	kperf_unload(out);
	return false;
}

void
kperf_unload(struct kperf_libs *libs)
{
	if (libs->kperfdata_handle != NULL)
		dlclose(libs->kperfdata_handle);
	if (libs->kperf_handle != NULL)
		dlclose(libs->kperf_handle);
	memset(libs, 0, sizeof *libs);
}

bool
kperf_privileged(void)
{
	return geteuid() == 0 || getuid() != geteuid() ||
	       getgid() != getegid() || kperf_privileged_os();
}

/* Checks `path`, the file that `given` names or a directory above it; type:
 * S_IFREG or S_IFDIR. A sticky directory that others can write to is safe: only
 * root can replace an entry that belongs to root. */
static bool
is_owned_by_root(const char *path, mode_t type, const char *given,
		 struct err *e)
{
	const char *why = "not loaded as root";
	struct stat st;

	if (lstat(path, &st) != 0)
		return err_set(e, ERR_PERM, "%s: %s: %s: %s", given, why, path,
			       strerror(errno));
	if ((st.st_mode & S_IFMT) != type)
		return err_set(e, ERR_PERM, "%s: %s: it is not a regular file",
			       given, why);
	if (st.st_uid != 0)
		return err_set(
			e, ERR_PERM,
			"%s: %s: %s belongs to user %lu, not to root; copy the library to a directory that belongs to root",
			given, why, path, (unsigned long)st.st_uid);
	if ((st.st_mode & (S_IWGRP | S_IWOTH)) == 0 ||
	    (type == S_IFDIR && (st.st_mode & S_ISVTX) != 0))
		return true;
	return err_set(
		e, ERR_PERM,
		"%s: %s: users other than root can write to %s; remove that permission (chmod go-w) or copy the library elsewhere",
		given, why, path);
}

bool
kperf_path_check(const char *path, char *resolved, struct err *e)
{
	char *real = realpath(path, NULL);
	char parent[KPERF_PATH_SIZE];

	resolved[0] = '\0';
	if (real == NULL)
		return err_set(e,
			       errno == ENOENT || errno == ENOTDIR ? ERR_NO_PMU
								   : ERR_PERM,
			       "cannot load %s: %s", path, strerror(errno));
	size_t len = strlen(real);
	if (len >= KPERF_PATH_SIZE) {
		free(real);
		return err_set(e, ERR_PERM, "%s: the path is too long", path);
	}
	memcpy(parent, real, len + 1);
	free(real);
	if (!is_owned_by_root(parent, S_IFREG, path, e))
		return false;
	memcpy(resolved, parent, len + 1);
	for (char *slash; (slash = strrchr(parent, '/')) != NULL;) {
		bool top = slash == parent;

		slash[top ? 1 : 0] = '\0';
		if (!is_owned_by_root(parent, S_IFDIR, path, e)) {
			resolved[0] = '\0';
			return false;
		}
		if (top)
			break;
	}
	return true;
}

#define KPERF(name) { #name, offsetof(struct kperf_api, name) },
#define DATA(name) { #name, offsetof(struct kperfdata_api, name) },

/* clang-format off */
const struct kperf_symbol kperf_symbols[KPERF_NSYMBOLS] = {
	KPERF_SYMBOLS(KPERF)
};
/* clang-format on */

const struct kperf_symbol kperfdata_symbols[KPERFDATA_NSYMBOLS] = {
	KPERFDATA_SYMBOLS(DATA)
};

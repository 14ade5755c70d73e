/* The loader on small libraries that the test builds with cc as it runs. */
#include "kperf/load.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "skip.h"

enum { NOBODY = 65534 };

static char dir[256];

static const char *
in_dir(char path[512], const char *name)
{
	snprintf(path, 512, "%s/%s", dir, name);
	return path;
}

/*
 * Every function answers with a value of its own, so that a pointer put in
 * the wrong place shows. `without`: the symbol to leave out, or NULL.
 */
static void
write_functions(FILE *f, const struct kperf_symbol *symbol, size_t n,
		const char *without)
{
	for (size_t i = 0; i < n; i++) {
		if (without == NULL || strcmp(symbol[i].name, without) != 0)
			fprintf(f,
				"unsigned long %s(void);\n"
				"unsigned long %s(void) { return %zu; }\n",
				symbol[i].name, symbol[i].name, 100 + i);
	}
}

static void
build(const char *name, const char *without, const char *more)
{
	char c[512], cmd[1600], so[512];
	const char *cc = getenv("CC");
	FILE *f = fopen(in_dir(c, "lib.c"), "w");

	assert_non_null(f);
	write_functions(f, kperf_symbols, KPERF_NSYMBOLS, without);
	write_functions(f, kperfdata_symbols, KPERFDATA_NSYMBOLS, without);
	fputs(more, f);
	OK(fclose(f));
	snprintf(cmd, sizeof(cmd), "%s -shared -fPIC -w -o '%s' '%s'",
		 cc != NULL ? cc : "cc", in_dir(so, name), c);
	OK(system(cmd));
	OK(chmod(so, 0755));
}

static int
setup(void **state)
{
	const char *tmp = getenv("TMPDIR");

	unsetenv("KTOP_KPERF");
	unsetenv("KTOP_KPERFDATA");
	umask(022);
	snprintf(dir, sizeof(dir), "%s/ktop-load.XXXXXX",
		 tmp != NULL ? tmp : "/tmp");
	if (mkdtemp(dir) == NULL || chmod(dir, 0755) != 0)
		return -1;
	build("whole.so", NULL, "");
	char host[96];
	snprintf(host, sizeof(host),
		 "struct { unsigned version; char rest[999]; } ktop_host = { "
		 "%d };",
		 HOST_VERSION);
	build("host.so", NULL, host);
	build("other.so", NULL,
	      "struct { unsigned version; char rest[64]; } ktop_host = { 99 "
	      "};");
	build("first.so", "kpc_cpu_string", "");
	build("late.so", "kperf_tick_frequency", "");
	build("data.so", "kpep_config_kpc_map", "");
	return 0;
}

static int
teardown(void **state)
{
	char cmd[512];

	snprintf(cmd, sizeof(cmd), "rm -rf '%s'", dir);
	return system(cmd);
}

static bool
load(const char *kperf, const char *data, struct kperf_libs *libs,
     struct err *e)
{
	char a[512], b[512];

	return kperf_load(in_dir(a, kperf), in_dir(b, data), libs, e);
}

static void
assert_empty(const struct kperf_libs *libs)
{
	static const struct kperf_libs empty;

	assert_memory_equal(libs, &empty, sizeof(empty));
}

UNIT(test_all_symbols_in_their_places)
{
	struct kperf_libs libs;
	struct err e;

	assert_true(load("whole.so", "whole.so", &libs, &e));
	for (size_t i = 0; i < KPERF_NSYMBOLS; i++) {
		unsigned long (*fn)(void);

		memcpy(&fn, (char *)&libs.kperf + kperf_symbols[i].offset,
		       sizeof(fn));
		assert_int_equal(fn(), 100 + i);
	}
	for (size_t i = 0; i < KPERFDATA_NSYMBOLS; i++) {
		unsigned long (*fn)(void);

		memcpy(&fn,
		       (char *)&libs.kperfdata + kperfdata_symbols[i].offset,
		       sizeof(fn));
		assert_int_equal(fn(), 100 + i);
	}
	assert_null(libs.host);
	kperf_unload(&libs);
	assert_empty(&libs);
	kperf_unload(&libs);
}

UNIT(test_host_is_found)
{
	struct kperf_libs libs;
	struct err e;

	assert_true(load("host.so", "whole.so", &libs, &e));
	assert_non_null(libs.host);
	assert_int_equal(libs.host->version, HOST_VERSION);
	kperf_unload(&libs);
	/* It belongs to kperf; kperfdata's is not asked. */
	assert_true(load("whole.so", "host.so", &libs, &e));
	assert_null(libs.host);
	kperf_unload(&libs);
	assert_false(load("other.so", "whole.so", &libs, &e));
	assert_non_null(strstr(e.text, "version 99"));
	assert_empty(&libs);
}

static void
check_missing(const char *kperf, const char *data, const char *library,
	      const char *symbol)
{
	struct kperf_libs libs;
	struct err e;

	assert_false(load(kperf, data, &libs, &e));
	assert_int_equal(e.code, ERR_NO_PMU);
	assert_non_null(strstr(e.text, library));
	const char *first = strstr(e.text, symbol);
	assert_non_null(first);
	/* Once as ours, once in dlerror's own text. */
	assert_non_null(strstr(first + 1, symbol));
	assert_empty(&libs);
}

UNIT(test_missing_symbol_is_named)
{
	check_missing("first.so", "whole.so", "first.so", "kpc_cpu_string");
	check_missing("late.so", "whole.so", "late.so", "kperf_tick_frequency");
	check_missing("whole.so", "data.so", "data.so", "kpep_config_kpc_map");
	/* Several are missing: the first, and kperf before kperfdata. */
	check_missing("late.so", "data.so", "late.so", "kperf_tick_frequency");
}

UNIT(test_no_such_library)
{
	struct kperf_libs libs;
	struct err e;

	assert_false(load("none.so", "whole.so", &libs, &e));
	assert_non_null(strstr(e.text, "none.so"));
	assert_empty(&libs);
	assert_false(load("lib.c", "whole.so", &libs, &e));
	assert_int_equal(e.code, ERR_NO_PMU);
	assert_non_null(strstr(e.text, "lib.c"));
	assert_empty(&libs);
}

UNIT(test_path_too_long)
{
	struct kperf_libs libs;
	struct err e;
	char path[5000];

	memset(path, 'x', sizeof(path));
	path[0] = '/';
	path[sizeof(path) - 1] = '\0';
	assert_false(kperf_load(path, path, &libs, &e));
	assert_empty(&libs);
}

/* Runs fn as nobody, in a child of root. */
static int
as_nobody(int (*fn)(void))
{
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		if (setgid(NOBODY) != 0 || setuid(NOBODY) != 0)
			_exit(99);
		_exit(fn());
	}
	assert_true(pid > 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static void
set_environment(const char *kperf, const char *data)
{
	char path[512];

	setenv("KTOP_KPERF", in_dir(path, kperf), 1);
	setenv("KTOP_KPERFDATA", in_dir(path, data), 1);
}

static int
environment_counts(void)
{
	struct kperf_libs libs;
	struct err e;
	char path[512];

	if (kperf_privileged())
		return 1;
	set_environment("whole.so", "host.so");
	if (!kperf_load(NULL, NULL, &libs, &e))
		return 2;
	if (strstr(libs.kperf_path, "whole.so") == NULL ||
	    strstr(libs.kperfdata_path, "host.so") == NULL)
		return 3;
	kperf_unload(&libs);
	/* What is given counts more. */
	if (!kperf_load(in_dir(path, "host.so"), NULL, &libs, &e))
		return 4;
	if (strstr(libs.kperf_path, "host.so") == NULL)
		return 5;
	kperf_unload(&libs);
	/* A name without a slash is a file here, not one of ld's. */
	if (chdir(dir) != 0 || !kperf_load("whole.so", NULL, &libs, &e))
		return 6;
	kperf_unload(&libs);
	/* An empty variable is none. */
	setenv("KTOP_KPERF", "", 1);
	if (kperf_load(NULL, NULL, &libs, &e) ||
	    strstr(e.text, KPERF_PATH) == NULL)
		return 7;
	return 0;
}

UNIT(test_environment)
{
	if (geteuid() == 0)
		assert_int_equal(as_nobody(environment_counts), 0);
	else
		assert_int_equal(environment_counts(), 0);
	unsetenv("KTOP_KPERF");
	unsetenv("KTOP_KPERFDATA");
}

UNIT(test_root_ignores_the_environment)
{
	struct kperf_libs libs;
	struct err e;

	if (geteuid() != 0)
		skip_because("only root can become somebody else");
	assert_true(kperf_privileged());
	if (access(KPERF_PATH, F_OK) == 0 || access("/System", F_OK) == 0)
		skip_because("a Mac has the real frameworks");
	set_environment("whole.so", "whole.so");
	assert_false(kperf_load(NULL, NULL, &libs, &e));
	assert_non_null(strstr(e.text, KPERF_PATH));
	unsetenv("KTOP_KPERF");
	unsetenv("KTOP_KPERFDATA");
}

static int
half_privileged(void)
{
	return kperf_privileged() ? 0 : 1;
}

UNIT(test_set_id_is_privileged)
{
	int status;

	if (geteuid() != 0)
		skip_because("only root can become somebody else");
	pid_t pid = fork();
	if (pid == 0) /* real root, effective nobody: as under set-uid */
		_exit(seteuid(NOBODY) == 0 ? half_privileged() : 2);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

static void
refused(const char *path, const char *because)
{
	char resolved[KPERF_PATH_SIZE];
	struct kperf_libs libs;
	struct err e;

	assert_false(kperf_path_check(path, resolved, &e));
	assert_int_equal(e.code, ERR_PERM);
	assert_non_null(strstr(e.text, because));
	assert_string_equal(resolved, "");
	assert_false(kperf_load(path, path, &libs, &e));
	assert_int_equal(e.code, ERR_PERM);
	assert_empty(&libs);
}

UNIT(test_root_checks_the_file)
{
	char path[512], resolved[KPERF_PATH_SIZE];
	struct err e;

	if (geteuid() != 0)
		skip_because("only root can become somebody else");
	in_dir(path, "whole.so");
	assert_true(kperf_path_check(path, resolved, &e));
	assert_string_equal(strrchr(resolved, '/'), "/whole.so");
	OK(chmod(path, 0775));
	refused(path, "users other than root");
	OK(chmod(path, 0757));
	refused(path, "users other than root");
	OK(chmod(path, 0755));
	OK(chown(path, NOBODY, 0));
	refused(path, "belongs to user 65534");
	OK(chown(path, 0, 0));
	refused(dir, "not a regular file");
	refused("/dev/null", "not a regular file");
	/* Nothing is denied where nothing is: as for those who are not root. */
	assert_false(kperf_path_check("/nowhere/at/all.so", resolved, &e));
	assert_int_equal(e.code, ERR_NO_PMU);
	assert_non_null(strstr(e.text, "cannot load /nowhere/at/all.so"));
	assert_true(kperf_path_check(path, resolved, &e));
}

UNIT(test_root_checks_every_directory)
{
	char sub[512], deep[600], so[700], link[512], cmd[2000];
	char resolved[KPERF_PATH_SIZE];
	struct kperf_libs libs;
	struct err e;

	if (geteuid() != 0)
		skip_because("only root can become somebody else");
	in_dir(sub, "sub");
	snprintf(deep, sizeof(deep), "%s/deep", sub);
	snprintf(so, sizeof(so), "%s/x.so", deep);
	snprintf(cmd, sizeof(cmd), "mkdir -p %s && cp %s/whole.so %s", deep,
		 dir, so);
	OK(system(cmd));
	assert_int_equal(symlink(so, in_dir(link, "link.so")), 0);
	assert_true(kperf_path_check(link, resolved, &e));
	assert_string_equal(strrchr(resolved, '/'), "/x.so");
	assert_true(kperf_load(link, so, &libs, &e));
	assert_string_equal(libs.kperf_path, resolved);
	kperf_unload(&libs);

	/* The link's own directory is good, the target's is not. */
	OK(chmod(sub, 0777));
	refused(so, sub);
	refused(link, sub);
	OK(chmod(sub, 01777)); /* sticky: x/deep stays */
	assert_true(kperf_path_check(so, resolved, &e));
	OK(chmod(sub, 0755));
	OK(chown(sub, NOBODY, 0));
	refused(so, "belongs to user 65534");
}

UNITS_IN(setup, teardown)

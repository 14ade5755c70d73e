#include "source/kperf/libs.h"

#include "process/caller.h"
#include "source/kperf/host.h"
#include "source/kperf/kperf.h"
#include "source/table.h"

#include <stdlib.h>

bool
libs_asked_for(const struct source_options *o)
{
	return o->kperf_path != NULL || o->kperfdata_path != NULL ||
	       kperf_variable(KPERF_VARIABLE) != NULL ||
	       kperf_variable(KPERFDATA_VARIABLE) != NULL;
}

bool
libs_load(const struct source_options *o, struct kperf_libs *out, struct err *e)
{
	*out = (struct kperf_libs){ .host = NULL };
	return (host_system() != NULL || drop_rights(e)) &&
	       kperf_load(o->kperf_path, o->kperfdata_path, out, e);
}

static bool
check_host(const struct kperf_libs *libs, struct err *e)
{
	if (libs->host != NULL || host_system() != NULL)
		return true;
	return err_set(
		e, ERR_FAIL,
		"%s does not export " HOST_SYMBOL
		", and this is not a Mac: nothing says how many CPUs its rows have; use --sim, or a library that describes its machine",
		libs->kperf_path);
}

static bool
probe(const struct source_options *o, struct err *e)
{
	struct kperf_libs libs;
	bool ok;

	if (host_system() == NULL && !libs_asked_for(o))
		return err_set(
			e, ERR_USAGE,
			"kperf is a framework of macOS; elsewhere name libraries with --kperf and --kperfdata");
	if (!libs_load(o, &libs, e))
		return false;
	ok = check_host(&libs, e);
	kperf_unload(&libs);
	return ok;
}

static void
close_kperf(struct source *s)
{
	struct kperf_libs *libs;

	if (s == NULL)
		return;
	libs = kperf_owner(s);
	kperf_close(s);
	kperf_unload(libs);
	free(libs);
}

static struct source *
open_with(struct kperf_libs *libs, const struct source_options *o,
	  struct err *e)
{
	const struct host_api *host = libs->host;

	if (!check_host(libs, e))
		return NULL;
	if (host == NULL)
		host = host_system();
	return kperf_open_with(&libs->kperf, &libs->kperfdata, host, "kperf", o,
			       e);
}

static struct source *
open_kperf(const struct source_options *o, struct err *e)
{
	struct kperf_libs *libs = calloc(1, sizeof *libs);
	struct source *s;

	if (libs == NULL)
		return err_null(e, ERR_FAIL, "kperf: out of memory");
	if (!libs_load(o, libs, e)) {
		free(libs);
		return NULL;
	}
	s = open_with(libs, o, e);
	if (s == NULL) {
		kperf_unload(libs);
		free(libs);
		return NULL;
	}
	s->ops = &source_kperf;
	kperf_set_owner(s, libs);
	return s;
}

const struct source_ops source_kperf = {
	.name = "kperf",
	.text = "Apple's kperf and kperfdata frameworks (sudo ktop)",
	.probe = probe,
	.open = open_kperf,
	.program = kperf_program,
	.read = kperf_read,
	.processes = kperf_processes,
	.close = close_kperf,
	.examine = kperf_examine,
	.repair = kperf_repair,
};

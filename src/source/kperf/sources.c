#include "kperf/load.h"
#include "process/caller.h"
#include "power/ioreport.h"
#include "sim/ioreport.h"
#include "sim/sim.h"
#include "source/kperf/host.h"
#include "source/kperf/kperf.h"
#include "source/table.h"

#include <stdlib.h>

static bool
names_libraries(const struct source_options *o)
{
	return o->kperf_path != NULL || o->kperfdata_path != NULL ||
	       kperf_variable(KPERF_VARIABLE) != NULL ||
	       kperf_variable(KPERFDATA_VARIABLE) != NULL;
}

/* Outside macOS drops all privileges permanently before the libraries run,
 * since these are the user's code. */
static bool
load_libraries(const struct source_options *o, struct kperf_libs *out,
	       struct err *e)
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
		", so outside macOS its number of CPUs is unknown; use --sim, or a library that describes its machine",
		libs->kperf_path);
}

static bool
probe(const struct source_options *o, struct err *e)
{
	struct kperf_libs libs;

	if (host_system() == NULL && !names_libraries(o))
		return err_set(
			e, ERR_USAGE,
			"kperf is a framework of macOS; elsewhere name libraries with --kperf and --kperfdata");
	if (!load_libraries(o, &libs, e))
		return false;
	bool ok = check_host(&libs, e);
	kperf_unload(&libs);
	return ok;
}

static void
close_kperf(struct source *s)
{
	if (s == NULL)
		return;
	struct kperf_libs *libs = kperf_owner(s);
	kperf_close(s);
	kperf_unload(libs);
	free(libs);
}

static struct source *
open_libraries(struct kperf_libs *libs, const struct source_options *o,
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

	if (libs == NULL)
		return err_null(e, ERR_FAIL, "kperf: out of memory");
	if (!load_libraries(o, libs, e)) {
		free(libs);
		return NULL;
	}
	struct source *s = open_libraries(libs, o, e);
	if (s == NULL) {
		kperf_unload(libs);
		free(libs);
		return NULL;
	}
	s->ops = &source_kperf;
	kperf_set_owner(s, libs);
	return s;
}

struct power_source *
kperf_power(struct source *s, struct err *e)
{
	const struct ioreport_api *api =
		s->info.simulated
			? err_null(e, ERR_NO_PMU,
				   "this simulated machine has no energy")
			: ioreport_system(e);

	return api != NULL ? ioreport_open(api, e) : NULL;
}

const struct source_ops source_kperf = {
	.name = "kperf",
	.text = "Apple's kperf and kperfdata frameworks (sudo ktop)",
	.probe = probe,
	.open = open_kperf,
	.program = kperf_program,
	.read = kperf_read,
	.processes = kperf_processes,
	.power = kperf_power,
	.close = close_kperf,
	.examine = kperf_examine,
	.repair = kperf_repair,
};

static bool
probe_sim(const struct source_options *o, struct err *e)
{
	if (o->sim != NULL)
		return true;
	return err_set(e, ERR_USAGE, "no simulation requested: use --sim m1");
}

static void
close_sim(struct source *s)
{
	if (s == NULL)
		return;
	kperf_close(s);
	sim_ioreport_stop();
	sim_stop();
}

static struct source *
open_sim(const struct source_options *o, struct err *e)
{
	if (!sim_start(o->sim != NULL ? o->sim : "m1", e))
		return NULL;
	struct source *s = kperf_open_with(sim_kperf(), sim_kperfdata(),
					   sim_host(), "sim", o, e);
	if (s == NULL) {
		sim_stop();
		return NULL;
	}
	s->ops = &source_sim;
	return s;
}

static struct power_source *
sim_power(struct source *s, struct err *e)
{
	(void)s;
	return ioreport_open(sim_ioreport(), e);
}

const struct source_ops source_sim = {
	.name = "sim",
	.text = "a simulated Mac (--sim MACHINE[,key=value]...)",
	.probe = probe_sim,
	.open = open_sim,
	.program = kperf_program,
	.read = kperf_read,
	.processes = kperf_processes,
	.power = sim_power,
	.close = close_sim,
	.examine = kperf_examine,
	.repair = kperf_repair,
};

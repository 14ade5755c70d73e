#include "source/kperf/kperf.h"

#include "source/kperf/host.h"
#include "source/kperf/state.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void
fill_identity(struct kperf_source *s, const char *name)
{
	struct source_info *info = &s->source.info;
	char version[32];

	snprintf(info->source, sizeof info->source, "%s",
		 s->host->simulated ? "sim" : name);
	if (!host_text(s->host, "machdep.cpu.brand_string", info->model,
		       sizeof info->model))
		host_text(s->host, "hw.model", info->model, sizeof info->model);
	if (host_text(s->host, "kern.osproductversion", version,
		      sizeof version))
		snprintf(info->os, sizeof info->os, "macOS %s", version);
	else if (host_text(s->host, "kern.osrelease", version, sizeof version))
		snprintf(info->os, sizeof info->os, "Darwin %s", version);
	if (s->kpc->kpc_cpu_string(s->cpu, sizeof s->cpu) < 0)
		s->cpu[0] = '\0';
	s->pmu = pmu_by_cpu(s->cpu);
	info->simulated = s->host->simulated;
	info->rows_may_be_stale = true;
	info->clock = &s->clock;
	info->restores = true;
	info->processes = kperf_processes_offered(s->host);
	info->set = &s->set;
}

/* Decides by the CPU type, which is 7 or 1000007 on x86: kpc_pmu_version is 0
 * for Intel since Skylake (xnu kpc_x86.c, 712-726). */
static void
order_fixed(struct kperf_source *s)
{
	s->intel = strncmp(s->cpu, "cpu_7_", 6) == 0 ||
		   strncmp(s->cpu, "cpu_1000007_", 12) == 0;
	s->fixed[FIXED_CYCLES] = s->intel ? 1 : 0;
	s->fixed[FIXED_INSTRUCTIONS] = s->intel ? 0 : 1;
	s->nfixed = 2;
}

static bool
allocate_readings(struct kperf_source *s)
{
	s->rows = kperf_rows_most(s->host->sysctl);
	if (s->rows < s->topology->ncpus)
		s->rows = s->topology->ncpus;
	s->row =
		calloc((size_t)s->rows * KPC_MAX_COUNTERS + 32, sizeof *s->row);
	s->load = calloc(s->rows, sizeof *s->load);
	return s->row != NULL && s->load != NULL;
}

static int
try_fixed(struct kperf_source *s, struct err *e)
{
	int cpu = 0, rc;

	errno = 0;
	if (s->kpc->kpc_pmu_version() == KPC_PMU_ERROR && errno != 0) {
		rc = errno;
		kperf_fail_call(e, "kpc_pmu_version", rc);
		return rc;
	}
	s->nfixed = kperf_counters_per_row(s->kpc, KPC_CLASS_FIXED_MASK);
	if (s->nfixed < FIXED_COUNT) {
		rc = s->nfixed == 0 ? kperf_result_errno(-1) : ENOTSUP;
		s->nfixed = FIXED_COUNT;
		kperf_fail_call(e, "kpc_get_counter_count", rc);
		return rc;
	}
	errno = 0;
	rc = s->kpc->kpc_get_cpu_counters(true, KPC_CLASS_FIXED_MASK, &cpu,
					  s->row);
	if (rc == 0)
		return 0;
	rc = kperf_result_errno(rc);
	kperf_fail_call(e, "kpc_get_cpu_counters", rc);
	return rc;
}

static void
choose_mode(struct kperf_source *s)
{
	struct source_info *info = &s->source.info;
	int rc = try_fixed(s, &info->why);

	s->mode = info->mode = SOURCE_IPC;
	if (rc != 0) {
		info->mode = SOURCE_BUSY_ONLY;
		kperf_explain_root(s, &info->why);
	}
	if (rc == ENOENT || rc == ENOTSUP) {
		s->no_pmu = true;
		return;
	}
	if (s->intel)
		err_set(&s->why, ERR_NONE,
			"on Intel Macs ktop counts cycles and instructions only");
	else if (kperf_catalog_load(&s->events, s->kpep, s->pmu, &s->why))
		info->catalog = &s->events.catalog;
	if (s->ipc_only && info->catalog != NULL)
		err_set(&s->why, ERR_NONE,
			"fixed counters only (--ipc): ktop does not change the counters");
	if (rc == 0) {
		info->why = s->why;
		info->interrupts_per_read = s->topology->ncpus;
	}
}

static bool
fill_source(struct kperf_source *s, const char *name, struct err *e)
{
	struct source_info *info = &s->source.info;
	const char *db;

	fill_identity(s, name);
	order_fixed(s);
	db = s->pmu != NULL ? s->pmu->db : "";
	s->topology = topology_apple(s->host, s->pmu, db, e);
	if (s->topology == NULL)
		return false;
	info->topology = s->topology;
	if (!allocate_readings(s))
		return err_set(e, ERR_FAIL, "counters: out of memory");
	choose_mode(s);
	if (info->catalog != NULL && info->catalog->name[0] != '\0')
		db = info->catalog->name;
	snprintf(info->chip, sizeof info->chip, "%s", db);
	for (unsigned k = 0; k < s->topology->nkinds; k++)
		snprintf(s->topology->kind[k].pmu,
			 sizeof s->topology->kind[k].pmu, "%s", db);
	return true;
}

/* Under Rosetta a Mac appears as Intel: ktop would expect the fixed counters in
 * Intel's order, instructions first. */
static bool
runs_natively(const struct host_api *host, struct err *e)
{
	if (host_number_or(host, "sysctl.proc_translated", 0) != 1)
		return true;
	return err_set(
		e, ERR_NO_PMU,
		"this ktop is built for Intel and runs under Rosetta, where Apple's counters could be mistaken for Intel's; build ktop for this Mac (make clean, then arch -arm64 make) and start that build");
}

struct source *
kperf_open_with(const struct kperf_api *kpc, const struct kperfdata_api *kpep,
		const struct host_api *host, const char *name,
		const struct source_options *o, struct err *e)
{
	struct kperf_source *s;

	if (host->version != HOST_VERSION)
		return err_null(
			e, ERR_FAIL,
			"the library's description of its machine has version %u, but ktop needs version %u; build both from the same ktop",
			host->version, HOST_VERSION);
	if (!runs_natively(host, e))
		return NULL;
	s = calloc(1, sizeof *s);
	if (s == NULL)
		return err_null(e, ERR_FAIL, "counters: out of memory");
	s->kpc = kpc;
	s->changes.alone = true;
	s->kpep = kpep;
	s->host = host;
	s->clock = host->clock;
	s->ipc_only = o->ipc;
	s->user_only = o->user_only;
	if (!fill_source(s, name, e)) {
		kperf_close(&s->source);
		return NULL;
	}
	return &s->source;
}

void
kperf_close(struct source *base)
{
	if (base == NULL)
		return;
	struct kperf_source *s = kperf_of(base);
	if (kperf_counters_to_restore(&s->changes))
		kperf_release(s, NULL);
	kperf_clear_rescue(s);
	kperf_catalog_free(&s->events);
	kperf_processes_free(s->processes);
	kperf_traced_free(s);
	topology_free(s->topology);
	free(s->row);
	free(s->load);
	free(s);
}

bool
kperf_processes(struct source *base, const struct process_request *w,
		struct process_reading *out, struct err *e)
{
	struct kperf_source *s = kperf_of(base);

	if (!base->info.processes)
		return err_set(e, ERR_FAIL,
			       "processes cannot be listed on this machine");
	if (s->processes == NULL)
		s->processes = kperf_processes_new(s->host, s->topology);
	if (s->processes == NULL)
		return err_set(e, ERR_FAIL, "processes: out of memory");
	if (!kperf_processes_read(s->processes, &s->clock, w, out, e))
		return false;
	kperf_traced_read(s, w, &out->traced);
	return true;
}

void
kperf_set_owner(struct source *s, void *owner)
{
	kperf_of(s)->owner = owner;
}

void *
kperf_owner(const struct source *s)
{
	return ((const struct kperf_source *)(const void *)s)->owner;
}

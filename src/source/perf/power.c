/* Energy and memory traffic from uncore PMUs. Their events support no exclude
 * bits, groups or processes. */
#include "source/perf/power.h"

#include "base/parse.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEVICES "/sys/bus/event_source/devices"

static int
cpu_package(const struct topology *t, int cpu)
{
	for (unsigned i = 0; i < t->ncpus; i++)
		if (t->cpu[i].id == cpu)
			return t->cpu[i].package;
	return -1;
}

/* Parses "2.3283064365386962890625e-10" in any locale. */
static bool
scale_parse(const char *text, double *out)
{
	char number[PMU_TEXT_SIZE], *e;
	int exponent = 0;

	snprintf(number, sizeof number, "%s", text);
	e = strpbrk(number, "eE");
	if (e != NULL) {
		*e = '\0';
		exponent = (int)strtol(e + 1, &e, 10);
		if (*e != '\0')
			return false;
	}
	if (!parse_double(number, out) || !(*out > 0))
		return false;
	*out *= pow(10, exponent);
	return isfinite(*out) && *out > 0;
}

/* J or bytes per count, from the event's files; 0: unknown. */
static double
event_scale(const struct power_linux *p, const struct pmu_linux *pmu,
	    const char *alias)
{
	static const struct {
		const char *name;
		double is;
	} unit[] = { { "Joules", 1 }, { "MiB", 1048576 }, { "Bytes", 1 } };
	char path[256], text[64];
	double scale;

	snprintf(path, sizeof path, DEVICES "/%s/events/%s.scale", pmu->name,
		 alias);
	if (!sysfs_text(p->root, path, text, sizeof text) ||
	    !scale_parse(text, &scale))
		return 0;
	snprintf(path, sizeof path, DEVICES "/%s/events/%s.unit", pmu->name,
		 alias);
	(void)sysfs_text(p->root, path, text, sizeof text);
	for (unsigned i = 0; i < sizeof unit / sizeof *unit; i++)
		if (strcmp(text, unit[i].name) == 0)
			return scale * unit[i].is;
	return 0;
}

struct counted {
	const char *native;
	enum power_what what;
	double scale; /* J or bytes per count if no file has it; 0: none */
};

static bool
box_add_event(struct power_linux *p, const char *name, const struct counted *c)
{
	struct perf_code code;
	struct cpu_list cpus;
	struct pmu_linux pmu;
	char path[128];
	bool alias = c->native[0] == '@';
	double scale = 0;

	snprintf(path, sizeof path, DEVICES "/%s/cpumask", name);
	if (!pmu_linux_open(&pmu, p->root, name) ||
	    !sysfs_list(p->root, path, &cpus) ||
	    !(alias ? pmu_linux_alias(&pmu, c->native + 1, NULL, &code, NULL)
		    : pmu_linux_terms(&pmu, c->native, &code, NULL)))
		return false;
	if (alias)
		scale = event_scale(p, &pmu, c->native + 1);
	if (scale == 0)
		scale = c->scale;
	for (int cpu = 0; scale > 0 && cpu < CPU_LIST_MAX; cpu++) {
		struct power_box *box;
		int rail;

		if (!cpus.in[cpu])
			continue;
		rail = power_linux_rail(p, c->what,
					cpu_package(p->topology, cpu), name);
		box = realloc(p->box, (p->nboxes + 1) * sizeof *box);
		if (rail < 0 || box == NULL) {
			p->box = box != NULL ? box : p->box;
			return false;
		}
		p->box = box;
		box += p->nboxes++;
		*box = (struct power_box){
			.plan = { .len = 1, .excludes_nothing = true },
			.cpu = cpu,
			.rail = (unsigned)rail,
			.scale = scale,
		};
		box->plan.member[0].code = code;
		box->plan.member[0].what = FIXED_CYCLES;
	}
	return scale > 0 && cpus.len > 0;
}

static int
box_open(struct power_linux *p, struct power_box *b)
{
	int code = group_open(&b->group, &p->port, &b->plan, b->cpu);

	b->group.sleeps = true; /* its counted time can stand still */
	b->begun = false;
	return code;
}

struct mark {
	unsigned nrails, nboxes;
};

static struct mark
power_mark_now(const struct power_linux *p)
{
	return (struct mark){ p->source.nrails, p->nboxes };
}

static void
power_back_to(struct power_linux *p, struct mark m)
{
	for (unsigned i = m.nboxes; i < p->nboxes; i++)
		group_close(&p->box[i].group, &p->port);
	p->nboxes = m.nboxes;
	p->source.nrails = m.nrails;
}

/* Opens all counters added since m, or none. Returns 0 or errno. Leaves enough
 * descriptors for the largest set of core counters. */
static int
power_open_since(struct power_linux *p, struct mark m, uint64_t used)
{
	const struct perf_ops *ops = p->port.ops;
	uint64_t want =
		used + p->nboxes + (uint64_t)p->topology->ncpus * GROUP_MAX;
	int code = ops->limit(ops->self, want) < want ? EMFILE : 0;

	for (unsigned i = m.nboxes; code == 0 && i < p->nboxes; i++)
		code = box_open(p, &p->box[i]);
	if (code != 0)
		power_back_to(p, m);
	return code;
}

static void
power_explain(const struct power_linux *p, int code, const char *absent,
	      char *out, size_t size)
{
	struct err e = { ERR_NONE, "" };

	if (code == EMFILE)
		err_set(&e, ERR_FAIL,
			"the limit of open files is too low: raise ulimit -n");
	else if (code != 0 && !errno_means_no_pmu(code))
		(void)permission_explain(p->root, code, &e);
	snprintf(out, size, "%s", e.text[0] != '\0' ? e.text : absent);
}

/* A package includes its cores and GPU, and the platform everything: never add
 * them. AMD's power_core counts the energy of each core. */
static const struct {
	const char *pmu;
	struct counted event;
} energy_table[] = {
	{ "power", { "@energy-pkg", POWER_PACKAGE, 0 } },
	{ "power", { "@energy-cores", POWER_CPU, 0 } },
	{ "power", { "@energy-ram", POWER_DRAM, 0 } },
	{ "power", { "@energy-gpu", POWER_GPU, 0 } },
	{ "power", { "@energy-psys", POWER_PLATFORM, 0 } },
	{ "power_core", { "@energy-core", POWER_CPU, 0 } },
};

static bool
power_has(const struct power_linux *p, enum power_what what)
{
	for (unsigned i = 0; i < p->source.nrails; i++)
		if (p->source.rail[i].what == what)
			return true;
	return false;
}

static void
power_open_energy(struct power_linux *p, bool lazy, uint64_t used)
{
	const char *absent =
		"the kernel publishes no energy here: no PMU \"power\", no powercap (a virtual machine?)";
	bool unreadable = false;
	int why = 0;

	for (unsigned i = 0; i < sizeof energy_table / sizeof *energy_table;
	     i++) {
		struct mark m = power_mark_now(p);
		int code;

		/* A reading of power_core interrupts each core. */
		if (energy_table[i].event.what == POWER_CPU &&
		    (power_has(p, POWER_CPU) ||
		     (lazy && strcmp(energy_table[i].pmu, "power_core") == 0)))
			continue;
		if (!box_add_event(p, energy_table[i].pmu,
				   &energy_table[i].event)) {
			power_back_to(p, m);
			continue;
		}
		code = power_open_since(p, m, used);
		why = why == 0 ? code : why;
	}
	if (p->nboxes > 0 || powercap_open(p, &unreadable))
		return;
	if (unreadable)
		absent =
			"only root may read the energy (powercap): run ktop as root";
	power_explain(p, why, absent, p->source.no_energy,
		      sizeof p->source.no_energy);
}

enum { TRAFFIC_EVENTS = 4 };

/* The first row whose PMUs exist is used. Events are the kernel's aliases (@),
 * or codes of known models, from kernel drivers and vendors' tools. */
static const struct traffic {
	const char *pmu; /* PMU name without its number */
	struct counted event[TRAFFIC_EVENTS];
	unsigned char model[7]; /* models of Intel family 6; 0: any CPU */
} traffic_table[] = {
	/* Ice Lake servers: aliases of kernels without Linux commit
	 * 96fd2e89fba1 count some reads as writes. */
	{ "uncore_imc_",
	  { { "event=0x04,umask=0x0f", POWER_READ, 64 },
	    { "event=0x04,umask=0x30", POWER_WRITE, 64 } },
	  { 106, 108 } },
	{ "uncore_imc_",
	  { { "@cas_count_read", POWER_READ, 64 },
	    { "@cas_count_write", POWER_WRITE, 64 } },
	  { 0 } },
	{ "uncore_imc_", /* Sapphire and Emerald Rapids */
	  { { "event=0x05,umask=0xcf", POWER_READ, 64 },
	    { "event=0x05,umask=0xf0", POWER_WRITE, 64 } },
	  { 143, 207 } },
	{ "uncore_imc_", /* Granite Rapids, Sierra Forest: two subchannels */
	  { { "event=0x05,umask=0xcf", POWER_READ, 64 },
	    { "event=0x06,umask=0xcf", POWER_READ, 64 },
	    { "event=0x05,umask=0xf0", POWER_WRITE, 64 },
	    { "event=0x06,umask=0xf0", POWER_WRITE, 64 } },
	  { 173, 174, 175 } },
	{ "uncore_imc_", /* servers from Sandy Bridge to Cascade Lake */
	  { { "event=0x04,umask=0x03", POWER_READ, 64 },
	    { "event=0x04,umask=0x0c", POWER_WRITE, 64 } },
	  { 45, 62, 63, 79, 86, 85 } },
	{ "uncore_imc_free_running_",
	  { { "@data_read", POWER_READ, 0 },
	    { "@data_write", POWER_WRITE, 0 } },
	  { 0 } },
	{ "uncore_imc",
	  { { "@data_reads", POWER_READ, 0 },
	    { "@data_writes", POWER_WRITE, 0 } },
	  { 0 } },
	/* NVIDIA Grace: reads in units of 32 bytes, as the tool EAR counts
	 * them. The GPU's traffic is not included. */
	{ "nvidia_scf_pmu_",
	  { { "@cmem_rd_data", POWER_READ, 32 },
	    { "@cmem_wr_total_bytes", POWER_WRITE, 1 } },
	  { 0 } },
	{ "amd_umc_",
	  { { "event=0x0a,rdwrmask=0x1", POWER_READ, 64 },
	    { "event=0x0a,rdwrmask=0x2", POWER_WRITE, 64 } },
	  { 0 } },
};

enum { TRAFFICS = sizeof traffic_table / sizeof *traffic_table };

static unsigned
intel_model(const char *root)
{
	char text[4096];
	const char *vendor, *family, *model;

	if (!sysfs_text(root, "/proc/cpuinfo", text, sizeof text))
		return 0;
	vendor = cpuinfo_value(text, "vendor_id");
	family = cpuinfo_value(text, "cpu family");
	model = cpuinfo_value(text, "model");
	return vendor != NULL && strncmp(vendor, "GenuineIntel", 12) == 0 &&
			       family != NULL &&
			       strtoul(family, NULL, 10) == 6 && model != NULL
		       ? (unsigned)strtoul(model, NULL, 10)
		       : 0;
}

static bool
name_is_numbered(const char *name, const char *prefix)
{
	size_t n = strlen(prefix);

	if (strncmp(name, prefix, n) != 0)
		return false;
	if (prefix[n - 1] != '_')
		return name[n] == '\0';
	return name[n] != '\0' &&
	       name[n + strspn(name + n, "0123456789")] == '\0';
}

/* All PMUs of the row must work: a sum of only some would be too small. */
static void
power_add_traffic(struct power_linux *p, const char *name)
{
	const struct counted *c = p->traffic->event;

	if (!name_is_numbered(name, p->traffic->pmu))
		return;
	for (unsigned i = 0; i < TRAFFIC_EVENTS && c[i].native != NULL; i++)
		p->complete = box_add_event(p, name, &c[i]) && p->complete;
}

static bool
traffic_is_for(const struct traffic *t, unsigned model)
{
	return t->model[0] == 0 ||
	       (model != 0 &&
		memchr(t->model, (int)model, sizeof t->model) != NULL);
}

static void
power_open_traffic(struct power_linux *p, uint64_t used)
{
	unsigned model = intel_model(p->root);
	int why = 0;

	for (unsigned i = 0; why == 0 && i < TRAFFICS; i++) {
		struct mark m = power_mark_now(p);

		if (!traffic_is_for(&traffic_table[i], model))
			continue;
		p->traffic = &traffic_table[i];
		p->complete = true;
		power_linux_list(p, DEVICES, power_add_traffic);
		if (!p->complete)
			power_back_to(p, m);
		if (p->nboxes == m.nboxes)
			continue;
		why = power_open_since(p, m, used);
		if (why == 0)
			break;
	}
	if (power_has(p, POWER_READ) || resctrl_open(p))
		return;
	power_explain(
		p, why,
		"ktop supports no memory controller of this machine, and resctrl is not mounted",
		p->source.no_traffic, sizeof p->source.no_traffic);
}

static void
box_read(struct power_linux *p, struct power_box *b, struct power_reading *out)
{
	struct reading now, last = b->last;
	double count, enabled, running;

	if (!b->group.open) {
		(void)box_open(p, b);
		out->have = false;
		return;
	}
	switch (group_read(&b->group, &p->port)) {
	case GROUP_READ:
		break;
	case GROUP_DEAD:
		group_close(&b->group, &p->port);
		power_linux_begin_again(p, b->rail);
		out->have = false;
		return;
	case GROUP_SILENT:
		out->have = false;
		return;
	}
	(void)group_total(&b->group, FIXED_CYCLES, &now);
	count = (double)(now.count - last.count);
	enabled = (double)(now.enabled_ns - last.enabled_ns);
	running = (double)(now.running_ns - last.running_ns);
	/* The counter did not run: a later count is scaled. */
	if (b->begun && enabled > 0 && !(running > 0)) {
		out->have = false;
		return;
	}
	if (b->begun && running < enabled) {
		out->marks |= POWER_SCALED;
		count *= enabled / running;
	}
	p->total[b->rail] += b->begun ? count * b->scale : 0;
	b->begun = true;
	b->last = now;
}

static bool
linux_read(struct power_source *s, int64_t now_ns,
	   struct power_reading out[POWER_RAILS], struct err *e)
{
	struct power_linux *p = (struct power_linux *)(void *)s;

	(void)e;
	for (unsigned i = 0; i < s->nrails; i++)
		out[i] =
			(struct power_reading){ .have = true, .at_ns = now_ns };
	for (unsigned i = 0; i < p->nboxes; i++)
		box_read(p, &p->box[i], &out[p->box[i].rail]);
	power_files_read(p, now_ns, out);
	for (unsigned i = 0; i < s->nrails; i++)
		out[i].total = p->total[i];
	return true;
}

static void
linux_close(struct power_source *s)
{
	struct power_linux *p = (struct power_linux *)(void *)s;

	power_back_to(p, (struct mark){ 0, 0 });
	topology_free(p->topology);
	free(p->box);
	free(p->root);
	free(p);
}

static const struct power_ops linux_power = { .read = linux_read,
					      .close = linux_close };

struct power_source *
perf_power(struct source *base, struct err *e)
{
	struct perf_source *s = perf_of(base);
	struct power_linux *p;

	if (s->port.ops == NULL)
		return err_null(e, ERR_NO_PMU,
				"a recorded machine (--root) has no energy");
	p = calloc(1, sizeof *p);
	/* Copy the topology, since the source may be closed first. */
	if (p != NULL)
		p->topology = topology_copy(s->topology, e);
	if (p != NULL && s->root != NULL)
		p->root = strdup(s->root);
	if (p == NULL || p->topology == NULL ||
	    (s->root != NULL && p->root == NULL)) {
		if (p != NULL)
			linux_close(&p->source);
		return err_null(e, ERR_FAIL, "perf: out of memory");
	}
	p->source.ops = &linux_power;
	p->port = s->port;
	p->resctrl = p->throttle = -1;
	snprintf(p->source.no_clock, sizeof p->source.no_clock,
		 "Linux does not report the requested clock");
	/* The descriptors of an earlier power source are closed already. */
	s->used -= s->power_files;
	power_open_energy(p, s->lazy, s->used);
	power_open_traffic(p, s->used);
	throttle_open(p);
	s->power_files = p->nboxes;
	s->used += s->power_files;
	return &p->source;
}

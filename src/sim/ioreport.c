/* The simulated libIOReport: energy, memory traffic and clocks, calculated from
 * the same work as the counts. Values are published at the intervals of the
 * machine's macOS. docs/SIMULATION.md has the formulas. */
#include "sim/ioreport.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/foundation.h"
#include "sim/inside.h"

enum { CHANNELS = 512, BUCKETS = CF_STATES - 1 };

/* Energy per cycle (pJ) and static power of an online CPU (uW), by class. */
static const struct {
	unsigned pj_cycle, uw_static;
} energy_table[SIM_CLASS_COUNT] = { [SIM_CLASS_FAST] = { 900, 40000 },
				    [SIM_CLASS_MID] = { 500, 25000 },
				    [SIM_CLASS_SLOW] = { 150, 8000 },
				    [SIM_CLASS_INTEL] = { 2000, 100000 } };

/* DRAM bytes per memory-bound cycle; other cycles per DRAM byte. */
enum { BYTES_MEMORY = 4, CYCLES_BYTE = 8 };
/* Energy per DRAM byte in pJ; base power of DRAM and GPU in mW. */
enum { PJ_BYTE = 20, DRAM_MW = 150, GPU_MW = 60 };

enum what {
	OF_CPUS,
	OF_CLUSTER,
	OF_CORE, /* energy of a core, 1/6 of its cluster's */
	OF_DRAM,
	OF_GPU,
	OF_ANE, /* always 0 */
	OF_READS,
	OF_WRITES,
	OF_RANGES, /* time in each range of traffic, in GB/s */
	OF_STEPS,
	OF_SOMETHING /* energy that another channel includes */
};

struct channel {
	const char *group, *subgroup, *unit;
	char name[CF_NAME];
	enum what what;
	unsigned at; /* number of the cluster or die */
};

/* Totals of a cluster. All times except range_ns are sums over its CPUs. */
struct done {
	uint64_t cycles, memory_cycles, on_ns;
	uint64_t at_step_ns[SIM_STEPS + 1], idle_ns;
	uint64_t range_ns[BUCKETS + 1];
};

static struct {
	bool on;
	unsigned nchannels;
	struct channel channel[CHANNELS];
	int64_t at_ns;
	struct done done[SIM_MAX_CLUSTERS], published[SIM_MAX_CLUSTERS];
	int64_t published_ns; /* time of the last publication; 0: none */
	unsigned samples;
} power;

static unsigned
step_of(const struct sim_kind *kind, unsigned mhz)
{
	unsigned i = 0;

	while (i < SIM_STEPS - 1 && kind->mhz[i] < mhz)
		i++;
	return i;
}

static uint64_t
bytes_of(const struct done *d)
{
	return d->memory_cycles * BYTES_MEMORY +
	       (d->cycles - d->memory_cycles) / CYCLES_BYTE;
}

static void
add_cpu(struct sim_kernel *k, unsigned cpu, int64_t from, int64_t to)
{
	const struct work_cpu *w = &k->work.cpu[cpu];
	struct done *d = &power.done[sim_machine_cluster(k->m, cpu)];
	const struct sim_kind *kind = &k->m->kind[w->kind];
	struct work_done before, after;
	int64_t on_from = from - sim_off_ns(k, cpu, from);
	int64_t on_to = to - sim_off_ns(k, cpu, to);
	uint64_t grain = (uint64_t)on_from / WORK_GRAIN_NS % w->grains;

	sim_counts_done(k, cpu, from, &before);
	sim_counts_done(k, cpu, to, &after);
	for (unsigned a = 0; a < WORK_ACTIVITIES; a++)
		d->cycles += after.cycles[a] - before.cycles[a];
	d->memory_cycles +=
		after.cycles[WORK_MEMORY] - before.cycles[WORK_MEMORY];
	d->on_ns += (uint64_t)(on_to - on_from);
	d->idle_ns += after.idle_ns - before.idle_ns;
	d->at_step_ns[step_of(kind, w->mix[grain].mhz)] +=
		after.user_ns - before.user_ns + after.kernel_ns -
		before.kernel_ns;
}

static void
add_range(unsigned cluster, const struct done *before, int64_t ns)
{
	struct done *d = &power.done[cluster];
	uint64_t gbs = (bytes_of(d) - bytes_of(before)) / (uint64_t)ns;

	if (sim_spec_now()->power & SIM_POWER_SATURATED)
		gbs += 60;
	d->range_ns[gbs < BUCKETS ? gbs : BUCKETS - 1] += (uint64_t)ns;
}

static void
go_to(struct sim_kernel *k, int64_t now)
{
	while (power.at_ns < now) {
		int64_t from = power.at_ns,
			to = (from / WORK_GRAIN_NS + 1) * WORK_GRAIN_NS;
		struct done before[SIM_MAX_CLUSTERS];

		if (to > now)
			to = now;
		memcpy(before, power.done, sizeof before);
		for (unsigned c = 0; c < k->ncpus; c++)
			add_cpu(k, c, from, to);
		for (unsigned c = 0; c < k->m->nclusters; c++)
			add_range(c, &before[c], to - from);
		power.at_ns = to;
	}
}

static int64_t
period_of(const struct sim_kernel *k)
{
	uint32_t how = sim_spec_now()->power;

	if (how & SIM_POWER_NEVER)
		return SIM_NEVER;
	if (how & SIM_POWER_30MIN)
		return 1800 * SIM_SECOND_NS;
	if (how & SIM_POWER_2S)
		return 2100000000;
	if ((how & SIM_POWER_SAMPLE) || k->s->os < SIM_OS(27, 0))
		return 0;
	return strcmp(k->m->name, "m5ultra") == 0 ? 1800 * SIM_SECOND_NS
	       : strcmp(k->m->name, "m3") == 0    ? SIM_NEVER
						  : 2100000000;
}

/* Period 0: publishes at each sample. SIM_NEVER: never. Other periods: at the
 * end of each period, and again 14 ms later. */
static void
publish(struct sim_kernel *k, int64_t now)
{
	static const int64_t tail = 14000000;
	int64_t period = period_of(k);
	int64_t at =
		period == 0 ? now
		: period == SIM_NEVER
			? 0
			: SIM_START_NS + (now - SIM_START_NS) / period * period;

	if (period != 0 && period != SIM_NEVER && now - at >= tail)
		at += tail;
	if (at > power.published_ns && period != SIM_NEVER) {
		go_to(k, at);
		memcpy(power.published, power.done, sizeof power.published);
		power.published_ns = at;
	}
	go_to(k, now);
}

static uint64_t
cluster_uj(const struct sim_kernel *k, unsigned cluster)
{
	const struct done *d = &power.published[cluster];
	unsigned class = k->m->kind[k->m->cluster[cluster].kind].class;

	return d->cycles / 1000 * energy_table[class].pj_cycle / 1000 +
	       d->on_ns / 1000000 * energy_table[class].uw_static / 1000;
}

static int64_t
value_of(const struct sim_kernel *k, const struct channel *c)
{
	uint64_t uj = 0, bytes = 0;
	int64_t since =
		(power.published_ns - SIM_START_NS) / 1000000; /* in ms */

	for (unsigned i = 0; i < k->m->nclusters; i++) {
		if (c->what == OF_CPUS && k->m->cluster[i].die == c->at)
			uj += cluster_uj(k, i);
		bytes += bytes_of(c->what == OF_DRAM ? &power.published[i]
						     : &power.done[i]);
	}
	switch (c->what) {
	case OF_CPUS:
		return (int64_t)(uj / 1000);
	case OF_CLUSTER:
		return (int64_t)(cluster_uj(k, c->at) / 1000);
	case OF_CORE:
	case OF_SOMETHING:
		return (int64_t)(cluster_uj(k, c->at) / 6000);
	case OF_DRAM:
		return (int64_t)(bytes / 1000000 * PJ_BYTE / 1000) +
		       since * DRAM_MW / 1000;
	case OF_GPU:
		return (power.at_ns - SIM_START_NS) / 1000 * GPU_MW;
	case OF_READS:
		return (int64_t)(bytes - bytes / 4);
	case OF_WRITES:
		return (int64_t)(bytes / 4);
	default:
		return 0;
	}
}

static void
add(const char *group, const char *subgroup, const char *unit, enum what what,
    unsigned at, const char *name)
{
	struct channel *c = &power.channel[power.nchannels];

	if (power.nchannels == CHANNELS)
		return;
	*c = (struct channel){ group, subgroup, unit, "", what, at };
	snprintf(c->name, sizeof c->name, "%s", name);
	power.nchannels++;
}

#define NAMED(...) (snprintf(name, sizeof name, __VA_ARGS__), name)

/* Number of the cluster, from 0, among the clusters of its kind on its die; -1:
 * no other is of its kind. */
static int
number_of(const struct sim_machine *m, unsigned cluster)
{
	int n = 0, all = 0;

	for (unsigned i = 0; i < m->nclusters; i++) {
		bool like = m->cluster[i].kind == m->cluster[cluster].kind &&
			    m->cluster[i].die == m->cluster[cluster].die;

		n += like && i < cluster;
		all += like;
	}
	return all > 1 ? n : -1;
}

static void
add_cluster(const struct sim_machine *m, unsigned i, bool five)
{
	const struct sim_cluster *c = &m->cluster[i];
	char letter = m->kind[c->kind].letter[0], name[CF_NAME], die[8] = "",
	     nth[12] = "";
	int n = number_of(m, i);

	if (m->cluster[m->nclusters - 1].die > 0)
		snprintf(die, sizeof die, "DIE_%u_", c->die);
	if (n >= 0 || letter == 'M')
		snprintf(nth, sizeof nth, "%d", n >= 0 ? n : 0);
	if (five) {
		for (unsigned k = 0; k < c->ncpus; k++)
			add("Energy Model", "", "mJ", OF_CORE, i,
			    letter == 'P' ? NAMED("%sPACC_%u", die, k)
					  : NAMED("%sMCPU%s_%u", die, nth, k));
		add("Energy Model", "", "mJ", OF_CLUSTER, i,
		    letter == 'E' ? NAMED("%sEACC_CPU", die)
				  : NAMED("%s%cCPU%s", die, letter, nth));
		/* The names lack the die, and each is listed twice. */
		for (unsigned k = 0; k < 60; k++)
			add("Energy Model", "", "mJ", OF_SOMETHING, i,
			    NAMED("%cCPU%sDTL%02x", letter, nth, k % 30));
	} else {
		for (unsigned k = 0; k < c->ncpus; k++)
			add("Energy Model", "", "mJ", OF_CORE, i,
			    NAMED("%s%cACC%s_CPU%u", die, letter, nth, k));
		add("Energy Model", "", "mJ", OF_CLUSTER, i,
		    NAMED("%s%cACC%s_CPU", die, letter, nth));
		add("Energy Model", "", "mJ", OF_SOMETHING, i,
		    NAMED("%s%cACC%s_CPU_SRAM", die, letter, nth));
	}
	add("CPU Stats", "CPU Complex Performance States", "24Mticks", OF_STEPS,
	    i,
	    NAMED("%s%cCPU%s", die, letter,
		  n > 0 || (n == 0 && letter == 'M') ? nth : ""));
	add("CPU Stats", "CPU Complex Performance States", "24Mticks", OF_STEPS,
	    i, NAMED("%s%cCPM%s", die, letter, nth));
	add(sim_spec_now()->power & SIM_POWER_PMP0 ? "PMP0" : "PMP", "DCS BW",
	    "24Mticks", OF_RANGES, i,
	    NAMED("%cACC%u RD+WR", letter, n > 0 ? (unsigned)n : 0));
}

static void
add_channels(const struct sim_kernel *k)
{
	const struct sim_machine *m = k->m;
	uint32_t how = sim_spec_now()->power;
	bool five = strncmp(m->name, "m5", 2) == 0;
	unsigned dies = m->cluster[m->nclusters - 1].die + 1;
	char name[CF_NAME];

	power.nchannels = 0;
	power.at_ns = SIM_START_NS;
	if (m->pmu != 2 || m->virtual_machine ||
	    (sim_spec_now()->step && how == 0))
		return;
	if (strcmp(m->name, "neo") == 0) { /* the A18 has no CPU energy */
		add("Energy Model", "", "nJ", OF_GPU, 0, "GPU Energy");
		for (unsigned i = 1; i <= 5; i++) {
			add("PMP", "DRAM BW", "B", OF_READS, 0,
			    NAMED("F%u RD", i));
			add("PMP", "DRAM BW", "B", OF_WRITES, 0,
			    NAMED("F%u WR", i));
		}
		return;
	}
	if (how & SIM_POWER_UNKNOWN) {
		add("Energy Model", "", "mJ", OF_SOMETHING, 0, "XCPU0");
		return;
	}
	for (unsigned i = 0; i < m->nclusters; i++)
		add_cluster(m, i, five);
	for (unsigned d = 0; d < dies && (how & SIM_POWER_NOTOTAL) == 0; d++)
		add("Energy Model", "", "mJ", OF_CPUS, d,
		    dies > 1 ? NAMED("DIE_%u_CPU Energy", d) : "CPU Energy");
	add("Energy Model", "", "mJ", OF_DRAM, 0, five ? "DRAM0" : "DRAM");
	add("Energy Model", "", "mJ", OF_GPU, 0, "GPU0");
	add("Energy Model", "", "nJ", OF_GPU, 0, "GPU Energy");
	add("Energy Model", "", "mJ", OF_ANE, 0, five ? "ANE0" : "ANE");
	/* From macOS 27 on, these channels cannot be subscribed to. */
	add("AMC Stats", "Perf Counters", "B", OF_READS, 0, "DCS RD");
	add("AMC Stats", "Perf Counters", "B", OF_WRITES, 0, "DCS WR");
}

static struct cf_object *
channel_new(const struct channel *c)
{
	struct cf_object *o = cf_new(CF_CHANNEL);

	o->channel = c;
	return o;
}

static bool
publish_channels(void)
{
	struct sim_kernel *k = sim_lock();

	if (k == NULL)
		return false;
	if (!power.on)
		add_channels(k);
	power.on = true;
	sim_unlock();
	return true;
}

static struct cf_object *
dictionary_new(void)
{
	struct cf_object *o = cf_new(CF_DICTIONARY);

	o->list = cf_new(CF_LIST);
	return o;
}

static void *
copy_channels(const void *group, const void *subgroup, uint64_t a, uint64_t b,
	      uint64_t c)
{
	const struct cf_object *g = group, *s = subgroup;

	(void)a;
	(void)b;
	(void)c;
	if (!publish_channels())
		return NULL;

	struct cf_object *all = dictionary_new();

	for (unsigned i = 0; i < power.nchannels; i++)
		if ((g == NULL ||
		     strcmp(power.channel[i].group, g->text) == 0) &&
		    (s == NULL ||
		     strcmp(power.channel[i].subgroup, s->text) == 0))
			cf_append(all->list, channel_new(&power.channel[i]));
	if (all->list->n > 0)
		return all;
	cf_release(all);
	return NULL;
}

static void *
copy_all(uint64_t a, uint64_t b)
{
	return copy_channels(NULL, NULL, a, b, 0);
}

static int
get_format(const void *channel)
{
	const struct cf_object *o = channel;

	return o->channel->what == OF_RANGES || o->channel->what == OF_STEPS
		       ? 2
		       : 1;
}

static void
merge(void *into, const void *from, const void *null)
{
	const struct cf_object *f = from;

	(void)null;
	for (long i = 0; i < f->list->n; i++)
		cf_append(((struct cf_object *)into)->list,
			  channel_new(f->list->item[i]->channel));
}

static bool
subscribable(const struct channel *c)
{
	const struct sim_spec *s = sim_spec_now();

	return strcmp(c->group, "AMC Stats") != 0 ||
	       (s->os < SIM_OS(27, 0) && (s->power & SIM_POWER_DENIED) == 0);
}

static void *
subscribe(void *null, void *wanted, void **subscribed, uint64_t zero,
	  const void *null2)
{
	const struct cf_object *w = wanted;
	struct cf_object *all = dictionary_new();

	(void)null;
	(void)zero;
	(void)null2;
	for (long i = 0; i < w->list->n; i++)
		if (subscribable(w->list->item[i]->channel))
			cf_append(all->list,
				  channel_new(w->list->item[i]->channel));
	if (all->list->n == 0) {
		cf_release(all);
		*subscribed = NULL;
		return NULL;
	}
	*subscribed = all;
	return cf_new(CF_SUBSCRIPTION);
}

static int64_t
ticks_of(uint64_t ns, unsigned ncpus)
{
	return (int64_t)(ns / ncpus * 3 / 125);
}

static void
fill_states(struct cf_object *o, const struct sim_machine *m)
{
	const struct channel *c = o->channel;
	const struct done *d = &power.done[c->at];
	unsigned ncpus = m->cluster[c->at].ncpus;

	if (c->what == OF_RANGES) {
		o->nstates = BUCKETS;
		for (unsigned i = 0; i < BUCKETS; i++)
			o->ticks[i] = ticks_of(d->range_ns[i], 1);
		return;
	}
	/* If throttled, the requested clock is a step above the actual one. */
	unsigned up = sim_spec_now()->power & SIM_POWER_THROTTLE ? 1 : 0;

	o->nstates = 1 + SIM_STEPS;
	o->ticks[0] = ticks_of(d->idle_ns, ncpus);
	for (unsigned i = 0; i < SIM_STEPS; i++) {
		unsigned to = i + up < SIM_STEPS ? i + up : SIM_STEPS - 1;

		o->ticks[1 + to] += ticks_of(d->at_step_ns[i], ncpus);
	}
}

static uint64_t
time_of(const struct sim_kernel *k, const struct channel *c)
{
	uint32_t how = sim_spec_now()->power;
	int64_t ns = c->what == OF_GPU || c->group[0] == 'A'
			     ? power.at_ns
			     : power.published_ns;

	if (how & SIM_POWER_TIME0)
		return 0;
	if (how & SIM_POWER_FROZEN)
		ns = SIM_START_NS;
	if (how & SIM_POWER_FUTURE)
		ns += 3600 * SIM_SECOND_NS;
	return sim_ticks(k, (uint64_t)ns);
}

static struct cf_object *
channel_read(const struct sim_kernel *k, const struct channel *c)
{
	struct cf_object *o = channel_new(c);
	uint32_t how = sim_spec_now()->power;
	uint64_t ticks = time_of(k, c);

	if (c->what == OF_RANGES || c->what == OF_STEPS)
		fill_states(o, k->m);
	else
		o->value = value_of(k, c);
	/* power=falls: from the fourth sample on, the totals of clusters are
	 * lower. */
	if ((how & SIM_POWER_FALLS) && power.samples > 3 &&
	    c->what == OF_CLUSTER)
		o->value /= 1024;
	if ((how & SIM_POWER_NOTHING) && c->group[0] == 'A')
		o->value = INT64_MIN;
	o->elements = cf_new(CF_DATA);
	memcpy(o->elements->data + 24, &ticks, sizeof ticks);
	return o;
}

static const void *
take_sample(void *subscription, void *subscribed, const void *null)
{
	const struct cf_object *all = subscribed;
	struct sim_kernel *k = sim_lock();
	struct cf_object *sample = NULL;
	struct stamp now;

	(void)subscription;
	(void)null;
	if (k == NULL)
		return NULL;
	sim_kernel_now(k, &now);
	publish(k, now.awake_ns);
	if (++power.samples != 3 ||
	    (sim_spec_now()->power & SIM_POWER_NOSAMPLE) == 0) {
		sample = dictionary_new();
		for (long i = 0; i < all->list->n; i++)
			cf_append(sample->list,
				  channel_read(k, all->list->item[i]->channel));
	}
	sim_unlock();
	return sample;
}

#define GETTER(function, field)                                               \
	static const void *function(const void *channel)                      \
	{                                                                     \
		return cf_lasting(                                            \
			((const struct cf_object *)channel)->channel->field); \
	}
GETTER(get_group, group)
GETTER(get_subgroup, subgroup)
GETTER(get_name, name)
GETTER(get_unit, unit)

static int64_t
get_value(const void *channel, int32_t zero)
{
	(void)zero;
	return ((const struct cf_object *)channel)->value;
}

static int32_t
get_states(const void *channel)
{
	return ((const struct cf_object *)channel)->nstates;
}

static const void *
get_state(const void *channel, int32_t i)
{
	const struct cf_object *o = channel;
	char name[CF_NAME];

	if (o->channel->what == OF_RANGES)
		return cf_lasting(NAMED("%4dGB/s", (int)i + 1));
	return cf_lasting(
		i == 0 ? "IDLE"
		       : NAMED("V%dP%d", (int)i - 1, SIM_STEPS - (int)i));
}

static int64_t
get_ticks(const void *channel, int32_t i)
{
	return ((const struct cf_object *)channel)->ticks[i];
}

/* Tables of clock steps are in Hz up to M3 and for A18, in kHz from M4 on. */
static long
get_pmgr(const char *key, unsigned char *out, long size)
{
	struct sim_kernel *k = sim_lock();
	unsigned table = 0;
	long n = -1;

	if (k == NULL)
		return -1;
	const struct sim_machine *m = k->m;
	bool khz = m->name[0] == 'm' && m->name[1] >= '4';

	(void)sscanf(key, "voltage-states%u-sram", &table);
	for (unsigned i = 0; i < m->nkinds; i++) {
		char letter = m->kind[i].letter[0];
		bool its = letter == 'E'   ? table == 1
			   : letter == 'P' ? table == 5
					   : table == 22 || table == 23;

		if (!its || size < 8 * SIM_STEPS)
			continue;
		n = 8 * SIM_STEPS;
		memset(out, 0, (size_t)n);
		for (unsigned s = 0; s < SIM_STEPS; s++) {
			uint32_t f =
				m->kind[i].mhz[s] * (khz ? 1000u : 1000000u);

			memcpy(out + 8 * s, &f, sizeof f);
		}
	}
	sim_unlock();
	return n;
}

/* Thermal pressure stays nominal when clocks are throttled, as on Macs. */
static int
get_pressure(void)
{
	struct sim_kernel *k = sim_lock();
	struct stamp now;
	int level = 0;

	if (k == NULL)
		return -1;
	sim_kernel_now(k, &now);
	if (power.nchannels == 0 || (sim_spec_now()->power & SIM_POWER_NOHEAT))
		level = -1;
	else if ((sim_spec_now()->power & SIM_POWER_HOT) &&
		 now.awake_ns >= SIM_START_NS + 10 * SIM_SECOND_NS)
		level = 2;
	sim_unlock();
	return level;
}

static const struct ioreport_api api = {
	.IOReportCopyChannelsInGroup = copy_channels,
	.IOReportCopyAllChannels = copy_all,
	.IOReportChannelGetFormat = get_format,
	.IOReportMergeChannels = merge,
	.IOReportCreateSubscription = subscribe,
	.IOReportCreateSamples = take_sample,
	.IOReportChannelGetGroup = get_group,
	.IOReportChannelGetSubGroup = get_subgroup,
	.IOReportChannelGetChannelName = get_name,
	.IOReportChannelGetUnitLabel = get_unit,
	.IOReportSimpleGetIntegerValue = get_value,
	.IOReportStateGetCount = get_states,
	.IOReportStateGetNameForIndex = get_state,
	.IOReportStateGetResidency = get_ticks,
	.CFStringCreateWithCString = cf_string,
	.CFStringGetCString = cf_text,
	.CFDictionaryGetValue = cf_get,
	.CFArrayGetCount = cf_count,
	.CFArrayGetValueAtIndex = cf_at,
	.CFArrayRemoveValueAtIndex = cf_remove,
	.CFDataGetBytePtr = cf_bytes,
	.CFDataGetLength = cf_length,
	.CFRelease = cf_release,
	.pmgr = get_pmgr,
	.pressure = get_pressure,
	.numer = 125,
	.denom = 3
};

const struct ioreport_api *
sim_ioreport(void)
{
	return &api;
}

unsigned
sim_ioreport_objects(void)
{
	return cf_objects();
}

void
sim_ioreport_stop(void)
{
	memset(&power, 0, sizeof power);
	cf_reset();
}

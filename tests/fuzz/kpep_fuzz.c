/*
 * The answers of the two private frameworks: a Mac's own, but of a version
 * that nobody has seen. Each call that the source makes is answered by the
 * simulator, and then changed as the input says: a byte a call, 0 leaves it.
 */
#include "model/metric.h"
#include "monitor/monitor.h"
#include "sim/sim.h"
#include "source/kperf/kperf.h"

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { ODD_MAX = 7, ROWS = 4096 };

static const uint8_t *input;
static size_t left;
static struct kperf_api kpc;
static struct kperfdata_api kpep;

static const char *const odd[ODD_MAX] = {
	"",
	"\033]0;x\007",
	"%s%n",
	"INST_ALL",
	"=1+1",
	"\xff\xfe\xfd",
	"A very long name of an event that nobody would give to an event, "
	"which goes on and on until it does not fit into anything at all, and "
	"even then does not end but goes on for a while, as long as this line"
};

static uint8_t
next(void)
{
	if (left == 0)
		return 0;
	left--;
	return *input++;
}

/* 0 or what the framework says; sometimes an error. */
static int
result(int real)
{
	static const int why[] = { EPERM, EACCES, EBUSY, ENOENT, EINVAL };
	uint8_t b = next();

	if (b < 200)
		return real;
	errno = why[b % 5];
	return b & 1 ? -1 : errno;
}

static uint32_t
number(uint32_t real)
{
	static const uint32_t other[] = { 0,  1,   2,      8,     10,
					  11, 255, 0x7fff, ~0u,   0x80000000u,
					  32, 33,  64,     0xfffu };
	uint8_t b = next();

	return b < 128 ? real : other[b % 14];
}

static void
text(const char **at)
{
	uint8_t b = next();

	if (b >= 192)
		*at = b == 255 ? NULL : odd[b % ODD_MAX];
}

static uint32_t
get_counting(void)
{
	return number(sim_kperf()->kpc_get_counting());
}

static uint32_t
config_count(uint32_t classes)
{
	uint32_t n = number(sim_kperf()->kpc_get_config_count(classes));

	/* More words than there are would be the framework's own overrun. */
	return n > 32 ? sim_kperf()->kpc_get_config_count(classes) : n;
}

static uint32_t
counter_count(uint32_t classes)
{
	return number(sim_kperf()->kpc_get_counter_count(classes));
}

static int
get_config(uint32_t classes, uint64_t *words)
{
	int r = sim_kperf()->kpc_get_config(classes, words);

	words[0] ^= (uint64_t)next() << 8;
	return result(r);
}

static int
set_config(uint32_t classes, uint64_t *words)
{
	return result(sim_kperf()->kpc_set_config(classes, words));
}

static int
set_counting(uint32_t classes)
{
	return result(sim_kperf()->kpc_set_counting(classes));
}

static int
get_counters(bool all, uint32_t classes, int *cpu, uint64_t *buf)
{
	int r = sim_kperf()->kpc_get_cpu_counters(all, classes, cpu, buf);
	uint8_t b = next();

	*cpu = (int)number((uint32_t)*cpu);
	if (b >= 128)
		buf[b % 8] = (uint64_t)next() << (b % 64);
	return result(r);
}

static int
force_set(int value)
{
	return result(sim_kperf()->kpc_force_all_ctrs_set(value));
}

static int
force_get(int *value)
{
	int r = sim_kperf()->kpc_force_all_ctrs_get(value);

	*value = (int)number((uint32_t)*value);
	return result(r);
}

static int
cpu_string(char *buf, size_t size)
{
	int r = sim_kperf()->kpc_cpu_string(buf, size);

	return result(r);
}

static int
db_create(const char *name, struct kpep_db **db)
{
	return next() < 240 ? sim_kperfdata()->kpep_db_create(name, db) : 1;
}

static int
db_name(struct kpep_db *db, const char **name)
{
	int r = sim_kperfdata()->kpep_db_name(db, name);

	text(name);
	return r;
}

/* Fewer than there are: more would be the framework's own overrun. */
static int
events_count(struct kpep_db *db, size_t *n)
{
	int r = sim_kperfdata()->kpep_db_events_count(db, n);
	uint8_t b = next();

	if (b >= 192)
		*n = *n * (b - 192) / 64;
	return r;
}

static int
event_name(struct kpep_event *ev, const char **at)
{
	int r = sim_kperfdata()->kpep_event_name(ev, at);

	text(at);
	return r;
}

static int
event_alias(struct kpep_event *ev, const char **at)
{
	int r = sim_kperfdata()->kpep_event_alias(ev, at);

	text(at);
	return r;
}

static int
event_description(struct kpep_event *ev, const char **at)
{
	int r = sim_kperfdata()->kpep_event_description(ev, at);

	text(at);
	return r;
}

static int
add_event(struct kpep_config *c, struct kpep_event **ev, uint32_t flag,
	  uint32_t *err)
{
	int r = sim_kperfdata()->kpep_config_add_event(c, ev, flag, err);

	return r != 0 || next() < 240 ? r : 12;
}

static int
kpc_classes(struct kpep_config *c, uint32_t *classes)
{
	int r = sim_kperfdata()->kpep_config_kpc_classes(c, classes);

	*classes = number(*classes);
	return r;
}

static int
kpc_count(struct kpep_config *c, size_t *n)
{
	int r = sim_kperfdata()->kpep_config_kpc_count(c, n);

	*n = number((uint32_t)*n);
	return r;
}

static int
kpc_map(struct kpep_config *c, size_t *map, size_t size)
{
	int r = sim_kperfdata()->kpep_config_kpc_map(c, map, size);

	if (size >= sizeof(*map))
		map[0] = number((uint32_t)map[0]);
	return r;
}

static void
twist(void)
{
	kpc = *sim_kperf();
	kpep = *sim_kperfdata();
	kpc.kpc_cpu_string = cpu_string;
	kpc.kpc_get_counting = get_counting;
	kpc.kpc_set_counting = set_counting;
	kpc.kpc_get_config_count = config_count;
	kpc.kpc_get_counter_count = counter_count;
	kpc.kpc_get_config = get_config;
	kpc.kpc_set_config = set_config;
	kpc.kpc_get_cpu_counters = get_counters;
	kpc.kpc_force_all_ctrs_set = force_set;
	kpc.kpc_force_all_ctrs_get = force_get;
	kpep.kpep_db_create = db_create;
	kpep.kpep_db_name = db_name;
	kpep.kpep_db_events_count = events_count;
	kpep.kpep_event_name = event_name;
	kpep.kpep_event_alias = event_alias;
	kpep.kpep_event_description = event_description;
	kpep.kpep_config_add_event = add_event;
	kpep.kpep_config_kpc_classes = kpc_classes;
	kpep.kpep_config_kpc_count = kpc_count;
	kpep.kpep_config_kpc_map = kpc_map;
}

static void
count(struct source *s, int preset)
{
	struct monitor_options mo = { .catalog = s->info.catalog };
	struct err e = { ERR_NONE, "" };
	struct monitor *m = monitor_new(s->info.topology, &mo, &e);
	struct sample *sample = sample_new(s->info.topology->ncpus, &e);
	struct eventset set;

	if (m == NULL || sample == NULL)
		abort();
	if (s->info.catalog != NULL &&
	    preset_derive(&preset_table[preset], s->info.catalog, DOMAIN_ALL,
			  &set, &e))
		(void)kperf_program(s, &set, &e);
	for (int i = 0; i < 6; i++) {
		struct stamp now;

		if (kperf_read(s, sample, &e) == SOURCE_OK)
			(void)monitor_feed(m, sample);
		clock_now(s->info.clock, &now);
		if (s->info.clock->stepped)
			s->info.clock->step(s->info.clock->self,
					    now.awake_ns + 1000000000);
	}
	monitor_free(m);
	sample_free(sample);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const machine[] = { "m1,clock=step", "m4,clock=step",
					       "m2max,clock=step",
					       "intel,clock=step" };
	struct source_options o = { .sim = NULL };
	struct err e = { ERR_NONE, "" };

	if (size < 2)
		return 0;
	if (!sim_start(machine[data[0] % 4], &e))
		abort();
	input = data + 2;
	left = size - 2;
	twist();
	struct source *s =
		kperf_open_with(&kpc, &kpep, sim_host(), "sim", &o, &e);

	if (s != NULL) {
		count(s, data[1] % (int)preset_count);
		kperf_close(s);
	}
	sim_stop();
	return 0;
}

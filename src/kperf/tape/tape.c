#include "kperf/tape/tape.h"

#include <errno.h>
#include <string.h>

/* The one engine: the functions behind it have no argument to carry it in. */
static struct {
	const struct tape_engine *engine;
	struct kpep_event *event[TAPE_EVENTS_MAX];
	unsigned nevents;
	/* Configurations by number; a played one is its place in `token`. */
	struct kpep_config *config[TAPE_CONFIGS_MAX];
	char token[TAPE_CONFIGS_MAX];
} tape;

const char *
tape_name(unsigned id)
{
	if (id < TAPE_KPERFDATA)
		return kperf_symbols[id].name;
	if (id < TAPE_CPU_LOAD)
		return kperfdata_symbols[id - TAPE_KPERFDATA].name;
	static const char *const more[] = { "cpu_load", "cpu_nodes",
					    "system_sysctl", "kdebug",
					    "kdebug_is_enabled" };

	return id < TAPE_IDS ? more[id - TAPE_CPU_LOAD] : NULL;
}

void
tape_engine_set(const struct tape_engine *e)
{
	tape.engine = e;
	if (e == NULL)
		memset(&tape, 0, sizeof tape);
}

void
tape_events_set(struct kpep_event *const *event, unsigned n)
{
	tape.nevents = n < TAPE_EVENTS_MAX ? n : TAPE_EVENTS_MAX;
	for (unsigned i = 0; i < tape.nevents; i++)
		tape.event[i] = event[i];
}

/* Should the real call be made? errno is then 0, to see what it sets. */
static bool
before(struct tape_call *c)
{
	c->error = errno; /* the caller's, in case the call sets none */
	if (tape.engine == NULL) {
		c->error = ENOENT;
		c->result = -1;
		return false;
	}
	if (!tape.engine->before(tape.engine->self, c))
		return false;
	errno = 0;
	return true;
}

/* Notes a real call, and leaves errno as the call did, or as it was. */
static void
after(struct tape_call *c, int found)
{
	c->error = errno;
	tape.engine->after(tape.engine->self, c);
	errno = c->error != 0 ? c->error : found;
}

/* A played answer: errno as it was recorded, else untouched. */
static void
answer(const struct tape_call *c, int found)
{
	errno = c->error != 0 ? c->error : found;
}

/*
 * The shape of all functions: `args` makes the call's description, `real` the
 * call itself. A played call brings its result along.
 */
#define MEMBER_K(m) (tape.engine->kperf->m)
#define MEMBER_D(m) (tape.engine->kperfdata->m)
#define RUN(c, real)                                  \
	do {                                          \
		int found = errno;                    \
		if (before(&(c))) {                   \
			(c).result = (int64_t)(real); \
			after(&(c), found);           \
		} else {                              \
			answer(&(c), found);          \
		}                                     \
	} while (0)

/* clang-format off */
#define NO_ARG(type, m) \
static type m(void) \
{ \
	struct tape_call c = { .id = TAPE_KPERF_ID(m) }; \
	RUN(c, MEMBER_K(m)()); \
	return (type)c.result; \
}
#define ONE_ARG(type, m, atype) \
static type m(atype a) \
{ \
	struct tape_call c = { .id = TAPE_KPERF_ID(m), .nargs = 1, \
			       .arg = { (uint64_t)a } }; \
	RUN(c, MEMBER_K(m)(a)); \
	return (type)c.result; \
}
#define TWO_ARGS(type, m, atype, btype) \
static type m(atype a, btype b) \
{ \
	struct tape_call c = { .id = TAPE_KPERF_ID(m), .nargs = 2, \
			       .arg = { (uint64_t)a, (uint64_t)b } }; \
	RUN(c, MEMBER_K(m)(a, b)); \
	return (type)c.result; \
}
#define GET(m, otype) \
static int m(otype *out) \
{ \
	struct tape_call c = { .id = TAPE_KPERF_ID(m), \
			       .out = { { out, sizeof(*out) } } }; \
	RUN(c, MEMBER_K(m)(out)); \
	return (int)c.result; \
}
#define GET_OF(m, otype) \
static int m(uint32_t a, otype *out) \
{ \
	struct tape_call c = { .id = TAPE_KPERF_ID(m), .nargs = 1, \
			       .arg = { a }, \
			       .out = { { out, sizeof(*out) } } }; \
	RUN(c, MEMBER_K(m)(a, out)); \
	return (int)c.result; \
}

NO_ARG(uint32_t, kpc_pmu_version)
NO_ARG(uint32_t, kpc_get_counting)
ONE_ARG(int, kpc_set_counting, uint32_t)
NO_ARG(uint32_t, kpc_get_thread_counting)
ONE_ARG(int, kpc_set_thread_counting, uint32_t)
ONE_ARG(uint32_t, kpc_get_config_count, uint32_t)
ONE_ARG(uint32_t, kpc_get_counter_count, uint32_t)
ONE_ARG(int, kpc_force_all_ctrs_set, int)
GET(kpc_force_all_ctrs_get, int)
ONE_ARG(int, kperf_action_count_set, uint32_t)
GET(kperf_action_count_get, uint32_t)
TWO_ARGS(int, kperf_action_samplers_set, uint32_t, uint32_t)
GET_OF(kperf_action_samplers_get, uint32_t)
TWO_ARGS(int, kperf_action_filter_set_by_task, uint32_t, int32_t)
TWO_ARGS(int, kperf_action_filter_set_by_pid, uint32_t, int32_t)
ONE_ARG(int, kperf_timer_count_set, uint32_t)
GET(kperf_timer_count_get, uint32_t)
TWO_ARGS(int, kperf_timer_period_set, uint32_t, uint64_t)
GET_OF(kperf_timer_period_get, uint64_t)
TWO_ARGS(int, kperf_timer_action_set, uint32_t, uint32_t)
GET_OF(kperf_timer_action_get, uint32_t)
ONE_ARG(int, kperf_timer_pet_set, uint32_t)
GET(kperf_timer_pet_get, uint32_t)
ONE_ARG(int, kperf_sample_set, uint32_t)
GET(kperf_sample_get, uint32_t)
NO_ARG(int, kperf_reset)
ONE_ARG(uint64_t, kperf_ns_to_ticks, uint64_t)
ONE_ARG(uint64_t, kperf_ticks_to_ns, uint64_t)
NO_ARG(uint64_t, kperf_tick_frequency)
/* clang-format on */

static int
kpc_cpu_string(char *buf, size_t size)
{
	struct tape_call c = { .id = TAPE_KPERF_ID(kpc_cpu_string),
			       .nargs = 1,
			       .arg = { size },
			       .out = { { buf, size } } };

	RUN(c, MEMBER_K(kpc_cpu_string)(buf, size));
	return (int)c.result;
}

/* Sizes of these buffers are the engine's to find: the calls do not say. */
static int
kpc_get_config(uint32_t classes, uint64_t *config)
{
	struct tape_call c = { .id = TAPE_KPERF_ID(kpc_get_config),
			       .nargs = 1,
			       .arg = { classes },
			       .out = { { config, 0 } } };

	RUN(c, MEMBER_K(kpc_get_config)(classes, config));
	return (int)c.result;
}

static int
kpc_set_config(uint32_t classes, uint64_t *config)
{
	struct tape_call c = { .id = TAPE_KPERF_ID(kpc_set_config),
			       .nargs = 1,
			       .arg = { classes },
			       .in = config };

	RUN(c, MEMBER_K(kpc_set_config)(classes, config));
	return (int)c.result;
}

static int
kpc_get_cpu_counters(bool all_cpus, uint32_t classes, int *current_cpu,
		     uint64_t *buf)
{
	struct tape_call c = { .id = TAPE_KPERF_ID(kpc_get_cpu_counters),
			       .nargs = 2,
			       .arg = { all_cpus, classes },
			       .out = { { current_cpu, sizeof(int) },
					{ buf, 0 } } };

	RUN(c, MEMBER_K(kpc_get_cpu_counters)(all_cpus, classes, current_cpu,
					      buf));
	return (int)c.result;
}

static int
kpc_get_thread_counters(uint32_t tid, uint32_t count, uint64_t *buf)
{
	struct tape_call c = { .id = TAPE_KPERF_ID(kpc_get_thread_counters),
			       .nargs = 2,
			       .arg = { tid, count },
			       .out = { { buf, count * sizeof *buf } } };

	RUN(c, MEMBER_K(kpc_get_thread_counters)(tid, count, buf));
	return (int)c.result;
}

/* ---- configurations: pointers go by number ---- */

static uint64_t
config_number(const struct kpep_config *config)
{
	for (unsigned i = 0; i < TAPE_CONFIGS_MAX; i++)
		if (config != NULL && tape.config[i] == config)
			return i;
	return TAPE_CONFIGS_MAX;
}

static uint64_t
event_number(const struct kpep_event *event)
{
	for (unsigned i = 0; i < tape.nevents; i++)
		if (tape.event[i] == event)
			return i;
	return TAPE_EVENTS_MAX;
}

static struct kpep_event *
event_at(uint64_t number)
{
	return number < tape.nevents ? tape.event[number] : NULL;
}

static int
config_create(struct kpep_db *db, struct kpep_config **config)
{
	struct tape_call c = { .id = TAPE_DATA_ID(kpep_config_create) };
	unsigned i = 0;

	while (i + 1 < TAPE_CONFIGS_MAX && tape.config[i] != NULL)
		i++;
	*config = NULL;
	RUN(c, MEMBER_D(kpep_config_create)(db, config));
	if (c.result == 0 && *config == NULL)
		*config = (void *)&tape.token[i]; /* played: never looked at */
	tape.config[i] = *config;
	return (int)c.result;
}

static int
real_free(struct kpep_config *config)
{
	MEMBER_D(kpep_config_free)(config);
	return 0;
}

static void
config_free(struct kpep_config *config)
{
	uint64_t number = config_number(config);
	struct tape_call c = { .id = TAPE_DATA_ID(kpep_config_free),
			       .nargs = 1,
			       .arg = { number } };

	RUN(c, real_free(config));
	if (number < TAPE_CONFIGS_MAX)
		tape.config[number] = NULL;
}

static int
config_force(struct kpep_config *config)
{
	struct tape_call c = { .id = TAPE_DATA_ID(kpep_config_force_counters),
			       .nargs = 1,
			       .arg = { config_number(config) } };

	RUN(c, MEMBER_D(kpep_config_force_counters)(config));
	return (int)c.result;
}

/* The framework may exchange the event for its fallback. */
static int
real_add(struct kpep_config *config, struct kpep_event **event, uint32_t flag,
	 uint64_t *became, uint32_t *err)
{
	int code = MEMBER_D(kpep_config_add_event)(config, event, flag, err);

	*became = event_number(*event);
	return code;
}

static int
config_add(struct kpep_config *config, struct kpep_event **event, uint32_t flag,
	   uint32_t *err)
{
	uint64_t number = event_number(*event), became = number;
	uint32_t why = err != NULL ? *err : 0; /* kept where none is given */
	struct tape_call c = { .id = TAPE_DATA_ID(kpep_config_add_event),
			       .nargs = 3,
			       .arg = { config_number(config), number, flag },
			       .out = { { &became, sizeof became },
					{ &why, sizeof why } } };

	RUN(c, real_add(config, event, flag, &became, &why));
	if (err != NULL)
		*err = why;
	if (became != number)
		*event = event_at(became);
	return (int)c.result;
}

static int
config_remove(struct kpep_config *config, size_t at)
{
	struct tape_call c = { .id = TAPE_DATA_ID(kpep_config_remove_event),
			       .nargs = 2,
			       .arg = { config_number(config), at } };

	RUN(c, MEMBER_D(kpep_config_remove_event)(config, at));
	return (int)c.result;
}

static int
real_events(struct kpep_config *config, struct kpep_event **buf, size_t size,
	    uint64_t *number)
{
	int code = MEMBER_D(kpep_config_events)(config, buf, size);

	for (size_t i = 0; code == 0 && i < size / sizeof(void *); i++)
		number[i] = event_number(buf[i]);
	return code;
}

static int
config_events(struct kpep_config *config, struct kpep_event **buf, size_t size)
{
	uint64_t number[KPC_MAX_COUNTERS] = { 0 };
	size_t n = size / sizeof(void *);
	struct tape_call c = { .id = TAPE_DATA_ID(kpep_config_events),
			       .nargs = 2,
			       .arg = { config_number(config), size } };

	if (n > KPC_MAX_COUNTERS)
		n = KPC_MAX_COUNTERS;
	c.out[0].at = number;
	c.out[0].size = n * sizeof number[0];
	RUN(c, real_events(config, buf, n * sizeof(void *), number));
	for (size_t i = 0; c.result == 0 && i < n; i++)
		buf[i] = event_at(number[i]);
	return (int)c.result;
}

/* clang-format off */
#define CONFIG_GET(name, m, otype) \
static int name(struct kpep_config *config, otype *out) \
{ \
	struct tape_call c = { .id = TAPE_DATA_ID(m), .nargs = 1, \
			       .arg = { config_number(config) }, \
			       .out = { { out, sizeof(*out) } } }; \
	RUN(c, MEMBER_D(m)(config, out)); \
	return (int)c.result; \
}
#define CONFIG_ARRAY(name, m, otype) \
static int name(struct kpep_config *config, otype *out, size_t size) \
{ \
	struct tape_call c = { .id = TAPE_DATA_ID(m), .nargs = 2, \
			       .arg = { config_number(config), size }, \
			       .out = { { out, size } } }; \
	RUN(c, MEMBER_D(m)(config, out, size)); \
	return (int)c.result; \
}

CONFIG_GET(config_events_count, kpep_config_events_count, size_t)
CONFIG_GET(config_classes, kpep_config_kpc_classes, uint32_t)
CONFIG_GET(config_count, kpep_config_kpc_count, size_t)
CONFIG_ARRAY(config_words, kpep_config_kpc, uint64_t)
CONFIG_ARRAY(config_map, kpep_config_kpc_map, size_t)
/* clang-format on */

static int
db_create(const char *name, struct kpep_db **db)
{
	if (tape.engine == NULL)
		return KPEP_DB_NOT_FOUND;
	return tape.engine->db_create(tape.engine->self, name, db);
}

void
tape_kperfdata(struct kperfdata_api *api)
{
	api->kpep_db_create = db_create;
	api->kpep_config_create = config_create;
	api->kpep_config_free = config_free;
	api->kpep_config_force_counters = config_force;
	api->kpep_config_add_event = config_add;
	api->kpep_config_remove_event = config_remove;
	api->kpep_config_events_count = config_events_count;
	api->kpep_config_events = config_events;
	api->kpep_config_kpc_classes = config_classes;
	api->kpep_config_kpc_count = config_count;
	api->kpep_config_kpc = config_words;
	api->kpep_config_kpc_map = config_map;
}

/* ---- the host ---- */

static int
host_sysctl(const char *name, void *old, size_t *old_size, const void *fresh,
	    size_t fresh_size)
{
	if (tape.engine == NULL) {
		errno = ENOENT;
		return -1;
	}
	return tape.engine->sysctl(tape.engine->self, name, old, old_size,
				   fresh, fresh_size);
}

static int
cpu_nodes(struct host_cpu_node *out, int max)
{
	struct tape_call c = { .id = TAPE_CPU_NODES,
			       .nargs = 1,
			       .arg = { (uint64_t)max },
			       .out = { { out, (size_t)max * sizeof *out } } };

	RUN(c, tape.engine->host->cpu_nodes(out, max));
	return (int)c.result;
}

static int
cpu_load(struct host_cpu_load *out, int max)
{
	struct tape_call c = { .id = TAPE_CPU_LOAD,
			       .nargs = 1,
			       .arg = { (uint64_t)max },
			       .out = { { out, (size_t)max * sizeof *out } } };

	RUN(c, tape.engine->host->cpu_load(out, max));
	return (int)c.result;
}

/* ---- tracing of the kernel ---- */

/* In what is handed in the name comes first, then the new value. */
static int
system_sysctl(const char *name, void *old, size_t *old_size, const void *fresh,
	      size_t fresh_size)
{
	unsigned char in[KPC_MAX_COUNTERS * sizeof(uint64_t)] = { 0 };
	size_t n = strlen(name) + 1;
	struct tape_call c = {
		.id = TAPE_SYSTEM_SYSCTL,
		.nargs = 1,
		.arg = { old_size != NULL ? *old_size : 0 },
		.in = in,
		.out = { { old, old_size != NULL ? *old_size : 0 },
			 { old_size, sizeof *old_size } },
	};

	if (fresh == NULL)
		fresh_size = 0;
	if (n + fresh_size > sizeof in) {
		errno = EINVAL;
		return -1;
	}
	memcpy(in, name, n);
	if (fresh_size > 0)
		memcpy(in + n, fresh, fresh_size);
	c.in_size = n + fresh_size;
	RUN(c, tape.engine->host->system->sysctl(name, old, old_size, fresh,
						 fresh_size));
	return (int)c.result;
}

static int
kdebug(int op, int value, void *at, size_t *size)
{
	struct tape_call c = {
		.id = TAPE_KDEBUG,
		.nargs = 3,
		.arg = { (uint64_t)op, (uint64_t)value,
			 size != NULL ? *size : 0 },
		.out = { { at, size != NULL ? *size : 0 },
			 { size, sizeof *size } },
	};

	RUN(c, tape.engine->host->system->kdebug(op, value, at, size));
	return (int)c.result;
}

static bool
kdebug_is_enabled(uint32_t debugid)
{
	struct tape_call c = { .id = TAPE_KDEBUG_ENABLED,
			       .nargs = 1,
			       .arg = { debugid } };

	RUN(c, tape.engine->host->system->kdebug_is_enabled(debugid));
	return c.result > 0;
}

const struct kperf_system tape_system = { system_sysctl, kdebug,
					  kdebug_is_enabled };

void
tape_host(struct host_api *host)
{
	host->sysctl = host_sysctl;
	host->cpu_nodes = cpu_nodes;
	host->cpu_load = cpu_load;
	if (host->system != NULL)
		host->system = &tape_system;
}

#define IS(m) .m = m,
const struct kperf_api tape_kperf = { KPERF_SYMBOLS(IS) };

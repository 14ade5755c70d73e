/*
 * A program that samples the threads of other processes, on the shared library:
 * dlopen, the frameworks' calls, the system's sysctl, records joined by CPU.
 * What it finds is what the simulated Mac's own process table says.
 */
#include "sim/library.h"

#include <inttypes.h>

enum { CTL_KERN = 1, KERN_KDEBUG = 24 };
enum { KD_DFLAGS = 2, KD_ENABLE, KD_SETBUF, KD_SETUP = 6, KD_REMOVE };
enum { KD_SETREG = 8, KD_READTR = 10, KD_SET_TYPEFILTER = 22 };
enum { VALCHECK = 0x200000, MOST_ACTIONS = 32, MOST_TIMERS = 8 };
enum { TI_DATA = 0x25010004, DATA_THREAD = 0x25060020 };
enum { TH_INFO = 1, PMC_THREAD = 0x10 };
enum { RECORDS = 8192, THREADS = 256, CPUS = 64, VALUES = 12 };

#define PERIOD_NS 10000000LL

struct record {
	uint64_t timestamp, arg[4], thread;
	uint32_t debugid, cpu;
	uint64_t unused;
};

/* A sample in the making on a CPU. */
struct joint {
	uint64_t thread, value[VALUES];
	int32_t pid;
	unsigned n;
};

struct moment {
	uint64_t cycles, instructions, inst_all, table_cycles, table_inst;
};

struct thread {
	uint64_t id;
	int32_t pid;
	unsigned samples;
	struct moment first, last;
};

static int (*by_name)(const char *, void *, size_t *, void *, size_t);
static int (*by_mib)(int *, unsigned, void *, size_t *, void *, size_t);

static struct {
	struct record record[RECORDS];
	struct joint cpu[CPUS];
	struct thread thread[THREADS];
	unsigned nthreads, counters;
	bool plain; /* records are of counters only */
	int64_t period_ns;
	size_t map[3];
	uint64_t lost;
} client;

static int
kdebug(int op, int value, void *at, size_t *size)
{
	int mib[] = { CTL_KERN, KERN_KDEBUG, op, value };

	return by_mib(mib, 4, at, size, NULL, 0);
}

static void
open_on(const char *spec)
{
	void *at[2];

	assert_int_equal(library_open(spec), 0);
	at[0] = dlsym(lib, "sysctlbyname");
	at[1] = dlsym(lib, "sysctl");
	assert_true(at[0] != NULL && at[1] != NULL);
	memcpy(&by_name, &at[0], sizeof(at[0]));
	memcpy(&by_mib, &at[1], sizeof(at[1]));
	memset(&client, 0, sizeof(client));
	client.period_ns = PERIOD_NS;
}

/* Two fixed events and one that counts what the second does. */
static void
count_events(void)
{
	static const char *const names[] = { "FIXED_CYCLES",
					     "FIXED_INSTRUCTIONS", "INST_ALL" };
	struct kpep_config *config;
	struct kpep_event *event;
	struct kpep_db *db;
	uint64_t word[32] = { 0 };
	uint32_t classes;

	OK(kpep.kpep_db_create(NULL, &db));
	OK(kpep.kpep_config_create(db, &config));
	OK(kpep.kpep_config_force_counters(config));
	for (unsigned i = 0; i < 3; i++) {
		OK(kpep.kpep_db_event(db, names[i], &event));
		OK(kpep.kpep_config_add_event(config, &event, 0, NULL));
	}
	OK(kpep.kpep_config_kpc_classes(config, &classes));
	OK(kpep.kpep_config_kpc_map(config, client.map, sizeof(client.map)));
	OK(kpep.kpep_config_kpc(config, word, sizeof(word)));
	OK(kperf.kpc_force_all_ctrs_set(1));
	OK(kperf.kpc_set_config(classes, word));
	OK(kperf.kpc_set_counting(classes));
	OK(kperf.kpc_set_thread_counting(classes));
	client.counters = kperf.kpc_get_counter_count(classes);
	kpep.kpep_config_free(config);
	kpep.kpep_db_free(db);
}

static void
start(int32_t pid)
{
	uint8_t types[8192] = { 0 };
	size_t size = sizeof(types);
	uint32_t on = 1;

	/* Its owner first, then all that somebody may have left. */
	assert_int_equal(kdebug(KD_DFLAGS, 0, NULL, NULL), 0);
	OK(kperf.kperf_reset());
	OK(kperf.kperf_action_count_set(1));
	OK(kperf.kperf_timer_count_set(1));
	OK(kperf.kperf_action_samplers_set(1, TH_INFO | PMC_THREAD));
	OK(kperf.kperf_action_filter_set_by_pid(1, pid));
	OK(kperf.kperf_timer_action_set(0, 1));
	OK(kperf.kperf_timer_period_set(0, kperf.kperf_ns_to_ticks(PERIOD_NS)));
	assert_int_equal(by_name("kperf.lightweight_pet", NULL, NULL, &on, 4),
			 0);
	OK(kperf.kperf_timer_pet_set(0));
	assert_int_equal(kdebug(KD_REMOVE, 0, NULL, NULL), 0);
	assert_int_equal(kdebug(KD_SETBUF, 0, NULL, NULL), 0);
	assert_int_equal(kdebug(KD_SETUP, 0, NULL, NULL), 0);
	/* Class 37: what a thread is, what it counts. */
	types[37 * 32] = 1 << 1 | 1 << 6;
	assert_int_equal(kdebug(KD_SET_TYPEFILTER, 0, types, &size), 0);
	count_events();
	assert_int_equal(kdebug(KD_ENABLE, 1, NULL, NULL), 0);
	/* Ticks early in slices of 10 ms find threads that are on. */
	struct stamp now;
	clock_now(&host->clock, &now);
	host->clock.step(host->clock.self,
			 now.awake_ns - now.awake_ns % 10000000 + 11000000);
	OK(kperf.kperf_sample_set(1));
}

static void
stop(void)
{
	uint32_t owner = 1;
	size_t size = sizeof(owner);

	OK(kperf.kperf_sample_set(0));
	assert_int_equal(kdebug(KD_ENABLE, 0, NULL, NULL), 0);
	assert_int_equal(kdebug(KD_REMOVE, 0, NULL, NULL), 0);
	OK(kperf.kperf_reset());
	OK(kperf.kpc_set_thread_counting(0));
	OK(kperf.kpc_set_counting(0));
	OK(kperf.kpc_force_all_ctrs_set(0));
	assert_int_equal(by_name("ktrace.owning_pid", &owner, &size, NULL, 0),
			 0);
	assert_int_equal(owner, 0);
}

/*
 * As several programs do it that are public, from one demonstration: the second
 * timer, samples before there is a ring, one record's number as the filter, no
 * size where none comes back. What they end with leaves tracing theirs.
 */
static void
start_as_in_the_field(int32_t pid)
{
	uint32_t reg[5] = { VALCHECK, DATA_THREAD }, on = 1;
	size_t size = sizeof(reg);
	int force;

	client.plain = true;
	client.period_ns = 1000000;
	OK(kperf.kpc_force_all_ctrs_get(&force));
	count_events();
	OK(kperf.kperf_action_count_set(MOST_ACTIONS));
	OK(kperf.kperf_timer_count_set(MOST_TIMERS));
	OK(kperf.kperf_action_samplers_set(1, PMC_THREAD));
	OK(kperf.kperf_action_filter_set_by_pid(1, pid));
	OK(kperf.kperf_timer_period_set(1, kperf.kperf_ns_to_ticks(1000000)));
	OK(kperf.kperf_timer_action_set(1, 1));
	OK(kperf.kperf_timer_pet_set(1));
	assert_int_equal(by_name("kperf.lightweight_pet", NULL, NULL, &on, 4),
			 0);
	OK(kperf.kperf_sample_set(1));
	assert_int_equal(kdebug(KD_REMOVE, 0, NULL, NULL), 0);
	assert_int_equal(kdebug(KD_SETBUF, 1000000, NULL, NULL), 0);
	assert_int_equal(kdebug(KD_SETUP, 0, NULL, NULL), 0);
	assert_int_equal(kdebug(KD_SETREG, 0, reg, &size), 0);
	assert_int_equal(kdebug(KD_ENABLE, 1, NULL, NULL), 0);
}

static uint32_t
node(const char *name)
{
	uint32_t value = 0;
	size_t size = sizeof(value);

	assert_int_equal(by_name(name, &value, &size, NULL, 0), 0);
	return value;
}

static void
stop_as_in_the_field(void)
{
	uint32_t off = 0;

	assert_int_equal(kdebug(KD_ENABLE, 0, NULL, NULL), 0);
	assert_int_equal(kdebug(KD_REMOVE, 0, NULL, NULL), 0);
	OK(kperf.kperf_sample_set(0));
	assert_int_equal(by_name("kperf.lightweight_pet", NULL, NULL, &off, 4),
			 0);
	OK(kperf.kpc_set_counting(0));
	OK(kperf.kpc_set_thread_counting(0));
	OK(kperf.kpc_force_all_ctrs_set(0));
	assert_int_equal(node("kperf.sampling"), 0);
	assert_int_equal(node("ktrace.state"), 1);
	assert_int_equal(node("ktrace.active_mask"), 2);
}

static struct thread *
thread_of(uint64_t id, int32_t pid)
{
	unsigned i = 0;

	while (i < client.nthreads && client.thread[i].id != id)
		i++;
	assert_true(i < THREADS);
	if (i == client.nthreads)
		client.thread[client.nthreads++] =
			(struct thread){ .id = id, .pid = pid };
	assert_int_equal(client.thread[i].pid, pid);
	return &client.thread[i];
}

/* Whose it is, where the records do not say. */
static int32_t
pid_of(uint64_t thread)
{
	static int32_t pid[4096];
	static uint64_t id[256];
	int n = host->proc_list(pid, 4096);

	for (int i = 0; i < n; i++) {
		int threads = host->thread_list(pid[i], id, 256);

		for (int k = 0; k < threads; k++)
			if (id[k] == thread)
				return pid[i];
	}
	return -1;
}

/* The table is as of now, so only a sample of this moment compares. */
static void
complete(struct joint *j)
{
	if (client.plain)
		j->pid = pid_of(j->thread);
	struct thread *t = thread_of(j->thread, j->pid);
	struct moment m = { .cycles = j->value[client.map[0]],
			    .instructions = j->value[client.map[1]],
			    .inst_all = j->value[client.map[2]] };
	struct host_thread h;

	OK(host->thread_counts(j->pid, j->thread, &h));
	for (unsigned i = 0; i < h.levels; i++) {
		m.table_cycles += h.level[i].cycles;
		m.table_inst += h.level[i].instructions;
	}
	if (t->samples++ == 0)
		t->first = m;
	t->last = m;
}

static void
record_take(const struct record *r, uint64_t now)
{
	struct joint *j = &client.cpu[r->cpu];

	assert_true(r->cpu < CPUS);
	client.lost += r->debugid >> 24 == 7;
	if (r->debugid == TI_DATA) {
		j->pid = (int32_t)r->arg[0];
		return;
	}
	if ((r->debugid & ~3u) != DATA_THREAD)
		return;
	if (r->debugid & 1) {
		j->thread = r->thread;
		j->n = 0;
	}
	if (r->thread != j->thread)
		return;
	for (unsigned i = 0; i < 4 && j->n < VALUES; i++)
		j->value[j->n++] = r->arg[i];
	/* Zeros: it has no buffer. */
	if (j->n >= client.counters && r->timestamp == now &&
	    j->value[client.map[0]] != 0)
		complete(j);
}

static void
sample_for(unsigned periods)
{
	for (unsigned i = 0; i < periods; i++) {
		size_t n = sizeof(client.record);
		struct stamp now;

		clock_now(&host->clock, &now);
		host->clock.step(host->clock.self,
				 now.awake_ns + client.period_ns);
		clock_now(&host->clock, &now);
		assert_int_equal(kdebug(KD_READTR, 0, client.record, &n), 0);
		assert_true(n < RECORDS);
		for (size_t r = 0; r < n; r++)
			record_take(&client.record[r],
				    kperf.kperf_ns_to_ticks(
					    (uint64_t)now.awake_ns));
	}
}

/* One line a thread, as such a program would print; all must be true. */
static unsigned
report(void)
{
	unsigned shown = 0;

	for (unsigned i = 0; i < client.nthreads; i++) {
		const struct thread *t = &client.thread[i];
		uint64_t cycles = t->last.cycles - t->first.cycles;
		uint64_t inst = t->last.instructions - t->first.instructions;

		if (t->samples < 2)
			continue;
		print_message("pid %d thread %" PRIu64 ": %" PRIu64
			      " cycles, %" PRIu64 " instructions\n",
			      (int)t->pid, t->id, cycles, inst);
		assert_int_equal(cycles,
				 t->last.table_cycles - t->first.table_cycles);
		assert_int_equal(inst,
				 t->last.table_inst - t->first.table_inst);
		assert_int_equal(inst, t->last.inst_all - t->first.inst_all);
		shown++;
	}
	assert_int_equal(client.lost, 0);
	return shown;
}

/* Before macOS 15 configurable counters have all modes, as fixed ones. */
static void
whole_machine(void **state)
{
	open_on("m1,clock=step,os=14.3");
	start(-1);
	sample_for(150);
	stop();
	assert_true(report() >= 8);
	assert_int_equal(library_shut(), 0);
}

static void
one_process(void **state)
{
	unsigned most = 0;
	int32_t pid = 0;

	open_on("m1,clock=step,os=14.3");
	start(-1);
	sample_for(150);
	stop();
	/* who is seen the most will be there again */
	for (unsigned i = 0; i < client.nthreads; i++)
		if (client.thread[i].samples > most) {
			most = client.thread[i].samples;
			pid = client.thread[i].pid;
		}
	memset(&client, 0, sizeof(client));
	client.period_ns = PERIOD_NS;
	start(pid);
	sample_for(150);
	stop();
	assert_true(report() >= 1);
	for (unsigned i = 0; i < client.nthreads; i++)
		assert_int_equal(client.thread[i].pid, pid);
	assert_int_equal(library_shut(), 0);
}

/* Their numbers, too, are what the table says. */
static void
as_in_the_field(void **state)
{
	static const char *const machines[] = {
		"m1,clock=step,os=14.3", "m2max,clock=step,os=14.5",
		"m1,clock=step,os=13.5" /* its shortest period is 2 ms */
	};

	for (unsigned m = 0; m < 3; m++) {
		struct thread *most = client.thread;

		open_on(machines[m]);
		start_as_in_the_field(-1);
		sample_for(200);
		stop_as_in_the_field();
		assert_true(report() >= 5);
		for (unsigned i = 1; i < client.nthreads; i++)
			if (client.thread[i].samples > most->samples)
				most = &client.thread[i];
		int32_t pid = most->pid;

		memset(&client, 0, sizeof(client));
		start_as_in_the_field(pid);
		sample_for(1000);
		stop_as_in_the_field();
		assert_true(report() >= 1);
		for (unsigned i = 0; i < client.nthreads; i++)
			assert_int_equal(client.thread[i].pid, pid);
		assert_int_equal(library_shut(), 0);
	}
}

int
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whole_machine),
		cmocka_unit_test(one_process),
		cmocka_unit_test(as_in_the_field),
	};

	self = argv[0];
	return cmocka_run_group_tests(tests, NULL, NULL);
}

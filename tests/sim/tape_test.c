/* A recorded machine answers as the machine did, and says where it cannot. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "kperf/tally.h"
#include "kperf/tape/tape.h"
#include "kperf/trace.h"
#include "sim/sim.h"
#include "sim/tape.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CPUS = 8, WORDS = CPUS * KPC_MAX_COUNTERS + 32, LOG_MAX = 65536 };
#define SENTINEL 0x5555aaaa5555aaaaull

/* Everything that a script saw, as text: two runs are equal or they differ. */
struct seen {
	char text[LOG_MAX];
	size_t len;
};

static void
note(struct seen *s, const char *what, int64_t result)
{
	int n = snprintf(s->text + s->len, sizeof(s->text) - s->len,
			 "%s %" PRId64 " errno %d\n", what, result, errno);

	assert_true(n > 0);
	s->len += (size_t)n;
	assert_true(s->len < sizeof(s->text));
	errno = 0;
}

static void
note_words(struct seen *s, const uint64_t *word, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		int k = snprintf(s->text + s->len, sizeof(s->text) - s->len,
				 "%" PRIx64 " ", word[i]);

		s->len += (size_t)k;
		assert_true(s->len < sizeof(s->text));
	}
}

struct machine {
	const struct kperf_api *kpc;
	const struct kperfdata_api *kpep;
	const struct host_api *host;
};

static void
note_time(struct seen *s, const struct machine *m)
{
	struct stamp now;

	clock_now(&m->host->clock, &now);
	note(s, "awake", now.awake_ns);
	note(s, "elapsed", now.elapsed_ns);
	note(s, "wall", now.wall_ns);
}

static void
read_rows(struct seen *s, const struct machine *m, uint32_t classes)
{
	uint64_t row[WORDS];
	int cpu = -1;

	for (size_t i = 0; i < WORDS; i++)
		row[i] = SENTINEL;
	note(s, "rows", m->kpc->kpc_get_cpu_counters(true, classes, &cpu, row));
	note(s, "cpu", cpu);
	note_words(s, row, WORDS);
	note_time(s, m);
}

static void
place_events(struct seen *s, const struct machine *m, struct kpep_db *db,
	     uint64_t *words)
{
	static const char *const names[] = { "INST_ALL", "INST_BRANCH",
					     "RETIRE_UOP" };
	struct kpep_config *config;
	uint32_t classes = 0, why = 77;
	size_t n = 0, map[8] = { 0 };

	note(s, "create", m->kpep->kpep_config_create(db, &config));
	note(s, "force", m->kpep->kpep_config_force_counters(config));
	for (unsigned i = 0; i < 3; i++) {
		struct kpep_event *event = NULL;

		assert_int_equal(m->kpep->kpep_db_event(db, names[i], &event),
				 0);
		/* INST_ALL and RETIRE_UOP both need counter 7: the last fails.
		 */
		note(s, names[i],
		     m->kpep->kpep_config_add_event(config, &event, 0, &why));
		note(s, "why", why);
	}
	note(s, "classes", m->kpep->kpep_config_kpc_classes(config, &classes));
	note(s, "classes are", classes);
	note(s, "count", m->kpep->kpep_config_kpc_count(config, &n));
	note(s, "count is", (int64_t)n);
	note(s, "words", m->kpep->kpep_config_kpc(config, words, 8 * 8));
	note_words(s, words, 8);
	note(s, "map", m->kpep->kpep_config_kpc_map(config, map, sizeof(map)));
	note(s, "map 0", (int64_t)map[0]);
	note(s, "map 1", (int64_t)map[1]);
	m->kpep->kpep_config_free(config);
}

static void
ask_host(struct seen *s, const struct machine *m)
{
	struct host_cpu_node node[CPUS];
	struct host_cpu_load load[CPUS];
	char text[64] = "";
	size_t size = sizeof(text);
	uint32_t ncpu = 0;

	note(s, "model", m->host->sysctl("hw.model", text, &size, NULL, 0));
	assert_string_equal(text, "MacBookAir10,1");
	size = sizeof(ncpu);
	note(s, "ncpu", m->host->sysctl("hw.ncpu", &ncpu, &size, NULL, 0));
	assert_int_equal(ncpu, CPUS);
	size = 1;
	note(s, "none", m->host->sysctl("hw.nothing", &ncpu, &size, NULL, 0));
	memset(node, 0, sizeof(node));
	note(s, "nodes", m->host->cpu_nodes(node, CPUS));
	for (unsigned i = 0; i < CPUS; i++)
		note(s, node[i].cluster_type, node[i].logical_cpu_id);
	note(s, "load", m->host->cpu_load(load, CPUS));
	for (unsigned i = 0; i < CPUS; i++)
		note(s, "idle", (int64_t)load[i].idle);
}

/* The calls that ktop makes, refused and failing ones among them. */
static void
script(struct seen *s, const struct machine *m)
{
	uint64_t words[KPC_MAX_COUNTERS] = { 0 },
		 back[KPC_MAX_COUNTERS] = { 0 };
	struct kpep_db *db;
	char cpu[64];
	int force = -1;
	struct stamp now;

	memset(s, 0, sizeof(*s));
	errno = 0;
	(void)m->kpc->kpc_cpu_string(cpu, sizeof(cpu));
	note(s, cpu, 0);
	note(s, "version", m->kpc->kpc_pmu_version());
	ask_host(s, m);
	note(s, "db", m->kpep->kpep_db_create(NULL, &db));
	read_rows(s, m, KPC_CLASS_FIXED_MASK);
	note(s, "bad class",
	     m->kpc->kpc_get_config(KPC_CLASS_FIXED_MASK, back));
	note(s, "force", m->kpc->kpc_force_all_ctrs_set(1));
	note(s, "force get", m->kpc->kpc_force_all_ctrs_get(&force));
	note(s, "force is", force);
	place_events(s, m, db, words);
	note(s, "set", m->kpc->kpc_set_config(2, words));
	words[0] = 0xfe; /* not in the database: refused, EPERM */
	note(s, "set refused", m->kpc->kpc_set_config(2, words));
	note(s, "counting", m->kpc->kpc_set_counting(3));
	note(s, "get", m->kpc->kpc_get_config(2, back));
	note_words(s, back, KPC_MAX_COUNTERS);
	clock_now(&m->host->clock, &now);
	m->host->clock.step(m->host->clock.self, now.awake_ns + 1000000000);
	read_rows(s, m, 3);
	note(s, "ticks", (int64_t)m->kpc->kperf_ns_to_ticks(1000));
	note(s, "period", m->kpc->kperf_timer_period_set(9, 5));
	note(s, "counting", m->kpc->kpc_set_counting(0));
	note(s, "release", m->kpc->kpc_force_all_ctrs_set(0));
	m->kpep->kpep_db_free(db);
}

static void
note_tallies(struct seen *s, const struct kperf_tally *tally)
{
	struct kperf_tallied row;

	for (unsigned i = 0; kperf_tally_thread(tally, i, &row); i++) {
		note(s, "thread", (int64_t)row.thread);
		note(s, "of", row.pid);
		note_words(s, row.delta, 10);
	}
	note(s, "samples", (int64_t)kperf_tally_quality(tally)->samples);
}

/* Tracing of the kernel, from taking it to giving it back. */
static void
traced_script(struct seen *s, const struct machine *m)
{
	static struct kperf_record record[8192];
	static struct kperf_mapped map[4096];
	struct kperf_trace t = { .kperf = m->kpc, .system = m->host->system };
	struct kperf_tally *tally = kperf_tally_new(
		&(struct kperf_tally_options){ .counters = 10,
					       .pid = -1,
					       .most_hz = 6e9,
					       .tick_hz = 24e6,
					       .period_ns = 7000000 });
	struct kperf_fault f = { .kind = KPERF_FAULT_CALL };
	struct kperf_owner owner = { 0, false };
	size_t n = 0;
	bool gap = false;

	memset(s, 0, sizeof(*s));
	errno = 0;
	assert_non_null(tally);
	note(s, "force", m->kpc->kpc_force_all_ctrs_set(1));
	note(s, "owner", kperf_trace_owner(m->host->system, &owner, &f));
	note(s, "is", owner.pid);
	note(s, "take", kperf_trace_prepare(&t, -1, 7000000, &f));
	note(s, "threads", m->kpc->kpc_set_thread_counting(3));
	note(s, "go", t.taken && kperf_trace_go(&t, &f));
	n = kperf_trace_map(&t, map, 4096);
	note(s, "map", (int64_t)n);
	kperf_tally_map(tally, map, n);
	for (unsigned i = 0; t.taken && i < 3; i++) {
		struct stamp now;

		clock_now(&m->host->clock, &now);
		m->host->clock.step(m->host->clock.self,
				    now.awake_ns + 50000000);
		note(s, "read",
		     kperf_trace_read(&t, record, 8192, &n, &gap, &f));
		note(s, "records", (int64_t)n);
		note(s, "gap", gap);
		kperf_tally_begin(tally);
		kperf_tally_add(tally, record, n);
		note_tallies(s, tally);
	}
	note(s, "ring", kperf_trace_ring(&t));
	note(s, "give back", kperf_trace_give_back(&t));
	note(s, "threads", m->kpc->kpc_set_thread_counting(0));
	note(s, "left", kperf_trace_left(m->host->system));
	note(s, "release", m->kpc->kpc_force_all_ctrs_set(0));
	kperf_tally_free(tally);
}

static char *
temporary(void)
{
	static char name[64];
	int fd;

	(void)snprintf(name, sizeof(name), "/tmp/ktop-tape-XXXXXX");
	fd = mkstemp(name);
	assert_true(fd >= 0);
	(void)close(fd);
	return name;
}

typedef void play_script(struct seen *s, const struct machine *m);

static void
record_with(const char *path, const char *spec, struct seen *s,
	    play_script *script_of)
{
	struct err e;
	FILE *f = fopen(path, "w");
	struct tape_recorder *r;
	struct machine m = { .kpc = &tape_kperf };

	assert_non_null(f);
	assert_true(sim_start(spec, &e));
	r = tape_record(f, sim_kperf(), sim_kperfdata(), sim_host(), &e);
	assert_non_null(r);
	m.kpep = tape_record_kperfdata(r);
	m.host = tape_record_host(r);
	script_of(s, &m);
	tape_record_mark(r, "end");
	tape_record_end(r);
	sim_stop();
	assert_int_equal(fclose(f), 0);
}

static void
record(const char *path, const char *spec, struct seen *s)
{
	record_with(path, spec, s, script);
}

static struct sim_tape *
open_tape(const char *path, struct machine *m)
{
	struct err e = { ERR_NONE, "" };
	struct sim_tape *t = sim_tape_open(path, &e);

	assert_string_equal(e.text, "");
	assert_non_null(t);
	m->kpc = &tape_kperf;
	m->kpep = sim_tape_kperfdata(t);
	m->host = sim_tape_host(t);
	return t;
}

/* Live, while recording, and played: three times the same. */
static void
round_trip_of(const char *spec, play_script *script_of, const char *has)
{
	struct seen *s = calloc(3, sizeof(*s));
	char *path = temporary();
	struct machine m;
	struct sim_tape *t;
	struct err e;

	assert_non_null(s);
	assert_true(sim_start(spec, &e));
	m = (struct machine){ sim_kperf(), sim_kperfdata(), sim_host() };
	script_of(&s[0], &m);
	sim_stop();
	record_with(path, spec, &s[1], script_of);
	t = open_tape(path, &m);
	assert_false(sim_tape_over(t));
	script_of(&s[2], &m);
	assert_true(sim_tape_over(t));
	assert_false(sim_tape_diverged(t, NULL));
	sim_tape_close(t);
	assert_string_equal(s[0].text, s[1].text);
	assert_string_equal(s[1].text, s[2].text);
	if (strstr(s[2].text, has) == NULL)
		fail_msg("%s: no '%s' in %s", spec, has, s[2].text);
	free(s);
	(void)unlink(path);
}

static void
round_trip(const char *spec)
{
	round_trip_of(spec, script, "set refused");
}

static void
plays_what_was_recorded(void **state)
{
	(void)state;
	round_trip("m1,clock=step");
	round_trip("m1,clock=step,layout=48,lib=errno");
	round_trip("m1,clock=step,rows=copied,seed=5");
	/* Rows of cores that are off stay as the caller left them. */
	round_trip("m1,clock=step,fault=off:E@0s");
	round_trip("m1,clock=step,fault=busy@0s");
	round_trip("m1,clock=step,euid=501");
}

/* The ring as it was read, and what became of it. */
static void
plays_tracing(void **state)
{
	(void)state;
	round_trip_of("m1,clock=step", traced_script, "of 2");
	round_trip_of("m1,clock=step,os=13.5,skew=1", traced_script, "of 2");
	round_trip_of("m1,clock=step,fault=ring@0s", traced_script, "gap 1");
	round_trip_of("m1,clock=step,fault=ktrace:77@0s", traced_script,
		      "is 77");
	round_trip_of("m1,clock=step,fault=evict@1s", traced_script, "take 1");
	round_trip_of("m1,clock=step,euid=501", traced_script, "take 0");
}

/* Programs are not named on a tape that people send each other. */
static void
has_no_names_of_programs(void **state)
{
	struct seen *s = calloc(1, sizeof(*s));
	char *path = temporary(), *line = NULL;
	size_t room = 0;
	bool mapped = false;
	FILE *f;

	(void)state;
	assert_non_null(s);
	record_with(path, "m1,clock=step", s, traced_script);
	f = fopen(path, "r");
	assert_non_null(f);
	while (getline(&line, &room, f) > 0) {
		mapped = mapped || strncmp(line, "kdebug 21 ", 10) == 0;
		/* "idle", and what programs of the machine are called */
		assert_null(strstr(line, "69646c65"));
		assert_null(strstr(line, "6c61756e636864"));
	}
	assert_true(mapped);
	free(line);
	(void)fclose(f);
	free(s);
	(void)unlink(path);
}

static void
says_where_it_diverges(void **state)
{
	struct seen *s = calloc(1, sizeof(*s));
	char *path = temporary();
	struct machine m;
	struct sim_tape *t;
	struct err e = { ERR_NONE, "" };
	char cpu[64];

	(void)state;
	assert_non_null(s);
	record(path, "m1,clock=step", s);
	t = open_tape(path, &m);
	(void)m.kpc->kpc_cpu_string(cpu, sizeof(cpu));
	errno = 0;
	assert_int_equal(m.kpc->kpc_get_counter_count(3), 0);
	assert_int_equal(errno, EIO);
	assert_true(sim_tape_diverged(t, &e));
	assert_int_equal(e.code, ERR_FORMAT);
	assert_non_null(strstr(e.text, "the tape has kpc_pmu_version() where "
				       "ktop now calls "
				       "kpc_get_counter_count(3)"));
	/* Also a call that would have been right then. */
	assert_int_equal(m.kpc->kpc_pmu_version(), 0);
	sim_tape_close(t);
	/* Without a tape the functions are there and say no. */
	errno = 0;
	assert_int_equal(m.kpc->kpc_set_counting(0), -1);
	assert_int_equal(errno, ENOENT);
	free(s);
	(void)unlink(path);
}

/* A file of that text. */
static char *
written(const char *text)
{
	char *path = temporary();
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	(void)fputs(text, f);
	assert_int_equal(fclose(f), 0);
	return path;
}

static void
refuse(const char *text, const char *why)
{
	char *path = written(text);
	struct err e = { ERR_NONE, "" };

	assert_null(sim_tape_open(path, &e));
	assert_int_equal(e.code, ERR_FORMAT);
	assert_non_null(strstr(e.text, why));
	(void)unlink(path);
}

#define BEGIN "ktop-tape/1\nbegin 0 0 0 8 -\n"

static void
refuses_what_is_no_tape(void **state)
{
	struct err e = { ERR_NONE, "" };

	(void)state;
	refuse("", "not a tape");
	refuse("schema,row\n", "not a tape");
	refuse("ktop-tape/2\n", "not a tape");
	refuse(BEGIN "kpc_unheard_of 1 > 0 0 0 0 0\n", "line 3");
	refuse(BEGIN "kpc_pmu_version > x 0 0 0 0\n", "line 3");
	refuse(BEGIN "kpc_pmu_version > 2 0 0 0\n", "line 3");
	refuse(BEGIN "kpc_pmu_version 1 2 3 4 5 > 2 0 0 0 0\n", "line 3");
	refuse(BEGIN "kpc_get_config 2 > 0 0 0 0 0 o2:0:00\n", "line 3");
	refuse(BEGIN "kpc_get_config 2 > 0 0 0 0 0 o0:0:0\n", "line 3");
	refuse(BEGIN "kpc_get_config 2 > 0 0 0 0 0 o0:-1:00\n", "line 3");
	refuse(BEGIN "event INST_ALL 1 0 128 - -\n", "line 3");
	refuse(BEGIN "db a14 cpu 3 3 1020 224 56 2 41\n", "cut short");
	refuse(BEGIN "\n", "line 3");
	assert_null(sim_tape_open("/nowhere/at/all", &e));
	assert_int_equal(e.code, ERR_FAIL);
}

/* A run that does not fit the caller's buffer is not written. */
static void
never_writes_past_a_buffer(void **state)
{
	static const char text[] =
		BEGIN "kpc_get_config 2 > 0 0 5 5 5 o0:256:ffffffffffffffff\n"
		      "kpc_get_config 2 > 0 0 6 6 6 o0:0:0100000000000000\n";
	char *path = written(text);
	uint64_t words[KPC_MAX_COUNTERS + 1] = { 0 };
	struct machine m;
	struct sim_tape *t;

	(void)state;
	t = open_tape(path, &m);
	assert_int_equal(m.kpc->kpc_get_config(2, words), -1);
	assert_true(words[KPC_MAX_COUNTERS] == 0);
	assert_true(sim_tape_diverged(t, NULL));
	sim_tape_close(t);
	(void)unlink(path);
}

/* Killed in the middle of a line: the lines before count. */
static void
takes_a_torn_tape(void **state)
{
	static const char text[] =
		BEGIN "kpc_pmu_version > 2 0 5 6 7\nkpc_get_cou";
	char *path = written(text);
	struct machine m;
	struct sim_tape *t;
	struct stamp now;

	(void)state;
	t = open_tape(path, &m);
	assert_int_equal(m.kpc->kpc_pmu_version(), 2);
	clock_now(&m.host->clock, &now);
	assert_int_equal(now.awake_ns, 5);
	assert_int_equal(now.elapsed_ns, 6);
	assert_int_equal(now.wall_ns, 7);
	assert_true(sim_tape_over(t));
	assert_int_equal(m.kpc->kpc_pmu_version(), 0);
	assert_false(sim_tape_diverged(t, NULL));
	sim_tape_close(t);
	(void)unlink(path);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(plays_what_was_recorded),
		cmocka_unit_test(plays_tracing),
		cmocka_unit_test(has_no_names_of_programs),
		cmocka_unit_test(says_where_it_diverges),
		cmocka_unit_test(refuses_what_is_no_tape),
		cmocka_unit_test(never_writes_past_a_buffer),
		cmocka_unit_test(takes_a_torn_tape),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

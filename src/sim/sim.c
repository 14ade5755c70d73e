#include "sim/sim.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "sim/inside.h"
#include "sim/kpep.h"

static struct {
	atomic_uintptr_t owner;
	unsigned depth;
	bool on;
	struct sim_spec spec;
	struct sim_kernel kernel;
	struct sim_state *own;
	uint64_t task;
	int32_t pid; /* pid of `born` and `name` */
	bool knows_pid;
	bool hears_forks;
	int64_t born;
	char name[SIM_NAME];
	struct host_api host;
	char text[96];
	uint64_t table_thread;
} sim;

static void
pause_real(int64_t ns)
{
	struct timespec t = { .tv_sec = (time_t)(ns / 1000000000),
			      .tv_nsec = (long)(ns % 1000000000) };

	while (nanosleep(&t, &t) != 0 && errno == EINTR)
		;
}

static void
after_fork(void)
{
	sim.knows_pid = false;
}

/* Caches the pid, as dozens of calls per interval need it. */
static int32_t
own_pid(void)
{
	pid_t pid = sim.knows_pid ? sim.pid : getpid();

	if (!sim.hears_forks)
		sim.hears_forks = pthread_atfork(NULL, NULL, after_fork) == 0;
	return (int32_t)pid;
}

struct sim_caller
sim_caller_now(void)
{
	struct sim_caller who = { .pid = own_pid(),
				  .euid = sim.spec.euid,
				  .table_thread = sim.table_thread };
	const struct sim_machine *m = sim.spec.machine;
	unsigned fast = 0;

	if (who.pid != sim.pid) {
		sim.pid = who.pid;
		sim.born = sim.kernel.shared ? sim_process_born(who.pid) : 0;
		sim_process_name(sim.name, sizeof sim.name);
	}
	sim.knows_pid = sim.hears_forks;
	who.born = sim.born;
	who.task = sim.task;
	memcpy(who.name, sim.name, sizeof who.name);
	who.thread = (uint64_t)(uintptr_t)pthread_self();
	while (fast + 1 < m->nclusters && m->cluster[fast].kind != 0)
		fast++;
	who.cpu = sim_machine_first(m, fast);
	return who;
}

/* False: this thread already has the lock, as in a crash handler that
 * interrupts a call. The handler may go on, since that call never continues.
 * The lock is one word, so that the test works at any instruction. */
static bool
acquire_lock(void)
{
	uintptr_t me = (uintptr_t)pthread_self(), seen = 0;

	while (!atomic_compare_exchange_strong(&sim.owner, &seen, me)) {
		if (seen == me)
			return false;
		seen = 0;
		pause_real(100000);
	}
	return true;
}

static void
release_lock(void)
{
	atomic_store(&sim.owner, 0);
}

struct sim_kernel *
sim_lock(void)
{
	bool first = acquire_lock();

	if (!sim.on || (sim.kernel.shared && !sim_shared_lock(&sim.kernel))) {
		if (first)
			release_lock();
		return NULL;
	}
	if (!first) {
		sim.depth++;
	} else if (sim.kernel.shared) {
		struct sim_caller who = sim_caller_now();
		sim_shared_reap(&sim.kernel, &who);
	}
	return &sim.kernel;
}

void
sim_unlock(void)
{
	if (sim.depth > 0) {
		sim.depth--;
		return;
	}
	if (sim.kernel.shared)
		sim_shared_unlock(&sim.kernel);
	release_lock();
}

const struct sim_spec *
sim_spec_now(void)
{
	return &sim.spec;
}

int
sim_system_result(int code)
{
	errno = code != 0 ? code : errno;
	return code == 0 ? 0 : -1;
}

int
sim_library_result(int code)
{
	int result = sim_system_result(code);

	return sim.spec.lib_errno ? code : result;
}

int
sim_sysctl(const char *name, void *old, size_t *old_size, const void *fresh,
	   size_t fresh_size)
{
	struct sim_kernel *k = sim_lock();

	if (k == NULL)
		return ENOENT;
	struct sim_caller who = sim_caller_now();
	int code = sim_kernel_sysctl(k, &who, name, old, old_size, fresh,
				     fresh_size);
	sim_unlock();
	return code;
}

enum { CTL_KERN = 1, KERN_KDEBUG = 24 };

int
sim_sysctl_mib(const int *mib, unsigned n, void *old, size_t *old_size,
	       const void *fresh)
{
	if (n < 2 || mib[0] != CTL_KERN || mib[1] != KERN_KDEBUG)
		return ENOENT;
	struct sim_kernel *k = sim_lock();
	if (k == NULL)
		return ENOENT;
	struct sim_caller who = sim_caller_now();
	int code = sim_kernel_kdebug(k, &who, mib, n, old, old_size, fresh);
	sim_unlock();
	return code;
}

static void
host_now(void *self, struct stamp *out)
{
	struct sim_kernel *k = sim_lock();

	(void)self;
	memset(out, 0, sizeof *out);
	if (k == NULL)
		return;
	sim_kernel_now(k, out);
	sim_unlock();
}

static void
host_step(void *self, int64_t until_ns)
{
	struct sim_kernel *k = sim_lock();

	(void)self;
	if (k == NULL)
		return;
	sim_kernel_step(k, until_ns);
	sim_unlock();
}

static int
host_sysctl(const char *name, void *old, size_t *old_size, const void *fresh,
	    size_t fresh_size)
{
	return sim_system_result(
		sim_sysctl(name, old, old_size, fresh, fresh_size));
}

static void
fill_host_node(const struct sim_machine *m, unsigned cpu,
	       struct host_cpu_node *out)
{
	unsigned cluster = sim_machine_cluster(m, cpu), in_die = 0;
	const struct sim_cluster *c = &m->cluster[cluster];

	for (unsigned i = 0; i < cluster; i++)
		if (m->cluster[i].die == c->die)
			in_die++;
	out->logical_cpu_id = (int32_t)cpu;
	out->logical_cluster_id = (int32_t)cluster;
	out->die_id = (int32_t)c->die;
	out->die_cluster_id = (int32_t)in_die;
	out->cluster_core_id = (int32_t)(cpu - sim_machine_first(m, cluster));
	snprintf(out->cluster_type, sizeof out->cluster_type, "%s",
		 m->kind[c->kind].letter);
}

static int
host_cpu_nodes(struct host_cpu_node *out, int max)
{
	struct sim_kernel *k = sim_lock();
	int n = 0;

	if (k == NULL)
		return -1;
	if (k->m->cputype != 7)
		n = (int)k->ncpus;
	for (int i = 0; i < n && i < max; i++)
		fill_host_node(k->m, (unsigned)i, &out[i]);
	sim_unlock();
	return n;
}

static int
host_cpu_load(struct host_cpu_load *out, int max)
{
	struct sim_kernel *k = sim_lock();

	if (k == NULL)
		return -1;
	int n = (int)k->ncpus;
	for (int i = 0; i < n && i < max; i++)
		sim_kernel_load(k, (unsigned)i, &out[i]);
	sim_unlock();
	return n;
}

static int
unlock_result(int code)
{
	sim_unlock();
	return sim_system_result(code);
}

/* As sim_lock. NULL: sets errno. */
static struct sim_kernel *
lock_for_caller(struct sim_caller *who)
{
	struct sim_kernel *k = sim_lock();

	if (k != NULL)
		*who = sim_caller_now();
	else
		errno = ENOENT;
	return k;
}

static int
host_proc_list(int32_t *pid, int max)
{
	struct sim_caller who;
	struct sim_kernel *k = lock_for_caller(&who);
	int n = 0;

	if (k == NULL)
		return -1;
	sim_proc_list(k, pid, max, &n);
	sim_unlock();
	return n;
}

/* clang-format off */
#define ASK(name, call, params, ...) \
static int \
name params \
{ \
	struct sim_caller who; \
	struct sim_kernel *k = lock_for_caller(&who); \
	return k == NULL ? -1 : unlock_result(call(k, &who, __VA_ARGS__)); \
}

ASK(host_proc_usage, sim_proc_usage, (int32_t pid, struct host_usage *out), pid, out)
ASK(host_proc_short, sim_proc_short, (int32_t pid, struct host_proc *out), pid, out)
ASK(host_thread_counts, sim_thread_counts,
    (int32_t pid, uint64_t id, struct host_thread *out), pid, id, out)
/* clang-format on */

static int
host_proc_path(int32_t pid, char *out, int size)
{
	struct sim_caller who;
	struct sim_kernel *k = lock_for_caller(&who);

	if (k == NULL || unlock_result(sim_proc_path(k, pid, out, size)) != 0)
		return -1;
	return (int)strlen(out);
}

/* clang-format off */
#define ASK_N(name, call, params, ...) \
static int \
name params \
{ \
	struct sim_caller who; \
	struct sim_kernel *k = lock_for_caller(&who); \
	int n = 0; \
	return k == NULL || unlock_result(call(k, &who, __VA_ARGS__, &n)) != 0 ? -1 : n; \
}

ASK_N(host_proc_args, sim_proc_args, (int32_t pid, char *out, int size), pid, out, size)
ASK_N(host_thread_list, sim_thread_list, (int32_t pid, uint64_t *id, int max), pid, id, max)
/* clang-format on */

static void
host_timebase(uint32_t *numer, uint32_t *denom)
{
	bool intel = sim.spec.machine->cputype == 7;

	*numer = intel ? 1 : 125;
	*denom = intel ? 1 : 3;
}

static bool
host_user_name(uint32_t uid, char *out, int size)
{
	if (size <= 0)
		return false;
	if (uid == 0 || uid == 501)
		snprintf(out, (size_t)size, "%s", uid == 0 ? "root" : "ana");
	else
		snprintf(out, (size_t)size, "user%" PRIu32, uid);
	return true;
}

static int
host_kdebug(int op, int value, void *at, size_t *size)
{
	int mib[4] = { CTL_KERN, KERN_KDEBUG, op, value };

	return sim_system_result(sim_sysctl_mib(mib, 4, at, size, NULL));
}

static bool
host_kdebug_is_enabled(uint32_t debugid)
{
	struct sim_kernel *k = sim_lock();
	bool yes = k != NULL && sim_kd_traced(k, debugid);

	if (k != NULL)
		sim_unlock();
	return yes;
}

static uint64_t
host_loop(unsigned level, unsigned loop, int *cpu)
{
	struct sim_kernel *k = sim_lock();
	uint64_t n = 0;

	if (k == NULL)
		return n;
	n = sim_kernel_loop(k, level, loop, cpu);
	sim_unlock();
	return n;
}

static const struct kperf_system system_functions = { host_sysctl, host_kdebug,
						      host_kdebug_is_enabled };

/* clang-format off */
static const struct host_api host_functions = {
	.version = HOST_VERSION,
	.simulated = true,
	.text = "",
	.clock = { .now = host_now, .step = host_step },
	.sysctl = host_sysctl,
	.cpu_nodes = host_cpu_nodes,
	.cpu_load = host_cpu_load,
	.proc_list = host_proc_list,
	.proc_usage = host_proc_usage,
	.proc_short = host_proc_short,
	.proc_path = host_proc_path,
	.proc_args = host_proc_args,
	.thread_list = host_thread_list,
	.thread_counts = host_thread_counts,
	.timebase = host_timebase,
	.user_name = host_user_name,
	.system = &system_functions,
	.loop = host_loop,
};
/* clang-format on */

static bool
boot_machine(struct err *e)
{
	struct sim_kernel *k = &sim.kernel;

	if (sim.spec.state[0] != '\0')
		return sim_shared_open(k, &sim.spec, e);
	sim.own = calloc(1, sizeof *sim.own);
	if (sim.own == NULL)
		return err_set(e, ERR_FAIL, "out of memory for the simulation");
	if (sim_kernel_init(k, sim.own, false, &sim.spec, e))
		return true;
	free(sim.own);
	sim.own = NULL;
	return false;
}

static bool
start_simulation(const char *spec, struct err *e)
{
	char cpu[64];
	struct stamp now;

	if (sim.on)
		return err_set(e, ERR_FAIL, "a simulation is already running");
	if (!sim_spec_parse(&sim.spec, spec, e) || !boot_machine(e))
		return false;
	const struct sim_machine *m = sim.spec.machine;
	snprintf(cpu, sizeof cpu, "cpu_%x_%x_%x", m->cputype,
		 sim.spec.cpusubtype, sim.kernel.cpufamily);
	sim_kpep_set_machine(
		cpu, sim.spec.layout_48 ? SIM_KPEP_48 : SIM_KPEP_56, true);
	if (sim.spec.os < SIM_OS(26, 0))
		sim_kpep_set_listed();
	if (sim.spec.new_chip)
		sim_kpep_set_new(m->db, SIM_NEW_DB);
	snprintf(sim.text, sizeof sim.text, "simulated %s, seed %" PRIu64,
		 m->brand, sim.spec.seed);
	sim.host = host_functions;
	sim.host.text = sim.text;
	sim.host.clock.stepped = sim.spec.step;
	sim.kernel.pause = pause_real;
	sim.kernel.table.adopts = true;
	/* exec keeps the pid but changes the task: each start draws a task. */
	clock_now(clock_system(), &now);
	sim.pid = 0;
	sim.table_thread = 0;
	sim.knows_pid = false;
	sim.task = work_draw((uint64_t)getpid(), (uint64_t)now.awake_ns,
			     (uint64_t)now.wall_ns, 0);
	return true;
}

bool
sim_start(const char *spec, struct err *e)
{
	(void)acquire_lock();
	bool ok = start_simulation(spec, e);
	sim.on = sim.on || ok;
	release_lock();
	return ok;
}

bool
sim_is_on(void)
{
	(void)acquire_lock();
	bool on = sim.on;

	release_lock();
	return on;
}

void
sim_stop(void)
{
	(void)acquire_lock();
	if (sim.on) {
		if (sim.kernel.shared)
			sim_shared_close(&sim.kernel);
		sim_kernel_free(&sim.kernel);
		free(sim.own);
		sim.own = NULL;
		sim.on = false;
	}
	release_lock();
}

const struct host_api *
sim_host(void)
{
	return &sim.host;
}

const struct kperfdata_api *
sim_kperfdata(void)
{
	return sim_kpep_api();
}

uint64_t
sim_total(unsigned cpu, const char *event, bool kernel_too, int64_t awake_ns)
{
	struct sim_kernel *k = sim_lock();
	uint64_t sum = UINT64_MAX;

	if (k == NULL)
		return sum;
	if (!sim_kernel_total(k, cpu, event, !kernel_too, awake_ns, &sum))
		sum = UINT64_MAX;
	sim_unlock();
	return sum;
}

void
sim_set_thread(uint64_t id)
{
	if (sim_lock() == NULL)
		return;
	sim.table_thread = id;
	sim_unlock();
}

uint64_t
sim_reads(unsigned cpu)
{
	struct sim_kernel *k = sim_lock();
	uint64_t n = 0;

	if (k == NULL)
		return n;
	if (cpu < k->ncpus)
		n = k->s->kpc.answers[cpu];
	sim_unlock();
	return n;
}

bool
sim_fault(const char *text, struct err *e)
{
	struct sim_kernel *k = sim_lock();
	struct sim_fault f;

	if (k == NULL)
		return err_set(e, ERR_USAGE, "no simulation is running");
	bool ok = sim_fault_parse(k->m, text, &f, e) &&
		  sim_kernel_fault(k, &f, e);
	sim_unlock();
	return ok;
}

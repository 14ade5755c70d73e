#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kperf/abi.h"
#include "sim/inside.h"

/* The kernel's state, mapped from a file that several processes share. A record
 * lock protects each call; the system releases it when a process dies. */

static const char magic[8] = "ktopsim";
#define VERSION 20u

static bool
set_file_lock(int fd, short type)
{
	struct flock l = { .l_type = type, .l_whence = SEEK_SET };

	while (fcntl(fd, F_SETLKW, &l) != 0)
		if (errno != EINTR)
			return false;
	return true;
}

bool
sim_shared_lock(struct sim_kernel *k)
{
	return set_file_lock(k->fd, F_WRLCK);
}

void
sim_shared_unlock(struct sim_kernel *k)
{
	(void)set_file_lock(k->fd, F_UNLCK);
}

/* Limits times to three years, so that sums cannot overflow. */
static bool
sane_time(int64_t ns)
{
	return ns >= SIM_START_NS && ns < SIM_START_NS + 100000000000000000;
}

static bool
sane_procs(const struct sim_state *s)
{
	const struct sim_procs *p = &s->procs;

	if (p->want > SIM_PROCS_MOST || !sane_time(p->done_ns) ||
	    p->done_ns > s->time.now_ns)
		return false;
	for (unsigned c = 0; c < SIM_MAX_CPUS; c++)
		if (p->local_ns[c] < 0 || p->local_ns[c] > p->done_ns)
			return false;
	for (unsigned i = 0; i < SIM_SLOTS; i++)
		if (p->slot[i].now.born_ns < 0 ||
		    p->slot[i].now.born_ns > p->done_ns ||
		    p->slot[i].now.ends_ns < 0 ||
		    p->slot[i].before.born_ns < 0 ||
		    p->slot[i].before.born_ns > p->done_ns)
			return false;
	return true;
}

/* Returns why a state is unusable, or NULL. */
static const char *
find_damage(const struct sim_state *s)
{
	if (memcmp(s->magic, magic, sizeof magic) != 0)
		return "it is not a state file";
	if (s->version != VERSION || s->size != sizeof *s)
		return "it is from another version of ktop";
	if (memchr(s->machine, '\0', sizeof s->machine) == NULL ||
	    sim_machine_find(s->machine) == NULL)
		return "it names no machine that exists";
	if (s->nfaults > SIM_FAULTS_MAX || !sane_time(s->time.now_ns) ||
	    !sane_time(s->time.awake_ns) ||
	    s->kperf.action_count > SIM_ACTIONS ||
	    s->kperf.timer_count > SIM_TIMERS || s->pm > 0xff ||
	    s->kperf.trigger.n > SIM_TRIGGERS ||
	    s->kd.units > SIM_KD_UNITS_MOST ||
	    s->time.next_edge_ns < SIM_START_NS ||
	    s->time.idle_ns < SIM_START_NS ||
	    memchr(s->ktrace.by, '\0', sizeof s->ktrace.by) == NULL)
		return "it is damaged";
	/* With a state file, no faults are removed, so the sums of removed
	 * faults are 0. */
	if (s->time.slept_ns != 0 || !sane_procs(s) ||
	    !sane_time(s->pet.done_ns) ||
	    (s->pet.start_ns != 0 && !sane_time(s->pet.start_ns)) ||
	    s->pet.done_ns > s->time.now_ns || s->pet.start_ns > s->time.now_ns)
		return "it is damaged";
	for (unsigned c = 0; c < SIM_MAX_CPUS; c++)
		if (s->time.off_ns[c] != 0 || s->program[c] >= SIM_PROGRAMS)
			return "it is damaged";
	for (unsigned i = 0; i < s->nfaults; i++)
		if (!sane_time(s->fault[i].from_ns) ||
		    s->fault[i].to_ns <= s->fault[i].from_ns ||
		    (s->fault[i].kind == SIM_FAULT_DROP &&
		     s->fault[i].arg < 1) ||
		    (s->fault[i].to_ns != SIM_NEVER &&
		     !sane_time(s->fault[i].to_ns)) ||
		    s->fault[i].arg < -SIM_WALL_MOST_NS ||
		    s->fault[i].arg > SIM_WALL_MOST_NS)
			return "it is damaged";
	return NULL;
}

static bool
state_agrees(const struct sim_state *s, const struct sim_spec *spec,
	     const struct sim_state *asked, struct err *e)
{
	static const uint8_t drawn[sizeof s->program];
	const char *what = NULL;

	if (strcmp(s->machine, asked->machine) != 0)
		what = "machine";
	else if (s->seed != asked->seed)
		what = "seed";
	else if (s->step != asked->step)
		what = "clock";
	else if (s->os != asked->os)
		what = "os";
	else if (s->pm != asked->pm || s->has_pm != asked->has_pm)
		what = "pm";
	else if (memcmp(asked->program, drawn, sizeof drawn) != 0 &&
		 memcmp(s->program, asked->program, sizeof drawn) != 0)
		what = "work";
	else if (spec->procs != 0 && s->procs.want != asked->procs.want)
		what = "procs";
	else if (spec->rest && !s->procs.rest)
		what = "rest";
	else if (spec->wide && !s->wide)
		what = "physics";
	else if (spec->skew && !s->skew)
		what = "skew";
	else if (asked->nfaults != 0 &&
		 (s->nfaults != asked->nfaults ||
		  memcmp(s->fault, asked->fault,
			 s->nfaults * sizeof *s->fault) != 0))
		what = "fault";
	if (what == NULL)
		return true;
	return err_set(
		e, ERR_USAGE,
		"state file %s holds a simulated %s with another %s; give the same value, or another file",
		spec->state, s->machine, what);
}

static int
open_state_file(const char *path, struct err *e)
{
	int flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_CREAT;
	int fd = open(path, flags, 0600);
	struct stat st;

	if (fd < 0) {
		err_set(e, ERR_FAIL, "state file %s: %s", path,
			strerror(errno));
		return -1;
	}
	if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)) {
		close(fd);
		err_set(e, ERR_FAIL, "state file %s: it is not a regular file",
			path);
		return -1;
	}
	return fd;
}

/* Locks and maps the file. *fresh: the caller must fill the state. The magic is
 * written last; without it, the file's creator was killed. */
static struct sim_state *
map_state_file(int fd, const char *path, bool *fresh, struct err *e)
{
	struct sim_state *s;
	struct stat st;

	if (!set_file_lock(fd, F_WRLCK) || fstat(fd, &st) != 0)
		return err_null(e, ERR_FAIL, "state file %s: %s", path,
				strerror(errno));
	*fresh = st.st_size == 0;
	if (!*fresh && st.st_size != (off_t)sizeof *s)
		return err_null(
			e, ERR_FAIL,
			"state file %s: it is incomplete or from another version of ktop; delete it or name another",
			path);
	if (*fresh && ftruncate(fd, (off_t)sizeof *s) != 0)
		return err_null(e, ERR_FAIL, "state file %s: %s", path,
				strerror(errno));
	s = mmap(NULL, sizeof *s, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (s == MAP_FAILED)
		return err_null(e, ERR_FAIL, "state file %s: %s", path,
				strerror(errno));
	static const char unwritten[sizeof magic];

	if (memcmp(s->magic, unwritten, sizeof magic) == 0)
		*fresh = true;
	const char *why = *fresh ? NULL : find_damage(s);
	if (why != NULL) {
		err_set(e, ERR_FAIL,
			"state file %s: %s; delete it or name another", path,
			why);
		munmap(s, sizeof *s);
		return NULL;
	}
	return s;
}

static bool
join_state(struct sim_kernel *k, struct sim_state *s, struct sim_state *asked,
	   bool fresh, const struct sim_spec *spec, struct err *e)
{
	struct sim_kernel scratch;

	if (!sim_kernel_init(&scratch, asked, false, spec, e))
		return false;
	sim_kernel_free(&scratch);
	if (!fresh && !state_agrees(s, spec, asked, e))
		return false;
	if (!fresh && !s->step && s->time.origin_ns > asked->time.origin_ns)
		return err_set(
			e, ERR_FAIL,
			"state file %s is from before this system started; delete it or name another",
			spec->state);
	if (fresh) {
		memset(asked->magic, 0, sizeof magic);
		asked->version = VERSION;
		asked->size = sizeof *asked;
		*s = *asked;
		atomic_signal_fence(memory_order_seq_cst);
		memcpy(s->magic, magic, sizeof magic);
	}
	return sim_kernel_init(k, s, true, spec, e);
}

bool
sim_shared_open(struct sim_kernel *k, const struct sim_spec *spec,
		struct err *e)
{
	bool fresh = false, ok;
	int fd = open_state_file(spec->state, e);

	if (fd < 0)
		return false;
	struct sim_state *s = map_state_file(fd, spec->state, &fresh, e);
	if (s == NULL) {
		close(fd);
		return false;
	}
	struct sim_state *asked = calloc(1, sizeof *asked);
	ok = asked != NULL
		     ? join_state(k, s, asked, fresh, spec, e)
		     : err_set(e, ERR_FAIL, "out of memory for the simulation");
	free(asked);
	if (!ok) {
		munmap(s, sizeof *s);
		close(fd);
		return false;
	}
	k->shared = true;
	k->fd = fd;
	(void)set_file_lock(fd, F_UNLCK);
	return true;
}

void
sim_shared_close(struct sim_kernel *k)
{
	munmap(k->s, sizeof *k->s);
	close(k->fd);
	k->s = NULL;
	k->fd = -1;
	k->shared = false;
}

/* Holders with pid <= 0 and the simulator's own holders (born 1) never end. */
static void
reap_holder(struct sim_kernel *k, const struct sim_holder *h,
	    const struct sim_caller *who)
{
	struct sim_caller gone = { .pid = h->pid,
				   .born = h->born,
				   .task = h->task };

	if (h->pid <= 0 || h->born <= 1)
		return;
	if (who != NULL && h->pid == who->pid && h->born == who->born) {
		if (h->task != who->task)
			sim_kernel_exec(k, &gone);
		return;
	}
	if (sim_process_born(h->pid) != h->born)
		sim_kernel_exit(k, &gone);
}

void
sim_shared_reap(struct sim_kernel *k, const struct sim_caller *who)
{
	struct sim_holder h = k->s->kpc.force_by;

	reap_holder(k, &h, who);
	h = k->s->ktrace.owner;
	/* Tracing belongs to a process, so exec changes nothing. */
	if (!k->s->ktrace.dead &&
	    (who == NULL || h.pid != who->pid || h.born != who->born))
		reap_holder(k, &h, who);
}

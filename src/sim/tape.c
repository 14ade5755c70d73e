#include "sim/tape.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/kpep.h"
#include "sim/tape_file.h"

struct sim_tape {
	struct tape_file file;
	size_t at; /* the next call */
	struct stamp now;
	unsigned ncpus; /* rows that callers make room for */
	struct err diverged;
	struct tape_engine engine;
	struct kperfdata_api kperfdata;
	struct host_api host;
	char path[128], text[192];
};

/* ---- calls ---- */

static bool
is_rows(const struct tape_call *c)
{
	return c->id == TAPE_KPERF_ID(kpc_get_cpu_counters);
}

/* A failure of these is a 0. */
static bool
is_count(unsigned id)
{
	return id == TAPE_KPERF_ID(kpc_pmu_version) ||
	       id == TAPE_KPERF_ID(kpc_get_counting) ||
	       id == TAPE_KPERF_ID(kpc_get_config_count) ||
	       id == TAPE_KPERF_ID(kpc_get_counter_count);
}

/* Bytes that an out has room for, whatever the tape says. */
static size_t
room(const struct sim_tape *t, const struct tape_call *c, unsigned out)
{
	if (is_rows(c) && out == 1)
		return (c->arg[0] != 0 ? (size_t)t->ncpus : 1) *
		       KPC_MAX_COUNTERS * sizeof(uint64_t);
	if (c->id == TAPE_KPERF_ID(kpc_get_config))
		return KPC_MAX_COUNTERS * sizeof(uint64_t);
	return c->out[out].size;
}

static bool
same(const struct tape_call *live, const struct tape_call *old)
{
	if (live->id != old->id || live->nargs != old->nargs ||
	    memcmp(live->arg, old->arg, live->nargs * sizeof live->arg[0]))
		return false;
	/* How many words were handed in is on the tape; none: they could not
	 * be counted. */
	return old->in == NULL ||
	       (live->in != NULL &&
		old->in_size <= KPC_MAX_COUNTERS * sizeof(uint64_t) &&
		memcmp(live->in, old->in, old->in_size) == 0);
}

static bool
fits(const struct sim_tape *t, const struct tape_call *c,
     const struct tape_record *r)
{
	for (unsigned i = 0; i < r->nruns; i++) {
		const struct tape_run *run = &r->run[i];
		size_t size = room(t, c, run->out);

		if (c->out[run->out].at != NULL &&
		    (run->offset > size || run->size > size - run->offset))
			return false;
	}
	return true;
}

static void
describe(const struct sim_tape *t, const struct tape_call *c, char *text,
	 size_t size)
{
	size_t at = (size_t)snprintf(text, size, "%s(", tape_name(c->id));

	for (unsigned i = 0; i < c->nargs && at < size; i++)
		at += (size_t)snprintf(text + at, size - at, "%s%llu",
				       i > 0 ? ", " : "",
				       (unsigned long long)c->arg[i]);
	if (c->id == TAPE_DATA_ID(kpep_config_add_event) &&
	    c->arg[1] < t->file.nevents && at < size)
		at += (size_t)snprintf(text + at, size - at, ": %s",
				       t->file.event[c->arg[1]].name);
	if (at < size)
		snprintf(text + at, size - at, "%s)",
			 c->in != NULL ? ", words" : "");
}

static bool
closing(const struct sim_tape *t)
{
	return t->at >= t->file.end || t->at == t->file.nrecords;
}

static void
fail(struct sim_tape *t, struct tape_call *c)
{
	const struct tape_record *r = &t->file.record[t->at];
	char live[128], old[128];

	if (c->id >= TAPE_KPERFDATA && c->id < TAPE_CPU_LOAD)
		c->result = KPEP_ERRNO;
	else
		c->result = is_count(c->id) ? 0 : -1;
	c->error = EIO;
	/* Closing earlier than the recording did is no news. */
	if (t->diverged.code != ERR_NONE || closing(t))
		return;
	describe(t, c, live, sizeof live);
	describe(t, &r->call, old, sizeof old);
	err_set(&t->diverged, ERR_FORMAT,
		"%s, line %u: the tape has %s%s where ktop now calls %s; play it with the options of its recording",
		t->path, r->line, old,
		strcmp(live, old) == 0 ? " with other words" : "", live);
}

static void
own_what_was_its_own(const struct tape_call *c)
{
	const size_t at = TAPE_KD_OWNER_AT;
	int32_t owner = 0;
	char *info = c->out[0].at;

	if (c->id != TAPE_KDEBUG || c->arg[0] != TAPE_KD_GETBUF ||
	    info == NULL || c->out[0].size < at + sizeof owner)
		return;
	memcpy(&owner, info + at, sizeof owner);
	if (owner != TAPE_SELF)
		return;
	owner = (int32_t)getpid();
	memcpy(info + at, &owner, sizeof owner);
}

static bool
play(void *self, struct tape_call *c)
{
	struct sim_tape *t = self;
	const struct tape_record *r = &t->file.record[t->at];

	if (t->diverged.code != ERR_NONE || t->at == t->file.nrecords ||
	    !same(c, &r->call) || !fits(t, c, r)) {
		fail(t, c);
		return false;
	}
	for (unsigned i = 0; i < r->nruns; i++) {
		char *out = c->out[r->run[i].out].at;

		if (out != NULL)
			memcpy(out + r->run[i].offset, r->run[i].bytes,
			       r->run[i].size);
	}
	own_what_was_its_own(c);
	c->result = r->call.result;
	c->error = r->call.error;
	t->now = r->stamp;
	t->at++;
	return false;
}

/*
 * Sysctls are asked at any time: by name, whatever the order. Of several
 * answers the last that was given by then, or the first.
 */
static const struct tape_node *
find_node(const struct sim_tape *t, const char *name)
{
	const struct tape_node *found = NULL;

	for (size_t i = 0; i < t->file.nnodes; i++) {
		const struct tape_node *n = &t->file.node[i];

		if ((found == NULL || n->at <= t->at) &&
		    strcmp(n->name, name) == 0)
			found = n;
	}
	return found;
}

static int
play_sysctl(void *self, const char *name, void *old, size_t *old_size,
	    const void *fresh, size_t fresh_size)
{
	const struct sim_tape *t = self;
	const struct tape_node *n = find_node(t, name);

	(void)fresh;
	(void)fresh_size;
	if (n == NULL || n->result != 0) {
		errno = n != NULL ? n->error : ENOENT;
		return n != NULL ? n->result : -1;
	}
	if (old_size == NULL)
		return 0;
	if (old != NULL && *old_size < n->size) {
		errno = ENOMEM;
		return -1;
	}
	if (old != NULL && n->size > 0)
		memcpy(old, n->bytes, n->size);
	*old_size = n->size;
	return 0;
}

/* ---- database, host, clock ---- */

/*
 * The framework's order of events that share a number is its own: the tape's
 * numbers are places in the recorded order, so go by name.
 */
static bool
number_events(struct sim_tape *t, struct kpep_db *db)
{
	struct kpep_event **event;

	event = calloc(t->file.nevents + 1u, sizeof *event);
	if (event == NULL)
		return false;
	for (unsigned i = 0; i < t->file.nevents; i++)
		for (size_t k = 0; k < db->event_count; k++) {
			struct kpep_event *at = sim_kpep_db_at(db, k);

			if (sim_kpep_db_row(db, at) == &t->file.event[i])
				event[i] = at;
		}
	tape_events_set(event, t->file.nevents);
	free(event);
	return true;
}

static int
play_db(void *self, const char *name, struct kpep_db **db)
{
	struct sim_tape *t = self;

	(void)name;
	*db = NULL;
	if (!t->file.has_db)
		return t->file.db_error;
	*db = sim_kpep_db_new(&t->file.pmu, t->file.db_cpu,
			      t->file.stride == sizeof(struct kpep_event_48)
				      ? SIM_KPEP_48
				      : SIM_KPEP_56,
			      false);
	if (*db != NULL && number_events(t, *db))
		return KPEP_OK;
	if (*db != NULL)
		sim_kpep_api()->kpep_db_free(*db);
	*db = NULL;
	return KPEP_OUT_OF_MEMORY;
}

/* The moment of what came last: an answer, or a step. */
static void
tape_now(void *self, struct stamp *out)
{
	const struct sim_tape *t = self;

	*out = t->now;
}

static void
tape_step(void *self, int64_t until_ns)
{
	struct sim_tape *t = self;
	int64_t by = until_ns - t->now.awake_ns;

	if (by <= 0)
		return;
	t->now.awake_ns += by;
	t->now.elapsed_ns += by;
	t->now.wall_ns += by;
}

static unsigned
recorded_cpus(struct sim_tape *t)
{
	uint32_t n = 0;
	size_t size = sizeof n;

	if (play_sysctl(t, "hw.ncpu", &n, &size, NULL, 0) != 0 ||
	    size != sizeof n || n == 0 || n >= 65536)
		return 1;
	return n;
}

static void
set_up(struct sim_tape *t, const char *path)
{
	t->now = t->file.begin;
	t->ncpus = recorded_cpus(t);
	snprintf(t->path, sizeof t->path, "%s", path);
	snprintf(t->text, sizeof t->text, "tape %.60s%s%.100s", path,
		 t->file.host != NULL && strcmp(t->file.host, "-") != 0 ? ": "
									: "",
		 t->file.host != NULL && strcmp(t->file.host, "-") != 0
			 ? t->file.host
			 : "");
	t->engine = (struct tape_engine){ .self = t,
					  .before = play,
					  .db_create = play_db,
					  .sysctl = play_sysctl };
	t->kperfdata = *sim_kpep_api();
	tape_kperfdata(&t->kperfdata);
	t->host = (struct host_api){ .version = HOST_VERSION,
				     .simulated = true,
				     .text = t->text,
				     .clock = { .self = t,
						.stepped = true,
						.now = tape_now,
						.step = tape_step } };
	if (t->file.has_system)
		t->host.system = &tape_system;
	tape_host(&t->host);
	tape_engine_set(&t->engine);
}

struct sim_tape *
sim_tape_open(const char *path, struct err *e)
{
	struct sim_tape *t = calloc(1, sizeof *t);

	if (t == NULL)
		return err_null(e, ERR_FAIL, "%s: out of memory", path);
	if (!tape_file_read(path, &t->file, e)) {
		free(t);
		return NULL;
	}
	set_up(t, path);
	return t;
}

void
sim_tape_close(struct sim_tape *t)
{
	if (t == NULL)
		return;
	tape_engine_set(NULL);
	tape_file_free(&t->file);
	free(t);
}

const struct kperfdata_api *
sim_tape_kperfdata(const struct sim_tape *t)
{
	return &t->kperfdata;
}

const struct host_api *
sim_tape_host(const struct sim_tape *t)
{
	return &t->host;
}

bool
sim_tape_to_trace(struct sim_tape *t)
{
	if (t->file.trace >= t->file.nrecords || t->file.trace == 0)
		return false;
	t->at = t->file.trace;
	t->now = t->file.record[t->at - 1].stamp;
	return true;
}

bool
sim_tape_over(const struct sim_tape *t)
{
	return closing(t) || t->file.record[t->at].swap;
}

bool
sim_tape_diverged(const struct sim_tape *t, struct err *e)
{
	if (t->diverged.code == ERR_NONE)
		return false;
	if (e != NULL)
		*e = t->diverged;
	return true;
}

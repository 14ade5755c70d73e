#include "kperf/tape/tape.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { EVENT_48 = 48, EVENT_56 = 56 };

struct tape_recorder {
	struct tape_engine engine;
	FILE *file;
	struct kperfdata_api kperfdata; /* what the source gets */
	struct host_api host;
	uint64_t calls;
	unsigned ncpus;
	bool described; /* the database: it is opened again for tracing */
	uint64_t *was;  /* rows before a reading, ncpus * KPC_MAX_COUNTERS */
	size_t was_size;
};

/* ---- calls ---- */

static bool
is_rows(const struct tape_call *c)
{
	return c->id == TAPE_KPERF_ID(kpc_get_cpu_counters);
}

/* Live counts: another program's force changes them at any moment. */
static size_t
size_of(const struct tape_recorder *r, const struct tape_call *c)
{
	const struct kperf_api *k = r->engine.kperf;
	size_t n;

	if (is_rows(c))
		n = k->kpc_get_counter_count((uint32_t)c->arg[1]) *
		    (c->arg[0] != 0 ? r->ncpus : (size_t)1);
	else
		n = k->kpc_get_config_count((uint32_t)c->arg[0]);
	return n * sizeof(uint64_t);
}

static bool
record_before(void *self, struct tape_call *c)
{
	struct tape_recorder *r = self;

	if (c->id == TAPE_KPERF_ID(kpc_get_config))
		c->out[0].size = size_of(r, c);
	if (c->id == TAPE_KPERF_ID(kpc_set_config))
		c->in_size = size_of(r, c);
	if (is_rows(c)) {
		c->out[1].size = size_of(r, c);
		if (c->out[1].size > r->was_size)
			c->out[1].size = r->was_size;
		memcpy(r->was, c->out[1].at, c->out[1].size);
	}
	return true;
}

/* Only the words that the reading changed: rows of silent cores stay. */
static void
print_rows(const struct tape_recorder *r, const struct tape_call *c)
{
	const uint64_t *now = c->out[1].at;
	size_t n = c->out[1].size / sizeof *now, i = 0;

	while (i < n) {
		size_t from;

		if (now[i] == r->was[i]) {
			i++;
			continue;
		}
		for (from = i; i < n && now[i] != r->was[i];)
			i++;
		tape_print_run(r->file,
			       &(struct tape_run){
				       .out = 1,
				       .offset = from * sizeof *now,
				       .size = (i - from) * sizeof *now,
				       .bytes = (const void *)&now[from] });
	}
}

/* xnu bsd/sys/sysctl.h: what fills a buffer. */
enum { KD_READTR = 10, KD_READCURTHRMAP = 21 };
enum { A_RECORD = 64, A_THREAD = 32, NAME_FROM = 12 };

/* Of tracing: the size, and of the buffer as much as that says. */
static size_t
written_by_system(const struct tape_call *c, unsigned out)
{
	size_t size = c->out[out].size, n;
	bool fills = c->id == TAPE_SYSTEM_SYSCTL ||
		     c->arg[0] == TAPE_KD_GETBUF || c->arg[0] == KD_READTR ||
		     c->arg[0] == KD_READCURTHRMAP;

	if (c->result != 0 || c->out[1].at == NULL)
		return 0;
	if (out == 1)
		return size;
	memcpy(&n, c->out[1].at, sizeof n);
	if (c->id == TAPE_KDEBUG && c->arg[0] == KD_READTR)
		n = n < size / A_RECORD ? n * A_RECORD : size;
	return !fills ? 0 : n < size ? n : size;
}

/* Whose threads they are, but not what those programs are called. */
static void
print_threads(const struct tape_recorder *r, const struct tape_call *c,
	      size_t size)
{
	const unsigned char *at = c->out[0].at;
	static const unsigned char none[A_THREAD - NAME_FROM];

	fputs(" o0:0:", r->file);
	for (size_t i = 0; i + A_THREAD <= size; i += A_THREAD) {
		tape_print_bytes(r->file, at + i, NAME_FROM);
		tape_print_bytes(r->file, none, sizeof none);
	}
}

static void
print_info(const struct tape_recorder *r, const struct tape_call *c,
	   size_t size)
{
	const size_t at = TAPE_KD_OWNER_AT;
	unsigned char info[TAPE_KD_OWNER_AT + sizeof(int32_t)];
	int32_t owner;

	if (size > sizeof info)
		size = sizeof info;
	memcpy(info, c->out[0].at, size);
	if (size == sizeof info) {
		memcpy(&owner, info + at, sizeof owner);
		if (owner == (int32_t)getpid())
			owner = TAPE_SELF;
		memcpy(info + at, &owner, sizeof owner);
	}
	fputs(" o0:0:", r->file);
	tape_print_bytes(r->file, info, size);
}

/* True: it was one that is not printed as it is. */
static bool
print_apart(const struct tape_recorder *r, const struct tape_call *c,
	    unsigned out, size_t size)
{
	if (is_rows(c) && out == 1)
		print_rows(r, c);
	else if (size == 0 || out != 0 || c->id != TAPE_KDEBUG)
		return false;
	else if (c->arg[0] == KD_READCURTHRMAP)
		print_threads(r, c, size);
	else if (c->arg[0] == TAPE_KD_GETBUF)
		print_info(r, c, size);
	else
		return false;
	return true;
}

/* How much of an out a call has written that says `result`. */
static size_t
written(const struct tape_call *c, unsigned out)
{
	size_t each, size = c->out[out].size;

	if (c->out[out].at == NULL || c->result < 0)
		return 0;
	if (c->id >= TAPE_SYSTEM_SYSCTL)
		return written_by_system(c, out);
	if (c->id == TAPE_KPERF_ID(kpc_cpu_string))
		return (size_t)c->result < size ? (size_t)c->result + 1 : size;
	if (c->id == TAPE_KPERF_ID(kpc_get_cpu_counters))
		return c->result == 0 ? size : 0;
	if (c->id != TAPE_CPU_LOAD && c->id != TAPE_CPU_NODES)
		return c->result == 0 || c->id == TAPE_DATA_ID(
							  kpep_config_add_event)
			       ? size
			       : 0;
	each = c->id == TAPE_CPU_LOAD ? sizeof(struct host_cpu_load)
				      : sizeof(struct host_cpu_node);
	return (size_t)c->result * each < size ? (size_t)c->result * each
					       : size;
}

static void
record_after(void *self, struct tape_call *c)
{
	struct tape_recorder *r = self;
	struct stamp now;

	clock_now(&r->engine.host->clock, &now);
	tape_print_call(r->file, c, &now);
	for (unsigned i = 0; i < TAPE_OUTS_MAX; i++) {
		size_t n = written(c, i);

		if (!print_apart(r, c, i, n) && n > 0)
			tape_print_run(
				r->file,
				&(struct tape_run){ .out = i,
						    .size = n,
						    .bytes = c->out[i].at });
	}
	putc('\n', r->file);
	r->calls++;
}

static int
record_sysctl(void *self, const char *name, void *old, size_t *old_size,
	      const void *fresh, size_t fresh_size)
{
	struct tape_recorder *r = self;
	int found = errno, rc, error;

	errno = 0;
	rc = r->engine.host->sysctl(name, old, old_size, fresh, fresh_size);
	error = errno;
	fprintf(r->file, "sysctl %s %d %d ", name, rc, error);
	if (rc == 0 && old != NULL && old_size != NULL && *old_size > 0)
		tape_print_bytes(r->file, old, *old_size);
	else
		putc('-', r->file);
	putc('\n', r->file);
	r->calls++;
	errno = error != 0 ? error : found;
	return rc;
}

/* ---- the database ---- */

static int
by_address(const void *a, const void *b)
{
	const struct kpep_event *const *x = a, *const *y = b;

	return (uintptr_t)*x < (uintptr_t)*y ? -1 : *x != *y;
}

/* 48 or 56 bytes apart (abi.h); 0: another layout. */
static size_t
stride_of(struct kpep_event *const *event, size_t n)
{
	struct kpep_event **sorted = malloc((n + 1) * sizeof *sorted);
	size_t least = SIZE_MAX;

	if (sorted == NULL)
		return 0;
	memcpy(sorted, event, n * sizeof *sorted);
	qsort(sorted, n, sizeof *sorted, by_address);
	for (size_t i = 1; i < n; i++)
		if ((uintptr_t)sorted[i] - (uintptr_t)sorted[i - 1] < least)
			least = (uintptr_t)sorted[i] - (uintptr_t)sorted[i - 1];
	free(sorted);
	return least == EVENT_48 || least == EVENT_56 ? least : 0;
}

static const char *
or_dash(const char *text)
{
	return text != NULL && text[0] != '\0' ? text : "-";
}

static void
print_event(const struct tape_recorder *r, struct kpep_event *event,
	    size_t stride)
{
	const struct kperfdata_api *k = r->engine.kperfdata;
	const void *at = event;
	const struct kpep_event_48 *old = at;
	const struct kpep_event_56 *new = at;
	const char *name = NULL, *alias = NULL;

	if (k->kpep_event_name(event, &name) != 0 || name == NULL)
		name = "-";
	if (k->kpep_event_alias(event, &alias) != 0)
		alias = NULL;
	fprintf(r->file, "event %s %u %u %u %s %s\n", name,
		stride == EVENT_48 ? old->number : new->number,
		stride == EVENT_48 ? old->umask : new->umask, new->mask,
		or_dash(alias), stride != 0 ? or_dash(new->fallback) : "-");
}

static void
print_db(const struct tape_recorder *r, struct kpep_db *db,
	 struct kpep_event **event, size_t n)
{
	const char *marketing = NULL;
	size_t stride = stride_of(event, n);

	(void)r->engine.kperfdata->kpep_db_name(db, &marketing);
	fprintf(r->file, "db %s %s %u %u %u %u %zu %zu ", or_dash(db->name),
		or_dash(db->cpu_id), db->architecture, db->fixed_counter_bits,
		db->config_counter_bits, db->power_counter_bits, stride, n);
	tape_print_bytes(r->file, or_dash(marketing),
			 strlen(or_dash(marketing)));
	putc('\n', r->file);
	for (size_t i = 0; i < n; i++)
		print_event(r, event[i], stride);
}

static bool
describe(struct tape_recorder *r, struct kpep_db *db)
{
	const struct kperfdata_api *k = r->engine.kperfdata;
	struct kpep_event **event;
	size_t n = 0;
	bool ok;

	if (k->kpep_db_events_count(db, &n) != 0 || n > TAPE_EVENTS_MAX)
		return false;
	event = calloc(n + 1, sizeof *event);
	ok = event != NULL &&
	     k->kpep_db_events(db, event, n * sizeof *event) == 0;
	if (ok) {
		if (!r->described)
			print_db(r, db, event, n);
		r->described = true;
		tape_events_set(event, (unsigned)n);
	}
	free(event);
	return ok;
}

static int
record_db_create(void *self, const char *name, struct kpep_db **db)
{
	struct tape_recorder *r = self;
	int code = r->engine.kperfdata->kpep_db_create(name, db);

	r->calls++;
	if (code != 0 || *db == NULL || !describe(r, *db))
		fprintf(r->file, "nodb %d\n", code);
	return code;
}

/* ---- the recorder ---- */

static unsigned
count_cpus(const struct host_api *host)
{
	static const char *const name[] = { "hw.ncpu", "hw.logicalcpu_max" };
	unsigned most = 1;

	for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
		uint32_t n = 0;
		size_t size = sizeof n;

		if (host->sysctl(name[i], &n, &size, NULL, 0) == 0 &&
		    n > most && n < 65536)
			most = n;
	}
	return most;
}

struct tape_recorder *
tape_record(FILE *f, const struct kperf_api *kperf,
	    const struct kperfdata_api *kperfdata, const struct host_api *host,
	    struct err *e)
{
	struct tape_recorder *r = calloc(1, sizeof *r);
	struct stamp now;

	if (r != NULL) {
		r->ncpus = count_cpus(host);
		r->was_size =
			(size_t)r->ncpus * KPC_MAX_COUNTERS * sizeof *r->was;
		r->was = malloc(r->was_size);
	}
	if (r == NULL || r->was == NULL) {
		free(r);
		return err_null(e, ERR_FAIL, "tape: out of memory");
	}
	r->file = f;
	r->engine = (struct tape_engine){ .self = r,
					  .before = record_before,
					  .after = record_after,
					  .kperf = kperf,
					  .kperfdata = kperfdata,
					  .host = host,
					  .db_create = record_db_create,
					  .sysctl = record_sysctl };
	r->kperfdata = *kperfdata;
	tape_kperfdata(&r->kperfdata);
	r->host = *host;
	tape_host(&r->host);
	clock_now(&host->clock, &now);
	fprintf(f, TAPE_MAGIC "\nbegin %" PRId64 " %" PRId64 " %" PRId64 " %u ",
		now.awake_ns, now.elapsed_ns, now.wall_ns, r->ncpus);
	tape_print_bytes(f, or_dash(host->text), strlen(or_dash(host->text)));
	putc('\n', f);
	tape_engine_set(&r->engine);
	return r;
}

const struct kperfdata_api *
tape_record_kperfdata(struct tape_recorder *r)
{
	return &r->kperfdata;
}

const struct host_api *
tape_record_host(struct tape_recorder *r)
{
	return &r->host;
}

void
tape_record_mark(struct tape_recorder *r, const char *mark)
{
	fprintf(r->file, "%s\n", mark);
}

uint64_t
tape_record_calls(const struct tape_recorder *r)
{
	return r->calls;
}

void
tape_record_end(struct tape_recorder *r)
{
	if (r == NULL)
		return;
	tape_engine_set(NULL);
	free(r->was);
	free(r);
}

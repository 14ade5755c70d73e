/*
 * Every call of the frameworks and of the host on its way through: recorded to
 * a file ("ktop-tape/1"), or answered from one (sim/tape.h). The functions have
 * no context, so one engine at a time stands behind them.
 */
#ifndef KPERF_TAPE_TAPE_H
#define KPERF_TAPE_TAPE_H

#include "base/clock.h"
#include "base/err.h"
#include "kperf/api.h"
#include "kperf/host.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define TAPE_MAGIC "ktop-tape/1"

enum {
	TAPE_ARGS_MAX = 4,
	TAPE_OUTS_MAX = 2,
	TAPE_EVENTS_MAX = 1024,
	TAPE_CONFIGS_MAX = 16
};

/* A call's number: its place in the two symbol tables, then the host's. */
enum tape_id {
	TAPE_KPERFDATA = KPERF_NSYMBOLS,
	TAPE_CPU_LOAD = KPERF_NSYMBOLS + KPERFDATA_NSYMBOLS,
	TAPE_CPU_NODES,
	/* Tracing of the kernel, in order: what was asked may change. */
	TAPE_SYSTEM_SYSCTL,
	TAPE_KDEBUG,
	TAPE_KDEBUG_ENABLED,
	TAPE_IDS
};
#define TAPE_KPERF_ID(member) \
	((unsigned)(offsetof(struct kperf_api, member) / sizeof(void *)))
#define TAPE_DATA_ID(member)        \
	((unsigned)TAPE_KPERFDATA + \
	 (unsigned)(offsetof(struct kperfdata_api, member) / sizeof(void *)))

/*
 * KERN_KDGETBUF says whose tracing is. Of who records it the tape has this
 * number, and who plays it finds its own.
 */
enum { TAPE_KD_GETBUF = 5, TAPE_KD_OWNER_AT = 16, TAPE_SELF = INT32_MAX };

/* "kpc_get_counting"; NULL past the last. */
const char *tape_name(unsigned id);

/* One call. Pointers of the database go by number, see tape_event_at. */
struct tape_call {
	unsigned id, nargs;
	uint64_t arg[TAPE_ARGS_MAX];
	const void *in; /* words handed in; NULL: none */
	size_t in_size; /* bytes */
	struct {
		void *at;    /* NULL: the caller does not want it */
		size_t size; /* bytes that may be written */
	} out[TAPE_OUTS_MAX];
	int64_t result;
	int error; /* errno that the call set; 0: it set none */
};

struct tape_engine {
	void *self;
	/* True: make the real call; false: the answer is in *c already. */
	bool (*before)(void *self, struct tape_call *c);
	/* After a real call, errno untouched since, result filled in. */
	void (*after)(void *self, struct tape_call *c);
	/* NULL where before() never says true. */
	const struct kperf_api *kperf;
	const struct kperfdata_api *kperfdata;
	const struct host_api *host;
	/* Databases are not calls: the recorder describes them whole. */
	int (*db_create)(void *self, const char *name, struct kpep_db **db);
	int (*sysctl)(void *self, const char *name, void *old, size_t *old_size,
		      const void *fresh, size_t fresh_size);
};

/* Puts an engine (borrowed) behind the functions; NULL: none. */
void tape_engine_set(const struct tape_engine *e);

/* kperf's functions, the configuration half of kperfdata's and the host's. */
extern const struct kperf_api tape_kperf;
/* Adds the tape's calls to a struct that has the database's functions. */
void tape_kperfdata(struct kperfdata_api *api);
/* Of tracing only where `system` is set. */
void tape_host(struct host_api *host);
extern const struct kperf_system tape_system;

/* Which pointers the numbers of events, 0 up, stand for. */
void tape_events_set(struct kpep_event *const *event, unsigned n);

/* ---- tape_text.c: a call as a line ---- */

/* A run of bytes that a call wrote, at an offset of an out. */
struct tape_run {
	unsigned out;
	size_t offset, size;
	const unsigned char *bytes;
};

/* The line so far; the runs follow, then '\n'. */
void tape_print_call(FILE *f, const struct tape_call *c,
		     const struct stamp *now);
void tape_print_run(FILE *f, const struct tape_run *r);
void tape_print_bytes(FILE *f, const void *at, size_t size);

/* Reads hexadecimal digits in place; false unless all of it is. */
bool tape_bytes(char *text, unsigned char **bytes, size_t *size);

/* ---- tape_record.c ---- */

struct tape_recorder;

/*
 * Starts to record everything that goes through the tape's functions to f
 * (borrowed). NULL when memory is short.
 */
struct tape_recorder *tape_record(FILE *f, const struct kperf_api *kperf,
				  const struct kperfdata_api *kperfdata,
				  const struct host_api *host, struct err *e);
const struct kperfdata_api *tape_record_kperfdata(struct tape_recorder *r);
const struct host_api *tape_record_host(struct tape_recorder *r);
/*
 * "swap": another set of events comes next; a player that does not swap has
 * reached the end. "end": the readings are done, the closing follows.
 */
void tape_record_mark(struct tape_recorder *r, const char *mark);
uint64_t tape_record_calls(const struct tape_recorder *r);
void tape_record_end(struct tape_recorder *r);

#endif

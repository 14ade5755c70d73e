/* Protocol of the counter server: one request, one reply. Both sides are the
 * same program after a fork, so structs are sent as they are in memory; they
 * have no padding, and texts end in zeros, so that no other memory leaks.
 * Requests come from a process with fewer rights: every field is checked. In
 * replies lengths, counts, indices, texts, enums and flags are checked. */
#ifndef SERVER_WIRE_H
#define SERVER_WIRE_H

#include "power/power.h"
#include "source/source.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	WIRE_REQUEST_MAX = 8192,
	WIRE_REPLY_MAX = 1 << 25,
	WIRE_TEXT_MAX = 1024,
	WIRE_NAME_MAX = 32,
	WIRE_PINS_MAX = 256, /* Further pinned processes are not sent. */
	WIRE_CPUS_MAX = 1 << 14,
	WIRE_EVENTS_MAX = 1 << 14
};

enum wire_op {
	WIRE_OPEN = 1, /* with struct wire_open; renews a source that is already
			  open */
	WIRE_PROBE,    /* with struct wire_open and a name */
	WIRE_PROGRAM,
	WIRE_READ,
	WIRE_STEP,
	WIRE_CLOSE,
	WIRE_PROCESSES,
	WIRE_POWER,
	WIRE_ENERGY,
	WIRE_OPS
};

struct wire_head {
	uint32_t size;
	uint16_t op;
	uint16_t tag;
};
enum { WIRE_HEAD = sizeof(struct wire_head) };

struct wire_out {
	unsigned char *at;
	size_t len, size;
	bool bad;
};

/* bad: data is missing or invalid. */
struct wire_in {
	const unsigned char *at;
	size_t left;
	bool bad;
};

void wire_begin(struct wire_out *w);
void wire_end(struct wire_out *w, unsigned op, unsigned tag);
void wire_put(struct wire_out *w, const void *from, size_t n);
/* If data is missing, returns zeros and sets r->bad. */
void wire_get(struct wire_in *r, void *to, size_t n);
bool wire_done(const struct wire_in *r);

/* NULL and "" are different texts. */
void wire_put_text(struct wire_out *w, const char *text);
/* Returns a pointer into the payload. size: most bytes of the text with NUL. */
const char *wire_get_text(struct wire_in *r, size_t size);

#define SEAL(text) wire_clear_text_tail(text, sizeof(text))
#define ENDS(text) (memchr(text, '\0', sizeof(text)) != NULL)
void wire_clear_text_tail(char *text, size_t size);
/* A byte other than 0 and 1 must not be read as bool. */
bool wire_are_bools(const void *from, size_t n);

/* Strings of the result point into the payload. */
struct wire_open {
	struct source_options options;
	const char *name; /* NULL: the first source */
};
bool wire_put_open(struct wire_out *w, const struct source_options *o,
		   const char *name, struct err *e);
void wire_get_open(struct wire_in *r, struct wire_open *o);

/* set may be NULL. Events are sent as indices into the catalog. */
void wire_put_set(struct wire_out *w, const struct eventset *set,
		  const struct catalog *c);
bool wire_get_set(struct wire_in *r, struct eventset *set,
		  const struct catalog *c);

struct wire_wish {
	struct process_request wish;
	int32_t pin[WIRE_PINS_MAX];
};
/* NULL: the default request. */
void wire_put_process_request(struct wire_out *w,
			      const struct process_request *wish);
/* Pins point into *wish. */
void wire_get_process_request(struct wire_in *r, struct wire_wish *wish);

/* A reply has a status, the state of the open source, and the result. */

void wire_set_malformed(struct wire_in *r, struct err *e);

/* e: sent only with SOURCE_ERROR. */
void wire_put_status(struct wire_out *w, enum source_status status,
		     const struct err *e);
/* False and *e (may be NULL): the call failed, or the message is malformed. */
bool wire_get_status(struct wire_in *r, enum source_status *status,
		     struct err *e);

/* at: the time of a stepped clock, otherwise the offset from the system's
 * clock. */
struct wire_clock {
	uint64_t stepped; /* bool */
	struct stamp at;
};
void wire_clock_of(const struct clock *clock, struct wire_clock *out);

/* Writes the state, with info's event set and the source's own list of dropped
 * events. */
void wire_put_state(struct wire_out *w, const struct source_info *info,
		    const struct wire_clock *clock);
void wire_get_state(struct wire_in *r, struct source_info *info,
		    struct eventset *set, struct wire_clock *clock);

void wire_put_topology(struct wire_out *w, const struct topology *t);
/* NULL and *e: malformed or out of memory. */
struct topology *wire_get_topology(struct wire_in *r, struct err *e);

void wire_put_catalog(struct wire_out *w, const struct catalog *c);
/* The catalog's name is NULL if none was sent. */
struct wire_catalog {
	struct catalog catalog;
	struct event *event;
	unsigned char *bytes;
};
bool wire_get_catalog(struct wire_in *r, struct wire_catalog *c, struct err *e);
void wire_free_catalog(struct wire_catalog *c);

/* Slots from nslots on are not sent; they are 0 in the result. */
void wire_put_sample(struct wire_out *w, const struct sample *s,
		     unsigned nslots);
void wire_get_sample(struct wire_in *r, struct sample *s, unsigned nslots);

void wire_put_power(struct wire_out *w, const struct power_source *p);
void wire_get_power(struct wire_in *r, struct power_source *p,
		    unsigned nclusters);

void wire_get_energy(struct wire_in *r, struct power_reading *reading,
		     unsigned nrails);

/* Fills the unused bytes of p's texts with zeros. */
void wire_put_processes(struct wire_out *w, struct process_reading *p);
/* Fills p, which grows as needed. False and *e: malformed or out of memory. */
bool wire_get_processes(struct wire_in *r, struct process_reading *p,
			unsigned nkinds, struct err *e);

#endif

/*
 * The counter server's protocol: one request, one answer. Both sides are one
 * program, before and after a fork, so structs travel as they are. They have no
 * gaps, texts are zeros behind their end, and so an answer holds nothing but
 * what it says. Requests come from a process with fewer rights: all of one is
 * checked. Of answers are lengths, counts, indices, texts, enums and flags.
 */
#ifndef SERVER_WIRE_H
#define SERVER_WIRE_H

#include "power/power.h"
#include "source/source.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	WIRE_REQUEST_MAX = 8192,  /* payload of a request */
	WIRE_REPLY_MAX = 1 << 25, /* of an answer: 32 MB */
	WIRE_TEXT_MAX = 1024,     /* bytes of a text in a request, with NUL */
	WIRE_NAME_MAX = 32,
	WIRE_PINS_MAX = 256, /* of a wish; more do not travel */
	WIRE_CPUS_MAX = 1 << 14,
	WIRE_EVENTS_MAX = 1 << 14
};

enum wire_op {
	WIRE_OPEN = 1,  /* struct wire_open; of one that is open: renew it */
	WIRE_PROBE,     /* the same; the name is needed */
	WIRE_PROGRAM,   /* struct wire_set */
	WIRE_READ,      /* uint32_t: source.recording */
	WIRE_STEP,      /* int64_t: until, awake ns */
	WIRE_CLOSE,     /* nothing */
	WIRE_PROCESSES, /* struct wire_wish */
	WIRE_POWER,     /* nothing: opens what measures energy, once more */
	WIRE_ENERGY,    /* nothing: a reading of it */
	WIRE_OPS
};

/* What stands before a payload. */
struct wire_head {
	uint32_t size; /* of the payload */
	uint16_t op;
	uint16_t tag; /* of the request; its answer carries the same */
};
enum { WIRE_HEAD = sizeof(struct wire_head) };

/* What is sent grows as it is put; `bad` once memory was short. */
struct wire_out {
	unsigned char *at;
	size_t len, size;
	bool bad;
};

/* Takes from the front; `bad` once something was missing or impossible. */
struct wire_in {
	const unsigned char *at;
	size_t left;
	bool bad;
};

/* A message begins with its head, which wire_end fills. */
void wire_begin(struct wire_out *w);
void wire_end(struct wire_out *w, unsigned op, unsigned tag);
void wire_put(struct wire_out *w, const void *from, size_t n);
/* Zeros where there is not as much; the payload is bad then. */
void wire_get(struct wire_in *r, void *to, size_t n);
/* All taken, and nothing wrong with it. */
bool wire_done(const struct wire_in *r);

/* NULL and "" differ. */
void wire_put_text(struct wire_out *w, const char *text);
/* Where it lies in the payload, less than size bytes with its NUL. */
const char *wire_get_text(struct wire_in *r, size_t size);

/* A text in an array: zeros behind its end; has it one? */
#define SEAL(text) wire_clear_text_tail(text, sizeof(text))
#define ENDS(text) (memchr(text, '\0', sizeof(text)) != NULL)
void wire_clear_text_tail(char *text, size_t size);
/* Bytes that are 0 or 1, before they are taken for bool. */
bool wire_are_bools(const void *from, size_t n);

/* ---- requests ---- */

/* source_options without what a server never opens; all strings borrowed of the
 * payload. */
struct wire_open {
	struct source_options options;
	const char *name; /* of the source; NULL: the first */
};
/* False and *e: something is too long. */
bool wire_put_open(struct wire_out *w, const struct source_options *o,
		   const char *name, struct err *e);
void wire_get_open(struct wire_in *r, struct wire_open *o);

/* NULL: no set. Events are indices into the catalog; others do not pass. */
void wire_put_set(struct wire_out *w, const struct eventset *set,
		  const struct catalog *c);
/* False: there is none. */
bool wire_get_set(struct wire_in *r, struct eventset *set,
		  const struct catalog *c);

/* What a person wants to know, and the memory its pins live in. */
struct wire_wish {
	struct process_wish wish;
	int32_t pin[WIRE_PINS_MAX];
};
/* NULL: nothing in particular. */
void wire_put_wish(struct wire_out *w, const struct process_wish *wish);
/* The pins point into *wish. */
void wire_get_wish(struct wire_in *r, struct wire_wish *wish);

/* ---- answers: a status, of an open source its state, and what was asked ----
 */

/* Says of an answer that it makes no sense. */
void wire_set_malformed(struct wire_in *r, struct err *e);

/* e: of SOURCE_ERROR. */
void wire_put_status(struct wire_out *w, enum source_status status,
		     const struct err *e);
/* False and *e (where it is not NULL): the call failed there. */
bool wire_get_status(struct wire_in *r, enum source_status *status,
		     struct err *e);

/* How the server's clock stands: now, if stepped, else ahead of the system's
 * by so much. */
struct wire_clock {
	uint64_t stepped; /* 0 or 1 */
	struct stamp at;
};
void wire_clock_of(const struct clock *clock, struct wire_clock *out);

/* info's own data, and its set, whose `dropped` are those that the source
 * itself left out. */
void wire_put_state(struct wire_out *w, const struct source_info *info,
		    const struct wire_clock *clock);
void wire_get_state(struct wire_in *r, struct source_info *info,
		    struct eventset *set, struct wire_clock *clock);

void wire_put_topology(struct wire_out *w, const struct topology *t);
/* NULL and *e when the payload is bad or memory is short. */
struct topology *wire_get_topology(struct wire_in *r, struct err *e);

/* c may be NULL. */
void wire_put_catalog(struct wire_out *w, const struct catalog *c);
/* A catalog and the memory it lives in; without a name: there is none. */
struct wire_catalog {
	struct catalog catalog;
	struct event *event;
	unsigned char *bytes; /* of all strings */
};
/* False and *e: as above. */
bool wire_get_catalog(struct wire_in *r, struct wire_catalog *c, struct err *e);
void wire_free_catalog(struct wire_catalog *c);

/* Readings of the slots beyond nslots do not travel; they come out as 0. */
void wire_put_sample(struct wire_out *w, const struct sample *s,
		     unsigned nslots);
void wire_get_sample(struct wire_in *r, struct sample *s, unsigned nslots);

/* What is measured, and why the rest is not. */
void wire_put_power(struct wire_out *w, const struct power_source *p);
/* Into p, but for its calls; of a machine of so many clusters. */
void wire_get_power(struct wire_in *r, struct power_source *p,
		    unsigned nclusters);

/* One of each rail. */
void wire_put_energy(struct wire_out *w, const struct power_reading *reading,
		     unsigned nrails);
void wire_get_energy(struct wire_in *r, struct power_reading *reading,
		     unsigned nrails);

/* Puts zeros behind the ends of its texts, as they travel. */
void wire_put_processes(struct wire_out *w, struct process_reading *p);
/*
 * Grows p where it has to; nkinds: of the topology. False and *e: the payload
 * is bad, or memory is short.
 */
bool wire_get_processes(struct wire_in *r, struct process_reading *p,
			unsigned nkinds, struct err *e);

#endif

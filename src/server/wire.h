/*
 * The counter server's protocol: what its two sides put into messages and how
 * it is taken out again. One request, one reply, in the machine's own byte
 * order: both sides are one program, before and after a fork.
 */
#ifndef SERVER_WIRE_H
#define SERVER_WIRE_H

#include "source/source.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	WIRE_HEAD = 8,            /* bytes before every payload */
	WIRE_REQUEST_MAX = 8192,  /* payload of a request */
	WIRE_REPLY_MAX = 1 << 25, /* of a reply: 32 MB */
	WIRE_TEXT_MAX = 1024,     /* bytes of a text in a request, with NUL */
	WIRE_NAME_MAX = 32,
	WIRE_PINS_MAX = 256, /* of a wish; more do not travel */
	WIRE_WISH_MAX = 64 + WIRE_PINS_MAX * 4, /* bytes of one */
	WIRE_CPUS_MAX = 1 << 14,
	WIRE_EVENTS_MAX = 1 << 14
};

enum wire_op {
	WIRE_OPEN = 1,  /* struct wire_open; of one that is open: renew it */
	WIRE_PROBE,     /* the same; the name is needed */
	WIRE_PROGRAM,   /* u8: is there a set; the set */
	WIRE_READ,      /* u8: source.recording */
	WIRE_STEP,      /* i64: until, awake ns */
	WIRE_CLOSE,     /* nothing */
	WIRE_PROCESSES, /* struct wire_wish */
	WIRE_OPS
};

/* What stands before a payload. */
struct wire_head {
	uint32_t size; /* of the payload */
	uint16_t op;
	uint16_t tag; /* of the request; its reply carries the same */
};

/* Appends; `len` grows past `size`, too, so that it can be measured. */
struct wire_out {
	unsigned char *at;
	size_t len, size;
};

/* Takes from the front; `bad` once something was missing or impossible. */
struct wire_in {
	const unsigned char *at;
	size_t left;
	bool bad;
	char *arena, *arena_end; /* for strings; NULL: there are none */
};

void wire_put(struct wire_out *w, const void *from, size_t n);
void wire_put_u8(struct wire_out *w, unsigned v);
void wire_put_u16(struct wire_out *w, unsigned v);
void wire_put_u32(struct wire_out *w, uint32_t v);
void wire_put_i64(struct wire_out *w, int64_t v);
/* NULL and "" differ. Longer texts than 64 kB are cut. */
void wire_put_text(struct wire_out *w, const char *text);

/* 0 once the payload is bad. */
unsigned wire_get_u8(struct wire_in *r);
unsigned wire_get_u16(struct wire_in *r);
uint32_t wire_get_u32(struct wire_in *r);
int64_t wire_get_i64(struct wire_in *r);
/* 0 or 1; anything else is bad. */
bool wire_get_flag(struct wire_in *r);
/* 0 to max; anything else is bad. */
unsigned wire_get_to(struct wire_in *r, unsigned max);
/* Writes a text that fits into out, with its NUL; false for NULL, or bad. */
bool wire_get_text(struct wire_in *r, char *out, size_t size);
/* All taken, and nothing wrong with it. */
bool wire_done(const struct wire_in *r);

/*
 * A struct as a table of its fields: one row puts it and takes it out. A text
 * is an array of char; a string a pointer, taken out into the arena of
 * wire_in. Numbers out of their range are bad.
 */
enum wire_type {
	WIRE_TEXT,   /* char [max] */
	WIRE_STRING, /* const char *, NULL or less than max bytes */
	WIRE_FLAG,   /* bool */
	WIRE_ENUM,   /* 0 to max */
	WIRE_UINT,   /* unsigned, uint32_t */
	WIRE_BELOW,  /* unsigned below limit[max] */
	WIRE_SMALL,  /* uint8_t, 0 to max */
	WIRE_BITS,   /* uint32_t, none but those of max */
	WIRE_INT,    /* int, -1 or more */
	WIRE_U64,
	WIRE_I64
};

struct wire_field {
	enum wire_type type;
	size_t at;
	unsigned max;
};

void wire_put_fields(struct wire_out *w, const struct wire_field *field,
		     unsigned n, const void *from);
/* limit: of the WIRE_BELOW among them; NULL where there is none. */
void wire_get_fields(struct wire_in *r, const struct wire_field *field,
		     unsigned n, const unsigned *limit, void *to);

void wire_put_head(struct wire_out *w, const struct wire_head *h);
void wire_get_head(const unsigned char *from, struct wire_head *h);

void wire_put_err(struct wire_out *w, const struct err *e);
void wire_get_err(struct wire_in *r, struct err *e);

/* A request to open: source_options without what a server never opens. */
struct wire_open {
	struct source_options options; /* its strings: in text */
	char name[WIRE_NAME_MAX];      /* of the source; "": the first */
	char text[WIRE_REQUEST_MAX];
};
void wire_put_open(struct wire_out *w, const struct source_options *o,
		   const char *name);
/* The strings of o->options point into *o; the arena of r is used up. */
void wire_get_open(struct wire_in *r, struct wire_open *o);

/* A set as indices into a catalog; events of other catalogs do not pass. */
void wire_put_set(struct wire_out *w, const struct eventset *set,
		  const struct catalog *c);
void wire_get_set(struct wire_in *r, struct eventset *set,
		  const struct catalog *c);

/* How the server's clock stands: now, if stepped, else ahead of the system's
 * by so much. */
struct wire_clock {
	bool stepped;
	struct stamp at;
};
void wire_put_clock(struct wire_out *w, const struct wire_clock *c);
void wire_get_clock(struct wire_in *r, struct wire_clock *c);
/* As it stands now. */
void wire_put_clock_of(struct wire_out *w, const struct clock *clock);

/*
 * The parts of source_info that may change. set is info->set, its `dropped`
 * those that the source itself left out.
 */
void wire_put_state(struct wire_out *w, const struct source_info *info);
void wire_get_state(struct wire_in *r, struct source_info *info,
		    struct eventset *set);

/* The parts that never change. */
void wire_put_about(struct wire_out *w, const struct source_info *info);
void wire_get_about(struct wire_in *r, struct source_info *info);

void wire_put_topology(struct wire_out *w, const struct topology *t);
/* NULL and *e when the payload is bad or memory is short. */
struct topology *wire_get_topology(struct wire_in *r, struct err *e);

/* c may be NULL. */
void wire_put_catalog(struct wire_out *w, const struct catalog *c);

/* A catalog and the memory it lives in. */
struct wire_catalog {
	struct catalog catalog;
	struct event *event;
	char *text; /* all strings */
};
/* False and *e: as above. *there: the other side has one. */
bool wire_get_catalog(struct wire_in *r, struct wire_catalog *c, bool *there,
		      struct err *e);
void wire_free_catalog(struct wire_catalog *c);

/* Readings of the slots beyond nslots do not travel; they come out as 0. */
void wire_put_sample(struct wire_out *w, const struct sample *s,
		     unsigned nslots);
void wire_get_sample(struct wire_in *r, struct sample *s, unsigned nslots);

/* ---- wire_process.c ---- */

/* What a person wants to know, and the memory its pins live in. */
struct wire_wish {
	struct process_wish wish;
	int32_t pin[WIRE_PINS_MAX];
};
/* NULL: nothing in particular. */
void wire_put_wish(struct wire_out *w, const struct process_wish *wish);
/* The pins point into *wish. */
void wire_get_wish(struct wire_in *r, struct wire_wish *wish);

void wire_put_processes(struct wire_out *w, const struct process_reading *p);
/*
 * Grows p where it has to; nkinds: of the topology. False and *e: the payload
 * is bad, or memory is short.
 */
bool wire_get_processes(struct wire_in *r, struct process_reading *p,
			unsigned nkinds, struct err *e);
/* The most bytes of a reply with so many processes and threads. */
size_t wire_processes_size(unsigned nrows);

/* The most bytes of a reply to WIRE_READ. */
size_t wire_sample_size(unsigned ncpus);

#endif

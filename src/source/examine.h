/*
 * What ktop doctor asks of a source beyond its calls: what the sections that
 * every report has say on this machine, and the sections that no other has.
 */
#ifndef SOURCE_EXAMINE_H
#define SOURCE_EXAMINE_H

#include "base/buf.h"
#include "source/source.h"

#include <stdio.h>

/* How a Mac's kernel takes words and gives counts. */
struct examine_kernel {
	bool tried;
	bool at_once; /* words are told as soon as they are written */
	bool kept;    /* they read the same with counting off */
	bool latent;  /* they can be told only while they count: 26.5 on */
	uint64_t sum_before, sum_after; /* of other words, a moment apart */
	bool asked;
	int second; /* errno of a second process that forces; 0: none */
};

/* What an examination has found; the verdicts are made of it. */
struct examine_found {
	struct err ipc, full; /* why there is none; "": nothing is wrong */
	struct err untried;   /* why no event is worth a try; "": they are */
	unsigned events, refused, nowhere;
	unsigned presets, programmed;
	unsigned rows, delivered, moved; /* CPUs of two readings */
	unsigned busy_rows;              /* of the system's busy time */
	enum domain domain;              /* of all events; MIXED: they differ */
	struct examine_kernel kernel;
};

struct examine {
	FILE *out;
	const struct source_options *o;
	struct source *s; /* NULL: it could not be opened */
	bool live;        /* there is a kernel to ask, not just its files */
	/* A signal waits: come to the end. */
	bool (*leave_off)(const struct examine *x);
	struct examine_found found;
};

/* What came of one event. */
struct examine_event {
	bool taken;         /* it counts, on some CPUs at least */
	bool nowhere;       /* there is no place for it: it was not tried */
	enum err_code why;  /* of the refusal */
	enum domain domain; /* its mode; DOMAIN_NONE: not known */
};

struct source_examine {
	/* What the lines of these sections mean: "# ...", "# ...what counted"
	 */
	const char *events, *presets;
	/* What gives busy time, for the verdict. */
	const char *busy;

	/* Sections, or first lines of them, that are this source's alone. */
	const struct examine_section {
		const char *name;
		void (*run)(struct examine *x);
	} * own; /* name NULL ends */

	/* Also where nothing may be counted. NULL: that of its info. */
	const struct catalog *(*catalog)(const struct source *s);

	/* Tries the event alone, and says what came of it. */
	struct examine_event (*event)(struct examine *x, const struct event *v,
				      struct buf *text);

	/*
	 * Takes the counters without counting, so that program() and read()
	 * keep them, and gives them back. NULL: nothing has to be taken.
	 */
	bool (*take)(struct examine *x, struct err *e);
	bool (*give_back)(struct examine *x, struct err *e);

	/*
	 * A slot's counter is the machine's own, and slots are in their order.
	 * Linux chooses the counters itself, and does not tell.
	 */
	bool own_counters;

	/* Lines on what the machine made of the set in force. */
	void (*in_force)(struct examine *x);

	/* Open files that a set takes; NULL: of ktop as it is. NULL: none. */
	uint64_t (*files)(const struct source *s, const struct eventset *set);

	/*
	 * Reads the n-th of what is read at one go, and its name goes to key: a
	 * CPU, or all of them. ERROR: it cannot be read. END: there is no n-th.
	 */
	enum source_status (*read)(struct examine *x, unsigned n, char *key,
				   size_t size);
	const char *interrupts; /* of CPUs, by a reading; NULL: not said */
};

#endif

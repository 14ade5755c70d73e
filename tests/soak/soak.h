/* One simulated machine and ktop's source, ticker and monitor on it. */
#ifndef TESTS_SOAK_SOAK_H
#define TESTS_SOAK_SOAK_H

#include "base/ticker.h"
#include "monitor/monitor.h"
#include "sim/kernel.h"
#include "soak/ledger.h"
#include "soak/trouble.h"
#include "source/source.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SECOND 1000000000LL
enum {
	MOMENT_NS = 50000,
	CALM_TICKS = 3, /* after a trouble, until all must be well */
	RECENT = 16     /* troubles told when something is wrong */
};

/* The kernel's set-up that ktop changes, and what it must never. */
struct set_up {
	uint8_t force;
	uint32_t counting, threads;
	uint64_t word[SIM_PMCS], period[SIM_ROW_MAX];
	uint32_t actionid[SIM_ROW_MAX];
};

struct soak {
	const char *spec;
	uint64_t ticks, most_ticks, check_every, seed;
	double most_s, began_s;
	bool quiet, nap, refuses; /* this macOS has a list of its own */
	struct dice dice;
	const struct sim_machine *machine;
	struct source *source;
	struct sample *sample;
	struct monitor *monitor;
	const struct frame *frame;
	struct ledger ledger;
	struct ticker ticker;
	struct set_up found, at_release;
	uint64_t thefts, calm_thefts, release_thefts, found_thefts, releases;
	bool released;                /* by i, and not taken again */
	bool words_ours, counts_ours; /* as it was released */
	int64_t grid_ns;              /* where the grid began */
	uint64_t grid_ticks, missed, extra;
	int64_t next_s,
		over_s;  /* awake seconds: next trouble; last one's end */
	int64_t pause_s; /* nobody reads for so long, after the troubles */
	bool off;        /* these troubles power CPUs down */
	bool thief;      /* a neighbour is at it */
	bool thieves;    /* these troubles may have one that comes by itself */
	enum trouble_kind kind[TROUBLE_KINDS]; /* those that are drawn */
	unsigned nkinds;
	uint64_t drawn[TROUBLE_KINDS], late;
	uint64_t checks, taken_over, gaps, swaps, sessions;
	size_t heap;
	unsigned descriptors;
	char recent[RECENT][112];
	unsigned nrecent;
	char wrong[500];
};

/* Awake time of the simulated machine. */
int64_t soak_now_ns(void);

/* Remembers the first thing that is wrong; false. */
bool soak_fail(struct soak *s, const char *what);

/* No trouble is on, nor was a moment ago. */
bool soak_calm(const struct soak *s);

void soak_look(struct set_up *u);

/* As ktop does them: a reading; another preset, drawn; i; a start; an end. */
bool soak_sample(struct soak *s);
bool soak_take_preset(struct soak *s);
bool soak_release(struct soak *s);
bool soak_start(struct soak *s);
bool soak_end(struct soak *s);

#endif

/*
 * Calculates the differences of each process's or thread's totals between two
 * readings. Identity: pid, start and thread.
 */
#ifndef MONITOR_PROCESS_TRACKER_H
#define MONITOR_PROCESS_TRACKER_H

#include "model/process.h"

#include <stdbool.h>
#include <stdint.h>

struct tracked_process {
	struct process_read read;
	char name[PROCESS_NAME_SIZE], user[PROCESS_USER_SIZE]; /* cleaned */
	bool based;
	bool ended; /* a zombie */
	bool flagged;
	uint8_t times; /* consecutive frames that contradict `flagged` */
	int64_t awake_ns;
	uint32_t known, counting;
	struct process_totals base;
};

/* now and before are sorted by pid, start and thread. */
struct process_tracker {
	unsigned room, n, nbefore, nrows;
	struct tracked_process *now, *before;
	uint16_t *order;
	struct process_row *row; /* [2 * room + 1], of this reading */
};

struct tracker_reading {
	bool based;
	int64_t before_ns, awake_ns;
	bool recorded;     /* totals are differences already */
	bool whole_before; /* the last reading was complete: a process not in it
			      has started since */
	bool catches_up;   /* the reading covers more than one frame */
	bool complete; /* the reading is complete: a missing process has ended
			*/
	uint32_t flags;
	double interval_s;
	unsigned born, ended;
};

bool tracker_grow(struct process_tracker *l, unsigned n);
void tracker_free(struct process_tracker *l);

/*
 * Fills l->row except the values, and adds to look->born and ended. Names of
 * rows are valid until the next call. Allocates nothing.
 */
void tracker_take(struct process_tracker *l, const struct process_read *read,
		  unsigned n, struct tracker_reading *look);

/* Uses the next reading only as a base. */
void tracker_forget(struct process_tracker *l);

#endif

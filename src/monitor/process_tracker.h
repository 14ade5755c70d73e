/* Processes, or threads, from one reading to the next: differences by identity.
 */
#ifndef MONITOR_PROCESS_TRACKER_H
#define MONITOR_PROCESS_TRACKER_H

#include "model/process.h"

#include <stdbool.h>
#include <stdint.h>

/* One of them, and what its next difference is made with. */
struct tracked_process {
	struct process_read read;                              /* the last */
	char name[PROCESS_NAME_SIZE], user[PROCESS_USER_SIZE]; /* clean */
	bool based;               /* there is a base */
	bool ended;               /* a zombie that was shown */
	bool flagged;             /* it is flagged, */
	uint8_t times;            /* and for how many frames it does not; or the
				     other way round */
	int64_t awake_ns;         /* when the base was read */
	uint32_t known, counting; /* of the base */
	struct process_totals base;
};

/* Sorted by pid, start and thread, as their rows are. */
struct process_tracker {
	unsigned room, n, nbefore, nrows;
	struct tracked_process *now,
		*before; /* of this reading and the one before */
	uint16_t *order;
	struct process_row *row; /* [2 * room + 1], of this reading */
};

/* What a reading is to be taken for, and what came of it. */
struct tracker_reading {
	bool based;                  /* there was a reading before, */
	int64_t before_ns, awake_ns; /* at these times */
	bool recorded;               /* its totals are differences */
	bool whole_before; /* whatever was not in the one before has begun */
	bool catches_up;   /* it covers more than one frame */
	bool complete;     /* whatever is not in it has ended */
	uint32_t flags;    /* of every row */
	double interval_s;
	unsigned born, ended; /* seen */
};

/* Room for n; false: there is no memory. */
bool tracker_grow(struct process_tracker *l, unsigned n);
void tracker_free(struct process_tracker *l);

/*
 * Fills l->row but for the values, and adds to look->born and ended. The names
 * of rows hold until the next call. Allocates nothing.
 */
void tracker_take(struct process_tracker *l, const struct process_read *read,
		  unsigned n, struct tracker_reading *look);

/* No difference to what was read so far can be made. */
void tracker_forget(struct process_tracker *l);

#endif

/* The last minutes of the busiest processes, in memory taken at once. */
#ifndef MONITOR_PROCESSES_PAST_H
#define MONITOR_PROCESSES_PAST_H

#include "monitor/processes.h"

struct processes_entry { /* a frame: its busiest rows, and its own texts */
	bool kept;
	uint64_t seq;
	struct process_table table;
	struct process_row row[PROCESSES_KEPT];
	char name[PROCESSES_KEPT][PROCESS_NAME_SIZE];
	char user[PROCESSES_KEPT][PROCESS_USER_SIZE];
};

struct processes_past {
	struct processes_entry *entry; /* [PROCESSES_PAST], by seq; NULL */
	bool any;
	uint64_t first, last;                  /* seq */
	const struct process_command *command; /* of the last frame */
};

bool processes_past_init(struct processes_past *past);
void processes_past_done(struct processes_past *past);
void processes_past_clear(struct processes_past *past);

/* pin: pids that are kept first. Allocates nothing. */
void processes_past_push(struct processes_past *past,
			 const struct process_table *t, uint64_t seq,
			 const int32_t *pin, unsigned npins);

/* NULL: not kept. */
struct processes_entry *processes_past_at(const struct processes_past *past,
					  uint64_t seq);

/* The frame's table; NULL: not kept. Valid until the next push. */
const struct process_table *
processes_past_table(const struct processes_past *past, uint64_t seq);

#endif

/* The processes of a recorded frame, as a source reads them. */
#ifndef RECORDING_REPLAY_PROCESSES_H
#define RECORDING_REPLAY_PROCESSES_H

#include "model/process.h"
#include "recording/recording.h"

#include <stdbool.h>

/*
 * Takes what the frame has of them into `to`, on the machine t. False and *e:
 * memory is short. Where the frame has none to->n is 0.
 */
bool replay_processes_take(struct process_reading *to,
			   const struct recording_frame *f,
			   const struct topology *t, struct err *e);

/* As of source_ops.processes. */
bool replay_processes_copy(struct process_reading *out,
			   const struct process_reading *from, struct err *e);

#endif

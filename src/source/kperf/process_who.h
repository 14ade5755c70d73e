/* Who a process of a Mac is: its name, its parent, its user. */
#ifndef SOURCE_KPERF_PROCESS_WHO_H
#define SOURCE_KPERF_PROCESS_WHO_H

#include "kperf/host.h"
#include "model/process.h"

#include <stdbool.h>
#include <stdint.h>

/* Names that are remembered; where there are more, they are asked again. */
enum { KPERF_USERS = 64 };

/* The system is asked once for a user: it may have to ask a network. */
struct kperf_users {
	unsigned n, next;
	struct {
		uint32_t uid;
		char name[PROCESS_USER_SIZE]; /* "": it has none */
	} user[KPERF_USERS];
};

/* What is known of an identity besides its counts. */
struct kperf_who {
	struct host_proc brief; /* as last told; name "": never */
	bool named;             /* its full name has been asked for */
};

/*
 * Asks for what anybody may know, and where the program is another one
 * (`fresh`) for its name. False: the process is gone.
 */
bool kperf_who_ask(const struct host_api *host, struct kperf_users *users,
		   bool fresh, struct kperf_who *who, struct process_read *r);

#endif

/* Names of users, each asked for once. */
#ifndef SOURCE_PERF_USER_NAMES_H
#define SOURCE_PERF_USER_NAMES_H

#include "model/process.h"

#include <stdbool.h>

enum { USER_NAMES_MAX = 128 };

struct user_names {
	bool foreign; /* of another machine: nobody here knows them */
	unsigned n, oldest;
	struct {
		uint32_t uid;
		char name[PROCESS_USER_SIZE]; /* "": there is none */
	} user[USER_NAMES_MAX];
};

/*
 * Valid until the next call. "" where nobody has that number, or where it is
 * not known yet and `ask` is not set: who is asked may be far away.
 */
const char *user_names_of(struct user_names *u, uint32_t uid, bool ask);

#endif

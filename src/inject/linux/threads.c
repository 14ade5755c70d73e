/* Where the simulated Mac runs: pthread_create stands before the C library's.
 */
#include "inject/inject.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef int create(pthread_t *, const pthread_attr_t *, void *(*)(void *),
		   void *);

struct beginning {
	void *(*function)(void *);
	void *argument;
};

static void *
run(void *at)
{
	struct beginning b = *(struct beginning *)at;

	free(at);
	inject_begin();
	return b.function(b.argument);
}

__attribute__((visibility("default"))) int
pthread_create(pthread_t *thread, const pthread_attr_t *attr,
	       void *(*function)(void *), void *argument)
{
	void *at = dlsym(RTLD_NEXT, "pthread_create");
	struct beginning *b = malloc(sizeof *b);
	create *next;
	int rc = EAGAIN;

	if (at != NULL && b != NULL) {
		memcpy(&next, &at, sizeof at);
		*b = (struct beginning){ function, argument };
		rc = next(thread, attr, run, b);
	}
	if (rc != 0)
		free(b);
	return rc;
}

void
inject_follow_threads(void)
{
	/* pthread_create does, wherever it is called from. */
}

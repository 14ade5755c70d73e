/* The system tells of each thread that begins, those of queues among them. */
#include "inject/inject.h"

#include <pthread.h>
#include <stddef.h>

/* pthread/introspection.h, in libSystem since macOS 10.9. */
typedef void introspect(unsigned event, pthread_t thread, void *at,
			size_t size);
extern introspect *pthread_introspection_hook_install(introspect *hook);

enum { THREAD_START = 2 }; /* on the thread itself */

static introspect *before;

static void
follow(unsigned event, pthread_t thread, void *at, size_t size)
{
	if (event == THREAD_START)
		inject_begin();
	if (before != NULL)
		before(event, thread, at, size);
}

void
inject_follow_threads(void)
{
	before = pthread_introspection_hook_install(follow);
}

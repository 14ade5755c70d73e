/* What the two halves of the library tell each other. */
#ifndef INJECT_INJECT_H
#define INJECT_INJECT_H

/* On a thread that has begun, before it does anything of its own. */
void inject_begin(void);

/* From now on threads that begin call it; linux/threads.c or mac/threads.c. */
void inject_follow_threads(void);

#endif

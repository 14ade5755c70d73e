/* What a soak watches of its own process. */
#ifndef TESTS_SOAK_HEAP_H
#define TESTS_SOAK_HEAP_H

#include <stddef.h>

/* Bytes handed out by malloc and not given back. */
size_t heap_used(void);

#endif

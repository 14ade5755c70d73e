#include "soak/heap.h"

#include <malloc/malloc.h>

size_t
heap_used(void)
{
	malloc_statistics_t s;

	malloc_zone_statistics(malloc_default_zone(), &s);
	return s.size_in_use;
}

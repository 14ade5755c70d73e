#include "soak/heap.h"

#include <malloc.h>

size_t
heap_used(void)
{
	struct mallinfo2 m = mallinfo2();

	return m.uordblks + m.hblkhd;
}

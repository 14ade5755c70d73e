#include "source/kperf/known_loop.h"

/*
 * Counted by hand, hence not left to a compiler: two loads, four additions,
 * one subtraction, one branch that is taken but the last time.
 */
#if defined(__aarch64__)

bool
known_loop(uint64_t n)
{
	uint64_t cell = 0;

	__asm__ volatile(
		"1:\n\tldr x9, [%1]\n\tldr x10, [%1]\n\tadd x11, x11, #1\n\tadd x12, x12, #1\n\tadd x13, x13, #1\n\tadd x14, x14, #1\n\tsubs %0, %0, #1\n\tb.ne 1b"
		: "+r"(n)
		: "r"(&cell)
		: "x9", "x10", "x11", "x12", "x13", "x14", "cc", "memory");
	return true;
}

#elif defined(__x86_64__)

bool
known_loop(uint64_t n)
{
	uint64_t cell = 0;

	__asm__ volatile(
		"1:\n\tmovq (%1), %%r8\n\tmovq (%1), %%r9\n\taddq $1, %%r10\n\taddq $1, %%r11\n\taddq $1, %%r12\n\taddq $1, %%r13\n\tsubq $1, %0\n\tjne 1b"
		: "+r"(n)
		: "r"(&cell)
		: "r8", "r9", "r10", "r11", "r12", "r13", "cc", "memory");
	return true;
}

#else

bool
known_loop(uint64_t n)
{
	(void)n;
	return false;
}

#endif

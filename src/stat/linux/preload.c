/* How a library gets into a program where a simulated Mac runs. */
#include "stat/inject.h"
#include "stat/program.h"

const char *const inject_preload = "LD_PRELOAD";
const char *const inject_library = "libktop-inject.so";
const char *const inject_simulation = "libkperf-sim.so";

bool
program_is_protected(const char *path)
{
	(void)path;
	return false;
}

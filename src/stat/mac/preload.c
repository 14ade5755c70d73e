/* How a library gets into a program on a Mac. */
#include "stat/inject.h"
#include "stat/program.h"

#include <sys/stat.h>

const char *const inject_preload = "DYLD_INSERT_LIBRARIES";
const char *const inject_library = "libktop-inject.dylib";
const char *const inject_simulation = "libkperf-sim.so";

/* sys/stat.h hides it from all but the newest. */
enum { FILE_RESTRICTED = 0x00080000 };

bool
program_is_protected(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && (st.st_flags & FILE_RESTRICTED) != 0;
}

#include "base/self.h"

#include <limits.h>
#include <mach-o/dyld.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

bool
self_path(char *out, size_t size)
{
	char as_called[PATH_MAX], real[PATH_MAX];
	uint32_t room = sizeof as_called;

	if (_NSGetExecutablePath(as_called, &room) != 0 ||
	    realpath(as_called, real) == NULL || strlen(real) >= size)
		return false;
	memcpy(out, real, strlen(real) + 1);
	return true;
}

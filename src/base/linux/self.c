#include "base/self.h"

#include <unistd.h>

bool
self_path(char *out, size_t size)
{
	ssize_t n = readlink("/proc/self/exe", out, size);

	if (n <= 0 || (size_t)n >= size || out[0] != '/')
		return false;
	out[n] = '\0';
	return true;
}

#include "source/kperf/host.h"

#include <string.h>

bool
host_number(const struct host_api *host, const char *name, uint64_t *out)
{
	unsigned char raw[8] = { 0 };
	size_t size = sizeof raw;
	uint32_t narrow;

	if (host->sysctl(name, raw, &size, NULL, 0) != 0)
		return false;
	if (size == sizeof narrow) {
		memcpy(&narrow, raw, sizeof narrow);
		*out = narrow;
		return true;
	}
	if (size != sizeof *out)
		return false;
	memcpy(out, raw, sizeof *out);
	return true;
}

bool
host_text(const struct host_api *host, const char *name, char *out, size_t size)
{
	char raw[256] = { 0 };
	size_t len = sizeof raw - 1;

	out[0] = '\0';
	if (host->sysctl(name, raw, &len, NULL, 0) != 0)
		return false;
	len = strlen(raw);
	if (len >= size)
		len = size - 1;
	memcpy(out, raw, len);
	out[len] = '\0';
	return len > 0;
}

uint64_t
host_number_or(const struct host_api *host, const char *name,
	       uint64_t otherwise)
{
	uint64_t v;

	return host_number(host, name, &v) ? v : otherwise;
}

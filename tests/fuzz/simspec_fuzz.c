/* MACHINE[,key=value]...: what --sim and KTOP_SIM say. */
#include "sim/spec.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { TEXT_MAX = 1024 };

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct err e = { ERR_NONE, "" };
	struct sim_spec s;
	char text[TEXT_MAX];

	if (size >= sizeof(text))
		return 0;
	memcpy(text, data, size);
	text[size] = '\0';
	(void)sim_spec_parse(&s, text, &e);
	return 0;
}

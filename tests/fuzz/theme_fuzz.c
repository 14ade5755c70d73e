/* Themes: text of the person's, maybe of somebody else's making. */
#include "ui/theme/theme.h"

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct err e = { ERR_NONE, "" };
	struct theme t = { 0 };

	(void)theme_parse((const char *)data, size, "fuzz", NULL, &t, &e);
	return 0;
}

#include "out/sink.h"

/* clang-format off */
#define SINK(constant, name, help) [constant] = &sink_##name,
const struct sink_ops *const sink_table[OUTPUTS_ALL] = {
	OUTPUT_TABLE(SINK)
	[OUTPUT_TEXT] = &sink_text
};

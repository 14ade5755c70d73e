#include "out/sink.h"

#include <stddef.h>

const struct sink_ops *const sink_table[] = { &sink_csv, &sink_json,
					      &sink_openmetrics, &sink_text,
					      NULL };

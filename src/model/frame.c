#include "model/frame.h"

const char *const scope_level_name[] = { "core", "cluster", "kind", "all" };

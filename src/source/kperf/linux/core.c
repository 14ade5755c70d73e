#include "source/kperf/state.h"

const char *
kperf_request_core(bool fast)
{
	return fast ? "any core" : "any core, again";
}

#include "source/table.h"
#include "source/all/sources.h"

#include <stddef.h>

const struct source_ops *const source_table[] = {
	&source_kperf,
	&source_sim,
	&source_replay,
	NULL,
};

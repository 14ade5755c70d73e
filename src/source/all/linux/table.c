#include "source/table.h"
#include "source/all/sources.h"

#include <stddef.h>

/* kperf is first: its probe succeeds only if the user names its libraries. */
/* clang-format off */
const struct source_ops *const source_table[] = {
	&source_kperf,
	&source_perf,
	&source_sim,
	&source_replay,
	NULL,
};
/* clang-format on */

#include "kperf/symbols.h"

#define KPERF(name) { #name, offsetof(struct kperf_api, name) },
#define DATA(name) { #name, offsetof(struct kperfdata_api, name) },

/* clang-format off */
const struct kperf_symbol kperf_symbols[KPERF_NSYMBOLS] = {
	KPERF_SYMBOLS(KPERF)
};
/* clang-format on */

const struct kperf_symbol kperfdata_symbols[KPERFDATA_NSYMBOLS] = {
	KPERFDATA_SYMBOLS(DATA)
};

/* The names of the frameworks' functions and where each goes in its struct. */
#ifndef KPERF_SYMBOLS_H
#define KPERF_SYMBOLS_H

#include "kperf/api.h"

/* A symbol of a library and where its address goes in the struct above. */
struct kperf_symbol {
	const char *name;
	size_t offset;
};

extern const struct kperf_symbol kperf_symbols[KPERF_NSYMBOLS];
extern const struct kperf_symbol kperfdata_symbols[KPERFDATA_NSYMBOLS];

#endif

/* Chip-agnostic names: rows behind kps_name_at and kps_name_on. */
#ifndef KPERF_NAMES_H
#define KPERF_NAMES_H

#include "kperf/sampler.h"

struct kperf_name {
	const char *name, *event;
	const char *event_m1; /* where the M1 says it otherwise, else NULL */
	unsigned chips;       /* 1 << enum kps_chip */
	enum kps_unit unit;
};

/* By name, ascending. */
extern const struct kperf_name kperf_names[];
extern const unsigned kperf_names_len;

/* NULL: not a chip-agnostic name. */
/* The row whose event on any chip this is, NULL: none. */
const struct kperf_name *kperf_name_of(const char *event);

#endif

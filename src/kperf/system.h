/* Tracing of the kernel of the Mac that this runs on. */
#ifndef KPERF_SYSTEM_H
#define KPERF_SYSTEM_H

#include "kperf/api.h"

extern const struct kperf_system kperf_system_mac; /* file mac/system.c */

/* Files mac/system.c, linux/system.c; NULL elsewhere than on a Mac. */
const struct kperf_system *kperf_system_os(void);

#endif

/* Why the kernel does not let ktop count, in a sentence with the remedy. */
#ifndef SOURCE_DENIED_LINUX_H
#define SOURCE_DENIED_LINUX_H

#include "base/err.h"

/* For an open that failed with errno `why`. root as everywhere. False. */
bool denied_explain(const char *root, int why, struct err *e);

#endif

/* What the frameworks' codes mean, in words and as ktop's own errors. */
#ifndef KPERF_TEXT_H
#define KPERF_TEXT_H

#include "base/err.h"

#include <stddef.h>
#include <stdint.h>

/* "conflicting events" for enum kpep_error; NULL for an unknown number. */
const char *kperf_kpep_text(int error);

/*
 * *e says that `doing` failed with a code of kperfdata ("placing INST_ALL:
 * conflicting events"). KPEP_ERRNO is told as `errnum`, as below. The rest is
 * ERR_NO_PMU where this chip or system has no database, else ERR_FAIL.
 * Returns false.
 */
bool kperf_kpep_err(struct err *e, const char *doing, int error, int errnum);

/*
 * The same for a kpc call that failed with `errnum` (0: it left none). `call`
 * is its symbol. EPERM is told by who asks: root is refused an event, others
 * the counters. Returns false.
 */
bool kperf_errno_err(struct err *e, const char *call, int errnum, bool root);

/* ERR_PERM, ERR_TAKEN, ERR_NO_PMU or ERR_FAIL for the errno of a kpc call. */
enum err_code kperf_errno_code(int errnum);

#endif

/* What codes are turned into: sentences and ktop's own error codes. */
#include "kperf/text.h"

#include "kperf/abi.h"

#include <errno.h>
#include <string.h>
#include <cmocka.h>

UNIT(test_every_kpep_code_has_its_own_text)
{
	for (int i = KPEP_OK; i <= KPEP_NO_COUNTERS; i++) {
		assert_non_null(kperf_kpep_text(i));
		for (int j = KPEP_OK; j < i; j++)
			assert_string_not_equal(kperf_kpep_text(i),
						kperf_kpep_text(j));
	}
	assert_null(kperf_kpep_text(-1));
	assert_null(kperf_kpep_text(KPEP_NO_COUNTERS + 1));
}

UNIT(test_kpep_errors)
{
	struct err e;

	assert_false(kperf_kpep_err(&e, "placing X", KPEP_CONFLICT, 0));
	assert_int_equal(e.code, ERR_FAIL);
	assert_non_null(strstr(e.text, "placing X"));
	assert_non_null(strstr(e.text, "conflicting"));
	assert_false(kperf_kpep_err(&e, "w", KPEP_DB_NOT_FOUND, 0));
	assert_int_equal(e.code, ERR_NO_PMU);
	assert_false(kperf_kpep_err(&e, "w", KPEP_SYSTEM_UNKNOWN, 0));
	assert_int_equal(e.code, ERR_NO_PMU);
	assert_false(kperf_kpep_err(&e, "w", 99, 0));
	assert_int_equal(e.code, ERR_FAIL);
	assert_non_null(strstr(e.text, "unknown error 99"));
	/* "check errno" is told as that errno. */
	assert_false(kperf_kpep_err(&e, "w", KPEP_ERRNO, EBUSY));
	assert_int_equal(e.code, ERR_TAKEN);
}

UNIT(test_errno_codes)
{
	assert_int_equal(kperf_errno_code(EPERM), ERR_PERM);
	assert_int_equal(kperf_errno_code(EACCES), ERR_TAKEN);
	assert_int_equal(kperf_errno_code(EBUSY), ERR_TAKEN);
	assert_int_equal(kperf_errno_code(ENOENT), ERR_NO_PMU);
	assert_int_equal(kperf_errno_code(ENOTSUP), ERR_NO_PMU);
	assert_int_equal(kperf_errno_code(EINVAL), ERR_FAIL);
	assert_int_equal(kperf_errno_code(0), ERR_FAIL);
}

UNIT(test_errno_sentences)
{
	struct err e, root;

	assert_false(kperf_errno_err(&e, "kpc_set_config", EPERM, false));
	assert_int_equal(e.code, ERR_PERM);
	assert_non_null(strstr(e.text, "kpc_set_config"));
	assert_non_null(strstr(e.text, "sudo"));
	assert_false(kperf_errno_err(&root, "kpc_set_config", EPERM, true));
	assert_int_equal(root.code, ERR_PERM);
	assert_null(strstr(root.text, "sudo")); /* it is root already */
	assert_non_null(strstr(root.text, "event"));
	assert_false(kperf_errno_err(&e, "f", EBUSY, true));
	assert_non_null(strstr(e.text, "Instruments"));
	assert_false(kperf_errno_err(&e, "f", EACCES, true));
	assert_non_null(strstr(e.text, "another program"));
	assert_false(kperf_errno_err(&e, "f", ENOENT, true));
	assert_non_null(strstr(e.text, "virtual machine"));
	assert_false(kperf_errno_err(&e, "f", EINVAL, true));
	assert_non_null(strstr(e.text, strerror(EINVAL)));
	/* -1 without an errno: no reason may be made up. */
	assert_false(kperf_errno_err(&e, "f", 0, true));
	assert_null(strstr(e.text, strerror(0)));
}

/* What codes are turned into: sentences and ktop's own error codes. */
#include "source/kperf/state.h"

#include <errno.h>
#include <string.h>
#include <cmocka.h>

UNIT(test_every_kpep_code_has_its_own_text)
{
	for (int i = KPEP_OK; i <= KPEP_NO_COUNTERS; i++) {
		const char *text =
			kps_status_text((enum kps_status)(KPS_KPEP_NONE + i));

		assert_non_null(text);
		for (int j = KPEP_OK; j < i; j++)
			assert_string_not_equal(
				text, kps_status_text((enum kps_status)(
					      KPS_KPEP_NONE + j)));
	}
}

UNIT(test_kpep_errors)
{
	struct err e;

	assert_false(kperf_fail_kpep(&e, "placing X", KPEP_CONFLICT, 0));
	assert_int_equal(e.code, ERR_FAIL);
	assert_non_null(strstr(e.text, "placing X"));
	assert_non_null(strstr(e.text, "conflicting"));
	assert_false(kperf_fail_kpep(&e, "w", KPEP_DB_NOT_FOUND, 0));
	assert_int_equal(e.code, ERR_NO_PMU);
	assert_false(kperf_fail_kpep(&e, "w", KPEP_SYSTEM_UNKNOWN, 0));
	assert_int_equal(e.code, ERR_NO_PMU);
	assert_false(kperf_fail_kpep(&e, "w", 99, 0));
	assert_int_equal(e.code, ERR_FAIL);
	assert_non_null(strstr(e.text, "unknown error 99"));
	/* "check errno" is told as that errno. */
	assert_false(kperf_fail_kpep(&e, "w", KPEP_ERRNO, EBUSY));
	assert_int_equal(e.code, ERR_TAKEN);
}

UNIT(test_errno_sentences)
{
	static const struct {
		int why;
		enum err_code code;
		const char *says;
	} row[] = {
		{ EPERM, ERR_PERM, "sudo" },
		{ EACCES, ERR_TAKEN, "another program" },
		{ EBUSY, ERR_TAKEN, "Instruments" },
		{ ENOENT, ERR_NO_PMU, "virtual machine" },
		{ ENOTSUP, ERR_NO_PMU, "does not support" },
		{ EINVAL, ERR_FAIL, "Invalid argument" },
		/* -1 without an errno: no reason may be made up. */
		{ 0, ERR_FAIL, "no reason given" },
	};
	struct err e;

	for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
		assert_false(kperf_fail_call(&e, "kpc_set_config", row[i].why));
		assert_int_equal(e.code, row[i].code);
		assert_non_null(strstr(e.text, row[i].says));
		assert_non_null(strstr(e.text, "kpc_set_config"));
	}
}

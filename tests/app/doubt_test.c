#include "app/state.h"

#include <string.h>

#include <cmocka.h>

#include "model/quality.h"
#include "out/frames.h"

UNIT(nothing_is_said_of_counts_that_may_be)
{
	struct frames *f = frames_new();
	char text[DOUBT_SIZE] = "as before";

	f->span[2].quality = QUALITY_STALE | QUALITY_MUX;
	f->span[FRAMES_SCOPES - 1].quality = QUALITY_STALE | QUALITY_MUX;
	assert_false(doubt_sentence(&f->frame, text, sizeof text));
	assert_string_equal(text, "as before");
	frames_free(f);
}

UNIT(what_why_and_what_next)
{
	struct frames *f = frames_new();
	char text[DOUBT_SIZE];

	f->span[2].quality = f->span[5].quality = QUALITY_APPROX;
	f->span[FRAMES_SCOPES - 1].quality = QUALITY_APPROX | QUALITY_MUX;
	assert_true(doubt_sentence(&f->frame, text, sizeof text));
	assert_non_null(strstr(text, "the counts of 2 of 8 CPUs cannot be"));
	assert_non_null(strstr(text, "virtual PMU"));
	assert_non_null(strstr(text, "on the host"));
	assert_non_null(strstr(text, "ktop doctor"));
	/* All of it. */
	assert_string_equal(text + strlen(text) - 6, "prints");
	frames_free(f);
}

UNIT(one_cpu_is_no_plural)
{
	struct frames *f = frames_new();
	char text[DOUBT_SIZE];

	f->topology->ncpus = 1;
	f->span[0].quality = QUALITY_APPROX;
	f->span[FRAMES_SCOPES - 1].quality = QUALITY_APPROX;
	assert_true(doubt_sentence(&f->frame, text, sizeof text));
	assert_non_null(strstr(text, "of 1 of 1 CPU cannot"));
	f->topology->ncpus = FRAMES_CPUS;
	frames_free(f);
}

/* Each once, whatever set it comes with; nothing of what is left out else. */
UNIT(what_counts_nothing_is_said_once)
{
	struct dead_told told = { .n = 0 };
	struct eventset set = { .len = 0 };
	char text[DOUBT_SIZE] = "as before";
	const char *a = "INST_ALL", *b = "INST_BRANCH", *c = "L1D_TLB_FILL";

	eventset_drop(&set, c, "macOS refuses it (EPERM)");
	assert_false(
		dead_sentence(&set, DOMAIN_USER, &told, text, sizeof text));
	assert_string_equal(text, "as before");
	eventset_drop(&set, a, "counts nothing here");
	eventset_drop(&set, b, "counts nothing on E cores");
	assert_true(dead_sentence(&set, DOMAIN_USER, &told, text, sizeof text));
	assert_non_null(strstr(text, "INST_ALL counts nothing here, though"));
	assert_non_null(strstr(text, "of all modes instead and marked ^"));
	assert_non_null(strstr(text, "ktop doctor"));
	assert_true(dead_sentence(&set, DOMAIN_USER, &told, text, sizeof text));
	assert_non_null(strstr(text, "INST_BRANCH counts nothing on E cores"));
	assert_non_null(strstr(text, "that need it are n/a"));
	assert_false(
		dead_sentence(&set, DOMAIN_USER, &told, text, sizeof text));
}

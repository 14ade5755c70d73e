/*
 * Screens as text, compared with tests/data/screens/canvas (run in the
 * project's folder; GOLDEN_UPDATE=1 writes them).
 */
#ifndef TESTS_UI_GOLDEN_H
#define TESTS_UI_GOLDEN_H

#include "screen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline void
golden_update(const char *path, const char *text)
{
	FILE *fp = fopen(path, "w");

	assert_non_null(fp);
	assert_true(fputs(text, fp) >= 0);
	assert_int_equal(fclose(fp), 0);
}

static inline void
golden_compare(const char *name, const char *text)
{
	char path[256];
	char *want = malloc(SCREEN_SIZE);

	snprintf(path, sizeof path, "tests/data/screens/canvas/%s.txt", name);
	if (getenv("GOLDEN_UPDATE") != NULL)
		golden_update(path, text);
	FILE *fp = fopen(path, "r");

	if (fp == NULL)
		fail_msg("%s is missing; GOLDEN_UPDATE=1 writes it", path);
	want[fread(want, 1, SCREEN_SIZE - 1, fp)] = 0;
	fclose(fp);
	if (strcmp(want, text) != 0)
		fail_msg("%s differs from this:\n%s\nGOLDEN_UPDATE=1 takes it",
			 path, text);
	free(want);
}

#endif

/* Rows of tests/data/options: fields between tabs, "\n" for a line's end. */
#ifndef TESTS_OPTIONS_ROWS_H
#define TESTS_OPTIONS_ROWS_H

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

enum { ROW_FIELDS = 12, ROW_SIZE = 1024 };

/* Calls check for each row but comments; fields that it lacks are "". */
static inline void
rows_each(const char *file, unsigned least, void (*check)(char *const *field))
{
	char path[128], line[ROW_SIZE];
	unsigned n = 0;

	(void)snprintf(path, sizeof path, "tests/data/options/%s.tsv", file);
	FILE *f = fopen(path, "r");

	assert_non_null(f);
	while (fgets(line, sizeof line, f) != NULL) {
		char *field[ROW_FIELDS], *at = line;

		if (line[0] == '#')
			continue;
		line[strcspn(line, "\n")] = '\0';
		for (unsigned i = 0; i < ROW_FIELDS; i++) {
			field[i] = at;
			at += strcspn(at, "\t");
			if (*at != '\0')
				*at++ = '\0';
			for (char *s; (s = strstr(field[i], "\\n")) != NULL;) {
				*s = '\n';
				memmove(s + 1, s + 2, strlen(s + 1));
			}
		}
		check(field);
		n++;
	}
	(void)fclose(f);
	assert_true(n >= least);
}

#endif

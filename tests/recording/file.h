/* A recording of a test, written line by line. */
#ifndef TESTS_RECORDING_FILE_H
#define TESTS_RECORDING_FILE_H

#include <stdio.h>
#include <stdlib.h>

struct file {
	char path[64];
	const char *list[1];
	FILE *out;
};

static inline void
begin(struct file *f, const char *head)
{
	(void)snprintf(f->path, sizeof f->path, "/tmp/ktop-rec-XXXXXX");
	f->out = fdopen(mkstemp(f->path), "w");
	f->list[0] = f->path;
	assert_non_null(f->out);
	(void)fputs(head, f->out);
}

#endif

/* A folder of its own for a test's recordings, and looking into them. */
#ifndef TESTS_OUT_RECORDING_H
#define TESTS_OUT_RECORDING_H

#include "model/columns.h"
#include "out/frames.h"
#include "out/sink.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TEXT_SIZE = 1 << 20 };

static char folder[] = "/tmp/ktop-csv-test-XXXXXX";

static inline const char *
path(const char *name)
{
	static char out[512];

	(void)snprintf(out, sizeof out, "%s/%s", folder, name);
	return out;
}

/* No file grows over this by what the test writes: a disk that is full. */
static inline void
limit_file(rlim_t bytes)
{
	struct rlimit r;

	assert_int_equal(getrlimit(RLIMIT_FSIZE, &r), 0);
	r.rlim_cur = bytes;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &r), 0);
}

static inline char *
slurp(const char *name)
{
	char *text = calloc(1, TEXT_SIZE);
	FILE *fp = fopen(path(name), "r");

	assert_non_null(text);
	assert_non_null(fp);
	assert_true(fread(text, 1, TEXT_SIZE - 1, fp) < TEXT_SIZE - 1);
	(void)fclose(fp);
	return text;
}

/* One frame through the sink, as text. */
static inline char *
table_of(struct frames *f, const char *name)
{
	struct err e = { ERR_NONE, "" };
	struct sink *s = sink_text.open(path(name), &f->about, &e);

	assert_non_null(s);
	assert_true(s->ops->frame(s, &f->frame, &e));
	s->ops->close(s);
	return slurp(name);
}

#define HAS(text, what)                                       \
	do {                                                  \
		if (strstr(text, what) == NULL)               \
			fail_msg("no %s in\n%s", what, text); \
	} while (0)

static inline off_t
size_of(const char *name)
{
	struct stat st;

	assert_int_equal(stat(path(name), &st), 0);
	return st.st_size;
}

static inline unsigned
fields_in(const char *line)
{
	unsigned n = 1;
	bool quoted = false;

	for (; *line != '\n' && *line != '\0'; line++) {
		quoted = quoted != (*line == '"');
		n += *line == ',' && !quoted;
	}
	return n;
}

/* Field `column` of line `row` (0: the header) of an unquoted recording. */
static inline const char *
at(const char *text, unsigned row, const char *column)
{
	static char out[256];
	int want = column_find(column);
	size_t len;

	assert_true(want >= 0);
	for (; row > 0; row--) {
		text = strchr(text, '\n');
		assert_non_null(text);
		text++;
	}
	for (int i = 0; i < want; i++)
		text = strpbrk(text, ",\n") + 1;
	len = strcspn(text, ",\n");
	assert_true(len < sizeof out);
	memcpy(out, text, len);
	out[len] = '\0';
	return out;
}

static inline unsigned
lines_in(const char *text)
{
	unsigned n = 0;

	for (; (text = strchr(text, '\n')) != NULL; text++)
		n++;
	return n;
}

static inline struct sink *
open_in(struct frames *f, const char *name)
{
	struct err e = { ERR_NONE, "" };
	struct sink *s = sink_csv.open(path(name), &f->about, &e);

	if (s == NULL)
		fail_msg("%s", e.text);
	return s;
}

static inline int
make_folder(void **state)
{
	(void)state;
	return mkdtemp(folder) != NULL ? 0 : -1;
}

/* Leftovers of a test that failed go as well. */
static inline int
remove_folder(void **state)
{
	struct dirent *d;
	DIR *dir = opendir(folder);

	(void)state;
	while (dir != NULL && (d = readdir(dir)) != NULL)
		if (d->d_name[0] != '.')
			(void)unlink(path(d->d_name));
	if (dir != NULL)
		(void)closedir(dir);
	return rmdir(folder);
}

#endif

/*
 * Lines without quotes are split without libcsv: held against csv_parse over
 * the recordings of the fuzzer's corpus, and over damage done to their lines.
 */
#include "recording/row.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_MAX_SIZE = 1 << 16, DAMAGES = 300 };

static const char corpus[] = "tests/fuzz/recording";

struct pair {
	struct row_reader *plain, *libcsv;
	uint64_t lines, rows, bad, seed;
};

static void
pair_open(struct pair *p)
{
	struct err e;

	*p = (struct pair){ .seed = 88172645463325252u };
	p->plain = malloc(sizeof *p->plain);
	p->libcsv = malloc(sizeof *p->libcsv);
	assert_non_null(p->plain);
	assert_non_null(p->libcsv);
	assert_true(row_reader_init(p->plain, &e));
	assert_true(row_reader_init(p->libcsv, &e));
	p->libcsv->by_libcsv = true;
}

static void
pair_close(struct pair *p)
{
	row_reader_done(p->plain);
	row_reader_done(p->libcsv);
	free(p->plain);
	free(p->libcsv);
}

static unsigned
draw(struct pair *p, unsigned n)
{
	p->seed ^= p->seed << 13;
	p->seed ^= p->seed >> 7;
	p->seed ^= p->seed << 17;
	return (unsigned)(p->seed % n);
}

static void
same(const struct pair *p, const char *line, size_t n)
{
	const struct row_reader *a = p->plain, *b = p->libcsv;
	const char *why_a = a->bad != NULL ? a->bad : "fine";
	const char *why_b = b->bad != NULL ? b->bad : "fine";

	if (strcmp(why_a, why_b) == 0 && a->bad_column == b->bad_column &&
	    strcmp(a->bad_text, b->bad_text) == 0 && a->column == b->column &&
	    a->ncolumns == b->ncolumns && a->nread == b->nread &&
	    a->names.len == b->names.len &&
	    memcmp(a->field, b->field, sizeof a->field) == 0 &&
	    memcmp(&a->row, &b->row, sizeof a->row) == 0)
		return;
	fail_msg("'%.*s': %s at %u, by libcsv %s at %u", (int)n, line, why_a,
		 a->column, why_b, b->column);
}

static bool
is_blank(const char *s, size_t n)
{
	while (n > 0 &&
	       (s[n - 1] == ' ' || s[n - 1] == '\t' || s[n - 1] == '\r'))
		n--;
	return n == 0;
}

/* A line of the file, or of a row that goes on: true when it is whole. */
static bool
row(struct pair *p, const char *line, size_t n, bool begins)
{
	if (begins && is_blank(line, n)) /* the reader passes over these */
		return true;
	if (begins) {
		row_begin(p->plain);
		row_begin(p->libcsv);
	}
	bool whole = row_take(p->plain, line, n);

	assert_int_equal(row_take(p->libcsv, line, n), whole);
	same(p, line, n);
	p->lines++;
	p->rows += whole && p->plain->bad == NULL;
	p->bad += whole && p->plain->bad != NULL;
	return whole;
}

static bool
head(struct pair *p, const char *line, size_t n)
{
	if (is_blank(line,
		     n)) /* libcsv has no row then, the split an empty one */
		return false;
	row_begin(p->plain); /* a quote that a damaged one left open */
	row_begin(p->libcsv);
	bool ok = row_header(p->plain, line, n);

	assert_int_equal(row_header(p->libcsv, line, n), ok);
	same(p, line, n);
	return ok;
}

static size_t
damage(struct pair *p, char *line, size_t n)
{
	static const char bytes[] = ",,,\"\r\t \0;'=+-.eE0129ZT\x7f\x80\xff";

	for (unsigned i = draw(p, 4) + 1; i > 0; i--) {
		size_t at = n > 0 ? draw(p, (unsigned)n) : 0;
		char c = bytes[draw(p, sizeof bytes - 1)];
		size_t from = n > 0 ? draw(p, (unsigned)n) : 0;

		switch (draw(p, 5)) {
		case 0: /* another byte */
			if (n > 0)
				line[at] = c;
			break;
		case 1: /* one more */
			memmove(line + at + 1, line + at, n - at);
			line[at] = c;
			n++;
			break;
		case 2: /* one less */
			if (n > 0)
				memmove(line + at, line + at + 1, --n - at);
			break;
		case 3: /* a part of it again */
			if (from < at && 2 * n < LINE_MAX_SIZE / 2) {
				memmove(line + at + (at - from), line + at,
					n - at);
				memmove(line + at, line + from, at - from);
				n += at - from;
			}
			break;
		default: /* cut */
			if (draw(p, 4) == 0)
				n = at;
			break;
		}
	}
	return n;
}

static void
damaged(struct pair *p, const char *line, size_t n, bool header)
{
	static char text[LINE_MAX_SIZE];

	for (unsigned i = 0; i < DAMAGES; i++) {
		memcpy(text, line, n);
		size_t len = damage(p, text, n);

		if (header)
			(void)head(p, text, len);
		else
			(void)row(p, text, len, true);
	}
}

static void
file(struct pair *p, const char *path, bool with_damage)
{
	static char text[LINE_MAX_SIZE];
	FILE *fp = fopen(path, "r");
	bool first = true, whole = true;
	size_t n = 0;
	int c;

	assert_non_null(fp);
	do {
		c = getc(fp);
		if (c != '\n' && c != EOF) {
			assert_true(n < sizeof text / 4);
			text[n++] = (char)c;
			continue;
		}
		if (first && with_damage)
			damaged(p, text, n, true);
		if (first && !head(p, text, n))
			break;
		if (!first && with_damage)
			damaged(p, text, n, false);
		else if (!first)
			whole = row(p, text, n, whole);
		first = false;
		n = 0;
	} while (c != EOF);
	(void)fclose(fp);
}

static unsigned
files(struct pair *p, bool with_damage)
{
	char path[512];
	DIR *dir = opendir(corpus);
	const struct dirent *d;
	unsigned n = 0;

	if (dir == NULL)
		fail_msg("%s is not here", corpus);
	while ((d = readdir(dir)) != NULL) {
		if (d->d_name[0] == '.')
			continue;
		(void)snprintf(path, sizeof path, "%s/%s", corpus, d->d_name);
		file(p, path, with_damage);
		n++;
	}
	(void)closedir(dir);
	return n;
}

static void
recordings_split_as_by_libcsv(void **state)
{
	struct pair p;

	(void)state;
	pair_open(&p);
	assert_true(files(&p, false) >= 9);
	assert_true(p.rows > 30);
	pair_close(&p);
}

static void
damage_splits_as_by_libcsv(void **state)
{
	struct pair p;

	(void)state;
	pair_open(&p);
	(void)files(&p, true);
	assert_true(p.lines > 10000);
	assert_true(p.rows > p.lines / 100 && p.bad > p.lines / 10);
	pair_close(&p);
}

/*
 * Rows that begin as the row before began, up to any byte: what they have in
 * common is not taken again, and everything else is.
 */
static void
rows_that_begin_alike(void **state)
{
	static const char columns[] =
		"schema,row,run,frame,time,elapsed_s,interval_s,event_s,source,model,chip,package,die,cluster,kind,level,core,cpu,cycles,instructions";
	static const char first[] =
		"ktop/1,core,r0e41239f784e15e7,7,2026-01-01T00:00:01.000Z,1.0,1.0,1.0,sim,Apple M1,a14,,0,E,Efficiency,1,0,0";
	static const char *const rows[] = { "core",    "mark",  "rest",
					    "cluster", "corex", "process",
					    "",        "lost" };
	char line[256];
	struct pair p;

	(void)state;
	pair_open(&p);
	assert_true(head(&p, columns, sizeof columns - 1));
	for (size_t cut = 0; cut <= sizeof first - 1; cut++)
		for (unsigned i = 0; i < 8; i++) {
			int n = snprintf(line, sizeof line, "%s,8,9", first);

			(void)row(&p, line, (size_t)n, true);
			n = snprintf(line, sizeof line, "%.*s%s%s,8,9",
				     (int)cut, first, i % 2 != 0 ? "0" : "",
				     i < 2 ? "" : first + cut);
			(void)row(&p, line, (size_t)n, true);
			n = snprintf(line, sizeof line, "ktop/1,%s%s,8,9",
				     rows[i], first + strlen("ktop/1,core"));
			(void)row(&p, line, (size_t)n, true);
			/* What is cut off there may not be passed over. */
			n = snprintf(line, sizeof line, "%.*s", (int)cut,
				     first);
			(void)row(&p, line, (size_t)n, true);
		}
	assert_true(p.rows > 2000 && p.bad > 500);
	pair_close(&p);
}

/* Counts of any length and events of any name, and what is none of them. */
static void
counts_of_any_length(void **state)
{
	static const char columns[] =
		"schema,row,frame,time,elapsed_s,interval_s,cpu,cycles,instructions,ev_cycles,ev_instructions,e1,c1,e2,c2,ipc,pid";
	static const char *const odd[] = {
		"",    " 7",        "7 ",          "7.0",    "7.",    "7.5",
		"-7",  "+7",        "7x",          "x",      "0",     "007",
		"\t8", "1e3",       "A:1",         "'=SUM1", "=SUM1", "''A",
		"A",   "A ",        "INST_BRANCH", "/",      ":",     "1/",
		"1:",  "12345678/", "12345678:"
	};
	enum { ODD = sizeof odd / sizeof odd[0], FIELDS = 9, LENGTHS = 24 };
	static const char digits[] = "918273645019283746501928";
	struct pair p;

	(void)state;
	pair_open(&p);
	assert_true(head(&p, columns, sizeof columns - 1));
	for (unsigned i = 0; i < 40000; i++) {
		char line[512] =
			"ktop/1,core,7,2026-01-01T00:00:01.000Z,1.0,1.0,0";
		size_t n = strlen(line);

		for (unsigned f = 0; f < FIELDS; f++) {
			const char *event =
				draw(&p, 2) != 0 ? "INST_ALL" : "L1D_MISS";
			unsigned length = draw(&p, LENGTHS);
			bool name = f == 4 || f == 6, any = draw(&p, 30) == 0;

			n += (size_t)snprintf(line + n, sizeof line - n,
					      ",%.*s",
					      any || name ? 40 : (int)length,
					      any    ? odd[draw(&p, ODD)]
					      : name ? event
						     : digits);
		}
		n += (size_t)snprintf(line + n, sizeof line - n, ",");
		(void)row(&p, line, n, true);
	}
	assert_true(p.rows > 5000 && p.bad > 5000);
	pair_close(&p);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(recordings_split_as_by_libcsv),
		cmocka_unit_test(damage_splits_as_by_libcsv),
		cmocka_unit_test(rows_that_begin_alike),
		cmocka_unit_test(counts_of_any_length),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

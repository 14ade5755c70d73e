/* --append: checks the origin of rows, cuts an incomplete frame. */
#include "out/target.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "model/columns.h"
#include "out/sink.h"
#include "process/caller.h"

/* Beginnings of files of the previous schema. */
#define HEAD_BEFORE "schema,row,run,frame,"
#define LINE_BEFORE "{\"schema\":\"" COLUMN_SCHEMA_BEFORE "\","

enum { FIELD_SIZE = 64, TAIL_LEAST = 1 << 16, TAIL_MOST = 1 << 26 };

/* Copies a field. Returns the text after its comma, or NULL. */
static const char *
parse_origin_field(const char *at, bool json, char out[FIELD_SIZE])
{
	size_t n = 0;
	bool quoted;

	if (json && (at = strchr(at, ':')) != NULL)
		at++;
	if (at == NULL)
		return NULL;
	quoted = *at == '"';
	for (at += quoted; *at != '\0' && (quoted || *at != ','); at++) {
		if (quoted && *at == '"' && (json || at[1] != '"'))
			break;
		if (quoted && *at == (json ? '\\' : '"'))
			at++;
		if (*at != '\0' && n + 1 < FIELD_SIZE)
			out[n++] = *at;
	}
	out[n] = '\0';
	at += quoted && *at == '"';
	return *at == ',' ? at + 1 : NULL;
}

/* Copies the row's source and model. False: the row is incomplete. */
static bool
parse_row_origin(char source[FIELD_SIZE], char model[FIELD_SIZE],
		 const char *row)
{
	bool json = *row == '{';

	for (unsigned i = 0; i < COLUMN_SOURCE; i++) {
		row = strchr(row, ',');
		if (row == NULL)
			return false;
		row++;
	}
	row = parse_origin_field(row, json, source);
	return row != NULL && parse_origin_field(row, json, model) != NULL;
}

struct tail {
	off_t cut;
	unsigned rows;
};

/* In CSV and JSON fields 2 to 4 are type, run and frame. */
struct row {
	const char *at;
	const char *type, *key; /* key: run and frame */
	size_t type_len, run_len, key_len;
};

static bool
tail_row_parse(struct row *r, const char *at, const char *end)
{
	const char *comma[4], *from = at;

	for (unsigned i = 0; i < 4; i++) {
		comma[i] = memchr(from, ',', (size_t)(end - from));
		if (comma[i] == NULL)
			return false;
		from = comma[i] + 1;
	}
	r->at = at;
	r->type = comma[0] + 1;
	r->type_len = (size_t)(comma[1] - r->type);
	r->key = comma[1] + 1;
	r->run_len = (size_t)(comma[2] - r->key);
	r->key_len = (size_t)(comma[3] - r->key);
	return true;
}

/* The type is "marker" in CSV, "row":"marker" in JSON. */
static bool
tail_row_is(const struct row *r, enum column_row type)
{
	const char *word = column_row_name[type];
	size_t n = strlen(word), quote = r->type[0] == '"';

	return r->type_len >= n + quote &&
	       memcmp(r->type + r->type_len - quote - n, word, n) == 0;
}

static bool
tail_rows_share_frame(const struct row *a, const struct row *b)
{
	return a->key_len == b->key_len &&
	       memcmp(a->key, b->key, a->key_len) == 0;
}

struct group { /* rows of a frame, read backwards */
	struct row first;
	unsigned rows, counts;
	bool marked;
};

static bool
tail_gather_frame(struct group *g, const char *begin, const char *end)
{
	struct row r;

	*g = (struct group){ .rows = 0 };
	while (end > begin) {
		const char *at = end - 1;

		while (at > begin && at[-1] != '\n')
			at--;
		/* The header has no number in the field of frames. */
		if (!tail_row_parse(&r, at, end) ||
		    (g->rows > 0 && !tail_rows_share_frame(&r, &g->first)) ||
		    r.key[r.key_len - 1] < '0' || r.key[r.key_len - 1] > '9')
			break;
		g->marked = g->marked || tail_row_is(&r, ROW_OF_MARKER);
		g->counts += !tail_row_is(&r, ROW_OF_MARKER) &&
			     !tail_row_is(&r, ROW_OF_CHANGE) &&
			     !tail_row_is(&r, ROW_OF_LOSS);
		g->rows++;
		g->first = r;
		end = at;
	}
	return g->rows > 0;
}

static bool
tail_frame_is_cut(const struct group *last, const struct group *before,
		  bool known, const char *torn, const char *end)
{
	struct row r;

	if (last->marked) /* a marker follows a complete frame */
		return false;
	if (tail_row_parse(&r, torn, end))
		return tail_rows_share_frame(&r, &last->first) &&
		       !tail_row_is(&r, ROW_OF_MARKER);
	if (known && before->counts > 0 &&
	    last->first.run_len == before->first.run_len &&
	    memcmp(last->first.key, before->first.key, last->first.run_len) ==
		    0)
		return last->counts < before->counts;
	return torn < end || last->counts == 0;
}

/* all: text is the whole file. False: more text is needed. */
static bool
tail_examine(const char *text, size_t n, bool all, struct tail *out)
{
	const char *end = text + n, *torn = end;
	struct group last, before;

	while (torn > text && torn[-1] != '\n')
		torn--;
	*out = (struct tail){ .cut = end - torn };
	if (torn == text)
		return all;
	if (!all) { /* the first line is cut */
		text = memchr(text, '\n', n);
		text++;
	}
	if (!tail_gather_frame(&last, text, torn))
		return all;
	bool known = tail_gather_frame(&before, text, last.first.at);

	if (!all &&
	    (last.first.at == text || !known || before.first.at == text))
		return false;
	if (tail_frame_is_cut(&last, &before, known, torn, end)) {
		out->rows = last.rows;
		out->cut = end - last.first.at;
	}
	return true;
}

static bool
pread_all(int fd, char *text, size_t n, off_t at)
{
	while (n > 0) {
		ssize_t got = pread(fd, text, n, at);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return false;
		text += got;
		n -= (size_t)got;
		at += got;
	}
	return true;
}

/* False: errno has the error. */
static bool
tail_read(int fd, off_t size, struct tail *out)
{
	for (size_t n = TAIL_LEAST;; n *= 4) {
		bool all = (off_t)n >= size, done;

		if (all)
			n = (size_t)size;
		char *text = malloc(n + 1);

		if (text == NULL)
			return false;
		if (!pread_all(fd, text, n, size - (off_t)n)) {
			free(text);
			return false;
		}
		done = tail_examine(text, n, all, out);
		free(text);
		/* Of a frame above TAIL_MOST only the torn line is cut. */
		if (done || (n >= TAIL_MOST && out->cut < (off_t)n))
			return true;
	}
}

static bool
file_begins_with(int fd, const char *head, size_t len)
{
	char chunk[4096];

	for (size_t at = 0; at < len;) {
		size_t want = len - at < sizeof chunk ? len - at : sizeof chunk;
		ssize_t n = pread(fd, chunk, want, (off_t)at);

		if (n <= 0 || memcmp(chunk, head + at, (size_t)n) != 0)
			return false;
		at += (size_t)n;
	}
	return true;
}

static bool
explain_other_head(const struct target *t, int fd, struct err *e)
{
	char first[4096] = "";

	if (pread(fd, first, sizeof first - 1, 0) > 0 &&
	    strncmp(first, "\x28\xb5\x2f\xfd", 4) == 0)
		return err_set(
			e, ERR_FORMAT,
			"cannot append to %s: it is compressed; decompress it (zstdcat %s > FILE) and append to FILE",
			t->name, t->name);
	if (strncmp(first, HEAD_BEFORE, strlen(HEAD_BEFORE)) == 0 ||
	    strncmp(first, LINE_BEFORE, strlen(LINE_BEFORE)) == 0)
		return err_set(
			e, ERR_FORMAT,
			"cannot append to %s: its schema is " COLUMN_SCHEMA_BEFORE
			", and this ktop writes " COLUMN_SCHEMA_TEXT
			"; record to another file",
			t->name);
	if (strncmp(first, "schema,", 7) == 0 ||
	    strncmp(first, "{\"schem", 7) == 0)
		return err_set(
			e, ERR_FORMAT,
			"cannot append to %s: its columns differ from those of this ktop; record to another file",
			t->name);
	return err_set(
		e, ERR_FORMAT,
		"cannot append to %s: it is not a recording of this format; choose another name",
		t->name);
}

/* Checks source and model: readers refuse files of two machines. */
static bool
check_row_origin(const struct target *t, int fd, const char *head, size_t len,
		 const struct sink_about *a, struct err *e)
{
	char row[4096], source[FIELD_SIZE], model[FIELD_SIZE];
	ssize_t n =
		pread(fd, row, sizeof row - 1, head[0] == '{' ? 0 : (off_t)len);

	row[n > 0 ? n : 0] = '\0';
	if (!parse_row_origin(source, model, row) ||
	    (strncmp(source, a->source, FIELD_SIZE - 1) == 0 &&
	     strncmp(model, a->model, FIELD_SIZE - 1) == 0))
		return true;
	return err_set(
		e, ERR_FORMAT,
		"cannot append to %s: it was recorded on %s (%s), and this is %s (%s); record to another file",
		t->name, model, source, a->model, a->source);
}

static bool
target_resume_from(struct target *t, int fd, const char *head, size_t len,
		   const struct sink_about *a, bool *fresh,
		   char notice[TARGET_NOTICE_SIZE], struct err *e)
{
	struct stat st;
	struct tail tail;

	if (fstat(fd, &st) != 0)
		return target_explain_errno(t, e, "cannot examine");
	size_t there = (uintmax_t)st.st_size < len ? (size_t)st.st_size : len;

	if (!file_begins_with(fd, head, there))
		return explain_other_head(t, fd, e);
	if (!check_row_origin(t, fd, head, len, a, e))
		return false;
	if (!tail_read(fd, st.st_size, &tail))
		return target_explain_errno(t, e, "cannot read");
	*fresh = st.st_size - tail.cut <= 0;
	if (tail.cut > 0) {
		if (ftruncate(t->fd, st.st_size - tail.cut) != 0)
			return target_explain_errno(t, e, "cannot repair");
		snprintf(
			notice, TARGET_NOTICE_SIZE,
			"%s: its last %s was cut short; the %lld bytes of it are removed",
			t->name, tail.rows > 0 ? "sample" : "row",
			(long long)tail.cut);
	}
	t->bytes = (uint64_t)(st.st_size - tail.cut);
	return true;
}

bool
target_resume(struct target *t, const char *head, size_t len,
	      const struct sink_about *a, bool *fresh,
	      char notice[TARGET_NOTICE_SIZE], struct err *e)
{
	struct stat ours, named;

	*fresh = true;
	notice[0] = '\0';
	if (!t->regular)
		return true;
	int fd = open_as_caller(t->name, O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	if (fd < 0)
		return target_explain_errno(t, e,
					    "cannot read what to append to:");
	bool ok = fstat(t->fd, &ours) == 0 && fstat(fd, &named) == 0 &&
		  ours.st_dev == named.st_dev && ours.st_ino == named.st_ino;

	if (!ok)
		err_set(e, ERR_FAIL,
			"cannot append to %s: it was replaced meanwhile; start ktop again",
			t->name);
	else
		ok = target_resume_from(t, fd, head, len, a, fresh, notice, e);
	close(fd); /* closing drops this process's POSIX locks of the file */
	target_lock_for_pid(t->fd);
	return ok;
}

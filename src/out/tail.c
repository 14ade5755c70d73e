#include "out/tail.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Two frames of thousands of CPUs fit into the most that is looked at. */
enum { LEAST = 1 << 16 };

/*
 * Of both forms of a row the second to fourth comma-separated part are the
 * row's type, the run and the frame's number.
 */
struct row {
	const char *at;
	const char *type, *key; /* key: run and frame */
	size_t type_len, run_len, key_len;
};

static bool
row_parse(struct row *r, const char *at, const char *end)
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

/* "mark" in CSV, "row":"mark" in JSON. */
static bool
is_type(const struct row *r, const char *word)
{
	size_t n = strlen(word), quote = r->type[0] == '"';

	return r->type_len >= n + quote &&
	       memcmp(r->type + r->type_len - quote - n, word, n) == 0;
}

static bool
has_counts(const struct row *r)
{
	return !is_type(r, "mark") && !is_type(r, "swap") &&
	       !is_type(r, "lost");
}

static bool
same_frame(const struct row *a, const struct row *b)
{
	return a->key_len == b->key_len &&
	       memcmp(a->key, b->key, a->key_len) == 0;
}

static bool
same_run(const struct row *a, const struct row *b)
{
	return a->run_len == b->run_len &&
	       memcmp(a->key, b->key, a->run_len) == 0;
}

struct group { /* rows of one frame, met from the end */
	struct row first;
	unsigned rows, counts;
	bool marked; /* by a row after its counts */
};

/* Gathers the frame that ends at `end`; false: there is no row before it. */
static bool
gather(struct group *g, const char *begin, const char *end)
{
	struct row r;

	*g = (struct group){ .rows = 0 };
	while (end > begin) {
		const char *at = end - 1;

		while (at > begin && at[-1] != '\n')
			at--;
		/* The header is no row: its frame is no number. */
		if (!row_parse(&r, at, end) ||
		    (g->rows > 0 && !same_frame(&r, &g->first)) ||
		    r.key[r.key_len - 1] < '0' || r.key[r.key_len - 1] > '9')
			break;
		g->marked = g->marked || is_type(&r, "mark");
		g->counts += has_counts(&r);
		g->rows++;
		g->first = r;
		end = at;
	}
	return g->rows > 0;
}

/* Does the last frame lack rows, as far as can be known? */
static bool
lacks_rows(const struct group *last, const struct group *before, bool known,
	   const char *torn, const char *end)
{
	struct row r;

	if (last->marked) /* a row of its own, behind a whole frame */
		return false;
	if (row_parse(&r, torn, end))
		return same_frame(&r, &last->first) && !is_type(&r, "mark");
	if (known && before->counts > 0 &&
	    same_run(&last->first, &before->first))
		return last->counts < before->counts;
	return torn < end || last->counts == 0;
}

bool
tail_examine(const char *text, size_t n, bool all, struct tail *out)
{
	const char *end = text + n, *torn = end;
	struct group last, before;

	while (torn > text && torn[-1] != '\n')
		torn--;
	*out = (struct tail){ .cut = end - torn };
	if (torn == text)
		return all;
	if (!all) { /* the first line is not whole */
		text = memchr(text, '\n', n);
		text++;
	}
	if (!gather(&last, text, torn))
		return all;
	bool known = gather(&before, text, last.first.at);

	if (!all &&
	    (last.first.at == text || !known || before.first.at == text))
		return false;
	if (lacks_rows(&last, &before, known, torn, end)) {
		out->rows = last.rows;
		out->cut = end - last.first.at;
	}
	return true;
}

static bool
read_all(int fd, char *text, size_t n, off_t at)
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

bool
tail_of(int fd, off_t size, struct tail *out)
{
	for (size_t n = LEAST;; n *= 4) {
		bool all = (off_t)n >= size, done;

		if (all)
			n = (size_t)size;
		char *text = malloc(n + 1);

		if (text == NULL)
			return false;
		if (!read_all(fd, text, n, size - (off_t)n)) {
			free(text);
			return false;
		}
		done = tail_examine(text, n, all, out);
		free(text);
		/* A line without an end is never the begin of what is kept. */
		if (done || (n >= TAIL_MOST && out->cut < (off_t)n))
			return true;
	}
}

#include "sim/tape_file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
	RUNS_MAX = 256, /* of one call: a row per CPU at most */
	SIZE_MAX_MB = 256
};

/* ---- words of a line ---- */

struct words {
	char *at; /* NULL: none left */
	bool bad;
};

static char *
next(struct words *w)
{
	char *word = w->at, *end;

	if (word == NULL)
		return NULL;
	end = strchr(word, ' ');
	w->at = end != NULL ? end + 1 : NULL;
	if (end != NULL)
		*end = '\0';
	return word;
}

static int64_t
next_number(struct words *w)
{
	const char *word = next(w);
	char *end;
	int64_t v;

	if (word == NULL || *word == '\0') {
		w->bad = true;
		return 0;
	}
	errno = 0;
	/* Both halves of 64 bits occur: negative results, large arguments. */
	v = word[0] == '-' ? strtoll(word, &end, 10)
			   : (int64_t)strtoull(word, &end, 10);
	if (errno != 0 || *end != '\0')
		w->bad = true;
	return v;
}

static char *
next_text(struct words *w)
{
	char *word = next(w);

	if (word == NULL || *word == '\0')
		w->bad = true;
	return word;
}

/* Text in hexadecimal becomes text; "-": NULL. */
static void
next_bytes(struct words *w, unsigned char **bytes, size_t *size)
{
	char *word = next_text(w);

	*bytes = NULL;
	*size = 0;
	if (word != NULL && strcmp(word, "-") != 0 &&
	    !tape_bytes(word, bytes, size))
		w->bad = true;
}

static const char *
dash_is_null(const char *word)
{
	return word == NULL || strcmp(word, "-") == 0 ? NULL : word;
}

static bool
grow(void *array, size_t *room, size_t n, size_t each)
{
	void **at = array, *more;

	if (n < *room)
		return true;
	more = realloc(*at, (*room * 2 + 64) * each);
	if (more == NULL)
		return false;
	*at = more;
	*room = *room * 2 + 64;
	return true;
}

/* ---- kinds of line ---- */

static bool
read_begin(struct tape_file *t, struct words *w)
{
	unsigned char *text;
	size_t size;

	t->begin.awake_ns = next_number(w);
	t->begin.elapsed_ns = next_number(w);
	t->begin.wall_ns = next_number(w);
	(void)next_number(w); /* CPUs, for people who read the file */
	next_bytes(w, &text, &size);
	/* The digits were twice as long: room for the NUL. */
	if (text != NULL)
		text[size] = '\0';
	t->host = (const char *)text;
	return true;
}

static bool
read_sysctl(struct tape_file *t, struct words *w)
{
	struct tape_node *n;

	if (!grow(&t->node, &t->node_room, t->nnodes, sizeof *t->node))
		return false;
	n = &t->node[t->nnodes++];
	n->at = t->nrecords;
	n->name = next_text(w);
	n->result = (int)next_number(w);
	n->error = (int)next_number(w);
	next_bytes(w, &n->bytes, &n->size);
	return true;
}

static bool
read_nodb(struct tape_file *t, struct words *w)
{
	t->db_error = (int)next_number(w);
	if (t->db_error == 0)
		t->db_error = KPEP_DB_CORRUPT; /* it could not be described */
	return true;
}

static bool
read_db(struct tape_file *t, struct words *w)
{
	unsigned char *marketing;
	size_t size;
	int64_t n;

	t->pmu.db = next_text(w);
	t->db_cpu = next_text(w);
	t->pmu.intel = next_number(w) <= KPEP_ARCH_X86_64;
	t->pmu.fixed_counters = (uint32_t)next_number(w);
	t->pmu.config_counters = (uint32_t)next_number(w);
	t->pmu.power_counters = (uint32_t)next_number(w);
	t->stride = (size_t)next_number(w);
	n = next_number(w);
	next_bytes(w, &marketing, &size);
	if (w->bad || marketing == NULL || n < 0 || n > TAPE_EVENTS_MAX ||
	    t->has_db) {
		w->bad = true;
		return true;
	}
	marketing[size] = '\0';
	t->pmu.marketing = (const char *)marketing;
	t->pmu.generation = "";
	t->event = calloc((size_t)n + 1, sizeof *t->event);
	t->pmu.events = t->event;
	t->pmu.nevents = (unsigned)n;
	t->has_db = true;
	return t->event != NULL;
}

/* The lowest bit where a fixed counter can be, or -1. */
static int
fixed_place(const struct tape_file *t, uint32_t mask)
{
	for (int i = 0; i < 32; i++)
		if ((mask & t->pmu.fixed_counters & 1u << i) != 0)
			return i;
	return -1;
}

static bool
read_event(struct tape_file *t, struct words *w)
{
	struct pmu_event *v;

	if (!t->has_db || t->nevents == t->pmu.nevents) {
		w->bad = true;
		return true;
	}
	v = &t->event[t->nevents++];
	v->name = next_text(w);
	v->number = (uint16_t)next_number(w);
	v->umask = (uint8_t)next_number(w);
	v->counters = (uint32_t)next_number(w);
	v->alias = dash_is_null(next_text(w));
	v->fallback = dash_is_null(next_text(w));
	v->fixed = fixed_place(t, v->counters);
	return true;
}

/* "o1:80:0a1b..." */
static bool
read_run(struct tape_record *r, char *word)
{
	struct tape_run *run = &r->run[r->nruns];
	char *at = strchr(word, ':'), *digits;
	unsigned char *bytes;

	if (word[0] != 'o' || word[1] < '0' || word[1] >= '0' + TAPE_OUTS_MAX ||
	    at != word + 2)
		return false;
	errno = 0;
	run->offset = strtoull(at + 1, &digits, 10);
	if (errno != 0 || *digits != ':' || at[1] == '-' ||
	    run->offset > (size_t)SIZE_MAX_MB << 20)
		return false;
	if (!tape_bytes(digits + 1, &bytes, &run->size))
		return false;
	run->bytes = bytes;
	run->out = (unsigned)(word[1] - '0');
	r->nruns++;
	return true;
}

static bool
read_answer(struct tape_record *r, struct words *w)
{
	struct tape_run run[RUNS_MAX];

	r->call.result = next_number(w);
	r->call.error = (int)next_number(w);
	r->stamp.awake_ns = next_number(w);
	r->stamp.elapsed_ns = next_number(w);
	r->stamp.wall_ns = next_number(w);
	r->run = run;
	for (char *word; (word = next(w)) != NULL;)
		if (r->nruns == RUNS_MAX || !read_run(r, word))
			w->bad = true;
	r->run = NULL;
	if (r->nruns == 0)
		return true;
	r->run = malloc(r->nruns * sizeof *r->run);
	if (r->run != NULL)
		memcpy(r->run, run, r->nruns * sizeof *r->run);
	return r->run != NULL;
}

static bool
read_call(struct tape_file *t, const char *name, struct words *w, unsigned line)
{
	struct tape_record *r;
	unsigned id = 0;

	while (id < TAPE_IDS && strcmp(tape_name(id), name) != 0)
		id++;
	if (id == TAPE_IDS) {
		w->bad = true;
		return true;
	}
	if (!grow(&t->record, &t->record_room, t->nrecords, sizeof *t->record))
		return false;
	r = &t->record[t->nrecords++];
	memset(r, 0, sizeof *r);
	r->call.id = id;
	t->has_system = t->has_system || id >= TAPE_SYSTEM_SYSCTL;
	r->line = line;
	r->swap = t->swap;
	t->swap = false;
	while (w->at != NULL && w->at[0] != '>' && !w->bad) {
		unsigned char *bytes;

		if (strncmp(w->at, "i:", 2) == 0) {
			w->at += 2;
			next_bytes(w, &bytes, &r->call.in_size);
			r->call.in = bytes;
		} else if (r->call.nargs < TAPE_ARGS_MAX) {
			r->call.arg[r->call.nargs++] = (uint64_t)next_number(w);
		} else {
			w->bad = true;
		}
	}
	(void)next(w);
	return read_answer(r, w);
}

static bool
read_line(struct tape_file *t, char *text, unsigned line, bool *bad)
{
	struct words w = { text, false };
	const char *kind = next(&w);
	bool memory = true;

	if (strcmp(kind, "end") == 0)
		t->end = t->nrecords;
	else if (strcmp(kind, "trace") == 0)
		t->trace = t->nrecords;
	else if (strcmp(kind, "swap") == 0)
		t->swap = true;
	else if (strcmp(kind, "sysctl") == 0)
		memory = read_sysctl(t, &w);
	else if (strcmp(kind, "begin") == 0)
		memory = read_begin(t, &w);
	else if (strcmp(kind, "db") == 0)
		memory = read_db(t, &w);
	else if (strcmp(kind, "event") == 0)
		memory = read_event(t, &w);
	else if (strcmp(kind, "nodb") == 0)
		memory = read_nodb(t, &w);
	else
		memory = read_call(t, kind, &w, line);
	*bad = w.bad;
	return memory;
}

/* ---- the file ---- */

static bool
load(const char *path, char **text, struct err *e)
{
	FILE *f = fopen(path, "rb");
	size_t n = 0, room = 0;
	char *at = NULL;

	if (f == NULL)
		return err_set(
			e, errno == EACCES ? ERR_PERM : ERR_FAIL,
			"--sim tape=%s: %s; ktop doctor --tape FILE records one",
			path, strerror(errno));
	for (;;) {
		/* A byte stays free for the NUL. */
		if (room > (size_t)SIZE_MAX_MB << 20 ||
		    !grow(&at, &room, n + 4096, 1))
			break;
		size_t got = fread(at + n, 1, room - n - 1, f);

		n += got;
		if (got == 0)
			break;
	}
	fclose(f);
	if (at == NULL || room > (size_t)SIZE_MAX_MB << 20) {
		free(at);
		return err_set(e, ERR_FAIL, "%s: too large for a tape", path);
	}
	at[n] = '\0';
	*text = at;
	/* NULs end the text early: what follows is not a tape's. */
	return true;
}

static bool
read_lines(const char *path, struct tape_file *t, struct err *e)
{
	char *at = t->text, *end;
	unsigned line = 1;

	end = strchr(at, '\n');
	if (end == NULL || strncmp(at, TAPE_MAGIC "\n", strlen(TAPE_MAGIC) + 1))
		return err_set(
			e, ERR_FORMAT,
			"%s is not a tape of ktop doctor (its first line is not " TAPE_MAGIC
			")",
			path);
	/* A line without an end was being written when the recording died. */
	for (at = end + 1; (end = strchr(at, '\n')) != NULL; at = end + 1) {
		bool bad = false;

		line++;
		*end = '\0';
		if (!read_line(t, at, line, &bad))
			return err_set(e, ERR_FAIL, "%s: out of memory", path);
		if (bad)
			return err_set(e, ERR_FORMAT,
				       "%s, line %u: not what a tape has there",
				       path, line);
	}
	if (t->has_db && t->nevents < t->pmu.nevents)
		return err_set(e, ERR_FORMAT,
			       "%s: the event database is cut short", path);
	return true;
}

bool
tape_file_read(const char *path, struct tape_file *t, struct err *e)
{
	memset(t, 0, sizeof *t);
	t->db_error = KPEP_DB_NOT_FOUND;
	t->end = t->trace = SIZE_MAX;
	if (load(path, &t->text, e) && read_lines(path, t, e))
		return true;
	tape_file_free(t);
	return false;
}

void
tape_file_free(struct tape_file *t)
{
	for (size_t i = 0; i < t->nrecords; i++)
		free(t->record[i].run);
	free(t->record);
	free(t->node);
	free(t->event);
	free(t->text);
	memset(t, 0, sizeof *t);
}

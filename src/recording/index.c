#include "recording/index.h"

#include <stdlib.h>
#include <string.h>

#include "recording/part.h"

int64_t
recording_play_time(struct recording_runs *base,
		    const struct recording_frame *f, bool *new_run)
{
	int64_t at;

	*new_run = base->started && strcmp(base->run, f->run) != 0;
	if (*new_run) {
		int64_t passed = f->wall_ns - base->last_wall_ns;

		/* The user can set the wall clock back. */
		if (passed < 0 || passed > INT64_MAX / 4)
			passed = 0;
		base->offset_ns = base->last_ns + passed - f->elapsed_ns;
	}
	base->started = true;
	memcpy(base->run, f->run, sizeof base->run);
	at = f->elapsed_ns + base->offset_ns;
	base->last_ns = at;
	base->last_wall_ns = f->wall_ns;
	return at;
}

static void
index_add_place(struct recording_index *x, const struct recording_place *place,
		uint64_t number, int64_t ns)
{
	if (x->frames % x->stride != 0)
		return;
	if (x->nplaces == INDEX_PLACES) {
		for (unsigned i = 0; i < INDEX_PLACES / 2; i++) {
			x->place[i] = x->place[2 * i];
			x->played_ns[i] = x->played_ns[2 * i];
			x->number[i] = x->number[2 * i];
		}
		x->nplaces = INDEX_PLACES / 2;
		x->stride *= 2;
		if (x->frames % x->stride != 0)
			return;
	}
	x->place[x->nplaces] = *place;
	x->number[x->nplaces] = number;
	x->played_ns[x->nplaces++] = ns;
}

static struct index_happening *
index_add_happening(struct recording_index *x, enum index_what what,
		    const char *text, int64_t ns)
{
	if (x->nhappenings == INDEX_HAPPENINGS) {
		x->happenings_lost++;
		return NULL;
	}
	struct index_happening *h = &x->happening[x->nhappenings++];

	h->what = what;
	h->frame = x->frames;
	h->ns = ns;
	strncat(h->text, text, sizeof h->text - 1);
	return h;
}

/* Moves a marker, whose row can come late, to the frame of its time. */
static void
index_move_mark(struct recording_index *x, struct index_happening *h)
{
	uint64_t least =
		h->frame < INDEX_LATEST ? 0 : h->frame - INDEX_LATEST + 1;

	while (h->frame > least &&
	       x->latest_ns[h->frame % INDEX_LATEST] > h->ns)
		h->frame--;
	for (; h > x->happening && h[-1].frame > h->frame; h--) {
		struct index_happening later = h[-1];

		h[-1] = h[0];
		h[0] = later;
	}
}

static void
index_add_notes(struct recording_index *x, const struct recording_frame *f,
		int64_t ns)
{
	static const enum index_what what[] = {
		[RECORDING_MARK] = INDEX_IS_MARK,
		[RECORDING_SWAP] = INDEX_IS_SWAP,
		[RECORDING_LOST] = INDEX_IS_LOST,
	};

	for (unsigned i = 0; i < f->nnotes; i++) {
		const struct recording_note *note = &f->note[i];
		struct index_happening *h = index_add_happening(
			x, what[note->kind], note->text,
			ns + note->elapsed_ns - f->elapsed_ns);

		if (h == NULL || h->what != INDEX_IS_MARK)
			continue;
		h->number = ++x->nmarks;
		index_move_mark(x, h);
	}
}

static void
index_add_states(struct recording_index *x, const struct recording_frame *f,
		 int64_t ns, uint32_t *before)
{
	uint32_t now = UINT32_MAX;

	for (unsigned i = 0; i < f->ncpus; i++)
		now &= f->cpu[i].counts.quality;
	if ((now & QUALITY_GAP) != 0)
		(void)index_add_happening(x, INDEX_IS_GAP, "sleep, or a stop",
					  ns);
	if ((now & ~*before & QUALITY_TAKEN_OVER) != 0)
		(void)index_add_happening(x, INDEX_IS_TAKEN_OVER,
					  "by another tool", ns);
	*before = now;
}

static bool
index_read_all(struct recording_index *x, struct recording *r,
	       struct part *part, struct err *e)
{
	const struct recording_frame *f = NULL;
	struct recording_runs runs = { .started = false };
	enum recording_status s;
	uint32_t before = 0;
	bool new_run;

	while ((s = recording_next(r, &f, e)) == RECORDING_FRAME) {
		int64_t ns = recording_play_time(&runs, f, &new_run);
		enum part_place place =
			part != NULL ? part_place_frame(part, f, ns) : PART_IN;

		if (place == PART_AFTER)
			return true;
		if (place == PART_BEFORE)
			continue;
		if (new_run)
			(void)index_add_happening(x, INDEX_IS_RUN, "a new run",
						  ns);
		if ((new_run || x->frames == 0) && x->nruns < INDEX_RUNS) {
			x->run[x->nruns].frame = x->frames;
			x->run[x->nruns++].clock = runs;
		}
		x->run[x->nruns - 1].last = f->number;
		index_add_place(x, &f->place, f->number, ns);
		x->latest_ns[x->frames % INDEX_LATEST] = ns;
		index_add_states(x, f, ns, &before);
		index_add_notes(x, f, ns);
		if (!replay_cpus_follow(&x->cpus, f, e))
			return false;
		x->frames++;
		x->length_ns = ns;
	}
	return s == RECORDING_END;
}

static unsigned
index_find_run(const struct recording_index *x, uint64_t frame)
{
	unsigned run = 0;

	while (run + 1 < x->nruns && x->run[run + 1].frame <= frame)
		run++;
	return run;
}

void
recording_index_clock(const struct recording_index *x, uint64_t frame,
		      struct recording_runs *out)
{
	*out = x->run[index_find_run(x, frame)].clock;
}

uint64_t
recording_index_last_number(const struct recording_index *x, uint64_t at)
{
	return x->run[index_find_run(x, at)].last;
}

uint64_t
recording_index_numbered(const struct recording_index *x, uint64_t at,
			 uint64_t number)
{
	unsigned run = index_find_run(x, at);
	uint64_t first = x->run[run].frame;
	uint64_t end = run + 1 < x->nruns ? x->run[run + 1].frame : x->frames;
	uint64_t low = (first + x->stride - 1) / x->stride;
	uint64_t high = (end + x->stride - 1) / x->stride;

	if (low >= high || number < x->number[low])
		return first;
	while (low + 1 < high) {
		uint64_t mid = low + (high - low) / 2;

		if (x->number[mid] <= number)
			low = mid;
		else
			high = mid;
	}
	at = low * x->stride;
	end = at + x->stride < end ? at + x->stride : end;
	return number - x->number[low] < end - at ? at + number - x->number[low]
						  : end - 1;
}

struct recording_index *
recording_index_new(struct recording *r, struct part *part, struct err *e)
{
	struct recording_index *x = calloc(1, sizeof *x);

	if (x == NULL)
		return err_null(e, ERR_FAIL, "out of memory for an index");
	x->stride = 1;
	if (index_read_all(x, r, part, e))
		return x;
	recording_index_free(x);
	return NULL;
}

void
recording_index_free(struct recording_index *x)
{
	if (x != NULL)
		replay_cpus_done(&x->cpus);
	free(x);
}

bool
recording_index_seek(const struct recording_index *x, struct recording *r,
		     uint64_t frame, struct err *e)
{
	const struct recording_frame *f;

	if (x->frames == 0)
		return err_set(e, ERR_FORMAT, "the recording has no samples");
	if (frame >= x->frames)
		frame = x->frames - 1;
	if (!recording_seek(r, &x->place[frame / x->stride], e))
		return false;
	for (uint64_t i = frame % x->stride; i > 0; i--)
		if (recording_next(r, &f, e) != RECORDING_FRAME)
			return false;
	return true;
}

uint64_t
recording_index_at(const struct recording_index *x, int64_t ns)
{
	unsigned low = 0, high = x->nplaces;

	while (low + 1 < high) {
		unsigned mid = low + (high - low) / 2;

		if (x->played_ns[mid] <= ns)
			low = mid;
		else
			high = mid;
	}
	return low * x->stride;
}

const struct index_happening *
recording_index_next(const struct recording_index *x, uint64_t frame)
{
	for (unsigned i = 0; i < x->nhappenings; i++)
		if (x->happening[i].frame > frame)
			return &x->happening[i];
	return NULL;
}

const struct index_happening *
recording_index_before(const struct recording_index *x, uint64_t frame)
{
	for (unsigned i = x->nhappenings; i-- > 0;)
		if (x->happening[i].frame < frame)
			return &x->happening[i];
	return NULL;
}

struct segment {
	const char *path;
	int64_t wall_ns;
	uint64_t frame;
};

static bool
segment_read_begin(struct segment *s)
{
	const struct recording_frame *f;
	struct err e;
	struct recording *r = strcmp(s->path, "-") == 0
				      ? NULL
				      : recording_open(&s->path, 1, &e);

	if (r == NULL)
		return false;
	recording_skip_damaged(r);
	bool known = recording_next(r, &f, &e) == RECORDING_FRAME;

	if (known) {
		s->wall_ns = f->wall_ns;
		s->frame = f->number;
	}
	recording_close(r);
	return known;
}

static int
compare_segment_begins(const void *a, const void *b)
{
	const struct segment *x = a, *y = b;

	if (x->wall_ns != y->wall_ns)
		return x->wall_ns < y->wall_ns ? -1 : 1;
	return (x->frame > y->frame) - (x->frame < y->frame);
}

void
recording_sort_segments(const char **path, unsigned n)
{
	struct segment segment[RECORDING_FILES_MAX];

	if (n < 2 || n > RECORDING_FILES_MAX)
		return;
	for (unsigned i = 0; i < n; i++) {
		segment[i].path = path[i];
		if (!segment_read_begin(&segment[i]))
			return;
	}
	qsort(segment, n, sizeof *segment, compare_segment_begins);
	for (unsigned i = 0; i < n; i++)
		path[i] = segment[i].path;
}

/* Recordings in CSV or JSON lines, in the schema of model/columns.h. */
#include "out/sink.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/plural.h"
#include "out/rows.h"

struct csv {
	struct sink sink; /* must be first */
	struct rows rows;
	bool header_pending;
	uint64_t frames;
	double began_s;
	uint64_t rotate_bytes;
	double rotate_s;
	enum target_mode segments;
	bool segment_failed;    /* opening the next segment failed */
	uint64_t lost_reported; /* frames of target.lost that a row reported */
	struct eventset last;
	bool last_known;
};

static struct csv *
csv_of(struct sink *s)
{
	return (struct csv *)(void *)s;
}

static const char *
eventset_title(const struct eventset *set)
{
	if (set->len == 0)
		return "fixed counters only";
	return set->name[0] != '\0' ? set->name : "unnamed set";
}

static bool
eventsets_equal(const struct eventset *a, const struct eventset *b)
{
	bool same = a->len == b->len && strcmp(a->name, b->name) == 0;

	for (unsigned i = 0; same && i < a->len; i++)
		same = a->slot[i].event == b->slot[i].event;
	return same;
}

static void
csv_write_notes(struct buf *b, const struct csv *c, const struct frame *f)
{
	uint64_t lost = c->sink.target.lost - c->lost_reported;
	char note[128];

	if (lost > 0) {
		snprintf(note, sizeof note, "%llu %s lost",
			 (unsigned long long)lost,
			 plural(lost, "sample", "samples"));
		rows_write_note(b, &c->rows, f, ROW_OF_LOSS, note);
	}
	if (c->last_known && !eventsets_equal(&c->last, f->set)) {
		snprintf(note, sizeof note, "%s to %s",
			 eventset_title(&c->last), eventset_title(f->set));
		rows_write_note(b, &c->rows, f, ROW_OF_CHANGE, note);
	}
}

static struct buf
csv_rows_begin(const struct csv *c)
{
	return buf_over(c->sink.target.at, c->sink.target.size);
}

static bool
csv_rows_send(struct csv *c, const struct buf *b, struct err *e)
{
	if (b->full) {
		target_drop(&c->sink.target);
		return err_set(
			e, ERR_FAIL,
			"not recorded: a sample of %s is larger than the buffer of %zu bytes",
			c->sink.target.name, b->size);
	}
	bool sent = target_send(&c->sink.target, b->len, e);

	c->header_pending = c->header_pending && !sent;
	return sent;
}

static void
csv_start_file(struct csv *c)
{
	c->header_pending = !c->rows.json;
	c->frames = 0;
}

/* False and *e: a deleted file cannot be created again. */
static bool
csv_replace_lost_file(struct csv *c, struct err *e)
{
	bool deleted = target_was_deleted(&c->sink.target);

	if (deleted ? !target_reopen_deleted(&c->sink.target, e)
		    : !target_was_truncated(&c->sink.target))
		return !deleted;
	snprintf(c->sink.notice, sizeof c->sink.notice,
		 "%s was %s, and %llu sample%s with it; %s",
		 c->sink.target.name,
		 deleted ? "deleted" : "truncated by another program",
		 (unsigned long long)c->frames, c->frames == 1 ? "" : "s",
		 deleted ? "a new file of that name goes on"
			 : "the recording begins again in it");
	c->sink.target.lost += c->frames;
	csv_start_file(c);
	return true;
}

static bool
csv_rotates(const struct csv *c)
{
	return c->rotate_bytes > 0 || c->rotate_s > 0;
}

static bool
csv_segment_is_full(const struct csv *c, const struct frame *f)
{
	if (c->frames == 0 || !c->sink.target.regular)
		return false;
	if (c->rotate_bytes > 0 &&
	    c->sink.target.bytes + c->sink.target.last > c->rotate_bytes)
		return true;
	return c->rotate_s > 0 && f->elapsed_s - c->began_s >= c->rotate_s;
}

static void
csv_rotate(struct csv *c)
{
	struct err e = { ERR_NONE, "" };

	if (target_open_segment(&c->sink.target, c->sink.target.segment + 1,
				c->segments, &e)) {
		c->segment_failed = false;
		csv_start_file(c);
		return;
	}
	if (!c->segment_failed)
		snprintf(c->sink.notice, sizeof c->sink.notice,
			 "no next segment, %s goes on: %.120s",
			 c->sink.target.name, e.text);
	c->segment_failed = true;
}

static bool
csv_frame(struct sink *s, const struct frame *f, struct err *e)
{
	struct csv *c = csv_of(s);

	if (!csv_replace_lost_file(c, e) || !target_flush(&c->sink.target, e)) {
		target_drop(&c->sink.target);
		return false;
	}
	if (csv_segment_is_full(c, f))
		csv_rotate(c);
	struct buf b = csv_rows_begin(c);
	uint64_t lost = c->sink.target.lost;

	if (c->header_pending)
		rows_write_header(&b, &c->rows);
	c->sink.target.head = b.len;
	csv_write_notes(&b, c, f);
	rows_write_frame(&b, &c->rows, f);
	if (!csv_rows_send(c, &b, e))
		return false;
	if (c->frames++ == 0)
		c->began_s = f->elapsed_s;
	c->lost_reported = lost;
	c->last = *f->set;
	c->last_known = true;
	return true;
}

static bool
csv_mark(struct sink *s, const struct frame *f, const char *text, struct err *e)
{
	struct csv *c = csv_of(s);

	if (!csv_replace_lost_file(c, e) || !target_flush(&c->sink.target, e))
		return false;
	struct buf b = csv_rows_begin(c);

	if (c->header_pending)
		rows_write_header(&b, &c->rows);
	c->sink.target.head = b.len;
	rows_write_note(&b, &c->rows, f, ROW_OF_MARKER, text);
	return csv_rows_send(c, &b, e);
}

static uint64_t
csv_close(struct sink *s)
{
	if (s == NULL)
		return 0;
	struct csv *c = csv_of(s);
	uint64_t given_up = target_close(&c->sink.target);

	rows_free(&c->rows);
	free(c);
	return given_up;
}

static void
csv_discard(struct sink *s)
{
	target_remove_created(&s->target);
	(void)csv_close(s);
}

static enum target_mode
csv_target_mode(const struct sink_about *a)
{
	if (a->append)
		return TARGET_APPEND;
	return a->force ? TARGET_REPLACE : TARGET_NEW;
}

static bool
csv_resume(struct csv *c, const struct sink_about *a, struct err *e)
{
	unsigned last = 0;
	bool fresh;

	while (csv_rotates(c) &&
	       target_has_segment(c->sink.target.path, last + 1))
		last++;
	if (last > 0 &&
	    !target_open_segment(&c->sink.target, last, TARGET_APPEND, e))
		return false;
	struct buf b = csv_rows_begin(c);

	if (c->rows.json)
		buf_str(&b, JSON_LINE_BEGINS);
	else
		rows_write_header(&b, &c->rows);
	if (!target_resume(&c->sink.target, b.at, b.len, a, &fresh,
			   c->sink.notice, e))
		return false;
	c->header_pending = fresh && !c->rows.json;
	return true;
}

static bool
csv_check_segments(const struct csv *c, const char *path,
		   const struct sink_about *a, struct err *e)
{
	if (a->append || !csv_rotates(c) || !target_has_segment(path, 1))
		return true;
	if (a->force)
		return target_remove_segments(path, false, e);
	return err_set(
		e, ERR_FAIL,
		"%s has segments of an earlier recording; choose another name, append with --append, or replace them with --force",
		path);
}

static bool
csv_send_header(struct csv *c, struct err *e)
{
	if (!c->header_pending)
		return true;
	struct buf b = csv_rows_begin(c);

	rows_write_header(&b, &c->rows);
	if (csv_rows_send(c, &b, e))
		return true;
	int error = c->sink.target.reported_errno;

	if (error == 0)
		return false;
	/* Opening fails, so a message that samples are lost would be wrong. */
	return err_set(e, ERR_FAIL, "cannot write %s: %s%s",
		       c->sink.target.name, strerror(error),
		       error == ENOSPC
			       ? "; free some space, or choose another file"
			       : "");
}

/* Each row contains the position of its CPU, so the file continues. */
static bool
csv_machine(struct sink *s, const struct sink_about *a,
	    const struct topology *was, struct err *e)
{
	struct csv *c = csv_of(s);

	(void)was;
	rows_free(&c->rows);
	if (!rows_init(&c->rows, a, c->rows.json, e))
		return false;
	/* Events are compared by address, and the new catalog has others. */
	c->last_known = false;
	return target_grow(&c->sink.target, rows_size(&c->rows), e);
}

static struct sink *
csv_open_as(const char *target, const struct sink_about *a, bool json,
	    struct err *e)
{
	struct csv *c = calloc(1, sizeof *c);

	if (c == NULL)
		return err_null(e, ERR_FAIL, "out of memory for a recording");
	c->sink.ops = json ? &sink_json : &sink_csv;
	c->header_pending = !json;
	c->rotate_bytes = json ? 0 : a->rotate_bytes;
	c->rotate_s = json ? 0 : (double)a->rotate_ns / 1e9;
	c->segments = a->force ? TARGET_REPLACE : TARGET_NEW;
	c->sink.target = (struct target){ TARGET_NONE };
	if (csv_check_segments(c, target, a, e) &&
	    rows_init(&c->rows, a, json, e) &&
	    target_open(&c->sink.target, target, csv_target_mode(a),
			rows_size(&c->rows), e) &&
	    (!a->append || csv_resume(c, a, e)) &&
	    (!a->force || !csv_rotates(c) ||
	     target_remove_segments(target, true, e)) &&
	    csv_send_header(c, e))
		return &c->sink;
	csv_discard(&c->sink);
	return NULL;
}

static struct sink *
csv_open(const char *target, const struct sink_about *a, struct err *e)
{
	return csv_open_as(target, a, false, e);
}

static struct sink *
json_open(const char *target, const struct sink_about *a, struct err *e)
{
	return csv_open_as(target, a, true, e);
}

#define RECORDING(form)                                                       \
	{                                                                     \
		.name = #form, .records = true, .open = form##_open,          \
		.frame = csv_frame, .machine = csv_machine, .mark = csv_mark, \
		.close = csv_close, .discard = csv_discard                    \
	}
const struct sink_ops sink_csv = RECORDING(csv);
const struct sink_ops sink_json = RECORDING(json);

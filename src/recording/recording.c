#include "recording/recording.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/plural.h"
#include "base/utf8.h"
#include "recording/inner.h"

struct recording {
	struct lines lines;
	struct row_reader reader;
	bool row_waits; /* reader.row belongs to the next frame */
	struct recording_place held_at;
	struct recording_frame frame;
	unsigned cpus_size, processes_size;
	unsigned cpus;
	bool processes_ended;
	bool any_processes;
	bool cut;
	uint64_t short_frames;
	/* First gap in frame numbers between segments; missing 0: none. */
	uint64_t missing, missing_from;
	unsigned missing_file;
	struct run {
		char name[24];
		uint64_t number;
		unsigned file;
	} * run; /* [nruns]: the frame read last of each run */
	unsigned nruns;
	struct recording_machine machine;
	bool skip;
	uint64_t skipped;
	char first_skipped[200];
	char notice[700];
};

static bool
line_is_blank(const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (s[i] != ' ' && s[i] != '\t' && s[i] != '\r')
			return false;
	return true;
}

static bool
explain_damaged_row(const struct recording *r, uint64_t line, struct err *e)
{
	const struct row_reader *row = &r->reader;
	const char *name = row_column_name(row, row->bad_column);
	char text[64] = "", place[80] = "";

	if (row->bad_text[0] != '\0')
		snprintf(text, sizeof text, "'%s' ", row->bad_text);
	if (row->bad_column < ROW_COLUMNS_MAX)
		snprintf(place, sizeof place,
			 "column %u%s%s%s: ", row->bad_column + 1,
			 name[0] != '\0' ? " (" : "", name,
			 name[0] != '\0' ? ")" : "");
	return err_set(e, ERR_FORMAT, "%s:%llu: %s%s%s", lines_name(&r->lines),
		       (unsigned long long)line, place, text, row->bad);
}

static bool
line_is_heading(const char *line, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if ((unsigned char)line[i] < ' ' && line[i] != '\t' &&
		    line[i] != '\r')
			return false;
	for (size_t at = 0; at < n;) {
		size_t length = utf8_length(line + at, n - at);

		if (length == 0)
			return false;
		at += length;
	}
	return true;
}

/* Some spreadsheets separate fields by semicolons, tabs or bars. */
static const char *
find_other_separator(const char *line, size_t n)
{
	static const struct {
		char c;
		const char *name;
	} other[] = { { ';', "semicolons" },
		      { '\t', "tabs" },
		      { '|', "vertical bars" } };

	for (unsigned i = 0; i < sizeof other / sizeof other[0]; i++)
		if (memchr(line, ',', n) == NULL &&
		    memchr(line, other[i].c, n) != NULL)
			return other[i].name;
	return NULL;
}

static const char *
find_unpack_command(const char *line, size_t n)
{
	if (n >= 4 && memcmp(line, "\x28\xb5\x2f\xfd", 4) == 0)
		return "zstdcat";
	return n > 2 && memcmp(line, "\x1f\x8b", 2) == 0 ? "gzip -dc" : NULL;
}

static bool
recording_read_header(struct recording *r, struct err *e)
{
	const char *line;
	size_t n;
	enum line_status s = lines_next(&r->lines, &line, &n, e);

	if (s == LINE_BAD)
		return false;
	if (s == LINE_NONE)
		return err_set(
			e, ERR_FORMAT,
			"%s is empty: a recording begins with a line of column names",
			lines_name(&r->lines));
	const char *unpack = find_unpack_command(line, n);

	if (unpack != NULL)
		return err_set(
			e, ERR_FORMAT,
			"%s is compressed; decompress it in a pipe: %s FILE | ktop --replay -, or summary -",
			lines_name(&r->lines), unpack);
	if (n > 0 && line[0] == '{')
		return err_set(
			e, ERR_FORMAT,
			"%s has JSON lines; ktop reads only recordings made with --csv",
			lines_name(&r->lines));
	if (!line_is_heading(line, n))
		return err_set(
			e, ERR_FORMAT,
			"%s is not a recording: it does not begin with a line of column names; see ktop-csv(5)",
			lines_name(&r->lines));
	const char *other = find_other_separator(line, n);

	if (other != NULL)
		return err_set(
			e, ERR_FORMAT,
			"%s:1: the columns are separated by %s, not by commas; save the file again with commas between columns and with decimal points",
			lines_name(&r->lines), other);
	if (!row_header(&r->reader, line, n))
		return explain_damaged_row(r, r->lines.line, e);
	return true;
}

enum row_status { ROW_HERE, ROW_LAST, ROW_BAD, ROW_DAMAGED };

/* False: the error is not damage, or damaged rows are not skipped. */
static bool
recording_skip_row(struct recording *r, const struct err *e)
{
	if (!r->skip || e->code != ERR_FORMAT)
		return false;
	if (r->skipped++ == 0)
		snprintf(r->first_skipped, sizeof r->first_skipped, "%.199s",
			 e->text);
	return true;
}

/* A line that begins a row shows that an open quote is damage. */
static bool
line_begins_row(const char *line, size_t n)
{
	static const char schema[] = "ktop/";

	return n >= sizeof schema &&
	       memcmp(line, schema, sizeof schema - 1) == 0;
}

static enum row_status
segment_next_row(struct recording *r, struct recording_place *where,
		 struct err *e)
{
	enum line_status s;
	const char *line;
	size_t n;
	bool whole;

	do {
		where->file = r->lines.file;
		where->offset = r->lines.base + (int64_t)r->lines.at;
		where->line = r->lines.line + 1;
		s = lines_next(&r->lines, &line, &n, e);
	} while (s == LINE_WHOLE && line_is_blank(line, n));
	row_begin(&r->reader);
	if (s == LINE_BAD || s == LINE_NONE)
		return s == LINE_BAD ? ROW_BAD : ROW_LAST;
	where->line = r->lines.line;
	whole = row_add_line(&r->reader, line, n);
	while (!whole && s == LINE_WHOLE) { /* the line ends in a quoted text */
		s = lines_next(&r->lines, &line, &n, e);
		if (s == LINE_BAD)
			return ROW_BAD;
		if (s == LINE_NONE)
			break;
		if (s == LINE_WHOLE && line_begins_row(line, n)) {
			lines_unread(&r->lines, n);
			err_set(e, ERR_FORMAT, "%s:%llu: a quote is not closed",
				lines_name(&r->lines),
				(unsigned long long)where->line);
			return ROW_DAMAGED;
		}
		whole = row_add_line(&r->reader, line, n);
	}
	if (whole && s == LINE_WHOLE) {
		if (r->reader.bad == NULL)
			return ROW_HERE;
		(void)explain_damaged_row(r, where->line, e);
		return ROW_DAMAGED;
	}
	/* Only the last field, which is ignored, can be cut. */
	if (whole && r->reader.bad == NULL &&
	    r->reader.nread < r->reader.ncolumns)
		return ROW_HERE;
	r->cut = true;
	return ROW_LAST;
}

static enum row_status
recording_next_row(struct recording *r, struct recording_place *where,
		   struct err *e)
{
	for (;;) {
		enum row_status s = segment_next_row(r, where, e);

		if (s == ROW_DAMAGED && recording_skip_row(r, e))
			continue;
		if (s == ROW_DAMAGED)
			return ROW_BAD;
		if (s != ROW_LAST || r->lines.file + 1 >= r->lines.npaths)
			return s;
		if (!lines_open(&r->lines, r->lines.file + 1, e) ||
		    !recording_read_header(r, e))
			return ROW_BAD;
	}
}

static bool
frame_grow_cpus(struct recording *r, struct err *e)
{
	unsigned size = r->cpus_size == 0 ? 64 : 2 * r->cpus_size;
	struct recording_cpu *grown;

	if (size > RECORDING_CPUS_MAX)
		return err_set(e, ERR_FORMAT,
			       "%s:%llu: a sample has more than %d CPUs",
			       lines_name(&r->lines),
			       (unsigned long long)r->lines.line,
			       RECORDING_CPUS_MAX);
	grown = realloc(r->frame.cpu, size * sizeof *grown);
	if (grown == NULL)
		return err_set(e, ERR_FAIL,
			       "out of memory for a sample of %u CPUs", size);
	r->frame.cpu = grown;
	r->cpus_size = size;
	return true;
}

static bool
row_has_frame_slots(const struct recording_frame *f, const struct row *row)
{
	return f->nslots == row->nslots &&
	       memcmp(f->slot, row->slot, row->nslots * sizeof row->slot[0]) ==
		       0;
}

static bool
explain_damaged_frame(struct recording *r, const char *why, struct err *e)
{
	return err_set(e, ERR_FORMAT, "%s:%llu: column %u (%s): %s",
		       lines_name(&r->lines), (unsigned long long)r->lines.line,
		       1u, "schema", why);
}

static bool
frame_take_cpu(struct recording *r, const struct row *row, struct err *e)
{
	struct recording_frame *f = &r->frame;

	if (f->ncpus == r->cpus_size && !frame_grow_cpus(r, e))
		return false;
	if (f->ncpus == 0) {
		f->wall_ns = row->wall_ns;
		f->elapsed_ns = row->elapsed_ns;
		f->domain = row->domain;
		memcpy(f->preset, row->preset, sizeof f->preset);
		f->nslots = row->nslots;
		memcpy(f->slot, row->slot, sizeof f->slot);
		f->unlike = row->unlike;
	} else if (!row_has_frame_slots(f, row)) {
		return explain_damaged_frame(
			r,
			"the row has other events than the rows of its sample before it",
			e);
	}
	f->cpu[f->ncpus++] = row->at;
	return true;
}

static bool
frame_grow_processes(struct recording *r, struct err *e)
{
	unsigned size = r->processes_size == 0 ? 32 : 2 * r->processes_size;
	struct process_read *grown;

	grown = realloc(r->frame.process, size * sizeof *grown);
	if (grown == NULL)
		return err_set(e, ERR_FAIL,
			       "out of memory for a sample of %u processes",
			       size);
	r->frame.process = grown;
	r->processes_size = size;
	/* `counted` needs at most one entry per process. */
	struct process_counts *counted =
		realloc(r->frame.counted, size * sizeof *counted);

	if (counted == NULL)
		return err_set(e, ERR_FAIL,
			       "out of memory for a sample of %u processes",
			       size);
	r->frame.counted = counted;
	return true;
}

/* Ignores counts of events that differ from those of the CPUs. */
static void
frame_take_events(struct recording_frame *f, const struct row *row)
{
	if (row->counted == 0 || row->nslots != f->nslots ||
	    memcmp(row->slot, f->slot, f->nslots * sizeof f->slot[0]) != 0)
		return;
	f->counted_slots = f->ncounted == 0 ? row->counted
					    : f->counted_slots & row->counted;
	f->counted[f->ncounted++] = row->counts;
}

/* The row of (other processes) has no values if every process has a row. */
static bool
frame_take_process(struct recording *r, const struct row *row, struct err *e)
{
	struct recording_frame *f = &r->frame;

	f->processes = r->any_processes = true;
	f->process_domain = row->domain;
	if (row->type == ROW_OF_NOBODY) {
		f->has_rest = true;
		f->rest = row->process;
		return true;
	}
	if (row->type == ROW_OF_OTHERS) {
		r->processes_ended = true;
		f->began = row->began;
		f->began_seen = (unsigned)row->began_seen;
		if (row->process.known == 0)
			return true;
	}
	if (f->nprocesses == PROCESS_ROWS_MAX)
		return explain_damaged_frame(
			r, "has more processes than there can be", e);
	if (f->nprocesses == r->processes_size && !frame_grow_processes(r, e))
		return false;
	f->process[f->nprocesses++] = row->process;
	frame_take_events(f, row);
	return true;
}

static void
frame_take_note(struct recording_frame *f, enum recording_note_kind kind,
		const struct row *row)
{
	if (f->nnotes == RECORDING_NOTES_MAX)
		return;
	struct recording_note *note = &f->note[f->nnotes++];

	note->kind = kind;
	note->wall_ns = row->wall_ns;
	note->elapsed_ns = row->elapsed_ns;
	utf8_plain(note->text, sizeof note->text, row->note, strlen(row->note));
}

static bool
frame_take_row(struct recording *r, const struct row *row, struct err *e)
{
	switch (row->type) {
	case ROW_OF_CPU:
		return frame_take_cpu(r, row, e);
	case ROW_OF_PROCESS:
	case ROW_OF_OTHERS:
	case ROW_OF_NOBODY:
		return frame_take_process(r, row, e);
	case ROW_OF_MARKER:
		frame_take_note(&r->frame, RECORDING_MARK, row);
		break;
	case ROW_OF_CHANGE:
		frame_take_note(&r->frame, RECORDING_SWAP, row);
		break;
	case ROW_OF_LOSS:
		frame_take_note(&r->frame, RECORDING_LOST, row);
		break;
	case ROW_OF_POWER:
		if (r->frame.npower < RECORDING_POWER_MAX)
			r->frame.power[r->frame.npower++] = row->power;
		break;
	case ROW_OF_CLUSTER:
	case ROW_OF_KIND:
	case ROW_OF_MACHINE:
	case COLUMN_ROWS:
		break;
	}
	return true;
}

static bool
row_is_kept(const struct row *row)
{
	return !row_is_group(row->type) && row->type != COLUMN_ROWS;
}

static bool
row_begins_frame(const struct recording_frame *f, const struct row *row)
{
	return row->frame != f->number || strcmp(row->run, f->run) != 0 ||
	       (row->type == ROW_OF_CPU && f->ncpus > 0 &&
		row->at.cpu == f->cpu[0].cpu);
}

static void
frame_begin(struct recording *r)
{
	struct recording_frame *f = &r->frame;
	const struct row *row = &r->reader.row;

	f->place = r->held_at;
	f->number = row->frame;
	memcpy(f->run, row->run, sizeof f->run);
	f->ncpus = f->nnotes = f->npower = f->nslots = f->nprocesses =
		f->ncounted = 0;
	f->counted_slots = 0;
	f->processes = f->has_rest = r->processes_ended = false;
	f->began = UINT64_MAX;
	f->began_seen = 0;
	f->wall_ns = row->wall_ns;
	f->elapsed_ns = row->elapsed_ns;
}

/* Counts of two machines cannot be added. */
static bool
check_same_machine(struct recording *r, struct err *e)
{
	const struct recording_machine *m = &r->reader.row.machine;

	if (r->machine.model[0] == '\0')
		r->machine = *m;
	if (m->model[0] == '\0' ||
	    (strcmp(m->model, r->machine.model) == 0 &&
	     strcmp(m->source, r->machine.source) == 0)) {
		memcpy(r->machine.chip, m->chip, sizeof m->chip);
		return true;
	}
	return err_set(
		e, ERR_FORMAT,
		"%s:%llu: this sample was recorded on %s (%s), earlier samples on %s (%s); give recordings of one machine",
		lines_path_name(r->lines.path[r->held_at.file]),
		(unsigned long long)r->held_at.line, m->model, m->source,
		r->machine.model, r->machine.source);
}

static enum row_status
recording_gather_frame(struct recording *r, struct err *e)
{
	struct recording_place where;
	enum row_status s;

	if (!r->row_waits) {
		do
			s = recording_next_row(r, &r->held_at, e);
		while (s == ROW_HERE && !row_is_kept(&r->reader.row));
		if (s != ROW_HERE)
			return s;
	}
	r->row_waits = false;
	frame_begin(r);
	if (!check_same_machine(r, e))
		return ROW_BAD;
	if (!frame_take_row(r, &r->reader.row, e) && !recording_skip_row(r, e))
		return ROW_BAD;
	for (;;) {
		s = recording_next_row(r, &where, e);
		if (s != ROW_HERE)
			return s;
		if (!row_is_kept(&r->reader.row))
			continue;
		if (row_begins_frame(&r->frame, &r->reader.row))
			break;
		if (!frame_take_row(r, &r->reader.row, e) &&
		    !recording_skip_row(r, e))
			return ROW_BAD;
	}
	r->row_waits = true;
	r->held_at = where;
	return ROW_HERE;
}

static uint64_t
frame_lost_before(const struct recording_frame *f)
{
	uint64_t n = 0;

	for (unsigned i = 0; i < f->nnotes; i++)
		if (f->note[i].kind == RECORDING_LOST)
			n += strtoull(f->note[i].text, NULL, 10);
	return n;
}

static struct run *
recording_find_run(struct recording *r, const char *name)
{
	for (unsigned i = r->nruns; i-- > 0;)
		if (strcmp(r->run[i].name, name) == 0)
			return &r->run[i];
	struct run *grown = realloc(r->run, (r->nruns + 1) * sizeof *grown);

	if (grown == NULL)
		return NULL;
	r->run = grown;
	grown += r->nruns++;
	*grown = (struct run){ .file = RECORDING_FILES_MAX };
	memcpy(grown->name, name, sizeof grown->name);
	return grown;
}

/* False and *e: a sample is repeated, or out of memory. */
static bool
recording_follow_run(struct recording *r, struct err *e)
{
	const struct recording_frame *f = &r->frame;

	if (f->run[0] == '\0')
		return true;
	struct run *run = recording_find_run(r, f->run);

	if (run == NULL)
		return err_set(e, ERR_FAIL, "out of memory for a recording");
	bool begins = run->file == RECORDING_FILES_MAX;
	uint64_t next = run->number + 1;

	if (!begins &&
	    (f->number < run->number ||
	     (f->number == run->number && f->place.file != run->file)))
		return err_set(
			e, ERR_FORMAT,
			"%s:%llu: sample %llu of run %s is repeated after samples of %s; give each recording once, without copies",
			lines_path_name(r->lines.path[f->place.file]),
			(unsigned long long)f->place.line,
			(unsigned long long)f->number, f->run,
			lines_path_name(r->lines.path[run->file]));
	if (!begins && f->place.file != run->file && r->missing == 0 &&
	    r->skipped == 0 && f->number > next + frame_lost_before(f)) {
		r->missing = f->number - next;
		r->missing_from = next;
		r->missing_file = f->place.file;
	}
	run->number = f->number;
	run->file = f->place.file;
	return true;
}

enum recording_status
recording_next(struct recording *r, const struct recording_frame **out,
	       struct err *e)
{
	enum row_status s;

	do {
		r->frame.ncpus = 0;
		s = recording_gather_frame(r, e);
		if (s == ROW_BAD)
			return RECORDING_BAD;
		/* A lost frame has rows of notes only. */
	} while (s == ROW_HERE && r->frame.ncpus == 0);
	if (r->frame.ncpus == 0)
		return RECORDING_END;
	/* The first frame of a cut file may be incomplete: the number of CPUs,
	 * which would show it, is unknown. */
	if (r->cpus == 0 && s == ROW_LAST && r->cut &&
	    !(row_frame_known(&r->reader) &&
	      r->reader.row.frame != r->frame.number))
		return RECORDING_END;
	if (r->cpus == 0)
		r->cpus = r->frame.ncpus;
	if (r->frame.ncpus < r->cpus) {
		if (s == ROW_LAST) {
			r->cut = true;
			return RECORDING_END;
		}
		r->short_frames++;
	}
	/* Without (other processes), the last row, processes are missing. */
	if (s == ROW_LAST && r->frame.processes && !r->processes_ended) {
		r->cut = true;
		return RECORDING_END;
	}
	if (!recording_follow_run(r, e))
		return RECORDING_BAD;
	*out = &r->frame;
	return RECORDING_FRAME;
}

struct recording *
recording_open(const char *const *path, unsigned n, struct err *e)
{
	struct recording *r = calloc(1, sizeof *r);

	if (r == NULL)
		return err_null(e, ERR_FAIL, "out of memory for a recording");
	if (row_reader_init(&r->reader, e) &&
	    lines_init(&r->lines, path, n, e) && recording_read_header(r, e))
		return r;
	recording_close(r);
	return NULL;
}

void
recording_skip_damaged(struct recording *r)
{
	r->skip = true;
}

void
recording_close(struct recording *r)
{
	if (r == NULL)
		return;
	lines_done(&r->lines);
	row_reader_done(&r->reader);
	free(r->run);
	free(r->frame.cpu);
	free(r->frame.process);
	free(r->frame.counted);
	free(r);
}

void
recording_set_progress(struct recording *r,
		       void (*tell)(void *arg, uint64_t done, uint64_t all),
		       void *arg)
{
	r->lines.tell = tell;
	r->lines.tell_arg = arg;
}

bool
recording_seek(struct recording *r, const struct recording_place *at,
	       struct err *e)
{
	if (at->file != r->lines.file && (!lines_open(&r->lines, at->file, e) ||
					  !recording_read_header(r, e)))
		return false;
	r->row_waits = false;
	r->nruns = 0;
	return lines_seek(&r->lines, at->offset, at->line, e);
}

const char *
recording_name(const struct recording *r, unsigned i)
{
	return i < r->reader.nnames ? r->reader.name[i] : NULL;
}

bool
recording_has_processes(const struct recording *r)
{
	return r->any_processes;
}

const struct recording_machine *
recording_machine(const struct recording *r)
{
	return &r->machine;
}

const char *
recording_notice(const struct recording *r)
{
	struct recording *w = (struct recording *)(uintptr_t)r;
	const struct row_reader *row = &r->reader;
	const char *const unknown[][2] = {
		{ "columns", row->unknown_columns },
		{ "words of quality", row->unknown_words },
		{ "rows", row->unknown_rows },
	};
	struct buf b = buf_over(w->notice, sizeof w->notice);

	if (r->cut)
		buf_str(&b, "; the last sample is incomplete and ignored");
	if (r->missing > 0)
		buf_printf(
			&b,
			"; %llu %s from number %llu on %s missing before %s: give all segments of the recording",
			(unsigned long long)r->missing,
			plural(r->missing, "sample", "samples"),
			(unsigned long long)r->missing_from,
			plural(r->missing, "is", "are"),
			lines_path_name(r->lines.path[r->missing_file]));
	if (r->skipped > 0)
		buf_printf(&b, "; %llu damaged %s skipped, the first: %s",
			   (unsigned long long)r->skipped,
			   plural(r->skipped, "row is", "rows are"),
			   r->first_skipped);
	if (r->short_frames > 0)
		buf_printf(&b, "; %llu %s rows",
			   (unsigned long long)r->short_frames,
			   plural(r->short_frames, "sample lacks",
				  "samples lack"));
	for (unsigned i = 0; i < sizeof unknown / sizeof *unknown; i++)
		if (unknown[i][1][0] != '\0')
			buf_printf(&b, "; unknown %s ignored: %s",
				   unknown[i][0], unknown[i][1]);
	return b.len > 0 ? buf_cstr(&b) + strlen("; ") : "";
}

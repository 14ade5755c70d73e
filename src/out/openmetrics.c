/*
 * Prometheus' text format in a file that is replaced as a whole each frame, for
 * the textfile collector of node_exporter. A strict OpenMetrics parser wants
 * TYPE lines of counters without _total, which that collector does not take;
 * Prometheus' own takes both. UNIT and EOF are comments in this format. The
 * collector refuses the whole page where a TYPE is not of the old format: state
 * sets are gauges there.
 */
#include "out/openmetrics.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fd.h"
#include "out/page_process.h"
#include "out/page_text.h"
#include "process/open_as.h"

/* ---- the page ---- */

static void
label_rows(struct openmetrics_page *p)
{
	const struct topology *t = p->about->topology;

	for (unsigned i = 0; i < p->account.nrows; i++) {
		struct buf b = buf_over(p->labels[i], OPENMETRICS_LABELS);
		unsigned c = i < t->ncpus ? t->cpu[i].cluster : i - t->ncpus;
		char id[24];
		struct buf number = buf_over(id, sizeof id);

		if (i < t->ncpus) {
			buf_i64(&number, t->cpu[i].id);
			page_label(&b, "cpu", buf_cstr(&number));
		}
		page_label(&b, "cluster", t->cluster[c].label);
		page_label(&b, "kind", t->kind[t->cluster[c].kind].name);
		page_label(&b, "source", p->about->source);
		buf_cstr(&b);
	}
}

bool
openmetrics_page_init(struct openmetrics_page *p, const struct sink_about *a)
{
	*p = (struct openmetrics_page){ .about = a };
	if (!account_init(&p->account, a->topology))
		return false;
	p->labels = calloc(p->account.nrows, sizeof *p->labels);
	if (p->labels == NULL)
		return false;
	label_rows(p);
	return a->processes == 0 ||
	       process_sums_init(&p->processes, a->processes);
}

/* The machine of *a has other CPUs now, the sums go on. */
static bool
openmetrics_page_move(struct openmetrics_page *p, const struct sink_about *a,
		      const struct topology *was)
{
	char(*labels)[OPENMETRICS_LABELS];

	p->about = a;
	if (!account_move(&p->account, a->topology, was))
		return false;
	labels = calloc(p->account.nrows, sizeof *labels);
	if (labels == NULL)
		return false;
	free(p->labels);
	p->labels = labels;
	label_rows(p);
	return true;
}

void
openmetrics_page_free(struct openmetrics_page *p)
{
	account_free(&p->account);
	process_sums_free(&p->processes);
	free(p->labels);
	*p = (struct openmetrics_page){ 0 };
}

size_t
openmetrics_size(const struct openmetrics_page *p)
{
	size_t families = p->about->nmetrics + 16;
	size_t line = PAGE_NAME_MAX + OPENMETRICS_LABELS + PAGE_VALUE_MAX;
	size_t event = line + EVENT_NAME_SIZE + PAGE_VALUE_MAX;

	return 4096 + families * (2 * PAGE_HEAD_MAX + p->account.nrows * line) +
	       2 * PAGE_HEAD_MAX + VERDICT_COUNT * p->account.nrows * event +
	       2 * (PAGE_HEAD_MAX + ACCOUNT_EVENTS * p->account.nrows * event) +
	       page_process_size(p->about->processes);
}

void
openmetrics_page_add(struct openmetrics_page *p, const struct frame *f)
{
	account_add(&p->account, f);
	if (p->about->processes > 0 && f->processes != NULL)
		process_sums_add(&p->processes, f->processes, f->interval_s);
}

enum sum {
	SUM_CYCLES,
	SUM_INSTRUCTIONS,
	SUM_MEASURED,
	SUM_RAN,
	SUM_BUSY,
	SUM_LOST,
	SUMS
};

static const struct {
	const char *name, *text;
} sum_text[SUMS] = {
	{ "cycles", "Cycles in all modes." },
	{ "instructions", "Retired instructions in all modes." },
	{ "measured_seconds", "CPU time that cycles and instructions cover." },
	{ "measured_busy_seconds", "Of measured_seconds, CPU time not idle." },
	{ "busy_seconds", "CPU time not idle, by the system's accounting." },
	{ "lost_cycles", "Cycles lost to the causes that verdicts name." },
};

/* A row that was never counted has no total: 0 would be a count. */
static bool
has_sum(const struct account_row *r, enum sum which)
{
	switch (which) {
	case SUM_CYCLES:
	case SUM_INSTRUCTIONS:
	case SUM_MEASURED:
		return r->frames > 0;
	case SUM_RAN:
		return r->frames > 0 && r->busy.seen > 0;
	case SUM_BUSY:
		return r->busy.seen > 0;
	case SUM_LOST:
	case SUMS:
		break;
	}
	return r->verdicts.lost_any;
}

static void
put_sum(struct buf *b, const struct openmetrics_page *p, struct page_family m,
	enum sum which)
{
	bool begun = false;

	m.name = sum_text[which].name;
	m.text = sum_text[which].text;
	for (unsigned i = m.from; i < m.to; i++) {
		const struct account_row *s = &p->account.row[i];

		if (!has_sum(s, which))
			continue;
		if (!begun)
			page_head(b, &m);
		begun = true;
		page_begin(b, &m, p->labels[i]);
		switch (which) {
		case SUM_CYCLES:
			page_count(b, s->span.cycles);
			break;
		case SUM_INSTRUCTIONS:
			page_count(b, s->span.instructions);
			break;
		case SUM_MEASURED:
			page_real(b, s->span.cpu_ns / 1e9);
			break;
		case SUM_RAN:
			page_real(b, s->span.busy_ns / 1e9);
			break;
		case SUM_BUSY:
			page_real(b, s->busy.most);
			break;
		case SUM_LOST:
		case SUMS:
			page_real(b, s->verdicts.lost * 1e9);
			break;
		}
	}
}

static void
put_events(struct buf *b, const struct openmetrics_page *p,
	   struct page_family m, bool time)
{
	m.name = time ? "event_seconds" : "events";
	m.text = time ? "CPU time that the event was counted."
		      : "Events counted, in the modes of their domain.";
	page_head(b, &m);
	for (unsigned k = 0; k < p->account.nevents; k++) {
		const struct account_event *v = &p->account.event[k];

		for (unsigned i = m.from; i < m.to; i++) {
			if (!(v->time_s[i] > 0))
				continue;
			page_begin(b, &m, p->labels[i]);
			buf_char(b, ',');
			buf_str(b, "event=\"");
			buf_str(b, v->name);
			buf_str(b, "\",domain=\"");
			buf_str(b, domain_name[v->domain]);
			buf_char(b, '"');
			if (time)
				page_real(b, v->time_s[i]);
			else
				page_count(b, v->count[i]);
		}
	}
}

/* A page has no place for the mark that some values must not go without. */
static bool
has_value(const struct frame *f, unsigned row, unsigned metric)
{
	enum value_state s = frame_state(f, row, metric);

	return (s == VALUE_OK || s == VALUE_FEW) &&
	       (frame_marks(f, row, metric) & VALUE_MODES) == 0 &&
	       isfinite(frame_value(f, row, metric));
}

/* The unit, where the name ends in it as OpenMetrics wants. */
static const char *
unit_in(const char *name)
{
	const char *end = strrchr(name, '_');

	return end != NULL && (strcmp(end, "_mpki") == 0 ||
			       strcmp(end, "_pct") == 0)
		       ? end + 1
		       : NULL;
}

static void
put_gauges(struct buf *b, const struct openmetrics_page *p,
	   const struct frame *f, struct page_family m)
{
	for (unsigned k = 0; k < p->about->nmetrics; k++) {
		const struct metric *metric = p->about->metric[k];
		bool begun = false;

		m.name = metric->name;
		m.text = metric->text;
		m.unit = unit_in(metric->name);
		for (unsigned i = m.from; i < m.to; i++) {
			if (!has_value(f, i, k))
				continue;
			if (!begun)
				page_head(b, &m);
			begun = true;
			page_begin(b, &m, p->labels[i]);
			page_real(b, frame_value(f, i, k));
		}
	}
}

/* A state set: of each row as many samples as there are words, one of them 1.
 */
static void
put_verdicts(struct buf *b, const struct openmetrics_page *p,
	     const struct frame *f, struct page_family m)
{
	m.name = "verdict";
	m.text =
		"What the row's cycles go to: 1 of the word that is said of it now, 0 of the others.";
	if (f->verdict == NULL)
		return;
	page_head(b, &m);
	for (unsigned i = m.from; i < m.to; i++) {
		const struct account_row *s = &p->account.row[i];
		unsigned n =
			s->frames > 0 || s->busy.seen > 0 ? VERDICT_COUNT : 0;

		for (unsigned w = 0; w < n; w++) {
			page_begin(b, &m, p->labels[i]);
			buf_char(b, ',');
			page_name(b, &m);
			buf_str(b, "=\"");
			buf_str(b, verdict_words[w].word);
			buf_char(b, '"');
			page_count(b, f->verdict[i].word == w);
		}
	}
}

static void
put_rows(struct buf *b, const struct openmetrics_page *p, const struct frame *f,
	 const char *about, unsigned from, unsigned to)
{
	struct page_family counter = { .about = about,
				       .suffix = "_total",
				       .type = "counter",
				       .from = from,
				       .to = to };
	struct page_family gauge = counter;

	for (unsigned k = 0; k < SUMS; k++)
		put_sum(b, p, counter, (enum sum)k);
	if (p->account.nevents > 0) {
		put_events(b, p, counter, false);
		put_events(b, p, counter, true);
	}
	gauge.suffix = "";
	gauge.type = "gauge";
	put_gauges(b, p, f, gauge);
	put_verdicts(b, p, f, gauge);
}

static void
put_about(struct buf *b, const struct openmetrics_page *p,
	  const struct frame *f)
{
	const struct sink_about *a = p->about;
	char text[1024];
	struct buf labels = buf_over(text, sizeof text);

	page_label(&labels, "version", KTOP_VERSION);
	page_label(&labels, "source", a->source);
	page_label(&labels, "model", a->model);
	page_label(&labels, "chip", a->chip);
	page_label(&labels, "os", a->os);
	page_label(&labels, "preset", f->set->name);
	buf_str(b, "# HELP ktop_info What measures, and what is measured.\n"
		   "# TYPE ktop_info gauge\nktop_info{");
	buf_bytes(b, text, labels.len);
	buf_str(b, "} 1\n"
		   "# HELP ktop_frames_total Frames measured.\n"
		   "# TYPE ktop_frames_total counter\nktop_frames_total ");
	buf_u64(b, p->account.frames);
	buf_str(b, "\n# HELP ktop_late_frames_total Frames read late.\n"
		   "# TYPE ktop_late_frames_total counter\n"
		   "ktop_late_frames_total ");
	buf_u64(b, f->health.late_ticks);
	buf_str(b,
		"\n# HELP ktop_last_frame_timestamp_seconds Wall clock of the last frame.\n"
		"# TYPE ktop_last_frame_timestamp_seconds gauge\n"
		"# UNIT ktop_last_frame_timestamp_seconds seconds\n"
		"ktop_last_frame_timestamp_seconds ");
	buf_fixed(b, (double)f->stamp.wall_ns / 1e9, 3);
	buf_char(b, '\n');
}

void
openmetrics_write(struct buf *b, const struct openmetrics_page *p,
		  const struct frame *f)
{
	unsigned ncpus = p->about->topology->ncpus;

	put_about(b, p, f);
	put_rows(b, p, f, "cpu", 0, ncpus);
	put_rows(b, p, f, "cluster", ncpus, p->account.nrows);
	if (p->about->processes > 0)
		page_process_put(b, &p->processes, f, p->about->source);
	buf_str(b, "# EOF\n");
}

/* ---- the file ---- */

struct openmetrics {
	struct sink sink; /* first: the ops cast back */
	struct openmetrics_page page;
	char *path, *temporary;
	char *at; /* [size] */
	size_t size;
	uint64_t lost;
	int said; /* errno of the trouble reported last; 0: none */
};

static struct openmetrics *
openmetrics_of(struct sink *s)
{
	return (struct openmetrics *)(void *)s;
}

static bool
trouble(struct openmetrics *o, int error, struct err *e)
{
	o->lost++;
	e->text[0] = '\0';
	if (o->said == error)
		return false;
	o->said = error;
	return err_set(
		e, ERR_FAIL,
		"cannot write %s: %s; it keeps its last contents until that works again",
		o->path, strerror(error));
}

/* 0, or the errno. The file under its own name is always a whole one. */
static int
replace(struct openmetrics *o, size_t len)
{
	int fd = open_as_caller(o->temporary,
				O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC);
	int error = 0;
	size_t at = 0;

	if (fd < 0)
		return errno;
	while (at < len && error == 0) {
		ssize_t n = write(fd, o->at + at, len - at);

		if (n > 0)
			at += (size_t)n;
		else if (n == 0 || errno != EINTR)
			error = n == 0 ? EIO : errno;
	}
	if (close(fd) != 0 && error == 0)
		error = errno;
	if (error == 0 && rename_as_caller(o->temporary, o->path) != 0)
		error = errno;
	if (error != 0)
		(void)unlink_as_caller(o->temporary);
	return error;
}

static bool
openmetrics_frame(struct sink *s, const struct frame *f, struct err *e)
{
	struct openmetrics *o = openmetrics_of(s);
	struct buf b = buf_over(o->at, o->size);

	openmetrics_page_add(&o->page, f);
	openmetrics_write(&b, &o->page, f);
	if (b.full)
		return trouble(o, EFBIG, e);
	int error = replace(o, b.len);

	if (error != 0)
		return trouble(o, error, e);
	o->said = 0;
	return true;
}

static void
openmetrics_state(const struct sink *s, uint64_t *lost, bool *dead)
{
	*lost = ((const struct openmetrics *)(const void *)s)->lost;
	*dead = false;
}

static int
openmetrics_waiting(const struct sink *s)
{
	(void)s;
	return -1;
}

static bool
openmetrics_flush(struct sink *s, struct err *e)
{
	(void)s;
	(void)e;
	return true;
}

static uint64_t
openmetrics_close(struct sink *s)
{
	if (s == NULL)
		return 0;
	struct openmetrics *o = openmetrics_of(s);

	openmetrics_page_free(&o->page);
	free(o->path);
	free(o->temporary);
	free(o->at);
	free(o);
	return 0;
}

/* Only what an earlier ktop wrote there is replaced unasked. */
static bool
may_replace(const char *path, bool force, struct err *e)
{
	char first[sizeof OPENMETRICS_BEGINS - 1];
	int fd = open_as_caller(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	if (fd < 0 && errno == ENOENT)
		return true;
	if (fd < 0 && fd_names_socket(path))
		return err_set(
			e, ERR_FAIL,
			"%s is a socket, and a page is a file that is replaced; choose another name",
			path);
	if (fd < 0)
		return err_set(e, errno == EACCES ? ERR_PERM : ERR_FAIL,
			       "cannot replace %s: %s", path, strerror(errno));
	bool ours = read(fd, first, sizeof first) == (ssize_t)sizeof first &&
		    memcmp(first, OPENMETRICS_BEGINS, sizeof first) == 0;

	close(fd);
	if (ours || force)
		return true;
	return err_set(
		e, ERR_FAIL,
		"%s exists and is not ktop's; choose another name, or replace it with --force",
		path);
}

static bool
prepare(struct openmetrics *o, const char *target, const struct sink_about *a,
	struct err *e)
{
	size_t size = strlen(target) + 32;

	if (strcmp(target, "-") == 0)
		return err_set(
			e, ERR_USAGE,
			"--openmetrics replaces a file each frame; give it a name instead of -");
	if (!may_replace(target, a->force, e))
		return false;
	o->path = strdup(target);
	o->temporary = malloc(size);
	bool ok = openmetrics_page_init(&o->page, a);

	o->size = ok ? openmetrics_size(&o->page) : 1;
	o->at = malloc(o->size);
	if (!ok || o->path == NULL || o->temporary == NULL || o->at == NULL)
		return err_set(e, ERR_FAIL, "out of memory for %s", target);
	/* The collector reads *.prom only. */
	snprintf(o->temporary, size, "%s.%ld.tmp", target, (long)getpid());
	(void)unlink_as_caller(o->temporary);
	int fd = open_as_caller(o->temporary,
				O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC);

	if (fd < 0)
		return err_set(
			e,
			errno == EACCES || errno == EPERM ? ERR_PERM : ERR_FAIL,
			"cannot write next to %s: %s", target, strerror(errno));
	close(fd);
	(void)unlink_as_caller(o->temporary);
	return true;
}

static struct sink *
openmetrics_open(const char *target, const struct sink_about *a, struct err *e)
{
	struct openmetrics *o = calloc(1, sizeof *o);

	if (o == NULL)
		return err_null(e, ERR_FAIL, "out of memory for %s", target);
	o->sink.ops = &sink_openmetrics;
	if (prepare(o, target, a, e))
		return &o->sink;
	(void)openmetrics_close(&o->sink);
	return NULL;
}

static bool
openmetrics_machine(struct sink *s, const struct sink_about *a,
		    const struct topology *was, struct err *e)
{
	struct openmetrics *o = openmetrics_of(s);
	bool ok = openmetrics_page_move(&o->page, a, was);
	size_t size = ok ? openmetrics_size(&o->page) : 0;
	char *at = ok ? realloc(o->at, size) : NULL;

	if (at == NULL)
		return err_set(e, ERR_FAIL, "out of memory for %s", o->path);
	o->at = at;
	o->size = size;
	return true;
}

const struct sink_ops sink_openmetrics = {
	.name = "openmetrics",
	.open = openmetrics_open,
	.frame = openmetrics_frame,
	.machine = openmetrics_machine,
	.state = openmetrics_state,
	.waiting = openmetrics_waiting,
	.flush = openmetrics_flush,
	.close = openmetrics_close,
};

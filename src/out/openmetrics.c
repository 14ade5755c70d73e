/* A page in Prometheus' text format for the textfile collector of
 * node_exporter: sums since the start, and gauges. Each frame replaces the
 * page. The collector needs _total in the TYPE lines of counters, which strict
 * OpenMetrics parsers refuse. It refuses a TYPE that the old format lacks, so
 * state sets are gauges; it skips UNIT and EOF as comments. */
#include "out/sink.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/fd.h"
#include "base/utf8.h"
#include "monitor/account.h"
#include "out/busiest.h"
#include "out/rows.h"
#include "process/caller.h"

#define OPENMETRICS_BEGINS "# HELP ktop_"

enum {
	HEAD_MAX = 640,
	VALUE_MAX = 48,
	NAME_MAX_SIZE = 96,
	LABELS_MAX = 640,
	DIGITS = 15
};

/* Recordings contain these times as shares. */
enum cpu_time { TIME_MEASURED, TIME_MEASURED_BUSY, TIME_BUSY, CPU_TIMES };
static const struct {
	const char *name, *text;
} cpu_times[CPU_TIMES] = {
	{ "measured_seconds", "CPU time that cycles and instructions cover" },
	{ "measured_busy_seconds", "Of measured_seconds, CPU time not idle" },
	{ "busy_seconds", "CPU time not idle, by the system's accounting" },
};

struct row {
	char labels[LABELS_MAX];
	struct record sum; /* known: counted in any frame */
	double time_s[CPU_TIMES];
};

struct page {
	const struct sink_about *about;
	struct account account;
	struct process_sums processes;
	unsigned nrows; /* rows of CPUs and clusters; processes follow */
	struct row *row;
	struct power_sums *power; /* [nclusters + 1]; the machine is last */
};

struct family {
	char name[NAME_MAX_SIZE];
	const char *type, *unit, *text;
	bool begun; /* HELP, TYPE and UNIT were written */
};

static void
family_set_name(struct family *m, const char *about, const char *name,
		const char *suffix)
{
	snprintf(m->name, sizeof m->name, "ktop_%s_%s%s", about, name, suffix);
	m->begun = false;
}

static void
labels_add(struct buf *b, const char *name, const char *value)
{
	size_t n = strlen(value);

	buf_printf(b, "%s%s=\"", b->len > 0 ? "," : "", name);
	for (size_t i = 0; i < n;) {
		size_t len = utf8_length(value + i, n - i);

		if (value[i] == '\n')
			buf_str(b, "\\n");
		else if (len == 0)
			buf_str(b, UTF8_REPLACEMENT);
		else {
			if (value[i] == '"' || value[i] == '\\')
				buf_char(b, '\\');
			buf_bytes(b, value + i, len);
		}
		i += len > 0 ? len : 1;
	}
	buf_char(b, '"');
}

/* Leaves the brace open for more labels. */
static void
sample_begin(struct buf *b, struct family *m, const char *labels)
{
	if (!m->begun)
		buf_printf(b, "# HELP %s %s\n# TYPE %s %s\n", m->name, m->text,
			   m->name, m->type);
	if (!m->begun && m->unit != NULL)
		buf_printf(b, "# UNIT %s %s\n", m->name, m->unit);
	m->begun = true;
	buf_str(b, m->name);
	buf_char(b, '{');
	buf_str(b, labels);
}

static void
sample_put_real(struct buf *b, double v)
{
	buf_str(b, "} ");
	buf_decimal(b, v, DIGITS);
	buf_char(b, '\n');
}

static void
sample_put_count(struct buf *b, uint64_t v)
{
	buf_str(b, "} ");
	buf_u64(b, v);
	buf_char(b, '\n');
}

static void
row_fill_cpu(struct row *r, const struct account_row *a)
{
	bool counted = a->frames > 0;

	record_count(&r->sum, COLUMN_CYCLES, counted, a->span.cycles);
	record_count(&r->sum, COLUMN_INSTRUCTIONS, counted,
		     a->span.instructions);
	record_count(&r->sum, COLUMN_LOST_CYCLES, a->bottlenecks.lost_any,
		     (uint64_t)(a->bottlenecks.lost * 1e9 + 0.5));
	r->time_s[TIME_MEASURED] = counted ? a->span.cpu_ns / 1e9 : NAN;
	r->time_s[TIME_MEASURED_BUSY] =
		counted && a->busy.seen > 0 ? a->span.busy_ns / 1e9 : NAN;
	r->time_s[TIME_BUSY] = a->busy.seen > 0 ? a->busy.most : NAN;
}

static void
row_label_process(struct row *r, const struct process_row *p,
		  const char *source)
{
	struct buf b = buf_over(r->labels, sizeof r->labels);
	char plain[PROCESS_NAME_SIZE];

	buf_printf(&b, "pid=\"%d\"", (int)p->pid);
	utf8_plain(plain, sizeof plain, p->name, strlen(p->name));
	labels_add(&b, "process", plain);
	utf8_plain(plain, sizeof plain, p->user, strlen(p->user));
	labels_add(&b, "user", plain);
	labels_add(&b, "source", source);
	buf_cstr(&b);
}

static void
page_label_cpus(struct page *p)
{
	const struct topology *t = p->about->topology;

	for (unsigned i = 0; i < p->nrows; i++) {
		struct buf b = buf_over(p->row[i].labels, LABELS_MAX);
		unsigned c = i < t->ncpus ? t->cpu[i].cluster : i - t->ncpus;

		if (i < t->ncpus)
			buf_printf(&b, "cpu=\"%d\"", t->cpu[i].id);
		labels_add(&b, "cluster", t->cluster[c].label);
		labels_add(&b, "kind", t->kind[t->cluster[c].kind].name);
		labels_add(&b, "source", p->about->source);
		buf_cstr(&b);
	}
}

/* Counts of events are excluded: they have their own families. */
static bool
column_is_counter(const struct column *c)
{
	return c->type == COLUMN_INTEGER && c->unit[0] != '\0' &&
	       (c->id < COLUMN_SLOTS || c->id >= COLUMN_PID);
}

/* "user_ns" becomes user_seconds. True: values are scaled by 1e-9. */
static bool
family_set_counter_name(struct family *m, const char *about,
			const struct column *c)
{
	const char *unit = strcmp(c->unit, "ns") == 0   ? "seconds"
			   : strcmp(c->unit, "nJ") == 0 ? "joules"
							: NULL;
	char name[48];

	snprintf(name, sizeof name, "%s", c->name);
	if (unit != NULL)
		snprintf(strrchr(name, '_') + 1, sizeof "seconds", "%s", unit);
	family_set_name(m, about, name, "_total");
	m->text = c->text;
	return unit != NULL;
}

static void
page_put_totals(struct buf *b, const char *about, const struct row *row,
		unsigned n)
{
	struct family m = { .type = "counter" };

	for (unsigned id = 0; id < COLUMN_FIELDS; id++) {
		const struct column *c = column_of((enum column_id)id);

		if (!column_is_counter(c))
			continue;
		bool nano = family_set_counter_name(&m, about, c);

		for (unsigned i = 0; i < n; i++) {
			uint64_t v = row[i].sum.v[id].count;

			if (!row[i].sum.known[id])
				continue;
			sample_begin(b, &m, row[i].labels);
			if (nano)
				sample_put_real(b, (double)v * 1e-9);
			else
				sample_put_count(b, v);
		}
	}
}

static void
page_put_events(struct buf *b, const struct page *p, const char *about,
		unsigned from, unsigned to, bool time)
{
	struct family m = {
		.type = "counter",
		.text = time ? "CPU time that the event was counted."
			     : "Events counted, in the modes of their domain.",
	};

	family_set_name(&m, about, time ? "event_seconds" : "events", "_total");
	for (unsigned k = 0; k < p->account.nevents; k++) {
		const struct account_event *v = &p->account.event[k];

		for (unsigned i = from; i < to; i++) {
			if (!(v->time_s[i] > 0))
				continue;
			sample_begin(b, &m, p->row[i].labels);
			buf_printf(b, ",event=\"%s\",domain=\"%s\"", v->name,
				   domain_name[v->domain]);
			if (time)
				sample_put_real(b, v->time_s[i]);
			else
				sample_put_count(b, v->count[i]);
		}
	}
}

/* False for values with marks or states that a page cannot show. */
static bool
metric_has_plain_value(const struct frame *f, unsigned row, unsigned metric)
{
	enum value_state s = frame_state(f, row, metric);

	return (s == VALUE_OK || s == VALUE_FEW) &&
	       (frame_marks(f, row, metric) & VALUE_MODES) == 0 &&
	       isfinite(frame_value(f, row, metric));
}

/* OpenMetrics requires that a name ends in its unit. */
static const char *
metric_name_unit(const char *name)
{
	const char *end = strrchr(name, '_');

	return end != NULL && (strcmp(end, "_mpki") == 0 ||
			       strcmp(end, "_pct") == 0)
		       ? end + 1
		       : NULL;
}

static void
page_put_gauges(struct buf *b, const struct page *p, const struct frame *f,
		const char *about, unsigned from, unsigned to)
{
	for (unsigned k = 0; k < p->about->nmetrics; k++) {
		const struct metric *metric = p->about->metric[k];
		struct family m = { .type = "gauge",
				    .unit = metric_name_unit(metric->name),
				    .text = metric->text };

		if (metric->judged) /* page_put_bottlenecks writes lost_pct */
			continue;
		family_set_name(&m, about, metric->name, "");
		for (unsigned i = from; i < to; i++) {
			if (!metric_has_plain_value(f, i, k))
				continue;
			sample_begin(b, &m, p->row[i].labels);
			sample_put_real(b, frame_value(f, i, k));
		}
	}
}

static void
page_put_times(struct buf *b, const char *about, const struct row *row,
	       unsigned n)
{
	struct family m = { .type = "counter" };

	for (unsigned t = 0; t < CPU_TIMES; t++) {
		family_set_name(&m, about, cpu_times[t].name, "_total");
		m.text = cpu_times[t].text;
		for (unsigned i = 0; i < n; i++) {
			if (isnan(row[i].time_s[t]))
				continue;
			sample_begin(b, &m, row[i].labels);
			sample_put_real(b, row[i].time_s[t]);
		}
	}
}

/* Writes lost_pct, and each bottleneck: 1 for that of the row, else 0. */
static void
page_put_bottlenecks(struct buf *b, const struct page *p, const struct frame *f,
		     const char *about, unsigned from, unsigned to)
{
	const struct column *lost = column_of(COLUMN_LOST_PCT);
	struct family m = { .type = "gauge",
			    .unit = metric_name_unit(lost->name),
			    .text = lost->text };

	family_set_name(&m, about, lost->name, "");
	for (unsigned i = from; f->bottleneck != NULL && i < to; i++) {
		if (isnan(f->bottleneck[i].lost_pct))
			continue;
		sample_begin(b, &m, p->row[i].labels);
		sample_put_real(b, f->bottleneck[i].lost_pct);
	}
	m = (struct family){
		.type = "gauge",
		.text = "Bottleneck of the row: 1 for its word, 0 for every other word.",
	};
	family_set_name(&m, about, column_of(COLUMN_BOTTLENECK)->name, "");
	for (unsigned i = from; f->bottleneck != NULL && i < to; i++) {
		const struct account_row *s = &p->account.row[i];
		unsigned n = s->frames > 0 || s->busy.seen > 0
				     ? BOTTLENECK_COUNT
				     : 0;

		for (unsigned w = 0; w < n; w++) {
			sample_begin(b, &m, p->row[i].labels);
			buf_printf(b, ",%s=\"%s\"", m.name,
				   bottleneck_words[w].word);
			sample_put_count(b, f->bottleneck[i].word == w &&
						    !f->bottleneck[i].cannot);
		}
	}
}

static void
page_put_cpus(struct buf *b, const struct page *p, const struct frame *f,
	      const char *about, unsigned from, unsigned to)
{
	page_put_totals(b, about, &p->row[from], to - from);
	page_put_times(b, about, &p->row[from], to - from);
	page_put_events(b, p, about, from, to, false);
	page_put_events(b, p, about, from, to, true);
	page_put_gauges(b, p, f, about, from, to);
	page_put_bottlenecks(b, p, f, about, from, to);
}

static void
page_put_power(struct buf *b, const struct page *p, bool machine)
{
	const struct topology *t = p->about->topology;
	unsigned from = machine ? t->nclusters : 0;
	unsigned to = machine ? from + 1 : t->nclusters;
	char text[LABELS_MAX];
	struct buf whole = buf_over(text, sizeof text);

	labels_add(&whole, "source", p->about->source);
	buf_cstr(&whole);
	for (unsigned k = 0; k < POWER_TOTALS; k++) {
		struct family m = { .type = "counter",
				    .text = power_total_table[k].text };

		family_set_name(&m, machine ? "machine" : "cluster",
				power_total_table[k].family, "_total");
		for (unsigned i = from; i < to; i++) {
			double v = power_sums_amount(&p->power[i],
						     (enum power_total_of)k);

			if (isnan(v))
				continue;
			sample_begin(b, &m,
				     machine ? text
					     : p->row[t->ncpus + i].labels);
			sample_put_real(b, v);
		}
	}
}

static void
page_put_about(struct buf *b, const struct page *p, const struct frame *f)
{
	const struct sink_about *a = p->about;
	char text[1024];
	struct buf labels = buf_over(text, sizeof text);

	labels_add(&labels, "version", KTOP_VERSION);
	labels_add(&labels, "source", a->source);
	labels_add(&labels, "model", a->model);
	labels_add(&labels, "chip", a->chip);
	labels_add(&labels, "os", a->os);
	labels_add(&labels, "preset", f->set->name);
	buf_str(b, "# HELP ktop_info What measures, and what is measured.\n"
		   "# TYPE ktop_info gauge\nktop_info{");
	buf_bytes(b, text, labels.len);
	buf_printf(
		b,
		"} 1\n"
		"# HELP ktop_samples_total Samples taken.\n"
		"# TYPE ktop_samples_total counter\nktop_samples_total %llu\n"
		"# HELP ktop_late_samples_total Samples read late.\n"
		"# TYPE ktop_late_samples_total counter\n"
		"ktop_late_samples_total %llu\n"
		"# HELP ktop_last_sample_timestamp_seconds Wall clock of the last sample.\n"
		"# TYPE ktop_last_sample_timestamp_seconds gauge\n"
		"# UNIT ktop_last_sample_timestamp_seconds seconds\n"
		"ktop_last_sample_timestamp_seconds ",
		(unsigned long long)p->account.frames,
		(unsigned long long)f->health.late_ticks);
	buf_fixed(b, (double)f->stamp.wall_ns / 1e9, 3);
	buf_char(b, '\n');
}

static void
page_put_processes(struct buf *b, struct page *p, const struct process_table *t)
{
	const struct process_sums *s = &p->processes;
	struct row *row = &p->row[p->nrows], *all = &row[s->top.n];
	struct family now = { .type = "gauge",
			      .text = "Processes that there are." };
	struct buf labels = buf_over(all->labels, sizeof all->labels);

	for (unsigned i = 0; i < s->top.n; i++) {
		const struct process_sum *sum = &s->sum[s->top.row[i].index];

		row_label_process(&row[i], &t->row[sum->row], p->about->source);
		rows_fill_totals(&row[i].sum, sum->known, &sum->d, t->parts.n);
	}
	labels_add(&labels, "source", p->about->source);
	buf_cstr(&labels);
	rows_fill_totals(&all->sum, s->all.known, &s->all.d, t->parts.n);
	page_put_totals(b, "process", row, s->top.n);
	page_put_totals(b, "processes", all, 1);
	family_set_name(&now, "processes", "now", "");
	sample_begin(b, &now, all->labels);
	sample_put_count(b, s->now);
}

static void
page_write(struct buf *b, struct page *p, const struct frame *f)
{
	unsigned ncpus = p->about->topology->ncpus;

	account_add(&p->account, f);
	for (unsigned i = 0; i < p->nrows; i++)
		row_fill_cpu(&p->row[i], &p->account.row[i]);
	page_put_about(b, p, f);
	page_put_cpus(b, p, f, "cpu", 0, ncpus);
	page_put_cpus(b, p, f, "cluster", ncpus, p->nrows);
	if (f->power != NULL)
		power_sums_add(p->power, f->power, INFINITY);
	page_put_power(b, p, false);
	page_put_power(b, p, true);
	if (p->about->processes > 0 && f->processes != NULL) {
		process_sums_add(&p->processes, f->processes, f->interval_s);
		page_put_processes(b, p, f->processes);
	}
	buf_str(b, "# EOF\n");
}

/* Makes the rows; keeps power sums of clusters that `was` has, too. */
static bool
page_make_rows(struct page *p, const struct sink_about *a,
	       const struct topology *was)
{
	struct row *row =
		calloc(p->account.nrows + a->processes + 1, sizeof *row);
	const struct topology *t = a->topology;
	struct power_sums *power = calloc(t->nclusters + 1, sizeof *power);
	if (row == NULL || power == NULL) {
		free(row);
		free(power);
		return false;
	}
	for (unsigned i = 0; i <= t->nclusters; i++) {
		int at = was == NULL ? -1
			 : i == t->nclusters
				 ? (int)was->nclusters
				 : topology_cluster_find(was,
							 t->cluster[i].label);

		if (at >= 0)
			power[i] = p->power[at];
	}
	free(p->row);
	free(p->power);
	p->row = row;
	p->power = power;
	p->nrows = p->account.nrows;
	p->about = a;
	page_label_cpus(p);
	return true;
}

static size_t
page_size(const struct page *p)
{
	size_t rows = p->nrows + 2 * ((size_t)p->about->processes + 1);
	size_t counters = CPU_TIMES;
	size_t families = p->about->nmetrics + 1;
	size_t line = NAME_MAX_SIZE + LABELS_MAX + VALUE_MAX;
	size_t event = line + EVENT_NAME_SIZE + VALUE_MAX;

	for (unsigned id = 0; id < COLUMN_FIELDS; id++)
		counters += column_is_counter(column_of((enum column_id)id));
	return 4096 + (families + counters + POWER_TOTALS) * 4 * HEAD_MAX +
	       POWER_TOTALS * (p->about->topology->nclusters + 1) * line +
	       counters * rows * line + families * p->nrows * line +
	       BOTTLENECK_COUNT * p->nrows * event +
	       2 * ACCOUNT_EVENTS * p->nrows * event;
}

struct openmetrics {
	struct sink sink; /* must be first */
	struct page page;
	char *path, *temporary;
	char *at;
	size_t size;
	int reported_errno; /* errno reported last; 0: none */
};

static struct openmetrics *
openmetrics_of(struct sink *s)
{
	return (struct openmetrics *)(void *)s;
}

static bool
openmetrics_report_trouble(struct openmetrics *o, int error, struct err *e)
{
	target_drop(&o->sink.target);
	e->text[0] = '\0';
	if (o->reported_errno == error)
		return false;
	o->reported_errno = error;
	return err_set(
		e, ERR_FAIL,
		"cannot write %s: %s; the file keeps its last contents until writing succeeds",
		o->path, strerror(error));
}

/* Returns 0 or errno. Readers see the old page or the new one. */
static int
openmetrics_replace_file(struct openmetrics *o, size_t len)
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

	page_write(&b, &o->page, f);
	if (b.full)
		return openmetrics_report_trouble(o, EFBIG, e);
	int error = openmetrics_replace_file(o, b.len);

	if (error != 0)
		return openmetrics_report_trouble(o, error, e);
	o->reported_errno = 0;
	return true;
}

static uint64_t
openmetrics_close(struct sink *s)
{
	if (s == NULL)
		return 0;
	struct openmetrics *o = openmetrics_of(s);

	account_free(&o->page.account);
	process_sums_free(&o->page.processes);
	free(o->page.row);
	free(o->page.power);
	free(o->path);
	free(o->temporary);
	free(o->at);
	free(o);
	return 0;
}

/* Without --force only pages that ktop wrote are replaced. */
static bool
openmetrics_may_replace(const char *path, bool force, struct err *e)
{
	char first[sizeof OPENMETRICS_BEGINS - 1];
	int fd = open_as_caller(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	if (fd < 0 && errno == ENOENT)
		return true;
	if (fd < 0 && fd_names_socket(path))
		return err_set(
			e, ERR_FAIL,
			"%s is a socket, which --openmetrics cannot replace; choose another name",
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
		"%s exists and was not written by ktop; choose another name, or replace it with --force",
		path);
}

static bool
openmetrics_prepare(struct openmetrics *o, const char *target,
		    const struct sink_about *a, struct err *e)
{
	size_t size = strlen(target) + 32;

	if (strcmp(target, "-") == 0)
		return err_set(
			e, ERR_USAGE,
			"--openmetrics replaces a file with each sample; give a file name instead of -");
	if (!openmetrics_may_replace(target, a->force, e))
		return false;
	o->path = strdup(target);
	o->temporary = malloc(size);
	bool ok = account_init(&o->page.account, a->topology) &&
		  (a->processes == 0 ||
		   process_sums_init(&o->page.processes, a->processes)) &&
		  page_make_rows(&o->page, a, NULL);

	o->size = ok ? page_size(&o->page) : 1;
	o->at = malloc(o->size);
	if (!ok || o->path == NULL || o->temporary == NULL || o->at == NULL)
		return err_set(e, ERR_FAIL, "out of memory for %s", target);
	/* The name must not end in .prom, which the collector reads. */
	snprintf(o->temporary, size, "%s.%ld.tmp", target, (long)getpid());
	(void)unlink_as_caller(o->temporary);
	int fd = open_as_caller(o->temporary,
				O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC);

	if (fd < 0)
		return err_set(e,
			       errno == EACCES || errno == EPERM ? ERR_PERM
								 : ERR_FAIL,
			       "cannot create a temporary file beside %s: %s",
			       target, strerror(errno));
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
	if (openmetrics_prepare(o, target, a, e))
		return &o->sink;
	(void)openmetrics_close(&o->sink);
	return NULL;
}

static bool
openmetrics_machine(struct sink *s, const struct sink_about *a,
		    const struct topology *was, struct err *e)
{
	struct openmetrics *o = openmetrics_of(s);
	bool ok = account_move(&o->page.account, a->topology, was) &&
		  page_make_rows(&o->page, a, was);
	size_t size = ok ? page_size(&o->page) : 0;
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
	.close = openmetrics_close,
};

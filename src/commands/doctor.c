#include "commands/doctor.h"

#include <langinfo.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/plural.h"
#include "base/report.h"
#include "commands/command.h"
#include "model/metric.h"
#include "process/crash.h"
#include "source/all/sources.h"

enum { MOMENT_NS = 20 * 1000 * 1000, NAMES_SIZE = 360, LINE_SIZE = 1024 };

struct names {
	char text[NAMES_SIZE];
	unsigned n, more;
};

static void
names_add(struct names *l, const char *name, const char *about)
{
	size_t at = strlen(l->text), need = strlen(name) + strlen(about) + 4;

	l->n++;
	if (at + need >= sizeof l->text)
		l->more++;
	else
		snprintf(l->text + at, sizeof l->text - at, "%s%s%s%s",
			 at > 0 ? ", " : "", name, about[0] != '\0' ? " " : "",
			 about);
}

static void
names_line(FILE *out, const char *key, const struct names *l)
{
	char more[32] = "";

	if (l->more > 0)
		snprintf(more, sizeof more, " and %u more", l->more);
	if (l->n > 0)
		report_line(out, key, "%s%s", l->text, more);
}

static const char *
variable(const char *name)
{
	const char *value = getenv(name);

	return value != NULL && value[0] != '\0' ? value : "-";
}

static void
system_lines(const struct doctor *d)
{
	struct winsize w = { 0, 0, 0, 0 };

	if (d->x.o->root != NULL)
		report_line(d->x.out, "ktop", "%s", KTOP_VERSION);
	else
		report_line(d->x.out, "ktop", "%s, euid %ld, uid %ld, sudo %s",
			    KTOP_VERSION, (long)geteuid(), (long)getuid(),
			    getenv("SUDO_UID") != NULL ? "yes" : "no");
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) != 0 &&
	    ioctl(STDIN_FILENO, TIOCGWINSZ, &w) != 0)
		(void)ioctl(STDERR_FILENO, TIOCGWINSZ, &w);
	report_line(
		d->x.out, "terminal",
		"%s of %s, COLORTERM %s, COLORFGBG %s, NO_COLOR %s, %ux%u, %s",
		variable("TERM"), variable("TERM_PROGRAM"),
		variable("COLORTERM"), variable("COLORFGBG"),
		getenv("NO_COLOR") != NULL ? "set" : "-", w.ws_col, w.ws_row,
		nl_langinfo(CODESET));
}

static void
put_number(struct buf *b, const char *name, int n, bool known)
{
	if (known)
		buf_printf(b, " %s=%d", name, n);
	else
		buf_printf(b, " %s=-", name);
}

static void
cluster_line(const struct doctor *d, unsigned n)
{
	const struct topology *t = d->x.s->info.topology;
	const struct topology_cluster *c = &t->cluster[n];
	const struct topology_kind *k = &t->kind[c->kind];
	char key[TOPOLOGY_LABEL_SIZE + 16], text[LINE_SIZE];
	struct buf b = buf_over(text, sizeof text);
	bool first = true;

	snprintf(key, sizeof key, "cluster %s", c->label);
	buf_printf(&b, "kind=%s", k->name);
	put_number(&b, "width", (int)k->width, k->width > 0);
	buf_printf(&b, " pmu=%s", k->pmu[0] != '\0' ? k->pmu : "-");
	if (c->package >= 0)
		put_number(&b, "package", c->package, true);
	put_number(&b, "die", c->die, c->die >= 0);
	buf_printf(&b, " cores=%u cpus=", c->ncores);
	for (unsigned i = 0; i < t->ncpus; i++) {
		if (t->cpu[i].cluster != n)
			continue;
		buf_printf(&b, "%s%d", first ? "" : ",", t->cpu[i].id);
		first = false;
	}
	report_line(d->x.out, key, "%s", buf_cstr(&b));
}

/* Returns the length of the reason without the advice at its end. */
static int
why_bytes(const char *why)
{
	static const char screen[] = ": only busy time is shown";
	const char *please = strstr(why, ". Please send");
	size_t n = please != NULL ? (size_t)(please - why) : strlen(why);
	size_t tail = sizeof screen - 1;

	return (int)(n > tail && memcmp(why + n - tail, screen, tail) == 0
			     ? n - tail
			     : n);
}

static void
rights_line(const struct doctor *d)
{
	const struct source_info *info = &d->x.s->info;
	const char *why = info->why.text;

	report_line(d->x.out, "may count", "%s%s%.*s",
		    info->mode == SOURCE_IPC    ? "cycles and instructions"
		    : info->mode == SOURCE_FULL ? "events"
		    : info->set->len > 0        ? "software events only"
						: "nothing",
		    why[0] != '\0' ? ": " : "", why_bytes(why), why);
}

static const char *
left_out(const struct eventset *set, const char *event)
{
	for (unsigned i = 0; i < set->ndropped; i++)
		if (strcmp(set->dropped[i].event, event) == 0)
			return set->dropped[i].why;
	return NULL;
}

static enum domain
events(struct doctor *d)
{
	struct source *s = d->x.s;
	const struct catalog *c = s->info.catalog;
	struct names refused = { .n = 0 };
	enum domain domain = DOMAIN_NONE;
	unsigned n = 0, nowhere = 0;

	for (unsigned i = 0; i < c->len && !d->x.leave_off(&d->x); i++) {
		const struct event *v = &c->event[i];
		struct eventset set = { .len = 0 };
		struct err e = { ERR_NONE, "" };
		const char *why;

		if (v->fixed)
			continue;
		n++;
		if (!slots_place(c, &v, 1, &set, NULL)) {
			nowhere++;
			continue;
		}
		if (!s->ops->program(s, &set, &e))
			why = e.code == ERR_PERM ? "not permitted" : e.text;
		else
			why = left_out(s->info.set, v->name);
		if (why != NULL)
			names_add(&refused, v->name, why);
		else
			domain = domain == DOMAIN_NONE ||
						 domain == s->info.domain
					 ? s->info.domain
					 : DOMAIN_MIXED;
	}
	report_line(d->x.out, "events",
		    "%u of %u accepted, each alone%s; mode %s",
		    n - refused.n - nowhere, n,
		    nowhere > 0 ? ", others have no counter here" : "",
		    domain != DOMAIN_NONE ? domain_name[domain] : "none");
	names_line(d->x.out, "refused", &refused);
	return domain;
}

static bool
read_twice(struct doctor *d)
{
	struct source *s = d->x.s;

	if (s->ops->read(s, d->from, NULL) != SOURCE_OK)
		return false;
	clock_pause(s->info.clock, MOMENT_NS);
	return s->ops->read(s, d->to, NULL) == SOURCE_OK;
}

/* Adds the events that no CPU counted between two readings. */
static void
find_idle(struct doctor *d, const char *preset, struct names *idle)
{
	const struct eventset *set = d->x.s->info.set;

	if (!read_twice(d))
		return;
	for (unsigned n = 0; n < set->len; n++) {
		bool counted = false, supported = false;

		for (unsigned i = 0; i < d->to->ncpus; i++) {
			const struct reading *a = &d->from->cpu[i].slot[n];
			const struct reading *b = &d->to->cpu[i].slot[n];

			supported = supported || b->supported;
			counted = counted || (a->supported && b->supported &&
					      b->count > a->count);
		}
		if (supported && !counted)
			names_add(idle, set->slot[n].event->name, preset);
	}
}

static void
presets(struct doctor *d, enum domain domain)
{
	struct source *s = d->x.s;
	struct names idle = { .n = 0 }, lacks = { .n = 0 },
		     refused = { .n = 0 };
	struct err why = { ERR_NONE, "" };
	unsigned n = user_preset_count(&d->o->user), i;

	for (i = 0; i < n && !d->x.leave_off(&d->x); i++) {
		const char *name = user_preset(&d->o->user, (int)i)->name;
		struct eventset set;

		if (!user_preset_derive(&d->o->user, (int)i, s->info.catalog,
					domain, &set, NULL))
			names_add(&lacks, name, "");
		else if (s->ops->program(s, &set, &why))
			find_idle(d, name, &idle);
		else
			names_add(&refused, name, "");
	}
	report_line(d->x.out, "presets", "%u of %u counted in turn",
		    i - lacks.n - refused.n, i - lacks.n);
	names_line(d->x.out, "refused", &refused);
	if (refused.n > 0)
		report_line(d->x.out, "why", "%.*s", why_bytes(why.text),
			    why.text);
	names_line(d->x.out, "not on this machine", &lacks);
	names_line(d->x.out, "counted 0 in 20 ms", &idle);
}

static void
rows_line(struct doctor *d)
{
	unsigned came = 0, moved = 0, busy = 0;

	if (!read_twice(d)) {
		report_line(d->x.out, "rows", "could not be read");
		return;
	}
	for (unsigned i = 0; i < d->to->ncpus; i++) {
		const struct cpu_sample *a = &d->from->cpu[i];
		const struct cpu_sample *b = &d->to->cpu[i];
		bool is_there = b->state == CPU_DELIVERED &&
				b->fixed[FIXED_CYCLES].supported;

		busy += b->busy_known;
		came += is_there;
		moved += is_there && a->state == CPU_DELIVERED &&
			 b->fixed[FIXED_CYCLES].count >
				 a->fixed[FIXED_CYCLES].count;
	}
	report_line(d->x.out, "rows",
		    "%u of %u %s delivered, %u moved; busy time of %u", came,
		    d->to->ncpus, plural(d->to->ncpus, "CPU", "CPUs"), moved,
		    busy);
}

static bool
program_first(struct doctor *d, enum domain mode)
{
	struct source *s = d->x.s;
	struct eventset set;

	return user_preset_derive(&d->o->user, 0, s->info.catalog,
				  mode != DOMAIN_NONE ? mode : DOMAIN_ALL, &set,
				  NULL) &&
	       s->ops->program(s, &set, NULL);
}

static void
names_count_same(struct examine *x)
{
	struct doctor *d = (struct doctor *)(void *)x;
	struct source *s = x->s;
	enum domain mode;

	if (s == NULL || !x->live) {
		report_line(x->out, "may count", "not tried: %s",
			    x->live ? "see above" : "--root");
		return;
	}
	if (s->info.catalog != NULL && !x->o->ipc &&
	    (s->info.mode != SOURCE_BUSY_ONLY ||
	     program_first(d, DOMAIN_ALL))) {
		mode = events(d);
		presets(d, mode != DOMAIN_NONE ? mode : DOMAIN_ALL);
		if (!program_first(d, mode))
			(void)s->ops->program(s, NULL, NULL);
	}
	rights_line(d);
	rows_line(d);
}

static bool
leave_off(const struct examine *x)
{
	const struct doctor *d = (const struct doctor *)(const void *)x;
	sigset_t pending;

	if (sigpending(&pending) != 0)
		return false;
	for (int s = 1; s < 32; s++)
		if (sigismember(&d->stop, s) == 1 &&
		    sigismember(&pending, s) == 1)
			return true;
	return false;
}

/* Buffers the answer: a blocked pager must not keep counters in use. */
static void
answer(struct doctor *d, const struct examine_question *q)
{
	FILE *out = d->x.out;
	char *text = NULL;
	size_t len = 0;

	report_section(out, q->name);
	(void)fflush(out);
	d->x.out = open_memstream(&text, &len);
	if (d->x.out != NULL) {
		q->answer(&d->x);
		fclose(d->x.out);
	}
	d->x.out = out;
	if (text != NULL)
		(void)fwrite(text, 1, len, out);
	free(text);
	(void)fflush(out);
}

static void
report(struct doctor *d)
{
	static const struct examine_question energy = { "energy",
							doctor_power };
	const struct topology *t =
		d->x.s != NULL ? d->x.s->info.topology : NULL;

	fputs("ktop doctor report, format 2: no serial number, host or user name is in it\n",
	      d->x.out);
	report_section(d->x.out, "ktop");
	system_lines(d);
	/* A path in the reason can contain the user's name. */
	if (t == NULL)
		report_line(
			d->x.out, "source", "none: %s",
			strchr(d->x.why.text, '/') == NULL
				? d->x.why.text
				: "the reason names a file, and is left out");
	for (unsigned c = 0; t != NULL && c < t->nclusters; c++)
		cluster_line(d, c);
	for (const struct examine_question *q = d->ask; q->name != NULL; q++)
		answer(d, q);
	if (t != NULL && d->x.live && d->x.s->ops->power != NULL)
		answer(d, &energy);
}

int
doctor_report(struct doctor *d)
{
	sigset_t block = d->stop, old;
	struct err e = { ERR_NONE, "" };
	void *stack;
	int number = 0;

	d->x.leave_off = leave_off;
	d->x.count = names_count_same;
	if (d->x.s != NULL) {
		d->from = sample_new(d->x.s->info.topology->ncpus, &e);
		d->to = sample_new(d->x.s->info.topology->ncpus, &e);
		if (d->from == NULL || d->to == NULL)
			return err_fail(&e);
	}
	/* Blocks ^Z, too: a suspended ktop would keep the counters in use. */
	(void)sigaddset(&block, SIGTSTP);
	(void)sigprocmask(SIG_BLOCK, &block, &old);
	stack = crash_open(
		"\nktop doctor crashed; the counters are restored. Please send this line and the\ncommand you gave\n");
	report(d);
	crash_close(stack);
	if (leave_off(&d->x) && sigwait(&d->stop, &number) == 0)
		report_line(d->x.out, "interrupted",
			    "by signal %d: what is above is cut short", number);
	(void)sigprocmask(SIG_SETMASK, &old, NULL);
	sample_free(d->from);
	sample_free(d->to);
	return number != 0 ? 128 + number : 0;
}

static int
repair(const struct source_ops *ops, const struct source_options *o,
       struct err *e)
{
	struct source *s;
	bool ok;

	if (ops != NULL && ops->repair == NULL) {
		puts("nothing to repair: this system releases the counters of a process when it ends");
		return 0;
	}
	s = ops != NULL ? ops->open(o, e) : NULL;
	ok = s != NULL && ops->repair(s, e);
	if (s != NULL)
		ops->close(s);
	return ok ? 0 : err_fail(e);
}

int
command_doctor(const struct options *o)
{
	static const int stop[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
	struct source_options so = o->source;
	struct doctor d = { .x = { .out = stdout, .o = &so }, .o = o };
	const struct source_ops *ops = source_choose(&so, &d.x.why);
	int code;

	so.ipc = o->ipc;
	so.events = NULL;
	so.lazy = false;
	if (o->cmd.repair)
		return repair(ops, &so, &d.x.why);
	if (ops != NULL)
		d.x.s = ops->open(&so, &d.x.why);
	else
		ops = source_find(source_find("perf") != NULL ? "perf"
							      : "kperf");
	if (d.x.s == NULL && so.sim != NULL)
		return err_fail(&d.x.why);
	d.x.live = so.root == NULL || strcmp(ops->name, "perf") != 0;
	d.ask = ops->examine;
	(void)sigemptyset(&d.stop);
	for (size_t i = 0; i < sizeof stop / sizeof stop[0]; i++)
		(void)sigaddset(&d.stop, stop[i]);
	code = doctor_report(&d);
	if (d.x.s == NULL)
		return d.x.live ? (int)d.x.why.code : code;
	ops->close(d.x.s);
	return code;
}

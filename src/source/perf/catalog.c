/*
 * The rows of all PMUs: each way that a kind of core has to count an event is a
 * candidate, whatever it comes from; candidates of one name make a row.
 */
#include "source/perf/machine.h"

#include "base/parse.h"
#include "model/metric.h"
#include "pmu/pmu.h"

#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CYCLES "CORE_ACTIVE_CYCLE"
#define INSTRUCTIONS "INST_ALL"

enum { APPLE_FIRST = 2, NATIVE_SIZE = 400, ROWS_MAX = 160, FREE_END = 32 };

struct candidate {
	const char *name, *alias, *text;
	const char *pmu, *native; /* "pmu/native/"; pmu NULL: native alone */
	bool general;             /* takes a general counter: */
	uint32_t counters;        /* one of these; 0: any */
	struct perf_event_code code;
};

struct build_row {
	struct event event;
	bool general;                 /* takes a general counter on some kind */
	struct perf_event_code *code; /* [nkinds] */
};

struct build {
	struct perf_catalog *out;
	const struct topology *topology;
	const struct perf_catalog_options *o;
	uint32_t counters; /* bits of the general ones */
	unsigned nrows;
	struct build_row row[ROWS_MAX];
};

/* A copy that the catalog keeps; NULL when memory is short. */
static const char *
build_text(struct build *b, const char *text)
{
	struct perf_catalog *c = b->out;
	char **more = realloc(c->text, (c->ntexts + 1) * sizeof *more);

	if (more == NULL)
		return NULL;
	c->text = more;
	c->text[c->ntexts] = strdup(text);
	if (c->text[c->ntexts] == NULL)
		return NULL;
	return c->text[c->ntexts++];
}

/* The row of that name, new if there is none yet; NULL: no room. */
static struct build_row *
build_row(struct build *b, const char *name)
{
	struct build_row *r;

	for (unsigned i = 0; i < b->nrows; i++)
		if (strcmp(b->row[i].event.name, name) == 0)
			return &b->row[i];
	name = b->nrows < ROWS_MAX ? build_text(b, name) : NULL;
	if (name == NULL)
		return NULL;
	r = &b->row[b->nrows];
	r->code = calloc(b->out->nkinds, sizeof *r->code);
	if (r->code == NULL)
		return NULL;
	r->event = (struct event){ .name = name };
	r->general = false;
	b->nrows++;
	return r;
}

/* Adds "pmu/terms/" to what the row says of itself. */
static bool
add_native(struct build *b, struct build_row *r, const struct candidate *c)
{
	char text[NATIVE_SIZE], mention[PMU_NAME_SIZE + 2];
	const char *before = r->event.native;

	if (c->native == NULL || (before != NULL && c->pmu == NULL))
		return true;
	if (c->pmu == NULL) {
		snprintf(text, sizeof text, "%s", c->native);
	} else {
		snprintf(mention, sizeof mention, "%s/", c->pmu);
		if (before != NULL && strstr(before, mention) != NULL)
			return true; /* two kinds of one PMU */
		snprintf(text, sizeof text, "%s%s%s%s/",
			 before != NULL ? before : "",
			 before != NULL ? " " : "", mention, c->native);
	}
	r->event.native = build_text(b, text);
	return r->event.native != NULL;
}

/* Where the row may sit: on all kinds that take a general counter for it. */
static void
narrow(const struct build *b, struct build_row *r, uint32_t mask)
{
	if (!r->general)
		r->event.counters = b->counters;
	r->general = true;
	r->event.counters &= mask != 0 ? mask : b->counters;
}

static bool
is_slots(const char *name)
{
	return strncmp(name, "SLOT_", 5) == 0;
}

/* Kinds may count different things under one name: then each says so. */
static void
add_text(struct build *b, struct build_row *r, unsigned kind, const char *text)
{
	char both[NATIVE_SIZE];
	const char *before = r->event.text;

	/* Slots are slots, whatever a PMU counts them by. */
	if (before != NULL && text != NULL && strstr(before, text) == NULL &&
	    !is_slots(r->event.name) &&
	    strcmp(r->event.name, METRIC_CORE_CYCLES) != 0)
		r->event.unlike = true;
	if (before != NULL && text != NULL && strstr(before, text) == NULL) {
		snprintf(both, sizeof both, "%s; %s: %s", before,
			 b->out->kind[kind].pmu.name, text);
		text = build_text(b, both);
	}
	if (before == NULL || (text != NULL && strstr(before, text) == NULL))
		r->event.text = text != NULL ? text : before;
}

/* The row that it is in, or NULL: memory is short, or there are too many. */
static struct build_row *
put(struct build *b, unsigned kind, const struct candidate *c)
{
	struct build_row *r = build_row(b, c->name);

	if (r == NULL || !add_native(b, r, c))
		return NULL;
	if (r->event.alias == NULL && c->alias != NULL &&
	    strcmp(c->alias, c->name) != 0)
		r->event.alias = c->alias;
	add_text(b, r, kind, c->text);
	if (r->event.number == 0)
		r->event.number = (uint32_t)c->code.code.config;
	if (c->general)
		narrow(b, r, c->counters);
	r->code[kind] = c->code;
	return r;
}

/* ---- one kind's events ---- */

/* Have cores of the kind several threads? */
static bool
has_threads(const struct build *b, unsigned kind)
{
	const struct topology *t = b->topology;

	for (unsigned i = 0; t->smt && i < t->ncpus; i++)
		for (unsigned k = 0; k < i && t->cpu[i].kind == kind; k++)
			if (t->cpu[k].core == t->cpu[i].core)
				return true;
	return false;
}

/* The last level of cores without an L3 is their L2: unlike the others'. */
static bool
is_other_cache(const struct build *b, unsigned kind, const char *name)
{
	return b->topology->nkinds > 1 && strncmp(name, "LLC_", 4) == 0 &&
	       strcmp(b->topology->kind[kind].letter, "LP-E") == 0;
}

static bool
meant_for(const struct linux_event *v, bool smt)
{
	return v->smt == LINUX_SMT_ANY || (v->smt == LINUX_SMT_ONLY) == smt;
}

/* False: this PMU does not have it. */
static bool
code_of(const struct perf_kind *k, const struct linux_event *v,
	struct perf_event_code *out)
{
	*out = (struct perf_event_code){
		.known = true, .how = v->how, .leader = v->leader, .led = v->led
	};
	switch (v->how) {
	case LINUX_RAW:
		out->summed = v->plus != NULL;
		out->factor = v->config;
		return kinds_resolve(k, v->native, &out->code) &&
		       (!out->summed || kinds_resolve(k, v->plus, &out->more));
	case LINUX_GENERIC:
		out->code.type = PERF_TYPE_HARDWARE;
		out->code.config = v->config;
		return true;
	case LINUX_SOFTWARE:
		out->code.type = PERF_TYPE_SOFTWARE;
		out->code.config = v->config;
		return true;
	case LINUX_CYCLES_TIMES:
		out->factor = v->config != 0 ? v->config : k->pmu.slots;
		return out->factor != 0;
	case LINUX_NOTHING:
		return true;
	}
	return false;
}

/*
 * The fixed pair counts every mode: what is made of its cycles would be more
 * than user mode's, so there they are counted once more.
 */
static void
count_user_cycles(const struct perf_kind *k, struct perf_event_code *c)
{
	if (c->how != LINUX_CYCLES_TIMES)
		return;
	c->how = LINUX_RAW;
	c->code = k->cycles;
}

static bool
needs_counter(const struct linux_event *v, const struct perf_event_code *c)
{
	return !v->free && (c->how == LINUX_RAW || c->how == LINUX_GENERIC);
}

/*
 * ARM cores that do not say how wide they are count no slots, but micro-ops;
 * where four counters are not to be had the discarded slots are the rest.
 */
static const char *
name_here(struct build *b, const struct perf_kind *k,
	  const struct linux_event *v)
{
	uint32_t left = b->counters;

	for (int i = 0; i < 3; i++)
		left &= left - 1;
	if (strcmp(v->name, "SLOT_DISPATCHED") == 0 && left == 0) {
		b->out->no_topdown =
			"top-down lacks a counter, which the NMI watchdog may hold: sysctl kernel.nmi_watchdog=0, and start ktop again";
		return NULL;
	}
	if (strncmp(k->pmu.name, "armv", 4) == 0 && is_slots(v->name) &&
	    k->pmu.slots == 0)
		return v->alias;
	return v->name;
}

static const char topdown_of_threads[] =
	"top-down of one of a core's two threads takes five counters, and a thread has four: switch SMT off";

static bool
add_event(struct build *b, unsigned kind, const struct linux_event *v)
{
	struct perf_kind *k = &b->out->kind[kind];
	struct candidate c = { .alias = v->alias,
			       .text = v->text,
			       .native = v->native,
			       .counters = v->counters };
	struct build_row *r;
	char both[NATIVE_SIZE];

	if (v->unless != NULL && kinds_resolve(k, v->unless, &c.code.code))
		return true;
	if (!meant_for(v, has_threads(b, kind))) {
		if (strcmp(v->name, "SLOT_TOTAL") == 0)
			b->out->no_topdown = topdown_of_threads;
		return true;
	}
	c.name = name_here(b, k, v);
	if (c.name == NULL || !code_of(k, v, &c.code))
		return true;
	if (b->o->user_only)
		count_user_cycles(k, &c.code);
	c.general = needs_counter(v, &c.code);
	c.pmu = v->how == LINUX_RAW ? k->pmu.name : NULL;
	if (v->native != NULL && v->native[0] == '@')
		c.native++;
	if (v->native != NULL && v->plus != NULL) {
		snprintf(both, sizeof both, "%s/ %s/%s", c.native, k->pmu.name,
			 v->plus);
		c.native = both;
	}
	r = put(b, kind, &c);
	if (r == NULL)
		return false;
	r->event.unlike = r->event.unlike || is_other_cache(b, kind, c.name);
	return true;
}

/* The names that metrics divide by: see add_fixed. */
static bool
is_pair(const char *name)
{
	return strcmp(name, CYCLES) == 0 || strcmp(name, INSTRUCTIONS) == 0;
}

/* Apple's own names; the driver knows the same numbers. */
static bool
add_apple(struct build *b, unsigned kind)
{
	struct perf_kind *k = &b->out->kind[kind];
	const struct pmu *db = pmu_by_db(k->family->apple_db);

	for (unsigned i = 0; db != NULL && i < db->nevents; i++) {
		const struct pmu_event *e = &db->events[i];
		char terms[32];
		struct linux_event v = { .name = e->name,
					 .text = e->text,
					 .native = terms,
					 .counters = e->counters };

		if (e->fixed >= 0 || e->number > UINT8_MAX || is_pair(e->name))
			continue;
		snprintf(terms, sizeof terms, "event=%#04x",
			 (unsigned)e->number);
		if (!add_event(b, kind, &v))
			return false;
	}
	return true;
}

static const struct linux_event only_thread = {
	.name = METRIC_CORE_CYCLES,
	.how = LINUX_CYCLES_TIMES,
	.config = 1,
	.text = "cycles of the core, which has one thread",
};

static bool
add_kind(struct build *b, unsigned kind)
{
	const struct linux_pmu *f = b->out->kind[kind].family;

	if (f->apple_db != NULL)
		return add_apple(b, kind);
	for (unsigned i = 0; i < f->nevents; i++)
		if (!add_event(b, kind, &f->events[i]))
			return false;
	/* A core of one thread has its cycles; besides it there are others. */
	return !b->topology->smt || has_threads(b, kind) ||
	       add_event(b, kind, &only_thread);
}

static bool
add_software(struct build *b)
{
	for (unsigned k = 0; k < b->out->nkinds; k++)
		for (unsigned i = 0; i < linux_software.nevents; i++)
			if (!add_event(b, k, &linux_software.events[i]))
				return false;
	return true;
}

/*
 * The fixed pair under the names that metrics divide by; where it counts user
 * mode alone they are events like others.
 */
static bool
add_fixed(struct build *b)
{
	for (unsigned n = 0; n < 2 * b->out->nkinds; n++) {
		const struct perf_kind *k = &b->out->kind[n / 2];
		bool cycles = n % 2 == 0;
		const char *of =
			cycles ? k->family->cycles : k->family->instructions;
		struct candidate c = {
			.name = cycles ? CYCLES : INSTRUCTIONS,
			.text = cycles ? "core clock cycles while not halted"
				       : "instructions retired",
			.pmu = k->pmu.name,
			.native = cycles ? "cpu-cycles" : "instructions",
			.general = b->o->user_only,
		};
		struct build_row *r;

		if (!k->counts)
			continue;
		if (of != NULL)
			c.native = of + (of[0] == '@');
		if (b->o->user_only) {
			c.code.known = true;
			c.code.code = cycles ? k->cycles : k->instructions;
		}
		r = put(b, n / 2, &c);
		if (r == NULL)
			return false;
		r->event.fixed = !b->o->user_only;
	}
	return true;
}

/* ---- counters ---- */

/*
 * The NMI watchdog holds a counter of every CPU on x86: of those there are, or
 * the fixed one of the cycles, which then need a general one.
 */
static unsigned
held_by_watchdog(const struct build *b, const struct perf_kind *k)
{
	int64_t on = 0;

	return strncmp(k->pmu.name, "cpu", 3) == 0 &&
	       sysfs_number(b->o->root, "/proc/sys/kernel/nmi_watchdog", &on) &&
	       on == 1;
}

static void
count_counters(struct build *b)
{
	unsigned least = 0, first = 0;

	for (unsigned i = 0; i < b->out->nkinds; i++) {
		const struct perf_kind *k = &b->out->kind[i];
		unsigned n = k->family->counters;

		if (!k->counts || n == 0)
			continue;
		n -= held_by_watchdog(b, k);
		least = least == 0 || n < least ? n : least;
		if (k->family->apple)
			first = APPLE_FIRST;
	}
	b->counters = ((1u << least) - 1) << first;
}

/* ---- --events: aliases, rNNNN and pmu/terms/ besides ktop's own names ---- */

static bool
raw_number(const char *word, uint64_t *out)
{
	char hex[EVENT_NAME_SIZE + 2];

	if (word[0] != 'r' || word[1] == '\0')
		return false;
	snprintf(hex, sizeof hex, "0x%s", word + 1);
	return parse_u64(hex, UINT64_MAX, out);
}

/* "pmu/terms/": the terms, or false where `word` is not of that PMU. */
static bool
terms_for(const char *word, const char *pmu, char *out, size_t size)
{
	size_t len = strlen(pmu);
	const char *end;

	if (strncmp(word, pmu, len) != 0 || word[len] != '/')
		return false;
	word += len + 1;
	end = strchr(word, '/');
	if (end == NULL || end[1] != '\0' || (size_t)(end - word) >= size)
		return false;
	memcpy(out, word, (size_t)(end - word));
	out[end - word] = '\0';
	return true;
}

/* How this kind counts the word; false and *e: it does not. */
static bool
word_code(const struct perf_kind *k, const char *word, char *text,
	  struct perf_code *out, struct err *e)
{
	char terms[PMU_TEXT_SIZE];
	uint64_t number;

	if (strchr(word, '/') != NULL) {
		if (!terms_for(word, k->pmu.name, terms, sizeof terms))
			return false;
		snprintf(text, PMU_TEXT_SIZE, "%s", terms);
		return pmu_linux_alias(&k->pmu, terms, text, out, NULL) ||
		       pmu_linux_terms(&k->pmu, terms, out, e);
	}
	if (pmu_linux_alias(&k->pmu, word, text, out, NULL))
		return true;
	if (!raw_number(word, &number))
		return false;
	*out = (struct perf_code){ .type = k->pmu.type, .config = number };
	snprintf(text, PMU_TEXT_SIZE, "config=%#llx",
		 (unsigned long long)number);
	return true;
}

/* ktop's own name, or what perf calls it: a row that is there already. */
static bool
is_known(const struct build *b, const char *word)
{
	for (unsigned i = 0; i < b->nrows; i++) {
		const struct event *v = &b->row[i].event;

		if (strcmp(v->name, word) == 0 ||
		    (v->alias != NULL && strcmp(v->alias, word) == 0))
			return true;
	}
	return false;
}

/* "software/config=3/": the number, or -1 where the word is not like that. */
static int
software_number(const char *word)
{
	char terms[PMU_TEXT_SIZE];
	uint64_t number;

	if (!terms_for(word, "software", terms, sizeof terms) ||
	    strncmp(terms, "config=", 7) != 0 ||
	    !parse_u64(terms + 7, PERF_COUNT_SW_MAX - 1, &number))
		return -1;
	return (int)number;
}

/* A row of the kernel's own that ktop has by another name, or NULL. */
static struct event *
software_row(struct build *b, const char *word, int number)
{
	for (unsigned i = 0; i < b->nrows; i++) {
		struct build_row *r = &b->row[i];
		const struct perf_event_code *c = &r->code[0];

		if (c->how != LINUX_SOFTWARE || r->event.native == NULL)
			continue;
		if (strcmp(r->event.native, word) == 0 ||
		    (number >= 0 && c->code.config == (uint64_t)number))
			return &r->event;
	}
	return NULL;
}

/* One that ktop has no name for: it needs no counter, on no kind. */
static bool
add_software_number(struct build *b, const char *word, int number)
{
	const struct candidate c = {
		.name = word,
		.text = "given with --events: an event of the kernel",
		.native = word,
		.code = { .known = true,
			  .how = LINUX_SOFTWARE,
			  .code = { .type = PERF_TYPE_SOFTWARE,
				    .config = (uint64_t)number } },
	};

	for (unsigned k = 0; k < b->out->nkinds; k++)
		if (put(b, k, &c) == NULL)
			return false;
	return true;
}

/*
 * The kernel's own events, under perf's names or by number: they keep their
 * counters, whatever they are called. Done: *ok says how it went.
 */
static bool
is_software(struct build *b, const char *word, bool *ok, struct err *e)
{
	int number = software_number(word);
	struct event *v = software_row(b, word, number);

	*ok = true;
	if (v != NULL && v->alias != NULL && strcmp(v->alias, word) != 0)
		*ok = err_set(e, ERR_USAGE, "--events names %s twice (%s)",
			      v->name, word);
	else if (v != NULL)
		v->alias = build_text(b, word);
	else if (number >= 0)
		*ok = is_known(b, word) || add_software_number(b, word, number);
	else if (strncmp(word, "software/", 9) == 0)
		*ok = err_set(
			e, ERR_USAGE,
			"--events %s: events of the kernel are given as software/config=N/, N up to %d, or by a name of --list-events",
			word, PERF_COUNT_SW_MAX - 1);
	return v != NULL || number >= 0 || !*ok;
}

/* What the kind's own table codes so: it may need no counter, or a leader. */
static const struct build_row *
row_coded(const struct build *b, unsigned kind, const struct perf_code *code)
{
	for (unsigned i = 0; i < b->nrows; i++) {
		const struct perf_event_code *c = &b->row[i].code[kind];

		if (c->how == LINUX_RAW && (c->leader || c->led) &&
		    memcmp(&c->code, code, sizeof *code) == 0)
			return &b->row[i];
	}
	return NULL;
}

static bool
add_word(struct build *b, const char *word, struct err *e)
{
	struct err why = { ERR_NONE, "" };
	bool ok, any = false, added = false;

	if (is_software(b, word, &ok, e))
		return ok;
	if (is_known(b, word))
		return true;
	for (unsigned i = 0; i < b->out->nkinds; i++) {
		const struct perf_kind *k = &b->out->kind[i];
		const struct build_row *like;
		char text[PMU_TEXT_SIZE];
		struct candidate c = { .name = word,
				       .text = "given with --events",
				       .pmu = k->pmu.name,
				       .native = text,
				       .general = true,
				       .code = { .known = true } };

		any = any || k->counts;
		if (!k->counts || !word_code(k, word, text, &c.code.code, &why))
			continue;
		added = true;
		like = row_coded(b, i, &c.code.code);
		if (like != NULL) {
			c.general = false;
			c.code = like->code[i];
		}
		if (put(b, i, &c) == NULL)
			return err_set(e, ERR_FAIL, "perf: out of memory");
	}
	if (added)
		return true;
	if (why.code != ERR_NONE)
		return err_set(e, ERR_USAGE, "--events %s: %s", word, why.text);
	if (!any)
		return err_set(
			e, ERR_USAGE,
			"--events %s: there is no PMU here that counts on the CPUs (a virtual machine without one?), only the kernel's own events, which --list-events lists",
			word);
	return err_set(
		e, ERR_USAGE,
		"--events: no core PMU here has \"%s\"; give a name of --list-events, an alias of the PMU's events/ folder, rNNNN, or pmu/event=0xNN,umask=0xNN/",
		word);
}

static bool
add_user_events(struct build *b, struct err *e)
{
	for (const char *at = b->o->events;; at++) {
		size_t n = parse_word(at);
		char word[EVENT_NAME_SIZE];

		if (n == 0 || n >= sizeof word)
			return err_set(
				e, ERR_USAGE,
				"--events: \"%.40s\" is no name of 1 to %d characters",
				at, EVENT_NAME_SIZE - 1);
		memcpy(word, at, n);
		word[n] = '\0';
		if (!add_word(b, word, e))
			return false;
		at += n;
		if (*at == '\0')
			return true;
	}
}

/* ---- the whole ---- */

static int
by_name(const void *a, const void *b)
{
	const struct build_row *x = a, *y = b;

	return strcmp(x->event.name, y->event.name);
}

static bool
finish(struct build *b)
{
	struct perf_catalog *c = b->out;
	uint32_t all = b->counters;
	unsigned next_free = EVENT_FREE_FIRST;

	qsort(b->row, b->nrows, sizeof b->row[0], by_name);
	c->event = calloc(b->nrows + 1, sizeof *c->event);
	c->code = calloc((size_t)b->nrows * c->nkinds + 1, sizeof *c->code);
	if (c->event == NULL || c->code == NULL)
		return false;
	for (unsigned i = 0; i < b->nrows; i++) {
		struct build_row *r = &b->row[i];

		if (!r->general && !r->event.fixed && next_free < FREE_END)
			r->event.counters = 1u << next_free++;
		all |= r->event.counters;
		c->event[i] = r->event;
		memcpy(&c->code[(size_t)i * c->nkinds], r->code,
		       c->nkinds * sizeof *r->code);
	}
	c->catalog = (struct catalog){ .event = c->event,
				       .len = b->nrows,
				       .config_counters = all };
	c->catalog.name = c->nkinds > 0 && c->kind[0].counts
				  ? c->kind[0].family->name
				  : linux_software.name;
	return true;
}

static bool
fill(struct build *b, struct err *e)
{
	bool ok = true, any = false;

	kinds_find(b->out, b->topology, b->o->root);
	count_counters(b);
	for (unsigned i = 0; ok && i < b->out->nkinds; i++) {
		if (b->out->kind[i].counts)
			ok = add_kind(b, i);
		any = any || b->out->kind[i].counts;
	}
	ok = ok && (!any || add_fixed(b)) && add_software(b);
	if (!ok)
		return err_set(e, ERR_FAIL, "perf: out of memory");
	if (b->o->events != NULL && !add_user_events(b, e))
		return false;
	return finish(b) || err_set(e, ERR_FAIL, "perf: out of memory");
}

bool
perf_catalog_build(struct perf_catalog *c, const struct topology *t,
		   const struct perf_catalog_options *o, struct err *e)
{
	struct build *b = calloc(1, sizeof *b);
	bool ok;

	memset(c, 0, sizeof *c);
	c->nkinds = t->nkinds;
	c->kind = calloc(t->nkinds, sizeof *c->kind);
	if (b == NULL || c->kind == NULL) {
		free(b);
		return err_set(e, ERR_FAIL, "perf: out of memory");
	}
	b->out = c;
	b->topology = t;
	b->o = o;
	ok = fill(b, e);
	for (unsigned i = 0; i < b->nrows; i++)
		free(b->row[i].code);
	free(b);
	return ok;
}

void
perf_catalog_free(struct perf_catalog *c)
{
	for (unsigned i = 0; i < c->ntexts; i++)
		free(c->text[i]);
	free(c->text);
	free(c->event);
	free(c->code);
	free(c->kind);
	memset(c, 0, sizeof *c);
}

const struct perf_event_code *
perf_catalog_code(const struct perf_catalog *c, const struct event *e,
		  unsigned kind)
{
	size_t at = (size_t)(e - c->event);

	return &c->code[at * c->nkinds + kind];
}

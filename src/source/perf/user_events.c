/* --events: names of ktop, of the PMU and of perf, rNNNN, and pmu/terms/. */
#include "source/perf/state.h"

#include "base/parse.h"
#include "model/metric.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static const struct {
	const char *name;
	enum perf_hw_id id;
} hardware[] = {
	{ "cpu-cycles", PERF_COUNT_HW_CPU_CYCLES },
	{ "cycles", PERF_COUNT_HW_CPU_CYCLES },
	{ "instructions", PERF_COUNT_HW_INSTRUCTIONS },
	{ "cache-references", PERF_COUNT_HW_CACHE_REFERENCES },
	{ "cache-misses", PERF_COUNT_HW_CACHE_MISSES },
	{ "branch-instructions", PERF_COUNT_HW_BRANCH_INSTRUCTIONS },
	{ "branches", PERF_COUNT_HW_BRANCH_INSTRUCTIONS },
	{ "branch-misses", PERF_COUNT_HW_BRANCH_MISSES },
	{ "bus-cycles", PERF_COUNT_HW_BUS_CYCLES },
	{ "stalled-cycles-frontend", PERF_COUNT_HW_STALLED_CYCLES_FRONTEND },
	{ "idle-cycles-frontend", PERF_COUNT_HW_STALLED_CYCLES_FRONTEND },
	{ "stalled-cycles-backend", PERF_COUNT_HW_STALLED_CYCLES_BACKEND },
	{ "idle-cycles-backend", PERF_COUNT_HW_STALLED_CYCLES_BACKEND },
	{ "ref-cycles", PERF_COUNT_HW_REF_CPU_CYCLES },
};

enum {
	READ = 1 << PERF_COUNT_HW_CACHE_OP_READ,
	WRITE = 1 << PERF_COUNT_HW_CACHE_OP_WRITE,
	PREFETCH = 1 << PERF_COUNT_HW_CACHE_OP_PREFETCH
};

/* Operations of each cache (Linux: tools/perf/util/evsel.c). */
static const struct {
	const char *name;
	enum perf_hw_cache_id id;
	unsigned operations;
} caches[] = {
	{ "L1-dcache", PERF_COUNT_HW_CACHE_L1D, READ | WRITE | PREFETCH },
	{ "L1-icache", PERF_COUNT_HW_CACHE_L1I, READ | PREFETCH },
	{ "LLC", PERF_COUNT_HW_CACHE_LL, READ | WRITE | PREFETCH },
	{ "dTLB", PERF_COUNT_HW_CACHE_DTLB, READ | WRITE | PREFETCH },
	{ "iTLB", PERF_COUNT_HW_CACHE_ITLB, READ },
	{ "branch", PERF_COUNT_HW_CACHE_BPU, READ },
	{ "node", PERF_COUNT_HW_CACHE_NODE, READ | WRITE | PREFETCH },
};
static const struct {
	const char *one, *several;
} operations[] = { { "load", "loads" },
		   { "store", "stores" },
		   { "prefetch", "prefetches" } };

static bool
is_cache_event(const char *word, unsigned cache, unsigned operation,
	       unsigned *result)
{
	char name[40];

	snprintf(name, sizeof name, "%s-%s", caches[cache].name,
		 operations[operation].several);
	*result = PERF_COUNT_HW_CACHE_RESULT_ACCESS;
	if (strcasecmp(word, name) == 0)
		return true;
	snprintf(name, sizeof name, "%s-%s-misses", caches[cache].name,
		 operations[operation].one);
	*result = PERF_COUNT_HW_CACHE_RESULT_MISS;
	return strcasecmp(word, name) == 0;
}

static bool
generic_event_code(const char *word, struct perf_code *out)
{
	unsigned result;

	*out = (struct perf_code){ .type = PERF_TYPE_HARDWARE };
	for (size_t i = 0; i < sizeof hardware / sizeof hardware[0]; i++)
		if (strcasecmp(word, hardware[i].name) == 0) {
			out->config = hardware[i].id;
			return true;
		}
	out->type = PERF_TYPE_HW_CACHE;
	for (unsigned c = 0; c < sizeof caches / sizeof caches[0]; c++)
		for (unsigned o = 0; o < PERF_COUNT_HW_CACHE_OP_MAX; o++)
			if ((caches[c].operations >> o & 1) != 0 &&
			    is_cache_event(word, c, o, &result)) {
				out->config =
					caches[c].id | o << 8 | result << 16;
				return true;
			}
	return false;
}

struct event_word {
	char name[EVENT_NAME_SIZE];
	bool has_modes, no_user, no_kernel;
	const struct build_row *own; /* the row with ktop's name, or NULL */
};

static bool
parse_event_modes(const char *word, struct event_word *out, struct err *e)
{
	const char *slash = strrchr(word, '/');
	const char *colon = strchr(slash != NULL ? slash : word, ':');
	const char *modes = colon != NULL   ? colon + 1
			    : slash != NULL ? slash + 1
					    : "";
	size_t len = colon != NULL   ? (size_t)(colon - word)
		     : slash != NULL ? (size_t)(modes - word)
				     : strlen(word);
	bool user = strchr(modes, 'u') != NULL;
	bool kernel = strchr(modes, 'k') != NULL;

	snprintf(out->name, sizeof out->name, "%.*s", (int)len, word);
	out->has_modes = modes[0] != '\0' || colon != NULL;
	out->no_user = kernel && !user;
	out->no_kernel = user && !kernel;
	if (out->has_modes &&
	    (modes[0] == '\0' || modes[strspn(modes, "uk")] != '\0'))
		return err_set(
			e, ERR_USAGE,
			"--events %s: \"%s\" is not a mode; give :u (user), :k (kernel) or :uk",
			word, modes);
	return true;
}

static bool
parse_raw_number(const char *word, uint64_t *out)
{
	char hex[EVENT_NAME_SIZE + 2];

	if (word[0] != 'r' || word[1] == '\0')
		return false;
	snprintf(hex, sizeof hex, "0x%.60s", word + 1);
	return parse_u64(hex, UINT64_MAX, out);
}

static bool
parse_pmu_terms(const char *word, const char *pmu, char *out, size_t size)
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

static bool
encode_event_word(const struct perf_kind *k, const char *word, char *text,
		  struct perf_code *out, struct err *e)
{
	char terms[PMU_TEXT_SIZE];
	uint64_t number;

	snprintf(text, PMU_TEXT_SIZE, "%s", word);
	if (strchr(word, '/') != NULL) {
		if (!parse_pmu_terms(word, k->pmu.name, terms, sizeof terms))
			return false;
		snprintf(text, PMU_TEXT_SIZE, "%s", terms);
		return pmu_linux_alias(&k->pmu, terms, text, out, NULL) ||
		       pmu_linux_terms(&k->pmu, terms, out, e);
	}
	if (pmu_linux_alias(&k->pmu, word, text, out, NULL))
		return true;
	if (generic_event_code(word, out))
		return true;
	if (!parse_raw_number(word, &number))
		return false;
	*out = (struct perf_code){ .type = k->pmu.type, .config = number };
	snprintf(text, PMU_TEXT_SIZE, "config=%#llx",
		 (unsigned long long)number);
	return true;
}

static const struct build_row *
find_row_by_name(const struct build *b, const char *word)
{
	for (unsigned i = 0; i < b->nrows; i++) {
		const struct event *v = &b->row[i].event;

		if (strcmp(v->name, word) == 0 ||
		    (v->alias != NULL && strcmp(v->alias, word) == 0))
			return &b->row[i];
	}
	return NULL;
}

static int
parse_software_number(const char *word)
{
	char terms[PMU_TEXT_SIZE];
	uint64_t number;

	if (!parse_pmu_terms(word, "software", terms, sizeof terms) ||
	    strncmp(terms, "config=", 7) != 0 ||
	    !parse_u64(terms + 7, PERF_COUNT_SW_MAX - 1, &number))
		return -1;
	return (int)number;
}

static struct event *
find_software_row(struct build *b, const char *word, int number)
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
		if (catalog_add_candidate(b, k, &c) == NULL)
			return false;
	return true;
}

/* Handles software events by perf's name or number. False: it is not one. */
static bool
use_software_event(struct build *b, const char *word, bool *ok, struct err *e)
{
	int number = parse_software_number(word);
	struct event *v = find_software_row(b, word, number);

	*ok = true;
	if (v != NULL && v->alias != NULL && strcmp(v->alias, word) != 0)
		*ok = err_set(e, ERR_USAGE, "--events names %s twice (%s)",
			      v->name, word);
	else if (v != NULL)
		v->alias = catalog_keep_text(b, word);
	else if (number >= 0)
		*ok = find_row_by_name(b, word) != NULL ||
		      add_software_number(b, word, number);
	else if (strncmp(word, "software/", 9) == 0)
		*ok = err_set(
			e, ERR_USAGE,
			"--events %s: name an event of the kernel as in --list-events, or as software/config=N/ with N up to %d",
			word, PERF_COUNT_SW_MAX - 1);
	return v != NULL || number >= 0 || !*ok;
}

/* The table's leader, or event that needs one, with this code; or NULL. */
static const struct build_row *
find_row_by_code(const struct build *b, unsigned kind,
		 const struct perf_code *code)
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
encode_known_event(const struct perf_kind *k, const struct build_row *own,
		   unsigned kind, struct perf_event_code *out)
{
	*out = own->code[kind];
	if (own->event.fixed) {
		out->known = true;
		out->code = strcmp(own->event.name, "CORE_ACTIVE_CYCLE") == 0
				    ? k->cycles
				    : k->instructions;
	}
	return out->known && !out->leader && !out->led &&
	       (out->how == LINUX_RAW || out->how == LINUX_GENERIC);
}

/* Is this Intel's event slots, or a topdown- event, which needs slots? */
static bool
is_slots_event(const struct perf_kind *k, const char *name,
	       const struct perf_code *code)
{
	return code->type == k->pmu.type && (code->config & 0xff) == 0 &&
	       (strcmp(name, "slots") == 0 ||
		strncmp(name, "topdown-", 8) == 0);
}

static bool
is_kernel_event(struct build *b, const struct event_word *w)
{
	return (w->own != NULL && w->own->code[0].how == LINUX_SOFTWARE) ||
	       find_software_row(b, w->name, parse_software_number(w->name)) !=
		       NULL;
}

static bool
encode_event(const struct build *b, unsigned kind, const struct event_word *w,
	     char *text, struct candidate *c, struct err *why)
{
	const struct perf_kind *k = &b->out->kind[kind];
	const struct build_row *like;

	c->code = (struct perf_event_code){ .known = true };
	if (w->own != NULL) {
		if (!encode_known_event(k, w->own, kind, &c->code))
			return false;
		c->pmu = NULL;
		c->native = w->own->event.native;
	} else if (!encode_event_word(k, w->name, text, &c->code.code, why)) {
		return false;
	}
	c->code.no_user = w->no_user;
	c->code.no_kernel = w->no_kernel;
	like = find_row_by_code(b, kind, &c->code.code);
	if (like != NULL && w->has_modes)
		return err_set(
			why, ERR_USAGE,
			"ktop counts this event in user+kernel mode; omit :u or :k");
	if (like != NULL)
		c->code = like->code[kind];
	else if (is_slots_event(k, w->name, &c->code.code)) {
		c->code.leader = strcmp(w->name, "slots") == 0;
		c->code.led = !c->code.leader;
	}
	c->general = !c->code.leader && !c->code.led;
	return true;
}

static bool
kind_has_leader(const struct build *b, unsigned kind)
{
	for (unsigned i = 0; i < b->nrows; i++)
		if (b->row[i].code[kind].leader)
			return true;
	return false;
}

static bool
explain_unknown_event(const struct build *b, const char *word, bool any,
		      struct err *e)
{
	struct count_permission r;
	struct err right = { ERR_NONE, "" };

	if (any)
		return err_set(
			e, ERR_USAGE,
			"--events: no core PMU has \"%s\"; give a name of --list-events or perf list, an alias of the PMU's events/ folder, rNNNN, or pmu/event=0xNN,umask=0xNN/",
			word);
	permission_read(b->o->root, &r);
	if (!permission_may_count(&r))
		(void)permission_explain(b->o->root, EACCES, &right);
	return err_set(
		e, ERR_USAGE,
		"--events %s: this machine has no core PMU (a virtual machine?), only the software events in --list-events%s%.200s",
		word,
		right.text[0] != '\0' ? ", which need a permission: " : "",
		right.text);
}

static bool
catalog_add_word(struct build *b, const char *word, struct err *e)
{
	struct err why = { ERR_NONE, "" };
	char text[PMU_TEXT_SIZE];
	bool ok, any = false, added = false;
	struct event_word w;

	if (!parse_event_modes(word, &w, e))
		return false;
	w.own = find_row_by_name(b, w.name);
	if (!w.has_modes && use_software_event(b, word, &ok, e))
		return ok;
	if (!w.has_modes && w.own != NULL)
		return true;
	if (w.has_modes && is_kernel_event(b, &w))
		return err_set(
			e, ERR_USAGE,
			"--events %s: the kernel's own events have no modes; omit the suffix",
			word);
	if (w.no_user && b->o->user_only)
		return err_set(
			e, ERR_USAGE,
			"--events %s: --user counts user mode only; omit --user or the suffix",
			word);
	for (unsigned i = 0; i < b->out->nkinds; i++) {
		const struct perf_kind *k = &b->out->kind[i];
		struct candidate c = { .name = word,
				       .text = "given with --events",
				       .pmu = k->pmu.name,
				       .native = text,
				       .general = true };

		any = any || k->counts;
		if (!k->counts || !encode_event(b, i, &w, text, &c, &why))
			continue;
		added = true;
		if (catalog_add_candidate(b, i, &c) == NULL ||
		    (c.code.led && !kind_has_leader(b, i) &&
		     !catalog_add_word(b, "slots", e)))
			return err_set(e, ERR_FAIL, "perf: out of memory");
	}
	if (added)
		return true;
	if (why.code != ERR_NONE)
		return err_set(e, ERR_USAGE, "--events %s: %s", word, why.text);
	return explain_unknown_event(b, w.name, any, e);
}

bool
catalog_add_words(struct build *b, struct err *e)
{
	for (const char *at = b->o->events;; at++) {
		size_t n = parse_word(at);
		char word[EVENT_NAME_SIZE];

		if (n == 0 || n >= sizeof word)
			return err_set(
				e, ERR_USAGE,
				"--events: \"%.40s\" is not a name of 1 to %d characters",
				at, EVENT_NAME_SIZE - 1);
		memcpy(word, at, n);
		word[n] = '\0';
		if (!catalog_add_word(b, word, e))
			return false;
		at += n;
		if (*at == '\0')
			return true;
	}
}

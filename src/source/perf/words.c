/* --events: aliases, rNNNN and pmu/terms/ besides ktop's own names. */
#include "source/perf/machine.h"

#include "base/parse.h"

#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>

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
		if (build_put(b, k, &c) == NULL)
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
		if (build_put(b, i, &c) == NULL)
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

bool
build_words(struct build *b, struct err *e)
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

/* --events: aliases, rNNNN and pmu/terms/ beside ktop's own names. */
#include "source/perf_build_linux.h"

#include "base/parse.h"

#include <stdio.h>
#include <string.h>

/* Bytes of the word at s: to a comma outside of slashes. */
static size_t
word_length(const char *s)
{
	bool inside = false;
	size_t n = 0;

	for (; s[n] != '\0' && (inside || s[n] != ','); n++)
		inside = inside != (s[n] == '/');
	return n;
}

static bool
raw_number(const char *word, uint64_t *out)
{
	char hex[EVENT_NAME_SIZE + 2];

	if (word[0] != 'r' || word[1] == '\0')
		return false;
	snprintf(hex, sizeof(hex), "0x%s", word + 1);
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
		if (!terms_for(word, k->pmu.name, terms, sizeof(terms)))
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

/* The kernel's own events keep their counters under perf's names. */
static void
software_alias(struct build *b, const char *word)
{
	for (unsigned i = 0; i < b->nrows; i++) {
		struct event *v = &b->row[i].event;

		if (strncmp(v->name, "SW_", 3) == 0 && v->native != NULL &&
		    strcmp(v->native, word) == 0)
			v->alias = v->native;
	}
}

static bool
add_word(struct build *b, const char *word, struct err *e)
{
	struct err why = { ERR_NONE, "" };
	struct build_row *r = NULL;

	software_alias(b, word);
	if (is_known(b, word))
		return true;
	for (unsigned i = 0; i < b->out->nkinds; i++) {
		struct perf_kind *k = &b->out->kind[i];
		struct perf_event_code c = { .known = true };
		char text[PMU_TEXT_SIZE];

		if (!k->counts || !word_code(k, word, text, &c.code, &why))
			continue;
		if (r == NULL) {
			const char *name = build_text(b, word);

			r = name != NULL ? build_row(b, name) : NULL;
		}
		if (r == NULL || !build_native(b, r, k->pmu.name, text))
			return err_set(e, ERR_FAIL, "perf: out of memory");
		r->event.text = "given with --events";
		r->event.number = (uint32_t)c.code.config;
		r->event.counters = b->counters;
		r->general = true;
		r->code[i] = c;
	}
	if (r != NULL)
		return true;
	if (why.code != ERR_NONE)
		return err_set(e, ERR_USAGE, "--events %s: %s", word, why.text);
	return err_set(e, ERR_USAGE,
		       "--events: no core PMU here has \"%s\"; give a name "
		       "of --list-events, an alias of the PMU's events/ "
		       "folder, rNNNN, or pmu/event=0xNN,umask=0xNN/",
		       word);
}

bool
build_user_events(struct build *b, struct err *e)
{
	for (const char *at = b->o->events;; at++) {
		size_t n = word_length(at);
		char word[EVENT_NAME_SIZE];

		if (n == 0 || n >= sizeof(word))
			return err_set(e, ERR_USAGE,
				       "--events: \"%.40s\" is no name of 1 "
				       "to %d characters",
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

/* --docs WHAT: ktop's tables as Markdown, for docs/ and the man pages. */
#include "commands/command.h"

#include <stdio.h>
#include <string.h>

#include "model/columns.h"
#include "ui/keys.h"

struct docs {
	const char *name;
	command_function *print;
};

/* A cell: a bar would end it. */
static void
cell(const char *text)
{
	fputs(" ", stdout);
	for (; *text != '\0'; text++) {
		if (*text == '|')
			putchar('\\');
		putchar(*text);
	}
	fputs(" |", stdout);
}

static int
docs_options(const struct options *o)
{
	(void)o;
	puts("| option | argument | default | meaning |\n|---|---|---|---|");
	for (unsigned i = 0; i < option_count; i++) {
		const struct option *p = &option_table[i];

		printf("| `--%s`", p->name);
		if (p->letter != 0 && p->letter_of == COMMAND_MEASURE)
			printf(", `-%c`", p->letter);
		else if (p->letter != 0)
			printf(", `-%c` (stat)", p->letter);
		fputs(" |", stdout);
		cell(p->arg != NULL ? p->arg : "");
		cell(p->initial != NULL ? p->initial : "");
		cell(p->text);
		putchar('\n');
	}
	return 0;
}

static int
docs_commands(const struct options *o)
{
	(void)o;
	puts("| command | arguments | meaning |\n|---|---|---|");
	for (unsigned i = 0; i < command_count; i++) {
		printf("| `%s` |", command_table[i].name);
		cell(command_table[i].args);
		cell(command_table[i].text);
		putchar('\n');
	}
	return 0;
}

static void
docs_key(const char *keys, const char *place, const char *text)
{
	char both[200];

	snprintf(both, sizeof both, "%s%s%s%s", place != NULL ? "in " : "",
		 place != NULL ? place : "", place != NULL ? ": " : "", text);
	printf("| `%s` |", keys);
	cell(both);
	putchar('\n');
}

/* Those of everywhere, then those of a replay and of what lies over it. */
static int
docs_keys(const struct options *o)
{
	const struct place_key *k;
	const struct replay_key *r;

	(void)o;
	puts("| keys | what they do |\n|---|---|");
	for (const struct key *e = ui_keys; e->code[0] != 0; e++)
		docs_key(e->keys, NULL, e->text);
	for (unsigned i = 0; (r = replay_key_at(i)) != NULL; i++)
		docs_key(r->keys, "a replay", r->text);
	for (unsigned i = 0; (k = key_of_place(i)) != NULL; i++)
		docs_key(k->keys, key_place_name[k->place], k->text);
	return 0;
}

/* The person's own say so, that nobody looks for them in the manual. */
static void
meaning(const char *text, bool own)
{
	char both[600];

	snprintf(both, sizeof both, "%s%s", own ? "(own) " : "", text);
	cell(both);
}

static void
docs_metric(const struct metric *m, bool own)
{
	char formula[256];

	printf("| `%s` |", m->name);
	cell(m->label);
	cell(metric_unit_name[m->unit]);
	cell(metric_formula(m, NULL, formula, sizeof formula));
	meaning(m->text, own);
	putchar('\n');
}

static int
docs_metrics(const struct options *o)
{
	puts("| metric | label | unit | formula | meaning |\n"
	     "|---|---|---|---|---|");
	for (unsigned i = 0; i < metric_count; i++)
		docs_metric(&metric_table[i], false);
	for (unsigned i = 0; i < o->user.nmetrics; i++)
		docs_metric(&o->user.metric[i], true);
	return 0;
}

static int
docs_presets(const struct options *o)
{
	const struct user *u = &o->user;

	puts("| preset | key | question | metrics |\n|---|---|---|---|");
	for (unsigned i = 0; i < user_preset_count(u); i++) {
		const struct preset *p = user_preset(u, (int)i);
		bool own = i >= preset_count;
		unsigned n = own ? u->nevents[i - preset_count] : 0, k = 0;

		printf("| `%s` | %c |", p->name, p->key != 0 ? p->key : ' ');
		meaning(p->text, own);
		for (; k < PRESET_METRICS && p->metrics[k] != NULL; k++)
			printf("%s `%s`", k > 0 ? "," : "", p->metrics[k]);
		for (unsigned at = 0; at < n; at++, k++)
			printf("%s `%s`", k > 0 ? "," : "",
			       u->event[i - preset_count][at]);
		puts(" |");
	}
	return 0;
}

static int
docs_columns(const struct options *o)
{
	(void)o;
	puts("| column | type | unit | meaning |\n|---|---|---|---|");
	for (unsigned i = 0; i < column_count_all(); i++) {
		struct column c = column_at(i);

		printf("| `%s` |", c.name);
		cell(column_type_name[c.type]);
		cell(c.unit);
		cell(c.text);
		putchar('\n');
	}
	return 0;
}

static const struct docs docs_table[] = {
	{ "options", docs_options }, { "commands", docs_commands },
	{ "keys", docs_keys },       { "metrics", docs_metrics },
	{ "presets", docs_presets }, { "columns", docs_columns },
};
enum { DOCS_COUNT = sizeof docs_table / sizeof *docs_table };

int
command_docs(const struct options *o)
{
	const char *names[DOCS_COUNT];
	struct err e;

	for (unsigned i = 0; i < DOCS_COUNT; i++) {
		names[i] = docs_table[i].name;
		if (strcmp(o->docs, names[i]) == 0)
			return docs_table[i].print(o);
	}
	(void)options_unknown(&e, "table", o->docs, names, DOCS_COUNT,
			      "--help");
	return err_fail(&e);
}

/* ktop's own tables, tab-separated, as tests and the manual read them. */
#include <stdio.h>
#include <string.h>

#include "options/options.h"
#include "pmu/perf/table.h"
#include "ui/keys.h"

static int
print_options(void)
{
	for (unsigned i = 0; i < option_count; i++) {
		const struct option *p = &option_table[i];
		char letter[] = { p->letter, '\0' };

		printf("%s\t%s\t%s\t%s\t%s\n", p->name, letter,
		       p->arg != NULL ? p->arg : "",
		       p->initial != NULL ? p->initial : "", p->text);
	}
	return 0;
}

static int
print_commands(void)
{
	for (unsigned i = 0; i < command_count; i++)
		printf("%s\t%s\t%s\n", command_table[i].name,
		       command_table[i].args, command_table[i].text);
	return 0;
}

/* Those of everywhere, then those of a replay and of what lies over it. */
static int
print_keys(void)
{
	const struct replay_key *r;
	const struct place_key *k;

	for (const struct key *e = ui_keys; e->code[0] != 0; e++)
		printf("%s\t%s\n", e->keys, e->text);
	for (unsigned i = 0; (r = replay_key_at(i)) != NULL; i++)
		printf("%s\tin a replay: %s\n", r->keys, r->text);
	for (unsigned i = 0; (k = key_of_place(i)) != NULL; i++)
		printf("%s\tin %s: %s\n", k->keys, key_place_name[k->place],
		       k->text);
	return 0;
}

/* What Linux's PMUs count: of each family its name, codes and factor. */
static int
print_events(void)
{
	const struct linux_pmu *p;

	for (unsigned i = 0; (p = linux_pmu_at(i)) != NULL; i++)
		for (unsigned k = 0; k < p->nevents; k++) {
			const struct linux_event *e = &p->events[k];
			bool coded = e->how == LINUX_RAW;

			printf("%s\t%s\t%s\t%s\t%u\n", p->name, e->name,
			       coded ? e->native : "",
			       e->plus != NULL ? e->plus : "", e->config);
		}
	return 0;
}

int
main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	if (strcmp(what, "options") == 0)
		return print_options();
	if (strcmp(what, "commands") == 0)
		return print_commands();
	if (strcmp(what, "keys") == 0)
		return print_keys();
	if (strcmp(what, "events") == 0)
		return print_events();
	fputs("usage: tables options | commands | keys | events\n", stderr);
	return 2;
}

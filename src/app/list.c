/* The --list options: tables as tab-separated text, a comment line first. */
#include "app/command.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "model/columns.h"
#include "pmu/pmu.h"
#include "sim/machine.h"
#include "source/remote.h"

enum { CHIPS_MAX = 64 };

int
command_list_presets(const struct options *o)
{
	(void)o;
	puts("# name\tkey\tquestion\tmetrics");
	for (unsigned i = 0; i < preset_count; i++) {
		const struct preset *p = &preset_table[i];

		printf("%s\t%c\t%s\t", p->name, p->key != 0 ? p->key : '-',
		       p->text);
		for (unsigned k = 0; k < 16 && p->metrics[k] != NULL; k++)
			printf("%s%s", k > 0 ? "," : "", p->metrics[k]);
		putchar('\n');
	}
	return 0;
}

int
command_list_metrics(const struct options *o)
{
	char formula[256];

	(void)o;
	puts("# name\tlabel\tunit\tformula\tmeaning");
	for (unsigned i = 0; i < metric_count; i++) {
		const struct metric *m = &metric_table[i];

		printf("%s\t%s\t%s\t%s\t%s\n", m->name, m->label,
		       metric_unit_name[m->unit],
		       metric_formula(m, NULL, formula, sizeof formula),
		       m->text);
	}
	return 0;
}

int
command_list_columns(const struct options *o)
{
	(void)o;
	puts("# name\ttype\tunit\tmeaning");
	for (unsigned i = 0; i < column_count(); i++) {
		struct column c = column_at(i);

		printf("%s\t%s\t%s\t%s\n", c.name, column_type_name[c.type],
		       c.unit, c.text);
	}
	return 0;
}

static void
print_counters(uint32_t counters)
{
	const char *sep = "";

	for (unsigned i = 0; i < 32; i++)
		if (counters & 1u << i) {
			printf("%s%u", sep, i);
			sep = ",";
		}
}

static void
print_event(const char *name, uint32_t number, uint32_t counters, bool fixed,
	    const char *alias, const char *text)
{
	printf("%s\t", name);
	if (fixed)
		printf("fixed\t");
	else
		printf("0x%" PRIx32 "\t", number);
	print_counters(counters);
	printf("\t%s\t%s\n", alias != NULL ? alias : "",
	       text != NULL ? text : "");
}

#define EVENTS_HEAD "# event\tnumber\tcounters\talias\tmeaning"

static int
list_pmu(const char *db)
{
	const struct pmu *p = pmu_by_db(db);
	const char *names[CHIPS_MAX];
	struct err e;
	unsigned n = 0;

	if (p != NULL) {
		puts(EVENTS_HEAD);
		for (unsigned i = 0; i < p->nevents; i++) {
			const struct pmu_event *v = &p->events[i];

			print_event(v->name, v->number, v->counters,
				    v->fixed >= 0, v->alias, v->text);
		}
		return 0;
	}
	for (; n < CHIPS_MAX && pmu_at(n) != NULL; n++)
		names[n] = pmu_at(n)->db;
	(void)options_unknown(&e, "chip", db, names, n, "ktop(1)");
	return command_fail(&e);
}

int
command_list_events(const struct options *o)
{
	struct err e = { ERR_NONE, "" };

	if (o->chip != NULL)
		return list_pmu(o->chip);
	struct source *s = command_open_source(o, &e);

	if (s == NULL)
		return command_fail(&e);
	const struct catalog *c = s->info.catalog;

	for (unsigned i = 0; c != NULL && i < c->len; i++) {
		const struct event *v = &c->event[i];

		if (i == 0)
			puts(EVENTS_HEAD);
		print_event(v->name, v->number, v->counters, v->fixed, v->alias,
			    v->text);
	}
	if (c == NULL)
		(void)err_set(&e, ERR_NO_PMU,
			      "%s counts no events here; name "
			      "a database with --chip",
			      s->info.model);
	s->ops->close(s);
	return c != NULL ? 0 : command_fail(&e);
}

int
command_list_sources(const struct options *o)
{
	puts("# name\tworks\tmeaning");
	for (unsigned i = 0; source_table[i] != NULL; i++) {
		struct err e = { ERR_NONE, "" };
		const struct source_ops *s = source_table[i];
		bool ok = o->source.server != 0
				  ? remote_probe(&o->source, s->name, &e)
				  : s->probe(&o->source, &e);

		printf("%s\t%s\t%s\n", s->name, ok ? "yes" : e.text, s->text);
	}
	return 0;
}

int
command_list_machines(const struct options *o)
{
	(void)o;
	puts("# name\tprocessor\tcpus\tclusters");
	for (const char *const *n = sim_machine_names(); *n != NULL; n++) {
		const struct sim_machine *m = sim_machine_find(*n);

		printf("%s\t%s\t%u\t%u\n", m->name, m->brand,
		       sim_machine_ncpus(m), m->nclusters);
	}
	return 0;
}

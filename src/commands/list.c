#include "commands/command.h"

#include <inttypes.h>
#include <stdio.h>

#include "app/app.h"
#include "model/columns.h"
#include "pmu/pmu.h"
#include "sim/machine.h"
#include "server/open.h"
#include "server/remote.h"
#include "source/all/sources.h"

enum { CHIPS_MAX = 64 };

static void
event_print_words(const char *const *word, unsigned n)
{
	for (unsigned i = 0; i < n && word[i] != NULL; i++)
		printf("%s%s", i > 0 ? "," : "", word[i]);
}

int
command_list_presets(const struct options *o)
{
	const struct user *u = &o->user;
	struct err e;

	if (!user_names_known(u, NULL, &e))
		err_print("%s", e.text);
	puts("# name\tkey\tquestion\tmetrics\tevents\tfrom");
	for (unsigned i = 0; i < user_preset_count(u); i++) {
		const struct preset *p = user_preset(u, (int)i);
		bool own = i >= preset_count;

		printf("%s\t%c\t%s\t", p->name, p->key != 0 ? p->key : '-',
		       p->text);
		event_print_words(p->metrics, PRESET_METRICS);
		putchar('\t');
		if (own)
			event_print_words(u->event[i - preset_count],
					  u->nevents[i - preset_count]);
		printf("\t%s\n", own ? "own" : "ktop");
	}
	return 0;
}

static void
print_metric(const struct metric *m)
{
	char formula[256];

	printf("%s\t%s\t%s\t%s\t%s\n", m->name, m->label,
	       metric_unit_name[m->unit],
	       metric_formula(m, NULL, formula, sizeof formula), m->text);
}

int
command_list_metrics(const struct options *o)
{
	(void)o;
	puts("# name\tlabel\tunit\tformula\tmeaning");
	for (unsigned i = 0; i < metric_count; i++)
		print_metric(&metric_table[i]);
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

	/* An event with only these bits needs no counter of the PMU. */
	if (counters != 0 &&
	    counters >> EVENT_FREE_FIRST << EVENT_FREE_FIRST == counters)
		printf("none");
	for (unsigned i = 0; i < EVENT_FREE_FIRST; i++)
		if (counters & 1u << i) {
			printf("%s%u", sep, i);
			sep = ",";
		}
}

static void
catalog_print_event(const struct event *v)
{
	printf("%s\t", v->name);
	if (v->fixed)
		printf("fixed\t");
	else
		printf("0x%" PRIx32 "\t", v->number);
	print_counters(v->counters);
	printf("\t%s\t%s\t", v->alias != NULL ? v->alias : "",
	       v->text != NULL ? v->text : "");
	/* On a Mac an event has a number, but no native name. */
	if (v->native != NULL)
		printf("%s\n", v->native);
	else if (v->fixed)
		printf("\n");
	else
		printf("0x%" PRIx32 "\n", v->number);
}

#define EVENTS_HEAD "# event\tnumber\tcounters\talias\tmeaning\tnative"

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

			catalog_print_event(&(struct event){
				.name = v->name,
				.alias = v->alias,
				.text = v->text,
				.number = v->number,
				.counters = v->counters,
				.fixed = v->fixed >= 0,
			});
		}
		return 0;
	}
	for (; n < CHIPS_MAX && pmu_at(n) != NULL; n++)
		names[n] = pmu_at(n)->db;
	(void)options_unknown(&e, "chip", db, names, n, "--list-machines");
	return err_fail(&e);
}

int
command_list_events(const struct options *o)
{
	struct err e = { ERR_NONE, "" };

	if (o->chip != NULL)
		return list_pmu(o->chip);
	struct source *s = server_open_source(o, &e);

	if (s == NULL)
		return err_fail(&e);
	const struct catalog *c = s->info.catalog;

	for (unsigned i = 0; c != NULL && i < c->len; i++) {
		if (i == 0)
			puts(EVENTS_HEAD);
		catalog_print_event(&c->event[i]);
	}
	if (c == NULL)
		err_set(&e, ERR_NO_PMU,
			"%s has no configurable counters here, so no events are listed; choose a database with --chip",
			s->info.model);
	s->ops->close(s);
	return c != NULL ? 0 : err_fail(&e);
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
	for (const struct sim_machine *m = sim_machines; m->name != NULL; m++)
		printf("%s\t%s\t%u\t%u\n", m->name, m->brand,
		       sim_machine_ncpus(m), m->nclusters);
	return 0;
}

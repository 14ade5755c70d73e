/* The live event database next to the table that ktop was built with. */
#include "source/kperf/examine.h"

#include <dirent.h>
#include <string.h>
#include <unistd.h>

#include "base/report.h"
#include "kperf/text.h"

#define KPEP_FOLDER "/usr/share/kpep"

enum { LIST_SIZE = 1600 };

/* Words, and how many: more than are shown, if there is no room. */
struct list {
	char text[LIST_SIZE];
	size_t len;
	unsigned n;
};

static void
list_add(struct list *l, const char *word)
{
	size_t room = sizeof l->text - l->len;

	l->n++;
	if (strlen(word) + 2 <= room)
		l->len += (size_t)snprintf(l->text + l->len, room, "%s%s",
					   l->len > 0 ? " " : "", word);
}

/* "cpu_100000c_2_1b588bb3 -> a14": the links name the chips a system knows. */
static void
files(const struct examine *x)
{
	struct list all = { "", 0, 0 };
	DIR *dir = opendir(KPEP_FOLDER);
	struct dirent *entry;

	if (dir == NULL) {
		report_line(x->out, "files", KPEP_FOLDER " is not there");
		return;
	}
	while ((entry = readdir(dir)) != NULL) {
		char path[512], to[128], word[512];
		ssize_t n;
		int len = (int)strcspn(entry->d_name, ".");

		if (entry->d_name[0] == '.')
			continue;
		snprintf(path, sizeof path, "%s/%s", KPEP_FOLDER,
			 entry->d_name);
		n = readlink(path, to, sizeof to - 1);
		to[n > 0 ? n : 0] = '\0';
		to[strcspn(to, ".")] = '\0';
		snprintf(word, sizeof word, "%.*s%s%s", len, entry->d_name,
			 n > 0 ? "->" : "", to);
		list_add(&all, word);
	}
	(void)closedir(dir);
	report_line(x->out, "files", "%u: %s", all.n, all.text);
}

static void
layout(const struct examine *x)
{
	const struct kperf_catalog *c = &kperf_of(x->s)->events;
	size_t least = SIZE_MAX;

	for (unsigned i = 0; i < c->catalog.len; i++)
		for (unsigned k = 0; k < c->catalog.len; k++) {
			uintptr_t a = (uintptr_t)c->live[i];
			uintptr_t b = (uintptr_t)c->live[k];

			if (a < b && b - a < least)
				least = b - a;
		}
	report_line(x->out, "event layout",
		    "%zu bytes (least distance of two events)", least);
}

/* The struct is private: its fields are shown only if they fit the functions.
 */
static void
masks(const struct examine *x)
{
	struct kpep_db *db = kperf_of(x->s)->events.db;
	const struct kperfdata_api *kpep = kperf_of(x->s)->kpep;
	size_t n[4] = { 0 }, events = 0, aliases = 0;

	for (uint8_t i = 0; i < 3; i++)
		(void)kpep->kpep_db_counters_count(db, (uint8_t)(1u << i),
						   &n[i]);
	(void)kpep->kpep_db_counters_count(db, 6, &n[3]);
	(void)kpep->kpep_db_events_count(db, &events);
	(void)kpep->kpep_db_aliases_count(db, &aliases);
	report_line(
		x->out, "counts",
		"fixed=%zu configurable=%zu power=%zu unreserved=%zu events=%zu aliases=%zu",
		n[0], n[1], n[2], n[3], events, aliases);
	if (db->event_count != events || db->alias_count != aliases ||
	    db->fixed_counter_count != n[0] ||
	    db->config_counter_count != n[1]) {
		report_line(
			x->out, "database layout",
			"unknown: its fields do not say what its functions say");
		return;
	}
	report_line(x->out, "database layout",
		    "known: its fields say what its functions say");
	report_line(x->out, "masks",
		    "fixed=0x%x configurable=0x%x power=0x%x architecture=%u",
		    db->fixed_counter_bits, db->config_counter_bits,
		    db->power_counter_bits, db->architecture);
	report_line(x->out, "cpu id", "%s",
		    db->cpu_id != NULL ? db->cpu_id : "-");
}

static void
compare(const struct examine *x)
{
	const struct catalog *c = &kperf_of(x->s)->events.catalog;
	const struct pmu *p = kperf_of(x->s)->pmu;
	struct list unknown = { "", 0, 0 }, missing = { "", 0, 0 };
	struct list differ = { "", 0, 0 };

	if (p == NULL) {
		report_line(x->out, "our table",
			    "none: this chip is new to ktop " KTOP_VERSION);
		return;
	}
	report_line(x->out, "our table", "%s (%s), %u events", p->db,
		    p->generation, p->nevents);
	for (unsigned i = 0; i < c->len; i++) {
		const struct event *v = &c->event[i];
		const struct pmu_event *ours = pmu_event_find(p, v->name);

		if (ours == NULL)
			list_add(&unknown, v->name);
		else if (ours->number != v->number ||
			 ours->counters != v->counters)
			list_add(&differ, v->name);
	}
	for (unsigned i = 0; i < p->nevents; i++)
		if (catalog_find(c, p->events[i].name) == NULL)
			list_add(&missing, p->events[i].name);
	report_line(x->out, "events unknown to us", "%u %s", unknown.n,
		    unknown.text);
	report_line(x->out, "events missing", "%u %s", missing.n, missing.text);
	report_line(x->out, "events that differ", "%u %s", differ.n,
		    differ.text);
}

/* ktop loads none on Intel and without counters: ask here what there is. */
static void
not_loaded(const struct examine *x)
{
	const struct kperfdata_api *kpep = kperf_of(x->s)->kpep;
	struct kpep_db *db = NULL;
	const char *name = NULL, *text;
	int code = kpep->kpep_db_create(NULL, &db);
	size_t events = 0;

	text = kperf_kpep_text(code);
	report_line(x->out, "kpep_db_create(NULL)", "%d %s", code,
		    text != NULL ? text : "");
	if (code != 0 || db == NULL)
		return;
	if (kpep->kpep_db_name(db, &name) == 0 && name != NULL)
		report_line(x->out, "marketing name", "%s", name);
	if (kpep->kpep_db_events_count(db, &events) == 0)
		report_line(x->out, "counts", "events=%zu", events);
	kpep->kpep_db_free(db);
}

void
kperf_examine_database(struct examine *x)
{
	const struct kperf_source *s = kperf_of(x->s);
	const char *name = NULL;

	if (s->host->simulated)
		report_line(x->out, "files", "not applicable: simulated");
	else
		files(x);
	if (s->events.db == NULL) {
		not_loaded(x);
		return;
	}
	report_line(x->out, "kpep_db_create(NULL)", "0");
	report_line(x->out, "name", "%s", s->events.name);
	if (s->kpep->kpep_db_name(s->events.db, &name) == 0 && name != NULL)
		report_line(x->out, "marketing name", "%s", name);
	layout(x);
	masks(x);
	compare(x);
}

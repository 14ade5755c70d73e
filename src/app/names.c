/* Checks the config file's event names. */
#include "app/app.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/plural.h"
#include "pmu/perf/table.h"
#include "pmu/pmu.h"

enum { NAMES_MAX = 4096, FORMULA_SIZE = 256 };

struct names {
	const char *at[NAMES_MAX];
	unsigned n;
};

static void
add_name(struct names *all, const char *name)
{
	if (name != NULL && all->n < NAMES_MAX)
		all->at[all->n++] = name;
}

static void
add_linux(struct names *all, const struct linux_pmu *p)
{
	for (unsigned i = 0; i < p->nevents; i++) {
		add_name(all, p->events[i].name);
		add_name(all, p->events[i].alias);
	}
}

static void
add_every_name(struct names *all)
{
	for (unsigned k = 0; pmu_at(k) != NULL; k++)
		for (unsigned i = 0; i < pmu_at(k)->nevents; i++) {
			add_name(all, pmu_at(k)->events[i].name);
			add_name(all, pmu_at(k)->events[i].alias);
		}
	for (unsigned k = 0; linux_pmu_at(k) != NULL; k++)
		add_linux(all, linux_pmu_at(k));
	add_linux(all, &linux_software);
}

static bool
has_name(const struct names *all, const char *name)
{
	for (unsigned i = 0; i < all->n; i++)
		if (strcmp(all->at[i], name) == 0)
			return true;
	return false;
}

static bool
name_known(const struct user *u, const struct user_name *at,
	   const struct catalog *c, const struct names *all, struct err *e)
{
	struct err why;

	if ((c != NULL && catalog_find(c, at->text) != NULL) ||
	    has_name(all, at->text))
		return true;
	(void)options_unknown(&why, "event", at->text, all->at, all->n,
			      "--list-events");
	return err_set(e, ERR_USAGE, "%s:%u:%u: %s", u->path, at->line,
		       at->column, why.text);
}

bool
user_names_known(const struct user *u, const struct catalog *c, struct err *e)
{
	struct names *all;
	bool ok = true;

	if (u->nnames == 0)
		return true;
	all = calloc(1, sizeof *all);
	if (all == NULL)
		return err_set(e, ERR_FAIL, "out of memory");
	add_every_name(all);
	for (unsigned i = 0; i < u->nnames && ok; i++)
		ok = name_known(u, &u->name[i], c, all, e);
	free(all);
	return ok;
}

bool
user_names_missing(const struct user *u, const struct catalog *c, char *text,
		   size_t size)
{
	const struct user_name *first = NULL;
	unsigned n = 0;

	for (unsigned i = 0; i < u->nnames; i++) {
		if (catalog_find(c, u->name[i].text) != NULL)
			continue;
		n++;
		first = first == NULL ? &u->name[i] : first;
	}
	if (first == NULL)
		return false;
	char more[40] = "";

	if (n > 1)
		snprintf(more, sizeof more, ", nor %u %s below it", n - 1,
			 plural(n - 1, "other", "others"));
	snprintf(
		text, size,
		"%s:%u:%u: this machine has no event %s%s; metrics that need it are not shown",
		u->path, first->line, first->column, first->text, more);
	return true;
}

static void
put_metrics(struct buf *b, const struct user *u, const struct preset *p,
	    const char *event, const struct catalog *c)
{
	const char *before = " (for ";
	char formula[FORMULA_SIZE];

	for (unsigned i = 0; i < PRESET_METRICS && p->metrics[i] != NULL; i++) {
		const struct metric *m = user_metric_find(u, p->metrics[i]);

		if (m == NULL ||
		    strstr(metric_formula(m, c, formula, sizeof formula),
			   event) == NULL)
			continue;
		buf_printf(b, "%s%s", before, m->name);
		before = ", ";
	}
	if (before[0] == ',')
		buf_printf(b, ")");
}

bool
user_left_out(const struct user *u, int i, const struct eventset *set,
	      const struct catalog *c, char *text, size_t size)
{
	struct buf b = buf_over(text, size);
	unsigned n = 0;

	if (i < (int)preset_count)
		return false;
	const struct preset *p = user_preset(u, i);

	for (unsigned k = 0; k < set->ndropped; k++) {
		const char *event = set->dropped[k].event;

		if (catalog_find(c, event) == NULL) /* reported as missing */
			continue;
		if (n++ == 0)
			buf_printf(&b, "preset %s has no counter left for %s",
				   p->name, event);
		else
			buf_printf(&b, ", %s", event);
		put_metrics(&b, u, p, event, c);
	}
	if (n > 0)
		buf_printf(&b, "; earlier events of the preset use them all");
	buf_cstr(&b);
	return n > 0;
}

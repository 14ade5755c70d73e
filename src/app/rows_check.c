/* --filter and --pin, once it is known what there is to filter and to pin. */
#include "app/state.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "ui/view.h"

/* As key / says it. */
static bool
filter_ok(const struct app *a, struct err *e)
{
	const char *filter = a->o->ui.filter;

	if (filter == NULL)
		return true;
	if (strlen(filter) >= VIEW_FILTER_SIZE)
		return err_set(e, ERR_USAGE,
			       "--filter '%s' is longer than %d signs", filter,
			       VIEW_FILTER_SIZE - 1);
	struct view *v = view_new(e);

	if (v == NULL)
		return false;
	v->user_metric = a->user.metric;
	v->nuser_metrics = a->user.nmetrics;
	memcpy(v->filter, filter, strlen(filter) + 1);
	const char *why = view_filter_wrong(v);

	view_free(v);
	return why == NULL ||
	       err_set(e, ERR_USAGE, "--filter '%s': %s", filter, why);
}

/* "4", or as clusters are called somewhere: "P0", "CCX1", "LP-E". */
static bool
could_be_row(const char *word, size_t n)
{
	size_t at = 0;

	if (isdigit((unsigned char)word[0]) == 0 &&
	    isupper((unsigned char)word[0]) == 0)
		return false;
	while (at < n && (isupper((unsigned char)word[at]) != 0 ||
			  (at > 0 && word[at] == '-')))
		at++;
	while (at < n && isdigit((unsigned char)word[at]) != 0)
		at++;
	return at == n;
}

static bool
is_row(const struct topology *t, const char *word)
{
	if (isdigit((unsigned char)word[0]) != 0)
		return topology_cpu_find(t, (int)strtol(word, NULL, 10)) >= 0;
	return topology_cluster_find(t, word) >= 0;
}

static bool
pin_ok(const struct app *a, const char *at, size_t n, struct err *e)
{
	const struct source_info *i = &a->source->info;
	bool number = isdigit((unsigned char)at[0]) != 0;
	char word[TOPOLOGY_LABEL_SIZE] = "";

	if (n < sizeof word)
		memcpy(word, at, n);
	if (n < sizeof word && is_row(i->topology, word))
		return true;
	if (!could_be_row(at, n))
		return err_set(e, ERR_USAGE,
			       "--pin '%.*s' is neither the number of a CPU "
			       "nor a cluster such as P0; ktop topology lists "
			       "them",
			       (int)n, at);
	err_print("--pin: %s has no %s %.*s",
		  i->model[0] != '\0' ? i->model : "this machine",
		  number ? "CPU" : "cluster", (int)n, at);
	return true;
}

static bool
pins_ok(const struct app *a, struct err *e)
{
	const char *at = a->o->ui.pin;

	if (at == NULL || strcmp(at, "none") == 0)
		return true;
	for (size_t n; at += strspn(at, ", "), *at != '\0'; at += n) {
		n = strcspn(at, ", ");
		if (!pin_ok(a, at, n, e))
			return false;
	}
	return true;
}

bool
app_rows_ok(const struct app *a, struct err *e)
{
	return filter_ok(a, e) && pins_ok(a, e);
}

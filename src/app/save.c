/* Checks options of rows and themes; saves settings (key w) and presets. */
#include "app/state.h"
#include "base/buf.h"
#include "options/config.h"
#include "ui/theme/theme.h"
#include "ui/view/layout.h"
#include "ui/view/view.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *
rows_filter_wrong(const struct app *a, unsigned view, const char *filter)
{
	struct view *v = view_new(NULL);
	const char *why;

	if (v == NULL)
		return "out of memory";
	v->user.metric = a->user.metric;
	v->user.nmetrics = a->user.nmetrics;
	if (view == VIEW_PROCESSES)
		v->kind = VIEW_PROCESSES;
	memcpy(view_rows(v)->filter, filter, strlen(filter) + 1);
	if (a->source != NULL && a->source->info.topology != NULL)
		process_parts_of(a->source->info.topology, &v->procs->parts);
	why = view_filter_wrong(v, view_rows(v));
	view_free(v);
	return why;
}

static bool
filter_ok(const struct app *a, const char *filter, struct err *e)
{
	const char *why;

	if (strlen(filter) >= VIEW_FILTER_SIZE)
		return err_set(
			e, ERR_USAGE,
			"--filter '%s' is longer than %d characters; shorten it",
			filter, VIEW_FILTER_SIZE - 1);
	why = rows_filter_wrong(a, a->look.view, filter);
	return why == NULL ||
	       err_set(e, ERR_USAGE, "--filter '%s': %s", filter, why);
}

/* A CPU's number, or a name as clusters have it: "4", "P0", "CCX1", "LP-E". */
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
is_row_name(const struct topology *t, const char *word)
{
	if (isdigit((unsigned char)word[0]) != 0)
		return topology_cpu_find(t, (int)strtol(word, NULL, 10)) >= 0;
	return topology_cluster_find(t, word) >= 0;
}

/* First word that cannot name a row, and its length *n; NULL: none. */
static const char *
pins_wrong(const struct app *a, const char *at, size_t *n, bool say)
{
	const struct source_info *i = &a->source->info;

	if (strcmp(at, "none") == 0)
		return NULL;
	for (; at += strspn(at, ", "), *at != '\0'; at += *n) {
		char word[TOPOLOGY_LABEL_SIZE] = "";

		*n = strcspn(at, ", ");
		if (*n < sizeof word)
			memcpy(word, at, *n);
		if (*n < sizeof word && is_row_name(i->topology, word))
			continue;
		if (!could_be_row(at, *n))
			return at;
		if (say)
			err_print(
				"--pin: %s has no %s %.*s",
				i->model[0] != '\0' ? i->model : "this machine",
				isdigit((unsigned char)at[0]) != 0 ? "CPU"
								   : "cluster",
				(int)*n, at);
	}
	return NULL;
}

static bool
pins_ok(const struct app *a, const char *pins, struct err *e)
{
	size_t n = 0;
	const char *wrong = pins_wrong(a, pins, &n, true);

	return wrong == NULL ||
	       err_set(e, ERR_USAGE,
		       "--pin '%.*s' is neither the number of a CPU nor a cluster such as P0; ktop topology lists them",
		       (int)n, wrong);
}

static bool
rows_sort_known(unsigned view, const char *sort)
{
	return view_sort_find(NULL, view == VIEW_PROCESSES, sort) !=
	       COLUMN_NONE;
}

static bool
sort_ok(const struct app *a, const char *sort, struct err *e)
{
	if (rows_sort_known(a->look.view, sort))
		return true;
	if (a->look.view == VIEW_PROCESSES)
		return err_set(
			e, ERR_USAGE,
			"--sort %s: processes have no such column; choose for example cpu, ipc, gips, worst, pid or name",
			sort);
	/* Valid: a saved process column, or a name that may be an event. */
	return option_line(a->o, "sort") > 0 ||
	       view_sort_find(NULL, true, sort) == COLUMN_NONE ||
	       err_set(e, ERR_USAGE,
		       "--sort %s applies to processes; add --view processes",
		       sort);
}

/* The theme is checked even without a screen. */
static bool
theme_ok(const struct app *a, const char *theme, struct err *e)
{
	struct theme_walk w = { .at = 0 };

	(void)a;
	return theme_walk_start(&w, theme, e);
}

#define LEFT_OUT "left out: "

bool
row_options_check(struct app *a, struct err *e)
{
	const struct {
		const char *option, **value;
		bool (*ok)(const struct app *, const char *, struct err *);
	} row[] = { { "filter", &a->look.filter, filter_ok },
		    { "sort", &a->look.sort, sort_ok },
		    { "pin", &a->look.pin, pins_ok },
		    { "theme", &a->look.theme, theme_ok } };
	char text[2 * sizeof a->o->config.odd];
	struct buf odd = buf_over(text, sizeof text);

	if (a->o->config.odd[0] != '\0')
		buf_printf(&odd, LEFT_OUT "%s", a->o->config.odd);
	for (unsigned i = 0; i < sizeof row / sizeof *row; i++) {
		unsigned line = option_line(a->o, row[i].option);

		if (*row[i].value == NULL || row[i].ok(a, *row[i].value, e))
			continue;
		if (line == 0)
			return false;
		buf_printf(&odd, "%s%s:%u: %s", odd.len > 0 ? "; " : LEFT_OUT,
			   a->o->config.name, line, e->text);
		*row[i].value = NULL;
		*e = (struct err){ ERR_NONE, "" };
	}
	if (odd.len > 0)
		messages_add(&a->messages, "%s", buf_cstr(&odd));
	return true;
}

static const char *
config_file_name(const struct app *a, char path[CONFIG_PATH_MAX])
{
	if (a->o->config.path != NULL)
		return a->o->config.path;
	return config_path(path) ? path : "config";
}

static unsigned
view_to_save(const struct ui_request *r)
{
	unsigned view = 0;

	while (view < VIEW_COUNT &&
	       strcmp(layout_view_name[view], r->chosen.view) != 0)
		view++;
	return view;
}

/* Choices that the next start would refuse: the file keeps its old values. */
struct refused_choices {
	const char *filter; /* why the filter is refused; NULL: it is valid */
	bool sort, pin;
};

static struct refused_choices
find_refused_choices(const struct app *a, const struct ui_request *r)
{
	unsigned view = view_to_save(r);
	size_t n;

	return (struct refused_choices){
		rows_filter_wrong(a, view, r->chosen.filter),
		!rows_sort_known(view, r->chosen.sort),
		pins_wrong(a, r->chosen.pin, &n, false) != NULL
	};
}

/* Name of the current preset; with fixed counters only, of the preset that key
 * i would restore. NULL: none. */
static const char *
preset_to_save(const struct app *a)
{
	const struct eventset *set =
		a->counting.ipc ? &a->counting.set : a->source->info.set;

	return set != NULL && user_preset_find(&a->user, set->name) >= 0
		       ? set->name
		       : NULL;
}

/* With these options the next start would refuse --ipc. */
static bool
can_keep_ipc(const char *text)
{
	return !config_has(text, "rotate") && !config_has(text, "events");
}

static const char *
counts_to_save(const struct app *a, const char *text)
{
	if (a->counting.ipc && can_keep_ipc(text))
		return " fixed counters only,";
	return !a->counting.ipc && preset_to_save(a) != NULL ? " preset," : "";
}

static bool
set_ipc(const struct app *a, char *text)
{
	const struct source_info *i = &a->source->info;

	if (a->counting.ipc)
		return !can_keep_ipc(text) || config_set(text, "ipc", "yes");
	return i->ends || i->mode != SOURCE_FULL ||
	       config_set(text, "ipc", NULL);
}

/* The file's name comes first, as the list may be cut. */
static void
notice_saved(struct app *a, const struct ui_request *r,
	     const struct refused_choices *no, const char *file)
{
	char path[CONFIG_PATH_MAX], text[CONFIG_PATH_MAX + 200];
	struct buf b = buf_over(text, sizeof text);

	if (no->filter != NULL)
		buf_printf(&b, "not saved: the filter (%s); the rest is in %s",
			   no->filter, config_file_name(a, path));
	else if (no->sort || no->pin)
		buf_printf(
			&b,
			"not saved: the %s, which the next start would not know; the rest is in %s",
			no->sort ? "sort" : "pin", config_file_name(a, path));
	else
		buf_printf(
			&b,
			"saved in %s: theme, interval,%s view, sort, filter, group and pin",
			config_file_name(a, path), counts_to_save(a, file));
	if (r->chosen.process_pins)
		buf_printf(&b, "; pinned processes are not kept");
	messages_add(&a->messages, "%s", buf_cstr(&b));
}

static bool
set_saved_options(const struct app *a, const struct ui_request *r,
		  const struct refused_choices *no, char *text)
{
	const char *preset = preset_to_save(a);
	char time[32];

	snprintf(time, sizeof time, "%lldms",
		 (long long)(a->period_ns / 1000000));
	return config_set(text, "delay", time) &&
	       (preset == NULL || config_set(text, "preset", preset)) &&
	       set_ipc(a, text) && config_set(text, "theme", r->chosen.theme) &&
	       config_set(text, "view", r->chosen.view) &&
	       (no->sort || config_set(text, "sort", r->chosen.sort)) &&
	       config_set(text, "reverse", r->chosen.reverse ? "yes" : "no") &&
	       (no->filter != NULL ||
		config_set(text, "filter", r->chosen.filter)) &&
	       config_set(text, "group", r->chosen.group) &&
	       (no->pin || config_set(text, "pin", r->chosen.pin));
}

static void
update_config_file(struct app *a, const struct ui_request *r, int preset)
{
	const struct refused_choices no =
		r != NULL ? find_refused_choices(a, r)
			  : (struct refused_choices){ NULL, false, false };
	struct err e = { ERR_FAIL, "out of memory" };
	char *text = malloc(CONFIG_MAX), path[CONFIG_PATH_MAX];

	/* A missing file is created; one that exists was read at the start. */
	if (text != NULL && !config_read(a->o->config.path, text, NULL, &e))
		text[0] = '\0';
	if (text != NULL &&
	    !(r != NULL ? set_saved_options(a, r, &no, text)
			: config_add_preset(text, &a->user, preset)))
		messages_add(
			&a->messages,
			"not saved: %s would have more than %d bytes; remove settings from it",
			config_file_name(a, path), CONFIG_MAX - 1);
	else if (text == NULL || !config_write(a->o->config.path, text, &e))
		messages_add(&a->messages, "%s", e.text);
	else if (r != NULL)
		notice_saved(a, r, &no, text);
	else
		messages_add(&a->messages, "%s saved in %s",
			     user_preset(&a->user, preset)->name,
			     config_file_name(a, path));
	free(text);
}

void
save_choices(struct app *a, const struct ui_request *r)
{
	update_config_file(a, r, -1);
}

void
save_preset(struct app *a, int preset)
{
	update_config_file(a, NULL, preset);
}

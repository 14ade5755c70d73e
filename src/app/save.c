#include "app/save.h"

#include <stdlib.h>
#include <string.h>

#include "app/rows_check.h"
#include "app/state.h"
#include "base/buf.h"
#include "options/config.h"
#include "ui/view/layout.h"

static const char *
file_name(const struct app *a, char path[CONFIG_PATH_MAX])
{
	if (a->o->config.path != NULL)
		return a->o->config.path;
	return config_path(path) ? path : "config";
}

static bool
say_result(struct app *a, bool ok, const char *what, const struct err *e)
{
	char path[CONFIG_PATH_MAX], text[CONFIG_PATH_MAX + 64];
	struct buf b = buf_over(text, sizeof text);

	buf_printf(&b, "%s saved in %s", what, file_name(a, path));
	news_add(&a->news, "%s", ok ? buf_cstr(&b) : e->text);
	return ok;
}

/* The view that it begins with then. */
static unsigned
view_of(const struct ui_request *r)
{
	unsigned view = 0;

	while (view < VIEW_COUNT &&
	       strcmp(layout_view_name[view], r->chosen.view) != 0)
		view++;
	return view;
}

/* What the next start would refuse, and the file keeps as it was; or NULL. */
static const char *
odd_of(const struct app *a, const struct ui_request *r)
{
	if (rows_filter_wrong(a, view_of(r), r->chosen.filter) != NULL)
		return "filter";
	if (!rows_sort_known(view_of(r), r->chosen.sort))
		return "sort";
	return rows_pins_ok(a, r->chosen.pin) ? NULL : "pin";
}

/* The preset in force, or that of later where only IPC is counted; or NULL. */
static const char *
preset_of(const struct app *a)
{
	const struct eventset *set =
		a->counting.ipc ? &a->counting.set : a->source->info.set;

	return set != NULL && user_preset_find(&a->user, set->name) >= 0
		       ? set->name
		       : NULL;
}

/* The next start refuses it next to these, and only the file counts then. */
static bool
can_keep_ipc(const char *text)
{
	return !config_has(text, "rotate") && !config_has(text, "events");
}

static const char *
counts_of(const struct app *a, const char *text)
{
	if (a->counting.ipc && can_keep_ipc(text))
		return " IPC only,";
	return !a->counting.ipc && preset_of(a) != NULL ? " preset," : "";
}

/* What it gave back it does not take again; what it took it does. */
static bool
set_ipc(const struct app *a, char *text)
{
	const struct source_info *i = &a->source->info;

	if (a->counting.ipc)
		return !can_keep_ipc(text) || config_set(text, "ipc", "yes");
	return i->ends || i->mode != SOURCE_FULL ||
	       config_set(text, "ipc", NULL);
}

/* The file first: the list behind it is what may be cut. */
static void
say_saved(struct app *a, const struct ui_request *r, const char *file)
{
	char path[CONFIG_PATH_MAX], text[CONFIG_PATH_MAX + 200];
	struct buf b = buf_over(text, sizeof text);
	const char *why = rows_filter_wrong(a, view_of(r), r->chosen.filter);
	const char *odd = odd_of(a, r);

	if (odd == NULL)
		buf_printf(
			&b,
			"saved in %s: theme, interval,%s view, sort, filter, group and pin",
			file_name(a, path), counts_of(a, file));
	else if (why != NULL)
		buf_printf(&b, "not saved: the filter (%s); the rest is in %s",
			   why, file_name(a, path));
	else
		buf_printf(
			&b,
			"not saved: the %s, which the next start would not know; the rest is in %s",
			odd, file_name(a, path));
	if (r->chosen.process_pins)
		buf_str(&b, "; pinned processes are not kept");
	news_add(&a->news, "%s", buf_cstr(&b));
}

static bool
set_all(const struct app *a, const struct ui_request *r, char *text)
{
	char time[32];
	struct buf b = buf_over(time, sizeof time);
	const char *preset = preset_of(a);

	buf_printf(&b, "%lldms", (long long)(a->period_ns / 1000000));
	return config_set(text, "delay", buf_cstr(&b)) &&
	       (preset == NULL || config_set(text, "preset", preset)) &&
	       set_ipc(a, text) && config_set(text, "theme", r->chosen.theme) &&
	       config_set(text, "view", r->chosen.view) &&
	       (!rows_sort_known(view_of(r), r->chosen.sort) ||
		config_set(text, "sort", r->chosen.sort)) &&
	       config_set(text, "reverse", r->chosen.reverse ? "yes" : "no") &&
	       (rows_filter_wrong(a, view_of(r), r->chosen.filter) != NULL ||
		config_set(text, "filter", r->chosen.filter)) &&
	       config_set(text, "group", r->chosen.group) &&
	       (!rows_pins_ok(a, r->chosen.pin) ||
		config_set(text, "pin", r->chosen.pin));
}

static bool
change_file(struct app *a, const struct ui_request *r, int preset,
	    struct err *e)
{
	char *text = malloc(CONFIG_MAX); /* there may be little stack */
	bool ok;

	if (text == NULL)
		return err_set(e, ERR_FAIL, "out of memory");
	/* A missing --config FILE is made; others were read at the start. */
	if (!config_read(a->o->config.path, text, NULL, e))
		text[0] = '\0';
	bool fits = r != NULL ? set_all(a, r, text)
			      : config_add_preset(text, &a->user, preset);

	ok = fits ? config_write(a->o->config.path, text, e)
		  : err_set(e, ERR_FAIL,
			    "the config file has no room for more");
	if (ok && r != NULL)
		say_saved(a, r, text);
	free(text);
	return ok;
}

void
save_choices(struct app *a, const struct ui_request *r)
{
	struct err e = { ERR_NONE, "" };

	if (!change_file(a, r, -1, &e))
		news_add(&a->news, "%s", e.text);
}

bool
save_preset(struct app *a, int preset)
{
	struct err e = { ERR_NONE, "" };
	bool ok = change_file(a, NULL, preset, &e);

	return say_result(a, ok, user_preset(&a->user, preset)->name, &e);
}

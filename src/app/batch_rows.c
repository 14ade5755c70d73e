/* Rows of batch text: --filter, --sort and --reverse as on the screen. */
#include "app/state.h"

#include <stdio.h>
#include <string.h>

#include "ui/view/view.h"

/* A view that is never drawn: its list of cores is what is printed. */
static bool
batch_rows_of(void *arg, const struct frame *f, const unsigned **row,
	      unsigned *n)
{
	struct view *v = arg;

	v->f = f;
	v->topology = f->topology;
	if (!view_order(v, NULL))
		return false;
	*row = v->order;
	*n = v->norder;
	return true;
}

static bool
is_asked_for(const struct ui_options *look)
{
	return look->reverse ||
	       (look->filter != NULL && strcmp(look->filter, "none") != 0) ||
	       (look->sort != NULL && strcmp(look->sort, "cpu") != 0);
}

bool
app_batch_rows(struct app *a, struct sink_about *about, struct err *e)
{
	const struct ui_options *look = &a->look;
	const struct ui_status s = { .user_preset = a->user.preset,
				     .nuser_presets = a->user.npresets,
				     .user_metric = a->user.metric,
				     .nuser_metrics = a->user.nmetrics };

	if (!is_asked_for(look))
		return true;
	if (a->batch_view == NULL)
		a->batch_view = view_new(e);
	struct view *v = a->batch_view;

	if (v == NULL)
		return false;
	v->kind = VIEW_DETAIL; /* the one whose list is of cores, always */
	v->reverse = look->reverse;
	view_sort_by(v, &s, look->sort != NULL ? look->sort : "cpu");
	if (look->filter != NULL && strcmp(look->filter, "none") != 0)
		(void)snprintf(v->filter, sizeof v->filter, "%s", look->filter);
	about->choose = batch_rows_of;
	about->choose_arg = v;
	return true;
}

/* Rows that stay on top, and cells that can be clicked. */
#include "ui/view/view.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

bool
view_pinned(const struct view *v, unsigned scope)
{
	for (unsigned i = 0; i < v->npins; i++)
		if (v->pin[i] == scope)
			return true;
	return false;
}

static void
toggle(struct view *v, unsigned scope)
{
	for (unsigned i = 0; i < v->npins; i++)
		if (v->pin[i] == scope) {
			memmove(v->pin + i, v->pin + i + 1,
				(v->npins - i - 1) * sizeof *v->pin);
			v->npins--;
			return;
		}
	if (v->npins < VIEW_PINS)
		v->pin[v->npins++] = scope;
}

/* As text: the numbers of scopes are another machine's after it changed. */
static void
remember(struct view *v)
{
	struct buf b = buf_over(v->pin_text, sizeof v->pin_text);

	view_pins_text(v, &b);
}

void
view_pins_again(struct view *v)
{
	char text[sizeof v->pin_text];

	memcpy(text, v->pin_text, sizeof text);
	if (text[0] != 0)
		(void)view_pins_take(v, text);
	memcpy(v->pin_text, text, sizeof text);
}

bool
view_pin_toggle(struct view *v)
{
	bool wanted = v->pin_key && v->listed && (v->selected & VIEW_DIE) == 0;

	v->pin_key = false;
	if (wanted) {
		toggle(v, v->selected);
		remember(v);
	}
	return wanted;
}

/* The scope of a CPU's number or a cluster's label; nscopes: none. */
static unsigned
scope_called(const struct frame *f, const char *word)
{
	char *end;
	int at;

	if (isdigit((unsigned char)word[0])) {
		at = topology_cpu_find(f->topology,
				       (int)strtol(word, &end, 10));
		return at >= 0 && *end == 0 ? (unsigned)at : f->nscopes;
	}
	at = topology_cluster_find(f->topology, word);
	return at >= 0 ? frame_scope_cluster(f, (unsigned)at) : f->nscopes;
}

bool
view_pins_take(struct view *v, const char *text)
{
	bool all = true;

	v->npins = 0;
	while (*text != 0) {
		size_t n = strcspn(text, ", ");
		char word[TOPOLOGY_LABEL_SIZE] = "";
		unsigned scope = v->f->nscopes;

		if (n > 0 && n < sizeof word) {
			memcpy(word, text, n);
			scope = scope_called(v->f, word);
		}
		if (scope < v->f->nscopes && !view_pinned(v, scope))
			toggle(v, scope);
		all &= n == 0 || scope < v->f->nscopes ||
		       strcmp(word, "none") == 0;
		text += n;
		text += *text != 0;
	}
	v->topology = v->f->topology;
	remember(v);
	return all;
}

void
view_pins_text(const struct view *v, struct buf *b)
{
	const struct topology *t = v->topology;

	for (unsigned i = 0; t != NULL && i < v->npins; i++) {
		unsigned scope = v->pin[i];

		buf_str(b, i > 0 ? "," : "");
		if (scope < t->ncpus)
			buf_i64(b, t->cpu[scope].id);
		else if (scope < t->ncpus + t->nclusters)
			buf_str(b, t->cluster[scope - t->ncpus].label);
	}
	if (v->npins == 0)
		buf_str(b, "none");
	buf_cstr(b);
}

void
view_hit(const struct view *v, const struct canvas *c, int x, int y, int w,
	 int key)
{
	struct view_hits *h = v->hits;

	if (w > c->window.w - x)
		w = c->window.w - x;
	if (h->n == VIEW_HITS || w <= 0)
		return;
	h->at[h->n++] =
		(struct view_hit){ c->window.x + x, c->window.y + y, w, key };
}

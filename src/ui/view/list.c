#include "ui/view/view.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool
view_pinned(const struct view *v, unsigned scope)
{
	for (unsigned i = 0; i < v->cores.npins; i++)
		if (v->cores.pin[i] == scope)
			return true;
	return false;
}

static void
pin_toggle_scope(struct view *v, unsigned scope)
{
	for (unsigned i = 0; i < v->cores.npins; i++)
		if (v->cores.pin[i] == scope) {
			memmove(v->cores.pin + i, v->cores.pin + i + 1,
				(v->cores.npins - i - 1) *
					sizeof *v->cores.pin);
			v->cores.npins--;
			return;
		}
	if (v->cores.npins < VIEW_PINS)
		v->cores.pin[v->cores.npins++] = scope;
}

/* Saves pins as text, since scope numbers change with the machine. */
static void
pins_save_text(struct view *v)
{
	struct buf b = buf_over(v->cores.pin_text, sizeof v->cores.pin_text);

	view_pins_text(v, &b);
}

void
view_pins_restore(struct view *v)
{
	char text[sizeof v->cores.pin_text];

	memcpy(text, v->cores.pin_text, sizeof text);
	if (text[0] != 0)
		(void)view_pins_parse(v, text);
	memcpy(v->cores.pin_text, text, sizeof text);
}

bool
view_pin_toggle(struct view *v)
{
	bool wanted = v->list.pin_key && v->cores.listed &&
		      (v->cores.selected & VIEW_DIE) == 0;

	v->list.pin_key = false;
	if (wanted) {
		pin_toggle_scope(v, v->cores.selected);
		pins_save_text(v);
	}
	return wanted;
}

static unsigned
find_scope(const struct frame *f, const char *word)
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
view_pins_parse(struct view *v, const char *text)
{
	bool all = true;

	v->cores.npins = 0;
	while (*text != 0) {
		size_t n = strcspn(text, ", ");
		char word[TOPOLOGY_LABEL_SIZE] = "";
		unsigned scope = v->f->nscopes;

		if (n > 0 && n < sizeof word) {
			memcpy(word, text, n);
			scope = find_scope(v->f, word);
		}
		if (scope < v->f->nscopes && !view_pinned(v, scope))
			pin_toggle_scope(v, scope);
		all &= n == 0 || scope < v->f->nscopes ||
		       strcmp(word, "none") == 0;
		text += n;
		text += *text != 0;
	}
	v->topology = v->f->topology;
	pins_save_text(v);
	return all;
}

void
view_pins_text(const struct view *v, struct buf *b)
{
	const struct topology *t = v->topology;

	for (unsigned i = 0; t != NULL && i < v->cores.npins; i++) {
		unsigned scope = v->cores.pin[i];

		buf_str(b, i > 0 ? "," : "");
		if (scope < t->ncpus)
			buf_i64(b, t->cpu[scope].id);
		else if (scope < t->ncpus + t->nclusters)
			buf_str(b, t->cluster[scope - t->ncpus].label);
	}
	if (v->cores.npins == 0)
		buf_str(b, "none");
	buf_cstr(b);
}

bool
view_lists_cores(const struct view *v)
{
	return v->lay.panel[PANEL_CORES].h > 0 || v->kind == VIEW_DETAIL;
}

static unsigned
count_dies(const struct topology *t)
{
	unsigned n = 0;

	for (unsigned i = 0; i < t->ncpus; i++) {
		unsigned k = 0;

		while (k < i && t->cpu[k].die != t->cpu[i].die)
			k++;
		n += k == i;
	}
	return n;
}

unsigned
view_headings(const struct view *v)
{
	const struct topology *t = v->topology;

	if (t == NULL)
		return 0;
	switch (v->cores.group) {
	case GROUP_CLUSTER:
		return t->nclusters;
	case GROUP_KIND:
		return t->nkinds;
	case GROUP_DIE:
		return count_dies(t);
	case GROUP_NONE:
		break;
	}
	return 0;
}

static unsigned
heading_of(const struct view *v, long group)
{
	if (v->cores.group == GROUP_CLUSTER)
		return frame_scope_cluster(v->f, (unsigned)group);
	if (v->cores.group == GROUP_KIND)
		return frame_scope_kind(v->f, (unsigned)group);
	return VIEW_DIE | ((unsigned)group & VIEW_DIE_MASK);
}

static void
headings_insert(struct view *v, unsigned first)
{
	unsigned groups = 0, n = v->cores.norder;

	if (v->cores.group == GROUP_NONE || !view_lists_cores(v))
		return;
	for (unsigned i = first; i < n; i++)
		groups += i == first ||
			  view_group_of(v, v->cores.order[i]) !=
				  view_group_of(v, v->cores.order[i - 1]);
	v->cores.norder += groups;
	for (unsigned i = n, to = v->cores.norder; i-- > first;) {
		long group = view_group_of(v, v->cores.order[i]);
		bool begins = i == first ||
			      view_group_of(v, v->cores.order[i - 1]) != group;

		v->cores.order[--to] = v->cores.order[i];
		if (begins)
			v->cores.order[--to] = heading_of(v, group);
	}
}

static bool
order_reserve(struct view *v, unsigned n, struct err *e)
{
	if (n <= v->cores.order_room)
		return true;
	unsigned *grown =
		realloc(v->cores.order, 2 * (size_t)n * sizeof *grown);

	if (grown == NULL)
		return err_set(e, ERR_FAIL, "screen: out of memory");
	v->cores.order = grown;
	v->cores.spare = grown + n;
	double *key = realloc(v->cores.key, n * sizeof *key);

	if (key == NULL)
		return err_set(e, ERR_FAIL, "screen: out of memory");
	v->cores.key = key;
	v->cores.order_room = n;
	return true;
}

static unsigned
order_add_pinned(struct view *v, enum scope_level level)
{
	unsigned n = 0;

	for (unsigned i = 0; i < v->cores.npins; i++)
		if (v->cores.pin[i] < v->f->nscopes &&
		    v->f->scope[v->cores.pin[i]].level == level)
			v->cores.order[n++] = v->cores.pin[i];
	return n;
}

static void
sort_unpinned(const struct view *v, unsigned pinned)
{
	struct sorting s = { .v = v,
			     .key = v->cores.key,
			     .at = v->cores.order + pinned,
			     .n = v->cores.norder - pinned };

	for (unsigned i = 0; i < s.n; i++)
		v->cores.key[s.at[i]] = view_sort_key(
			v, &v->list, (struct view_row){ .scope = s.at[i] });
	view_sort_rows(&s);
}

static int
view_page(const struct view *v)
{
	if (v->kind == VIEW_BOTTLENECKS)
		return v->lost.n > 0 ? (int)v->lost.n : 1;
	int rows = layout_rows(&v->lay, v->lay.panel[PANEL_CORES].h > 0
						? PANEL_CORES
						: PANEL_CLUSTERS);

	return rows > 0 ? rows : 1;
}

bool
view_order(struct view *v, struct err *e)
{
	struct filter filter;
	const struct topology *t = v->f != NULL ? v->f->topology : NULL;
	bool cores = view_lists_cores(v);

	v->cores.norder = v->list.npinned = v->list.nmatch = 0;
	v->cores.nfolds = v->cores.nfolded = 0;
	if (t == NULL)
		return true;
	unsigned n = cores ? t->ncpus : t->nclusters;
	unsigned from = cores ? 0 : frame_scope_cluster(v->f, 0);
	/* Clusters are sorted, filtered and pinned only in the overview. */
	bool chosen = cores || v->kind == VIEW_OVERVIEW;

	if (!order_reserve(
		    v, t->ncpus + t->nclusters + VIEW_PINS + view_headings(v),
		    e))
		return false;
	if (v->kind == VIEW_BOTTLENECKS) {
		for (unsigned i = 0; i < v->lost.n; i++)
			v->cores.order[v->cores.norder++] = v->lost.at[i].scope;
		return true;
	}
	if (v->list.sort >= (int)v->f->nmetrics)
		v->list.sort = SORT_NUMBER;
	unsigned pinned =
		chosen ? order_add_pinned(v, cores ? SCOPE_CORE : SCOPE_CLUSTER)
		       : 0;

	v->cores.norder = pinned;
	view_filter_read(v, &v->list, &filter);
	for (unsigned i = from; i < from + n; i++) {
		struct view_row row = { .scope = i };
		bool match = !chosen || view_filter_passes(v, &filter, row);

		v->list.nmatch += match;
		if (match && !(chosen && view_pinned(v, i)))
			v->cores.order[v->cores.norder++] = i;
	}
	if (chosen && (v->list.sort != SORT_NUMBER || v->list.reverse ||
		       v->cores.group != GROUP_NONE))
		sort_unpinned(v, pinned);
	headings_insert(v, pinned);
	if (v->lay.panel[PANEL_CORES].h > 0)
		view_fold(v, pinned, (unsigned)view_page(v));
	/* At most half the page is pinned. */
	unsigned half = (unsigned)view_page(v) / 2;

	v->list.npinned = pinned < half ? pinned : half;
	return true;
}

unsigned
view_line(const struct view *v, unsigned i)
{
	unsigned page = v->cores.nfolds > 0 ? (unsigned)view_page(v) : 0;

	/* The last lines are always the rows of folded cores. */
	if (v->cores.norder > page && i < page && i + v->cores.nfolds >= page)
		return v->cores.norder - (page - i);
	return i < v->list.npinned ? i : v->list.top + i;
}

unsigned
view_line_end(const struct view *v, int lines)
{
	unsigned rows = v->cores.norder - v->cores.nfolds;
	unsigned last = v->list.top + (unsigned)lines - v->cores.nfolds;

	return last < rows ? last : rows;
}

static bool
lists_rows(const struct view *v)
{
	return v->lay.panel[PANEL_CORES].h > 0 ||
	       v->lay.panel[PANEL_CLUSTERS].h > 0 ||
	       v->kind == VIEW_BOTTLENECKS || v->kind == VIEW_DETAIL;
}

static void
show_cores_of(struct view *v, unsigned scope)
{
	const struct topology *t = v->f->topology;

	if (!view_lists_cores(v) || v->list.sort != SORT_NUMBER ||
	    v->list.reverse || v->f->scope[scope].level != SCOPE_CLUSTER)
		return;
	for (unsigned i = v->list.npinned; i < v->cores.norder; i++)
		if (v->cores.order[i] < t->ncpus &&
		    t->cpu[v->cores.order[i]].cluster ==
			    v->f->scope[scope].index) {
			v->list.cursor = i;
			v->list.top = i - v->list.npinned;
			return;
		}
}

long
view_row_selected(struct view *v)
{
	v->cores.cursor_away = false;
	if (!v->list.cursor_on || !v->cores.listed || v->list.cursor_moved)
		return (long)v->list.cursor;
	for (unsigned i = 0; i < v->cores.norder; i++)
		if (v->cores.order[i] == v->cores.selected)
			return (long)i;
	v->cores.cursor_away = v->cores.selected < v->f->nscopes;
	if (v->cores.cursor_away && v->kind == VIEW_DETAIL)
		show_cores_of(v, v->cores.selected);
	return (long)v->list.cursor;
}

void
view_rows_scroll(struct rows *r, unsigned n, unsigned folds, bool follow)
{
	if (follow && folds > 0 && r->cursor + folds >= n) {
		r->top = n;
	} else if (follow && r->cursor >= r->npinned) {
		if (r->cursor < r->top + r->npinned)
			r->top = r->cursor - r->npinned;
		if (r->cursor >= r->top + r->page - folds)
			r->top = r->cursor + folds - r->page + 1;
	}
	if (r->top + r->page > n)
		r->top = n > r->page ? n - r->page : 0;
}

void
view_select(struct view *v, long n)
{
	unsigned len = v->cores.norder;

	v->list.page = (unsigned)view_page(v);
	if (n >= (long)len)
		n = (long)len - 1;
	v->list.cursor = n > 0 ? (unsigned)n : 0;
	view_rows_scroll(&v->list, len, v->cores.nfolds, true);
	v->list.cursor_moved = false;
	if (v->list.cursor_on && len > 0 && !v->cores.cursor_away &&
	    lists_rows(v)) {
		v->cores.listed = true;
		v->cores.selected = v->cores.order[v->list.cursor];
	} else if (!v->list.cursor_on) {
		v->cores.listed = false;
	}
}

#include "ui/view/view.h"

#include <string.h>

static bool
is_idle_or_off(unsigned word)
{
	return word == BOTTLENECK_IDLE || word == BOTTLENECK_OFF;
}

/* Five frames: short pauses do not fold a core. */
static bool
is_core_resting(const struct view *v, unsigned cpu)
{
	enum { FRAMES = 5 };
	uint8_t word[FRAMES];
	unsigned n = 0;

	if (!is_idle_or_off(v->f->bottleneck[cpu].word))
		return false;
	if (v->when.back == 0 && v->past.self != NULL && v->past.words != NULL)
		n = v->past.words(v->past.self, cpu, FRAMES, word);
	for (unsigned i = 0; i < n; i++)
		if (!is_idle_or_off(word[i]))
			return false;
	return true;
}

static unsigned
fold_cores(struct view *v, unsigned *row, unsigned n, enum bottleneck_word word)
{
	unsigned kept = 0, out = 0, next = 0;

	for (unsigned i = 0; i < n; i++)
		if (v->f->bottleneck[row[i]].word == word &&
		    is_core_resting(v, row[i]) &&
		    !(v->list.cursor_on && v->cores.listed &&
		      v->cores.selected == row[i]))
			v->cores.spare[out++] = row[i];
	if (out < 2)
		return 0;
	for (unsigned i = 0; i < n; i++)
		if (next < out && row[i] == v->cores.spare[next])
			next++;
		else
			row[kept++] = row[i];
	for (unsigned i = 0; i < out; i++)
		row[kept + i] = v->cores.spare[i];
	return out;
}

bool
view_is_fold(unsigned scope)
{
	return (scope & VIEW_FOLD) == VIEW_FOLD;
}

void
view_fold(struct view *v, unsigned first, unsigned page)
{
	static const enum bottleneck_word word[] = { BOTTLENECK_IDLE,
						     BOTTLENECK_OFF };
	enum { WORDS = sizeof word / sizeof *word };
	unsigned *row = v->cores.order + first, n = v->cores.norder - first,
		 rows = 0;
	unsigned folded[WORDS];

	if (v->cores.unfolded || v->cores.group != GROUP_NONE ||
	    v->cores.norder <= page || v->f->bottleneck == NULL)
		return;
	for (unsigned i = 0; i < WORDS; i++) {
		folded[i] = fold_cores(v, row, n, word[i]);
		n -= folded[i];
		v->cores.nfolded += folded[i];
		rows += folded[i] > 0;
	}
	/* Folded cores are stored after the rows that represent them. */
	memmove(row + n + rows, row + n, v->cores.nfolded * sizeof *row);
	for (unsigned i = 0; i < WORDS; i++)
		if (folded[i] > 0)
			row[n++] = VIEW_FOLD | word[i];
	v->cores.norder = first + n;
	v->cores.nfolds = rows;
}

unsigned
view_folded(const struct view *v, unsigned row, const unsigned **cpu)
{
	unsigned word = row & ~(unsigned)VIEW_FOLD, n = 0;

	*cpu = v->cores.order + v->cores.norder;
	for (unsigned i = 0; i < v->cores.nfolded; i++) {
		bool of = v->f->bottleneck[v->cores.order[v->cores.norder + i]]
				  .word == word;

		if (of && n++ == 0)
			*cpu = v->cores.order + v->cores.norder + i;
	}
	return n;
}

bool
view_unfold(struct view *v)
{
	if (!v->list.cursor_on || !v->cores.listed ||
	    !view_is_fold(v->cores.selected))
		return false;
	v->cores.listed = false;
	v->cores.unfolded = true;
	return true;
}

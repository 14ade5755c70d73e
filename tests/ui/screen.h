/* A whole screen on a canvas, drawn from made-up frames. */
#ifndef TESTS_UI_SCREEN_H
#define TESTS_UI_SCREEN_H

#include "fake_frame.h"
#include "says.h"

#include "ui/keys.h"
#include "ui/panels/panel.h"
#include "ui/picture.h"

#include <stdio.h>

#include <cmocka.h>

enum { SCREEN_SIZE = 200000 };

struct screen {
	struct fake fake;
	struct view *view;
	struct canvas *canvas;
	char *text;
};

static inline void
screen_open(struct screen *s, const char *machine, int w, int h,
	    enum canvas_glyphs glyphs)
{
	setenv("TZ", "UTC", 1);
	fake_open(&s->fake, machine);
	s->view = view_new(NULL);
	s->canvas = canvas_new(glyphs, NULL);
	s->text = malloc(SCREEN_SIZE);
	assert_non_null(s->view);
	s->view->keys = ui_keys;
	assert_non_null(s->text);
	assert_true(canvas_resize(s->canvas, w, h, NULL));
	s->view->past = fake_past(&s->fake);
}

static inline const char *
screen_draw(struct screen *s)
{
	struct buf b = buf_over(s->text, SCREEN_SIZE);

	fake_headline(&s->fake);
	/* Twice: what a draw learns (the help's length) must not shift it. */
	for (int i = 0; i < 2; i++) {
		assert_true(picture_arrange(s->view, &s->fake.f,
					    &s->fake.status, s->canvas->w,
					    s->canvas->h, NULL));
		picture_draw(s->view, s->canvas);
	}
	canvas_print(s->canvas, &b);
	assert_false(b.full);
	return buf_cstr(&b);
}

static inline void
screen_close(struct screen *s)
{
	view_free(s->view);
	canvas_free(s->canvas);
	fake_close(&s->fake);
	free(s->text);
}

/* A screen that `open` opens, until the end of the block. */
#define SCREEN(s, open, ...)                                    \
	__attribute__((cleanup(screen_close))) struct screen s; \
	open(&s, __VA_ARGS__)

/* Line n of the screen, from 0. */
static inline const char *
line_of(const char *text, int n)
{
	while (n-- > 0)
		text = strchr(text, '\n') + 1;
	return text;
}

static inline void
simulated(struct screen *s)
{
	s->fake.status.simulated = true;
}

/* A core off, one stale, the slots stolen, one row catching up. */
static inline void
troubled(struct screen *s)
{
	struct fake *k = &s->fake;
	unsigned all = k->f.nscopes - 1;

	fake_row(k, 2, QUALITY_OFF);
	fake_row(k, 5, QUALITY_STALE);
	fake_row(k, 6, QUALITY_CATCHUP);
	k->span[all].n_ok = k->t->ncpus - 2;
	k->span[all].quality = QUALITY_TAKEN_OVER;
	k->f.quality = QUALITY_TAKEN_OVER;
	k->span[k->t->ncpus].n_ok--;
	k->span[k->t->ncpus + 1].n_ok--;
	for (unsigned i = 0; i < k->f.nscopes; i++) {
		unsigned m = (unsigned)metric_find("stall_pct");

		k->state[i * metric_count + m] =
			i == 0 ? VALUE_UNSUPPORTED : VALUE_FEW;
	}
	k->status.recording = true;
	fake_judge(k);
}

static inline void
help(struct screen *s)
{
	s->view->over.which = OVERLAY_HELP;
}

/* What the list in front can be sorted by. */
/* The line that has the text, alone; until the next call. */
static inline const char *
line_with(const char *text, const char *what)
{
	static char line[1024];
	const char *at = strstr(text, what);

	if (at == NULL)
		fail_msg("no %s in\n%s", what, text);
	while (at > text && at[-1] != '\n')
		at--;
	snprintf(line, sizeof line, "%.*s", (int)strcspn(at, "\n"), at);
	return line;
}

static inline unsigned
sort_choices(const struct screen *s)
{
	int column[COLUMNS_OF_ROWS];

	return view_sort_choices(s->view, column);
}

static inline int
sort_choice(const struct screen *s, unsigned i)
{
	int column[COLUMNS_OF_ROWS];

	assert_in_range(i, 0, view_sort_choices(s->view, column) - 1);
	return column[i];
}

/* What sorts the list of cores. */
static inline const char *
sort_label(const struct screen *s)
{
	static char text[32];
	struct buf b = buf_over(text, sizeof text);

	view_column_label(s->view, s->view->list.sort, &b);
	return buf_cstr(&b);
}

#endif

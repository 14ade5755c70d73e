/* The screen of processes that are made up, and keys on it. */
#ifndef TESTS_UI_PROCESS_SCREEN_H
#define TESTS_UI_PROCESS_SCREEN_H

#include "fake_processes.h"
#include "screen.h"

struct table {
	struct screen s;
	struct fake_processes p;
};

static inline void
table_open(struct table *k, int w, int h)
{
	fake_processes_open(&k->p);
	screen_open(&k->s, "m2max", w, h, CANVAS_BRAILLE);
	k->s.fake.f.processes = &k->p.t;
	k->s.fake.status.processes = true;
	for (unsigned i = 0; i < k->s.fake.f.nscopes; i++)
		k->s.fake.span[i].instructions =
			k->s.fake.span[i].cycles * 45 / 100;
	k->s.view->kind = VIEW_PROCESSES;
	k->s.view->procs->past = (struct process_past){
		(const void *)&k->p, fake_process_values, NULL, NULL, NULL, NULL
	};
}

static inline struct process_row *
row_of(struct table *k, int32_t pid)
{
	for (unsigned i = 0; i < k->p.t.n; i++)
		if (k->p.row[i].pid == pid)
			return &k->p.row[i];
	fail_msg("no process %d", pid);
	return NULL;
}

static inline void
table_close(struct table *k)
{
	screen_close(&k->s);
}

/* A table, until the end of the block. */
#define TABLE_BY(k, open, ...)                                \
	__attribute__((cleanup(table_close))) struct table k; \
	open(&k, __VA_ARGS__)
#define TABLE(k, ...) TABLE_BY(k, table_open, __VA_ARGS__)

/* The names of the rows on the screen, from above, joined by blanks. */
static inline const char *
names(struct table *k)
{
	static char text[1024];
	struct buf b = buf_over(text, sizeof text);
	const struct process_list *l = k->s.view->procs;

	screen_draw(&k->s);
	for (unsigned i = 0; i < l->list.page && processes_line(l, i) < l->n;
	     i++) {
		const struct process_row *row =
			processes_row(l, processes_line(l, i));

		buf_str(&b, i > 0 ? " " : "");
		buf_str(&b, row != NULL ? row->name : "--");
	}
	return buf_cstr(&b);
}

static inline void
press(struct table *k, int code)
{
	const struct key *key = key_find(ui_keys, code);

	assert_non_null(key);
	assert_non_null(key->view);
	key->view(k->s.view, key->arg);
	screen_draw(&k->s);
}

static inline void
set_filter(struct table *k, const char *text)
{
	snprintf(k->s.view->procs->list.filter,
		 sizeof k->s.view->procs->list.filter, "%s", text);
	screen_draw(&k->s);
}

#endif

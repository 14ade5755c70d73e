/* A terminal in memory: libvterm, and what libvterm does not tell. */
#ifndef TESTS_PTY_SCREEN_H
#define TESTS_PTY_SCREEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct screen;

/* What the terminal itself sends to the program: keys, mouse, answers. */
typedef void screen_reply(const char *bytes, size_t len, void *user);

/* NULL: out of memory. */
struct screen *screen_new(int cols, int rows, screen_reply *reply, void *user);
void screen_free(struct screen *s);

/* From now on OSC 11 has an answer: this ground. False: no "rrggbb". */
bool screen_ground(struct screen *s, const char *rrggbb);

void screen_feed(struct screen *s, const char *bytes, size_t len);
void screen_resize(struct screen *s, int cols, int rows);

/* Inside a synchronized update (mode 2026): the picture is half drawn. */
bool screen_in_update(const struct screen *s);

/*
 * Presses a key by name: up, f5, pgdn, ^C, M-x, S-tab, C-left, a single
 * character. False: no such key.
 */
bool screen_key(struct screen *s, const char *name);

/* Presses and releases a button at a column and row from 0; 4, 5: wheel. */
void screen_mouse(struct screen *s, int col, int row, int button);

/* The rows as UTF-8, trailing blanks cut, each ended by \n. To be freed. */
char *screen_text(const struct screen *s);

/*
 * The rows as runs of equal looks under one header line of the terminal's
 * state; tty is one more word for it. Runs of plain blanks are left out.
 */
void screen_cells(const struct screen *s, const char *tty, FILE *fp);

/*
 * True when nothing is left behind: main screen, cursor shown, no mouse, no
 * private modes, plain pen. Else why gets the words for what is.
 */
bool screen_given_back(const struct screen *s, char *why, size_t size);

#endif

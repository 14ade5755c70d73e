/* One run of vtrun: the program, its screen, and what has come so far. */
#ifndef TESTS_PTY_RUN_H
#define TESTS_PTY_RUN_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "child.h"
#include "screen.h"

struct run {
	struct child child;
	struct screen *screen;
	FILE *raw;          /* NULL: the bytes are not kept */
	int64_t timeout_ms; /* of each action that waits */
	int64_t last_ms;    /* of the last output */
	int64_t mark_ms;
	uint64_t bytes, mark_bytes;
	int cols, rows;
	bool nohup;
	bool blocked; /* nobody reads the terminal */
	bool feeding; /* what the screen sends now are answers */
	bool holds;   /* which wait for the action "answer" */
	char held[256];
	size_t nheld;
	bool ended;       /* nothing will come any more */
	bool killed;      /* by us, at the script's wish */
	char action[256]; /* the one under way, for complaints */
	char why[512];
};

/* Notes why the action failed; always false. */
__attribute__((format(printf, 2, 3))) bool run_fail(struct run *r,
						    const char *fmt, ...);

int64_t run_now_ms(void);

/* Waits for one thing to happen, at most until the given time. */
void run_pump(struct run *r, int64_t until_ms);

/* Reads on until the program pauses: half a picture is no picture. */
void run_drain(struct run *r);

/* Everything the program wrote before it went. */
void run_drain_last(struct run *r);

/* Writes to the program as a keyboard does. */
void run_send(const char *bytes, size_t len, void *user);

/* The same for what the screen sends, answers held back; a screen_reply. */
void run_reply(const char *bytes, size_t len, void *user);

/* Writes FILE.EXT, "txt" or "cells". */
bool run_keep(struct run *r, const char *base, const char *ext);

/* One action, "NAME" or "NAME:ARG". */
bool run_act(struct run *r, const char *action);

/* "80x24". */
bool run_parse_size(const char *arg, int *cols, int *rows);

/* The actions, one a line. */
void run_list_actions(FILE *fp);

#endif

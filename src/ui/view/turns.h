/* Presets that take turns in a recording, told from its last frames. */
#ifndef UI_VIEW_TURNS_H
#define UI_VIEW_TURNS_H

#include "monitor/history.h"

enum { TURNS_MAX = 16 };

struct turns {
	int preset[TURNS_MAX]; /* indices, lowest first */
	unsigned n;            /* 0: they do not */
};

/*
 * As of the frame `back` before the newest; user: presets behind the built-in
 * ones. Turns are taken where nearly every frame has another set than the one
 * before it, as --rotate records them.
 */
void turns_find(const struct history *h, unsigned back,
		const struct preset *user, unsigned nuser, struct turns *out);

/* The index of that preset, as above; -1: there is none. */
int preset_called(const char *name, const struct preset *user, unsigned nuser);

#endif

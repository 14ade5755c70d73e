/* Presets in rotation, detected in the last frames of a recording. */
#ifndef UI_VIEW_TURNS_H
#define UI_VIEW_TURNS_H

#include "monitor/history.h"

enum { TURNS_MAX = 16 };

struct turns {
	int preset[TURNS_MAX];
	unsigned n; /* 0: no rotation */
};

/*
 * As of `back` frames before the newest. A rotation, as by --rotate, changes
 * the set with nearly every frame. user: presets after the built-in ones.
 */
void turns_find(const struct history *h, unsigned back,
		const struct preset *user, unsigned nuser, struct turns *out);

/* Index as above; -1: none. */
int preset_find_any(const char *name, const struct preset *user,
		    unsigned nuser);

#endif

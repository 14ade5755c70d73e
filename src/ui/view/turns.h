/* Detects the rotation of presets in the last frames of a recording. */
#ifndef UI_VIEW_TURNS_H
#define UI_VIEW_TURNS_H

#include "monitor/history.h"

enum { TURNS_MAX = 16 };

struct turns {
	int preset[TURNS_MAX];
	unsigned n; /* 0: no rotation */
};

/* Finds the presets that rotate in the frames up to the frame `back` before the
 * newest. In a rotation nearly every frame has another preset than the frame
 * before. user: the presets of the user. */
void turns_find(const struct history *h, unsigned back,
		const struct preset *user, unsigned nuser, struct turns *out);

/* Index of the preset with that name, built-in ones first; -1: none. */
int preset_find_any(const char *name, const struct preset *user,
		    unsigned nuser);

#endif

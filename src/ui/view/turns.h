/* Detects presets in rotation from the last frames of a recording. */
#ifndef UI_VIEW_TURNS_H
#define UI_VIEW_TURNS_H

#include "monitor/history.h"

enum { TURNS_MAX = 16 };

struct turns {
	int preset[TURNS_MAX];
	unsigned n; /* 0: no rotation */
};

/* Finds presets in rotation, `back` frames before the newest, if nearly every
 * frame changes the set. user: presets after the built-in ones. */
void turns_find(const struct history *h, unsigned back,
		const struct preset *user, unsigned nuser, struct turns *out);

/* Preset index as above; -1: none. */
int preset_find_any(const char *name, const struct preset *user,
		    unsigned nuser);

#endif

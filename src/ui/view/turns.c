#include "ui/view/turns.h"

#include <string.h>

enum {
	LOOK_BACK = 2 * TURNS_MAX, /* newest frames searched for presets */
	SURE = 5                   /* newest frames that must show a rotation */
};

int
preset_find_any(const char *name, const struct preset *user, unsigned nuser)
{
	int found = preset_find(name);

	for (unsigned i = 0; i < nuser && found < 0; i++)
		if (strcmp(user[i].name, name) == 0)
			found = (int)(preset_count + i);
	return found;
}

static void
turns_add_preset(struct turns *t, int preset)
{
	unsigned at = 0;

	while (at < t->n && t->preset[at] < preset)
		at++;
	if (t->n == TURNS_MAX || (at < t->n && t->preset[at] == preset))
		return;
	memmove(t->preset + at + 1, t->preset + at,
		(t->n - at) * sizeof *t->preset);
	t->preset[at] = preset;
	t->n++;
}

void
turns_find(const struct history *h, unsigned back, const struct preset *user,
	   unsigned nuser, struct turns *out)
{
	unsigned frames = 0, changes = 0;
	int before = -1;

	out->n = 0;
	for (unsigned i = 0; i < LOOK_BACK; i++) {
		const struct eventset *set = history_set(h, back + i);
		int preset = set != NULL && set->len > 0
				     ? preset_find_any(set->name, user, nuser)
				     : -1;

		if (preset < 0)
			break;
		if (i < SURE) {
			changes += i > 0 && preset != before;
			frames++;
		}
		before = preset;
		turns_add_preset(out, preset);
	}
	/* A rotation repeats the preset of the frame before at most once. */
	if (changes < 2 || changes + 2 < frames)
		out->n = 0;
}

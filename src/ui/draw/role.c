#include "ui/draw/role.h"

#include <string.h>

/* clang-format off */
const struct role_text role_table[ROLE_COUNT] = {
	[ROLE_NONE]         = { "screen", "the ground of everything, where a theme paints one", false, false },
	[ROLE_TEXT]         = { "text", "numbers and sentences", true, false },
	[ROLE_DIM]          = { "dim", "labels, column titles, uncertain numbers, what cannot be chosen", true, false },
	[ROLE_FAINT]        = { "faint", "dots behind bars and in charts; never words", false, false },
	[ROLE_STRONG]       = { "strong", "the number that matters: IPC", true, false },
	[ROLE_TITLE]        = { "title", "titles of boxes", true, false },
	[ROLE_FRAME]        = { "frame", "lines of boxes", false, false },
	[ROLE_KEY]          = { "key", "the key to press", true, false },
	[ROLE_BAR]          = { "bar", "first and last line", true, false },
	[ROLE_BAR_DIM]      = { "bar.dim", "labels in the first and last line", true, false },
	[ROLE_TAB]          = { "tab", "the preset in force, the chosen row of a list", true, false },
	[ROLE_SELECTED]     = { "selected", "the row under the cursor", true, false },
	[ROLE_GOOD]         = { "value.good", "what is in order", true, false },
	[ROLE_WARN]         = { "value.warn", "a value near its bad end", true, false },
	[ROLE_BAD]          = { "value.bad", "a value at its bad end", true, false },
	[ROLE_FLAG]         = { "flag", "letters of quality", true, false },
	[ROLE_DOMAIN]       = { "domain", "counts that do not cover all modes", true, false },
	[ROLE_BADGE_OK]     = { "badge.ok", "trust: all rows came", true, false },
	[ROLE_BADGE_WARN]   = { "badge.warn", "trust: read with care", true, false },
	[ROLE_BADGE_BAD]    = { "badge.bad", "trust: the slots are not ours", true, false },
	[ROLE_BADGE_SIM]    = { "badge.sim", "the machine is simulated", true, false },
	[ROLE_KIND0]        = { "kind.0", "the fastest kind of core", true, true },
	[ROLE_KIND0_ALT]    = { "kind.0.alt", "every second cluster of it", true, true },
	[ROLE_KIND1]        = { "kind.1", "the second kind of core", true, true },
	[ROLE_KIND1_ALT]    = { "kind.1.alt", "every second cluster of it", true, true },
	[ROLE_KIND2]        = { "kind.2", "the third kind of core", true, true },
	[ROLE_KIND2_ALT]    = { "kind.2.alt", "every second cluster of it", true, true },
	[ROLE_TD_USEFUL]    = { "td.useful", "top-down: slots that did work", true, false },
	[ROLE_TD_DISCARDED] = { "td.discarded", "top-down: work thrown away", true, false },
	[ROLE_TD_DELIVERY]  = { "td.delivery", "top-down: no instructions came", true, false },
	[ROLE_TD_PROCESSING] = { "td.processing", "top-down: waiting for units or memory", true, false },
	[ROLE_HEAT]         = { "heat", "cores as cells (see [gradient])", false, false },
};
/* clang-format on */

int
role_find(const char *name)
{
	for (int i = 0; i < ROLE_COUNT; i++)
		if (strcmp(role_table[i].name, name) == 0)
			return i;
	return -1;
}

/* What a theme can style. A cell of the canvas carries a role, never a colour.
 */
#ifndef UI_DRAW_ROLE_H
#define UI_DRAW_ROLE_H

#include <stdbool.h>

enum role {
	ROLE_NONE, /* as the terminal has it */
	ROLE_TEXT,
	ROLE_DIM,
	ROLE_FAINT,
	ROLE_STRONG,
	ROLE_TITLE,
	ROLE_FRAME,
	ROLE_KEY,
	ROLE_BAR,
	ROLE_BAR_DIM,
	ROLE_TAB,
	ROLE_SELECTED,
	ROLE_GOOD,
	ROLE_WARN,
	ROLE_BAD,
	ROLE_FLAG,
	ROLE_DOMAIN,
	ROLE_BADGE_OK,
	ROLE_BADGE_WARN,
	ROLE_BADGE_BAD,
	ROLE_BADGE_SIM,
	ROLE_KIND0,
	ROLE_KIND0_ALT,
	ROLE_KIND1,
	ROLE_KIND1_ALT,
	ROLE_KIND2,
	ROLE_KIND2_ALT,
	ROLE_TD_USEFUL,
	ROLE_TD_DISCARDED,
	ROLE_TD_DELIVERY,
	ROLE_TD_PROCESSING,
	ROLE_HEAT, /* a step of the gradient heat */
	ROLE_COUNT
};

enum { ROLE_STEPS = 16 }; /* steps of a gradient: 0 low, 15 high */

struct role_text {
	const char *name; /* in theme files */
	const char *text; /* what it styles */
	bool reads; /* is text one must be able to read: contrast counts */
	bool fades; /* steps run from the colour `fade` to the role's own */
};
extern const struct role_text role_table[ROLE_COUNT];

/* Index of the role with that name, or -1. */
int role_find(const char *name);

#endif

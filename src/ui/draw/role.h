/* Roles of cells. A theme gives each role colours and attributes. */
#ifndef UI_DRAW_ROLE_H
#define UI_DRAW_ROLE_H

#include <stdbool.h>

/* ROW(role, name in theme files, description, reads: text that needs contrast,
 * fades: steps run from the colour `fade` to the role's colour). ROLE_NONE is
 * the terminal's style; ROLE_HEAT is a step of the gradient heat. */
/* clang-format off */
#define ROLES(ROW) \
	ROW(ROLE_NONE, "screen", "background of the screen, if the theme sets one", false, false) \
	ROW(ROLE_TEXT, "text", "numbers and sentences", true, false) \
	ROW(ROLE_DIM, "dim", "labels, column titles, uncertain numbers, rows that cannot be selected", true, false) \
	ROW(ROLE_FAINT, "faint", "dots behind bars and in charts; never words", false, false) \
	ROW(ROLE_STRONG, "strong", "the most important number, IPC", true, false) \
	ROW(ROLE_TITLE, "title", "titles of boxes", true, false) \
	ROW(ROLE_FRAME, "frame", "lines of boxes", false, false) \
	ROW(ROLE_KEY, "key", "names of keys", true, false) \
	ROW(ROLE_BAR, "bar", "first and last line", true, false) \
	ROW(ROLE_BAR_DIM, "bar.dim", "labels in the first and last line", true, false) \
	ROW(ROLE_TAB, "tab", "the active preset, the selected row of a list", true, false) \
	ROW(ROLE_SELECTED, "selected", "the row under the cursor", true, false) \
	ROW(ROLE_GOOD, "value.good", "normal values", true, false) \
	ROW(ROLE_WARN, "value.warn", "warnings; evidence of a small loss", true, false) \
	ROW(ROLE_BAD, "value.bad", "a flagged bottleneck, with its evidence", true, false) \
	ROW(ROLE_FLAG, "flag", "letters of data quality", true, false) \
	ROW(ROLE_DOMAIN, "domain", "counts in user mode only or kernel mode only", true, false) \
	ROW(ROLE_BADGE_OK, "badge.ok", "data quality: all rows were read", true, false) \
	ROW(ROLE_BADGE_WARN, "badge.warn", "data quality: not all rows were read", true, false) \
	ROW(ROLE_BADGE_BAD, "badge.bad", "data quality: another program took over the counters", true, false) \
	ROW(ROLE_BADGE_SIM, "badge.sim", "the label SIM of a simulated machine", true, false) \
	ROW(ROLE_KIND0, "kind.0", "the fastest kind of core", true, true) \
	ROW(ROLE_KIND0_ALT, "kind.0.alt", "every second cluster of the fastest kind", true, true) \
	ROW(ROLE_KIND1, "kind.1", "the second kind of core", true, true) \
	ROW(ROLE_KIND1_ALT, "kind.1.alt", "every second cluster of the second kind", true, true) \
	ROW(ROLE_KIND2, "kind.2", "the third kind of core", true, true) \
	ROW(ROLE_KIND2_ALT, "kind.2.alt", "every second cluster of the third kind", true, true) \
	ROW(ROLE_TD_USEFUL, "td.useful", "top-down: retiring", true, false) \
	ROW(ROLE_TD_DISCARDED, "td.discarded", "top-down: bad speculation", true, false) \
	ROW(ROLE_TD_DELIVERY, "td.delivery", "top-down: front-end bound", true, false) \
	ROW(ROLE_TD_PROCESSING, "td.processing", "top-down: back-end bound", true, false) \
	ROW(ROLE_ALARM, "alarm", "the character ! of a flagged row", true, false) \
	ROW(ROLE_HEAT, "heat", "cores as cells (see [gradient])", false, false)
/* clang-format on */

#define ROLE_NAME(role, ...) role,
enum role { ROLES(ROLE_NAME) ROLE_COUNT };
#undef ROLE_NAME

enum { ROLE_STEPS = 16 }; /* steps of a gradient: 0 low, 15 high */

struct role_text {
	const char *name;
	const char *text;
	bool reads;
	bool fades;
};
extern const struct role_text role_table[ROLE_COUNT];

/* Index of the role with that name; -1: none. */
int role_find(const char *name);

#endif

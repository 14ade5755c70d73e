/* What stands out now: rows and metrics past their marks, a line each. */
#ifndef UI_PANELS_HINTS_H
#define UI_PANELS_HINTS_H

#include "ui/view/view.h"

#include <stddef.h>

/*
 * The metrics of the set in force (while sets take turns, of all of them) that
 * the thresholds of the metric table colour, for clusters and cores, as lines
 * in r of the window. Bad ones come before nearly bad ones; of each first
 * clusters, then cores, then cores of a cluster whose line says the same; in
 * these the metrics as the set has them, and rows as the machine has them: a
 * line only moves when another comes or goes. What came from too few events is
 * left out.
 *
 * A list that is cut ends in how many are left; nothing is drawn where nothing
 * can be judged. The first `barred` clusters have bars of their top-down shares
 * above, which are not said again.
 */
void hints_draw(struct canvas *c, const struct view *v, struct rect r,
		unsigned barred);

/* How many lines that would be, if there were room for all. */
int hints_lines(const struct view *v, unsigned barred);

/*
 * A metric's text in at most w cells, no word broken, into out: whole, or what
 * follows from the value ("above 40% the core waits for data", very narrow
 * without the mark), or its beginning up to a clause's end or to dots. Empty
 * where not a word fits.
 */
void hints_text(const char *text, int w, char *out, size_t size);

#endif

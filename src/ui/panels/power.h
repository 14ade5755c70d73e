/* What the files of the power view share. */
#ifndef UI_PANELS_POWER_H
#define UI_PANELS_POWER_H

#include "ui/panels/inner.h"

/* More than two intervals: its length is shown. */
bool power_span_is_long(const struct view *v, const struct power_energy *e);

/* At most n values of the history, oldest first, into v->scratch. */
unsigned power_past(const struct view *v, unsigned rail, enum power_value what,
		    unsigned n);

/* Now, or in an earlier frame? */
bool power_is_known(const struct view *v, unsigned rail, enum power_value what);

const char *power_rail_name(const struct view *v, unsigned rail);

/* NAN: idle, or not counted. */
double power_measured_ghz(const struct view *v, unsigned cluster);

/* As many charts with values as the window has room for. */
void power_charts_draw(struct canvas *c, const struct view *v);

#endif

/* What the files of the power view share. */
#ifndef UI_PANELS_POWER_H
#define UI_PANELS_POWER_H

#include "ui/panels/inner.h"

/* More than two intervals: its length is shown. */
bool power_span_is_long(const struct view *v, const struct power_energy *e);

/* At most n values of the past, oldest first, into v->scratch. */
unsigned power_past(const struct view *v, unsigned rail, enum power_value what,
		    unsigned n);

/* Is it known of the frame shown, or was it of one before? */
bool power_is_known(const struct view *v, unsigned rail, enum power_value what);

const char *power_rail_name(const struct view *v, unsigned rail);

/* NAN: it was not busy, or not counted. */
double power_measured_ghz(const struct view *v, unsigned cluster);

/* Charts of what is known, as many as the window has room for. */
void power_charts_draw(struct canvas *c, const struct view *v);

#endif

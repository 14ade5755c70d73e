/* Shared by the panels of power. */
#ifndef UI_PANELS_POWER_H
#define UI_PANELS_POWER_H

#include "ui/panels/inner.h"

/* Is the span longer than two intervals? Then its length is shown. */
bool power_span_is_long(const struct view *v, const struct power_energy *e);

/* Writes at most n values of the history, oldest first, to v->scratch. */
unsigned power_past(const struct view *v, unsigned rail, enum power_value what,
		    unsigned n);

/* Is a value known, now or earlier? */
bool power_is_known(const struct view *v, unsigned rail, enum power_value what);

const char *power_rail_name(const struct view *v, unsigned rail);

/* Clock by the counters, GHz; NAN: idle, or not counted. */
double power_measured_ghz(const struct view *v, unsigned cluster);

/* Draws as many charts with values as fit. */
void power_charts_draw(struct canvas *c, const struct view *v);

/* Draws the chart of memory traffic; false: the traffic is unknown. */
bool power_traffic_draw(struct canvas *c, const struct view *v);

#endif

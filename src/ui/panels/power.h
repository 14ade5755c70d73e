/* Functions that the panels of power share. */
#ifndef UI_PANELS_POWER_H
#define UI_PANELS_POWER_H

#include "ui/panels/inner.h"

/* Is the span longer than two intervals of at least 1 s? */
bool power_span_is_long(const struct view *v, const struct power_energy *e);

/* Writes at most n values to v->scratch, oldest first; returns their number. */
unsigned power_past(const struct view *v, unsigned rail, enum power_value what,
		    unsigned n);

/* Is a value known now or in the history? May overwrite v->scratch. */
bool power_is_known(const struct view *v, unsigned rail, enum power_value what);

const char *power_rail_name(const struct view *v, unsigned rail);

/* Returns a cluster's cycles per busy ns, GHz; NAN: idle or not counted. */
double power_measured_ghz(const struct view *v, unsigned cluster);

void power_charts_draw(struct canvas *c, const struct view *v);

/* Draws the chart of memory traffic; false: the traffic is unknown. */
bool power_traffic_draw(struct canvas *c, const struct view *v);

#endif

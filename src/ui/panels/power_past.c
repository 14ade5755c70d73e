/* What rails are called, are, and were. */
#include "ui/panels/power.h"

#include <math.h>

unsigned
power_past(const struct view *v, unsigned rail, enum power_value what,
	   unsigned n)
{
	unsigned back = v->when.back;

	if (v->run == NULL || back >= VIEW_SPARK_MAX)
		return 0;
	if (n > VIEW_SPARK_MAX - back)
		n = VIEW_SPARK_MAX - back;
	n = history_power(v->run, rail, what, n + back, v->scratch);
	return n > back ? n - back : 0;
}

bool
power_is_known(const struct view *v, unsigned rail, enum power_value what)
{
	const struct frame_power *p = v->f->power;

	if (p != NULL && !isnan(frame_power_value(p, what, rail)))
		return true;
	unsigned n = power_past(v, rail, what, VIEW_SPARK_MAX);

	while (n > 0 && isnan(v->scratch[n - 1]))
		n--;
	return n > 0;
}

const char *
power_rail_name(const struct view *v, unsigned rail)
{
	static const char *const whole[POWER_WHOLES] = {
		[POWER_RAIL_DRAM] = "DRAM",
		[POWER_RAIL_GPU] = "GPU",
		[POWER_RAIL_PACKAGE] = "package",
		[POWER_RAIL_PLATFORM] = "platform"
	};
	unsigned clusters = v->f->topology->nclusters;

	return rail < clusters    ? v->f->topology->cluster[rail].label
	       : rail == clusters ? "CPU"
				  : whole[rail - clusters - 1];
}

double
power_measured_ghz(const struct view *v, unsigned cluster)
{
	const struct span *s = &v->f->span[frame_scope_cluster(v->f, cluster)];

	return span_has_fixed(s) && s->busy_ns > 0
		       ? (double)s->cycles / s->busy_ns
		       : NAN;
}

#include "stat/linux/task_sum.h"

/* The kernel's clocks of two groups differ by less. */
#define ALL_OF_IT 0.99

bool
task_sum(const struct task_value *kind, unsigned nkinds, double *count,
	 double *factor)
{
	uint64_t running = 0, enabled = 0;

	*count = 0;
	*factor = 1;
	for (unsigned k = 0; k < nkinds; k++) {
		*count += (double)kind[k].count;
		running += kind[k].running;
		if (kind[k].enabled > enabled)
			enabled = kind[k].enabled;
	}
	if (running == 0)
		return enabled == 0; /* it never ran: 0 is what it did */
	if ((double)running < ALL_OF_IT * (double)enabled)
		*factor = (double)enabled / (double)running;
	*count *= *factor;
	return true;
}

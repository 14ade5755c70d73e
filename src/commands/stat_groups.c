/* ktop stat: what is compared with what. */
#include "commands/stat.h"

void
stat_mean_of_groups(const struct stat_job *j, unsigned c, unsigned value,
		    struct stat_change *out)
{
	struct stat_change pair[STAT_COMMANDS];
	unsigned n = 0;

	for (unsigned i = c; i < j->n; i += j->group)
		value_compare(&j->command[j->command[i].base].values,
			      &j->command[i].values, value, j->by_turns,
			      &pair[n++]);
	stat_mean_change(pair, n, out);
}

/* Rails of Linux machines. */
#include "source/perf/power.h"

#include <dirent.h>
#include <stdio.h>

int
power_linux_rail(struct power_linux *p, enum power_what what, int package,
		 const char *name)
{
	struct power_rail *r = p->source.rail;
	unsigned n = p->source.nrails;

	for (unsigned i = 0; i < n; i++)
		if (r[i].what == what && r[i].die == package &&
		    r[i].cluster == 0)
			return (int)i;
	if (n == POWER_RAILS)
		return -1;
	r[n] = (struct power_rail){ .what = (uint8_t)what,
				    .die = (int8_t)package };
	snprintf(r[n].name, sizeof r[n].name, "%s", name);
	p->total[n] = 0;
	return (int)p->source.nrails++;
}

void
power_linux_begin_again(struct power_linux *p, unsigned rail)
{
	p->total[rail] = -(double)++p->broken;
}

void
power_linux_list(const struct power_linux *p, const char *folder,
		 void (*take)(struct power_linux *p, const char *name))
{
	char path[POWER_PATH * 2];
	const struct dirent *d;
	DIR *dir;

	snprintf(path, sizeof path, "%s%s", p->root != NULL ? p->root : "",
		 folder);
	dir = opendir(path);
	while (dir != NULL && (d = readdir(dir)) != NULL)
		if (d->d_name[0] != '.')
			take((struct power_linux *)(uintptr_t)p, d->d_name);
	if (dir != NULL)
		closedir(dir);
}

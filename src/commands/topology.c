#include "commands/command.h"
#include "server/open.h"

#include <stdio.h>

static bool
in_cluster(const struct topology *t, int id, unsigned cluster)
{
	int cpu = topology_cpu_find(t, id);

	return cpu >= 0 && t->cpu[cpu].cluster == cluster && !t->cpu[cpu].off;
}

/* Returns the cores of the cluster, less its offline CPUs. */
static unsigned
cores_on(const struct topology *t, unsigned cluster)
{
	unsigned n = t->cluster[cluster].ncores;

	for (unsigned i = 0; i < t->ncpus; i++)
		n -= t->cpu[i].cluster == cluster && t->cpu[i].off;
	return n;
}

static void
print_cpus(const struct topology *t, unsigned cluster)
{
	const char *sep = "";

	for (unsigned i = 0; i < t->ncpus; i++) {
		int first = t->cpu[i].id, last = first;

		if (t->cpu[i].cluster != cluster || t->cpu[i].off ||
		    in_cluster(t, first - 1, cluster))
			continue;
		while (in_cluster(t, last + 1, cluster))
			last++;
		printf("%s%d", sep, first);
		if (last > first)
			printf("-%d", last);
		sep = ",";
	}
}

int
command_topology(const struct options *o)
{
	struct err e = { ERR_NONE, "" };
	struct source *s = server_open_source(o, &e);

	if (s == NULL)
		return err_fail(&e);
	const struct topology *t = s->info.topology;

	puts("# label\tkind\tpmu\tcpus\tphysical_cores");
	for (unsigned i = 0; i < t->nclusters; i++) {
		const struct topology_cluster *c = &t->cluster[i];
		const struct topology_kind *k = &t->kind[c->kind];

		if (cores_on(t, i) == 0)
			continue;
		printf("%s\t%s\t%s\t", c->label, k->letter,
		       k->pmu[0] != '\0' ? k->pmu : "-");
		print_cpus(t, i);
		printf("\t%u\n", cores_on(t, i));
	}
	s->ops->close(s);
	return 0;
}

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "sim/instance.h"

static void
host_now(void *self, struct stamp *out)
{
	struct sim_kernel *k = sim_lock();

	(void)self;
	memset(out, 0, sizeof(*out));
	if (k == NULL)
		return;
	sim_kernel_now(k, out);
	sim_unlock();
}

static void
host_step(void *self, int64_t until_ns)
{
	struct sim_kernel *k = sim_lock();

	(void)self;
	if (k == NULL)
		return;
	sim_kernel_step(k, until_ns);
	sim_unlock();
}

static int
host_sysctl(const char *name, void *old, size_t *old_size, const void *fresh,
	    size_t fresh_size)
{
	int code = sim_sysctl(name, old, old_size, fresh, fresh_size);

	if (code == 0)
		return 0;
	errno = code;
	return -1;
}

static void
node_fill(const struct sim_machine *m, unsigned cpu, struct host_cpu_node *out)
{
	unsigned cluster = sim_machine_cluster(m, cpu), in_die = 0;
	const struct sim_cluster *c = &m->cluster[cluster];

	for (unsigned i = 0; i < cluster; i++)
		if (m->cluster[i].die == c->die)
			in_die++;
	out->logical_cpu_id = (int32_t)cpu;
	out->logical_cluster_id = (int32_t)cluster;
	out->die_id = (int32_t)c->die;
	out->die_cluster_id = (int32_t)in_die;
	out->cluster_core_id = (int32_t)(cpu - sim_machine_first(m, cluster));
	snprintf(out->cluster_type, sizeof(out->cluster_type), "%s",
		 m->kind[c->kind].letter);
}

/* An Intel Mac's device tree says nothing about CPUs. */
static int
host_cpu_nodes(struct host_cpu_node *out, int max)
{
	struct sim_kernel *k = sim_lock();
	int n = 0;

	if (k == NULL)
		return -1;
	if (k->m->cputype != 7)
		n = (int)k->ncpus;
	for (int i = 0; i < n && i < max; i++)
		node_fill(k->m, (unsigned)i, &out[i]);
	sim_unlock();
	return n;
}

static int
host_cpu_load(struct host_cpu_load *out, int max)
{
	struct sim_kernel *k = sim_lock();
	int n;

	if (k == NULL)
		return -1;
	n = (int)k->ncpus;
	for (int i = 0; i < n && i < max; i++)
		sim_kernel_load(k, (unsigned)i, &out[i]);
	sim_unlock();
	return n;
}

const struct host_api sim_host_functions = { .version = HOST_VERSION,
					     .simulated = true,
					     .text = "",
					     .clock = { .now = host_now,
							.step = host_step },
					     .sysctl = host_sysctl,
					     .cpu_nodes = host_cpu_nodes,
					     .cpu_load = host_cpu_load };

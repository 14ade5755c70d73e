#include "sim/sim.h"

#include "source/kperf/kperf.h"
#include "source/table.h"

static bool
probe(const struct source_options *o, struct err *e)
{
	if (o->sim != NULL)
		return true;
	/* Never by itself: numbers of a machine that is not there. */
	return err_set(e, ERR_USAGE,
		       "the simulation runs only when asked for (--sim m1)");
}

static void
close_sim(struct source *s)
{
	if (s == NULL)
		return;
	kperf_close(s);
	sim_stop();
}

static struct source *
open_sim(const struct source_options *o, struct err *e)
{
	struct source *s;

	if (!sim_start(o->sim != NULL ? o->sim : "m1", e))
		return NULL;
	s = kperf_open_with(sim_kperf(), sim_kperfdata(), sim_host(), "sim", o,
			    e);
	if (s == NULL) {
		sim_stop();
		return NULL;
	}
	s->ops = &source_sim;
	return s;
}

const struct source_ops source_sim = {
	.name = "sim",
	.text = "a simulated Mac (--sim MACHINE[,key=value]...)",
	.probe = probe,
	.open = open_sim,
	.program = kperf_program,
	.read = kperf_read,
	.processes = kperf_processes,
	.close = close_sim,
	.examine = kperf_examine,
	.repair = kperf_repair,
};

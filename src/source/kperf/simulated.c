#include "sim/sim.h"

#include "source/kperf/kperf.h"
#include "source/table.h"
#include "sim/tape.h"

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

/* A tape ends, and ktop may call what is not on it. */
static enum source_status
read_sim(struct source *s, struct sample *out, struct err *e)
{
	const struct sim_tape *t = sim_tape_now();
	enum source_status status;

	if (t != NULL && sim_tape_over(t))
		return SOURCE_END;
	status = kperf_read(s, out, e);
	return t != NULL && sim_tape_diverged(t, e) ? SOURCE_ERROR : status;
}

static bool
program_sim(struct source *s, const struct eventset *set, struct err *e)
{
	const struct sim_tape *t = sim_tape_now();

	if (kperf_program(s, set, e))
		return true;
	if (t != NULL)
		(void)sim_tape_diverged(t, e);
	return false;
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
	if (sim_tape_now() != NULL) /* no machine, and its end is its end */
		s->info.restores = false;
	return s;
}

const struct source_ops source_sim = {
	.name = "sim",
	.text = "a simulated Mac (--sim MACHINE[,key=value]...)",
	.probe = probe,
	.open = open_sim,
	.program = program_sim,
	.read = read_sim,
	.processes = kperf_processes,
	.close = close_sim,
	.examine = &kperf_examine,
};

/* A machine that stands still: one CPU whose counters never move. */
#include "source/table.h"

#include "base/buf.h"

#include <stdlib.h>

struct still {
	struct source s;
	struct topology *topology;
};

static bool
probe(const struct source_options *o, struct err *e)
{
	(void)o;
	return err_set(e, ERR_USAGE, "asked for with --source still");
}

static bool
program(struct source *s, const struct eventset *set, struct err *e)
{
	(void)s;
	return set == NULL ||
	       err_set(e, ERR_NO_PMU, "this machine has no counters");
}

static enum source_status
read_still(struct source *s, struct sample *out, struct err *e)
{
	(void)e;
	clock_now(s->info.clock, &out->stamp);
	out->cpu[0] = (struct cpu_sample){ .state = CPU_DELIVERED };
	for (unsigned i = 0; i < FIXED_COUNT; i++)
		out->cpu[0].fixed[i].supported = true;
	return SOURCE_OK;
}

static void
close_still(struct source *s)
{
	struct still *t = (struct still *)s;

	if (t != NULL)
		topology_free(t->topology);
	free(t);
}

static struct source *
open_still(const struct source_options *o, struct err *e)
{
	struct still *t = calloc(1, sizeof *t);

	(void)o;
	if (t == NULL || (t->topology = topology_new(1, 1, 1, e)) == NULL) {
		close_still(&t->s);
		err_set(e, ERR_FAIL, "out of memory");
		return NULL;
	}
	topology_finish(t->topology);
	t->s.ops = &source_still;
	t->s.info = (struct source_info){
		.source = "still",
		.model = "A machine that stands still",
		.mode = SOURCE_IPC,
		.topology = t->topology,
		.clock = clock_system(),
	};
	return &t->s;
}

const struct source_ops source_still = {
	.name = "still",
	.text = "one CPU whose counters never move",
	.probe = probe,
	.open = open_still,
	.program = program,
	.read = read_still,
	.close = close_still,
};

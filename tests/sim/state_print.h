/* What the kernel in a state file looks like, one "name value" a line. */
#ifndef TESTS_SIM_STATE_PRINT_H
#define TESTS_SIM_STATE_PRINT_H

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "sim/inside.h"

static void
state_lines(const struct sim_kernel *k, FILE *out)
{
	const struct sim_state *s = k->s;

	fprintf(out, "machine %s\n", s->machine);
	fprintf(out, "seed %" PRIu64 "\n", s->seed);
	fprintf(out, "os %u.%u\n", s->os / 100, s->os % 100);
	fprintf(out, "force %d\n", s->kpc.force);
	fprintf(out, "force_pid %d\n", (int)s->kpc.force_by.pid);
	fprintf(out, "counting %u\n", sim_counting(k));
	fprintf(out, "thread_counting %u\n", s->threads.classes);
	for (unsigned i = 0; i < k->m->nconfig; i++)
		fprintf(out, "config_%u 0x%" PRIx64 "\n", i + 2,
			sim_cpc(k) ? k->s->kpc.shown[i] : s->kpc.word[i]);
	fprintf(out, "ktrace_pid %d\n",
		s->ktrace.dead ? 0 : (int)s->ktrace.owner.pid);
	fprintf(out, "ktrace_state %u\n", s->ktrace.state);
	fprintf(out, "sampling %u\n", s->kperf.sampling);
}

/* Says of the machine in the file what a spec that joins it has to say. */
static bool
state_spec(const char *file, struct sim_spec *spec)
{
	static struct sim_state s;
	FILE *f = fopen(file, "rb");

	if (f == NULL)
		return false;
	size_t n = fread(&s, sizeof s, 1, f);
	(void)fclose(f);
	memset(spec, 0, sizeof *spec);
	spec->machine = n == 1 ? sim_machine_find(s.machine) : NULL;
	spec->seed = s.seed;
	spec->step = s.step != 0;
	spec->os = s.os;
	spec->no_pm = !s.has_pm;
	spec->pm = s.pm << 2;
	snprintf(spec->state, sizeof spec->state, "%s", file);
	return spec->machine != NULL;
}

/*
 * Dead owners are dealt with first, as at any entry. False: there is no state
 * in the file (yet).
 */
static bool
state_print(const char *file, FILE *out)
{
	static struct sim_kernel k;
	struct sim_spec spec;
	struct err e;

	if (!state_spec(file, &spec) || !sim_shared_open(&k, &spec, &e))
		return false;
	if (!sim_shared_lock(&k))
		return false;
	sim_shared_reap(&k, NULL);
	state_lines(&k, out);
	sim_shared_unlock(&k);
	sim_shared_close(&k);
	sim_kernel_free(&k);
	return true;
}

#endif

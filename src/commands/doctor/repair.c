/*
 * ktop doctor --repair: what only SIGKILL of the process that counts leaves
 * behind. The kernel takes force back when a task dies, but classes that count
 * and config words outlive it (xnu task.c, 3235: the only kpc clean-up there
 * is).
 */
#include "commands/doctor/commands.h"
#include "commands/doctor/doctor.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "kperf/trace.h"
#include "sim/sim.h"
#include "source/kperf/host.h"
#include "source/kperf/libs.h"

static void
show_left(const char *when, const struct doctor_state *l)
{
	printf("%s\n  counters of the power manager: %s\n"
	       "  classes that count: %" PRIu32 "\n  config words:",
	       when, l->force != 0 ? "taken by a program that runs" : "its own",
	       l->counting);
	for (unsigned i = 0; i < l->words.len; i++)
		printf(" %#" PRIx64, l->words.word[i]);
	puts("");
	if (l->threads != 0)
		printf("  classes that threads count: %" PRIu32 "\n",
		       l->threads);
	if (l->traced)
		puts("  tracing of the kernel: taken by a program that has died");
}

static bool
is_left(const struct doctor_state *l)
{
	if ((l->counting & KPERF_BOTH) != 0 || l->threads != 0 || l->traced)
		return true;
	for (unsigned i = 0; i < l->words.len; i++)
		if (l->words.word[i] != 0)
			return true;
	return false;
}

/* The order of every exit: counting, words, force, and counting again. */
static bool
clear(const struct kperf_api *k, const struct kperf_system *system,
      const struct doctor_state *l, struct err *e)
{
	uint64_t none[KPC_MAX_COUNTERS] = { 0 };
	uint32_t counting = l->counting;
	struct kperf_fault why;
	bool ok;

	if (l->traced && !kperf_trace_clear(k, system, 0, &why))
		return err_set(e, ERR_FAIL,
			       "tracing of the kernel does not end (%s): %s",
			       why.call, strerror(why.why));
	errno = 0;
	if (l->threads != 0 && k->kpc_set_thread_counting(0) != 0)
		return doctor_refused(e, "kpc_set_thread_counting");
	errno = 0;
	if (k->kpc_force_all_ctrs_set(1) != 0)
		return doctor_refused(e, "kpc_force_all_ctrs_set");
	errno = 0;
	ok = k->kpc_set_counting(0) == 0;
	if (!ok)
		(void)doctor_refused(e, "kpc_set_counting");
	else if (k->kpc_set_config(KPERF_SLOTS, none) != 0)
		ok = doctor_refused(e, "kpc_set_config");
	if (k->kpc_force_all_ctrs_set(0) != 0 && ok)
		ok = doctor_refused(e, "kpc_force_all_ctrs_set");
	/*
	 * The power manager's own class comes back as it was. With the
	 * configurable one, set under force, the kernel says it counts whether
	 * it did or not (xnu kpc_common.c, 270-291): giving force back has told
	 * the power manager, who starts it again if it does.
	 */
	if (ok && (counting & KPC_CLASS_CONFIGURABLE_MASK) == 0 &&
	    (counting & ~KPERF_BOTH) != 0 &&
	    k->kpc_set_counting(counting & ~KPERF_BOTH) != 0)
		ok = doctor_refused(e, "kpc_set_counting");
	return ok;
}

static bool
repair(const struct kperf_api *k, const struct host_api *host, struct err *e)
{
	const struct kperf_system *system = host != NULL ? host->system : NULL;
	struct doctor_state l;

	if (!doctor_look(k, system, &l, e))
		return false;
	show_left("found:", &l);
	if (l.force != 0)
		return err_set(
			e, ERR_TAKEN,
			"a program that runs holds the counters: what is set is its own; quit it first");
	if (!is_left(&l)) {
		puts("nothing is left to repair");
		return true;
	}
	if (!clear(k, system, &l, e) || !doctor_look(k, system, &l, e))
		return false;
	show_left("now:", &l);
	return !is_left(&l) ||
	       err_set(e, ERR_FAIL,
		       "something else sets the counters again; a restart of the Mac resets them");
}

int
command_repair(const struct options *o)
{
	struct kperf_libs libs;
	struct err e = { ERR_NONE, "" };
	bool ok;

	if (o->source.sim != NULL) {
		ok = sim_start(o->source.sim, &e);
		ok = ok && repair(sim_kperf(), sim_host(), &e);
		sim_stop();
	} else if (host_system() == NULL && !libs_asked_for(&o->source)) {
		puts("nothing to repair: this system gives counters back by itself when a process ends");
		return 0;
	} else if (libs_load(&o->source, &libs, &e)) {
		ok = repair(&libs.kperf,
			    libs.host != NULL ? libs.host : host_system(), &e);
		kperf_unload(&libs);
	} else {
		ok = false;
	}
	return ok ? 0 : err_fail(&e);
}

int
command_examine(const struct options *o)
{
	return o->cmd.repair ? command_repair(o) : command_doctor(o);
}

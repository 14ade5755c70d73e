/* Repairs for `ktop doctor --repair`: after SIGKILL, classes keep counting and
 * config words stay. The kernel only releases force (xnu task.c, 3235). */

#include "kperf/trace.h"
#include "source/kperf/kperf.h"
#include "source/kperf/state.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static bool
fail_reading(struct err *e, const char *call)
{
	return kperf_fail_call(e, call, errno);
}

bool
kperf_leftovers_read(const struct kperf_api *k,
		     const struct kperf_system *system,
		     struct kperf_leftovers *l, struct err *e)
{
	memset(l, 0, sizeof *l);
	errno = 0;
	if (k->kpc_force_all_ctrs_get(&l->force) != 0)
		return fail_reading(e, "kpc_force_all_ctrs_get");
	if (!kperf_counters_running(k, &l->counting))
		return fail_reading(e, "kpc_get_counting");
	if (!kperf_words_get(k, &l->words) &&
	    (errno != 0 || k->kpc_get_config_count(KPERF_SLOTS) > 0))
		return fail_reading(e, "kpc_get_config");
	l->threads = k->kpc_get_thread_counting();
	if (l->threads > UINT8_MAX)
		l->threads = 0;
	l->traced = system != NULL && kperf_trace_is_stale(system);
	return true;
}

static void
print_leftovers(const char *when, const struct kperf_leftovers *l)
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
has_leftovers(const struct kperf_leftovers *l)
{
	if ((l->counting & KPERF_BOTH) != 0 || l->threads != 0 || l->traced)
		return true;
	for (unsigned i = 0; i < l->words.len; i++)
		if (l->words.word[i] != 0)
			return true;
	return false;
}

static bool
clear_leftovers(const struct kperf_api *k, const struct kperf_system *system,
		const struct kperf_leftovers *l, struct err *e)
{
	uint64_t none[KPC_MAX_COUNTERS] = { 0 };
	uint32_t counting = l->counting;
	struct kperf_fault why;

	if (l->traced && !kperf_trace_clear(k, system, 0, &why))
		return err_set(e, ERR_FAIL,
			       "cannot end kernel tracing (%s): %s", why.call,
			       strerror(why.why));
	errno = 0;
	if (l->threads != 0 && k->kpc_set_thread_counting(0) != 0)
		return fail_reading(e, "kpc_set_thread_counting");
	errno = 0;
	if (k->kpc_force_all_ctrs_set(1) != 0)
		return fail_reading(e, "kpc_force_all_ctrs_set");
	errno = 0;
	bool ok = k->kpc_set_counting(0) == 0;
	if (!ok)
		(void)fail_reading(e, "kpc_set_counting");
	else if (k->kpc_set_config(KPERF_SLOTS, none) != 0)
		ok = fail_reading(e, "kpc_set_config");
	if (k->kpc_force_all_ctrs_set(0) != 0 && ok)
		ok = fail_reading(e, "kpc_force_all_ctrs_set");
	/* Restores the power class only: under force, configurable counters
	 * always read as counting (xnu kpc_common.c, 270-291). When force is
	 * released, the power manager restarts the counters it uses. */
	if (ok && (counting & KPC_CLASS_CONFIGURABLE_MASK) == 0 &&
	    (counting & ~KPERF_BOTH) != 0 &&
	    k->kpc_set_counting(counting & ~KPERF_BOTH) != 0)
		ok = fail_reading(e, "kpc_set_counting");
	return ok;
}

bool
kperf_repair(struct source *base, struct err *e)
{
	const struct kperf_api *k = kperf_of(base)->kpc;
	const struct kperf_system *system = kperf_of(base)->host->system;
	struct kperf_leftovers l;

	if (!kperf_leftovers_read(k, system, &l, e))
		return false;
	print_leftovers("found:", &l);
	if (l.force != 0)
		return err_set(
			e, ERR_TAKEN,
			"counters are in use by a running program: quit it, then run sudo ktop doctor --repair again");
	if (!has_leftovers(&l)) {
		puts("nothing is left to repair");
		return true;
	}
	if (!clear_leftovers(k, system, &l, e) ||
	    !kperf_leftovers_read(k, system, &l, e))
		return false;
	print_leftovers("now:", &l);
	return !has_leftovers(&l) ||
	       err_set(e, ERR_FAIL,
		       "another program sets the counters again; restart the Mac to reset them");
}

#include "kperf/trace.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

_Static_assert(sizeof(struct kperf_record) == 64, "kd_buf");
_Static_assert(sizeof(struct kperf_mapped) == 32, "kd_threadmap");

/* Operations of KERN_KDEBUG (xnu bsd/sys/sysctl.h, kdebug_private.h) */
enum {
	KD_SET_FLAGS = 1,
	KD_CLEAR_FLAGS,
	KD_ENABLE,
	KD_SETBUF,
	KD_GETBUF,
	KD_SETUP,
	KD_REMOVE,
	KD_READTR = 10,
	KD_READCURTHRMAP = 21,
	KD_TYPEFILTER = 22
};

enum { KD_WRAPPED = 0x8, KD_NO_COPROCESSORS = 0x400 };
enum { TYPES = 8192 }; /* bytes: one bit per class and subclass */

#define ACTION 1u /* actions are numbered from 1, timers from 0 */
#define TIMER 0u
#define LEAST_NS 1000000u /* shortest period, if the system reports none */

struct info { /* kbufinfo_t */
	int32_t nkdbufs, nolog;
	uint32_t flags;
	int32_t nkdthreads, bufid;
};

static bool
fail_trace_call(struct kperf_fault *why, const char *call, int code)
{
	*why = (struct kperf_fault){ KPERF_FAULT_CALL, call, code };
	return false;
}

/* macOS 26 reportedly rejects a NULL size. */
static bool
set_kdebug(const struct kperf_trace *t, int op, int value, const char *name,
	   struct kperf_fault *why)
{
	uint32_t nothing = 0;
	size_t size = 0;

	errno = 0;
	return t->system->kdebug(op, value, &nothing, &size) == 0 ||
	       fail_trace_call(why, name, errno);
}

static bool
set_node(const struct kperf_trace *t, const char *name, const void *value,
	 size_t size, struct kperf_fault *why)
{
	errno = 0;
	return t->system->sysctl(name, NULL, NULL, value, size) == 0 ||
	       fail_trace_call(why, name, errno);
}

static bool
set_node_u32(const struct kperf_trace *t, const char *name, uint32_t value,
	     struct kperf_fault *why)
{
	return set_node(t, name, &value, sizeof value, why);
}

static bool
check_call(int result, const char *call, struct kperf_fault *why)
{
	return result == 0 ||
	       fail_trace_call(why, call, kperf_result_errno(result));
}

/* Returns 0 or errno. The call also makes the kernel release ktrace from an
 * owner that died. */
static int
info_get(const struct kperf_system *s, struct info *out)
{
	size_t size = sizeof *out;

	memset(out, 0, sizeof *out);
	errno = 0;
	return s->kdebug(KD_GETBUF, 0, out, &size) == 0 ? 0 : errno;
}

bool
kperf_trace_owner(const struct kperf_system *s, struct kperf_owner *out,
		  struct kperf_fault *why)
{
	enum { BACKGROUND = 2 };
	int32_t state = 0;
	size_t size = sizeof state;
	struct info i;
	int code = info_get(s, &i);

	*out = (struct kperf_owner){ 0, false };
	if (code != 0)
		return fail_trace_call(why, "KERN_KDGETBUF", code);
	if (i.bufid > 0)
		out->pid = i.bufid;
	if (s->sysctl("ktrace.state", &state, &size, NULL, 0) == 0)
		out->background = out->pid != 0 && state == BACKGROUND;
	return true;
}

/* An owner resets ktrace.state on release. If an owner died without reset,
 * ktrace's background tool waits for it forever (xnu kern_ktrace.c,
 * ktrace_configure). */
bool
kperf_trace_is_stale(const struct kperf_system *s)
{
	enum { FOREGROUND = 1 };
	int32_t state = 0;
	size_t size = sizeof state;
	struct info i;

	return info_get(s, &i) == 0 && i.bufid <= 0 &&
	       s->sysctl("ktrace.state", &state, &size, NULL, 0) == 0 &&
	       state == FOREGROUND;
}

bool
kperf_trace_is_stale_of(const struct kperf_system *s, const char *program)
{
	char name[64] = "";
	size_t size = sizeof name - 1;

	return kperf_trace_is_stale(s) &&
	       s->sysctl("ktrace.configured_by", name, &size, NULL, 0) == 0 &&
	       strcmp(name, program) == 0;
}

/* Becomes the owner of ktrace, whose reset clears kperf and kdebug. Sets thread
 * counting first: after the reset another owner may set it. */
bool
kperf_trace_clear(const struct kperf_api *k, const struct kperf_system *s,
		  uint32_t threads, struct kperf_fault *why)
{
	const struct kperf_trace t = { .kperf = k, .system = s };
	struct kperf_fault other;

	if (!set_kdebug(&t, KD_CLEAR_FLAGS, 0, "KERN_KDDFLAGS", why))
		return false;
	/* EINVAL means that there are no actions, so nothing is sampled. */
	(void)check_call(k->kperf_sample_set(0), "kperf_sample_set", &other);
	bool ok = check_call(k->kpc_set_thread_counting(threads),
			     "kpc_set_thread_counting", why);
	ok = set_kdebug(&t, KD_REMOVE, 0, "KERN_KDREMOVE", why) && ok;
	return check_call(k->kperf_reset(), "kperf_reset", why) && ok;
}

static bool
ensure_action_and_timer(const struct kperf_trace *t, struct kperf_fault *why)
{
	const struct kperf_api *k = t->kperf;
	uint32_t actions = 0, timers = 0;

	return check_call(k->kperf_action_count_get(&actions),
			  "kperf_action_count_get", why) &&
	       check_call(k->kperf_timer_count_get(&timers),
			  "kperf_timer_count_get", why) &&
	       (actions >= ACTION ||
		check_call(k->kperf_action_count_set(ACTION),
			   "kperf_action_count_set", why)) &&
	       (timers > TIMER ||
		check_call(k->kperf_timer_count_set(TIMER + 1),
			   "kperf_timer_count_set", why));
}

/* Sets the timer's action before PET: otherwise threads that are switched in
 * are not sampled (xnu kptimer.c). */
static bool
set_samples(struct kperf_trace *t, int32_t pid, struct kperf_fault *why)
{
	const struct kperf_api *k = t->kperf;
	uint64_t ticks = k->kperf_ns_to_ticks(t->period_ns);

	return ensure_action_and_timer(t, why) &&
	       check_call(k->kperf_action_samplers_set(
				  ACTION, KPERF_SAMPLER_TH_INFO |
						  KPERF_SAMPLER_PMC_THREAD),
			  "kperf_action_samplers_set", why) &&
	       check_call(k->kperf_action_filter_set_by_pid(ACTION, pid),
			  "kperf_action_filter_set_by_pid", why) &&
	       check_call(k->kperf_timer_action_set(TIMER, ACTION),
			  "kperf_timer_action_set", why) &&
	       check_call(k->kperf_timer_period_set(TIMER, ticks),
			  "kperf_timer_period_set", why) &&
	       set_node_u32(t, "kperf.lightweight_pet", 1, why) &&
	       check_call(k->kperf_timer_pet_set(TIMER), "kperf_timer_pet_set",
			  why);
}

/* Records thread info and counters in the smallest ring: 8192 records per CPU.
 * Class 7 (start and end of threads) is always recorded. */
static bool
set_ring(const struct kperf_trace *t, struct kperf_fault *why)
{
	uint8_t types[TYPES] = { 0 };
	size_t size = sizeof types;

	types[0x2501 / 8] |= 1 << (0x2501 % 8);
	types[0x2506 / 8] |= 1 << (0x2506 % 8);
	if (!set_kdebug(t, KD_REMOVE, 0, "KERN_KDREMOVE", why) ||
	    !set_kdebug(t, KD_SETBUF, 0, "KERN_KDSETBUF", why) ||
	    !set_kdebug(t, KD_SETUP, 0, "KERN_KDSETUP", why) ||
	    !set_kdebug(t, KD_SET_FLAGS, KD_NO_COPROCESSORS, "KERN_KDEFLAGS",
			why))
		return false;
	errno = 0;
	return t->system->kdebug(KD_TYPEFILTER, 0, types, &size) == 0 ||
	       fail_trace_call(why, "KERN_KDSET_TYPEFILTER", errno);
}

/* Samples each thread when it ends. Filter type 4 ignores an event's start and
 * end bits. */
static bool
set_trigger(const struct kperf_trace *t, struct kperf_fault *why)
{
	struct {
		uint8_t types[16];
		uint32_t id;
	} filter = { { 4 }, KPERF_REC_TERMINATED };

	return set_node(t, "kperf.kdebug.filter", &filter, sizeof filter,
			why) &&
	       set_node_u32(t, "kperf.kdebug.action", ACTION, why);
}

static uint64_t
min_period_ns(const struct kperf_system *s)
{
	uint64_t ns = 0;
	size_t size = sizeof ns;

	return s->sysctl("kperf.limits.timer_min_pet_period_ns", &ns, &size,
			 NULL, 0) == 0
		       ? ns
		       : LEAST_NS;
}

bool
kperf_trace_prepare(struct kperf_trace *t, int32_t pid, uint64_t period_ns,
		    struct kperf_fault *why)
{
	uint64_t least = min_period_ns(t->system);

	t->self = (int32_t)getpid();
	t->period_ns = period_ns > least ? period_ns : least;
	t->restarted = false;
	/* The call only makes this process the owner of ktrace; kperf_reset()
	 * alone would release ktrace. */
	if (!set_kdebug(t, KD_CLEAR_FLAGS, 0, "KERN_KDDFLAGS", why))
		return false;
	t->taken = true;
	if (check_call(t->kperf->kperf_reset(), "kperf_reset", why) &&
	    set_samples(t, pid, why) && set_ring(t, why) && set_trigger(t, why))
		return true;
	(void)kperf_trace_release(t);
	return false;
}

bool
kperf_trace_start(struct kperf_trace *t, struct kperf_fault *why)
{
	if (set_kdebug(t, KD_ENABLE, 1, "KERN_KDENABLE", why) &&
	    check_call(t->kperf->kperf_sample_set(1), "kperf_sample_set", why))
		return true;
	(void)kperf_trace_release(t);
	return false;
}

bool
kperf_trace_period(struct kperf_trace *t, uint64_t period_ns,
		   struct kperf_fault *why)
{
	const struct kperf_api *k = t->kperf;
	uint64_t ticks = k->kperf_ns_to_ticks(period_ns);

	/* Setting the period fails while sampling. */
	if (!check_call(k->kperf_sample_set(0), "kperf_sample_set", why) ||
	    !check_call(k->kperf_timer_period_set(TIMER, ticks),
			"kperf_timer_period_set", why) ||
	    !check_call(k->kperf_sample_set(1), "kperf_sample_set", why))
		return false;
	t->period_ns = period_ns;
	return true;
}

size_t
kperf_trace_map(const struct kperf_trace *t, struct kperf_mapped *out,
		size_t max)
{
	size_t size = max * sizeof *out;

	if (t->system->kdebug(KD_READCURTHRMAP, 0, out, &size) != 0)
		return 0;
	return size / sizeof *out < max ? size / sizeof *out : max;
}

/* Since macOS 13 a ring that fills up during a read stays stopped, which only
 * kdebug_is_enabled shows. A restart drops unread records. */
static bool
restart_ring(struct kperf_trace *t, bool *gap, struct kperf_fault *why)
{
	if (t->system->kdebug_is_enabled(KPERF_REC_KPC_THREAD))
		return true;
	*gap = t->restarted = true;
	return set_kdebug(t, KD_ENABLE, 1, "KERN_KDENABLE", why);
}

enum kperf_trace_state
kperf_trace_read(struct kperf_trace *t, struct kperf_record *out, size_t max,
		 size_t *n, bool *gap, struct kperf_fault *why)
{
	size_t size = max * sizeof *out;
	struct info i;
	int code = info_get(t->system, &i);

	*n = 0;
	*gap = false;
	if (code != 0) {
		fail_trace_call(why, "KERN_KDGETBUF", code);
		return KPERF_TRACE_FAILED;
	}
	/* Do not read another tool's records: the read would make this process
	 * the owner. */
	if (i.bufid != t->self) {
		fail_trace_call(why, "KERN_KDGETBUF", EBUSY);
		return KPERF_TRACE_EVICTED;
	}
	errno = 0;
	if (t->system->kdebug(KD_READTR, 0, out, &size) != 0) {
		fail_trace_call(why, "KERN_KDREADTR", errno);
		return why->why == EBUSY ? KPERF_TRACE_EVICTED
					 : KPERF_TRACE_FAILED;
	}
	*n = size < max ? size : max;
	bool lost = (i.flags & KD_WRAPPED) != 0 ||
		    (*n > 0 && out[0].debugid == KPERF_REC_LOST);
	/* After a restart the kernel reports the loss once more. */
	*gap = lost && !t->restarted;
	t->restarted = t->restarted && !lost;
	if (*n == max)
		return KPERF_TRACE_MORE;
	return restart_ring(t, gap, why) ? KPERF_TRACE_OK : KPERF_TRACE_FAILED;
}

bool
kperf_trace_release(struct kperf_trace *t)
{
	struct kperf_fault why;
	struct info i;

	if (!t->taken)
		return true;
	t->taken = false;
	/* Another tool owns ktrace: each of the next calls would make this
	 * process owner. */
	if (info_get(t->system, &i) == 0 && i.bufid != t->self)
		return true;
	bool ok = check_call(t->kperf->kperf_sample_set(0), "kperf_sample_set",
			     &why) ||
		  why.why == ECANCELED;
	ok = set_kdebug(t, KD_ENABLE, 0, "KERN_KDENABLE", &why) && ok;
	ok = set_node_u32(t, "kperf.kdebug.action", 0, &why) && ok;
	ok = set_kdebug(t, KD_REMOVE, 0, "KERN_KDREMOVE", &why) && ok;
	/* The reset comes last, since it releases ktrace. */
	return check_call(t->kperf->kperf_reset(), "kperf_reset", &why) && ok;
}

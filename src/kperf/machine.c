#include "kperf/inside.h"

#include "base/bits.h"
#include "base/buf.h"
#include "base/plural.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_READINGS = 64 };

static struct {
	pthread_mutex_t lock;
	struct kps_machine *machines;
} registry = { PTHREAD_MUTEX_INITIALIZER, NULL };

void
kps_lock(void)
{
	(void)pthread_mutex_lock(&registry.lock);
}

void
kps_unlock(void)
{
	(void)pthread_mutex_unlock(&registry.lock);
}

static enum kps_status
status_of_call(const char *call)
{
	static const struct {
		const char *call;
		enum kps_status status;
	} of[] = {
		{ "kpc_set_config", KPS_CONFIG_FAILED },
		{ "kpc_get_config_count", KPS_CONFIG_FAILED },
		{ "kpc_set_counting", KPS_START_COUNTING },
		{ "kpc_set_thread_counting", KPS_START_THREADS },
		{ "kpc_get_thread_counting", KPS_START_THREADS },
		{ "kpc_get_thread_counters", KPS_READ_COUNTERS },
	};

	for (size_t i = 0; i < sizeof of / sizeof of[0]; i++)
		if (strcmp(call, of[i].call) == 0)
			return of[i].status;
	return KPS_FORCE_FAILED;
}

static bool
fail_fault(struct kps_error *e, const struct kperf_fault *f)
{
	return kps_fail_fault(e, f, status_of_call(f->call));
}

static bool
take_counters(struct kps_machine *m, bool anyway, struct kps_error *e)
{
	struct kperf_fault f;

	m->changes.take_anyway = anyway;
	if (!kperf_counters_acquire(&m->api, &m->found, &m->changes, &f))
		return fail_fault(e, &f);
	m->nfixed = kperf_counters_per_row(&m->api, KPC_CLASS_FIXED_MASK);
	if (m->nfixed != 0)
		m->stride = kperf_counters_per_row(&m->api, KPERF_BOTH);
	if (m->nfixed != 0 && m->stride != 0)
		return true;
	return kps_fail_errno(e, "kpc_get_counter_count", errno,
			      KPS_FORCE_FAILED);
}

static struct kps_machine *
find_machine(const struct kperf_api *api)
{
	struct kps_machine *m = registry.machines;

	while (m != NULL && memcmp(&m->api, api, sizeof *api) != 0)
		m = m->next;
	return m;
}

struct kps_machine *
kps_machine_join(const struct kperf_api *api, uint32_t config_bits,
		 bool take_anyway, struct kps_error *e)
{
	struct kps_machine *m = find_machine(api);

	if (m == NULL) {
		m = kps_new(sizeof *m, "the counters", e);
		if (m == NULL)
			return NULL;
		m->api = *api;
		m->config_bits = config_bits;
		if (!take_counters(m, take_anyway, e)) {
			(void)kperf_counters_release(&m->api, &m->found,
						     &m->changes);
			free(m);
			return NULL;
		}
		m->next = registry.machines;
		registry.machines = m;
	} else if (m->users == 0 && !take_counters(m, take_anyway, e)) {
		(void)kperf_counters_release(&m->api, &m->found, &m->changes);
		return NULL;
	}
	m->users++;
	return m;
}

bool
kps_machine_leave(struct kps_machine *m, struct kps_error *e)
{
	struct kperf_fault f = { KPERF_FAULT_NOT_RESTORED,
				 "kpc_force_all_ctrs_set", 0 };
	struct kps_machine **at = &registry.machines;

	if (--m->users > 0)
		return true;
	/* If the kernel refuses, a later kps_machine_join retries. */
	if (!kperf_counters_release(&m->api, &m->found, &m->changes))
		return kps_fail_fault(e, &f, KPS_RESET_CONTROL);
	while (*at != m)
		at = &(*at)->next;
	*at = m->next;
	free(m);
	return true;
}

static uint32_t
collect_words(const struct kps_machine *m, struct kperf_words *w)
{
	uint32_t taken = 0;

	memset(w, 0, sizeof *w);
	w->len = m->stride - m->nfixed;
	for (const struct kps_group *g = m->running; g != NULL; g = g->next) {
		for (unsigned i = 0; i < g->n; i++) {
			unsigned at = g->column[i] - m->nfixed;

			if (g->column[i] < m->nfixed || at >= w->len)
				continue;
			w->word[at] = g->slot[i].word;
			taken |= 1u << kps_nth_counter(m->config_bits, at);
		}
	}
	return taken;
}

static int
find_shared_counter(const struct kps_machine *m, const struct kperf_words *w,
		    uint32_t taken, const struct kps_slot *s)
{
	for (unsigned i = 0; i < w->len; i++) {
		unsigned c = kps_nth_counter(m->config_bits, i);

		if ((taken >> c & 1) != 0 && w->word[i] == s->word)
			return (int)c;
	}
	return -1;
}

/* Gives each event of g a column: a running counter with the same word, else a
 * free counter. If no counter is taken, the free counter is the slot's own. *w:
 * words of all groups and of g. */
static bool
assign_columns(const struct kps_machine *m, struct kps_group *g,
	       struct kperf_words *w, struct kps_error *e)
{
	uint32_t taken = collect_words(m, w), mask[KPS_EVENTS_MAX] = { 0 };
	unsigned want[KPS_EVENTS_MAX], place[KPS_EVENTS_MAX] = { 0 }, n = 0;
	struct kps_slot squeezed[KPS_EVENTS_MAX];
	struct place_conflict why;

	for (unsigned i = 0; i < g->n; i++) {
		struct kps_slot *s = &g->slot[i];
		int c = s->word == 0 ? -1 : find_shared_counter(m, w, taken, s);

		if (s->word == 0) {
			g->column[i] = s->counter;
		} else if (c >= 0) {
			g->column[i] = m->nfixed +
				       bits_below(m->config_bits, (unsigned)c);
		} else {
			mask[n] = taken == 0 ? 1u << s->counter
					     : s->mask & ~taken;
			squeezed[n] = *s;
			want[n++] = i;
		}
	}
	if (!place_events(mask, n, place, &why))
		return kps_fail_conflict(e, squeezed, &why, taken);
	for (unsigned j = 0; j < n; j++) {
		unsigned at = bits_below(m->config_bits, place[j]);

		if (at >= w->len)
			return kps_fail(e, KPS_CONFLICT, NULL,
					"%s: the kernel offers %u %s only",
					g->slot[want[j]].event->name, w->len,
					plural(w->len, "counter", "counters"));
		w->word[at] = g->slot[want[j]].word;
		g->column[want[j]] = m->nfixed + at;
	}
	return true;
}

static void
list_refused(struct kps_error *e, const char *call,
	     const struct kps_event *first, unsigned refused, unsigned asked)
{
	if (refused == 0)
		kps_fail(
			e, KPS_EVENT_REFUSED, call,
			"macOS refuses these events together, though each of them alone is allowed; count some of them in another run");
	else if (refused == asked && asked > 1)
		kps_fail(
			e, KPS_EVENT_REFUSED, call,
			"macOS refuses to count %s (event %#x) and the other %u too; cycles and instructions still count",
			first->name, (unsigned)first->number, asked - 1);
	else if (refused > 1)
		kps_fail(
			e, KPS_EVENT_REFUSED, call,
			"macOS refuses to count %s (event %#x) and %u more; omit them",
			first->name, (unsigned)first->number, refused - 1);
	else
		kps_fail(
			e, KPS_EVENT_REFUSED, call,
			"macOS refuses to count %s (event %#x); omit it; the other events are not the cause",
			first->name, (unsigned)first->number);
}

/* EPERM does not name the refused event, so each event is tried alone. */
static bool
fail_refused(struct kps_machine *m, const struct kps_group *g,
	     const struct kperf_words *w, const struct kperf_fault *f,
	     struct kps_error *e)
{
	const struct kps_event *first = NULL;
	unsigned asked = 0, refused = 0;
	uint32_t places = 0, out;

	for (unsigned i = 0; i < g->n; i++)
		if (g->slot[i].word != 0)
			places |= 1u << (g->column[i] - m->nfixed);
	if (!kperf_counters_find_refused(&m->api, &m->changes, f, w, places,
					 &out))
		return fail_fault(e, f);
	for (unsigned i = 0; i < g->n; i++) {
		if (g->slot[i].word == 0)
			continue;
		asked++;
		if ((out >> (g->column[i] - m->nfixed) & 1) != 0 &&
		    refused++ == 0)
			first = g->slot[i].event;
	}
	list_refused(e, f->call, first, refused, asked);
	if (e != NULL)
		e->sys_errno = EPERM;
	return false;
}

static bool
threads_run(const struct kps_machine *m)
{
	for (const struct kps_group *g = m->running; g != NULL; g = g->next)
		if (g->threads)
			return true;
	return false;
}

/* Discards the first reading, which has the values of the last context switch.
 * The call fails with EINVAL until the thread has a buffer (xnu
 * kern/kpc_thread.c). */
static bool
discard_stale_reading(const struct kps_machine *m, struct kperf_fault *f)
{
	uint64_t row[KPC_MAX_COUNTERS];
	int rc = 0;

	for (int i = 0; i < FIRST_READINGS; i++) {
		errno = 0;
		rc = m->api.kpc_get_thread_counters(0, KPC_MAX_COUNTERS, row);
		if (rc == 0)
			return true;
		if (kperf_result_errno(rc) != EINVAL)
			break;
		(void)sched_yield();
	}
	*f = (struct kperf_fault){ KPERF_FAULT_CALL, "kpc_get_thread_counters",
				   kperf_result_errno(rc) };
	return false;
}

static bool
program_words(struct kps_machine *m, const struct kps_group *g,
	      const struct kperf_words *w, struct kperf_fault *f)
{
	bool first = g->threads && !threads_run(m);

	/* Running groups are not reprogrammed if the words stay the same. */
	if (m->running == NULL || !kperf_words_equal(w, &m->words) ||
	    !kperf_counters_unchanged(&m->api, &m->changes)) {
		if (first && !kperf_counters_set_threads(&m->api, &m->found,
							 &m->changes, 0, f))
			return false;
		m->epoch++;
		if (!kperf_counters_program(&m->api, &m->found, &m->changes, w,
					    f))
			return false;
	}
	/* kpc_set_thread_counting also allocates this thread's buffer. */
	return !g->threads ||
	       (kperf_counters_set_threads(&m->api, &m->found, &m->changes,
					   KPERF_BOTH, f) &&
		discard_stale_reading(m, f));
}

static void
restore_running(struct kps_machine *m)
{
	struct kperf_fault f;

	m->epoch++;
	if (!threads_run(m))
		(void)kperf_counters_restore_threads(&m->api, &m->found,
						     &m->changes);
	if (m->running == NULL)
		(void)kperf_counters_pause(&m->api, &m->found, &m->changes);
	else if (!kperf_counters_program(&m->api, &m->found, &m->changes,
					 &m->words, &f))
		(void)kperf_counters_program(&m->api, &m->found, &m->changes,
					     &m->words, &f);
}

bool
kps_machine_start(struct kps_machine *m, struct kps_group *g,
		  struct kps_error *e)
{
	struct kperf_words w;
	struct kperf_fault f;

	if (!assign_columns(m, g, &w, e))
		return false;
	if (!program_words(m, g, &w, &f)) {
		fail_refused(m, g, &w, &f, e);
		restore_running(m);
		return false;
	}
	m->words = w;
	g->stride = m->stride;
	g->next = m->running;
	m->running = g;
	return true;
}

bool
kps_machine_stop(struct kps_machine *m, struct kps_group *g,
		 struct kps_error *e)
{
	struct kps_group **at = &m->running;
	struct kperf_fault f = { KPERF_FAULT_NOT_RESTORED, "", 0 };
	bool threads, counting;

	while (*at != g)
		at = &(*at)->next;
	*at = g->next;
	(void)collect_words(m, &m->words);
	threads = threads_run(m) || kperf_counters_restore_threads(
					    &m->api, &m->found, &m->changes);
	counting = m->running != NULL ||
		   kperf_counters_pause(&m->api, &m->found, &m->changes);
	if (threads && counting)
		return true;
	f.call = counting ? "kpc_set_thread_counting" : "kpc_set_counting";
	kps_fail_fault(e, &f, KPS_STOP_COUNTING);
	if (e != NULL) {
		e->code = counting ? KPS_STOP_THREADS : KPS_STOP_COUNTING;
		e->sys_errno = errno;
	}
	return false;
}

unsigned
kps_nth_counter(uint32_t mask, unsigned n)
{
	for (; n > 0 && mask != 0; n--)
		mask &= mask - 1;
	return mask != 0 ? bits_lowest(mask) : 0;
}

static void
list_rivals(struct buf *b, const struct kps_slot *slot, uint32_t events,
	    uint32_t counters)
{
	bool one = (events & (events - 1)) == 0;
	bool two = !one && kps_nth_counter(events, 2) == 0;

	for (uint32_t left = events; left != 0; left &= left - 1) {
		if (left != events)
			buf_str(b, (left & (left - 1)) == 0 ? " and " : ", ");
		buf_str(b, slot[kps_nth_counter(left, 0)].event->name);
	}
	buf_str(b, one ? " needs " : two ? " both need " : " all need ");
	if (counters == 0)
		buf_str(b, "a counter");
	else
		place_put_counters(b, counters);
}

bool
kps_fail_conflict(struct kps_error *e, const struct kps_slot *slot,
		  const struct place_conflict *why, uint32_t used)
{
	char text[400];
	struct buf b = buf_over(text, sizeof text);
	uint32_t wanted = why->counters;

	for (uint32_t left = why->events; left != 0; left &= left - 1)
		wanted |= slot[kps_nth_counter(left, 0)].mask;
	list_rivals(&b, slot, why->events, wanted);
	if ((wanted & used) != 0) {
		buf_str(&b, ", and other samplers that run have ");
		place_put_counters(&b, wanted & used);
		return kps_fail(e, KPS_CONFLICT, NULL, "%s; stop one of them",
				buf_cstr(&b));
	}
	return kps_fail(e, KPS_CONFLICT, NULL, "%s; omit one", buf_cstr(&b));
}

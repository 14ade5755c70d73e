/*
 * Every kpc call that changes nothing, before, with and after force; and those
 * that change a Mac, one by one: the source makes them, and they are seen on
 * their way through the tape's functions.
 */
#include "commands/doctor/doctor.h"

#include <errno.h>
#include <string.h>

#include "kperf/tape/tape.h"

/* By their numbers of kperf/tape/tape.h. */
enum {
	COUNTING = TAPE_KPERF_ID(kpc_get_counting),
	THREADS = TAPE_KPERF_ID(kpc_get_thread_counting),
	VERSION = TAPE_KPERF_ID(kpc_pmu_version),
	FORCE = TAPE_KPERF_ID(kpc_force_all_ctrs_get),
	COUNTERS = TAPE_KPERF_ID(kpc_get_counter_count),
	WORDS = TAPE_KPERF_ID(kpc_get_config_count),
	CONFIG = TAPE_KPERF_ID(kpc_get_config)
};

/* clang-format off */
static const struct call {
	unsigned id;
	uint32_t classes; /* 0: it is not asked for any */
} calls[] = {
	{ VERSION, 0 }, { COUNTING, 0 }, { THREADS, 0 }, { FORCE, 0 },
	{ COUNTERS, 1 }, { COUNTERS, 2 }, { COUNTERS, 3 }, { COUNTERS, 4 },
	{ COUNTERS, 8 },
	{ WORDS, 1 }, { WORDS, 2 }, { WORDS, 3 }, { WORDS, 4 }, { WORDS, 8 },
	{ CONFIG, 1 }, { CONFIG, 2 }, { CONFIG, 8 },
};
/* clang-format on */

enum { CALLS = sizeof calls / sizeof calls[0] };
_Static_assert((int)CALLS <= (int)DOCTOR_CALLS_MAX, "room for every call");

static int64_t
ask(const struct kperf_api *k, const struct call *c, struct doctor_answer *a)
{
	int value = 0, rc;

	switch (c->id) {
	case VERSION:
		return k->kpc_pmu_version();
	case COUNTING:
		return k->kpc_get_counting();
	case THREADS:
		return k->kpc_get_thread_counting();
	case FORCE:
		rc = k->kpc_force_all_ctrs_get(&value);
		a->told = value;
		return rc;
	case COUNTERS:
		return k->kpc_get_counter_count(c->classes);
	case WORDS:
		return k->kpc_get_config_count(c->classes);
	}
	/* It writes as many as the live count says: never ask for none. */
	a->nwords = k->kpc_get_config_count(c->classes);
	if (a->nwords == 0 || a->nwords > KPC_MAX_COUNTERS) {
		a->nwords = 0;
		return -1;
	}
	errno = 0;
	return k->kpc_get_config(c->classes, a->word);
}

void
doctor_calls_ask(struct doctor *d, enum doctor_phase phase)
{
	for (unsigned i = 0; i < CALLS; i++) {
		struct doctor_answer *a = &d->call[i][phase];
		int64_t from = doctor_now_ns();

		memset(a, 0, sizeof *a);
		errno = 0;
		a->value = ask(d->kpc, &calls[i], a);
		a->error = errno;
		a->ns = doctor_now_ns() - from;
		a->asked = true;
	}
}

/* The errno matters only where the function failed, or says 0 for failure. */
static bool
failed(const struct doctor_answer *a)
{
	return a->error != 0 && a->value <= 0;
}

/* "kpc_get_config(2)" */
static const char *
name_of(unsigned i, char text[64])
{
	char classes[12] = "";

	if (calls[i].classes != 0)
		snprintf(classes, sizeof classes, "%u", calls[i].classes);
	snprintf(text, 64, "%s(%s)", tape_name(calls[i].id), classes);
	return text;
}

static void
put_answer(struct buf *b, const struct doctor_answer *a)
{
	char number[24];

	if (!a->asked) {
		buf_char(b, '-');
		return;
	}
	buf_i64(b, a->value);
	if (a->told != 0)
		buf_printf(b, " gives %lld", (long long)a->told);
	if (failed(a))
		buf_printf(b, " %s", report_errno(a->error, number));
	buf_printf(b, " %lldus", (long long)(a->ns + 500) / 1000);
}

static void
print_call(const struct doctor *d, unsigned i)
{
	char name[64], text[256];
	struct buf b = buf_over(text, sizeof text);

	for (unsigned p = 0; p < DOCTOR_PHASES; p++) {
		buf_str(&b, p > 0 ? " | " : "");
		put_answer(&b, &d->call[i][p]);
	}
	fprintf(d->x.out, "%s: %s\n", name_of(i, name), buf_cstr(&b));
}

static void
print_words(const struct doctor *d, unsigned i)
{
	static const char *const when[] = { "before", "forced", "after" };

	for (unsigned p = 0; p < DOCTOR_PHASES; p++) {
		const struct doctor_answer *a = &d->call[i][p];
		char key[64], text[KPC_MAX_COUNTERS * 20];
		struct buf b = buf_over(text, sizeof text);

		if (!a->asked || a->nwords == 0 || a->value != 0)
			continue;
		for (unsigned w = 0; w < a->nwords; w++)
			buf_printf(&b, "%s0x%llx", w > 0 ? " " : "",
				   (unsigned long long)a->word[w]);
		snprintf(key, sizeof key, "config(%u) %s", calls[i].classes,
			 when[p]);
		report_line(d->x.out, key, "%s", buf_cstr(&b));
	}
}

static bool
alike(const struct doctor_answer *a, const struct doctor_answer *b)
{
	return a->value == b->value && a->told == b->told &&
	       failed(a) == failed(b) && a->nwords == b->nwords &&
	       (!failed(a) || a->error == b->error) &&
	       memcmp(a->word, b->word, sizeof a->word) == 0;
}

static const struct doctor_answer *
answers(const struct doctor *d, unsigned id, uint32_t classes)
{
	unsigned i = 0;

	while (calls[i].id != id || calls[i].classes != classes)
		i++;
	return d->call[i];
}

/*
 * Config words that nothing counts are no state from macOS 26.5 on: what is
 * read of them is what the hardware was left with (kperf/hold.h, latent).
 */
static bool
words_matter(const struct doctor *d)
{
	const struct doctor_answer *a = answers(d, COUNTING, 0);

	return !d->x.found.kernel.latent ||
	       ((a[DOCTOR_BEFORE].value & a[DOCTOR_AFTER].value) &
		KPC_CLASS_CONFIGURABLE_MASK) != 0;
}

static void
differences(struct doctor *d)
{
	for (unsigned i = 0; i < CALLS; i++) {
		char key[64];

		if (alike(&d->call[i][DOCTOR_BEFORE],
			  &d->call[i][DOCTOR_AFTER]) ||
		    (calls[i].id == CONFIG && !words_matter(d)))
			continue;
		report_line(d->x.out, "changed", "%s", name_of(i, key));
		d->found.differences++;
	}
	d->found.restored =
		d->found.differences == 0 && d->found.restore.text[0] == '\0';
	report_line(
		d->x.out, "counter layer", "%s",
		!d->found.forced ? "not tried"
		: d->x.found.kernel.latent
			? "CPC (macOS 26.5 and later): words can be told only while they count"
			: "kpc (to macOS 26.4): words act at once");
	report_line(d->x.out, "restored", "%s%s%s",
		    !d->found.restored ? "no"
		    : d->found.forced  ? "yes"
				       : "yes (nothing was taken)",
		    d->found.restore.text[0] != '\0' ? ": " : "",
		    d->found.restore.text);
}

void
doctor_questions_calls(const struct doctor *d)
{
	const struct doctor_answer *force = answers(d, FORCE, 0);
	const struct doctor_answer *raw = answers(d, WORDS, 8);

	report_line(
		d->x.out, "force before ktop", "%s",
		force[DOCTOR_BEFORE].value != 0 ? "unknown"
		: force[DOCTOR_BEFORE].told == 0
			? "0"
			: "1: somebody holds the counters, or no power manager is there");
	if (d->found.forced)
		report_line(d->x.out, "raw words", "%lld%s",
			    (long long)raw[DOCTOR_FORCED].value,
			    raw[DOCTOR_FORCED].value == 17
				    ? " (with event filtering)"
				    : "");
}

static void
print_calls(struct doctor *d)
{
	fprintf(d->x.out,
		"# returned, errno, time: before force | with force | after restoring\n");
	for (unsigned i = 0; i < CALLS; i++)
		print_call(d, i);
	for (unsigned i = 0; i < CALLS; i++)
		print_words(d, i);
	if (d->call[0][DOCTOR_AFTER].asked)
		differences(d);
}

/* ---- those that change something ---- */

static bool
changes(unsigned id)
{
	return id == TAPE_KPERF_ID(kpc_force_all_ctrs_set) ||
	       id == TAPE_KPERF_ID(kpc_set_counting) ||
	       id == TAPE_KPERF_ID(kpc_set_thread_counting) ||
	       id == TAPE_KPERF_ID(kpc_set_config);
}

static bool
before(void *self, struct tape_call *c)
{
	struct doctor *d = self;

	(void)c;
	d->watch.from_ns = doctor_now_ns();
	return true;
}

static void
after(void *self, struct tape_call *c)
{
	struct doctor *d = self;
	struct doctor_watch *w = &d->watch;
	int64_t ns = doctor_now_ns() - w->from_ns;

	if (w->phase == NULL || !changes(c->id) ||
	    w->ncalls == DOCTOR_CHANGES_MAX)
		return;
	w->call[w->ncalls++] = (struct doctor_change){
		.phase = w->phase,
		.id = c->id,
		.arg = c->arg[0],
		.result = c->result,
		.error = c->result != 0 ? c->error : 0,
		.ns = ns,
	};
	/* The first set is complete when counting is on. */
	if (c->id == TAPE_KPERF_ID(kpc_set_counting) && c->arg[0] != 0 &&
	    strcmp(w->phase, "set") == 0)
		w->phase = NULL;
}

void
doctor_watch_begin(struct doctor *d)
{
	struct doctor_watch *w = &d->watch;

	w->engine = (struct tape_engine){
		.self = d, .before = before, .after = after, .kperf = d->kpc
	};
	tape_engine_set(&w->engine);
}

void
doctor_watch_phase(struct doctor *d, const char *phase)
{
	d->watch.phase = phase;
}

void
doctor_watch_end(void)
{
	tape_engine_set(NULL);
}

static void
print_changes(const struct doctor *d)
{
	const struct doctor_watch *w = &d->watch;

	if (w->ncalls == 0)
		return;
	fprintf(d->x.out,
		"# those that change it, in order: taking, the first set, giving back\n");
	for (unsigned i = 0; i < w->ncalls; i++) {
		const struct doctor_change *c = &w->call[i];
		char number[24];

		fprintf(d->x.out, "%s %s(%llu): %lld%s%s %lldus\n", c->phase,
			tape_name(c->id), (unsigned long long)c->arg,
			(long long)c->result, c->error != 0 ? " " : "",
			c->error != 0 ? report_errno(c->error, number) : "",
			(long long)(c->ns + 500) / 1000);
	}
}

/* Those that change nothing, those that do, and how long taking took. */
void
doctor_calls(struct doctor *d)
{
	print_calls(d);
	print_changes(d);
	if (d->found.forced)
		report_line(d->x.out, "force", "taken in %lld us",
			    (long long)(d->found.force_ns / 1000));
	else
		report_line(d->x.out, "force", "no: %s", d->x.found.full.text);
}

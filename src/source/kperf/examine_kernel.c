/*
 * How this kernel takes words and gives counts: a few calls in an order that
 * tells the layers of macOS 26.4 and 26.5 apart. With the counters taken; what
 * ktop holds is noted before each call, so that a crash can still put it back.
 */
#include "source/kperf/examine.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/report.h"
#include "model/slots.h"

/* Two sets of one event each: the words differ in the same counter. */
struct pair {
	struct kperf_words a, b;
	unsigned column; /* of the counter in a row */
};

static bool
build_one(const struct kperf_source *s, const char *name, struct kperf_words *w,
	  unsigned *column)
{
	const struct catalog *c = &s->events.catalog;
	const struct event *one[1] = { catalog_find(c, name) };
	unsigned columns[EVENTSET_MAX] = { 0 };
	struct eventset set = { .len = 0 };

	if (one[0] == NULL || one[0]->fixed ||
	    !slots_place(c, one, 1, &set, NULL) || set.len != 1 ||
	    !kperf_words_build(s, &set, w, columns, NULL))
		return false;
	*column = columns[0];
	return true;
}

static bool
build(const struct kperf_source *s, struct pair *p)
{
	unsigned other = 0;

	return build_one(s, "INST_ALL", &p->a, &p->column) &&
	       build_one(s, "INST_BRANCH", &p->b, &other) && other == p->column;
}

static void
moment(const struct examine *x, const char *when, struct kperf_words *w)
{
	if (!kperf_get_words(kperf_of(x->s), w))
		w->len = 0;
	kperf_examine_words(x->out, when, w);
}

/* What all CPUs have in the counter that the two sets share. */
static uint64_t
sum(struct kperf_source *s, unsigned column)
{
	uint64_t all = 0;

	if (kperf_examine_rows(s, s->row, KPERF_BOTH, s->stride) != 0)
		return 0;
	for (unsigned r = 0; r < s->rows; r++) {
		uint64_t v = s->row[(size_t)r * s->stride + column];

		if (v != KPERF_SENTINEL)
			all += v;
	}
	return all;
}

static int
write_words(struct kperf_source *s, const struct kperf_words *w)
{
	struct kperf_words copy = *w;
	int rc;

	s->held.words_next = *w;
	errno = 0;
	rc = s->kpc->kpc_set_config(KPC_CLASS_CONFIGURABLE_MASK, copy.word);
	return rc == 0 ? 0 : kperf_errno(rc);
}

static bool
same_words(const struct kperf_words *a, const struct kperf_words *b)
{
	return a->len == b->len && a->len > 0 &&
	       memcmp(a->word, b->word, a->len * sizeof a->word[0]) == 0;
}

/* Words that are written while others count: when are they told? */
static void
while_counting(struct examine *x, const struct pair *p)
{
	struct kperf_source *s = kperf_of(x->s);
	struct kperf_words before, now;
	int why;

	moment(x, "words counting", &before);
	why = write_words(s, &p->b);
	moment(x, "words written while counting", &now);
	x->found.kernel.at_once = why == 0 && !same_words(&before, &now);
}

/* Counting off: is it the words that stay, or the selectors alone? */
static void
when_off(struct examine *x, const struct pair *p)
{
	struct kperf_source *s = kperf_of(x->s);
	struct kperf_words before, now;

	moment(x, "words counting again", &before);
	s->held.counting_was = 0;
	errno = 0;
	if (s->kpc->kpc_set_counting(0) != 0)
		return;
	moment(x, "words with counting off", &now);
	x->found.kernel.kept = same_words(&before, &now);
	if (write_words(s, &p->a) == 0)
		moment(x, "words written while off", &now);
}

static void
in_order(struct examine *x, const struct pair *p)
{
	struct kperf_source *s = kperf_of(x->s);
	struct examine_kernel *k = &x->found.kernel;
	struct err e = { ERR_NONE, "" };

	if (!kperf_engage(s, &p->a, &e)) {
		report_line(x->out, "words", "not tried: %s",
			    e.code == ERR_PERM ? "macOS refuses the events"
					       : e.text);
		return;
	}
	k->tried = true;
	clock_pause(&s->clock, KPERF_TRIAL_NS);
	while_counting(x, p);
	k->sum_before = sum(s, p->column);
	if (!kperf_engage(s, &p->b, &e))
		return;
	k->sum_after = sum(s, p->column);
	report_line(x->out, "sums",
		    "%" PRIu64 " before other words counted, %" PRIu64
		    " just after",
		    k->sum_before, k->sum_after);
	when_off(x, p);
	(void)kperf_engage(s, &p->b, &e);
}

/*
 * Somebody else asks for what we hold. It changes nothing on either kernel:
 * the older one says EACCES, the newer one 0, and neither takes it from us.
 */
static void
second_process(struct examine *x)
{
	const struct kperf_api *kpc = kperf_of(x->s)->kpc;
	int ends[2], answer = -1;
	ssize_t n;
	pid_t pid;

	if (pipe(ends) != 0)
		return;
	pid = fork();
	if (pid == 0) {
		errno = 0;
		answer = kpc->kpc_force_all_ctrs_set(1);
		answer = answer == 0 ? 0 : kperf_errno(answer);
		n = write(ends[1], &answer, sizeof answer);
		_exit(n == (ssize_t)sizeof answer ? 0 : 1);
	}
	close(ends[1]);
	n = pid > 0 ? read(ends[0], &answer, sizeof answer) : -1;
	close(ends[0]);
	if (pid > 0)
		(void)waitpid(pid, NULL, 0);
	if (n == (ssize_t)sizeof answer) {
		char number[24];

		x->found.kernel.asked = true;
		x->found.kernel.second = answer;
		report_line(x->out, "force by a second process", "%s",
			    answer == 0 ? "0" : report_errno(answer, number));
	}
}

void
kperf_examine_kernel(struct examine *x)
{
	struct pair p;

	fprintf(x->out, "# words as kpc_get_config(2) tells them\n");
	if (build(kperf_of(x->s), &p))
		in_order(x, &p);
	else
		report_line(x->out, "words",
			    "not tried: no events to try with");
	second_process(x);
}

/*
 * How this kernel takes words and gives counts: a few calls in an order that
 * tells the layers of macOS 26.4 and 26.5 apart. With the counters taken; what
 * ktop holds is noted before each call, so that a crash can still put it back.
 */
#include "commands/doctor/doctor.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "model/slots.h"
#include "source/kperf/examine.h"

enum { TEXT_SIZE = 512 };

/* Two sets of one event each: the words differ in the same counter. */
struct pair {
	struct kperf_words a, b;
	unsigned column; /* of the counter in a row */
};

static bool
build_one(const struct doctor *d, const char *name, struct kperf_words *w,
	  unsigned *column)
{
	const struct catalog *c = &d->k->events.catalog;
	const struct event *one[1] = { catalog_find(c, name) };
	unsigned columns[EVENTSET_MAX] = { 0 };
	struct eventset set = { .len = 0 };

	if (one[0] == NULL || one[0]->fixed ||
	    !slots_place(c, one, 1, &set, NULL) || set.len != 1 ||
	    !kperf_words_build(d->k, &set, w, columns, NULL))
		return false;
	*column = columns[0];
	return true;
}

static bool
build(const struct doctor *d, struct pair *p)
{
	unsigned other = 0;

	return build_one(d, "INST_ALL", &p->a, &p->column) &&
	       build_one(d, "INST_BRANCH", &p->b, &other) && other == p->column;
}

static void
moment(const struct doctor *d, FILE *out, const char *when,
       struct kperf_words *w)
{
	char text[TEXT_SIZE] = "-";
	size_t at = 0;

	w->len = 0;
	if (kperf_get_words(d->k, w))
		for (unsigned i = 0; i < w->len && at < sizeof(text); i++)
			at += (size_t)snprintf(text + at, sizeof(text) - at,
					       "%s0x%" PRIx64, i > 0 ? " " : "",
					       w->word[i]);
	report_line(out, when, "%s", text);
}

/* What all CPUs have in the counter that the two sets share. */
static uint64_t
sum(const struct doctor *d, unsigned column)
{
	uint64_t all = 0;

	if (kperf_examine_rows(d->k, d->k->row, KPERF_BOTH, d->k->stride) != 0)
		return 0;
	for (unsigned r = 0; r < d->k->rows; r++) {
		uint64_t v = d->k->row[(size_t)r * d->k->stride + column];

		if (v != KPERF_SENTINEL)
			all += v;
	}
	return all;
}

static int
write_words(struct doctor *d, const struct kperf_words *w)
{
	struct kperf_words copy = *w;
	int rc;

	d->k->held.words_next = *w;
	errno = 0;
	rc = d->kpc->kpc_set_config(KPC_CLASS_CONFIGURABLE_MASK, copy.word);
	return rc == 0 ? 0 : kperf_errno(rc);
}

static bool
same_words(const struct kperf_words *a, const struct kperf_words *b)
{
	return a->len == b->len && a->len > 0 &&
	       memcmp(a->word, b->word, a->len * sizeof(a->word[0])) == 0;
}

/* Words that are written while others count: when are they told? */
static void
while_counting(struct doctor *d, FILE *out, const struct pair *p)
{
	struct kperf_words before, now;
	int why;

	moment(d, out, "words counting", &before);
	why = write_words(d, &p->b);
	moment(d, out, "words written while counting", &now);
	d->found.kernel.at_once = why == 0 && !same_words(&before, &now);
}

/* Counting off: is it the words that stay, or the selectors alone? */
static void
when_off(struct doctor *d, FILE *out, const struct pair *p)
{
	struct kperf_words before, now;

	moment(d, out, "words counting again", &before);
	d->k->held.counting_was = 0;
	errno = 0;
	if (d->kpc->kpc_set_counting(0) != 0)
		return;
	moment(d, out, "words with counting off", &now);
	d->found.kernel.kept = same_words(&before, &now);
	if (write_words(d, &p->a) == 0)
		moment(d, out, "words written while off", &now);
}

static void
in_order(struct doctor *d, FILE *out, const struct pair *p)
{
	struct doctor_kernel *k = &d->found.kernel;
	struct err e = { ERR_NONE, "" };

	if (!kperf_engage(d->k, &p->a, &e)) {
		report_line(out, "words", "not tried: %s",
			    e.code == ERR_PERM ? "macOS refuses the events"
					       : e.text);
		return;
	}
	k->tried = true;
	clock_pause(&d->k->clock, DOCTOR_TRIAL_NS);
	while_counting(d, out, p);
	k->sum_before = sum(d, p->column);
	if (!kperf_engage(d->k, &p->b, &e))
		return;
	k->sum_after = sum(d, p->column);
	report_line(out, "sums",
		    "%" PRIu64 " before other words counted, %" PRIu64
		    " just after",
		    k->sum_before, k->sum_after);
	when_off(d, out, p);
	(void)kperf_engage(d->k, &p->b, &e);
}

/*
 * Somebody else asks for what we hold. It changes nothing on either kernel:
 * the older one says EACCES, the newer one 0, and neither takes it from us.
 */
static void
second_process(struct doctor *d, FILE *out)
{
	int ends[2], answer = -1;
	ssize_t n;
	pid_t pid;

	if (pipe(ends) != 0)
		return;
	pid = fork();
	if (pid == 0) {
		errno = 0;
		answer = d->kpc->kpc_force_all_ctrs_set(1);
		answer = answer == 0 ? 0 : kperf_errno(answer);
		n = write(ends[1], &answer, sizeof(answer));
		_exit(n == (ssize_t)sizeof(answer) ? 0 : 1);
	}
	(void)close(ends[1]);
	n = pid > 0 ? read(ends[0], &answer, sizeof(answer)) : -1;
	(void)close(ends[0]);
	if (pid > 0)
		(void)waitpid(pid, NULL, 0);
	if (n == (ssize_t)sizeof(answer)) {
		char number[24];

		d->found.kernel.asked = true;
		d->found.kernel.second = answer;
		report_line(out, "force by a second process", "%s",
			    answer == 0 ? "0" : report_errno(answer, number));
	}
}

void
doctor_kernel(struct doctor *d)
{
	FILE *out = d->x.out;
	struct pair p;

	(void)fprintf(out, "# words as kpc_get_config(2) tells them\n");
	if (doctor_interrupted(d))
		return;
	if (build(d, &p))
		in_order(d, out, &p);
	else
		report_line(out, "words", "not tried: no events to try with");
	second_process(d, out);
}

/*
 * A simulated year in one process, tick by tick on a stepped clock: kernel,
 * source, ticker and monitor as ktop has them, with troubles drawn from a seed.
 *
 * usage: year [-t TICKS] [-s SECONDS] [-r SEED] [-c TICKS] [-q] [-k
 * KIND[,KIND]...] [MACHINE[,key=value]...] -t  ticks of a second each
 * (31536000, a year of 365 days) -s  real seconds at most; what was done is
 * said -c  ticks between two looks at all totals (499) -q  no troubles -k
 * troubles of these kinds only, as in off,sleep (trouble.c has them all)
 *
 * Watched: every frame is possible; sums per core are the kernel's totals,
 * exactly; deadlines stay on their grid; heap and descriptors do not grow; what
 * ktop gives back is as it found it. Prints one line; 1 when something is off.
 */
#include "sim/inside.h"
#include "sim/sim.h"
#include "soak/heap.h"
#include "soak/soak.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
	LATE_ONE_IN = 5000, /* ticks */
	TROUBLE_EVERY = 120 /* seconds between two, on the average */
};

static double
real_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static unsigned
descriptors(void)
{
	unsigned n = 0;

	for (int fd = 0; fd < 256; fd++)
		n += fcntl(fd, F_GETFD) >= 0;
	return n;
}

/* Troubles. */

static void
note(struct soak *s, const char *what)
{
	char *to = s->recent[s->nrecent++ % RECENT];

	snprintf(to, sizeof(s->recent[0]), "%" PRId64 " %s", soak_now_ns(),
		 what);
}

static void
until(struct soak *s, int64_t at_s)
{
	if (at_s > s->over_s)
		s->over_s = at_s;
}

/* "dead:INST_ALL@200ms-5000ms", from now on. */
static void
note_dead(struct soak *s, const char *text)
{
	char event[32];
	int64_t from, to, now = soak_now_ns();

	if (sscanf(text, "dead:%31[^@]@%" SCNd64 "ms-%" SCNd64 "ms", event,
		   &from, &to) == 3)
		ledger_dead(&s->ledger, event, now + from * 1000000,
			    now + to * 1000000);
}

static bool
fault(struct soak *s, enum trouble_kind kind)
{
	struct err e = { ERR_NONE, "" };
	char text[96];
	int64_t over = trouble_fault(&s->dice, kind, s->machine, s->nap,
				     s->thieves, text, sizeof(text));
	int64_t at = soak_now_ns() / SECOND + over;

	note(s, text);
	if (!sim_fault(text, &e))
		return soak_fail(s, e.text);
	if (kind == TROUBLE_DEAD)
		note_dead(s, text);
	until(s, at);
	return true;
}

static bool
reopen(struct soak *s)
{
	if (s->frame != NULL && !ledger_check(&s->ledger, s->frame, false))
		return soak_fail(s, s->ledger.wrong);
	if (!soak_end(s))
		return false;
	if (!soak_calm(s)) { /* the next one starts on another day */
		sim_host()->clock.step(NULL, (s->over_s + CALM_TICKS) * SECOND);
		if (s->thief)
			trouble_neighbour_ends();
		s->thief = false;
	}
	return soak_start(s);
}

static bool
trouble(struct soak *s)
{
	enum trouble_kind kind = s->kind[dice_roll(&s->dice, s->nkinds)];
	struct set_up before, after;

	if (kind == TROUBLE_STEAL && !s->thieves)
		kind = TROUBLE_SLOW;
	/*
	 * While some are off, rows of others are read and withheld: one that
	 * goes off then leaves a row in the kernel that is newer than ours and
	 * old all the same. Nobody could tell in the frame in which it comes.
	 */
	if (kind == TROUBLE_OFF && s->off)
		kind = TROUBLE_SLEEP;
	s->off = s->off || kind == TROUBLE_OFF;
	s->thefts += kind == TROUBLE_STEAL || kind == TROUBLE_REFUSE ||
		     (kind >= TROUBLE_WORDS && kind <= TROUBLE_CLASSES);
	s->drawn[kind]++;
	note(s, trouble_name[kind]);
	if (kind <= TROUBLE_WALL)
		return fault(s, kind);
	switch (kind) {
	case TROUBLE_PRESET:
		return soak_take_preset(s);
	case TROUBLE_RELEASE:
		return soak_release(s);
	case TROUBLE_PAUSE:
		s->pause_s = (int64_t)dice_roll(&s->dice, 600);
		return true;
	case TROUBLE_REOPEN:
		return reopen(s);
	case TROUBLE_RESTART:
		return trouble_neighbour(&s->dice, kind) ||
		       soak_fail(s, "the neighbour could not start again");
	case TROUBLE_FORCE:
	case TROUBLE_HARMLESS:
		soak_look(&before);
		(void)trouble_neighbour(&s->dice, kind);
		soak_look(&after);
		return before.force == after.force ||
		       s->source->info.mode != SOURCE_FULL ||
		       soak_fail(s, "force was taken away");
	default:
		s->thief = trouble_neighbour(&s->dice, kind) || s->thief;
		until(s, soak_now_ns() / SECOND + 1 +
				 (int64_t)dice_roll(&s->dice, 20));
		return true;
	}
}

/* Between two ticks. */
static bool
meanwhile(struct soak *s)
{
	int64_t now_s = soak_now_ns() / SECOND;

	if (s->thief && now_s >= s->over_s) {
		trouble_neighbour_ends();
		s->thief = false;
		s->thefts++; /* it stops what ktop may have found counting */
	}
	if (!soak_calm(s))
		return true;
	if (s->source->info.mode != SOURCE_FULL && !soak_take_preset(s))
		return false;
	if (s->quiet || now_s < s->next_s)
		return true;
	s->next_s = now_s + (int64_t)dice_roll(&s->dice, 2 * TROUBLE_EVERY);
	s->thieves = dice_roll(&s->dice, 2) == 0;
	s->off = false;
	s->calm_thefts = s->thefts;
	for (uint64_t n = 1 + dice_roll(&s->dice, 3); n > 0; n--)
		if (!trouble(s))
			return false;
	if (s->pause_s > 0) /* last: no trouble may join before a reading */
		sim_host()->clock.step(NULL,
				       soak_now_ns() + s->pause_s * SECOND + 1);
	s->pause_s = 0;
	return true;
}

static bool
on_grid(struct soak *s)
{
	int64_t past = s->ticker.next_ns - s->grid_ns;

	if (past % SECOND == 0 &&
	    (uint64_t)(past / SECOND) == s->grid_ticks + s->missed + 1)
		return true;
	return soak_fail(s, "the deadlines have left their grid");
}

static bool
check(struct soak *s)
{
	size_t heap = heap_used();
	unsigned fds = descriptors();

	s->checks++;
	bool all = soak_calm(s) && !s->nap && s->frame->interval_s > 0;

	if (!ledger_check(&s->ledger, s->frame, all))
		return soak_fail(s, s->ledger.wrong);
	/* What is open is one session's, of the same size each. */
	if (s->checks == 10) {
		s->heap = heap;
		s->descriptors = fds;
	}
	if (s->checks > 10 && heap > s->heap + 65536)
		return soak_fail(s, "the heap has grown");
	if (s->checks > 10 && fds != s->descriptors)
		return soak_fail(s, "descriptors have changed");
	return true;
}

static bool
tick(struct soak *s)
{
	uint64_t missed = 0;
	int64_t late = 0, at = ticker_deadline(&s->ticker);

	if (!s->quiet && dice_roll(&s->dice, LATE_ONE_IN) == 0) {
		at += (int64_t)dice_roll(&s->dice, 4 * SECOND);
		s->late++;
	}
	sim_host()->clock.step(NULL, at);
	if (!ticker_due(&s->ticker, soak_now_ns(), &missed, &late))
		return soak_fail(s, "a deadline was due and was not seen");
	s->ticks++;
	s->grid_ticks++;
	s->missed += missed;
	monitor_late(s->monitor, missed, late > SECOND / 2);
	if (!soak_sample(s) || !on_grid(s))
		return false;
	if (s->ticks % s->check_every == 0 && s->frame != NULL && !check(s))
		return false;
	return meanwhile(s);
}

static void
tell_wrong(const struct soak *s)
{
	printf("  # %s\n", s->wrong);
	if (s->frame != NULL)
		printf("  # now %" PRId64 ", that frame %" PRId64 "\n",
		       soak_now_ns(), s->frame->stamp.awake_ns);
	for (unsigned i = 0; i < RECENT; i++)
		if (s->recent[(s->nrecent + i) % RECENT][0] != '\0')
			printf("  # %s\n",
			       s->recent[(s->nrecent + i) % RECENT]);
}

static void
report(const struct soak *s, double took)
{
	uint64_t drawn = 0;

	for (int i = 0; i < TROUBLE_KINDS; i++)
		drawn += s->drawn[i];
	printf("%s year: %s seed %" PRIu64 ", %" PRIu64
	       " ticks (%.2f%% of a year) in %.0f s, %.0f a second; %" PRIu64
	       " troubles, %" PRIu64 " late ticks, %" PRIu64
	       " frames taken over, %" PRIu64 " with gaps, %" PRIu64
	       " swaps, %" PRIu64 " starts, %" PRIu64 " releases; %" PRIu64
	       " of %" PRIu64 " rows missing; %" PRIu64 " totals and %" PRIu64
	       " event sums exact; heap %zu, %u descriptors\n",
	       s->wrong[0] == '\0' ? "ok" : "not ok", s->spec, s->seed,
	       s->ticks, (double)s->ticks / 315360.0, took,
	       (double)s->ticks / took, drawn, s->late, s->taken_over, s->gaps,
	       s->swaps, s->sessions, s->releases, s->ledger.missing_rows,
	       s->ledger.rows, s->ledger.fixed_checks, s->ledger.slot_checks,
	       heap_used(), descriptors());
	for (int i = 0; i < TROUBLE_KINDS; i++)
		printf("%s%s %" PRIu64, i == 0 ? "  # " : ", ", trouble_name[i],
		       s->drawn[i]);
	printf("\n");
	if (s->wrong[0] != '\0')
		tell_wrong(s);
	fflush(stdout);
}

static bool
run(struct soak *s)
{
	struct err e = { ERR_NONE, "" };
	char spec[256];

	snprintf(spec, sizeof(spec), "%s,seed=%" PRIu64 ",clock=step", s->spec,
		 s->seed);
	s->dice.state = s->seed;
	s->began_s = real_s();
	if (!sim_start(spec, &e)) {
		fprintf(stderr, "%s\n", e.text);
		return false;
	}
	s->machine = sim_spec_now()->machine;
	s->nap = s->machine->power_down;
	s->refuses = sim_spec_now()->os < SIM_OS(26, 0);
	s->next_s = soak_now_ns() / SECOND + TROUBLE_EVERY;
	if (soak_start(s))
		while (s->ticks < s->most_ticks && tick(s))
			if (s->ticks % 1000 == 0 &&
			    real_s() - s->began_s > s->most_s)
				break;
	report(s, real_s() - s->began_s);
	if (s->source != NULL)
		(void)soak_end(s);
	sim_stop();
	return s->wrong[0] == '\0';
}

static void
choose_all_kinds(struct soak *s)
{
	for (s->nkinds = 0; s->nkinds < TROUBLE_KINDS; s->nkinds++)
		s->kind[s->nkinds] = (enum trouble_kind)s->nkinds;
}

static bool
choose_kinds(struct soak *s, char *names)
{
	s->nkinds = 0;
	for (char *name = strtok(names, ","); name != NULL;
	     name = strtok(NULL, ",")) {
		unsigned k = 0;

		while (k < TROUBLE_KINDS && strcmp(name, trouble_name[k]) != 0)
			k++;
		if (k == TROUBLE_KINDS || s->nkinds == TROUBLE_KINDS)
			return false;
		s->kind[s->nkinds++] = (enum trouble_kind)k;
	}
	return s->nkinds > 0;
}

int
main(int argc, char **argv)
{
	static const char *const machines[] = { "m1",      "m2max", "m5max",
						"m3ultra", "m6",    NULL };
	struct soak asked = { .most_ticks = 31536000,
			      .check_every = 499,
			      .most_s = 1e9,
			      .seed = 1 };
	bool ok = true;
	int c;

	choose_all_kinds(&asked);
	while ((c = getopt(argc, argv, "t:s:r:c:qk:")) != -1)
		if (c == 't')
			asked.most_ticks = strtoull(optarg, NULL, 10);
		else if (c == 's')
			asked.most_s = strtod(optarg, NULL);
		else if (c == 'r')
			asked.seed = strtoull(optarg, NULL, 10);
		else if (c == 'c' && strtoull(optarg, NULL, 10) > 0)
			asked.check_every = strtoull(optarg, NULL, 10);
		else if (c == 'q')
			asked.quiet = true;
		else if (c != 'k' || !choose_kinds(&asked, optarg))
			return 2;
	for (int i = 0; optind + i < argc || (optind == argc && machines[i]);
	     i++) {
		struct soak *s = calloc(1, sizeof(*s));

		if (s == NULL)
			return 1;
		*s = asked;
		s->spec = optind < argc ? argv[optind + i] : machines[i];
		ok = run(s) && ok;
		free(s);
	}
	return ok ? 0 : 1;
}

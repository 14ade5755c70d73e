/*
 * A kernel that counts work of a chosen blend of issue slots, on each family of
 * cores, through the source, the monitor's frame and the model: the true shares
 * lie within the intervals, and what is said of them is right.
 */
#include "source/fake_perf.h"

#include "model/shares.h"

enum { CPUS_MAX = 320, CYCLES = 2000000000 };

/* What an event counts of a CPU's work; slots but for the last. */
enum quantity {
	OTHER, /* 0: it matters to nobody here */
	SLOTS,
	RETIRED,
	DISCARDED,
	ISSUED,      /* retired, and what was thrown away before recovery */
	FRONT,       /* empty, of the front end */
	FRONT_COUNT, /* the same, with what the vendor's formula takes off */
	BACK_COUNT,
	DROPPED,
	RECOVERY,     /* cycles */
	FRONT_CYCLES, /* no micro-operation in all of the cycle */
	BACK_CYCLES,
	CYCLES_OF,
	INSTRUCTIONS,
	MISSES, /* mispredictions */
	L1D,
	QUANTITIES
};

struct code {
	uint64_t config;
	enum quantity is;
};

struct family {
	const char *machine;
	unsigned width;
	int from, to;         /* CPUs */
	bool watchdog, alone; /* alone: without its second threads */
	bool stalls;          /* of whole cycles are all that there is */
	/* Cycles after a misprediction that either end's events count, and
	   slots a cycle that the front end's counts too many. */
	double front, back, miscounted;
	double dropped; /* of the discarded slots, that the front end's holds */
	double recovery; /* cycles of a misprediction of which nothing is issued
			  */
	double other;    /* slots that the core's other thread has, at most */
	struct code code[16];
};

/* clang-format off */
#define ARM { 0x11, CYCLES_OF }, { 0x08, INSTRUCTIONS }, { 0x22, MISSES }, { 0x10, MISSES }, { 0x03, L1D }, \
	{ 0x3a, RETIRED }, { 0x3b, ISSUED }, { 0x3d, BACK_COUNT }, { 0x3e, FRONT_COUNT }, \
	{ 0x23, FRONT_CYCLES }, { 0x24, BACK_CYCLES }
#define INTEL { 0x3c, CYCLES_OF }, { 0xc0, INSTRUCTIONS }, { 0xc5, MISSES }
static const struct family families[] = {
	{ "graviton4-2s", 8, 0, 191, .front = 1, .back = 3, .code = { ARM } },
	{ "cobalt100-128", 5, 0, 127, .front = 1, .back = 3, .miscounted = 1, .code = { ARM } },
	{ "dgx-gb10", 10, 5, 9, .code = { ARM } },
	{ "ampereone-96", 4, 0, 95, .code = { ARM } },
	{ "neoverse-n1-80", 4, 0, 79, .stalls = true, .code = { ARM } },
	{ "rpi5", 4, 0, 3, .stalls = true, .code = { ARM } },
	{ "xeon-6430-2s-snc2", 6, 0, 127, .dropped = 0.2, .code = { INTEL, { 0x8d1, L1D }, { 0x400, SLOTS },
	  { 0x8000, RETIRED }, { 0x8200, FRONT_COUNT }, { 0x8300, BACK_COUNT }, { 0x10ad, DROPPED } } },
	{ "lunarlake-258v", 8, 0, 3, .code = { INTEL, { 0x8d1, L1D }, { 0x400, SLOTS },
	  { 0x8000, RETIRED }, { 0x8100, DISCARDED }, { 0x8200, FRONT_COUNT }, { 0x8300, BACK_COUNT } } },
	{ "lunarlake-258v", 8, 4, 7, .code = { INTEL, { 0x40d1, L1D }, { 0x2c2, RETIRED }, { 0x73, DISCARDED },
	  { 0x19c, FRONT_COUNT }, { 0x2a4, BACK_COUNT } } },
	{ "alderlake-12900k", 5, 16, 23, .watchdog = true, .code = { INTEL, { 0x8d1, L1D }, { 0xc2, RETIRED },
	  { 0x71, FRONT_COUNT }, { 0x74, BACK_COUNT } } },
	/* Nobody has published the width of either. */
	{ "novalake-28", 8, 0, 7, .code = { INTEL, { 0x400, SLOTS }, { 0x8000, RETIRED }, { 0x8100, DISCARDED },
	  { 0x8200, FRONT_COUNT }, { 0x8300, BACK_COUNT } } },
	{ "novalake-28", 9, 8, 27, .code = { INTEL, { 0x2c2, RETIRED }, { 0x73, DISCARDED }, { 0x19c, FRONT_COUNT },
	  { 0x2a4, BACK_COUNT } } },
	{ "sierraforest-288", 6, 0, 287, .watchdog = true, .code = { INTEL, { 0x40d1, L1D }, { 0x72, RETIRED },
	  { 0x73, DISCARDED }, { 0x71, FRONT_COUNT }, { 0x74, BACK_COUNT } } },
	{ "skylake-6148-2s", 4, 0, 39, .alone = true, .recovery = 3, .code = { INTEL, { 0x8d1, L1D }, { 0x2c2, RETIRED },
	  { 0x10e, ISSUED }, { 0x19c, FRONT }, { 0x10d, RECOVERY } } },
#define ZEN { 0x76, CYCLES_OF }, { 0xc0, INSTRUCTIONS }, { 0xc3, MISSES }, { 0xff44, L1D }, \
	{ 0xc1, RETIRED }, { 0x7aa, ISSUED }, { 0x1000001a0, FRONT_COUNT }, { 0x100001ea0, BACK_COUNT }
	{ "zen4-7950x", 6, 0, 31, .code = { ZEN } },
	{ "zen4-7950x", 6, 0, 31, .other = 0.6, .code = { ZEN } },
	{ "zen4-7950x", 6, 0, 31, .watchdog = true, .code = { ZEN } },
	{ "zen4-7950x", 6, 0, 31, .watchdog = true, .other = 0.6, .code = { ZEN } },
	{ "zen5-strix-point", 8, 0, 3, .code = { ZEN } },
};
/* clang-format on */
enum { FAMILIES = sizeof(families) / sizeof(families[0]) };

/* ---- work ---- */

struct work {
	double share[SHARE_COUNT], ipc_of, cost, fetch, hold, l1d;
};

static uint64_t seed = 1;

static double
draw(double from, double to)
{
	seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
	return from + (to - from) * (double)(seed >> 11) / (double)(1ull << 53);
}

/* Shares as asked for, or any; physics as published, by luck. */
static struct work
draw_work(const double *pure, double other)
{
	struct work w = { .ipc_of = draw(0.96, 1.11),
			  .cost = draw(9, 22),
			  .fetch = draw(0.15, 0.8),
			  .hold = draw(0.3, 0.95) };
	double sum = 0;

	for (int i = 0; i < SHARE_COUNT; i++)
		sum += w.share[i] = pure != NULL ? pure[i] * draw(0.95, 1.05)
						 : -log(draw(0.001, 1));
	for (int i = 0; i < SHARE_COUNT; i++)
		w.share[i] *= (1 - other) / sum;
	w.l1d = 60 * w.share[SHARE_BACKEND];
	return w;
}

static double
counts(const struct family *f, const struct work *w, enum quantity q)
{
	double all = (double)CYCLES * f->width;
	double instructions = w->share[SHARE_RETIRING] * all / w->ipc_of;
	double bad = w->share[SHARE_BAD_SPEC] * all;
	double misses = w->share[SHARE_BAD_SPEC] * CYCLES / w->cost;
	double lost = misses * f->width; /* slots of a cycle after each */

	switch (q) {
	case SLOTS:
		return all;
	case RETIRED:
		return w->share[SHARE_RETIRING] * all;
	case DISCARDED:
		return bad;
	case ISSUED:
		return w->share[SHARE_RETIRING] * all + bad -
		       (f->front + f->back + f->recovery) * lost;
	case FRONT:
		return w->share[SHARE_FRONTEND] * all;
	case FRONT_COUNT:
		return w->share[SHARE_FRONTEND] * all + f->front * lost +
		       f->miscounted * CYCLES + f->dropped * bad;
	case BACK_COUNT:
		return w->share[SHARE_BACKEND] * all + f->back * lost;
	case DROPPED:
		return f->dropped * bad;
	case RECOVERY:
		return f->recovery * misses;
	case FRONT_CYCLES:
		return w->share[SHARE_FRONTEND] * w->fetch * CYCLES;
	case BACK_CYCLES:
		return w->share[SHARE_BACKEND] * w->hold * CYCLES;
	case CYCLES_OF:
		return CYCLES;
	case INSTRUCTIONS:
		return instructions;
	case MISSES:
		return misses;
	case L1D:
		return w->l1d * instructions / 1000;
	case OTHER:
	case QUANTITIES:
		break;
	}
	return 0;
}

static enum quantity
quantity_of(const struct family *f, uint64_t config)
{
	for (unsigned i = 0; i < 16; i++)
		if (f->code[i].config == config && config != 0)
			return f->code[i].is;
	return OTHER;
}

/* A second in which each CPU does its own work. */
static void
work_second(struct rig *r, const struct family *f, const struct work *work)
{
	r->f->now_ns += 1000000000;
	for (struct fake_event *e = fake_next(r->f, NULL); e != NULL;
	     e = fake_next(r->f, e)) {
		e->en += 1000000000;
		e->run += 1000000000;
		if (e->attr.type != PERF_TYPE_SOFTWARE)
			e->value += (uint64_t)counts(
				f, &work[e->cpu],
				quantity_of(f, e->attr.config));
	}
	rig_read(r);
}

/* ---- what is said of it ---- */

/* Memory is the back end, with loads that miss. */
static enum bottleneck_word
plain(unsigned word)
{
	return word == BOTTLENECK_MEMORY ? BOTTLENECK_BACKEND
					 : (enum bottleneck_word)word;
}

static enum bottleneck_word
true_word(const struct work *w)
{
	struct shares s = { .open = true };

	for (int i = 0; i < SHARE_COUNT; i++)
		s.of[i].low = s.of[i].middle = s.of[i].high =
			(float)w->share[i];
	return shares_word(&s);
}

/* Retiring under 45 %, and a cause that leads the others by 20 points. */
static bool
is_clear(const struct work *w)
{
	enum bottleneck_word word = true_word(w);
	enum slot_share share = share_of_word(word);

	for (int i = SHARE_BAD_SPEC; i < SHARE_COUNT && share != SHARE_COUNT;
	     i++)
		if (i != (int)share && w->share[i] > w->share[share] - 0.2)
			return false;
	return share != SHARE_COUNT && w->share[SHARE_RETIRING] < 0.45;
}

struct tally {
	unsigned n, judged, inside[SHARE_COUNT], definite, right;
	unsigned clear, known, estimated;
	unsigned said[BOTTLENECK_COUNT]; /* or estimated */
	unsigned memory;                 /* of these, by misses */
	unsigned flagged, loads;         /* loads: that miss L1D are counted */
};

static void
take(struct tally *t, const struct work *w, const struct bottleneck *b)
{
	enum bottleneck_word truth = true_word(w), said = plain(b->word);
	enum bottleneck_word likely =
		said != BOTTLENECK_UNKNOWN ? said : plain(b->estimate);
	const struct share_range *s = b->slots.of;

	t->n++;
	if (b->cannot)
		return;
	t->judged++;
	t->said[likely]++;
	t->memory += (b->word == BOTTLENECK_MEMORY ||
		      b->estimate == BOTTLENECK_MEMORY);
	for (int i = 0; i < SHARE_COUNT; i++)
		t->inside[i] += (double)s[i].low <= w->share[i] + 1e-3 &&
				(double)s[i].high >= w->share[i] - 1e-3;
	t->flagged += b->flagged;
	t->definite += said != BOTTLENECK_UNKNOWN;
	t->right += said == truth;
	if (!is_clear(w))
		return;
	t->clear++;
	t->known += said == truth;
	t->estimated += likely == truth;
}

static void
start(struct rig *r, const struct family *f, const char *preset)
{
	char path[128];

	rig_prepare(r, f->machine);
	snprintf(path, sizeof(path), "%s/proc/sys/kernel/nmi_watchdog",
		 r->root);
	if (access(path, F_OK) == 0) /* of x86 */
		rig_write(r, "/proc/sys/kernel/nmi_watchdog",
			  f->watchdog ? "1\n" : "0\n");
	if (f->alone) {
		rig_write(r, "/sys/devices/system/cpu/online", "0-39\n");
		rig_write(r, "/sys/devices/system/cpu/present", "0-39\n");
	}
	rig_open(r);
	if (!rig_program(r, preset))
		fail_msg("%s: no %s: %s", f->machine, preset, r->e.text);
}

static struct tally
run(const struct family *f, const char *preset, const double *pure,
    unsigned least)
{
	static struct work work[CPUS_MAX];
	struct tally t = { .n = 0 };
	struct rig r;

	start(&r, f, preset);
	while (t.n < least) {
		for (int i = 0; i < CPUS_MAX; i++)
			work[i] = draw_work(
				pure, pure == NULL ? draw(0, f->other) : 0);
		work_second(&r, f, work);
		for (int cpu = f->from; cpu <= f->to; cpu++) {
			int row = topology_cpu_find(r.s->info.topology, cpu);

			take(&t, &work[cpu], &r.frame->bottleneck[row]);
			t.loads += !isnan(rig_value(&r, (unsigned)row,
						    "l1d_ld_mpki")) ||
				   !isnan(rig_value(&r, (unsigned)row,
						    "l1d_fill_mpki"));
		}
	}
	rig_close(&r);
	return t;
}

static bool
most(unsigned n, unsigned of, double share)
{
	return (double)n >= share * (double)of;
}

/* Every word that is said for certain is right; how many are is a limit. */
UNIT(blends)
{
	for (unsigned i = 0; i < 2 * FAMILIES; i++) {
		const struct family *f = &families[i / 2];
		const char *preset = i % 2 == 0 ? "basic" : "topdown";
		struct tally t = run(f, preset, NULL, 400);
		bool ok = t.judged == t.n && most(t.right, t.definite, 0.99);

		for (int k = 0; k < SHARE_COUNT; k++)
			ok = ok && most(t.inside[k], t.judged, 0.99);
		if (f->stalls)
			ok = ok && t.known > 0 &&
			     most(t.estimated, t.clear, 0.8);
		else if (f->alone && i % 2 == 0) /* one end of the two */
			ok = ok && most(t.known, t.clear, 0.55) &&
			     most(t.estimated, t.clear, 0.85);
		else /* threads of a core leave some of it open */
			ok = ok && most(t.known, t.clear, 0.65) &&
			     most(t.estimated, t.clear, 0.95);
		if (!ok)
			fail_msg("%s %d %s: judged %u of %u, inside %u %u %u "
				 "%u, right %u of %u; clear %u, known %u, or "
				 "estimated %u",
				 f->machine, f->from, preset, t.judged, t.n,
				 t.inside[0], t.inside[1], t.inside[2],
				 t.inside[3], t.right, t.definite, t.clear,
				 t.known, t.estimated);
	}
}

/* Work of one kind is named, for certain or as an estimate; never another. */
UNIT(pure_work)
{
	static const struct {
		double share[SHARE_COUNT];
		enum bottleneck_word word;
	} pure[] = {
		{ { 0.75, 0.05, 0.08, 0.12 }, BOTTLENECK_NONE },
		{ { 0.12, 0.03, 0.05, 0.80 }, BOTTLENECK_BACKEND },
		{ { 0.35, 0.45, 0.12, 0.08 }, BOTTLENECK_BAD_SPEC },
		{ { 0.28, 0.05, 0.59, 0.08 }, BOTTLENECK_FRONTEND },
	};

	static const enum bottleneck_word cause[SHARE_COUNT] = {
		[SHARE_BAD_SPEC] = BOTTLENECK_BAD_SPEC,
		[SHARE_FRONTEND] = BOTTLENECK_FRONTEND,
		[SHARE_BACKEND] = BOTTLENECK_BACKEND,
	};

	for (unsigned i = 0; i < 4 * FAMILIES; i++) {
		const struct family *f = &families[i / 4];
		const double *share = pure[i % 4].share;
		struct tally t = run(f, "basic", share, 100);

		enum bottleneck_word word = pure[i % 4].word;
		unsigned wrong = 0;

		for (int k = SHARE_BAD_SPEC; k < SHARE_COUNT; k++)
			wrong += share_of_word(word) == (enum slot_share)k
					 ? 0
					 : t.said[cause[k]];
		/* What is bounded from below alone is not always enough. */
		bool ok = t.judged == t.n && most(t.n - wrong, t.n, 0.99);

		if (word == BOTTLENECK_NONE)
			ok = ok && t.flagged == 0;
		if (word == BOTTLENECK_BACKEND && t.loads > 0)
			ok = ok && most(t.memory, t.said[word], 0.99);
		if (!ok || !most(t.said[word], t.n,
				 f->stalls || f->alone ? 0.75 : 0.99))
			fail_msg("%s %d: %s said of %u in %u, wrong %u, "
				 "memory %u, flagged %u",
				 f->machine, f->from,
				 bottleneck_words[word].word, t.said[word], t.n,
				 wrong, t.memory, t.flagged);
	}
}

#include "soak/trouble.h"

#include "sim/neighbour.h"

#include <inttypes.h>
#include <stdio.h>

/* clang-format off */
const char *const trouble_name[TROUBLE_KINDS] = {
	"steal", "busy", "taken", "eperm", "refuse", "dead", "off", "sleep", "slow",
	"wall", "words", "place", "stop", "classes", "restart", "force", "harmless",
	"preset", "release", "pause", "reopen",
};
/* clang-format on */

/* splitmix64 */
uint64_t
dice_roll(struct dice *d, uint64_t sides)
{
	uint64_t x = d->state += 0x9e3779b97f4a7c15u;

	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
	x = (x ^ x >> 27) * 0x94d049bb133111ebu;
	return (x ^ x >> 31) % sides;
}

static void
off_name(struct dice *d, const struct sim_machine *m, char *out, unsigned size)
{
	unsigned cluster = (unsigned)dice_roll(d, m->nclusters), index = 0,
		 same = 0, kind = m->cluster[cluster].kind;

	if (dice_roll(d, 3) == 0) {
		snprintf(out, size, "cpu%" PRIu64,
			 dice_roll(d, sim_machine_ncpus(m)));
		return;
	}
	for (unsigned c = 0; c < m->nclusters; c++) {
		same += m->cluster[c].kind == kind;
		index += m->cluster[c].kind == kind && c < cluster;
	}
	if (same > 1)
		snprintf(out, size, "%c%u", m->kind[kind].name[0], index);
	else
		snprintf(out, size, "%c", m->kind[kind].name[0]);
}

int64_t
trouble_fault(struct dice *d, enum trouble_kind kind,
	      const struct sim_machine *m, bool nap, bool quick, char *out,
	      unsigned size)
{
	static const char *const events[] = { "INST_ALL", "INST_BRANCH",
					      "CORE_ACTIVE_CYCLE" };
	/* At once, so that what a person does next is in the midst of it. */
	int64_t from = (int64_t)(dice_roll(d, 2) * dice_roll(d, 5000));
	int64_t to = from + 200 + (int64_t)dice_roll(d, 60000);
	char arg[32] = "", sep[2] = "";

	switch (kind) {
	case TROUBLE_OFF:
		if (nap)
			kind = TROUBLE_SLEEP;
		else
			off_name(d, m, arg, sizeof(arg));
		break;
	case TROUBLE_REFUSE:
	case TROUBLE_DEAD:
		snprintf(arg, sizeof(arg), "%s", events[dice_roll(d, 3)]);
		break;
	case TROUBLE_SLOW:
		snprintf(arg, sizeof(arg), "%" PRIu64 "us",
			 1 + dice_roll(d, quick ? 5 : 300000));
		break;
	case TROUBLE_WALL:
		snprintf(arg, sizeof(arg), "%c%" PRIu64 "s",
			 dice_roll(d, 2) == 0 ? '+' : '-', dice_roll(d, 7200));
		break;
	default:
		break;
	}
	if (kind == TROUBLE_SLEEP && dice_roll(d, 3) == 0)
		to = from + (int64_t)dice_roll(d, 40000000) + 1;
	if (arg[0] != '\0')
		sep[0] = ':';
	snprintf(out, size, "%s%s%s@%" PRId64 "ms-%" PRId64 "ms",
		 trouble_name[kind], sep, arg, from, to);
	/* Slow calls take awake time, and a nap of the clock takes none. */
	return (kind == TROUBLE_SLEEP ? from : to) / 1000 + 3;
}

/* In one moment, also where calls are slow: what is lost then is not time. */
static bool
restart(void)
{
	struct sim_kernel *k = sim_lock();
	uint32_t on = sim_counting(k);
	bool ok = (on & KPC_CLASS_CONFIGURABLE_MASK) == 0 ||
		  (sim_counting_set(k, 0) == 0 &&
		   sim_counting_set(k, on & ~KPC_CLASS_POWER_MASK) == 0);

	sim_unlock();
	return ok;
}

bool
trouble_neighbour(struct dice *d, enum trouble_kind kind)
{
	switch (kind) {
	case TROUBLE_WORDS:
		return neighbour_takes() == 0;
	case TROUBLE_PLACE:
		return neighbour_words((int)dice_roll(d, SIM_PMCS)) == 0;
	case TROUBLE_STOP:
		return neighbour_set32("kpc.counting", 0) == 0;
	case TROUBLE_CLASSES:
		return neighbour_set32("kpc.counting", KPC_CLASS_FIXED_MASK) ==
		       0;
	case TROUBLE_RESTART:
		return restart();
	case TROUBLE_FORCE:
		return neighbour_set32("kpc.force_all_ctrs", 1) == 0 &&
		       neighbour_set32("kpc.force_all_ctrs", 0) == 0;
	case TROUBLE_HARMLESS:
		return neighbour_samples(dice_roll(d, 1000000)) == 0;
	default:
		return false;
	}
}

void
trouble_neighbour_ends(void)
{
	(void)neighbour_set32("kpc.counting", 0);
}

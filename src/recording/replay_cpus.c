#include "recording/replay_cpus.h"

#include <stdlib.h>
#include <string.h>

/* Where id is, or is to be. */
static unsigned
place_of(const struct replay_cpus *k, int id)
{
	unsigned low = 0, high = k->n;

	while (low < high) {
		unsigned mid = low + (high - low) / 2;

		if (k->cpu[mid].cpu < id)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

static struct recording_cpu *
find_cpu(const struct replay_cpus *k, int id)
{
	unsigned at = place_of(k, id);

	return at < k->n && k->cpu[at].cpu == id ? &k->cpu[at] : NULL;
}

/* The word of a CPU that was off line when its machine was read. */
static bool
is_unknown(const struct recording_cpu *c)
{
	return strcmp(c->kind, "Unknown") == 0;
}

static bool
says_more(const struct recording_cpu *known, const struct recording_cpu *c)
{
	return is_unknown(known) && !is_unknown(c);
}

bool
replay_cpus_news(const struct replay_cpus *k, const struct recording_frame *f,
		 const char *run)
{
	bool more = f->ncpus > k->n;

	if (run == NULL || strcmp(run, f->run) != 0)
		return false;
	for (unsigned i = 0; i < f->ncpus; i++) {
		const struct recording_cpu *c = &f->cpu[i], *known;

		/* Rows mostly stand as they did. */
		known = i < k->n && k->cpu[i].cpu == c->cpu
				? &k->cpu[i]
				: find_cpu(k, c->cpu);
		if (known == NULL ? more : says_more(known, c))
			return true;
	}
	return false;
}

static bool
insert(struct replay_cpus *k, const struct recording_cpu *c, struct err *e)
{
	unsigned at = place_of(k, c->cpu);
	struct recording_cpu *cpu =
		realloc(k->cpu, (k->n + 1) * sizeof *k->cpu);

	if (cpu == NULL)
		return err_set(e, ERR_FAIL, "replay: out of memory");
	k->cpu = cpu;
	memmove(cpu + at + 1, cpu + at, (k->n - at) * sizeof *cpu);
	cpu[at] = *c;
	cpu[at].counts.ncpus = !k->started;
	k->n++;
	return true;
}

bool
replay_cpus_add(struct replay_cpus *k, const struct recording_frame *f,
		struct err *e)
{
	for (unsigned i = 0; i < f->ncpus; i++) {
		struct recording_cpu *known = find_cpu(k, f->cpu[i].cpu);

		if (known == NULL) {
			if (!insert(k, &f->cpu[i], e))
				return false;
		} else if (says_more(known, &f->cpu[i])) {
			unsigned first = known->counts.ncpus;

			*known = f->cpu[i];
			known->counts.ncpus = first;
		}
	}
	k->started = true;
	return true;
}

static bool
knows_all(const struct replay_cpus *k, const struct recording_frame *f)
{
	for (unsigned i = 0; i < f->ncpus; i++)
		if (find_cpu(k, f->cpu[i].cpu) == NULL)
			return false;
	return true;
}

bool
replay_cpus_follow(struct replay_cpus *k, const struct recording_frame *f,
		   struct err *e)
{
	bool first = !k->started, ok = true;

	if (first || strcmp(k->run, f->run) != 0)
		k->foreign = !first && !knows_all(k, f);
	if (first ||
	    (!k->foreign && replay_cpus_news(k, f, first ? NULL : k->run)))
		ok = replay_cpus_add(k, f, e);
	memcpy(k->run, f->run, sizeof k->run);
	return ok;
}

void
replay_cpus_done(struct replay_cpus *k)
{
	free(k->cpu);
	memset(k, 0, sizeof *k);
}

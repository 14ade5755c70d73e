#include "stat/tree.h"

#include <stdlib.h>

enum { PIDS = 131072, LIST_MAX = 8192 }; /* macOS counts up to 99999 */

/* What is known of a pid, for as long as it is in each list. */
struct known {
	uint32_t look; /* the last that had it; 0: none */
	bool ours;
};

struct seen {
	int32_t pid;
	struct host_usage last; /* with the start that tells it apart */
};

struct tree {
	const struct host_api *host;
	int32_t root;
	uint32_t look;
	struct known known[PIDS];
	int32_t list[LIST_MAX];
	unsigned n, room;
	struct seen *seen;
};

struct tree *
tree_new(const struct host_api *host, int32_t root)
{
	struct tree *t;

	if (host->proc_list == NULL || host->proc_short == NULL)
		return NULL;
	t = calloc(1, sizeof *t);
	if (t == NULL)
		return NULL;
	t->host = host;
	t->root = root;
	return t;
}

void
tree_free(struct tree *t)
{
	if (t != NULL)
		free(t->seen);
	free(t);
}

static bool
is_ours(const struct tree *t, int32_t pid)
{
	return pid == t->root || (pid > 0 && pid < PIDS && t->known[pid].ours);
}

static struct seen *
find_seen(struct tree *t, int32_t pid, uint64_t start)
{
	/* Those that still run are the last ones, mostly. */
	for (unsigned i = t->n; i-- > 0;)
		if (t->seen[i].pid == pid &&
		    t->seen[i].last.start_abstime == start)
			return &t->seen[i];
	if (t->n == t->room) {
		unsigned room = t->room > 0 ? 2 * t->room : 64;
		struct seen *more = realloc(t->seen, room * sizeof *more);

		if (more == NULL)
			return NULL;
		t->seen = more;
		t->room = room;
	}
	t->seen[t->n].pid = pid;
	return &t->seen[t->n++];
}

static void
note(struct tree *t, int32_t pid)
{
	struct host_usage now = { .flavor = 0 };
	struct seen *s;

	if (t->host->proc_usage(pid, &now) != 0)
		return;
	s = find_seen(t, pid, now.start_abstime);
	if (s != NULL)
		s->last = now;
}

void
tree_look(struct tree *t)
{
	int n = t->host->proc_list(t->list, LIST_MAX);

	t->look++;
	/* The newest come first: parents are older than their children. */
	for (int i = n; i-- > 0;) {
		int32_t pid = t->list[i];
		struct host_proc p = { .ppid = -1 };

		if (pid <= 0 || pid >= PIDS || pid == t->root)
			continue;
		/* Who made it is asked once: a parent that ends leaves it. */
		if (t->known[pid].look + 1 != t->look || t->look == 1)
			t->known[pid].ours =
				t->host->proc_short(pid, &p) == 0 &&
				is_ours(t, p.ppid);
		t->known[pid].look = t->look;
		if (t->known[pid].ours)
			note(t, pid);
	}
}

unsigned
tree_sum(const struct tree *t, struct host_usage *sum)
{
	for (unsigned i = 0; t != NULL && i < t->n; i++) {
		const struct host_usage *u = &t->seen[i].last;

		sum->user_time += u->user_time;
		sum->system_time += u->system_time;
		sum->instructions += u->instructions;
		sum->cycles += u->cycles;
		sum->user_ptime += u->user_ptime;
		sum->system_ptime += u->system_ptime;
		sum->pinstructions += u->pinstructions;
		sum->pcycles += u->pcycles;
		sum->energy_nj += u->energy_nj;
		sum->penergy_nj += u->penergy_nj;
	}
	return t != NULL ? t->n : 0;
}

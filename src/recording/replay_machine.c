#include "recording/inner.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "model/metric.h"
#include "pmu/pmu.h"
#include "recording/index.h"

enum { KINDS_MAX = 64 };

struct found_topology {
	unsigned n;
	const struct recording_cpu **cpu;
	unsigned nkinds, nclusters;
	const struct recording_cpu
		*kind[KINDS_MAX]; /* one CPU of each kind, sorted by level */
	const struct recording_cpu **cluster;
};

static int
compare_cpu_ids(const void *a, const void *b)
{
	const struct recording_cpu *const *x = a, *const *y = b;

	return ((*x)->cpu > (*y)->cpu) - ((*x)->cpu < (*y)->cpu);
}

static bool
cpus_share_kind(const struct recording_cpu *a, const struct recording_cpu *b)
{
	return a->level == b->level && strcmp(a->kind, b->kind) == 0;
}

static bool
cpus_share_cluster(const struct recording_cpu *a, const struct recording_cpu *b)
{
	return cpus_share_kind(a, b) && strcmp(a->cluster, b->cluster) == 0;
}

/* Adds the CPU's kind; the fastest is first. False: too many kinds. */
static bool
found_add_kind(struct found_topology *f, const struct recording_cpu *c)
{
	unsigned at;

	for (unsigned k = 0; k < f->nkinds; k++)
		if (cpus_share_kind(f->kind[k], c))
			return true;
	if (f->nkinds == KINDS_MAX)
		return false;
	for (at = f->nkinds; at > 0 && f->kind[at - 1]->level > c->level; at--)
		f->kind[at] = f->kind[at - 1];
	f->kind[at] = c;
	f->nkinds++;
	return true;
}

static void
found_add_cluster(struct found_topology *f, const struct recording_cpu *c)
{
	for (unsigned i = 0; i < f->nclusters; i++)
		if (cpus_share_cluster(f->cluster[i], c))
			return;
	f->cluster[f->nclusters++] = c;
}

static bool
found_sort_cpus(struct found_topology *f, const struct recording_frame *frame,
		struct err *e)
{
	for (unsigned i = 0; i < f->n; i++)
		f->cpu[i] = &frame->cpu[i];
	qsort(f->cpu, f->n, sizeof *f->cpu, compare_cpu_ids);
	for (unsigned i = 0; i < f->n; i++) {
		if (i > 0 && f->cpu[i]->cpu == f->cpu[i - 1]->cpu)
			return err_set(
				e, ERR_FORMAT,
				"the first sample of the recording has cpu %d twice",
				f->cpu[i]->cpu);
		if (!found_add_kind(f, f->cpu[i]))
			return err_set(
				e, ERR_FORMAT,
				"the recording has more than %d kinds of core",
				KINDS_MAX);
		found_add_cluster(f, f->cpu[i]);
	}
	return true;
}

/* "P" for the label "P1"; "" for labels that begin with CPU or CCX. */
static void
label_kind_letter(char *letter, const char *label)
{
	size_t n = strcspn(label, "0123456789");

	letter[0] = '\0';
	if (strncmp(label, "CPU", 3) == 0 || strncmp(label, "CCX", 3) == 0 ||
	    n >= TOPOLOGY_LABEL_SIZE)
		return;
	memcpy(letter, label, n);
	letter[n] = '\0';
}

static void
topology_fill_kind(struct topology_kind *k, const struct recording_cpu *c,
		   const char *chip, const struct pmu *pmu)
{
	memcpy(k->name, c->kind, sizeof k->name);
	label_kind_letter(k->letter, c->cluster);
	snprintf(k->pmu, sizeof k->pmu, "%s", chip);
	if (pmu == NULL || pmu->intel)
		return;
	/* Only the widths of the fastest kind and of E cores are known. */
	if (strcmp(k->name, "Efficiency") == 0)
		k->width = pmu->map_width_e;
	else if (c->level <= 0)
		k->width = pmu->map_width_p;
	k->width_certain = k->width != 0 && pmu->exact_topdown;
}

static unsigned
found_kind_index(const struct found_topology *f, const struct recording_cpu *c)
{
	unsigned k = 0;

	while (k + 1 < f->nkinds && !cpus_share_kind(f->kind[k], c))
		k++;
	return k;
}

static unsigned
found_cluster_index(const struct found_topology *f,
		    const struct recording_cpu *c)
{
	unsigned i = 0;

	while (i + 1 < f->nclusters && !cpus_share_cluster(f->cluster[i], c))
		i++;
	return i;
}

static int
compare_ints(const void *a, const void *b)
{
	const int *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Numbers cores from 0 without gaps, even if the recording lacks some CPUs. */
static bool
topology_number_cores(const struct found_topology *f, struct topology *t)
{
	int *core = calloc(f->n + 1, sizeof *core);
	unsigned distinct = 0;

	if (core == NULL)
		return false;
	for (unsigned i = 0; i < f->n; i++)
		core[i] = f->cpu[i]->core;
	qsort(core, f->n, sizeof *core, compare_ints);
	for (unsigned i = 0; i < f->n; i++)
		if (i == 0 || core[i] != core[distinct - 1])
			core[distinct++] = core[i];
	for (unsigned i = 0; i < f->n; i++) {
		const int *at = bsearch(&f->cpu[i]->core, core, distinct,
					sizeof *core, compare_ints);

		/* If any core number is unknown, each CPU counts as a core. */
		t->cpu[i].core =
			core[0] < 0 || at == NULL ? i : (unsigned)(at - core);
	}
	free(core);
	return true;
}

static struct topology *
topology_from_found(const struct found_topology *f, const char *chip,
		    struct err *e)
{
	struct topology *t = topology_new(f->nkinds, f->nclusters, f->n, e);
	const struct pmu *pmu = pmu_by_db(chip);

	if (t == NULL)
		return NULL;
	for (unsigned k = 0; k < f->nkinds; k++)
		topology_fill_kind(&t->kind[k], f->kind[k], chip, pmu);
	for (unsigned i = 0; i < f->nclusters; i++) {
		const struct recording_cpu *c = f->cluster[i];

		memcpy(t->cluster[i].label, c->cluster,
		       sizeof t->cluster[i].label);
		t->cluster[i].kind = found_kind_index(f, c);
		t->cluster[i].die = c->die;
		t->cluster[i].package = c->package;
	}
	for (unsigned i = 0; i < f->n; i++) {
		const struct recording_cpu *c = f->cpu[i];

		t->cpu[i] = (struct topology_cpu){
			.id = c->cpu,
			.kind = found_kind_index(f, c),
			.cluster = found_cluster_index(f, c),
			.die = c->die,
			.package = c->package,
		};
	}
	if (!topology_number_cores(f, t)) {
		err_set(e, ERR_FAIL, "topology: out of memory");
		topology_free(t);
		return NULL;
	}
	topology_finish(t);
	return t;
}

struct topology *
replay_topology_new(const struct recording_frame *frame, const char *chip,
		    struct err *e)
{
	struct found_topology f = { .n = frame->ncpus };
	struct topology *t = NULL;

	f.cpu = calloc(f.n + 1, sizeof *f.cpu);
	f.cluster = calloc(f.n + 1, sizeof *f.cluster);
	if (f.cpu == NULL || f.cluster == NULL)
		err_set(e, ERR_FAIL, "topology: out of memory");
	else if (found_sort_cpus(&f, frame, e))
		t = topology_from_found(&f, chip, e);
	free(f.cpu);
	free(f.cluster);
	return t;
}

enum source_mode
replay_frame_mode(const struct recording_frame *f)
{
	if (f->nslots > 0)
		return SOURCE_FULL;
	for (unsigned i = 0; i < f->ncpus; i++)
		if (span_had_fixed(&f->cpu[i].counts))
			return SOURCE_IPC;
	return SOURCE_BUSY_ONLY;
}

static int
compare_event_names(const void *a, const void *b)
{
	const struct event *x = a, *y = b;

	return strcmp(x->name, y->name);
}

static struct event
event_from_pmu(const struct pmu_event *p)
{
	return (struct event){ .name = p->name,
			       .alias = p->alias != NULL ? p->alias : p->as,
			       .narrow = p->narrow,
			       .less = p->less,
			       .text = p->text,
			       .number = p->number,
			       .counters = p->counters,
			       .fixed = p->fixed >= 0 };
}

enum {
	ANY_COUNTER = 0x3fc, /* counters 2 to 9, for an unknown chip */
	FIXED_MAX = 3
};

/* Adds the events of perf's fixed counters, which rows do not name. */
static unsigned
add_fixed_events(struct event *event, const struct recording *r,
		 const struct recording_frame *first)
{
	bool perf = strcmp(recording_machine(r)->source, "perf") == 0;
	bool pair = perf && first->domain != DOMAIN_USER;
	const struct {
		const char *name;
		bool there;
	} rows[] = { { COLUMN_CYCLES_EVENT, pair },
		     { COLUMN_INSTRUCTIONS_EVENT, pair } };
	unsigned n = 0;

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		bool named = false;

		for (unsigned k = 0; recording_name(r, k) != NULL; k++)
			named = named ||
				strcmp(recording_name(r, k), rows[i].name) == 0;
		if (rows[i].there && !named)
			event[n++] = (struct event){ .name = rows[i].name,
						     .fixed = true };
	}
	return n;
}

bool
replay_events_init(struct replay_events *v, const struct recording *r,
		   const struct recording_frame *first, struct err *e)
{
	const struct pmu *pmu = pmu_by_db(recording_machine(r)->chip);
	unsigned n = 0, known = pmu != NULL ? pmu->nevents : 0;

	memset(v, 0, sizeof *v);
	v->event = calloc((size_t)known + RECORDING_NAMES_MAX + FIXED_MAX,
			  sizeof *v->event);
	if (v->event == NULL)
		return err_set(e, ERR_FAIL, "events: out of memory");
	for (; n < known; n++)
		v->event[n] = event_from_pmu(&pmu->events[n]);
	for (unsigned i = 0; recording_name(r, i) != NULL; i++)
		if (pmu_event_find(pmu, recording_name(r, i)) == NULL)
			v->event[n++] = (struct event){
				.name = recording_name(r, i),
				.counters = ANY_COUNTER,
			};
	if (pmu == NULL)
		n += add_fixed_events(v->event + n, r, first);
	qsort(v->event, n, sizeof *v->event, compare_event_names);
	v->catalog = (struct catalog){
		.name = pmu != NULL ? pmu->db : "recorded",
		.event = v->event,
		.len = n,
		.config_counters =
			pmu != NULL ? pmu->config_counters : ANY_COUNTER,
	};
	return true;
}

void
replay_events_done(struct replay_events *v)
{
	for (unsigned i = 0; i < v->nlate; i++)
		free(v->late[i]);
	free(v->event);
	v->event = NULL;
	v->nlate = 0;
}

static const struct event *
replay_event(struct replay_events *v, const struct recording *r, unsigned name,
	     struct err *e)
{
	const char *text = recording_name(r, name);

	if (v->of[name] == NULL) {
		const struct event *known = catalog_find(&v->catalog, text);

		if (known != NULL && strcmp(known->name, text) == 0)
			v->of[name] = known; /* by name, not by alias */
	}
	if (v->of[name] == NULL) {
		struct event *late = calloc(1, sizeof *late);

		if (late == NULL)
			return err_null(e, ERR_FAIL, "events: out of memory");
		late->name = text;
		late->counters = ANY_COUNTER;
		v->of[name] = v->late[v->nlate++] = late;
	}
	return v->of[name];
}

/* Guesses counters from the order of slots: recordings do not name counters. */
static void
eventset_guess_counters(const struct replay_events *v, struct eventset *set)
{
	const struct event *event[EVENTSET_MAX];
	struct eventset placed = { .len = 0 };
	struct err ignored;

	for (unsigned i = 0; i < set->len; i++)
		event[i] = set->slot[i].event;
	bool fits =
		slots_place(&v->catalog, event, set->len, &placed, &ignored) &&
		placed.len == set->len;

	for (unsigned i = 0; fits && i < set->len; i++)
		fits = placed.slot[i].event == event[i];
	for (unsigned i = 0; i < set->len; i++)
		set->slot[i].counter = fits ? placed.slot[i].counter : i + 2;
}

static void
mark_event_unlike(struct replay_events *v, const struct event *e)
{
	for (unsigned i = 0; i < v->catalog.len; i++)
		if (&v->event[i] == e)
			v->event[i].unlike = true;
	for (unsigned i = 0; i < v->nlate; i++)
		if (v->late[i] == e)
			v->late[i]->unlike = true;
}

bool
replay_make_set(struct replay_events *v, const struct recording *r,
		const struct recording_frame *f, struct eventset *out,
		struct err *e)
{
	memset(out, 0, sizeof *out);
	memcpy(out->name, f->preset, sizeof out->name);
	for (unsigned i = 0; i < f->nslots; i++) {
		out->slot[i].event = replay_event(v, r, f->slot[i], e);
		if (out->slot[i].event == NULL)
			return false;
		if ((f->unlike >> i & 1) != 0)
			mark_event_unlike(v, out->slot[i].event);
	}
	out->len = f->nslots;
	if (out->len > 0)
		eventset_guess_counters(v, out);
	return true;
}

static unsigned
replay_cpus_place(const struct replay_cpus *k, int id)
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
replay_cpus_find(const struct replay_cpus *k, int id)
{
	unsigned at = replay_cpus_place(k, id);

	return at < k->n && k->cpu[at].cpu == id ? &k->cpu[at] : NULL;
}

/* True: the CPU was offline when the topology was read. */
static bool
cpu_kind_is_unknown(const struct recording_cpu *c)
{
	return strcmp(c->kind, "Unknown") == 0;
}

static bool
cpu_row_adds_kind(const struct recording_cpu *known,
		  const struct recording_cpu *c)
{
	return cpu_kind_is_unknown(known) && !cpu_kind_is_unknown(c);
}

bool
replay_cpus_has_new(const struct replay_cpus *k,
		    const struct recording_frame *f, const char *run)
{
	bool more = f->ncpus > k->n;

	if (run == NULL || strcmp(run, f->run) != 0)
		return false;
	for (unsigned i = 0; i < f->ncpus; i++) {
		const struct recording_cpu *c = &f->cpu[i], *known;

		known = i < k->n && k->cpu[i].cpu == c->cpu
				? &k->cpu[i]
				: replay_cpus_find(k, c->cpu);
		if (known == NULL ? more : cpu_row_adds_kind(known, c))
			return true;
	}
	return false;
}

static bool
replay_cpus_insert(struct replay_cpus *k, const struct recording_cpu *c,
		   struct err *e)
{
	unsigned at = replay_cpus_place(k, c->cpu);
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
		struct recording_cpu *known =
			replay_cpus_find(k, f->cpu[i].cpu);

		if (known == NULL) {
			if (!replay_cpus_insert(k, &f->cpu[i], e))
				return false;
		} else if (cpu_row_adds_kind(known, &f->cpu[i])) {
			unsigned first = known->counts.ncpus;

			*known = f->cpu[i];
			known->counts.ncpus = first;
		}
	}
	k->started = true;
	return true;
}

static bool
replay_cpus_has_all(const struct replay_cpus *k,
		    const struct recording_frame *f)
{
	for (unsigned i = 0; i < f->ncpus; i++)
		if (replay_cpus_find(k, f->cpu[i].cpu) == NULL)
			return false;
	return true;
}

bool
replay_cpus_follow(struct replay_cpus *k, const struct recording_frame *f,
		   struct err *e)
{
	bool first = !k->started, ok = true;

	if (first || strcmp(k->run, f->run) != 0)
		k->foreign = !first && !replay_cpus_has_all(k, f);
	if (first ||
	    (!k->foreign && replay_cpus_has_new(k, f, first ? NULL : k->run)))
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

static bool
process_rows_reserve(struct process_reading *r, unsigned n, struct err *e)
{
	if (process_reading_grow(r, n))
		return true;
	return err_set(e, ERR_FAIL, "out of memory for %u processes", n);
}

static void
traced_from_frame(struct process_traced *to, const struct recording_frame *f)
{
	process_traced_reset(to);
	if (f->counted_slots == 0)
		return;
	to->state = PROCESS_TRACING_ON;
	to->recorded = true;
	to->slots = f->counted_slots;
	for (unsigned i = 0; i < f->ncounted; i++) {
		to->cycles += f->counted[i].cycles;
		if (to->n < PROCESS_TRACED_MAX)
			to->row[to->n++] = f->counted[i];
		else
			to->left_out++;
	}
	process_traced_sort(to);
}

bool
replay_processes_take(struct process_reading *to,
		      const struct recording_frame *f, const struct topology *t,
		      struct err *e)
{
	to->n = 0;
	to->recorded = f->processes;
	traced_from_frame(&to->traced, f);
	if (!f->processes)
		return true;
	if (!process_rows_reserve(to, f->nprocesses, e))
		return false;
	if (f->nprocesses > 0)
		memcpy(to->row, f->process, f->nprocesses * sizeof *to->row);
	to->n = f->nprocesses;
	for (unsigned i = 0; i < to->n; i++)
		if (to->row[i].pid == PROCESS_OTHERS_PID)
			memcpy(to->row[i].name, PROCESS_OTHERS_NAME,
			       sizeof PROCESS_OTHERS_NAME);
	to->stamp.wall_ns = f->wall_ns;
	to->domain = f->process_domain;
	to->has_rest = to->everything = f->has_rest;
	to->rest = f->rest;
	to->started = f->began;
	to->born = f->began_seen;
	process_parts_of(t, &to->parts);
	return true;
}

bool
replay_processes_copy(struct process_reading *out,
		      const struct process_reading *from, struct err *e)
{
	if (!from->recorded)
		return err_set(e, ERR_FAIL,
			       "this sample of the recording has no processes");
	if (!process_rows_reserve(out, from->n, e))
		return false;
	struct process_read *row = out->row;
	unsigned room = out->room;

	*out = *from;
	out->row = row;
	out->room = room;
	if (from->n > 0)
		memcpy(row, from->row, from->n * sizeof *row);
	return true;
}

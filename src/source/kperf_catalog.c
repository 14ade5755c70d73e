#include "source/kperf_state.h"

#include "kperf/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The two layouts of kpep_event that are known; 0: some other one. */
enum { STRIDE_OLD = 48, STRIDE_NEW = 56 };

struct row { /* an event and its live pointer, to be sorted together */
	struct event event;
	struct kpep_event *live;
};

static int
by_address(const void *a, const void *b)
{
	const struct kpep_event *const *x = a, *const *y = b;
	uintptr_t p = (uintptr_t)*x, q = (uintptr_t)*y;

	return p < q ? -1 : p > q;
}

static int
by_name(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	return strcmp(x->event.name, y->event.name);
}

/*
 * Events lie in one array, so the smallest distance between two pointers is
 * the size of an element. Sorts `live` by address.
 */
static size_t
stride_of(struct kpep_event **live, size_t n)
{
	size_t least = SIZE_MAX;

	qsort(live, n, sizeof(struct kpep_event *), by_address);
	for (size_t i = 1; i < n; i++) {
		size_t d = (uintptr_t)live[i] - (uintptr_t)live[i - 1];

		if (d > 0 && d < least)
			least = d;
	}
	return least == STRIDE_OLD || least == STRIDE_NEW ? least : 0;
}

/*
 * The struct is private and has grown before: believe its fields only if they
 * say what the functions say. Integers first, pointers when those agree.
 */
static bool
db_layout_known(const struct kperfdata_api *kpep, struct kpep_db *db)
{
	size_t events, aliases, fixed, config;
	const char *name = NULL;

	if (kpep->kpep_db_events_count(db, &events) != 0 ||
	    kpep->kpep_db_aliases_count(db, &aliases) != 0 ||
	    kpep->kpep_db_counters_count(db, 1, &fixed) != 0 ||
	    kpep->kpep_db_counters_count(db, 2, &config) != 0 ||
	    kpep->kpep_db_name(db, &name) != 0)
		return false;
	if (db->event_count != events || db->alias_count != aliases ||
	    db->fixed_counter_count != fixed ||
	    db->config_counter_count != config ||
	    db->architecture > KPEP_ARCH_ARM64)
		return false;
	return name != NULL && db->marketing_name != NULL &&
	       strcmp(name, db->marketing_name) == 0;
}

/* Counter bits of the classes, when only their numbers are known. */
static bool
count_bits(const struct kperfdata_api *kpep, struct kpep_db *db,
	   uint32_t *fixed_bits, uint32_t *config_bits)
{
	size_t fixed, config;

	if (kpep->kpep_db_counters_count(db, 1, &fixed) != 0 ||
	    kpep->kpep_db_counters_count(db, 2, &config) != 0 ||
	    fixed + config > 31)
		return false;
	*fixed_bits = (1u << fixed) - 1;
	*config_bits = ((1u << config) - 1) << fixed;
	return true;
}

static void
fill_private(struct event *ev, const struct kpep_event *live, size_t stride)
{
	const void *at = live;
	const struct kpep_event_48 *old = at;
	const struct kpep_event_56 *new = at;

	ev->fallback = new->fallback; /* the same place in both */
	ev->counters = new->mask;
	ev->number = stride == STRIDE_OLD ? old->number : new->number;
}

static bool
fill(struct row *row, const struct kperfdata_api *kpep, size_t stride,
     const struct pmu *pmu, uint32_t fixed_bits)
{
	struct event *ev = &row->event;
	const struct pmu_event *ours;
	const char *text = NULL;

	if (kpep->kpep_event_name(row->live, &ev->name) != 0 ||
	    ev->name == NULL)
		return false;
	if (kpep->kpep_event_alias(row->live, &ev->alias) != 0)
		ev->alias = NULL;
	ours = pmu == NULL ? NULL : pmu_event_find(pmu, ev->name);
	if (stride != 0) {
		fill_private(ev, row->live, stride);
	} else if (ours != NULL) {
		ev->fallback = ours->fallback;
		ev->counters = ours->counters;
		ev->number = ours->number;
	}
	ev->fixed = (ev->counters & fixed_bits) != 0;
	if (ev->fixed)
		ev->number = 0;
	if (ours != NULL && ours->text != NULL)
		ev->text = ours->text;
	else if (kpep->kpep_event_description(row->live, &text) == 0)
		ev->text = text;
	return true;
}

static bool
out_of_memory(struct err *e)
{
	return err_set(e, ERR_FAIL, "event database: out of memory");
}

/* rows[0..n) get the live pointers; the stride of their array, or 0. */
static bool
list_events(struct kperf_catalog *c, const struct kperfdata_api *kpep,
	    struct row *rows, size_t n, size_t *stride, struct err *e)
{
	struct kpep_event **live = calloc(n, sizeof(struct kpep_event *));
	int rc;

	if (live == NULL)
		return out_of_memory(e);
	rc = kpep->kpep_db_events(c->db, live, n * sizeof(struct kpep_event *));
	if (rc == 0) {
		*stride = stride_of(live, n);
		for (size_t i = 0; i < n; i++)
			rows[i].live = live[i];
	}
	free(live);
	if (rc != 0)
		return kperf_kpep_err(e, "kpep_db_events", rc, errno);
	return true;
}

static bool
load_rows(struct kperf_catalog *c, const struct kperfdata_api *kpep,
	  const struct pmu *pmu, struct row *rows, size_t n, struct err *e)
{
	size_t stride = 0;
	unsigned len = 0;

	if (!list_events(c, kpep, rows, n, &stride, e))
		return false;
	for (size_t i = 0; i < n; i++) {
		rows[len].live = rows[i].live;
		if (rows[i].live != NULL &&
		    fill(&rows[len], kpep, stride, pmu, c->fixed_bits))
			len++;
	}
	qsort(rows, len, sizeof(*rows), by_name);
	for (unsigned i = 0; i < len; i++) {
		c->event[i] = rows[i].event;
		c->live[i] = rows[i].live;
	}
	c->catalog.event = c->event;
	c->catalog.len = len;
	return true;
}

/* The internal name ("a14") stands only in the private struct. */
static void
name_it(struct kperf_catalog *c, bool layout_known, const struct pmu *pmu)
{
	const char *name = layout_known ? c->db->name : NULL;

	if (name == NULL)
		name = pmu != NULL ? pmu->db : "";
	strncat(c->name, name, sizeof(c->name) - 1);
	c->catalog.name = c->name;
}

bool
kperf_catalog_load(struct kperf_catalog *c, const struct kperfdata_api *kpep,
		   const struct pmu *pmu, struct err *e)
{
	struct row *rows = NULL;
	size_t n = 0;
	struct err why = { ERR_NONE, "" };
	bool known, ok = false;
	int rc;

	memset(c, 0, sizeof(*c));
	rc = kpep->kpep_db_create(NULL, &c->db);
	if (rc != 0 || c->db == NULL) {
		c->db = NULL;
		kperf_kpep_err(&why, "kpep_db_create", rc, errno);
		return err_set(e, why.code,
			       "only cycles and instructions can be counted: "
			       "%s",
			       why.text);
	}
	known = db_layout_known(kpep, c->db);
	name_it(c, known, pmu);
	if (!count_bits(kpep, c->db, &c->fixed_bits,
			&c->catalog.config_counters) ||
	    kpep->kpep_db_events_count(c->db, &n) != 0 || n == 0) {
		err_set(e, ERR_FAIL,
			"the event database of this chip is empty");
		goto out;
	}
	if (known && c->db->config_counter_bits != 0) {
		c->fixed_bits = c->db->fixed_counter_bits;
		c->catalog.config_counters = c->db->config_counter_bits;
	}
	rows = calloc(n, sizeof(*rows));
	c->event = calloc(n, sizeof(*c->event));
	c->live = calloc(n, sizeof(struct kpep_event *));
	if (rows == NULL || c->event == NULL || c->live == NULL)
		out_of_memory(e);
	else
		ok = load_rows(c, kpep, pmu, rows, n, e);
out:
	free(rows);
	if (!ok)
		kperf_catalog_free(c, kpep);
	return ok;
}

void
kperf_catalog_free(struct kperf_catalog *c, const struct kperfdata_api *kpep)
{
	free(c->event);
	free(c->live);
	if (c->db != NULL)
		kpep->kpep_db_free(c->db);
	memset(c, 0, sizeof(*c));
}

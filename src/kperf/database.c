#include "kperf/inside.h"

#include "base/bits.h"
#include "base/plural.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STRIDE_OLD = 48, STRIDE_NEW = 56 };

struct pair {
	struct kps_event event;
	struct kpep_event *live;
};

static int
compare_addresses(const void *a, const void *b)
{
	const struct kpep_event *const *x = a, *const *y = b;
	uintptr_t p = (uintptr_t)*x, q = (uintptr_t)*y;

	return p < q ? -1 : p > q;
}

static int
compare_names(const void *a, const void *b)
{
	const struct pair *x = a, *y = b;

	return strcmp(x->event.name, y->event.name);
}

/* The events are one array, so the size of an event is the smallest distance of
 * two pointers; 0: unknown. Sorts `live` by address. */
static unsigned
event_stride(struct kpep_event **live, size_t n)
{
	size_t least = SIZE_MAX;

	qsort(live, n, sizeof(struct kpep_event *), compare_addresses);
	for (size_t i = 1; i < n; i++) {
		size_t d = (uintptr_t)live[i] - (uintptr_t)live[i - 1];

		if (d > 0 && d < least)
			least = d;
	}
	return least == STRIDE_OLD || least == STRIDE_NEW ? (unsigned)least : 0;
}

/* True: the fields of the private struct, which Apple changes, agree with the
 * results of the functions. Integers are compared before pointers are followed.
 */
static bool
layout_known(const struct kps_database *d, size_t events)
{
	const struct kpep_db *db = d->db;
	size_t aliases;

	if (d->kpep->kpep_db_aliases_count(d->db, &aliases) != 0)
		return false;
	if (db->event_count != events || db->alias_count != aliases ||
	    db->fixed_counter_count != d->counters[KPC_CLASS_FIXED] ||
	    db->config_counter_count != d->counters[KPC_CLASS_CONFIGURABLE] ||
	    db->architecture > KPEP_ARCH_ARM64)
		return false;
	return db->marketing_name != NULL && d->marketing[0] != '\0' &&
	       strcmp(d->marketing, db->marketing_name) == 0;
}

/* kperfdata's functions return only numbers of counters. The bits follow from
 * the order: fixed counters, then configurable ones, of which the power
 * manager's come first. */
static bool
count_counters(struct kps_database *d, struct kps_error *e)
{
	unsigned at = 0;

	for (unsigned i = 0; i < 3; i++) {
		size_t n = 0;
		int rc = d->kpep->kpep_db_counters_count(
			d->db, (uint8_t)(1u << i), &n);

		if (rc != 0)
			return kps_fail_kpep(e, "kpep_db_counters_count", rc,
					     errno, "asking for the counters");
		if (i == KPC_CLASS_POWER)
			at = d->counters[KPC_CLASS_FIXED];
		if (at + n > 31)
			return kps_fail(
				e, KPS_KPEP_DB_CORRUPT,
				"kpep_db_counters_count",
				"the database claims %zu %s of class %u", n,
				plural(n, "counter", "counters"), i);
		d->counters[i] = (unsigned)n;
		d->bits[i] = ((1u << n) - 1) << at;
		at += (unsigned)n;
	}
	return true;
}

static void
read_private_fields(struct kps_database *d)
{
	const uint32_t bits[3] = { d->db->fixed_counter_bits,
				   d->db->config_counter_bits,
				   d->db->power_counter_bits };

	if (d->db->name != NULL)
		snprintf(d->name, sizeof d->name, "%s", d->db->name);
	if (d->db->cpu_id != NULL)
		d->cpu_id = d->db->cpu_id;
	d->architecture = (int)d->db->architecture;
	for (unsigned i = 0; i < 3; i++)
		if (bits_count(bits[i]) == d->counters[i])
			d->bits[i] = bits[i];
}

static void
fill_private(struct kps_event *ev, const struct kpep_event *live,
	     unsigned stride)
{
	const void *at = live;
	const struct kpep_event_48 *old = at;
	const struct kpep_event_56 *new = at;

	ev->errata = new->errata;
	ev->fallback = new->fallback;
	ev->counters = new->mask;
	ev->number = stride == STRIDE_OLD ? old->number : new->number;
	ev->umask = stride == STRIDE_OLD ? old->umask : new->umask;
	ev->fixed = stride == STRIDE_OLD ? old->is_fixed != 0
					 : (new->flags &KPEP_EVENT_FIXED) != 0;
}

static bool
fill_database_event(struct kps_event *ev, const struct kps_database *d,
		    struct kpep_event *live)
{
	ev->number = -1;
	if (live == NULL || d->kpep->kpep_event_name(live, &ev->name) != 0 ||
	    ev->name == NULL)
		return false;
	if (d->kpep->kpep_event_alias(live, &ev->alias) != 0)
		ev->alias = NULL;
	if (d->kpep->kpep_event_description(live, &ev->description) != 0)
		ev->description = NULL;
	if (d->stride != 0)
		fill_private(ev, live, d->stride);
	ev->fixed |= (ev->counters & d->bits[KPC_CLASS_FIXED]) != 0;
	if (ev->fixed)
		ev->number = -1;
	const struct kperf_name *n = kperf_name_of(ev->name);
	ev->agnostic = n != NULL ? n->name : NULL;
	ev->unit = n != NULL ? n->unit : KPS_UNIT_COUNTS;
	return true;
}

static bool
load_pairs(struct kps_database *d, struct pair *pair,
	   struct kpep_event **pointer, size_t n, struct kps_error *e)
{
	int rc = d->kpep->kpep_db_events(d->db, pointer,
					 n * sizeof(struct kpep_event *));

	if (rc != 0)
		return kps_fail_kpep(e, "kpep_db_events", rc, errno,
				     "listing the events");
	d->stride = event_stride(pointer, n);
	for (size_t i = 0; i < n; i++) {
		pair[d->len].live = pointer[i];
		memset(&pair[d->len].event, 0, sizeof pair[0].event);
		if (fill_database_event(&pair[d->len].event, d, pointer[i]))
			d->len++;
	}
	qsort(pair, d->len, sizeof *pair, compare_names);
	for (unsigned i = 0; i < d->len; i++) {
		d->event[i] = pair[i].event;
		d->live[i] = pair[i].live;
	}
	return true;
}

static bool
load_events(struct kps_database *d, size_t n, struct kps_error *e)
{
	struct pair *pair = calloc(n, sizeof *pair);
	struct kpep_event **pointer = calloc(n, sizeof(struct kpep_event *));
	bool ok;

	d->event = calloc(n, sizeof *d->event);
	d->live = calloc(n, sizeof(struct kpep_event *));
	if (pair == NULL || pointer == NULL || d->event == NULL ||
	    d->live == NULL)
		ok = kps_fail_memory(e, "the event database");
	else
		ok = load_pairs(d, pair, pointer, n, e);
	free(pair);
	free(pointer);
	return ok;
}

static void
add_event_alias(struct kps_database *d, const char *name)
{
	struct kpep_event *live = NULL;

	if (name == NULL || d->kpep->kpep_db_event(d->db, name, &live) != 0)
		return;
	for (unsigned i = 0; i < d->len; i++)
		if (d->live[i] == live &&
		    (d->event[i].alias == NULL ||
		     strcmp(d->event[i].alias, name) != 0))
			d->alias[d->naliases++] = (struct kps_alias){ name, i };
}

static void
load_aliases(struct kps_database *d)
{
	size_t n = 0;

	if (d->kpep->kpep_db_aliases_count(d->db, &n) != 0 || n == 0 ||
	    n > UINT16_MAX)
		return;
	const char **name = calloc(n, sizeof *name);

	d->alias = calloc(n, sizeof *d->alias);
	if (name != NULL && d->alias != NULL &&
	    d->kpep->kpep_db_aliases(d->db, name, n * sizeof *name) == 0)
		for (size_t i = 0; i < n; i++)
			add_event_alias(d, name[i]);
	free(name);
}

static bool
load_database(struct kps_database *d, const char *name, struct kps_error *e)
{
	size_t n = 0;

	errno = 0;
	int rc = d->kpep->kpep_db_create(name, &d->db);
	if (rc != 0)
		d->db = NULL;
	if (rc == 0 && d->db == NULL)
		return kps_fail(e, KPS_NULL_POINTER, "kpep_db_create",
				"kpep_db_create gave no database");
	if (rc != 0)
		return kps_fail_kpep(e, "kpep_db_create", rc, errno,
				     "opening the event database");
	if (d->kpep->kpep_db_name(d->db, &d->marketing) != 0 ||
	    d->marketing == NULL)
		d->marketing = "";
	if (!count_counters(d, e))
		return false;
	rc = d->kpep->kpep_db_events_count(d->db, &n);
	if (rc != 0)
		return kps_fail_kpep(e, "kpep_db_events_count", rc, errno,
				     "counting the events");
	if (n == 0 || n > UINT16_MAX)
		return kps_fail(
			e, KPS_KPEP_DB_CORRUPT, "kpep_db_events_count",
			"the event database of this chip has %zu events", n);
	d->known = layout_known(d, n);
	if (d->known)
		read_private_fields(d);
	d->chip = kps_chip_of(d->name);
	if (!load_events(d, n, e))
		return false;
	load_aliases(d);
	return true;
}

struct kps_database *
kps_database_new(const struct kperfdata_api *kperfdata, const char *name,
		 struct kps_error *e)
{
	struct kps_database *d = kps_new(sizeof *d, "the event database", e);

	if (d == NULL)
		return NULL;
	d->kpep = kperfdata;
	d->cpu_id = d->marketing = "";
	d->architecture = -1;
	if (load_database(d, name, e))
		return d;
	kps_database_free(d);
	return NULL;
}

void
kps_database_free(struct kps_database *d)
{
	if (d == NULL)
		return;
	free(d->event);
	free(d->live);
	free(d->alias);
	if (d->db != NULL)
		d->kpep->kpep_db_free(d->db);
	free(d);
}

/* clang-format off */
KPS_GET(const char *, kps_database_name, kps_database, it->name)
KPS_GET(const char *, kps_database_cpu_id, kps_database, it->cpu_id)
KPS_GET(const char *, kps_database_marketing_name, kps_database, it->marketing)
KPS_GET(int, kps_database_architecture, kps_database, it->architecture)
KPS_GET(unsigned, kps_database_event_layout, kps_database, it->stride)
KPS_GET(struct kpep_db *, kps_database_raw, kps_database, it->db)
/* clang-format on */

unsigned
kps_database_counters(const struct kps_database *d, enum kpc_class_id which)
{
	return which <= KPC_CLASS_POWER ? d->counters[which] : 0;
}

uint32_t
kps_database_counter_bits(const struct kps_database *d, enum kpc_class_id which)
{
	return which <= KPC_CLASS_POWER ? d->bits[which] : 0;
}

struct kpep_event *
kps_event_raw(const struct kps_database *d, const struct kps_event *event)
{
	return d->live[event - d->event];
}

const struct kps_event *
kps_database_event(const struct kps_database *d, unsigned i)
{
	return i < d->len ? &d->event[i] : NULL;
}

const struct kps_event *
kps_database_fixed_event(const struct kps_database *d, unsigned i)
{
	uint32_t bits = d->bits[KPC_CLASS_FIXED];

	for (; i > 0 && bits != 0; i--)
		bits &= bits - 1;
	bits &= ~(bits - 1);
	for (unsigned j = 0; j < d->len; j++)
		if (d->event[j].fixed && d->event[j].counters == bits)
			return &d->event[j];
	return NULL;
}

const char *
kps_event_alias(const struct kps_database *d, const struct kps_event *event,
		unsigned i)
{
	if (event->alias != NULL && i-- == 0)
		return event->alias;
	for (unsigned at = 0; at < d->naliases; at++)
		if (&d->event[d->alias[at].of] == event && i-- == 0)
			return d->alias[at].name;
	return NULL;
}

static int
database_event_index(const struct kps_database *d, const char *name,
		     bool by_alias)
{
	for (unsigned i = 0; name != NULL && i < d->len; i++) {
		const char *s = by_alias ? d->event[i].alias : d->event[i].name;

		if (s != NULL && strcmp(s, name) == 0)
			return (int)i;
	}
	return -1;
}

int
kps_database_index(const struct kps_database *d, const char *name)
{
	int i = database_event_index(d, name, true);

	for (unsigned at = 0; name != NULL && i < 0 && at < d->naliases; at++)
		if (strcmp(d->alias[at].name, name) == 0)
			i = (int)d->alias[at].of;
	if (i < 0)
		i = database_event_index(d, name, false);
	if (i < 0 && d->chip != KPS_CHIP_UNKNOWN)
		i = database_event_index(d, kps_name_on(name, d->chip), false);
	for (int chip = KPS_CHIP_M5;
	     i < 0 && d->chip == KPS_CHIP_UNKNOWN && chip >= KPS_CHIP_M1;
	     chip--)
		i = database_event_index(
			d, kps_name_on(name, (enum kps_chip)chip), false);
	return i;
}

const struct kps_event *
kps_database_find(const struct kps_database *d, const char *name)
{
	int i = kps_database_index(d, name);

	return i < 0 ? NULL : &d->event[i];
}

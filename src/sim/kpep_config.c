#include "sim/kpep_db.h"

#include "base/bits.h"

#include <stdlib.h>
#include <string.h>

/* Mode bits of a PERFEVTSEL register: user, kernel, enable. */
#define INTEL_USER 0x10000ull
#define INTEL_KERNEL 0x20000ull
#define INTEL_ENABLE 0x400000ull

#define FREE SIZE_MAX

/* The configurable counters that this configuration may use. */
static uint32_t
usable(const struct kpep_config *c)
{
	return c->db->config_counter_bits &
	       ~(c->forced ? 0 : c->db->power_counter_bits);
}

static const struct pmu_event *
row_at(const struct kpep_config *c, size_t i)
{
	return sim_kpep_db_row(c->db, c->events[i]);
}

int
sim_kpep_config_create(struct kpep_db *db, struct kpep_config **config)
{
	struct kpep_config *c;

	if (db == NULL || config == NULL)
		return KPEP_INVALID_ARGUMENT;
	*config = NULL;
	c = calloc(1, sizeof *c);
	if (c == NULL)
		return KPEP_OUT_OF_MEMORY;
	c->db = db;
	c->counter_count = KPC_MAX_COUNTERS;
	c->events = calloc(c->counter_count, sizeof c->events[0]);
	c->event_map = calloc(c->counter_count, sizeof c->event_map[0]);
	c->event_indices =
		malloc(c->counter_count * sizeof c->event_indices[0]);
	c->flags = calloc(c->counter_count, sizeof c->flags[0]);
	c->kpc_periods = calloc(c->counter_count, sizeof c->kpc_periods[0]);
	if (c->events == NULL || c->event_map == NULL ||
	    c->event_indices == NULL || c->flags == NULL ||
	    c->kpc_periods == NULL) {
		sim_kpep_config_free(c);
		return KPEP_OUT_OF_MEMORY;
	}
	for (size_t i = 0; i < c->counter_count; i++)
		c->event_indices[i] = FREE;
	*config = c;
	return KPEP_OK;
}

void
sim_kpep_config_free(struct kpep_config *config)
{
	if (config == NULL)
		return;
	free(config->events);
	free(config->event_map);
	free(config->event_indices);
	free(config->flags);
	free(config->kpc_periods);
	free(config);
}

int
sim_kpep_config_force_counters(struct kpep_config *config)
{
	if (config == NULL || config->forced)
		return KPEP_INVALID_ARGUMENT;
	config->forced = 1;
	return KPEP_OK;
}

static int
place(struct kpep_config *c, struct kpep_event *event, uint32_t flag,
      unsigned counter)
{
	c->events[c->event_count] = event;
	c->event_map[c->event_count] = counter;
	c->flags[c->event_count] = flag;
	c->event_indices[counter] = c->event_count++;
	c->occupied |= 1u << counter;
	c->classes |= (c->db->fixed_counter_bits >> counter & 1) != 0
			      ? KPC_CLASS_FIXED_MASK
			      : KPC_CLASS_CONFIGURABLE_MASK;
	return KPEP_OK;
}

/* Names the earlier events that sit on the counters in `mask`. */
static int
conflict(const struct kpep_config *c, uint32_t mask, uint32_t *err)
{
	uint32_t in_the_way = 0;

	for (; mask != 0; mask &= mask - 1) {
		size_t i = c->event_indices[bits_lowest(mask)];

		if (i != FREE)
			in_the_way |= 1u << i;
	}
	if (err != NULL)
		*err = in_the_way;
	return KPEP_CONFLICT;
}

/* A fixed event cannot be counted through kpep on Intel: its stand-in is. */
static int
exchange(struct kpep_db *db, struct kpep_event **event)
{
	const struct pmu_event *row = sim_kpep_db_row(db, *event);
	struct kpep_event *other;

	if (row->fallback == NULL ||
	    sim_kpep_db_event(db, row->fallback, &other) != KPEP_OK)
		return KPEP_EVENT_UNAVAILABLE;
	*event = other;
	return KPEP_OK;
}

static int
add_fixed(struct kpep_config *c, struct kpep_event *event, uint32_t flag,
	  uint32_t mask, uint32_t *err)
{
	if (!c->forced)
		return KPEP_FORCE_NEEDED;
	if ((mask & c->occupied) != 0)
		return conflict(c, mask, err);
	return place(c, event, flag, bits_lowest(mask));
}

static int
add_configurable(struct kpep_config *c, struct kpep_event *event, uint32_t flag,
		 uint32_t mask, uint32_t *err)
{
	uint32_t may = mask & usable(c);

	if (may == 0)
		return KPEP_FORCE_NEEDED;
	if ((may & ~c->occupied) == 0)
		return conflict(c, may, err);
	return place(c, event, flag, bits_lowest(may & ~c->occupied));
}

int
sim_kpep_config_add_event(struct kpep_config *config, struct kpep_event **event,
			  uint32_t flag, uint32_t *err)
{
	const struct pmu_event *row;

	if (config == NULL || event == NULL || *event == NULL)
		return KPEP_INVALID_ARGUMENT;
	row = sim_kpep_db_row(config->db, *event);
	if (row == NULL)
		return KPEP_EVENT_NOT_FOUND;
	if (row->fixed >= 0 && config->db->architecture > KPEP_ARCH_X86_64)
		return add_fixed(config, *event, flag, row->counters, err);
	if (row->fixed >= 0) {
		int error = exchange(config->db, event);

		if (error != KPEP_OK)
			return error;
		row = sim_kpep_db_row(config->db, *event);
	}
	return add_configurable(config, *event, flag, row->counters, err);
}

/* Takes everything off the counters and puts the rest where it was. */
static void
rebuild(struct kpep_config *c, size_t without)
{
	size_t n = c->event_count;

	c->event_count = 0;
	c->occupied = 0;
	c->classes = 0;
	for (size_t i = 0; i < c->counter_count; i++)
		c->event_indices[i] = FREE;
	for (size_t i = 0; i < n; i++) {
		if (i != without)
			place(c, c->events[i], c->flags[i],
			      (unsigned)c->event_map[i]);
	}
}

int
sim_kpep_config_remove_event(struct kpep_config *config, size_t index)
{
	if (config == NULL)
		return KPEP_INVALID_ARGUMENT;
	if (index >= config->event_count)
		return KPEP_EVENT_NOT_FOUND;
	rebuild(config, index);
	return KPEP_OK;
}

int
sim_kpep_config_events_count(struct kpep_config *config, size_t *count)
{
	if (config == NULL || count == NULL)
		return KPEP_INVALID_ARGUMENT;
	*count = config->event_count;
	return KPEP_OK;
}

int
sim_kpep_config_events(struct kpep_config *config, struct kpep_event **buf,
		       size_t size)
{
	if (config == NULL || buf == NULL)
		return KPEP_INVALID_ARGUMENT;
	if (size < config->event_count * sizeof buf[0])
		return KPEP_BUFFER_TOO_SMALL;
	for (size_t i = 0; i < config->event_count; i++)
		buf[i] = config->events[i];
	return KPEP_OK;
}

int
sim_kpep_config_kpc_classes(struct kpep_config *config, uint32_t *classes)
{
	if (config == NULL || classes == NULL)
		return KPEP_INVALID_ARGUMENT;
	*classes = config->classes;
	return KPEP_OK;
}

static size_t
word_count(const struct kpep_config *c)
{
	return (c->classes & KPC_CLASS_CONFIGURABLE_MASK) != 0
		       ? bits_count(usable(c))
		       : 0;
}

int
sim_kpep_config_kpc_count(struct kpep_config *config, size_t *count)
{
	if (config == NULL || count == NULL)
		return KPEP_INVALID_ARGUMENT;
	*count = word_count(config);
	return KPEP_OK;
}

static uint64_t
word(const struct kpep_config *c, size_t i)
{
	const struct pmu_event *row = row_at(c, i);
	bool user_only = c->flags[i] != 0;

	if (c->db->architecture > KPEP_ARCH_X86_64)
		return row->number | (user_only ? KPC_CONFIG_EL0_64 : 0);
	return row->number | (uint64_t)row->umask << 8 | INTEL_ENABLE |
	       INTEL_USER | (user_only ? 0 : INTEL_KERNEL);
}

int
sim_kpep_config_kpc(struct kpep_config *config, uint64_t *buf, size_t size)
{
	size_t n = 0;

	if (config == NULL || buf == NULL)
		return KPEP_INVALID_ARGUMENT;
	if (size < word_count(config) * sizeof buf[0])
		return KPEP_BUFFER_TOO_SMALL;
	if (word_count(config) == 0)
		return KPEP_OK;
	for (uint32_t m = usable(config); m != 0; m &= m - 1) {
		size_t i = config->event_indices[bits_lowest(m)];

		buf[n++] = i == FREE ? 0 : word(config, i);
	}
	return KPEP_OK;
}

/*
 * A place in a row of kpc_get_*_counters(classes): the number of counters in
 * the row below the event's own. Forced, that is the absolute counter with
 * the fixed class and two less without (ARM). Unforced, the row lacks the
 * power manager's counters.
 */
int
sim_kpep_config_kpc_map(struct kpep_config *config, size_t *buf, size_t size)
{
	uint32_t row;

	if (config == NULL || buf == NULL)
		return KPEP_INVALID_ARGUMENT;
	if (size < config->event_count * sizeof buf[0])
		return KPEP_BUFFER_TOO_SMALL;
	row = usable(config);
	if ((config->classes & KPC_CLASS_FIXED_MASK) != 0)
		row |= config->db->fixed_counter_bits;
	for (size_t i = 0; i < config->event_count; i++)
		buf[i] = bits_below(row, (unsigned)config->event_map[i]);
	return KPEP_OK;
}

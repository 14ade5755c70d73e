/* A person's own presets, and rates of events chosen by name. */
#ifndef OPTIONS_USER_H
#define OPTIONS_USER_H

#include "base/err.h"
#include "model/metric.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct source_info;

enum {
	USER_PRESETS = 16, /* with the built-in ones at most 32: one mask */
	USER_RATES = 2 * EVENTSET_MAX,
	USER_SPARES = 2 * EVENTSET_MAX, /* those of the set before too */
	USER_NAME_SIZE = EVENT_NAME_SIZE + 8,
	USER_SIGN_SIZE = 4, /* bytes of a label's sign at most, on the mean */
	USER_LABEL_SIZE = EVENT_LABEL_SIZE + 2, /* "/s" */
	USER_TEXT_SIZE = 128,
	USER_NAMES = USER_PRESETS * EVENTSET_MAX,
	USER_POOL = 8192
};

/* The strings of an event's rate. */
struct user_rate {
	uint64_t used; /* when last, of `uses`; 0: never; UINT64_MAX: stays */
	char name[USER_NAME_SIZE], label[USER_LABEL_SIZE];
	char event[EVENT_NAME_SIZE], text[USER_TEXT_SIZE];
};

/* An event that the config file names, and where. */
struct user_name {
	const char *text;
	unsigned line, column;
};

/* A copy's strings stay in the first one's pool, which has to live as long. */
struct user {
	struct metric metric[USER_RATES + USER_SPARES];
	unsigned nmetrics;
	struct user_rate rate[USER_RATES + USER_SPARES]; /* of each metric */
	bool spares; /* the last USER_SPARES are for events chosen later */
	uint64_t uses;
	struct preset preset[USER_PRESETS];
	/* A preset is its metrics, or just these events. */
	const char *event[USER_PRESETS][EVENTSET_MAX];
	unsigned nevents[USER_PRESETS];
	unsigned npresets;
	struct user_name name[USER_NAMES];
	unsigned nnames;
	const char *path; /* of the config file they stand in */
	/* Presets of nothing but the file's own metrics, which were removed. */
	struct user_name lost[USER_PRESETS];
	unsigned nlost;
	char pool[USER_POOL];
	size_t used;
};

/* n bytes of s kept as a string; NULL and *e when there is no room. */
const char *user_keep(struct user *u, const char *s, size_t n, struct err *e);
/* The same, once however often it is kept so. */
const char *user_keep_once(struct user *u, const char *s, struct err *e);

/* Presets are counted through: first the built-in ones, then the person's. */
unsigned user_preset_count(const struct user *u);
const struct preset *user_preset(const struct user *u, int i);
int user_preset_find(const struct user *u, const char *name);

/* Built-in, or a rate; NULL. */
const struct metric *user_metric_find(const struct user *u, const char *name);

/* Has no other own preset this digit? One of a built-in is taken over. */
bool user_key_free(const struct user *u, char key, struct err *e);

/* The set of preset i, as preset_derive. */
bool user_derive(const struct user *u, int i, const struct catalog *c,
		 enum domain domain, struct eventset *out, struct err *e);

/* ---- rates of events that were chosen by name: metrics, and so columns ----
 */

/*
 * For each event of `asked` (--events) or of a recording's first set if that is
 * no preset; then of own presets, while there is room.
 */
void user_add_rates(struct user *u, const struct source_info *i,
		    const char *asked);

/* Spare metrics, the last, for events that are chosen while ktop runs. */
void user_add_spares(struct user *u);

/*
 * A spare metric becomes the rate of each event of the set that has none. Which
 * did, as the monitor counts metrics, into changed; returns how many.
 */
unsigned user_rates_follow(struct user *u, const struct eventset *set,
			   unsigned changed[EVENTSET_MAX]);

/* The events of --events; false and *e: c has not all of them. */
bool user_find_events(const struct catalog *c, const char *at,
		      const struct event *event[EVENTSET_MAX], unsigned *n,
		      struct err *e);

#endif

/* The user's presets, and the rates of events. */
#ifndef OPTIONS_USER_H
#define OPTIONS_USER_H

#include "base/err.h"
#include "model/metric.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct source_info;

enum {
	USER_PRESETS = 16, /* at most 32 with built-in ones: bits of a mask */
	USER_RATES = 2 * EVENTSET_MAX,
	USER_SPARES = 2 * EVENTSET_MAX,
	USER_NAME_SIZE = EVENT_NAME_SIZE + 8,
	USER_SIGN_SIZE = 4, /* average bytes per column of a label */
	USER_LABEL_SIZE = EVENT_LABEL_SIZE + 2,
	USER_TEXT_SIZE = 128,
	USER_NAMES = USER_PRESETS * EVENTSET_MAX,
	USER_POOL = 8192
};

struct user_rate {
	uint64_t used; /* `uses` at the last use; 0: none, UINT64_MAX: kept */
	char name[USER_NAME_SIZE], label[USER_LABEL_SIZE];
	char event[EVENT_NAME_SIZE], text[USER_TEXT_SIZE];
};

struct user_name {
	const char *text;
	unsigned line, column;
};

/* A copy of a struct user borrows the strings of the original, which must
 * outlive the copy. */
struct user {
	struct metric metric[USER_RATES + USER_SPARES];
	unsigned nmetrics;
	struct user_rate rate[USER_RATES + USER_SPARES]; /* of metric[i] */
	bool spares;
	uint64_t uses;
	struct preset preset[USER_PRESETS];
	const char *event[USER_PRESETS][EVENTSET_MAX];
	unsigned nevents[USER_PRESETS];
	unsigned npresets;
	struct user_name name[USER_NAMES];
	unsigned nnames;
	const char *path; /* of the config file, if presets have events */
	/* Presets without events whose metrics were removed. */
	struct user_name lost[USER_PRESETS];
	unsigned nlost;
	char pool[USER_POOL];
	size_t used;
};

/* Copies n bytes of s and a NUL to `pool`. NULL and *e: `pool` is full. */
const char *user_keep(struct user *u, const char *s, size_t n, struct err *e);
/* As user_keep, but returns an equal string in `pool` if there is one. */
const char *user_keep_once(struct user *u, const char *s, struct err *e);

/* Number of all presets. Built-in presets precede those of the user. */
unsigned user_preset_count(const struct user *u);
const struct preset *user_preset(const struct user *u, int i);
int user_preset_find(const struct user *u, const char *name);

const struct metric *user_metric_find(const struct user *u, const char *name);

/* False and *e: another preset of the user has the key. */
bool user_key_free(const struct user *u, char key, struct err *e);

bool user_preset_derive(const struct user *u, int i, const struct catalog *c,
			enum domain domain, struct eventset *out,
			struct err *e);

/* Adds a rate for each event of `asked` (--events), or, for a recording, of its
 * first set unless the set is a preset; then for each event of the user's
 * presets. Events without space get no rate. */
void user_add_rates(struct user *u, const struct source_info *i,
		    const char *asked);

void user_add_spares(struct user *u);

/* Binds replaceable metrics to the set's events without a rate, unless the set
 * is a preset with metrics. Returns the number of indices in changed[]. */
unsigned user_rates_bind(struct user *u, const struct eventset *set,
			 unsigned changed[EVENTSET_MAX]);

/* Parses --events. False and *e: unknown, repeated or too many events. */
bool user_find_events(const struct catalog *c, const char *at,
		      const struct event *event[EVENTSET_MAX], unsigned *n,
		      struct err *e);

#endif

#include "options/user.h"

#include <stdio.h>
#include <string.h>

#include "base/parse.h"
#include "source/source.h"

const char *
user_keep(struct user *u, const char *s, size_t n, struct err *e)
{
	char *at = u->pool + u->used;

	if (n + 1 > sizeof u->pool - u->used)
		return err_null(
			e, ERR_USAGE,
			"the names and texts of the presets in ktoprc have more than %d bytes; shorten them",
			USER_POOL);
	memcpy(at, s, n);
	at[n] = '\0';
	u->used += n + 1;
	return at;
}

const char *
user_keep_once(struct user *u, const char *s, struct err *e)
{
	for (size_t at = 0; at < u->used; at += strlen(u->pool + at) + 1)
		if (strcmp(u->pool + at, s) == 0)
			return u->pool + at;
	return user_keep(u, s, strlen(s), e);
}

unsigned
user_preset_count(const struct user *u)
{
	return preset_count + u->npresets;
}

const struct preset *
user_preset(const struct user *u, int i)
{
	return i < (int)preset_count ? &preset_table[i]
				     : &u->preset[i - (int)preset_count];
}

int
user_preset_find(const struct user *u, const char *name)
{
	for (int i = 0; i < (int)user_preset_count(u); i++)
		if (strcmp(user_preset(u, i)->name, name) == 0)
			return i;
	return -1;
}

const struct metric *
user_metric_find(const struct user *u, const char *name)
{
	int i = metric_find(name);

	if (i >= 0)
		return &metric_table[i];
	for (unsigned k = 0; k < u->nmetrics; k++)
		if (strcmp(u->metric[k].name, name) == 0)
			return &u->metric[k];
	return NULL;
}

bool
user_key_free(const struct user *u, char key, struct err *e)
{
	for (unsigned i = 0; i < u->npresets; i++)
		if (u->preset[i].key == key)
			return err_set(
				e, ERR_USAGE,
				"key %c belongs to preset %s; choose another",
				key, u->preset[i].name);
	return true;
}

bool
user_preset_derive(const struct user *u, int i, const struct catalog *c,
		   enum domain domain, struct eventset *out, struct err *e)
{
	if (i < (int)preset_count)
		return preset_derive(&preset_table[i], c, domain, out, e);
	unsigned k = (unsigned)i - preset_count;
	const struct preset_own own = { u->event[k], u->nevents[k] };

	return preset_derive_own(&u->preset[k], &own, c, out, e);
}

static char
ascii_lower(char c)
{
	if (c >= 'A' && c <= 'Z')
		return (char)(c - 'A' + 'a');
	return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ? c : '_';
}

static bool
label_taken(const struct user *u, const char *name, const char *label)
{
	for (unsigned i = 0; i < u->nmetrics; i++)
		if (strcmp(u->metric[i].label, label) == 0)
			return true;
	for (unsigned i = 0; i < metric_count; i++) {
		const struct metric *m = &metric_table[i];

		if (strcmp(m->label, label) == 0 &&
		    (m->unit != UNIT_PER_S ||
		     strcmp(m->num[0].event, name) != 0))
			return true;
	}
	return false;
}

/* Makes a column title such as "brmiss/s", or "brmis2/s" if that is taken. */
static void
make_label(const struct user *u, const char *name, char out[USER_LABEL_SIZE])
{
	char label[EVENT_LABEL_SIZE];

	event_label(name, label);
	for (unsigned i = 1; i <= USER_RATES + USER_SPARES; i++) {
		int room = EVENT_LABEL_SIZE - (i > 9 ? 3 : i > 1 ? 2 : 1);

		if (i == 1)
			snprintf(out, USER_LABEL_SIZE, "%.*s/s", room, label);
		else
			snprintf(out, USER_LABEL_SIZE, "%.*s%u/s", room, label,
				 i);
		if (!label_taken(u, name, out))
			return;
	}
}

static void
make_name(const struct event *v, char out[USER_NAME_SIZE])
{
	size_t n = 0;

	for (; v->name[n] != '\0' && n < EVENT_NAME_SIZE; n++)
		out[n] = ascii_lower(v->name[n]);
	memcpy(out + n, "_per_s", sizeof "_per_s");
}

static void
rate_bind(struct user *u, unsigned i, const struct event *v, uint64_t used)
{
	struct user_rate *r = &u->rate[i];

	u->metric[i].label = ""; /* make_label may choose the old label again */
	make_label(u, v->name, r->label);
	make_name(v, r->name);
	snprintf(r->event, sizeof r->event, "%s", v->name);
	snprintf(r->text, sizeof r->text, "%s",
		 v->text != NULL ? v->text : "chosen by name");
	r->used = used;
	u->metric[i] = (struct metric){
		.name = r->name,
		.label = r->label,
		.text = r->text,
		.unit = UNIT_PER_S,
		.scale = 1e9,
		.num = { { r->event, 1 } },
		.den = { { v->fixed ? METRIC_WALL_NS : METRIC_EVENT_NS, 1 } },
		.event = true
	};
}

/* Is there a metric for the event's rate? If the rate is replaceable, it is
 * marked as used. */
static bool
rate_known(struct user *u, const struct event *v)
{
	char name[USER_NAME_SIZE];

	make_name(v, name);
	for (unsigned i = 0; i < u->nmetrics; i++)
		if (strcmp(u->rate[i].name, name) == 0) {
			if (u->rate[i].used != UINT64_MAX)
				u->rate[i].used = u->uses;
			return true;
		}
	return metric_find(name) >= 0;
}

static void
add_rate(struct user *u, const struct event *v)
{
	if (!rate_known(u, v) && u->nmetrics < USER_RATES &&
	    metric_count + u->nmetrics < METRIC_MAX)
		rate_bind(u, u->nmetrics++, v, UINT64_MAX);
}

bool
user_find_events(const struct catalog *c, const char *at,
		 const struct event *event[EVENTSET_MAX], unsigned *n,
		 struct err *e)
{
	for (*n = 0;; at++) {
		size_t len = parse_word(at);
		const struct event *v = catalog_find_n(c, at, (unsigned)len);

		if (v == NULL)
			return err_set(
				e, ERR_USAGE,
				"--events: %s has no event \"%.*s\"; --list-events lists its events",
				c->name, (int)len, at);
		for (unsigned i = 0; i < *n; i++)
			if (event[i] == v)
				return err_set(e, ERR_USAGE,
					       "--events names %s twice (%.*s)",
					       v->name, (int)len, at);
		if (*n == EVENTSET_MAX)
			return err_set(e, ERR_USAGE,
				       "--events takes at most %d events",
				       EVENTSET_MAX);
		event[(*n)++] = v;
		at += len;
		if (*at == '\0')
			return true;
	}
}

static void
add_presets(struct user *u, const struct catalog *c)
{
	for (unsigned p = 0; p < u->npresets; p++)
		for (unsigned i = 0; i < u->nevents[p]; i++) {
			const struct event *v = catalog_find(c, u->event[p][i]);

			if (v != NULL)
				add_rate(u, v);
		}
}

void
user_add_rates(struct user *u, const struct source_info *i, const char *asked)
{
	const struct event *event[EVENTSET_MAX];
	unsigned n = 0;

	if (i->catalog == NULL)
		return;
	if (!i->ends && asked != NULL)
		(void)user_find_events(i->catalog, asked, event, &n, NULL);
	if (i->ends && i->set != NULL && user_preset_find(u, i->set->name) < 0)
		for (; n < i->set->len; n++)
			event[n] = i->set->slot[n].event;
	for (unsigned k = 0; k < n; k++)
		add_rate(u, event[k]);
	add_presets(u, i->catalog);
}

void
user_add_spares(struct user *u)
{
	for (unsigned n = 0; !u->spares && n < USER_SPARES &&
			     metric_count + u->nmetrics < METRIC_MAX;
	     n++)
		u->metric[u->nmetrics++] =
			(struct metric){ .name = "",
					 .label = "",
					 .text = "",
					 .unit = UNIT_PER_S,
					 .num = { { "", 1 } },
					 .den = { { METRIC_WALL_NS, 1 } } };
	u->spares = true;
}

unsigned
user_rates_bind(struct user *u, const struct eventset *set,
		unsigned changed[EVENTSET_MAX])
{
	int preset = user_preset_find(u, set->name);
	unsigned n = 0;

	/* A preset with metrics shows the metrics instead of rates. */
	if (!u->spares ||
	    (preset >= 0 && user_preset(u, preset)->metrics[0] != NULL))
		return 0;
	u->uses++;
	/* Marks the set's existing rates, so that the loop below does not
	 * replace them. */
	for (unsigned i = 0; i < set->len; i++)
		(void)rate_known(u, set->slot[i].event);
	for (unsigned i = 0; i < set->len; i++) {
		unsigned oldest = 0;

		if (rate_known(u, set->slot[i].event))
			continue;
		for (unsigned k = 0; k < u->nmetrics; k++)
			if (u->rate[k].used < u->rate[oldest].used)
				oldest = k;
		if (u->rate[oldest].used >= u->uses)
			continue;
		rate_bind(u, oldest, set->slot[i].event, u->uses);
		changed[n++] = metric_count + oldest;
	}
	return n;
}

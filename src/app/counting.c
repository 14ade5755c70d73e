/* Chooses the counted events: presets, single events, rotation, --ipc. */
#include "app/app.h"
#include "app/state.h"
#include "base/buf.h"
#include "model/sample.h"
#include "model/metric.h"
#include "options/user.h"
#include "pmu/pmu.h"
#include "recording/replay.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* Returns 1504 for "macOS 15.4"; 0: not macOS. */
static unsigned
parse_macos_version(const char *os)
{
	unsigned major = 0, minor = 0;

	if (os == NULL || sscanf(os, "macOS %2u.%2u", &major, &minor) < 1)
		return 0;
	return major * 100 + minor;
}

void
refused_init(struct refused *r, const struct catalog *c, const char *os)
{
	enum { LISTED_FROM = 1404, LISTED_BEFORE = 2600 };
	unsigned version = parse_macos_version(os);

	if (c == r->catalog)
		return;
	*r = (struct refused){ .catalog = c };
	const struct pmu *p = c != NULL ? pmu_by_db(c->name) : NULL;

	if (p == NULL || p->allowed == NULL || version < LISTED_FROM ||
	    version >= LISTED_BEFORE)
		return;
	for (unsigned i = 0; i < c->len && i < 64 * REFUSED_WORDS; i++)
		if (!c->event[i].fixed && !pmu_allows(p, c->event[i].number))
			r->bit[i / 64] |= UINT64_C(1) << i % 64;
}

static uint64_t *
refused_word(struct refused *r, const char *name, uint64_t *bit)
{
	const struct event *event = catalog_find(r->catalog, name);
	ptrdiff_t i = event != NULL ? event - r->catalog->event : 0;

	if (event == NULL || event->fixed || i / 64 >= REFUSED_WORDS)
		return NULL;
	*bit = UINT64_C(1) << i % 64;
	return &r->bit[i / 64];
}

static void
set_refused(struct refused *r, const char *name, bool is_refused)
{
	uint64_t bit, *at = refused_word(r, name, &bit);

	if (at != NULL)
		*at = is_refused ? *at | bit : *at & ~bit;
}

void
refused_learn(struct refused *r, const struct eventset *set)
{
	static const char head[] = "macOS refuses";

	if (r->catalog == NULL)
		return;
	for (unsigned i = 0; i < set->len; i++)
		set_refused(r, set->slot[i].event->name, false);
	for (unsigned i = 0; i < set->ndropped; i++)
		if (strncmp(set->dropped[i].why, head, sizeof head - 1) == 0)
			set_refused(r, set->dropped[i].event, true);
}

void
refused_learn_all(struct refused *r, const struct eventset *set,
		  const struct err *e)
{
	static const char head[] = "macOS refuses ";

	if (e == NULL || e->code != ERR_PERM || r->catalog == NULL ||
	    strncmp(e->text, head, sizeof head - 1) != 0)
		return;
	for (unsigned i = 0; i < set->len; i++)
		set_refused(r, set->slot[i].event->name, true);
}

bool
refused_all(struct refused *r, const struct eventset *set)
{
	unsigned n = 0;

	for (unsigned i = 0; r->catalog != NULL && i < set->len; i++) {
		uint64_t bit,
			*at = refused_word(r, set->slot[i].event->name, &bit);

		if (at != NULL && (*at & bit) == 0)
			return false;
		n += at != NULL;
	}
	return n > 0;
}

enum { PRESETS_MAX = 32 };

/* Also true during an outage, when info.mode is lower. */
static bool
counting_is_full(const struct app *a)
{
	return a->source->info.set != NULL && a->source->info.set->len > 0;
}

static bool
derive_preset(const struct app *a, int preset, struct eventset *set,
	      struct err *e)
{
	const struct source_info *i = &a->source->info;

	if (i->catalog == NULL)
		return err_set(e, ERR_NO_PMU, "%s has no events to count: %s",
			       i->model, i->why.text);
	return user_preset_derive(&a->user, preset, i->catalog, i->domain, set,
				  e);
}

const uint64_t *
counting_refused(struct app *a)
{
	refused_init(&a->counting.refused, a->source->info.catalog,
		     a->source->info.os);
	return a->counting.refused.bit;
}

static void
mark_refused(struct app *a)
{
	struct counting *c = &a->counting;
	struct eventset set;

	c->preset_refused = 0;
	for (unsigned i = 0; i < user_preset_count(&a->user) && i < PRESETS_MAX;
	     i++)
		if ((c->possible >> i & 1) != 0 &&
		    derive_preset(a, (int)i, &set, NULL) &&
		    refused_all(&c->refused, &set))
			c->preset_refused |= 1u << i;
}

static bool
is_refused(const struct app *a, int preset)
{
	return preset >= 0 && preset < PRESETS_MAX &&
	       (a->counting.preset_refused >> preset & 1) != 0;
}

static bool
is_preset_possible(const struct app *a, int preset)
{
	return preset >= PRESETS_MAX ||
	       (preset >= 0 && (a->counting.possible >> preset & 1) != 0);
}

static bool
program_counters(struct app *a, const struct eventset *set, struct err *e)
{
	if (set != NULL)
		sampling_add_rates(a, set);
	bool counted = counting_is_full(a);
	bool ok = a->source->ops->program(a->source, set, e);

	a->counting.retake = false;
	(void)counting_refused(a);
	if (ok && set != NULL)
		refused_learn(&a->counting.refused, a->source->info.set);
	else if (set != NULL)
		refused_learn_all(&a->counting.refused, set, e);
	if (a->counting.preset_refused != 0 || !ok)
		mark_refused(a);
	if (ok || counted)
		sampling_read_baseline(a);
	return ok;
}

static bool
program_preset(struct app *a, int preset, struct err *e)
{
	struct eventset set, again;
	enum domain before = a->source->info.domain;

	if (!derive_preset(a, preset, &set, e))
		return false;
	if (!counting_is_full(a))
		a->counting.set = set; /* for a later try with key i */
	if (!program_counters(a, &set, e))
		return false;
	a->counting.set = set;
	/* The modes are known only now, and may allow better events. */
	if (a->source->info.domain == before ||
	    !derive_preset(a, preset, &again, NULL) ||
	    eventset_same_events(&set, &again))
		return true;
	if (program_counters(a, &again, NULL))
		a->counting.set = again;
	return true;
}

static bool
program_events(struct app *a, struct err *e)
{
	const struct source_info *i = &a->source->info;
	const struct event *event[EVENTSET_MAX];
	struct eventset set = { .name = "custom" };
	unsigned n;

	if (i->catalog == NULL)
		return err_set(e, ERR_NO_PMU, "--events: %s", i->why.text);
	if (!user_find_events(i->catalog, a->o->source.events, event, &n, e) ||
	    !slots_place(i->catalog, event, n, &set, e) ||
	    !a->source->ops->program(a->source, &set, e))
		return false;
	a->counting.set = set;
	sampling_read_baseline(a);
	return true;
}

static bool
report_program_failure(struct app *a, bool ok, const struct err *e)
{
	if (!ok)
		messages_add(&a->messages, "%s", e->text);
	return ok;
}

bool
counting_use_preset(struct app *a, int preset)
{
	struct err e = { ERR_NONE, "" };

	if (!a->counting.ipc)
		return report_program_failure(a, program_preset(a, preset, &e),
					      &e);
	/* With fixed counters only, key i must acquire the counters first. */
	if (derive_preset(a, preset, &a->counting.set, &e))
		messages_add(
			&a->messages,
			"fixed counters only: press i to acquire the counters and count %s",
			a->counting.set.name);
	else
		messages_add(&a->messages, "%s", e.text);
	return false;
}

/* Returns the number of the new or changed preset; -1 and *e: failed. */
static int
keep_events(struct app *a, const struct ui_events *chosen, struct err *e)
{
	struct user *u = &a->user;
	unsigned k = u->npresets;
	const char *name = chosen->name[0] != '\0' ? chosen->name : "custom";
	int known = user_preset_find(u, name);

	if (known >= 0 && known < (int)preset_count) {
		err_set(e, ERR_USAGE,
			"%s is a built-in preset; choose another name", name);
		return -1;
	}
	if (known >= 0)
		k = (unsigned)known - preset_count;
	else if (k == USER_PRESETS || user_preset_count(u) >= PRESETS_MAX) {
		err_set(e, ERR_USAGE,
			"there are too many presets; remove one from ktoprc");
		return -1;
	}
	const char *event[EVENTSET_MAX];
	const char *kept = user_keep_once(u, name, e);

	/* Copies the names, as changed CPUs free the catalog. */
	for (unsigned i = 0; i < chosen->n; i++)
		if ((event[i] = user_keep_once(u, chosen->event[i]->name, e)) ==
		    NULL)
			return -1;
	if (kept == NULL)
		return -1;
	u->preset[k] = (struct preset){ .name = kept,
					.label = kept,
					.text = "events chosen on the screen",
					.key = chosen->key };
	u->nevents[k] = chosen->n;
	memcpy(u->event[k], event, chosen->n * sizeof *event);
	u->npresets += known < 0;
	return (int)(preset_count + k);
}

bool
counting_use_events(struct app *a, const struct ui_events *chosen)
{
	struct err e = { ERR_NONE, "" };
	int preset = keep_events(a, chosen, &e);

	if (!report_program_failure(a, preset >= 0, &e))
		return false;
	a->counting.possible |= 1u << preset;
	bool swapped = counting_use_preset(a, preset);

	if (chosen->name[0] != '\0')
		save_preset(a, preset);
	return swapped;
}

bool
counting_toggle_ipc(struct app *a)
{
	struct err e = { ERR_NONE, "" };
	bool full = counting_is_full(a);

	if (!report_program_failure(
		    a, program_counters(a, full ? NULL : &a->counting.set, &e),
		    &e))
		return false;
	a->counting.ipc = full;
	messages_add(
		&a->messages, "%s",
		full ? "configurable counters released: fixed counters only"
		     : "configurable counters acquired");
	return true;
}

bool
counting_release(struct app *a)
{
	struct err e = { ERR_NONE, "" };
	bool full = counting_is_full(a);

	if (full)
		(void)report_program_failure(
			a, a->source->ops->program(a->source, NULL, &e), &e);
	return full;
}

void
counting_resume(struct app *a, bool full)
{
	struct err e = { ERR_NONE, "" };

	if (!full)
		sampling_read_baseline(a);
	else
		(void)report_program_failure(
			a, program_counters(a, &a->counting.set, &e), &e);
	a->counting.retake = full && !counting_is_full(a);
}

void
counting_retry_resume(struct app *a)
{
	if (a->counting.retake && a->source->info.mode != SOURCE_BUSY_ONLY)
		a->counting.retake =
			!program_counters(a, &a->counting.set, NULL);
}

static void
name_rotation(struct app *a)
{
	struct rotation *r = &a->rotation;
	struct buf b = buf_over(r->name, sizeof r->name);

	for (unsigned i = 0; i < r->n; i++)
		buf_printf(&b, "%s%s", i > 0 ? ", " : "",
			   user_preset(&a->user, r->preset[i])->name);
	buf_cstr(&b);
}

static void
rotation_open(struct app *a)
{
	struct rotation *r = &a->rotation;
	struct eventset set;

	r->n = a->o->nrotate;
	memcpy(r->preset, a->o->rotate, sizeof r->preset);
	r->on = r->n > 1;
	for (unsigned i = 0; i < user_preset_count(&a->user); i++) {
		if (!derive_preset(a, (int)i, &set, NULL))
			continue;
		if (i < PRESETS_MAX)
			a->counting.possible |= 1u << i;
		if (a->o->nrotate == 0 &&
		    user_preset(&a->user, (int)i)->key != 0 &&
		    r->n < OPTIONS_ROTATE_MAX)
			r->preset[r->n++] = (int)i;
	}
	name_rotation(a);
}

void
rotation_toggle(struct app *a)
{
	struct rotation *r = &a->rotation;

	if (!counting_is_full(a) || r->n < 2) {
		messages_add(
			&a->messages,
			"rotation needs the configurable counters: press i to acquire them");
		return;
	}
	r->on = !r->on;
	messages_add(&a->messages, "%s",
		     r->on ? "the presets rotate" : "rotation is off");
}

void
rotation_use_next(struct app *a)
{
	struct rotation *r = &a->rotation;
	struct err e = { ERR_NONE, "" };
	unsigned was = r->at;

	if (!r->on || a->frame == NULL || !counting_is_full(a))
		return;
	for (unsigned i = 0; i < r->n; i++) {
		r->at = (r->at + 1) % r->n;
		if (is_preset_possible(a, r->preset[r->at]) &&
		    !is_refused(a, r->preset[r->at]))
			break;
	}
	if (r->at == was && strcmp(user_preset(&a->user, r->preset[was])->name,
				   a->counting.set.name) == 0)
		return;
	(void)report_program_failure(a, program_preset(a, r->preset[r->at], &e),
				     &e);
}

/* Without a PMU only the kernel's events are left, which preset basic has. */
static bool
start_preset(struct app *a, int preset, struct err *e)
{
	bool bare = a->source->info.mode == SOURCE_BUSY_ONLY;
	int spare = preset_find("basic");

	if (bare && a->o->ipc)
		preset = spare;
	if (program_preset(a, preset, e))
		return true;
	if (!bare || preset == spare || !program_preset(a, spare, e))
		return false;
	messages_add(
		&a->messages,
		"preset %s needs hardware counters, which are not available: counting preset basic from kernel events",
		user_preset(&a->user, preset)->name);
	return true;
}

static void
note_no_turn(struct app *a)
{
	const struct rotation *r = &a->rotation;
	struct eventset set;
	struct err e;

	for (unsigned i = 0; i < r->n; i++)
		if (is_refused(a, r->preset[i]))
			messages_add(
				&a->messages,
				"macOS refuses every event of preset %s; the other presets rotate",
				user_preset(&a->user, r->preset[i])->name);
		else if (!is_preset_possible(a, r->preset[i]) &&
			 !derive_preset(a, r->preset[i], &set, &e))
			messages_add(&a->messages, "%s", e.text);
}

static bool
start_rotation(struct app *a, struct err *e)
{
	struct rotation *r = &a->rotation;
	struct err why;

	for (r->at = 0; r->at < r->n; r->at++) {
		int preset = r->preset[r->at];

		if (start_preset(a, preset, r->at == 0 ? e : &why)) {
			note_no_turn(a);
			return true;
		}
		if (r->at > 0 && is_refused(a, preset))
			*e = why;
		/* Other failures would repeat with the next preset. */
		if (is_preset_possible(a, preset) && !is_refused(a, preset))
			break;
	}
	r->at = 0;
	return false;
}

/* After macOS refused all events of `preset`: programs every other possible
 * preset once, to find those that are refused too. */
static void
try_presets(struct app *a, int preset)
{
	const struct counting *c = &a->counting;
	struct eventset set;
	struct err e;

	if (!is_refused(a, preset) || counting_is_full(a))
		return;
	for (unsigned i = 0; i < user_preset_count(&a->user) && i < PRESETS_MAX;
	     i++)
		if ((c->possible & ~c->preset_refused) >> i & 1 &&
		    derive_preset(a, (int)i, &set, NULL) &&
		    program_counters(a, &set, &e))
			(void)program_counters(a, NULL, &e);
	(void)program_preset(a, preset, &e);
}

static void
note_left_out(const struct app *a, int preset, struct messages *messages)
{
	const struct source_info *i = &a->source->info;
	char text[MESSAGE_BYTES];
	struct eventset set;

	if (i->catalog != NULL &&
	    user_preset_derive(&a->user, preset, i->catalog, i->domain, &set,
			       NULL) &&
	    user_left_out(&a->user, preset, &set, i->catalog, text,
			  sizeof text))
		messages_add(messages, "%s", text);
}

/* False and *e: the first reading failed, and no later one will succeed. */
static bool
take_first_reading(const struct app *a, struct err *e)
{
	if (a->sampling.gone)
		*e = a->sampling.why;
	return !a->sampling.gone;
}

bool
counting_start(struct app *a, struct err *e)
{
	const struct source_info *i = &a->source->info;
	int preset = a->o->nrotate > 0 ? a->o->rotate[0] : a->o->preset;
	struct err why = { ERR_NONE, "" };

	if (i->ends)
		return true;
	rotation_open(a);
	if (a->o->source.events == NULL && a->o->nrotate == 0)
		note_left_out(a, preset, &a->messages);
	for (unsigned k = 0; k < a->o->nrotate; k++)
		note_left_out(a, a->o->rotate[k], &a->messages);
	/* --ipc needs the fixed counters. */
	a->counting.ipc = a->o->ipc && i->mode != SOURCE_BUSY_ONLY;
	if (i->catalog == NULL)
		why = i->why;
	else if (a->counting.ipc)
		(void)user_preset_derive(&a->user, preset, i->catalog,
					 DOMAIN_NONE, &a->counting.set, NULL);
	else if (a->o->source.events != NULL)
		return program_events(a, e) && take_first_reading(a, e);
	else if (a->o->nrotate > 0 ? start_rotation(a, &why)
				   : start_preset(a, preset, &why))
		return take_first_reading(a, e);
	else if (a->screen.wanted)
		try_presets(a, preset);
	a->counting.why = why;
	sampling_read_baseline(a);
	if (!a->sampling.worked || a->sampling.gone) {
		/* The refusal explains more than a later read error. */
		*e = why.code != ERR_NONE ? why : a->sampling.why;
		return false;
	}
	if (why.text[0] != '\0' && !a->screen.wanted)
		messages_add(&a->messages, "%s", why.text);
	return true;
}

static void
program_same_events(struct app *a)
{
	const struct source_info *i = &a->source->info;
	struct counting *c = &a->counting;
	struct err why = { ERR_NONE, "" };
	bool rotating = a->rotation.on;
	int preset = user_preset_find(&a->user, c->set.name);

	rotation_open(a);
	a->rotation.on = rotating;
	if (i->catalog == NULL) {
		why = i->why;
	} else if (c->ipc) {
		if (preset >= 0)
			(void)user_preset_derive(&a->user, preset, i->catalog,
						 DOMAIN_NONE, &c->set, NULL);
	} else if (preset < 0 && a->o->source.events != NULL) {
		if (program_events(a, &why))
			return;
	} else if (preset >= 0 && program_preset(a, preset, &why)) {
		return;
	}
	sampling_read_baseline(a);
	if (why.text[0] != '\0' && strcmp(why.text, c->why.text) != 0)
		messages_add(&a->messages, "%s", why.text);
	c->why = why;
}

static bool
switch_source(struct app *a, struct source *s, const struct topology *was,
	      struct err *e)
{
	struct monitor *before = a->monitor;
	struct sample *sample = a->sampling.sample;

	a->source = s;
	a->frame = NULL;
	a->monitor = NULL;
	a->sampling.sample = NULL;
	a->renewal.machines++;
	bool ok = sampling_open(a, e) && outlets_change_topology(a, was, e) &&
		  run_change_topology(a, was, e);

	if (ok && !s->info.ends)
		program_same_events(a);
	if (ok)
		monitor_go_on(a->monitor, before);
	sample_free(sample);
	monitor_free(before);
	return ok;
}

/* Doubles the wait for the next attempt. RENEWAL_GONE: the source is lost. */
static enum renewal_result
renew_later(struct app *a, const struct err *why)
{
	struct renewal *r = &a->renewal;

	if (a->source->info.lost)
		return RENEWAL_GONE;
	r->wait_ns = r->wait_ns == 0 ? SECOND_NS : 2 * r->wait_ns;
	if (r->wait_ns > INT64_C(30) * SECOND_NS)
		r->wait_ns = INT64_C(30) * SECOND_NS;
	/* Without a screen the failure is reported once. */
	if (a->screen.wanted || r->wait_ns == SECOND_NS)
		messages_add(
			&a->messages,
			"the CPUs changed and cannot be read; ktop tries again in %d s: %s",
			(int)(r->wait_ns / SECOND_NS), why->text);
	return RENEWAL_LATER;
}

static enum renewal_result
renew_source(struct app *a, struct err *e)
{
	struct topology *was = topology_copy(a->source->info.topology, e);
	struct source *s = NULL;
	enum renewal_result what = RENEWAL_DONE;

	if (was != NULL)
		s = a->source->ops->renew(a->source, &a->o->source, e);
	if (s == NULL) {
		what = renew_later(a, e);
	} else {
		if (a->renewal.wait_ns > 0)
			messages_add(
				&a->messages,
				"the CPUs changed; ktop has read their list again");
		a->renewal.wait_ns = 0;
		if (!switch_source(a, s, was, e))
			what = RENEWAL_GONE;
	}
	topology_free(was);
	return what;
}

enum renewal_result
renewal_of_machine(struct app *a, struct err *e)
{
	struct renewal *r = &a->renewal;
	int64_t wait = r->wait_ns > 0 ? r->wait_ns : SECOND_NS;

	/* A paused screen keeps its old topology. */
	if (a->source->ops->renew == NULL || !a->source->info.outdated ||
	    (a->screen.ui != NULL && ui_paused(a->screen.ui)))
		return RENEWAL_NONE;
	int64_t now = clock_awake_ns(a->clock);

	if (r->opened_ns != 0 && now - r->opened_ns < wait)
		return RENEWAL_NONE;
	r->opened_ns = now;
	return renew_source(a, e);
}

enum renewal_result
renewal_of_recording(struct app *a, struct err *e)
{
	return replay_outdated(a->source) ? renew_source(a, e) : RENEWAL_NONE;
}

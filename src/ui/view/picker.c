#include "ui/view/picker.h"

#include "base/bits.h"
#include "base/buf.h"
#include "model/columns.h"
#include "model/metric.h"
#include "ui/view/keys.h"

#include <string.h>
#include <strings.h>

static void
picker_take_now(struct picker *p)
{
	p->wanted = false;
	memcpy(p->chosen.event, p->now, p->nnow * sizeof p->now[0]);
	p->chosen.n = p->nnow;
}

void
picker_in_force(struct picker *p, const struct eventset *set)
{
	p->known = true;
	p->nnow = set->len;
	for (unsigned i = 0; i < set->len; i++)
		p->now[i] = set->slot[i].event;
	if (p->wanted)
		picker_take_now(p);
}

static bool
text_contains(const char *text, const char *part)
{
	size_t n = strlen(part);

	for (; text != NULL && *text != '\0'; text++)
		if (strncasecmp(text, part, n) == 0)
			return true;
	return n == 0;
}

static bool
event_matches(const struct picker *p, const struct event *event)
{
	return text_contains(event->name, p->search) ||
	       text_contains(event->alias, p->search) ||
	       text_contains(event->native, p->search) ||
	       text_contains(event->text, p->search);
}

unsigned
picker_matches(const struct picker *p)
{
	unsigned n = 0;

	for (unsigned i = 0; p->catalog != NULL && i < p->catalog->len; i++)
		n += event_matches(p, &p->catalog->event[i]);
	return n;
}

const struct event *
picker_match(const struct picker *p, unsigned k)
{
	for (unsigned i = 0; p->catalog != NULL && i < p->catalog->len; i++)
		if (event_matches(p, &p->catalog->event[i]) && k-- == 0)
			return &p->catalog->event[i];
	return NULL;
}

bool
picker_has(const struct picker *p, const struct event *event)
{
	for (unsigned i = 0; i < p->chosen.n; i++)
		if (p->chosen.event[i] == event)
			return true;
	return false;
}

bool
picker_refused(const struct picker *p, const struct event *event)
{
	unsigned i = (unsigned)(event - p->catalog->event);

	return p->refused != NULL && i < p->nrefused &&
	       (p->refused[i / 64] >> i % 64 & 1) != 0;
}

bool
picker_fits(const struct picker *p, const struct event *event, struct err *e)
{
	const struct event *with[EVENTSET_MAX + 1];
	struct eventset set = { .len = 0 };

	if (event->fixed)
		return err_set(
			e, ERR_USAGE,
			"%s is always counted and needs no configurable counter",
			event->name);
	if (picker_refused(p, event))
		return err_set(e, ERR_PERM,
			       "%s cannot be counted: this kernel refuses it",
			       event->name);
	memcpy(with, p->chosen.event, sizeof p->chosen.event);
	with[p->chosen.n] = event;
	return slots_place(p->catalog, with, p->chosen.n + 1, &set, e);
}

bool
picker_makes_room(const struct picker *p, const struct event *gone,
		  const struct event *event)
{
	const struct event *with[EVENTSET_MAX + 1];
	unsigned n = 0;

	if (event->fixed || picker_refused(p, event))
		return false;
	for (unsigned i = 0; i < p->chosen.n; i++)
		if (p->chosen.event[i] != gone)
			with[n++] = p->chosen.event[i];
	with[n++] = event;
	return slots_fit(p->catalog, with, n);
}

static bool
event_divides(const struct event *event)
{
	return strcmp(event->name, COLUMN_CYCLES_EVENT) == 0 ||
	       strcmp(event->name, COLUMN_INSTRUCTIONS_EVENT) == 0;
}

const struct event *
picker_find_conflict(const struct picker *p, const struct event *event)
{
	if (picker_has(p, event) || picker_fits(p, event, NULL))
		return NULL;
	const struct event *base = NULL;

	for (unsigned i = p->chosen.n; i-- > 0;) {
		const struct event *chosen = p->chosen.event[i];

		if (!picker_makes_room(p, chosen, event))
			continue;
		if (!event_divides(chosen))
			return chosen;
		base = base == NULL ? chosen : base;
	}
	return base;
}

uint32_t
picker_counters(const struct catalog *c)
{
	return c->config_counters & ((1u << EVENT_FREE_FIRST) - 1);
}

unsigned
picker_counters_used(const struct picker *p)
{
	uint32_t all = picker_counters(p->catalog);
	unsigned n = 0;

	for (unsigned i = 0; i < p->chosen.n; i++)
		n += (p->chosen.event[i]->counters & all) != 0;
	return n;
}

unsigned
picker_counters_free(const struct picker *p)
{
	return bits_count(picker_counters(p->catalog)) -
	       picker_counters_used(p);
}

void
picker_format_places(const struct picker *p, const struct event *event,
		     char *at, unsigned size)
{
	struct buf b = buf_over(at, size);
	uint32_t all = picker_counters(p->catalog);
	uint32_t mask = event->counters & all;

	if (event->fixed)
		buf_str(&b, "fixed");
	else if (mask == 0)
		buf_str(&b, event->counters != 0 ? "none" : "n/a");
	else if (mask == all)
		buf_str(&b, "any");
	for (unsigned i = 0; mask != all && i < EVENT_FREE_FIRST; i++) {
		if (event->fixed || (mask >> i & 1) == 0)
			continue;
		buf_printf(&b, "%s%u", b.len > 0 ? " " : "", i);
	}
	buf_cstr(&b);
}

static void
picker_drop(struct picker *p, const struct event *event)
{
	unsigned kept = 0;

	for (unsigned i = 0; i < p->chosen.n; i++)
		if (p->chosen.event[i] != event)
			p->chosen.event[kept++] = p->chosen.event[i];
	p->chosen.n = kept;
}

static void
picker_toggle(struct picker *p, struct err *say)
{
	const struct event *event = picker_match(p, p->at);

	if (event == NULL)
		return;
	p->again = true;
	if (picker_has(p, event))
		picker_drop(p, event);
	else if (picker_fits(p, event, say))
		p->chosen.event[p->chosen.n++] = event;
	else
		p->again = false;
}

static enum picker_end
picker_swap(struct picker *p, struct err *say)
{
	const struct event *event = picker_match(p, p->at), *gone;

	if (event == NULL)
		return PICKER_STAYS;
	gone = picker_find_conflict(p, event);
	if (gone != NULL) {
		picker_drop(p, gone);
		p->chosen.event[p->chosen.n++] = event;
		return PICKER_STAYS;
	}
	if (!picker_has(p, event) && !picker_fits(p, event, say))
		return PICKER_STAYS;
	err_set(say, ERR_USAGE,
		picker_has(p, event)
			? "%s is already chosen"
			: "a counter is free for %s; press space to add it",
		event->name);
	return PICKER_SAYS;
}

static void
picker_take_force(struct picker *p)
{
	if (p->known)
		picker_take_now(p);
	else
		p->wanted = true;
}

static bool
picker_is_in_force(const struct picker *p)
{
	for (unsigned i = 0; i < p->nnow; i++)
		if (!picker_has(p, p->now[i]))
			return false;
	return p->chosen.n == p->nnow;
}

static enum picker_end
picker_name_key(struct picker *p, int key)
{
	char *name = p->chosen.name;

	if (key == KEY_ESCAPE || key == KEY_TAB) {
		p->naming = false;
		name[0] = '\0';
	} else if (key == KEY_UP_ARROW || key == KEY_DOWN_ARROW) {
		/* The preset's key is none or 1 to 9. */
		int step = key == KEY_UP_ARROW ? 11 : 9;
		int at = p->chosen.key == 0 ? 0 : p->chosen.key - '0';

		at = (at + step) % 10;
		p->chosen.key = (char)(at == 0 ? 0 : '0' + at);
	} else if (key == KEY_RETURN) {
		return p->chosen.n > 0 ? PICKER_COUNTS : PICKER_STAYS;
	} else if (key == KEY_ERASE || key == '-' || key == '_' ||
		   (key >= '0' && key <= '9') || (key >= 'a' && key <= 'z')) {
		key_type(name, sizeof p->chosen.name, key);
	}
	return PICKER_STAYS;
}

static void
picker_move(struct picker *p, long by)
{
	long n = (long)picker_matches(p), to = (long)p->at + by;

	p->at = (unsigned)(to < 0 || n == 0 ? 0 : to >= n ? n - 1 : to);
}

static enum picker_end
picker_count(const struct picker *p, struct err *say)
{
	if (p->chosen.n > 0)
		return picker_is_in_force(p) ? PICKER_CLOSES : PICKER_COUNTS;
	err_set(say, ERR_USAGE,
		"no event is selected: press space to add the event under the cursor");
	return PICKER_SAYS;
}

static void
picker_search_restart(struct picker *p)
{
	p->search[0] = '\0';
	p->again = false;
	p->at = p->top = 0;
}

static enum picker_end
picker_letter_key(struct picker *p, int key, struct err *say)
{
	switch (key) {
	case '=':
		return picker_swap(p, say);
	case '-':
		p->chosen.n = 0;
		return PICKER_STAYS;
	case '+':
		picker_take_force(p);
		return PICKER_STAYS;
	default:
		break;
	}
	if (p->again || key == '/')
		picker_search_restart(p);
	if (key != '/')
		key_type(p->search, sizeof p->search, key);
	p->at = p->top = 0;
	return PICKER_STAYS;
}

static enum picker_end
picker_step_back(struct picker *p)
{
	bool searched = p->search[0] != '\0';

	picker_search_restart(p);
	return searched ? PICKER_STAYS : PICKER_CLOSES;
}

enum picker_end
picker_key(struct picker *p, int key, struct err *say)
{
	long page = p->rows > 1 ? (long)p->rows - 1 : 1;

	if (p->naming)
		return picker_name_key(p, key);
	if (key == KEY_ERASE || key == KEY_CTRL_U || (key > ' ' && key < 127))
		return picker_letter_key(p, key, say);
	switch (key) {
	case KEY_ESCAPE:
		return picker_step_back(p);
	case KEY_CTRL_C:
		return PICKER_CLOSES;
	case KEY_RETURN:
		return picker_count(p, say);
	case KEY_TAB:
		p->naming = true;
		break;
	case ' ':
		picker_toggle(p, say);
		break;
	case KEY_UP_ARROW:
		picker_move(p, -1);
		break;
	case KEY_DOWN_ARROW:
		picker_move(p, 1);
		break;
	case KEY_PAGE_UP:
		picker_move(p, -page);
		break;
	case KEY_PAGE_DOWN:
		picker_move(p, page);
		break;
	case KEY_TO_HOME:
		p->at = 0;
		break;
	case KEY_TO_END:
		picker_move(p, 100000);
		break;
	default:
		break;
	}
	return PICKER_STAYS;
}

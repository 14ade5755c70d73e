#include "ui/view/picker.h"

#include "base/buf.h"
#include "model/slots.h"
#include "ui/view/keys.h"

#include <ctype.h>
#include <string.h>

void
picker_open(struct picker *p, const struct catalog *c)
{
	*p = (struct picker){ .catalog = c, .fresh = true };
}

void
picker_start_from(struct picker *p, const struct eventset *set)
{
	p->fresh = false;
	for (unsigned i = 0; i < set->len; i++)
		p->chosen.event[p->chosen.n++] = set->slot[i].event;
}

static bool
contains(const char *text, const char *part)
{
	size_t n = strlen(part);

	for (; text != NULL && *text != '\0'; text++) {
		size_t i = 0;

		while (i < n && tolower((unsigned char)text[i]) ==
					tolower((unsigned char)part[i]))
			i++;
		if (i == n)
			return true;
	}
	return n == 0;
}

static bool
matches(const struct picker *p, const struct event *event)
{
	return contains(event->name, p->search) ||
	       (event->alias != NULL && contains(event->alias, p->search)) ||
	       (event->native != NULL && contains(event->native, p->search)) ||
	       (event->text != NULL && contains(event->text, p->search));
}

unsigned
picker_matches(const struct picker *p)
{
	unsigned n = 0;

	for (unsigned i = 0; p->catalog != NULL && i < p->catalog->len; i++)
		n += matches(p, &p->catalog->event[i]);
	return n;
}

const struct event *
picker_match(const struct picker *p, unsigned k)
{
	for (unsigned i = 0; p->catalog != NULL && i < p->catalog->len; i++)
		if (matches(p, &p->catalog->event[i]) && k-- == 0)
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
		return err_set(e, ERR_USAGE,
			       "%s is always counted and takes no slot",
			       event->name);
	if (picker_refused(p, event))
		return err_set(
			e, ERR_PERM,
			"%s would be refused: this system's kernel does not count it for programs",
			event->name);
	memcpy(with, p->chosen.event, sizeof p->chosen.event);
	with[p->chosen.n] = event;
	return slots_place(p->catalog, with, p->chosen.n + 1, &set, e);
}

uint32_t
picker_counters(const struct catalog *c)
{
	return c->config_counters & ((1u << EVENT_FREE_FIRST) - 1);
}

unsigned
picker_taken(const struct picker *p)
{
	uint32_t all = picker_counters(p->catalog);
	unsigned n = 0;

	for (unsigned i = 0; i < p->chosen.n; i++)
		n += (p->chosen.event[i]->counters & all) != 0;
	return n;
}

void
picker_places(const struct picker *p, const struct event *event, char *at,
	      unsigned size)
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
		buf_str(&b, b.len > 0 ? " " : "");
		buf_u64(&b, i);
	}
	(void)buf_cstr(&b);
}

static void
toggle(struct picker *p, struct err *say)
{
	const struct event *event = picker_match(p, p->at);
	unsigned kept = 0;

	if (event == NULL)
		return;
	if (!picker_has(p, event)) {
		if (!picker_fits(p, event, say))
			return;
		p->chosen.event[p->chosen.n++] = event;
		p->changed = true;
		return;
	}
	for (unsigned i = 0; i < p->chosen.n; i++)
		if (p->chosen.event[i] != event)
			p->chosen.event[kept++] = p->chosen.event[i];
	p->chosen.n = kept;
	p->changed = true;
}

/* Arrows walk through the digits that may choose it: none, 1 to 9. */
static void
key_next(struct picker *p, int step)
{
	int at = p->chosen.key == 0 ? 0 : p->chosen.key - '0';

	at = (at + 10 + step) % 10;
	p->chosen.key = (char)(at == 0 ? 0 : '0' + at);
}

static enum picker_end
name_key(struct picker *p, int key)
{
	char *name = p->chosen.name;

	if (key == KEY_ESCAPE || key == KEY_TAB) {
		p->naming = false;
		name[0] = '\0';
	} else if (key == KEY_UP_ARROW || key == KEY_DOWN_ARROW) {
		key_next(p, key == KEY_UP_ARROW ? 1 : -1);
	} else if (key == KEY_RETURN) {
		return p->chosen.n > 0 ? PICKER_COUNTS : PICKER_STAYS;
	} else if (key == KEY_ERASE || key == '-' || key == '_' ||
		   (key >= '0' && key <= '9') || (key >= 'a' && key <= 'z')) {
		key_type(name, sizeof p->chosen.name, key);
	}
	return PICKER_STAYS;
}

static void
move(struct picker *p, long by)
{
	long n = (long)picker_matches(p), to = (long)p->at + by;

	p->at = (unsigned)(to < 0 || n == 0 ? 0 : to >= n ? n - 1 : to);
}

enum picker_end
picker_key(struct picker *p, int key, struct err *say)
{
	long page = p->rows > 1 ? (long)p->rows - 1 : 1;

	if (p->naming)
		return name_key(p, key);
	switch (key) {
	case KEY_ESCAPE:
		if (p->search[0] == '\0')
			return PICKER_CLOSES;
		p->search[0] = '\0';
		break;
	case KEY_CTRL_C:
		return PICKER_CLOSES;
	case KEY_RETURN:
		return p->chosen.n == 0 ? PICKER_STAYS
		       : p->changed     ? PICKER_COUNTS
					: PICKER_CLOSES;
	case KEY_TAB:
		p->naming = true;
		break;
	case ' ':
		toggle(p, say);
		break;
	case KEY_UP_ARROW:
		move(p, -1);
		break;
	case KEY_DOWN_ARROW:
		move(p, 1);
		break;
	case KEY_PAGE_UP:
		move(p, -page);
		break;
	case KEY_PAGE_DOWN:
		move(p, page);
		break;
	case KEY_TO_HOME:
		p->at = 0;
		break;
	case KEY_TO_END:
		move(p, 100000);
		break;
	default:
		key_type(p->search, sizeof p->search, key);
		p->at = p->top = 0;
		break;
	}
	return PICKER_STAYS;
}

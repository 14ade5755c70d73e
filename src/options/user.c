#include "options/user.h"

#include <string.h>

const char *
user_keep(struct user *u, const char *s, size_t n, struct err *e)
{
	char *at = u->pool + u->used;

	if (n + 1 > sizeof u->pool - u->used)
		return err_null(
			e, ERR_USAGE,
			"own metrics and presets take more than %d bytes of names and texts",
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
			return err_set(e, ERR_USAGE,
				       "key %c is that of preset %s", key,
				       u->preset[i].name);
	return true;
}

void
user_note_name(struct user *u, const char *text, size_t column, bool term)
{
	if (u->nnames < USER_NAMES)
		u->name[u->nnames++] = (struct user_name){
			.text = text, .column = (unsigned)column, .term = term
		};
}

bool
user_derive(const struct user *u, int i, const struct catalog *c,
	    enum domain domain, struct eventset *out, struct err *e)
{
	if (i < (int)preset_count)
		return preset_derive(&preset_table[i], c, domain, out, e);
	unsigned k = (unsigned)i - preset_count;
	const struct preset_own own = { u->metric, u->nmetrics, u->event[k],
					u->nevents[k] };

	return preset_derive_own(&u->preset[k], &own, c, out, e);
}

/* formulas */

struct formula {
	struct user *u;
	const char *text, *at;
	struct err *e;
};

static void
skip(struct formula *f)
{
	while (*f->at == ' ' || *f->at == '\t')
		f->at++;
}

static bool
next_is(struct formula *f, char c)
{
	skip(f);
	if (*f->at != c)
		return false;
	f->at++;
	return true;
}

static bool
wrong(struct formula *f, const char *why)
{
	return err_set(f->e, ERR_USAGE, "%s", why);
}

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool
is_name(char c)
{
	return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
	       is_digit(c) || c == '_' || c == '.' || c == '|' || c == ':';
}

/* "2", "0.5": weights need no more. */
static double
number(struct formula *f)
{
	double v = 0, place = 1;

	for (; is_digit(*f->at); f->at++)
		v = v * 10 + (*f->at - '0');
	if (*f->at != '.')
		return v;
	for (f->at++; is_digit(*f->at); f->at++)
		v += (*f->at - '0') * (place /= 10);
	return v;
}

/* [number *] NAME; a minus within a name has no blank behind it. */
static bool
term(struct formula *f, double sign, struct term *out)
{
	double weight = sign;

	skip(f);
	if (is_digit(*f->at)) {
		weight *= number(f);
		if (!next_is(f, '*'))
			return wrong(f,
				     "a number wants * and an event behind it");
		skip(f);
	}
	const char *name = f->at;

	while (is_name(*f->at) ||
	       (*f->at == '-' && f->at > name && is_name(f->at[1])))
		f->at++;
	if (f->at == name)
		return wrong(f, "here should be the name of an event");
	out->weight = weight;
	out->event = user_keep(f->u, name, (size_t)(f->at - name), f->e);
	if (out->event == NULL)
		return false;
	user_note_name(f->u, out->event, (size_t)(name - f->text), true);
	return true;
}

static bool
sum(struct formula *f, struct term out[METRIC_TERMS])
{
	double sign = next_is(f, '-') ? -1 : 1;

	for (unsigned n = 0;; n++) {
		if (n == METRIC_TERMS)
			return err_set(f->e, ERR_USAGE,
				       "a sum has at most %d events",
				       METRIC_TERMS);
		if (!term(f, sign, &out[n]))
			return false;
		if (next_is(f, '+'))
			sign = 1;
		else if (next_is(f, '-'))
			sign = -1;
		else
			return true;
	}
}

/* NAME, number * NAME, or a sum in parentheses. */
static bool
side(struct formula *f, struct term out[METRIC_TERMS])
{
	if (!next_is(f, '('))
		return term(f, 1, &out[0]);
	if (!sum(f, out))
		return false;
	return next_is(f, ')') || wrong(f, "here should be a )");
}

static bool
ratio(struct formula *f, struct metric *m)
{
	const char *head;

	skip(f);
	head = f->at;
	m->scale = 1;
	if (is_digit(*f->at)) {
		m->scale = number(f);
		if (!next_is(f, '*'))
			return wrong(f, "a number wants * behind it");
	}
	if (m->scale <= 0) {
		f->at = head;
		return wrong(f, "the factor has to be more than 0");
	}
	if (!side(f, m->num))
		return false;
	if (!next_is(f, '/'))
		return wrong(f, "here should be a / : a metric is a ratio");
	if (!side(f, m->den))
		return false;
	skip(f);
	return *f->at == '\0' || wrong(f, "here the formula should end");
}

bool
user_formula(struct user *u, const char *text, struct metric *m,
	     unsigned *column, struct err *e)
{
	struct formula f = { u, text, text, e };
	bool ok = ratio(&f, m);

	*column = (unsigned)(f.at - text) + 1;
	return ok;
}

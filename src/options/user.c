#include "options/user.h"

#include <string.h>

const char *
user_keep(struct user *u, const char *s, size_t n, struct err *e)
{
	char *at = u->pool + u->used;

	if (n + 1 > sizeof u->pool - u->used)
		return err_null(
			e, ERR_USAGE,
			"own presets take more than %d bytes of names and texts",
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

bool
user_derive(const struct user *u, int i, const struct catalog *c,
	    enum domain domain, struct eventset *out, struct err *e)
{
	if (i < (int)preset_count)
		return preset_derive(&preset_table[i], c, domain, out, e);
	unsigned k = (unsigned)i - preset_count;
	const struct preset_own own = { u->event[k], u->nevents[k] };

	return preset_derive_own(&u->preset[k], &own, c, out, e);
}

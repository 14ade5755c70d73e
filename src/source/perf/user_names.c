#include "source/perf/user_names.h"

#include <pwd.h>
#include <stdio.h>

static const char *
known(const struct user_names *u, uint32_t uid)
{
	for (unsigned i = 0; i < u->n; i++)
		if (u->user[i].uid == uid)
			return u->user[i].name;
	return NULL;
}

const char *
user_names_of(struct user_names *u, uint32_t uid, bool ask)
{
	const char *name = u->foreign ? "" : known(u, uid);
	struct passwd pw, *found = NULL;
	char text[4096];
	unsigned at;

	if (name != NULL || !ask)
		return name != NULL ? name : "";
	/* A name that was refused for now is asked for when it is forgotten. */
	(void)getpwuid_r(uid, &pw, text, sizeof text, &found);
	at = u->n < USER_NAMES_MAX ? u->n++ : u->oldest++ % USER_NAMES_MAX;
	u->user[at].uid = uid;
	snprintf(u->user[at].name, sizeof u->user[at].name, "%s",
		 found != NULL ? pw.pw_name : "");
	return u->user[at].name;
}

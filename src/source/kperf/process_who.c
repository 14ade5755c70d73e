#include "source/kperf/processes.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"

/* MAXPATHLEN of a Mac. */
enum { PATH_SIZE = 1024 };

static const char *
user_name(const struct host_api *host, struct kperf_users *users, uint32_t uid)
{
	unsigned at;

	for (unsigned i = 0; i < users->n; i++)
		if (users->user[i].uid == uid)
			return users->user[i].name;
	at = users->next;
	users->next = (at + 1) % KPERF_USERS;
	if (users->n < KPERF_USERS)
		users->n++;
	users->user[at].uid = uid;
	if (host->user_name == NULL ||
	    !host->user_name(uid, users->user[at].name,
			     sizeof users->user[at].name))
		users->user[at].name[0] = '\0';
	return users->user[at].name;
}

/* The last part of its program's path; not of zombies and the kernel. */
static bool
path_name(const struct host_api *host, int32_t pid, char *out, size_t size)
{
	char path[PATH_SIZE];
	const char *last;
	int len;

	if (host->proc_path == NULL)
		return false;
	len = host->proc_path(pid, path, sizeof path);
	if (len <= 0 || (size_t)len >= sizeof path)
		return false;
	path[len] = '\0';
	last = strrchr(path, '/');
	last = last != NULL ? last + 1 : path;
	if (last[0] == '\0')
		return false;
	struct buf b = buf_over(out, size);

	buf_str(&b, last);
	buf_cstr(&b);
	return true;
}

static void
name(const struct host_api *host, bool fresh, struct kperf_who *who,
     struct process_read *r)
{
	/* What has ended keeps the name it had. */
	if (!fresh && who->named)
		return;
	memset(r->name, 0, sizeof r->name);
	who->named = path_name(host, r->pid, r->name, sizeof r->name);
	if (who->named)
		return;
	if (who->brief.name[0] != '\0')
		snprintf(r->name, sizeof r->name, "%s", who->brief.name);
	else if (r->pid == 0)
		snprintf(r->name, sizeof r->name, "kernel_task");
	/* There is no path to come: neither is looked for again. */
	who->named = r->name[0] != '\0';
}

bool
kperf_who_ask(const struct host_api *host, struct kperf_users *users,
	      bool fresh, struct kperf_who *who, struct process_read *r)
{
	struct host_proc now;

	memset(&now, 0, sizeof now);
	errno = 0;
	if (host->proc_short != NULL && host->proc_short(r->pid, &now) == 0) {
		now.name[sizeof now.name - 1] = '\0';
		/* It tells an exec of what says nothing else of itself. */
		fresh = fresh || strcmp(who->brief.name, now.name) != 0;
		who->brief = now;
		r->parent = now.ppid;
		r->uid = now.uid;
		snprintf(r->user, sizeof r->user, "%s",
			 user_name(host, users, now.uid));
	} else if (errno == ESRCH && r->pid != 0) {
		return false; /* the kernel is never gone */
	}
	name(host, fresh, who, r);
	return true;
}

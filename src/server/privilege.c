#include "server/privilege.h"

#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "process/caller.h"
#include "options/argv.h"
#include "base/parse.h"

enum { FIRST_FREE = 3 }; /* descriptors below are somebody's standard ones */

/* Commands that call the frameworks themselves, and stay root for it. */
static bool
keeps_root(enum command_id command)
{
	return command == COMMAND_DOCTOR || command == COMMAND_REPAIR;
}

/*
 * doas and pkexec name the caller in ways of their own; run0 does as sudo. From
 * here on it stands where sudo would say it, for all that look there.
 */
static bool
name_caller(struct err *e)
{
	const char *doas = getenv("DOAS_USER"), *pkexec = getenv("PKEXEC_UID");
	const struct passwd *pw = NULL;
	char uid[24], gid[24];
	uint64_t u;

	if (geteuid() != 0 || getenv("SUDO_UID") != NULL ||
	    getenv("SUDO_GID") != NULL || (doas == NULL && pkexec == NULL))
		return true;
	if (pkexec == NULL)
		pw = getpwnam(doas);
	else if (parse_u64(pkexec, UINT32_MAX - 1, &u))
		pw = getpwuid((uid_t)u);
	if (pw == NULL)
		return err_set(
			e, ERR_PERM,
			"%s=%s does not say who called %s, so ktop does not go on as root; unset it if it was root",
			pkexec != NULL ? "PKEXEC_UID" : "DOAS_USER",
			pkexec != NULL ? pkexec : doas,
			pkexec != NULL ? "pkexec" : "doas");
	(void)snprintf(uid, sizeof uid, "%lu", (unsigned long)pw->pw_uid);
	(void)snprintf(gid, sizeof gid, "%lu", (unsigned long)pw->pw_gid);
	return (setenv("SUDO_UID", uid, 1) == 0 &&
		setenv("SUDO_GID", gid, 1) == 0) ||
	       err_set(e, ERR_FAIL, "out of memory");
}

/* A caller that cannot be told is refused: root for want of one is no way. */
static bool
find_caller(struct privilege_caller *who, struct err *e)
{
	const char *uid = getenv("SUDO_UID"), *gid = getenv("SUDO_GID");
	uid_t u;
	gid_t g;

	*who = (struct privilege_caller){ .there = false };
	if (geteuid() != 0 || (uid == NULL && gid == NULL))
		return true;
	if (!caller_named(&u, &g))
		return err_set(
			e, ERR_PERM,
			"SUDO_UID=%s and SUDO_GID=%s do not say who called sudo, so ktop does not go on as root; unset both if it was root",
			uid != NULL ? uid : "", gid != NULL ? gid : "");
	if (u != 0)
		*who = (struct privilege_caller){ true, u, g };
	return true;
}

/* Both ends, out of the way of standard descriptors that may be closed. */
static bool
make_pair(int pair[2])
{
	int raw[2], ok;

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, raw) != 0)
		return false;
	for (int i = 0; i < 2; i++)
		pair[i] = fcntl(raw[i], F_DUPFD_CLOEXEC, FIRST_FREE);
	ok = pair[0] >= 0 && pair[1] >= 0;
	(void)close(raw[0]);
	(void)close(raw[1]);
	for (int i = 0; i < 2 && !ok; i++)
		if (pair[i] >= 0)
			(void)close(pair[i]);
	return ok;
}

/* sudo may have left root's folders in the environment: of no use now. */
static void
leave_home(const struct privilege_caller *who)
{
	const char *home = getenv("HOME"), *xdg = getenv("XDG_CONFIG_HOME");

	if (xdg != NULL && access(xdg, X_OK) != 0)
		(void)unsetenv("XDG_CONFIG_HOME");
	if (home == NULL || access(home, X_OK) == 0)
		return;
	/* As the caller already: what this reads, the caller could read. */
	const struct passwd *pw = getpwuid(who->uid);

	if (pw != NULL)
		(void)setenv("HOME", pw->pw_dir, 1);
	else
		(void)unsetenv("HOME");
}

/* Files of the person's are opened as that person, who cannot enter it. */
static void
forget_roots_home(void)
{
	const char *home = getenv("HOME");
	struct stat st;

	if (home != NULL && stat(home, &st) == 0 && st.st_uid == 0 &&
	    (st.st_mode & S_IXOTH) == 0)
		(void)unsetenv("HOME");
}

static bool
go_on(struct privilege *p, struct err *e)
{
	if (!p->caller.there)
		return true;
	if (!privilege_drop(&p->caller, e))
		return false;
	leave_home(&p->caller);
	return true;
}

static bool
split(struct privilege *p, struct err *e)
{
	struct privilege_terminal terminal;
	sigset_t all, old;
	int pair[2];

	privilege_find_terminal(&terminal);
	if (!make_pair(pair))
		return err_set(e, ERR_FAIL,
			       "no socket for the counter server: %s",
			       strerror(errno));
	/* No signal may find one side without its handlers. */
	(void)sigfillset(&all);
	(void)sigprocmask(SIG_BLOCK, &all, &old);
	pid_t screen = fork();

	if (screen > 0) {
		(void)close(pair[1]);
		privilege_serve(pair[0], screen, &p->caller, &terminal);
	}
	int why = errno;

	(void)sigprocmask(SIG_SETMASK, &old, NULL);
	(void)close(pair[0]);
	if (screen == 0) {
		p->server = pair[1];
		return go_on(p, e);
	}
	(void)close(pair[1]);
	return err_set(
		e, ERR_FAIL,
		"no process for the counter server: %s; try again when the system is less busy",
		strerror(why));
}

bool
privilege_begin(struct privilege *p, int argc, char **argv, struct err *e)
{
	const char *asked = getenv("KTOP_SEPARATE");

	*p = (struct privilege){ .server = 0 };
	if (!name_caller(e) || !find_caller(&p->caller, e))
		return false;
	/* Nothing turns it off: what sudo allows is ktop, not a root shell. */
	p->asked = asked != NULL && strcmp(asked, "always") == 0;
	p->whole = keeps_root(argv_command(argc, argv));
	if (p->whole && p->caller.there)
		forget_roots_home();
	if (p->whole || (!p->caller.there && !p->asked))
		return true;
	return split(p, e);
}

bool
privilege_settle(struct privilege *p, struct options *o, struct err *e)
{
	bool whole = keeps_root(o->command);

	/* A simulation needs no root, and its files are the person's. */
	if (whole && o->source.sim != NULL && p->caller.there)
		return go_on(p, e);
	if (whole && p->caller.there)
		return privilege_os_confine(&p->caller, true, e);
	/* The config file made a recording's name of the word. */
	if (p->whole && !whole && (p->caller.there || p->asked) && !split(p, e))
		return false;
	o->source.server = p->server;
	return true;
}

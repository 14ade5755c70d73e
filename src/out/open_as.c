#include "out/open_as.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/parse.h"

enum { GROUPS_MAX = 256 };

struct identity {
	uid_t uid;
	gid_t gid;
	unsigned short ngroups; /* fits setgroups' int and size_t alike */
	gid_t group[GROUPS_MAX];
};

static bool
caller(struct identity *who)
{
	const char *uid = getenv("SUDO_UID"), *gid = getenv("SUDO_GID");
	uint64_t u, g;

	if (geteuid() != 0 || uid == NULL || gid == NULL ||
	    !parse_u64(uid, UINT32_MAX - 1, &u) ||
	    !parse_u64(gid, UINT32_MAX - 1, &g))
		return false;
	who->uid = (uid_t)u;
	who->gid = (gid_t)g;
	who->ngroups = 1;
	who->group[0] = who->gid;
	return u != 0;
}

/* Groups go first on the way down, the user first on the way back. */
static bool
become(const struct identity *who)
{
	return setgroups(who->ngroups, who->group) == 0 &&
	       setegid(who->gid) == 0 && seteuid(who->uid) == 0;
}

static bool
return_to(const struct identity *self)
{
	return seteuid(self->uid) == 0 && setegid(self->gid) == 0 &&
	       setgroups(self->ngroups, self->group) == 0;
}

int
open_as_caller(const char *path, int flags)
{
	struct identity who, self;

	if (!caller(&who))
		return open(path, flags, 0666);
	self.uid = geteuid();
	self.gid = getegid();
	int n = getgroups(GROUPS_MAX, self.group);

	if (n < 0)
		return -1;
	self.ngroups = (unsigned short)n;
	int fd = become(&who) ? open(path, flags, 0666) : -1;
	int error = errno;

	if (!return_to(&self)) {
		error = errno;
		if (fd >= 0)
			(void)close(fd);
		fd = -1;
	}
	errno = error;
	return fd;
}

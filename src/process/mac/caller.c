#include "process/caller.h"

#include <grp.h>
#include <unistd.h>

bool
caller_os_groups(const char *user, gid_t gid)
{
	return initgroups(user, (int)gid) == 0;
}

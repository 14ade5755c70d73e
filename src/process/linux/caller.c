#include "process/caller.h"

#include <grp.h>

bool
caller_os_groups(const char *user, gid_t gid)
{
	return initgroups(user, gid) == 0;
}

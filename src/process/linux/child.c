#include "process/child.h"

#include <grp.h>

bool
child_take_groups(const char *user, gid_t gid)
{
	return initgroups(user, gid) == 0;
}

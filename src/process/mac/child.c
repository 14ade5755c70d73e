#include "process/child.h"

#include <grp.h>
#include <unistd.h>

bool
child_take_groups(const char *user, gid_t gid)
{
	return initgroups(user, (int)gid) == 0;
}

#include "server/privilege.h"

#include <unistd.h>

#include "process/caller.h"

bool
privilege_drop(const struct privilege_caller *who, struct err *e)
{
	if ((geteuid() == who->uid ||
	     (privilege_os_bound(e) && caller_become(who->uid, who->gid))) &&
	    privilege_os_strip(e) && caller_stays(who->uid, who->gid))
		return true;
	return err_set(
		e, ERR_PERM,
		"ktop could not become the user who called sudo (user %lu); it does not go on as root",
		(unsigned long)who->uid);
}

#include "sim/inside.h"

#include <libproc.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/proc.h>
#include <sys/proc_info.h>

int64_t
sim_process_born(int32_t pid)
{
	struct proc_bsdinfo info;

	if (proc_pidinfo(pid, PROC_PIDTBSDINFO, 0, &info, sizeof info) !=
		    (int)sizeof info ||
	    info.pbi_status == SZOMB)
		return -1;
	return (int64_t)info.pbi_start_tvsec * 1000000 +
	       (int64_t)info.pbi_start_tvusec;
}

void
sim_process_name(char *out, size_t size)
{
	const char *name = getprogname();

	snprintf(out, size, "%s", name != NULL ? name : "");
}

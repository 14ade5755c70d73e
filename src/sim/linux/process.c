#include "sim/inside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

/* In /proc/PID/stat, field 3 is the state, field 22 the start time. */
int64_t
sim_process_born(int32_t pid)
{
	char path[32], text[512];
	size_t n;

	snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
	FILE *fp = fopen(path, "r");
	if (fp == NULL)
		return -1;
	n = fread(text, 1, sizeof text - 1, fp);
	fclose(fp);
	text[n] = '\0';
	/* The name is in parentheses and may contain any character. */
	const char *p = strrchr(text, ')');
	if (p == NULL || p[1] != ' ' || p[2] == 'Z' || p[2] == 'X')
		return -1;
	p += 2;
	for (int field = 3; field < 22 && p != NULL; field++)
		if ((p = strchr(p, ' ')) != NULL)
			p++;
	return p != NULL ? strtoll(p, NULL, 10) : -1;
}

void
sim_process_name(char *out, size_t size)
{
	char name[16] = ""; /* the size that PR_GET_NAME needs */

	(void)prctl(PR_GET_NAME, name, 0, 0, 0);
	snprintf(out, size, "%.*s", (int)sizeof name - 1, name);
}

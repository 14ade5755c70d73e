#include "source/perf/online.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A storm of hotplug is followed at this pace. */
static const int64_t pace_ns = 250000000;

bool
online_open(struct online *o, const char *root)
{
	o->size = (size_t)CPU_LIST_MAX * 6;
	o->text = calloc(1, o->size);
	o->before = calloc(1, o->size);
	o->fd = -1;
	o->asked_ns = INT64_MIN;
	if (o->text == NULL || o->before == NULL)
		return false;
	o->fd = sysfs_open(root, "/sys/devices/system/cpu/online");
	return true;
}

void
online_close(struct online *o)
{
	if (o->fd >= 0)
		close(o->fd);
	free(o->text);
	free(o->before);
	o->text = o->before = NULL;
	o->fd = -1;
}

bool
online_due(struct online *o, int64_t now_ns)
{
	if (o->fd < 0 ||
	    (o->asked_ns != INT64_MIN && now_ns - o->asked_ns < pace_ns))
		return false;
	o->asked_ns = now_ns;
	return true;
}

bool
online_ask(struct online *o)
{
	char *swap;
	ssize_t n;

	n = pread(o->fd, o->text, o->size - 1, 0);
	if (n <= 0)
		return false;
	o->text[n] = '\0';
	if (strcmp(o->text, o->before) == 0)
		return false;
	swap = o->before;
	o->before = o->text;
	o->text = swap;
	if (!cpu_list_parse(o->before, &o->list))
		o->list.len = 0;
	return true;
}

bool
online_has(const struct online *o, int id)
{
	if (o->list.len == 0 || id < 0 || id >= CPU_LIST_MAX)
		return true;
	return o->list.in[id];
}

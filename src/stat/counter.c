/* The null counter, and code shared by all counters. */
#include "stat/stat.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool
attach_none(struct counter *c, int32_t pid, bool at_exec, struct err *e)
{
	return at_exec ||
	       err_set(e, ERR_NO_PMU, "process %d cannot be counted: %s",
		       (int)pid, c->why);
}

static bool
read_none(struct counter *c, struct counter_reading *out)
{
	(void)c;
	*out = (struct counter_reading){ .cpu_s = NAN };
	return false;
}

static void
close_none(struct counter *c)
{
	free(c);
}

struct counter *
counter_none_open(const char *why, struct err *e)
{
	static const struct counter_ops ops = { .attach = attach_none,
						.read = read_none,
						.close = close_none };
	struct counter *c = calloc(1, sizeof *c);

	if (c == NULL)
		return err_null(e, ERR_FAIL, "out of memory");
	c->ops = &ops;
	c->clock = clock_system();
	c->domain = DOMAIN_NONE;
	snprintf(c->why, sizeof c->why, "%s", why);
	return c;
}

bool
counter_refused(int32_t pid, int why, struct err *e)
{
	if (why == ESRCH)
		return err_set(e, ERR_FAIL, "process %d does not exist",
			       (int)pid);
	if (why == EACCES || why == EPERM)
		return err_set(
			e, ERR_PERM,
			"no permission to count process %d: it belongs to another user or is protected; try sudo ktop stat -p %d",
			(int)pid, (int)pid);
	return err_set(e, ERR_FAIL, "process %d cannot be counted: %s",
		       (int)pid, strerror(why));
}

void
counter_detach(struct counter *c)
{
	if (c->ops->detach != NULL)
		c->ops->detach(c);
}

void
counter_close(struct counter *c)
{
	if (c != NULL)
		c->ops->close(c);
}

#include "stat/counter.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static bool
attach(struct counter *c, int32_t pid, bool held, struct err *e)
{
	return held ||
	       err_set(e, ERR_NO_PMU, "process %d cannot be counted: %s",
		       (int)pid, c->why);
}

static bool
read_nothing(struct counter *c, struct counter_reading *out)
{
	(void)c;
	*out = (struct counter_reading){ .cpu_s = NAN };
	return false;
}

static void
begin(struct counter *c)
{
	(void)c;
}

static void
detach(struct counter *c)
{
	(void)c;
}

static void
close_none(struct counter *c)
{
	free(c);
}

static const struct counter_ops none_ops = {
	.attach = attach,
	.begin = begin,
	.read = read_nothing,
	.detach = detach,
	.close = close_none,
};

struct counter *
counter_none_open(const char *why, struct err *e)
{
	struct counter *c = calloc(1, sizeof *c);

	if (c == NULL)
		return err_null(e, ERR_FAIL, "out of memory");
	c->ops = &none_ops;
	c->clock = clock_system();
	c->domain = DOMAIN_NONE;
	snprintf(c->why, sizeof c->why, "%s", why);
	return c;
}

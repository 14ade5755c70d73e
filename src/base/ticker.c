#include "base/ticker.h"

static int64_t
add_saturated(int64_t at_ns, int64_t by_ns)
{
	return at_ns > INT64_MAX - by_ns ? INT64_MAX : at_ns + by_ns;
}

void
ticker_start(struct ticker *t, int64_t now_ns, int64_t period_ns)
{
	t->period_ns = period_ns;
	t->next_ns = add_saturated(now_ns, period_ns);
	t->short_ns = 0;
}

void
ticker_soon(struct ticker *t, int64_t now_ns, int64_t after_ns)
{
	int64_t at = add_saturated(now_ns, after_ns);

	t->short_ns = at < t->next_ns ? at : 0;
}

int64_t
ticker_deadline(const struct ticker *t)
{
	return t->short_ns != 0 ? t->short_ns : t->next_ns;
}

bool
ticker_due(struct ticker *t, int64_t now_ns, uint64_t *missed, int64_t *late_ns)
{
	int64_t deadline = ticker_deadline(t);

	*missed = 0;
	*late_ns = 0;
	if (now_ns < deadline)
		return false;
	t->short_ns = 0;
	if (now_ns < t->next_ns) {
		*late_ns = now_ns - deadline;
		return true;
	}
	int64_t over = (now_ns - t->next_ns) / t->period_ns;

	*late_ns = now_ns - t->next_ns;
	*missed = (uint64_t)over;
	t->next_ns =
		add_saturated(t->next_ns + over * t->period_ns, t->period_ns);
	return true;
}

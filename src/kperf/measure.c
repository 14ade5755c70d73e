#include "kperf/inside.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

static uint64_t
wall_clock_ns(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void
call_repeatedly(void (*fn)(void *), void *arg, uint64_t iterations)
{
	for (uint64_t i = 0; i < iterations; i++)
		fn(arg);
}

static void
fill_measurement(struct kps_measurement *out, uint64_t total,
		 uint64_t iterations, enum kps_unit unit)
{
	double scale = unit == KPS_UNIT_SECONDS ? 1e-9 : 1.0;

	out->total = total;
	out->iterations = iterations;
	out->unit = unit;
	out->per_iteration =
		iterations > 0 ? (double)total * scale / (double)iterations
			       : NAN;
}

static bool
measure_started(struct kps_thread *t, void (*fn)(void *), void *arg,
		uint64_t iterations, struct kps_measurement *out,
		struct kps_error *e)
{
	uint64_t before, after;

	if (!kps_thread_sample(t, &before, e))
		return false;
	call_repeatedly(fn, arg, iterations);
	if (!kps_thread_sample(t, &after, e))
		return false;
	fill_measurement(out, after - before, iterations,
			 kps_thread_event(t, 0)->unit);
	return true;
}

bool
kps_measure(struct kps_sampler *s, const char *event, void (*fn)(void *arg),
	    void *arg, uint64_t iterations, struct kps_measurement *out,
	    struct kps_error *e)
{
	if (s == NULL) {
		uint64_t before = wall_clock_ns();

		call_repeatedly(fn, arg, iterations);
		fill_measurement(out, wall_clock_ns() - before, iterations,
				 KPS_UNIT_SECONDS);
		return true;
	}
	struct kps_thread *t = kps_thread_new(s, &event, 1, e);
	if (t == NULL)
		return false;
	bool ok = kps_thread_start(t, e) &&
		  measure_started(t, fn, arg, iterations, out, e);
	ok = kps_thread_stop(t, ok ? e : NULL) && ok;
	kps_thread_free(t);
	return ok;
}

bool
kps_measure_add(struct kps_measurement *sum,
		const struct kps_measurement *batch)
{
	if (sum->iterations > 0 && sum->unit != batch->unit)
		return false;
	fill_measurement(sum, sum->total + batch->total,
			 sum->iterations + batch->iterations, batch->unit);
	return true;
}

static const struct {
	const char *name, *label;
} units[] = {
	[KPS_UNIT_COUNTS] = { "counts", "counts" },
	[KPS_UNIT_INSTRUCTIONS] = { "instructions", "instr" },
	[KPS_UNIT_CYCLES] = { "cycles", "cycles" },
	[KPS_UNIT_BRANCH_MISSES] = { "branch-misses", "misses" },
	[KPS_UNIT_CACHE_MISSES] = { "cache-misses", "misses" },
	[KPS_UNIT_TLB_MISSES] = { "tlb-misses", "misses" },
	[KPS_UNIT_UOPS] = { "uops", "uops" },
	[KPS_UNIT_SECONDS] = { "seconds", "s" },
};

const char *
kps_unit_name(enum kps_unit unit)
{
	return unit <= KPS_UNIT_SECONDS ? units[unit].name : "";
}

const char *
kps_format_per(char *buf, size_t size, double value, enum kps_unit unit,
	       double of, const char *what)
{
	static const char *const prefix[] = { "n", "u", "m", "",
					      "K", "M", "G", "T" };
	enum { NONE = 3, LAST = 7 };
	int at = NONE, lowest = unit == KPS_UNIT_SECONDS ? 0 : NONE;
	int highest = unit == KPS_UNIT_SECONDS ? NONE : LAST;
	const char *slash = what != NULL ? "/" : "";

	if (what != NULL)
		value /= of;
	if (size == 0)
		return buf;
	if (!isfinite(value) || unit > KPS_UNIT_SECONDS) {
		snprintf(buf, size, "-");
		return buf;
	}
	/* 999.95 would be printed as 1000.0. */
	while (fabs(value) >= 999.95 && at < highest) {
		value /= 1000;
		at++;
	}
	while (value != 0 && fabs(value) < 0.99995 && at > lowest) {
		value *= 1000;
		at--;
	}
	snprintf(buf, size, "%.*f %s%s%s%s",
		 fabs(value) < 9.9995   ? 3
		 : fabs(value) < 99.995 ? 2
					: 1,
		 value, prefix[at], units[unit].label, slash,
		 what != NULL ? what : "");
	return buf;
}

const char *
kps_format(char *buf, size_t size, double value, enum kps_unit unit)
{
	return kps_format_per(buf, size, value, unit, 1.0, NULL);
}

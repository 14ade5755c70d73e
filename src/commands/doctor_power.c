#include "commands/doctor.h"

#include <string.h>

#include "base/buf.h"
#include "base/report.h"
#include "power/power.h"

/* LOOKS * LOOK_NS is 7 s, because macOS 27 publishes energy every 2.1 s. */
enum { TIMES = 3, LOOKS = 28, LOOK_NS = 250 * 1000 * 1000, TEXT_SIZE = 1200 };

static const char *const what_name[POWER_WHATS] = {
	[POWER_CPU] = "energy of all CPUs",
	[POWER_CLUSTER] = "energy of clusters",
	[POWER_ANE] = "energy of the neural engine",
	[POWER_PACKAGE] = "energy of packages",
	[POWER_DRAM] = "energy of memory",
	[POWER_GPU] = "energy of the GPU",
	[POWER_PLATFORM] = "energy of the platform",
	[POWER_TRAFFIC] = "bytes read and written",
	[POWER_READ] = "bytes read",
	[POWER_WRITE] = "bytes written",
	[POWER_CLOCK] = "clocks requested",
	[POWER_THROTTLE] = "throttling",
	[POWER_HEAT] = "thermal pressure",
};

/* Times at which a kind of rail published a new value. */
struct seen {
	int64_t at_ns[TIMES + 1];
	unsigned n;
	bool untimed;
};

static void
rails_read_times(struct examine *x, struct power_source *p,
		 struct seen seen[POWER_WHATS])
{
	struct power_reading got[POWER_RAILS] = { { .have = 0 } };
	bool had[POWER_WHATS] = { false };
	struct stamp now;

	clock_now(x->s->info.clock, &now);
	if (!p->ops->read(p, now.awake_ns, got, NULL))
		return;
	for (unsigned i = 0; i < p->nrails; i++) {
		unsigned what = p->rail[i].what;
		struct seen *s = &seen[what];

		if (!had[what] && got[i].have && got[i].at_ns == 0)
			s->untimed = true;
		if (!had[what] && got[i].have && got[i].at_ns > 0 &&
		    s->n <= TIMES &&
		    (s->n == 0 || got[i].at_ns > s->at_ns[s->n - 1]))
			s->at_ns[s->n++] = got[i].at_ns;
		had[what] = true;
	}
}

static bool
rails_all_seen(const struct power_source *p, const struct seen *seen)
{
	for (unsigned i = 0; i < p->nrails; i++) {
		const struct seen *s = &seen[p->rail[i].what];

		if (s->n <= TIMES && !s->untimed)
			return false;
	}
	return true;
}

static void
rails_report(struct examine *x, const struct power_source *p, unsigned what,
	     const struct seen *s)
{
	char text[TEXT_SIZE];
	struct buf b = buf_over(text, sizeof text);
	unsigned same = 0;

	for (unsigned i = 0; i < p->nrails; i++) {
		const struct power_rail *r = &p->rail[i];

		if (r->what != what)
			continue;
		if (i > 0 && strcmp(r->name, p->rail[i - 1].name) == 0) {
			same++;
			continue;
		}
		buf_printf(&b, "%s%s", b.len > 0 ? ", " : "", r->name);
	}
	if (b.len == 0)
		return;
	if (same > 0)
		buf_printf(&b, " and %u more of that name", same);
	buf_str(&b, "; ");
	if (s->untimed)
		buf_str(&b, "without times");
	else if (s->n < 2)
		buf_str(&b, s->n == 0 ? "no reading" : "not published again");
	for (unsigned i = 1; i < s->n; i++)
		buf_printf(&b, "%s%.3f", i == 1 ? "published after " : ", ",
			   (double)(s->at_ns[i] - s->at_ns[i - 1]) * 1e-9);
	report_line(x->out, what_name[what], "%s%s", buf_cstr(&b),
		    s->n > 1 && !s->untimed ? " s" : "");
}

void
doctor_power(struct examine *x)
{
	struct seen seen[POWER_WHATS] = { { .n = 0 } };
	struct err e = { ERR_NONE, "" };
	struct power_source *p = x->s->ops->power(x->s, &e);

	if (p == NULL) {
		report_line(x->out, "measured", "nothing: %s", e.text);
		return;
	}
	for (unsigned i = 0; i < LOOKS && p->nrails > 0 &&
			     !rails_all_seen(p, seen) && !x->leave_off(x);
	     i++) {
		if (i > 0)
			clock_pause(x->s->info.clock, LOOK_NS);
		rails_read_times(x, p, seen);
	}
	for (unsigned what = 0; what < POWER_WHATS; what++)
		rails_report(x, p, what, &seen[what]);
	if (p->ops->describe != NULL)
		p->ops->describe(p, x->out);
	if (p->no_energy[0] != '\0')
		report_line(x->out, "no energy", "%s", p->no_energy);
	if (p->no_traffic[0] != '\0')
		report_line(x->out, "no memory traffic", "%s", p->no_traffic);
	if (p->no_clock[0] != '\0')
		report_line(x->out, "no clocks", "%s", p->no_clock);
	p->ops->close(p);
}

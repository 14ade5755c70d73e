#include "source/perf/state.h"

#include <errno.h>
#include <string.h>

enum { INTERRUPTED_MAX = 100 };

struct group_values {
	uint64_t nr, enabled, running;
	struct {
		uint64_t value, id;
	} event[GROUP_MAX];
};

static int
event_open_once(const struct group_port *port, const struct perf_code *code,
		const struct group_target *target, int leader,
		struct perf_event_attr *attr)
{
	const struct perf_ops *ops = port->ops;

	memset(attr, 0, sizeof *attr);
	attr->size = port->attr_size != 0 ? port->attr_size : sizeof *attr;
	attr->type = code->type;
	attr->config = code->config;
	attr->config1 = code->config1;
	attr->config2 = code->config2;
	/* On Linux 6.12 a group counts nothing if an enabled clock leads it. */
	attr->disabled = leader < 0;
	/* Apple's driver requires exclude_guest, and counting guests may stop
	 * virtual machines from starting. */
	attr->exclude_guest = !target->excludes_nothing;
	attr->exclude_kernel = target->user_only;
	attr->exclude_user = target->kernel_only;
	attr->read_format =
		PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	if (!target->tree)
		attr->read_format |= PERF_FORMAT_GROUP | PERF_FORMAT_ID;
	if (target->cpu >= 0)
		return ops->open(ops->self, attr, target->cpu, leader);
	attr->exclude_hv = target->tree && target->user_only;
	attr->enable_on_exec = leader < 0 && target->at_exec;
	attr->inherit = target->tree;
#ifdef PERF_ATTR_SIZE_VER7
	/* Follows threads only: child processes have their own rows. */
	if (target->follow && !port->no_threads)
		attr->inherit = attr->inherit_thread = 1;
#endif
	return ops->open_task(ops->self, attr, target->tid, leader);
}

int
group_open_event(struct group_port *port, const struct perf_code *code,
		 const struct group_target *target, int leader)
{
	struct perf_event_attr attr;
	int fd = event_open_once(port, code, target, leader, &attr);

	/* An older kernel sets attr.size to the size that it accepts. */
	if (fd < 0 && errno == E2BIG && attr.size < sizeof attr &&
	    attr.size >= PERF_ATTR_SIZE_VER0) {
		port->attr_size = attr.size;
		fd = event_open_once(port, code, target, leader, &attr);
	}
	if (fd < 0 && errno == EINVAL && attr.inherit && !target->tree) {
		port->no_threads = true;
		fd = event_open_once(port, code, target, leader, &attr);
		port->no_threads = fd >= 0;
	}
	return fd;
}

struct opening {
	struct group *g;
	struct group_port *port;
	const struct group_plan *plan;
	struct group_target target;
};

static int
group_open_member(const struct opening *o, unsigned i, int leader)
{
	struct group_target target = o->target;

	target.user_only =
		target.user_only || o->plan->member[i].exclude_kernel;
	target.kernel_only = o->plan->member[i].exclude_user;
	target.excludes_nothing = o->plan->excludes_nothing;
	return group_open_event(o->port, &o->plan->member[i].code, &target,
				leader);
}

/* Does the error concern this event only? Any other error ends the open. */
static bool
is_event_refusal(int code)
{
	return code == ENOENT || code == EINVAL || code == EOPNOTSUPP ||
	       code == ENXIO || code == E2BIG;
}

static void
group_close_members(struct group *g, const struct group_port *port)
{
	/* Siblings first: closing the leader first splits the group. */
	for (unsigned i = g->len; i-- > 0;)
		port->ops->close(port->ops->self, g->fd[i]);
	g->len = 0;
	g->has = 0;
	g->open = false;
}

void
group_rights(const struct group_port *port, bool on)
{
	if (port->rights != 0 && port->ops->rights != NULL)
		port->ops->rights(port->ops->self, port->rights, on);
}

/* If a member of a sum is refused, closes the other one. */
static void
group_drop_half_sums(struct group *g, const struct group_port *port)
{
	for (unsigned i = g->len; i-- > 1;) {
		if (g->refused[g->what[i]] == 0)
			continue;
		port->ops->close(port->ops->self, g->fd[i]);
		g->len--;
		memmove(g->fd + i, g->fd + i + 1,
			(g->len - i) * sizeof g->fd[0]);
		memmove(g->what + i, g->what + i + 1, g->len - i);
		memmove(g->part + i, g->part + i + 1, g->len - i);
	}
}

static bool
member_is_hardware(const struct group_plan *plan, unsigned i)
{
	return plan->member[i].code.type != PERF_TYPE_SOFTWARE;
}

static unsigned
member_part(const struct group_plan *plan, unsigned i)
{
	unsigned what = plan->member[i].what;

	if (!member_is_hardware(plan, i))
		return GROUP_SOFTWARE;
	return plan->apart && what >= GROUP_SLOT && !plan->member[i].together
		       ? GROUP_APART + what
		       : GROUP_HARDWARE;
}

static int
part_leader(const struct group *g, unsigned part)
{
	for (unsigned i = 0; i < g->len; i++)
		if (g->part[i] == part)
			return g->fd[i];
	return -1;
}

static bool
member_leads(const struct group *g, unsigned i)
{
	return part_leader(g, g->part[i]) == g->fd[i];
}

static int
group_add_member(const struct opening *o, unsigned i)
{
	struct group *g = o->g;
	unsigned part = member_part(o->plan, i);
	int fd = group_open_member(o, i, part_leader(g, part));

	if (fd < 0)
		return -1;
	g->fd[g->len] = fd;
	g->part[g->len] = (unsigned char)part;
	g->what[g->len++] = (unsigned char)o->plan->member[i].what;
	return fd;
}

static int
group_open_members(const struct opening *o, const unsigned char *order)
{
	struct group *g = o->g;
	int code = 0;

	g->len = 0;
	memset(g->refused, 0, sizeof g->refused);
	for (unsigned n = 0; n < o->plan->len; n++) {
		unsigned what = o->plan->member[order[n]].what;

		if (g->refused[what] != 0 || group_add_member(o, order[n]) >= 0)
			continue;
		code = errno;
		g->refused[what] = code;
		/* If cycles are refused, the PMU does not count. */
		if (what == FIXED_CYCLES || !is_event_refusal(code)) {
			group_close_members(g, o->port);
			return code;
		}
		group_drop_half_sums(g, o->port);
	}
	g->has = 0;
	for (unsigned i = 0; i < g->len; i++)
		g->has |= 1u << g->what[i];
	return g->len > 0 ? 0 : code;
}

static bool
group_misplaces_counters(const struct group *g, const struct group_plan *plan)
{
	for (unsigned i = 0; i < plan->len; i++)
		for (unsigned k = 0; k < plan->len; k++)
			if (g->refused[plan->member[i].what] == EINVAL &&
			    g->refused[plan->member[k].what] == 0 &&
			    member_is_hardware(plan, k) &&
			    plan->member[k].rank > plan->member[i].rank)
				return true;
	return false;
}

/* member[0] stays first: it may be a leader that other events need. */
static void
plan_order_by_rank(const struct group_plan *plan,
		   unsigned char order[GROUP_MAX])
{
	for (unsigned i = 2; i < plan->len; i++) {
		unsigned char member = order[i];
		unsigned at = i;

		for (; at > 1 && plan->member[order[at - 1]].rank >
					 plan->member[member].rank;
		     at--)
			order[at] = order[at - 1];
		order[at] = member;
	}
}

static bool
refused_fewer_important(const int *now, const int *before,
			const struct group_plan *plan,
			const unsigned char *order)
{
	for (unsigned n = 0; n < plan->len; n++) {
		unsigned what = plan->member[order[n]].what;

		if ((now[what] == 0) != (before[what] == 0))
			return now[what] == 0;
	}
	return false;
}

/* The plan's order places the most events, but may drop an important one. */
static int
group_open_best_order(const struct opening *o)
{
	const struct group_plan *plan = o->plan;
	unsigned char planned[GROUP_MAX], ranked[GROUP_MAX];
	int before[GROUP_WHATS], code;

	for (unsigned i = 0; i < plan->len; i++)
		planned[i] = ranked[i] = (unsigned char)i;
	code = group_open_members(o, planned);
	if (code != 0 || !group_misplaces_counters(o->g, plan))
		return code;
	plan_order_by_rank(plan, ranked);
	memcpy(before, o->g->refused, sizeof before);
	group_close_members(o->g, o->port);
	code = group_open_members(o, ranked);
	if (code != 0 ||
	    refused_fewer_important(o->g->refused, before, plan, ranked))
		return code;
	group_close_members(o->g, o->port);
	return group_open_members(o, planned);
}

static int
group_open_software(const struct opening *o, int why)
{
	const struct group_plan *plan = o->plan;
	struct group_plan own = { .len = 0 };
	const struct opening again = { o->g, o->port, &own, o->target };
	int code;

	for (unsigned i = 0; i < plan->len; i++)
		if (!member_is_hardware(plan, i))
			own.member[own.len++] = plan->member[i];
	if (own.len == 0 || own.len == plan->len)
		return why;
	code = group_open_best_order(&again);
	for (unsigned i = 0; code == 0 && i < plan->len; i++)
		if (member_is_hardware(plan, i))
			o->g->refused[plan->member[i].what] = why;
	return code;
}

static int
group_open_enabled(const struct opening *o)
{
	const struct perf_ops *ops = o->port->ops;
	struct group *g = o->g;
	int code = group_open_best_order(o);

	if (errno_means_no_pmu(code) && o->target.cpu >= 0)
		code = group_open_software(o, code);
	if (code != 0 || g->len == 0)
		return code;
	for (unsigned i = 0; i < g->len; i++) {
		if (!member_leads(g, i) ||
		    ops->ioctl(ops->self, g->fd[i], PERF_EVENT_IOC_ENABLE) == 0)
			continue;
		code = errno;
		group_close_members(g, o->port);
		return code;
	}
	g->open = g->fresh = true;
	g->sleeps = o->target.cpu < 0;
	return 0;
}

int
group_open_thread(struct group *g, struct group_port *port,
		  const struct group_plan *plan,
		  const struct group_target *target)
{
	const struct opening o = { g, port, plan, *target };
	int code;

	group_rights(port, true);
	code = group_open_enabled(&o);
	group_rights(port, false);
	return code;
}

int
group_open(struct group *g, struct group_port *port,
	   const struct group_plan *plan, int cpu)
{
	return group_open_thread(g, port, plan,
				 &(struct group_target){ .cpu = cpu });
}

bool
group_without_pmu(const struct group *g)
{
	return g->open && g->refused[FIXED_CYCLES] != 0;
}

void
group_close(struct group *g, const struct group_port *port)
{
	if (!g->open)
		return;
	group_close_members(g, port);
	for (unsigned i = 0; i < GROUP_WHATS; i++) {
		g->base[i].count += g->last[i].count;
		g->base[i].enabled += g->last[i].enabled;
		g->base[i].running += g->last[i].running;
		g->last[i] = (struct group_count){ 0, 0, 0 };
	}
}

void
group_forget_slots(struct group *g)
{
	for (unsigned i = GROUP_SLOT; i < GROUP_WHATS; i++)
		g->base[i] = g->last[i] = (struct group_count){ 0, 0, 0 };
}

static ssize_t
group_read_part(const struct group_port *port, int leader,
		struct group_values *v)
{
	ssize_t n = -1;

	for (int i = 0; i < INTERRUPTED_MAX; i++) {
		n = port->ops->read(port->ops->self, leader, v, sizeof *v);
		if (n >= 0 || errno != EINTR)
			break;
	}
	return n;
}

static unsigned
group_part_len(const struct group *g, unsigned part)
{
	unsigned n = 0;

	for (unsigned i = 0; i < g->len; i++)
		n += g->part[i] == part;
	return n;
}

bool
group_runs(const struct group *g, const struct group_port *port)
{
	struct group_values v = { .nr = 0 };
	int leader = part_leader(g, GROUP_HARDWARE);
	ssize_t n;

	if (!g->open || leader < 0)
		return true;
	n = group_read_part(port, leader, &v);
	/* If the read fails, later readings show whether the group runs. */
	return n < (ssize_t)(3 * sizeof(uint64_t)) || v.enabled == 0 ||
	       v.running > v.enabled / 2;
}

unsigned
group_read_cost(const struct group *g)
{
	unsigned n = 0;

	for (unsigned i = 0; i < g->len; i++)
		n += member_leads(g, i);
	return n;
}

static struct group_count
part_last_count(const struct group *g, unsigned part)
{
	for (unsigned i = 0; i < g->len; i++)
		if (g->part[i] == part)
			return g->last[g->what[i]];
	return (struct group_count){ 0, 0, 0 };
}

static void
group_take_values(struct group *g, unsigned part, const struct group_values *v)
{
	const struct group_count last = part_last_count(g, part);
	unsigned from = 0;
	uint32_t begun = 0;

	for (unsigned i = 0; i < g->len; i++) {
		unsigned what = g->what[i];
		uint64_t count;

		if (g->part[i] != part)
			continue;
		count = v->event[from++].value;
		if ((begun >> what & 1) != 0)
			count += g->last[what].count;
		begun |= 1u << what;
		g->last[what] =
			(struct group_count){ count, v->enabled, v->running };
	}
	if (part == GROUP_HARDWARE || part_leader(g, GROUP_HARDWARE) < 0) {
		g->enabled = v->enabled - last.enabled;
		g->running = v->running - last.running;
	}
}

enum group_state
group_read(struct group *g, const struct group_port *port)
{
	struct group_values v;
	uint32_t led = 0;
	ssize_t n;

	for (unsigned i = 0; i < g->len; i++) {
		unsigned part = g->part[i], len;

		if ((led >> part & 1) != 0)
			continue;
		led |= 1u << part;
		len = group_part_len(g, part);
		n = group_read_part(port, g->fd[i], &v);
		if (n <= 0)
			return n < 0 && errno == ENODEV ? GROUP_DEAD
							: GROUP_SILENT;
		/* If a CPU goes offline, its groups are split: they have fewer
		 * members, or their time stops. On Linux 6.1 the length of the
		 * read does not show this. */
		if (n < (ssize_t)(3 * sizeof(uint64_t)) || v.nr != len ||
		    n < (ssize_t)((3 + 2 * len) * sizeof(uint64_t)) ||
		    (v.enabled == part_last_count(g, part).enabled &&
		     !g->fresh && !g->sleeps))
			return GROUP_DEAD;
		group_take_values(g, part, &v);
	}
	g->fresh = false;
	return GROUP_READ;
}

bool
group_total(const struct group *g, unsigned what, struct reading *out)
{
	const struct group_count *base = &g->base[what], *last = &g->last[what];

	if ((g->has >> what & 1) == 0)
		return false;
	*out = (struct reading){
		.count = base->count + last->count,
		.enabled_ns = base->enabled + last->enabled,
		.running_ns = base->running + last->running,
		.supported = true,
	};
	return true;
}

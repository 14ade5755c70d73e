#include "source/group_linux.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* What a read of the leader gives, with the read_format below. */
struct group_values {
	uint64_t nr, enabled, running;
	struct {
		uint64_t value, id;
	} event[FIXED_COUNT];
};

static const uint64_t config[FIXED_COUNT] = {
	[FIXED_CYCLES] = PERF_COUNT_HW_CPU_CYCLES,
	[FIXED_INSTRUCTIONS] = PERF_COUNT_HW_INSTRUCTIONS,
};

/*
 * The generic type without a PMU in its upper half: for an event bound to a
 * CPU the kernel itself finds that CPU's PMU, on hybrids as well.
 */
static int
event_open(unsigned which, int cpu, int leader)
{
	struct perf_event_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.size = sizeof(attr);
	attr.type = PERF_TYPE_HARDWARE;
	attr.config = config[which];
	attr.disabled = leader < 0;
	/*
	 * Apple's driver takes nothing else, and a counter that includes
	 * guests can keep virtual machines from starting.
	 */
	attr.exclude_guest = 1;
	attr.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID |
			   PERF_FORMAT_TOTAL_TIME_ENABLED |
			   PERF_FORMAT_TOTAL_TIME_RUNNING;
	return (int)syscall(SYS_perf_event_open, &attr, -1, cpu, leader,
			    PERF_FLAG_FD_CLOEXEC);
}

int
group_open(struct group *g, int cpu)
{
	int code;

	g->leader = event_open(FIXED_CYCLES, cpu, -1);
	if (g->leader < 0)
		return errno;
	g->sibling = event_open(FIXED_INSTRUCTIONS, cpu, g->leader);
	g->has_instructions = g->sibling >= 0;
	if (g->sibling < 0 && errno != ENOENT && errno != EINVAL) {
		code = errno;
		close(g->leader);
		return code;
	}
	if (ioctl(g->leader, PERF_EVENT_IOC_ENABLE, 0) != 0) {
		code = errno;
		g->open = true;
		group_close(g);
		return code;
	}
	g->open = true;
	return 0;
}

void
group_close(struct group *g)
{
	if (!g->open)
		return;
	if (g->has_instructions)
		close(g->sibling);
	close(g->leader);
	g->open = false;
	for (unsigned f = 0; f < FIXED_COUNT; f++) {
		g->base[f] += g->last[f];
		g->last[f] = 0;
	}
	g->base_enabled += g->last_enabled;
	g->base_running += g->last_running;
	g->last_enabled = g->last_running = 0;
}

bool
group_read(struct group *g, struct reading *fixed)
{
	unsigned want = g->has_instructions ? 2 : 1;
	struct group_values v;
	ssize_t n;

	do
		n = read(g->leader, &v, sizeof(v));
	while (n < 0 && errno == EINTR);
	/*
	 * A group whose CPU went off line is torn apart: fewer members, or
	 * its time stands still. The length of a read says nothing (6.1).
	 */
	if (n < (ssize_t)(3 * sizeof(uint64_t)) || v.nr != want ||
	    v.enabled == g->last_enabled)
		return false;
	g->last_enabled = v.enabled;
	g->last_running = v.running;
	for (unsigned f = 0; f < want; f++) {
		g->last[f] = v.event[f].value;
		fixed[f] = (struct reading){
			.count = g->base[f] + v.event[f].value,
			.enabled_ns = g->base_enabled + v.enabled,
			.running_ns = g->base_running + v.running,
			.supported = true,
		};
	}
	return true;
}

#include "ui/draw/choices.h"

const char *const layout_view_name[VIEW_COUNT] = {
	[VIEW_OVERVIEW] = "overview", [VIEW_PROCESSES] = "processes",
	[VIEW_CORES] = "cores",       [VIEW_CHART] = "history",
	[VIEW_POWER] = "power",       [VIEW_BOTTLENECKS] = "bottlenecks",
	[VIEW_EVENTS] = "events",     [VIEW_DETAIL] = "detail",
};

const char *const view_group_name[VIEW_GROUPS] = {
	[GROUP_NONE] = "none",
	[GROUP_CLUSTER] = "cluster",
	[GROUP_KIND] = "kind",
	[GROUP_DIE] = "die",
};

/* Energy, memory traffic and throttling of Linux machines. */
#ifndef SOURCE_PERF_POWER_H
#define SOURCE_PERF_POWER_H

#include "power/power.h"
#include "source/perf/state.h"

enum { POWER_ZONES = 32, POWER_PATH = 320, POWER_FILES = 1024 };

struct power_box {
	struct group group;
	struct group_plan plan;
	int cpu;
	unsigned rail;
	double scale; /* J or bytes per count */
	bool begun;
	struct reading last;
};

struct power_zone {
	char path[64];
	unsigned rail;
	double most; /* uJ at which the counter wraps; 0: unknown */
};

/* A file that contains a count; name: hash of its path. */
struct power_file {
	uint64_t name;
	double last;
	unsigned rail;
	bool seen;
};

struct power_linux {
	struct power_source source; /* must be first */
	char *root;
	struct topology *topology;
	struct group_port port;
	unsigned nboxes, nzones, nfiles;
	struct power_box *box;
	struct power_zone zone[POWER_ZONES];
	int resctrl; /* rail of resctrl's traffic; -1: none */
	bool listed;
	struct power_file file[POWER_FILES];
	bool unreadable, read_any, missed;
	char folder[POWER_PATH];
	const struct traffic *traffic;
	bool complete;
	int throttle; /* first rail of clusters; -1: none */
	double total[POWER_RAILS];
	unsigned broken; /* how often a part of a total was lost */
};

/* Finds or adds a package's rail (-1: unknown package). Returns -1 if full. */
int power_linux_rail(struct power_linux *p, enum power_what what, int package,
		     const char *name);

/* Call if a part of the total was lost: the next reading is a new base. */
void power_linux_begin_again(struct power_linux *p, unsigned rail);

void power_linux_list(const struct power_linux *p, const char *folder,
		      void (*take)(struct power_linux *p, const char *name));

/* *unreadable: zones exist, but this user may not read them. */
bool powercap_open(struct power_linux *p, bool *unreadable);
bool resctrl_open(struct power_linux *p);
void throttle_open(struct power_linux *p);
/* Clears `have` of rails that cannot be read. */
void power_files_read(struct power_linux *p, int64_t now_ns,
		      struct power_reading out[POWER_RAILS]);

#endif

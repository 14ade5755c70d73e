/* Energy, memory traffic and throttling of a Linux machine: what its files
 * share. */
#ifndef SOURCE_PERF_POWER_H
#define SOURCE_PERF_POWER_H

#include "power/power.h"
#include "source/perf/state.h"

enum { POWER_ZONES = 32, POWER_PATH = 320, POWER_FILES = 1024 };

/* A counter of a PMU outside of the cores. */
struct power_box {
	struct group group;
	struct group_plan plan;
	int cpu;
	unsigned rail;
	double scale; /* J or bytes of a count */
	bool begun;
	struct reading last;
};

/* An area of powercap. */
struct power_zone {
	char path[64]; /* "/sys/class/powercap/intel-rapl:0/energy_uj" */
	unsigned rail;
	bool begun;
	double last, most; /* uJ; the most that it counts to */
};

/* A file of resctrl, by a hash of its name. */
struct power_file {
	uint64_t name;
	double last;
	bool seen;
};

struct power_linux {
	struct power_source source; /* first */
	char *root;
	struct topology *topology;
	struct group_port port;
	unsigned nboxes, nzones, nfiles;
	struct power_box *box; /* [nboxes] */
	struct power_zone zone[POWER_ZONES];
	int resctrl; /* its rail; -1: none */
	bool listed; /* its files have been read once */
	struct power_file file[POWER_FILES];
	bool unreadable, read_any, missed;
	char folder[POWER_PATH]; /* the one that is listed */
	void *names;
	int throttle; /* the rail of the first cluster; -1: none */
	double total[POWER_RAILS];
	unsigned broken; /* times that a total had to begin again */
};

/* ---- power_rail.c ---- */

/* The rail of that thing of that package (-1: not said), new if need be; -1:
 * there is no room. */
int power_linux_rail(struct power_linux *p, enum power_what what, int package,
		     const char *name);

/* The next reading of the rail is a new base: something of it was lost. */
void power_linux_begin_again(struct power_linux *p, unsigned rail);

/* Each name in a folder. */
void power_linux_list(const struct power_linux *p, const char *folder,
		      void (*take)(struct power_linux *p, const char *name));

/* ---- power_files.c: powercap, resctrl and the counts of throttling ---- */

/* False, and *unreadable: there are zones, but not for this user. */
bool powercap_open(struct power_linux *p, bool *unreadable);
bool resctrl_open(struct power_linux *p);
void throttle_open(struct power_linux *p);
/* After them; rails that cannot be read now lose their `have`. */
void power_files_read(struct power_linux *p, int64_t now_ns,
		      struct power_reading out[POWER_RAILS]);

#endif

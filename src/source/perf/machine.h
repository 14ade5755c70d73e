/* A Linux machine: its files, CPUs, PMUs and events. */
#ifndef SOURCE_PERF_MACHINE_H
#define SOURCE_PERF_MACHINE_H

#include "base/err.h"
#include "model/event.h"
#include "model/topology.h"
#include "pmu/perf/table.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- cores.c: small files; properties of CPUs from sysfs ---- */

enum { CPU_LIST_MAX = 8192 }; /* one more than kernel_max of Debian's kernels */

struct cpu_list {
	unsigned len;
	bool in[CPU_LIST_MAX];
};

bool cpu_list_parse(const char *text, struct cpu_list *out);

/* Returns a descriptor, or -1 if the file is missing or not regular. */
int sysfs_open(const char *root, const char *path);

bool sysfs_exists(const char *root, const char *path);

/* Reads a file without its last newline, cut at size. False and "": failed or
 * empty. */
bool sysfs_text(const char *root, const char *path, char *out, size_t size);

/* Reads a decimal number, also a negative one, or a hexadecimal one with 0x. */
bool sysfs_number(const char *root, const char *path, int64_t *out);

bool sysfs_list(const char *root, const char *path, struct cpu_list *out);

enum { CORE_PMUS_MAX = 16, CORE_PMU_NAME_SIZE = 32 };

/* The value of the first line "key: value" in /proc/cpuinfo's text, or NULL. */
const char *cpuinfo_value(const char *text, const char *key);

/* AMD: CPUID 0x80000026 EBX[31:28], plus one. CORE_TYPE_ALIKE: unknown. */
enum core_type {
	CORE_TYPE_ALIKE,
	CORE_TYPE_CLASSIC,
	CORE_TYPE_DENSE, /* Zen 4c, Zen 5c */
	CORE_TYPE_LOW_POWER
};

/* Measures of a core's speed, the best one first. <= 0: unknown. */
enum core_speed {
	CORE_CAPACITY, /* 1024: the fastest core */
	CORE_HIGHEST_PERF,
	CORE_MAX_FREQ, /* kHz */
	CORE_SPEEDS
};

struct core {
	int id;
	int pmu;       /* index in cores.pmu, -1: no PMU */
	uint32_t part; /* ARM: implementer and part from MIDR; else 0 */
	int first;     /* first online CPU of its physical core */
	int cluster_id, package, die; /* -1: none */
	int l3; /* first CPU that shares its L3, -1: none */
	int type;
	int64_t speed[CORE_SPEEDS];
};

struct cores {
	unsigned len, npmus;
	struct core *core; /* sorted by id */
	char pmu[CORE_PMUS_MAX][CORE_PMU_NAME_SIZE];
	bool amd;
};

/* False and *e: sysfs does not list the online CPUs. */
bool cores_check_online(const char *root, struct err *e);
bool cores_read(const char *root, struct cores *out, struct err *e);
void cores_free(struct cores *c);

/* Does the PMU's list contain the CPU? The CPU may be offline. */
bool pmu_has_cpu(const char *root, const char *pmu, int id);

/* ---- topology.c: kinds of cores, and clusters ---- */

/* The topology of the online CPUs. A kind is a type of core with its PMU. A
 * cluster is a cluster of the kernel, or the CPUs of an L3 or a package, split
 * by kind. root: a folder that contains sys/ and proc/; NULL: /. */
struct topology *topology_linux(const char *root, struct err *e);

/* ---- hotplug.c: offline CPUs, and CPUs that come and go ---- */

/* As topology_linux, plus the offline CPUs of the file `present` (`off` is
 * set). A CPU whose kind or cluster sysfs does not show is in kind "Unknown" or
 * cluster "off", which come last. */
struct topology *topology_linux_present(const char *root, struct err *e);

enum {
	HOTPLUG_FILES_MAX = 9,
	HOTPLUG_TEXT_SIZE = CPU_LIST_MAX * 6,
	HOTPLUG_ONLINE = 1 << 0,
	HOTPLUG_PRESENT = 1 << 1,
	HOTPLUG_NOT_ASKED = 1 << 30
};

struct hotplug_watch {
	unsigned len; /* file[]: `online`, `present`, then each PMU's `cpus` */
	struct {
		int fd; /* -1: no such file */
		uint64_t seen;
	} file[HOTPLUG_FILES_MAX];
	char text[HOTPLUG_TEXT_SIZE];
	int64_t asked_ns;
	struct cpu_list online; /* empty: unknown, all CPUs count as online */
};

void hotplug_open(struct hotplug_watch *p, const char *root,
		  const struct topology *t);
void hotplug_close(struct hotplug_watch *p);

bool hotplug_lists_online(const struct hotplug_watch *p);

/* Checks every 250 ms at most. Bit 0: `online` changed since the last check;
 * bit i: file i changed since hotplug_open. */
uint32_t hotplug_changed(struct hotplug_watch *p, int64_t now_ns);

bool hotplug_cpu_online(const struct hotplug_watch *p, int id);

/* ---- pmu.c: a core PMU below /sys/bus/event_source/devices ---- */

enum { PMU_NAME_SIZE = 32, PMU_TEXT_SIZE = 256 };

struct perf_code {
	uint32_t type;
	uint64_t config, config1, config2;
};

struct pmu_linux {
	const char *root; /* borrowed; NULL: / */
	char name[PMU_NAME_SIZE];
	char kernel_name[PMU_NAME_SIZE];
	uint32_t type;  /* may differ after a reboot */
	unsigned slots; /* caps/slots; 0: unknown */
};

bool pmu_linux_open(struct pmu_linux *p, const char *root, const char *name);

/* Encodes "event=0xd1,umask=0x08" by the files of the PMU's format/. */
bool pmu_linux_terms(const struct pmu_linux *p, const char *terms,
		     struct perf_code *out, struct err *e);

/* Encodes an alias. text: NULL, or PMU_TEXT_SIZE bytes for its terms. */
bool pmu_linux_alias(const struct pmu_linux *p, const char *alias, char *text,
		     struct perf_code *out, struct err *e);

/* ---- catalog.c: the events of all core PMUs of a machine ---- */

struct perf_event_code {
	bool known;
	enum linux_count how;
	unsigned factor;  /* multiplies the count; 0: none */
	bool leader, led; /* led: its group needs a leader */
	bool no_user, no_kernel;
	struct perf_code code;
	bool summed;
	struct perf_code more;
};

struct perf_kind {
	bool counts;
	struct pmu_linux pmu;
	const struct linux_pmu *family;
	struct perf_code cycles, instructions;
};

/* A set that is placed on catalog.config_counters fits every kind. The mask has
 * as many counters as the kind with the fewest; an event may use the counters
 * that all its kinds allow; an event without a counter has its own bit (from
 * 16). */
struct perf_catalog {
	struct catalog catalog;
	unsigned nkinds;
	struct perf_kind *kind;
	struct event *event;
	struct perf_event_code *code; /* [len * nkinds] */
	const char *no_topdown;
	char **text;
	unsigned ntexts;
};

struct perf_catalog_options {
	const char *root;
	bool user_only; /* cycles and instructions are configurable, too */
	const char *events;
};

/* False and *e: an event of o->events is invalid or unknown, or out of memory;
 * *c must be freed, too. */
bool perf_catalog_build(struct perf_catalog *c, const struct topology *t,
			const struct perf_catalog_options *o, struct err *e);
void perf_catalog_free(struct perf_catalog *c);

const struct perf_event_code *perf_catalog_code(const struct perf_catalog *c,
						const struct event *e,
						unsigned kind);

void catalog_find_kinds(struct perf_catalog *c, const struct topology *t,
			const char *root);

/* Encodes an event of a table: "event=0xd1,umask=0x08" or "@alias". */
bool kind_resolve_event(const struct perf_kind *k, const char *native,
			struct perf_code *out);

/* ---- catalog_rows.c: rows of the catalog being built ---- */

struct candidate {
	const char *name, *alias, *text;
	const char *pmu, *native; /* shown as "pmu/native/", or "native" */
	bool general;
	uint32_t counters; /* allowed general counters; 0: any */
	struct perf_event_code code;
};

struct build_row {
	struct event event;
	bool general;
	struct perf_event_code *code;
};

enum { BUILD_ROWS_MAX = 160, NATIVE_SIZE = 400 };

struct build {
	struct perf_catalog *out;
	const struct topology *topology;
	const struct perf_catalog_options *o;
	uint32_t counters;
	uint32_t spare; /* counter of the NMI watchdog; only for slots events */
	unsigned nrows;
	struct build_row row[BUILD_ROWS_MAX];
};

bool event_is_slots(const char *name);

const char *catalog_keep_text(struct build *b, const char *text);

/* Adds the candidate to its row. NULL: out of memory or too many rows. */
struct build_row *catalog_add_candidate(struct build *b, unsigned kind,
					const struct candidate *c);

/* Adds the events of --events. False and *e: an event is invalid or unknown. */
bool catalog_add_words(struct build *b, struct err *e);

#endif

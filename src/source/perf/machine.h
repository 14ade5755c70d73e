/* What a Linux machine is: its files, CPUs, PMUs and events. */
#ifndef SOURCE_PERF_MACHINE_H
#define SOURCE_PERF_MACHINE_H

#include "base/err.h"
#include "model/event.h"
#include "model/topology.h"
#include "pmu/perf/table.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- cores.c: small files, and what they say of each CPU ---- */

enum { CPU_LIST_MAX = 8192 }; /* kernel_max of Debian, plus one */

/* in[cpu] for each CPU of a list like "0-3,8". */
struct cpu_list {
	unsigned len; /* CPUs in it */
	bool in[CPU_LIST_MAX];
};

/* From such a text; false when it is malformed, with what came before that. */
bool cpu_list_parse(const char *text, struct cpu_list *out);

/*
 * A descriptor to read root + path, or -1. Regular files only: a copy of a
 * machine may hold anything, and a pipe would be waited for.
 */
int sysfs_open(const char *root, const char *path);

/* Is there a regular file root + path? */
bool sysfs_exists(const char *root, const char *path);

/*
 * The file root + path as text without its final newline, cut at size; false
 * and "" when it cannot be read. root NULL or "": the system itself.
 */
bool sysfs_text(const char *root, const char *path, char *out, size_t size);

/* A decimal number, maybe negative, or hexadecimal with 0x. */
bool sysfs_number(const char *root, const char *path, int64_t *out);

/* A CPU list; false when the file is missing or malformed. */
bool sysfs_list(const char *root, const char *path, struct cpu_list *out);

enum { CORE_PMUS_MAX = 16, CORE_PMU_NAME_SIZE = 32 };

/* The value of the first line "key: value" of /proc/cpuinfo, or NULL. */
const char *cpuinfo_value(const char *text, const char *key);

/* CPUID 0x80000026 EBX[31:28] of AMD's, plus one. */
enum core_type {
	CORE_TYPE_ALIKE,
	CORE_TYPE_CLASSIC,
	CORE_TYPE_DENSE, /* Zen 4c, Zen 5c */
	CORE_TYPE_LOW_POWER
};

/* Measures of how fast a core is, best first; 0: not known. */
enum core_speed {
	CORE_CAPACITY,     /* cpu_capacity, of 1024 */
	CORE_HIGHEST_PERF, /* acpi_cppc/highest_perf */
	CORE_MAX_FREQ,     /* cpufreq/cpuinfo_max_freq, kHz */
	CORE_SPEEDS
};

struct core {
	int id;
	int pmu;       /* index in cores.pmu, -1: none counts it */
	uint32_t part; /* ARM: implementer and part of MIDR; 0 elsewhere */
	int first;     /* first CPU on line of its physical core */
	int cluster_id, package, die; /* -1: none */
	int l3;   /* first CPU that shares its L3, -1: none */
	int type; /* AMD: enum core_type; CORE_TYPE_ALIKE elsewhere */
	int64_t speed[CORE_SPEEDS];
};

struct cores {
	unsigned len, npmus;
	struct core *core; /* [len], by id */
	char pmu[CORE_PMUS_MAX][CORE_PMU_NAME_SIZE];
	bool amd;
};

/* False and *e when the system does not say which CPUs are on line. */
bool cores_check_online(const char *root, struct err *e);
bool cores_read(const char *root, struct cores *out, struct err *e);
void cores_free(struct cores *c);

/* Does that core PMU count CPU id, on line or not? */
bool pmu_has_cpu(const char *root, const char *pmu, int id);

/* ---- topology.c: kinds of cores, and clusters ---- */

/*
 * CPUs on line now. A kind is a core PMU with one sort of core; clusters are
 * the kernel's, or the CPUs that share an L3, or packages, split by kind.
 * root: NULL, or a folder with sys/ and proc/ in it.
 */
struct topology *topology_linux(const char *root, struct err *e);

/* ---- hotplug.c: CPUs that are off line, and that come and go ---- */

/*
 * As topology_linux, which knows the CPUs on line, with those besides them that
 * are `present` only (their `off` is set). sysfs says nothing of these but, on
 * some machines, their PMU; where kind or cluster cannot be told they are in
 * the kind "Unknown" or the cluster "off", which come last, until the topology
 * is read again with them on line.
 */
struct topology *topology_linux_present(const char *root, struct err *e);

/* The files that a topology came from: one small pread each. */
enum {
	HOTPLUG_FILES_MAX = 9,
	HOTPLUG_TEXT_SIZE = CPU_LIST_MAX * 6,
	HOTPLUG_ONLINE = 1 << 0,
	HOTPLUG_PRESENT = 1 << 1,
	HOTPLUG_NOT_ASKED = 1 << 30
};

struct hotplug_watch {
	unsigned len; /* file[]: `online`, `present`, then the PMUs' `cpus` */
	struct {
		int fd; /* -1: there is none */
		uint64_t seen;
	} file[HOTPLUG_FILES_MAX];
	char text[HOTPLUG_TEXT_SIZE];
	int64_t asked_ns;
	struct cpu_list online; /* empty: not known, all are */
};

/* Missing files are no failure. */
void hotplug_open(struct hotplug_watch *p, const char *root,
		  const struct topology *t);
void hotplug_close(struct hotplug_watch *p);

/* Does the system say which CPUs are on line? */
bool hotplug_lists_online(const struct hotplug_watch *p);

/*
 * Bit 0: other CPUs are on line than when this was asked last, every 250 ms at
 * most; bit i: file i is not as it was when it was opened.
 */
uint32_t hotplug_changed(struct hotplug_watch *p, int64_t now_ns);

/* Is that CPU on line, as far as is known? */
bool hotplug_cpu_online(const struct hotplug_watch *p, int id);

/* ---- pmu.c: one core PMU below /sys/bus/event_source/devices ---- */

enum { PMU_NAME_SIZE = 32, PMU_TEXT_SIZE = 256 };

/* What goes into perf_event_attr. */
struct perf_code {
	uint32_t type;
	uint64_t config, config1, config2;
};

struct pmu_linux {
	const char *root; /* borrowed; NULL: the system */
	char name[PMU_NAME_SIZE];
	char kernel_name[PMU_NAME_SIZE]; /* caps/pmu_name; "" */
	uint32_t type;                   /* of this boot: never kept */
	unsigned slots;                  /* caps/slots, 0: not said */
};

/* False when there is no such PMU. */
bool pmu_linux_open(struct pmu_linux *p, const char *root, const char *name);

/* "event=0xd1,umask=0x08" by the PMU's format/; *e names what is wrong. */
bool pmu_linux_terms(const struct pmu_linux *p, const char *terms,
		     struct perf_code *out, struct err *e);

/* An alias of events/; its terms go to text (PMU_TEXT_SIZE) unless NULL. */
bool pmu_linux_alias(const struct pmu_linux *p, const char *alias, char *text,
		     struct perf_code *out, struct err *e);

/* ---- catalog.c: the events of all core PMUs of a machine ---- */

/* How one kind of CPU counts an event. */
struct perf_event_code {
	bool known; /* false: this kind cannot */
	enum linux_count how;
	unsigned factor;  /* of LINUX_CYCLES_TIMES; 0: none */
	bool leader, led; /* led: counts in a group that has the leader */
	bool no_user, no_kernel; /* modes that it leaves out */
	struct perf_code code;
	bool summed; /* with what `more` counts, on a counter of its own */
	struct perf_code more;
};

struct perf_kind {
	bool counts; /* it has a PMU */
	struct pmu_linux pmu;
	const struct linux_pmu *family;
	struct perf_code cycles, instructions;
};

/*
 * A set placed on catalog.config_counters fits every kind at once: there are
 * as many as the poorest kind has, an event may sit where all kinds that know
 * it can put it, and what needs no counter gets a bit of its own (16 up).
 */
struct perf_catalog {
	struct catalog catalog;
	unsigned nkinds;
	struct perf_kind *kind;       /* [nkinds] */
	struct event *event;          /* [len] */
	struct perf_event_code *code; /* [len * nkinds] */
	const char *no_topdown; /* why there is none, and what helps; NULL */
	char **text;            /* strings of its own */
	unsigned ntexts;
};

struct perf_catalog_options {
	const char *root;
	bool user_only;     /* the fixed pair does not stand for INST_ALL */
	const char *events; /* the user's, comma-separated, or NULL */
};

/* False and *e on a user's event that no PMU has, or without memory. */
bool perf_catalog_build(struct perf_catalog *c, const struct topology *t,
			const struct perf_catalog_options *o, struct err *e);
void perf_catalog_free(struct perf_catalog *c);

/* How the event is counted that this is in the catalog. */
const struct perf_event_code *perf_catalog_code(const struct perf_catalog *c,
						const struct event *e,
						unsigned kind);

/* Fills c->kind; root: of sysfs, NULL: the system. */
void catalog_find_kinds(struct perf_catalog *c, const struct topology *t,
			const char *root);

/* A table's "event=0xd1,umask=0x08" or "@alias" as this PMU codes it. */
bool kind_resolve_event(const struct perf_kind *k, const char *native,
			struct perf_code *out);

/* ---- catalog_rows.c: rows while they are made ---- */

struct candidate {
	const char *name, *alias, *text;
	const char *pmu, *native; /* "pmu/native/"; pmu NULL: native alone */
	bool general;             /* takes a general counter: */
	uint32_t counters;        /* one of these; 0: any */
	struct perf_event_code code;
};

struct build_row {
	struct event event;
	bool general;                 /* takes a general counter on some kind */
	struct perf_event_code *code; /* [nkinds] */
};

enum { BUILD_ROWS_MAX = 160, NATIVE_SIZE = 400 };

struct build {
	struct perf_catalog *out;
	const struct topology *topology;
	const struct perf_catalog_options *o;
	uint32_t counters; /* bits of the general ones */
	uint32_t spare;    /* that of the watchdog: for events of slots alone */
	unsigned nrows;
	struct build_row row[BUILD_ROWS_MAX];
};

bool event_is_slots(const char *name);

/* A copy that the catalog keeps; NULL when memory is short. */
const char *catalog_keep_text(struct build *b, const char *text);

/* The row that it is in, or NULL: memory is short, or there are too many. */
struct build_row *catalog_add_candidate(struct build *b, unsigned kind,
					const struct candidate *c);

/* ---- user_events.c ---- */

/* The events of --events. False and *e: there is one that no kind counts. */
bool catalog_add_words(struct build *b, struct err *e);

#endif

/* Types and constants of Apple's private frameworks kperf and kperfdata. */
#ifndef KPERF_ABI_H
#define KPERF_ABI_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Classes of counters (xnu kern/kpc.h); functions take masks of classes. */
enum kpc_class_id {
	KPC_CLASS_FIXED = 0,        /* ARM: 0 cycles, 1 instructions */
	KPC_CLASS_CONFIGURABLE = 1, /* ARM: counters 2 to 9 */
	KPC_CLASS_POWER = 2, /* the power manager's counters; not settable */
	KPC_CLASS_RAWPMU = 3
};

#define KPC_CLASS_FIXED_MASK (1u << KPC_CLASS_FIXED)
#define KPC_CLASS_CONFIGURABLE_MASK (1u << KPC_CLASS_CONFIGURABLE)
#define KPC_CLASS_POWER_MASK (1u << KPC_CLASS_POWER)
#define KPC_CLASS_RAWPMU_MASK (1u << KPC_CLASS_RAWPMU)
#define KPC_CLASS_ALL_MASK 0xfu
/* A result with a bit above the classes means failure. */
#define KPC_CLASS_NO_MASK (~KPC_CLASS_ALL_MASK)
/* Bit of a sysctl's class word: read every CPU. */
#define KPC_ALL_CPUS 0x80000000u

enum kpc_pmu_version {
	KPC_PMU_ERROR = 0,
	KPC_PMU_INTEL_V3 = 1,
	KPC_PMU_ARM_APPLE = 2,
	KPC_PMU_INTEL_V2 = 3,
	KPC_PMU_ARM_V2 = 4
};

enum kpep_arch {
	KPEP_ARCH_I386 = 0,
	KPEP_ARCH_X86_64 = 1,
	KPEP_ARCH_ARM = 2,
	KPEP_ARCH_ARM64 = 3
};

#define KPC_MAX_COUNTERS 32
#define KPERF_ACTION_MAX 32
#define KPERF_TIMER_MAX 8

enum kperf_sampler {
	KPERF_SAMPLER_TH_INFO = 1 << 0,
	KPERF_SAMPLER_TH_SNAPSHOT = 1 << 1,
	KPERF_SAMPLER_KSTACK = 1 << 2,
	KPERF_SAMPLER_USTACK = 1 << 3,
	KPERF_SAMPLER_PMC_THREAD = 1 << 4, /* not together with PMC_CPU */
	KPERF_SAMPLER_PMC_CPU = 1 << 5,
	KPERF_SAMPLER_PMC_CONFIG = 1 << 6,
	KPERF_SAMPLER_MEMINFO = 1 << 7,
	KPERF_SAMPLER_TH_SCHEDULING = 1 << 8,
	KPERF_SAMPLER_TH_DISPATCH = 1 << 9,
	KPERF_SAMPLER_TK_SNAPSHOT = 1 << 10,
	KPERF_SAMPLER_SYS_MEM = 1 << 11,
	KPERF_SAMPLER_TH_INSCYC = 1 << 12,
	KPERF_SAMPLER_TK_INFO = 1 << 13
};

/* An Apple config word has an event number and mode bits. If no mode bit is
 * set, the kernel chooses the modes and sets their bits when words are read. */
#define KPC_CONFIG_EVENT_8 0xffull    /* event number, M1 and M2 */
#define KPC_CONFIG_EVENT_16 0xffffull /* event number, M3 and later */
#define KPC_CONFIG_EL0_32 0x10000ull  /* user mode, 32-bit code */
#define KPC_CONFIG_EL0_64 0x20000ull  /* user mode */
#define KPC_CONFIG_EL1 0x40000ull     /* kernel mode */
#define KPC_CONFIG_EL3 0x80000ull     /* reported with EL1; unused */
#define KPC_CONFIG_MODES 0xf0000ull

enum kpep_error {
	KPEP_OK = 0,
	KPEP_INVALID_ARGUMENT = 1,
	KPEP_OUT_OF_MEMORY = 2,
	KPEP_IO = 3,
	KPEP_BUFFER_TOO_SMALL = 4,
	KPEP_SYSTEM_UNKNOWN = 5,
	KPEP_DB_PATH_INVALID = 6,
	KPEP_DB_NOT_FOUND = 7,
	KPEP_ARCH_UNSUPPORTED = 8,
	KPEP_VERSION_UNSUPPORTED = 9,
	KPEP_DB_CORRUPT = 10,
	KPEP_EVENT_NOT_FOUND = 11,
	KPEP_CONFLICT = 12,
	KPEP_FORCE_NEEDED = 13, /* call kpep_config_force_counters first */
	KPEP_EVENT_UNAVAILABLE = 14,
	KPEP_ERRNO = 15,
	KPEP_NO_COUNTERS = 16 /* newer macOS: the event's mask is empty */
};

/* Opaque, since two layouts exist: never index an array of events. */
struct kpep_event;

/* The newer layout; both layouts are equal up to `mask`. */
struct kpep_event_56 {
	const char *name;
	const char *description;
	const char *errata;
	const char *alias;    /* may be NULL, like all texts except name */
	const char *fallback; /* name of the event to use instead */
	uint32_t mask;        /* absolute counter bits */
	uint16_t number;
	uint8_t umask; /* Intel only */
	uint8_t reserved;
	uint8_t flags; /* KPEP_EVENT_FIXED */
	uint8_t tail[7];
};

#define KPEP_EVENT_FIXED 1u

struct kpep_event_48 {
	const char *name;
	const char *description;
	const char *errata;
	const char *alias;
	const char *fallback;
	uint32_t mask;
	uint8_t number;
	uint8_t umask;
	uint8_t reserved;
	uint8_t is_fixed;
};

/* The older struct ends after power_counter_bits (KPEP_DB_SIZE_OLD). */
struct kpep_db {
	const char *name;
	const char *cpu_id;
	const char *marketing_name;
	void *plist_data;
	void *event_map;
	struct kpep_event *event_arr; /* contiguous, stride 48 or 56 bytes */
	struct kpep_event **fixed_event_arr;
	void *alias_map;
	void *reserved[3];
	size_t event_count;
	size_t alias_count;
	size_t fixed_counter_count;
	size_t config_counter_count;
	size_t power_counter_count;
	uint32_t architecture;
	uint32_t fixed_counter_bits;
	uint32_t config_counter_bits;
	uint32_t power_counter_bits; /* included in config_counter_bits */
	uint32_t create_flags;
	uint8_t is_internal;
	uint8_t internal_known;
	uint8_t tail[2];
};

#define KPEP_DB_SIZE_OLD 144
#define KPEP_DB_SIZE 152

/* Events and their counters; only the simulator reads the members. */
struct kpep_config {
	struct kpep_db *db;
	struct kpep_event **events; /* in order of adding */
	size_t *event_map;          /* absolute counter of each event */
	size_t *event_indices;      /* event of each counter; SIZE_MAX: none */
	uint32_t *flags; /* per event; 0: all modes, else user mode */
	uint64_t *kpc_periods;
	size_t event_count;
	size_t counter_count;
	uint32_t classes;
	uint32_t occupied; /* absolute bits of the counters in use */
	uint8_t forced;
	uint8_t tail[7];
};

/* clang-format off */
#define KPERF_AT(type, field, at) \
	static_assert(offsetof(struct type, field) == (at), #type "." #field)

static_assert(sizeof(void *) == 8, "the frameworks are 64-bit");
static_assert(sizeof(bool) == 1, "kpc_get_cpu_counters takes a one-byte bool");

KPERF_AT(kpep_event_56, mask, 40);
KPERF_AT(kpep_event_56, number, 44);
KPERF_AT(kpep_event_56, umask, 46);
KPERF_AT(kpep_event_56, flags, 48);
static_assert(sizeof(struct kpep_event_56) == 56, "kpep_event, newer");
KPERF_AT(kpep_event_48, mask, 40);
KPERF_AT(kpep_event_48, umask, 45);
KPERF_AT(kpep_event_48, is_fixed, 47);
static_assert(sizeof(struct kpep_event_48) == 48, "kpep_event, older");
KPERF_AT(kpep_db, event_count, 88);
KPERF_AT(kpep_db, architecture, 128);
KPERF_AT(kpep_db, create_flags, KPEP_DB_SIZE_OLD);
KPERF_AT(kpep_db, internal_known, 149);
static_assert(sizeof(struct kpep_db) == KPEP_DB_SIZE, "kpep_db");
KPERF_AT(kpep_config, kpc_periods, 40);
KPERF_AT(kpep_config, classes, 64);
KPERF_AT(kpep_config, forced, 72);
static_assert(sizeof(struct kpep_config) == 80, "kpep_config");
/* clang-format on */

#endif

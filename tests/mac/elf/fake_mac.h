/*
 * A Mac made of tables, for ktop's *_darwin.c files run as ELF on Linux: the
 * functions of libSystem, IOKit and CoreFoundation that they call, with answers
 * to be set, calls that fail on demand, and a count of what was not given back.
 */
#ifndef MAC_FAKE_MAC_H
#define MAC_FAKE_MAC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The functions that can be told to fail; the others cannot fail on a Mac. */
enum fake_call {
	FAKE_SYSCTL,         /* -1 with errno EIO */
	FAKE_PROCESSOR_INFO, /* KERN_FAILURE */
	FAKE_ENTRY,          /* IORegistryEntryFromPath: 0 */
	FAKE_CHILDREN,       /* KERN_FAILURE */
	FAKE_NAME,           /* KERN_FAILURE */
	FAKE_PROPERTY,       /* NULL */
	FAKE_NUMBER,         /* CFNumberGetValue: false */
	FAKE_RUSAGE,         /* -1 with errno ESRCH */
	FAKE_LIST,           /* 0 with errno EPERM */
	FAKE_CALLS
};

/* XNU's own properties are numbers, those of the device tree bytes. */
enum fake_type { FAKE_TYPE_NUMBER, FAKE_TYPE_DATA, FAKE_TYPE_TEXT };

struct fake_property {
	const char *name; /* NULL ends a node's list */
	enum fake_type type;
	int64_t number;   /* or, little-endian, the bytes where data is NULL */
	const char *data; /* the bytes, or the text */
	size_t data_size;
};

#define FAKE_NODE_PROPERTIES 8

struct fake_node {
	const char *name; /* NULL ends the list */
	struct fake_property property[FAKE_NODE_PROPERTIES];
};

struct fake_sysctl {
	const char *name; /* NULL ends the list */
	const char *text; /* a string, or NULL: `number` of `size` bytes */
	int64_t number;
	size_t size;
};

/* The one process besides the caller; status as <sys/proc.h> has it. */
struct fake_process {
	int pid;
	uint32_t status; /* SRUN is 2, SZOMB 5 */
	uint64_t start_s, start_us;
	/* For who lists and reads it; NULL path: it has none. */
	const char *name, *path;
	uint32_t parent, uid;
	const char *area; /* what it was started with, as KERN_PROCARGS2 */
	size_t area_size; /* has it; 0: it is not told */
	int flavor;     /* the newest of proc_pid_rusage that is known; 0: 0 */
	int levels;     /* of its two threads' counts; 0: not offered */
	uint64_t *used; /* [56] struct rusage_info_v6 after its UUID, or NULL */
};

struct fake_mac {
	const struct fake_sysctl *sysctl;
	const struct fake_node *cpus; /* children of IODeviceTree:/cpus */
	unsigned load_rows;           /* of host_processor_info */
	const struct fake_process *process;
	bool setugid; /* the program was started with somebody's rights */
	const char *program; /* what it is called; NULL: nobody knows */
};

/* Takes *mac (borrowed until the next call); no failures, counts at 0. */
void fake_use(const struct fake_mac *mac);

/* The nth call (from 1) of `call` from now fails; 0: none does. */
void fake_fail(enum fake_call call, unsigned nth);

/* The nth call (from 1) of any that can fail does; 0: none does. */
void fake_fail_any(unsigned nth);

/* How many calls that can fail were made since fake_use(). */
unsigned fake_calls(void);

/* CF objects, IO objects and Mach memory not given back. */
int fake_live(void);

/* Mistakes seen: a release too many, a wrong size, a type mixed up. */
int fake_misuse(void);

/* What the three clocks read: awake, elapsed and wall time in ns. */
void fake_clock(uint64_t awake_ns, uint64_t elapsed_ns, uint64_t wall_ns);

/* The ticks that row `cpu` of host_processor_info shows in `state`. */
uint32_t fake_load(unsigned cpu, unsigned state);

/* Darwin's errno, as the code under test sees it. */
int fake_errno(void);

#endif

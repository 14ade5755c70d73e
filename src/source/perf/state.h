/* State and functions that the files of the perf source share. */
#ifndef SOURCE_PERF_STATE_H
#define SOURCE_PERF_STATE_H

#include "source/perf/machine.h"
#include "base/clock.h"
#include "base/err.h"
#include "model/process.h"
#include "model/sample.h"
#include "model/topology.h"
#include "source/perf/ops.h"
#include "source/examine.h"
#include "source/source.h"

#include <dirent.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* ---- permission.c: who may count, and why ktop may not ---- */

enum { PERMISSION_SYS_ADMIN = 21, PERMISSION_PERFMON = 38 };

struct count_permission {
	bool has_level;
	int64_t level;
	uint64_t permitted, effective;
	bool inner;  /* in a user namespace: its capabilities do not help */
	int seccomp; /* 0: off, 1: strict, 2: filter, -1: unknown */
};
void permission_read(const char *root, struct count_permission *out);

bool permission_may_count(const struct count_permission *r);

/* The least privileged permitted capability that suffices, as a mask; or 0. */
uint64_t permission_capability(const struct count_permission *r);

bool errno_means_no_pmu(int error);

/* Explains why an open failed with errno `why`. Always false. */
bool permission_explain(const char *root, int why, struct err *e);

/* ---- group.c: counters of one CPU or thread ---- */

enum {
	GROUP_SLOT = FIXED_COUNT,
	GROUP_LEADER = FIXED_COUNT + EVENTSET_MAX, /* added leader */
	GROUP_WHATS,
	GROUP_SUMS = 4, /* most events that are sums of two members */
	GROUP_MAX = GROUP_WHATS + GROUP_SUMS,
	/* Parts of a group. Software events never wait for a counter. */
	GROUP_HARDWARE = 0,
	GROUP_SOFTWARE,
	GROUP_APART
};

/* Members in the order of opening: the first of each part leads it. */
struct group_plan {
	unsigned len;
	bool apart; /* --mux: the fixed counters and each event are multiplexed
		       separately */
	bool excludes_nothing; /* the PMU refuses exclude bits (msr) */
	struct {
		struct perf_code code;
		unsigned what; /* FIXED_CYCLES ... or GROUP_SLOT + slot */
		unsigned rank; /* 0: fixed counters; lower is more important */
		bool exclude_kernel, exclude_user;
		bool together; /* opened with the fixed counters, even with
				  --mux */
	} member[GROUP_MAX];
};

/* attr_size: the size that the kernel accepts; 0: the whole struct. */
struct group_port {
	const struct perf_ops *ops;
	uint32_t attr_size;
	uint64_t rights;
	bool no_threads; /* the kernel refuses inherit_thread (before 5.13) */
};

struct group_target {
	int cpu; /* -1: a thread */
	int32_t tid;
	bool follow; /* count threads that start later, if the kernel can */
	bool user_only;
	bool kernel_only;
	/* Child processes count, too; each event is read separately. */
	bool tree;
	bool at_exec;
	bool excludes_nothing;
};

struct group_count {
	uint64_t count, enabled, running;
};

/* A zeroed group is closed. Totals survive a close and an open. */
struct group {
	bool open, fresh; /* not read since the open */
	bool sleeps; /* the group's time can stand still between readings */
	unsigned len;
	uint32_t has; /* open members: mask of 1 << what */
	int fd[GROUP_MAX];
	unsigned char what[GROUP_MAX];
	unsigned char part[GROUP_MAX]; /* kernel group of each member; the first
					  one leads */
	int refused[GROUP_WHATS];      /* errno of a failed open; else 0 */
	struct group_count base[GROUP_WHATS], last[GROUP_WHATS];
	/* ns of the last interval, of the hardware part if there is one */
	uint64_t enabled, running;
};

void group_rights(const struct group_port *port, bool on);

/* Returns a descriptor, or -1 and errno. A leader starts disabled. */
int group_open_event(struct group_port *port, const struct perf_code *code,
		     const struct group_target *target, int leader);

/* Returns 0, or errno of the cycles event or of a file shortage (EMFILE ...).
 * Members that the PMU refuses are left out (see `refused`); if counters are
 * too few, the least important ones. If the PMU of a CPU refuses cycles, only
 * software events are opened. */
int group_open(struct group *g, struct group_port *port,
	       const struct group_plan *plan, int cpu);

/* As group_open, but a thread whose PMU refuses has no counts at all. */
int group_open_thread(struct group *g, struct group_port *port,
		      const struct group_plan *plan,
		      const struct group_target *target);
void group_close(struct group *g, const struct group_port *port);

/* Does the group have counters? Valid right after the open: the kernel
 * schedules a new group at once if the other groups leave counters. */
bool group_runs(const struct group *g, const struct group_port *port);

/* The number of system calls, and of interrupts, of one reading. */
unsigned group_read_cost(const struct group *g);

bool group_without_pmu(const struct group *g);

void group_forget_slots(struct group *g);

enum group_state {
	GROUP_READ,
	GROUP_DEAD, /* its CPU was offline: close, open again */
	GROUP_SILENT
};

enum group_state group_read(struct group *g, const struct group_port *port);

bool group_total(const struct group *g, unsigned what, struct reading *out);

/* ---- task_set.c: counts of threads on every kind of core ---- */

struct task_part {
	unsigned kind;
	struct group_plan group;
	uint32_t slots; /* mask of 1 << slot: events counted or derived */
	/* A slot's count is its counter * factor[] + cycles * cycles[]. */
	unsigned factor[EVENTSET_MAX], cycles[EVENTSET_MAX];
};

struct task_plan {
	struct group_port *port;
	unsigned nparts;
	struct task_part part[PROCESS_PARTS];
	bool traced;  /* count events, too; change only while no set is open */
	uint32_t off; /* mask of 1 << slot: events that a part refused */
	uint32_t absent; /* mask of parts that cannot count */
	bool user_only;
};

struct task {
	int32_t tid;
	struct group group;
	struct group_count taken[GROUP_WHATS];
};

/* Counts of the time with counters, not scaled. */
struct task_counts {
	uint64_t cycles, instructions, slot[EVENTSET_MAX];
	uint64_t ran_ns, lost_ns; /* lost_ns: part of ran_ns without counters */
};

struct task_set {
	unsigned n, room;
	struct task *task;
	unsigned files;
	bool late; /* the last reading failed; the next one covers its time */
	unsigned failed;
	bool not_counting;
	/* Totals since the open, scaled. */
	struct process_totals total;
	struct task_counts counts; /* since process_events.c cleared them */
	uint64_t ran_ns; /* run time of all threads in the last interval */
	uint32_t flags;  /* PROCESS_SCALED, PROCESS_PARTIAL */
};

/* Returns 0, or errno with nothing open: ESRCH if all threads ended, EMFILE if
 * more than `files` descriptors are needed. follow: also count threads that
 * start later, if the kernel can. */
int task_set_open(struct task_set *t, struct task_plan *plan,
		  const int32_t *tid, unsigned n, bool follow, uint64_t files);

/* Call after a reading if the kernel cannot follow threads: opens new threads
 * and closes ended ones. Errors as in task_set_open. */
int task_set_renew(struct task_set *t, struct task_plan *plan,
		   const int32_t *tid, unsigned n, uint64_t files);

uint64_t task_set_files(const struct task_plan *plan, unsigned n);

/* False: a read failed. Ended threads keep their counts. */
bool task_set_read(struct task_set *t, const struct task_plan *plan);

/* Closes the descriptors; keeps the memory for the next open. */
void task_set_close(struct task_set *t, const struct task_plan *plan);
void task_set_free(struct task_set *t);

/* Returns 0, or errno if no part can count `tid`. Sets the plan's absent, off
 * and user_only. */
int task_plan_try(struct task_plan *plan, int32_t tid);

uint32_t task_plan_slots(const struct task_plan *plan);

/* ---- proc.c: files below /proc ---- */

enum { PROC_LINE_SIZE = 1024 };

struct proc_line {
	int32_t pid, parent;
	uint8_t state;
	bool kernel;
	uint64_t user, system; /* ticks; include ended threads */
	uint64_t start;
	uint32_t threads;
	char name[PROCESS_NAME_SIZE];
};

/* False: malformed or cut. The name may contain any byte but NUL. */
bool proc_line_parse(const char *text, size_t len, struct proc_line *out);

bool proc_status_uid(const char *text, uint32_t *out);

/* Returns a high descriptor (select(2) needs low ones), or -1 and errno. */
int proc_open(int dir, const char *path);

/* NUL ends the text. 0, or -1 with ESRCH or ENOENT: the process has ended. */
ssize_t proc_read(int fd, char *out, size_t size);

ssize_t proc_read_once(int dir, const char *path, char *out, size_t size);

/* Lists numeric names; returns how many (may exceed max), or -1 and errno. */
int proc_numbers(int dir, const char *path, int32_t *out, unsigned max);

/* ---- proc_list.c: the processes that /proc lists ---- */

struct proc_entry {
	int32_t pid;
	int stat_fd, sched_fd; /* kept open; -1: opened at each look */
	struct proc_line line;
	uint64_t ran_ns; /* ns of CPU time in schedstat, if it has one thread */
	bool ran_known;
	/* CPU time, finer than the ticks of `line` and consistent with them. */
	uint64_t user_ns, system_ns;
	uint64_t user_before_ns, system_before_ns, grew_ns;
	int64_t started_awake_ns; /* 0: unknown */
	uint32_t uid;
	unsigned looks;
	bool gone;
	bool unreadable;
	bool moved;
	bool missed; /* not read at this look: its values are old */
	bool listed;
	unsigned slept;
	bool shown;
	int group;      /* track index, -1: not counted */
	unsigned below; /* consecutive looks outside the busiest processes */
	uint8_t access;
	unsigned retry_in; /* looks to wait before the next attempt */
};

struct proc_list {
	DIR *dir;
	bool schedstat;
	bool copied;  /* from another root: file owners are not the users */
	bool threads; /* entries are one process's threads */
	uint64_t tick_ns;
	int64_t before_ns;        /* awake time of the last look; 0: none */
	struct proc_entry *entry; /* sorted by pid, then start */
	unsigned n, room;
	unsigned kept, keep; /* open descriptors, and their limit */
	unsigned turn;
	int loadavg_fd;
	char newest[24]; /* the kernel's last new pid, from loadavg */
	bool none_woke;  /* the last check of sleeping processes found none that
			    ran */
};

bool proc_list_open(struct proc_list *l, const char *root);

bool proc_list_open_threads(struct proc_list *l, const struct proc_list *all,
			    const char *root, int32_t pid);
void proc_list_close(struct proc_list *l);

/* One look: reads busy entries and an eighth of the sleepers; all entries if
 * these ran less than busy_ns, the CPUs' busy time since the last look
 * (UINT64_MAX: unknown). False and *e: out of memory. */
bool proc_list_look(struct proc_list *l, const struct stamp *now,
		    uint64_t busy_ns, struct err *e);

unsigned proc_list_place(const struct proc_list *l, int32_t pid);

/* The live process with this pid, or NULL; valid until the next look. */
struct proc_entry *proc_list_find(const struct proc_list *l, int32_t pid);

void proc_list_refine(const struct proc_list *l, struct proc_entry *e,
		      uint64_t ran_ns);

/* Closes files until at most `keep` are open, files of sleepers first. */
void proc_list_trim(struct proc_list *l, unsigned keep);

struct proc_stat {
	int fd;
	char *text;
	size_t size, len;
	uint64_t busy;
};

/* False: out of memory. A missing file is not an error. */
bool proc_stat_open(struct proc_stat *p, const char *root, unsigned ncpus);
void proc_stat_close(struct proc_stat *p);

void proc_stat_read(struct proc_stat *p, const struct topology *t,
		    struct sample *out);

/* Reads the number of tasks since boot, threads included, and the boot time in
 * s. A missing value stays unchanged. */
void proc_stat_since_boot(struct proc_stat *p, uint64_t *tasks,
			  uint64_t *boot_s);

enum {
	TRACKS_TOP = 64,
	TRACKS_PINS = 32,
	TRACKS_PROCESSES = 2 * TRACKS_TOP + TRACKS_PINS,
	TRACKS = TRACKS_PROCESSES + PROCESS_THREADS_MAX,
	USER_NAMES_MAX = 128
};

struct track {
	bool used;
	int32_t pid;
	uint32_t counting; /* serial number of the open */
	uint32_t threads;  /* number of threads at the last open */
	bool leaves_out;   /* some running threads are not counted */
	struct task_set set;
	/* Run time since window_ns, from counters and from ticks. */
	int64_t window_ns, again_ns, back_off_ns;
	uint64_t ran_ns, ticks_ns, ticks_last_ns;
};

struct user_names {
	unsigned n, oldest;
	struct {
		uint32_t uid;
		char name[PROCESS_USER_SIZE]; /* "": unknown uid */
	} user[USER_NAMES_MAX];
};

struct perf_processes {
	struct proc_list list;
	struct user_names users;
	struct process_parts parts;
	struct task_plan plan;
	enum process_access why; /* PROCESS_COUNTED, or why none is counted */
	int code;
	unsigned try_in; /* scans of /proc until counting is tried again */
	struct track track[TRACKS];
	uint32_t counting;
	uint64_t files;
	unsigned wanted;
	unsigned no_files;
	struct proc_list threads;
	int32_t opened;
	uint64_t opened_at;
	struct process_command command;
	char command_of[PROCESS_NAME_SIZE]; /* name when `command` was read */
	uint64_t limit_before; /* restored on close; 0: never raised */
	uint64_t limit;
	bool at_most; /* the limit cannot be raised further */
	uint64_t busy;
	uint64_t boot_wall_s;
};

/* Event counting of processes, on request. Zeroed: off. */
struct perf_traced {
	bool on, refused;
	bool lacks_counters; /* counters were too few in the last interval */
	bool yield_failed;
	bool other;    /* this interval began with another set */
	unsigned keep; /* the most events to count */
	char why[PROCESS_TRACED_WHY];
};

struct perf_cpu {
	struct group group;
	bool off;
	bool denied;
	bool none;
	int64_t retry_ns; /* awake time before which no open is tried */
	int64_t back_off_ns;
	unsigned not_counting;
	unsigned shared;
	unsigned skipped;
	uint64_t busy, total;
	/* The clocks' group (clocks.c), if has_clocks. */
	struct group clocks;
	struct reading clock[FIXED_COUNT]; /* last clock values, if clocked */
	bool clocked;
	bool ticked;                /* the next four fields are valid */
	uint64_t busy_ns, total_ns; /* the values in samples */
	uint64_t tick_busy_ns, tick_total_ns;
	int64_t clocks_again_ns;
};

/* Events that a kind leaves out while other programs use counters. */
enum {
	FIT_INSTRUCTIONS = EVENTSET_MAX
}; /* bit of the instructions event, after the bits 1 << slot */
struct perf_fit {
	uint32_t left_out;
	unsigned full_cpu;    /* a CPU without a free counter */
	unsigned wait, pause; /* wait: readings until the next try; pause:
				 readings between tries */
	unsigned stable_in; /* readings until regained events count as stable */
};

struct perf_source {
	struct source source; /* must be first */
	char *root;
	struct topology *topology;
	struct perf_catalog catalog;
	struct group_port port; /* ops is NULL for a recorded machine */
	struct perf_cpu *cpu;
	struct group_plan *plan;
	struct group_plan *next;
	struct proc_stat stat;
	struct perf_processes processes;
	struct perf_traced traced;
	struct hotplug_watch places;
	struct eventset set;
	struct perf_fit *fit;
	unsigned dropped_before; /* rows of set.dropped that the caller's set
				    had */
	int hardware; /* errno of the last refusal of hardware events, or 0 */
	bool counts;
	bool counted;    /* the source before a renew counted */
	bool had_rights; /* the capabilities were effective at the open */
	bool lazy, user_only;
	bool has_clocks; /* busy time in ns, from clocks where possible */
	struct group_plan clocks;
	bool turns;
	unsigned yields; /* events that the CPUs leave out for processes */
	bool baseline;
	bool short_of_files;
	uint64_t used; /* open files except counters of CPUs' events and of
			  processes */
	uint64_t power_files;
	unsigned newcomers; /* online CPUs missing or off in the topology */
	/* Lasting notices; left_out_notice has precedence. */
	char refused[200], left_out_notice[200];
	size_t refused_len; /* length without "no hardware counters ..." */
};

static inline struct perf_source *
perf_of(struct source *s)
{
	return (struct perf_source *)(void *)s;
}

extern const struct examine_question perf_examine[];

/* ---- clocks.c: busy time from the CPUs' clocks ---- */

/* Call after the fixed counters are open. */
void perf_clocks_open(struct perf_source *s);
void perf_clocks_close(struct perf_source *s);
uint64_t perf_clocks_files(const struct perf_source *s);

/* Sets busy time from the CPU's clocks, else from the ticks in *out. */
void perf_clocks_fill(struct perf_source *s, unsigned i, int64_t now_ns,
		      struct cpu_sample *out);

struct power_source *perf_power(struct source *base, struct err *e);

/* Lower is more important: leaders, then the events of the first metrics. */
unsigned perf_slot_rank(const struct perf_source *s, const struct eventset *set,
			unsigned kind, unsigned slot);

/* Plans s->next[kind]: the fixed counters and the events of `set` (NULL: none),
 * except those whose bits are in left_out. */
void perf_plan_kind(struct perf_source *s, const struct eventset *set,
		    unsigned kind, uint32_t left_out);

void perf_plan(struct perf_source *s, const struct eventset *set);

/* Opens and closes cycles or a software event on a CPU. Returns 0 or errno. */
int perf_try_open(struct perf_source *s, bool hardware);

/* Can the counters be opened again? False and *e: do not close open ones. */
bool perf_could_count(struct perf_source *s, struct err *e);

uint64_t perf_count_files(const struct perf_source *s);

/* Opens next[] as plan[]. False and *e: the old plan[] still counts. */
bool perf_open_plan(struct perf_source *s, struct err *e);

bool perf_program(struct source *base, const struct eventset *set,
		  struct err *e);

void perf_note_without_pmu(struct perf_source *s);

void perf_fit_begin(struct perf_source *s);

/* Call after a reading. True: some CPUs count other events now. */
bool perf_fit(struct perf_source *s);

/* CPUs stop counting their `slots` least important events. False: not now. */
bool perf_yield_slots(struct perf_source *s, unsigned slots);

uint32_t perf_slots_beyond(struct perf_source *s, unsigned kind, unsigned keep);

void perf_processes_open(struct perf_source *s);
void perf_processes_close(struct perf_source *s);

void perf_processes_take_over(struct perf_source *s, struct perf_source *old);

bool perf_processes_read(struct source *base, const struct process_request *w,
			 struct process_reading *out, struct err *e);

/* Returns the descriptors left for processes; raises the limit for `want`. */
uint64_t perf_tracks_file_budget(struct perf_source *s, uint64_t want);

/* Call right after proc_list_look. */
void perf_tracks_read(struct perf_source *s, int64_t awake_ns);

void perf_tracks_choose(struct perf_source *s, const struct process_request *w,
			int64_t awake_ns);

/* Reads the threads of the process w->opened; returns it, or NULL. */
const struct proc_entry *perf_tracks_threads(struct perf_source *s,
					     const struct process_request *w,
					     const struct stamp *now);

void perf_tracks_drop_gone(struct perf_source *s);

void perf_tracks_close(struct perf_source *s);

/* Call between perf_tracks_read and perf_tracks_choose. */
void perf_traced_read(struct perf_source *s, const struct process_request *w,
		      struct process_traced *out);

void perf_traced_finish(struct perf_source *s, struct process_traced *out);

void perf_traced_plan_fixed(const struct perf_source *s, struct task_part *to);

void perf_traced_close(struct perf_source *s);

#endif

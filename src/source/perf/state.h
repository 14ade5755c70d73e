/* What the files of the perf source share. */
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

/* ---- permission.c: why the kernel does not let ktop count ---- */

enum { PERMISSION_SYS_ADMIN = 21, PERMISSION_PERFMON = 38 };

/* What decides who may count, as /proc says. */
struct count_permission {
	bool has_level;                /* no: a kernel without perf events */
	int64_t level;                 /* of perf_event_paranoid */
	uint64_t permitted, effective; /* capabilities, 1 << number */
	bool inner;  /* they hold in a container's user namespace only */
	int seccomp; /* 0: off, 1: strict, 2: a filter; -1: not said */
};
void permission_read(const char *root, struct count_permission *out);

/* Has the process what this level asks of it? */
bool permission_may_count(const struct count_permission *r);

/*
 * The least of the capabilities permitted, 1 << number, that lets the process
 * count at this level; 0: none is permitted.
 */
uint64_t permission_capability(const struct count_permission *r);

/* Does that errno mean that there is nothing to count with? */
bool errno_means_no_pmu(int error);

/* For an open that failed with errno `why`. root as everywhere. False. */
bool permission_explain(const char *root, int why, struct err *e);

/* ---- group.c: counters of one CPU, or of one thread ---- */

enum {
	/* What a member counts: the fixed pair, then the slots of the set. */
	GROUP_SLOT = FIXED_COUNT,
	GROUP_LEADER = FIXED_COUNT + EVENTSET_MAX, /* of use to others only */
	GROUP_WHATS,
	GROUP_SUMS = 4, /* slots that two members count together */
	GROUP_MAX = GROUP_WHATS + GROUP_SUMS,
	/*
	 * Groups of the kernel's that the members are in: hardware counters,
	 * the kernel's own events, which need none and never wait for one, and,
	 * where it may take turns, one for each slot.
	 */
	GROUP_HARDWARE = 0,
	GROUP_SOFTWARE,
	GROUP_APART
};

/* The members to open, leader first; of two of one slot it is their sum. */
struct group_plan {
	unsigned len;
	bool apart; /* the pair and every slot may take turns: --mux */
	bool excludes_nothing; /* a PMU that takes no exclude bit (msr) */
	struct {
		struct perf_code code;
		unsigned what; /* FIXED_CYCLES ... or GROUP_SLOT + slot */
		unsigned rank; /* importance, lower is more; 0: the pair */
		bool exclude_kernel, exclude_user;
		bool together; /* with the pair, though the others are apart */
	} member[GROUP_MAX];
};

/* How to reach the kernel; attr_size shrinks for one older than the headers. */
struct group_port {
	const struct perf_ops *ops;
	uint32_t attr_size;
	uint64_t rights; /* capabilities to have while opening; 0: as it is */
	bool no_threads; /* a kernel that follows no threads alone (5.12) */
};

/* Who is counted: what runs on a CPU, or a thread wherever it runs. */
struct group_target {
	int cpu; /* of a thread: -1 */
	int32_t tid;
	bool follow;    /* threads that it makes count too, if that can be */
	bool user_only; /* no right to count the kernel's mode */
	bool kernel_only;
	/* What it starts counts too; its events are read one by one. */
	bool tree;
	bool held; /* counted from its exec on */
	bool excludes_nothing;
};

struct group_count {
	uint64_t count, enabled, running;
};

/* Zeroed, it is closed. Totals go on over a close and a new open. */
struct group {
	bool open, fresh; /* fresh: not read since it was opened */
	bool sleeps;      /* a thread's: its time may stand still */
	unsigned len;
	uint32_t has; /* 1 << what its members count */
	int fd[GROUP_MAX];
	unsigned char what[GROUP_MAX];
	unsigned char part[GROUP_MAX]; /* its first member leads */
	int refused[GROUP_WHATS];      /* by what: errno of the open, 0: open */
	struct group_count base[GROUP_WHATS], last[GROUP_WHATS]; /* by what */
	/* From the last reading, since the one before; hardware if there is
	 * any.
	 */
	uint64_t enabled, running;
};

/* Only while an open goes on are its rights to be had. */
void group_rights(const struct group_port *port, bool on);

/* The descriptor of one event, which counts once it is enabled, or -1 and
 * errno. */
int group_open_event(struct group_port *port, const struct perf_code *code,
		     const struct group_target *target, int leader);

/*
 * 0, or the errno of the cycles, or one that says no more can be opened
 * (EMFILE ...). Members that the PMU refuses are left out: see `refused`. Where
 * there are too few counters it is the least important ones. Without its PMU a
 * CPU still has the kernel's own events, if the plan has any.
 */
int group_open(struct group *g, struct group_port *port,
	       const struct group_plan *plan, int cpu);

/* The same of a thread; without its PMU it has nothing. */
int group_open_thread(struct group *g, struct group_port *port,
		      const struct group_plan *plan,
		      const struct group_target *target);
void group_close(struct group *g, const struct group_port *port);

/*
 * Is all of it on a counter at this moment? To be asked right after the open:
 * the kernel places a group at once, behind what others hold, or it waits.
 */
bool group_runs(const struct group *g, const struct group_port *port);

/* System calls, and interrupts of its CPU, that a reading takes. */
unsigned group_read_cost(const struct group *g);

/* Open, but for the kernel's own events only: its PMU refused to count. */
bool group_without_pmu(const struct group *g);

/* Forgets the totals of the slots: another set is counted from now on. */
void group_forget_slots(struct group *g);

enum group_state {
	GROUP_READ,
	GROUP_DEAD,  /* since its CPU was off line: close, and open again */
	GROUP_SILENT /* no reading, for now */
};

enum group_state group_read(struct group *g, const struct group_port *port);

/* The total of what a member counts; false where none does. */
bool group_total(const struct group *g, unsigned what, struct reading *out);

/* ---- task_set.c: what some threads count, on every kind of core ---- */

/* What one PMU of cores counts of a thread. */
struct task_part {
	unsigned kind;           /* of the topology: the first of it */
	struct group_plan group; /* the pair, and the slots where wanted */
	uint32_t slots;          /* 1 << slot that it counts, or knows */
	/* For one counted; by what cycles are taken for it, 0: not by them. */
	unsigned factor[EVENTSET_MAX], cycles[EVENTSET_MAX];
};

/* What is opened for each thread: a group for each PMU. */
struct task_plan {
	struct group_port *port;
	unsigned nparts;
	struct task_part part[PROCESS_PARTS];
	bool traced;     /* events too; to be changed while no set is open */
	uint32_t off;    /* 1 << slot that the kernel refused, on some part */
	uint32_t absent; /* parts that count nothing, as bits */
	bool user_only;  /* no right to count the kernel's mode */
};

/* Of one thread and part. */
struct task {
	int32_t tid;
	struct group group;
	struct group_count taken[GROUP_WHATS]; /* when all were read last */
};

/* What groups counted while they had their counters: nothing is scaled up. */
struct task_counts {
	uint64_t cycles, instructions, slot[EVENTSET_MAX];
	uint64_t ran_ns, lost_ns; /* lost: of it, without counters */
};

/* Zeroed, it is closed. */
struct task_set {
	unsigned n, room;  /* threads */
	struct task *task; /* [n * nparts] */
	unsigned files;    /* that it has open */
	bool late;       /* the last reading failed: the next covers it, too */
	unsigned failed; /* readings in a row */
	bool starved;    /* it ran, and had no counters while it did */
	/* Since it was opened; the times of parts among them. */
	struct process_totals total;
	struct task_counts counts; /* since whoever wanted them cleared it */
	uint64_t ran_ns;           /* by all, in what the last reading covers */
	uint32_t flags; /* of that reading: PROCESS_SCALED, PROCESS_PARTIAL */
};

/*
 * Opens and starts it; follow: threads that these make are counted too, where
 * the kernel can. 0, or the errno, and nothing is open: ESRCH where all have
 * ended, EMFILE where more than `files` would be opened.
 */
int task_set_open(struct task_set *t, struct task_plan *plan,
		  const int32_t *tid, unsigned n, bool follow, uint64_t files);

/*
 * Where threads are not followed: opens those that came, right after a reading,
 * and closes those that ended. As task_set_open; what is open stays.
 */
int task_set_renew(struct task_set *t, struct task_plan *plan,
		   const int32_t *tid, unsigned n, uint64_t files);

/* Files that so many threads take. */
uint64_t task_set_files(const struct task_plan *plan, unsigned n);

/* False: not now, it is late. Those that ended stand still. */
bool task_set_read(struct task_set *t, const struct task_plan *plan);

/* Its room stays, for the next. */
void task_set_close(struct task_set *t, const struct task_plan *plan);
void task_set_free(struct task_set *t);

/*
 * 0, or why `tid` cannot be counted by any part: the errno. Notes in the plan
 * which parts are absent, whether the kernel's mode may be counted, and which
 * slots the kernel refuses.
 */
int task_plan_try(struct task_plan *plan, int32_t tid);

/* The slots that all parts count which are there. */
uint32_t task_plan_slots(const struct task_plan *plan);

/* ---- proc.c: files of one process, and of CPUs' time ---- */

enum { PROC_LINE_SIZE = 1024 }; /* more than all its fields can be */

/* What /proc/PID/stat says, of a thread /proc/PID/task/TID/stat. */
struct proc_line {
	int32_t pid, parent;
	uint8_t state;         /* enum process_state */
	bool kernel;           /* a thread of the kernel's own */
	uint64_t user, system; /* ticks, of threads that ended too */
	uint64_t start;        /* ticks since boot */
	uint32_t threads;
	char name[PROCESS_NAME_SIZE]; /* as it is */
};

/* False: makes no sense, or was cut. The name may hold all but NUL. */
bool proc_line_parse(const char *text, size_t len, struct proc_line *out);

/* The effective user in /proc/PID/status. */
bool proc_status_uid(const char *text, uint32_t *out);

/*
 * A file below the folder `dir`, or -1 and errno. It gets a high number: the
 * low ones are for what is waited for by select(2).
 */
int proc_open(int dir, const char *path);

/*
 * From its beginning; what was read ends in NUL. 0 or less: there is nothing,
 * as the process has ended (ESRCH).
 */
ssize_t proc_read(int fd, char *out, size_t size);

/* The same of a file that is opened for this once. */
ssize_t proc_read_once(int dir, const char *path, char *out, size_t size);

/*
 * Numbers that are names in a folder below `dir`: processes, threads. Up to
 * `max` of them; how many there are, or -1 and errno.
 */
int proc_numbers(int dir, const char *path, int32_t *out, unsigned max);

/* ---- proc_list.c: the processes that /proc lists, look by look ---- */

struct proc_entry {
	int32_t pid;
	int stat_fd, sched_fd; /* kept; -1: opened for each look */
	struct proc_line line;
	uint64_t ran_ns; /* by its only thread, as the scheduler counts it */
	bool ran_known;
	/* Its time on CPUs: within the ticks of `line`, but finer. */
	uint64_t user_ns, system_ns;
	uint64_t user_before_ns, system_before_ns, grew_ns; /* since then */
	int64_t started_awake_ns;                           /* 0: long ago */
	uint32_t uid;
	unsigned looks;
	bool gone;       /* it ended: removed at the next look */
	bool unreadable; /* what is said of it makes no sense */
	bool moved;      /* it ran since the look before */
	bool missed;     /* not looked at now, or in vain: all is as it was */
	bool listed;     /* by the listing that goes on */
	unsigned slept;  /* looks in a row at which it had not run */
	bool shown;      /* had a row at the last look */
	/* The counters' own (tracks.c). */
	int group;      /* -1: none */
	unsigned below; /* looks in a row out of the busiest */
	uint8_t access; /* enum process_access while group is -1 */
	unsigned forgo; /* looks without an attempt to count it */
};

struct proc_list {
	DIR *dir;       /* of /proc; NULL: none */
	bool schedstat; /* the kernel has it */
	bool copied;    /* of another root: its files belong to anybody */
	bool threads;   /* its entries are threads of one process */
	uint64_t tick_ns;
	int64_t before_ns;        /* awake time of the look before; 0: none */
	struct proc_entry *entry; /* [n] by pid, then start */
	unsigned n, room;
	unsigned kept, keep; /* descriptors, and how many there may be */
	unsigned turn;       /* of those that sleep for long */
	int loadavg_fd;      /* -1: none */
	char newest[24];     /* the pid that was given last */
	bool vain;           /* all were asked last, and nobody had run */
};

/* False: there is nothing to list below root + /proc. */
bool proc_list_open(struct proc_list *l, const char *root);

/* The threads of one of `all` as entries; false: it has ended. */
bool proc_list_open_threads(struct proc_list *l, const struct proc_list *all,
			    const char *root, int32_t pid);
void proc_list_close(struct proc_list *l);

/*
 * A look at those that ran lately, and in turn at those that sleep for long;
 * at all, if these do not account for busy_ns, what CPUs did since the look
 * before (UINT64_MAX: not known). False and *e: memory is short.
 */
bool proc_list_look(struct proc_list *l, const struct stamp *now,
		    uint64_t busy_ns, struct err *e);

/* Where entries with that pid are, or would be. */
unsigned proc_list_place(const struct proc_list *l, int32_t pid);

/* The live one with that pid, or NULL. Holds until the next look. */
struct proc_entry *proc_list_find(const struct proc_list *l, int32_t pid);

/* What its threads ran since the look before, as counters have it. */
void proc_list_refine(const struct proc_list *l, struct proc_entry *e,
		      uint64_t ran_ns);

/* Closes files that are kept, of those that slept, to keep `keep` at most. */
void proc_list_trim(struct proc_list *l, unsigned keep);

/* CPUs' time, from /proc/stat. */
struct proc_stat {
	int fd; /* -1: there is no such file */
	char *text;
	size_t size, len; /* len: of the last reading */
	uint64_t busy;    /* ticks, by all CPUs in it */
};

/* False when memory is short; a missing file is no failure. */
bool proc_stat_open(struct proc_stat *p, const char *root, unsigned ncpus);
void proc_stat_close(struct proc_stat *p);

/* Fills busy, total and busy_known of the CPUs that the file lists. */
void proc_stat_read(struct proc_stat *p, const struct topology *t,
		    struct sample *out);

/*
 * From the lines behind those of CPUs, of the same reading: tasks that began
 * since boot, threads among them, and when that was. What is missing stays.
 */
void proc_stat_since_boot(struct proc_stat *p, uint64_t *tasks,
			  uint64_t *boot_s);

/* ---- the source ---- */

enum {
	TRACKS_TOP = 64,  /* of the busiest, at most */
	TRACKS_PINS = 32, /* chosen by the user */
	TRACKS_PROCESSES = 2 * TRACKS_TOP + TRACKS_PINS,
	TRACKS = TRACKS_PROCESSES + PROCESS_THREADS_MAX,
	USER_NAMES_MAX = 128
};

/* A process that is counted, or one thread of the process that is open. */
struct track {
	bool used;
	int32_t pid;       /* of a thread its own number */
	uint32_t counting; /* another number each time it is opened */
	uint32_t threads;  /* when they were last opened */
	bool leaves_out;   /* threads run that it does not count */
	struct task_set set;
	/* Since window_ns: what its counters and what its ticks say it ran. */
	int64_t window_ns, again_ns, back_off_ns;
	uint64_t ran_ns, ticks_ns, ticks_last_ns;
};

/* Names of users, each asked for once. */
struct user_names {
	unsigned n, oldest;
	struct {
		uint32_t uid;
		char name[PROCESS_USER_SIZE]; /* "": there is none */
	} user[USER_NAMES_MAX];
};

struct perf_processes {
	struct proc_list list;
	struct user_names users;
	struct process_parts parts;
	struct task_plan plan;
	enum process_access why;    /* why nobody is counted; or COUNTED */
	int code;                   /* the errno of that; 0 */
	unsigned ask_in;            /* looks, then that is asked again */
	struct track track[TRACKS]; /* of processes, then of threads */
	uint32_t counting;
	uint64_t files;   /* that counters of processes have open */
	unsigned wanted;  /* processes to be counted at the last look ... */
	unsigned no_room; /* ... of those without counters for want of files */
	/* The process that is open; its list of threads is closed: none. */
	struct proc_list threads;
	int32_t opened;
	uint64_t opened_at;
	struct process_command command;
	char command_of[PROCESS_NAME_SIZE]; /* its name when that was read */
	uint64_t limit_before; /* to be put back; 0: never looked at */
	uint64_t limit;        /* of open files, as far as is known; 0: not */
	bool at_most;          /* there cannot be more */
	uint64_t busy;         /* /proc/stat's at the reading before */
	uint64_t boot_wall_s;  /* when the machine started; 0: unknown */
};

/* Events of processes, taken on request. Zeroed, nothing is taken. */
struct perf_traced {
	bool on, refused;
	bool crowded;  /* what the last reading covers lacked counters */
	bool in_vain;  /* the pair found none though the cores gave all */
	bool other;    /* what was read last is of another set, in part */
	unsigned keep; /* slots of a kind that are counted, at most */
	char why[PROCESS_TRACED_WHY];
};

struct perf_cpu {
	struct group group;
	bool off;             /* line: its system says so */
	bool denied;          /* it could be opened before, now not any more */
	bool none;            /* no such PMU here, whatever sysfs says */
	int64_t retry_ns;     /* no new attempt before; awake time */
	int64_t back_off_ns;  /* the next wait */
	unsigned starved;     /* readings in a row without a moment to count */
	unsigned shared;      /* the same, without all of the time */
	unsigned skipped;     /* lazily */
	uint64_t busy, total; /* of the reading before, for laziness */
	/* clocks.c's, where the source has_clocks. */
	struct group clocks;
	struct reading clock[FIXED_COUNT]; /* of the reading before, if ... */
	bool clocked;
	bool ticked;                          /* the next four have a value */
	uint64_t busy_ns, total_ns;           /* what samples have */
	uint64_t tick_busy_ns, tick_total_ns; /* of the reading before */
	int64_t clocks_again_ns;              /* no new attempt before */
};

/* What of the set is not counted on a kind, while others hold counters. */
enum { FIT_INSTRUCTIONS = EVENTSET_MAX }; /* beside slots: those of the pair */
struct perf_fit {
	uint32_t left_out;    /* 1 << slot */
	unsigned tight;       /* a CPU on which no more of them fits */
	unsigned wait, pause; /* readings until it is tried again; the next */
	unsigned grew;        /* readings until one that came back has stayed */
};

struct perf_source {
	struct source source; /* first */
	char *root;           /* NULL: this machine */
	struct topology *topology;
	struct perf_catalog catalog;
	struct group_port port;  /* ops NULL: a recorded machine */
	struct perf_cpu *cpu;    /* [ncpus] */
	struct group_plan *plan; /* [nkinds], of the set in force */
	struct group_plan *next; /* [nkinds], being tried */
	struct proc_stat stat;
	struct perf_processes processes;
	struct perf_traced traced;
	struct hotplug_watch places;
	struct eventset set;
	struct perf_fit *fit;    /* [nkinds] */
	unsigned dropped_before; /* rows of set.dropped that are not ours */
	int hardware; /* errno of the last attempt to count; 0: it went well */
	bool counts;  /* hardware counters, on some CPU at least */
	bool counted; /* they were, before this took another's place */
	bool had_rights; /* they were effective when this was opened */
	bool lazy, user_only;
	bool has_clocks; /* busy times are in ns, of clocks where those tell */
	struct group_plan clocks;
	bool turns;      /* --mux: the kernel lets groups take turns */
	unsigned yields; /* slots that the cores leave to processes */
	bool baseline;   /* the next reading is the first of a set */
	bool short_of_files;
	uint64_t used; /* files that were open before the first counter */
	uint64_t power_files; /* ... of which so many are those of power.c */
	unsigned newcomers;   /* CPUs on line whose place is not known */
	unsigned dropped;     /* readings that made no sense */
	/* What is said while nothing more urgent is, the last first; "". */
	char refused[200], crowded[200];
	size_t refused_len; /* of events; then come kinds that have none */
};

static inline struct perf_source *
perf_of(struct source *s)
{
	return (struct perf_source *)(void *)s;
}

/* examine.c */
extern const struct examine_question perf_examine[];

/* ---- clocks.c: the CPUs' own busy time ---- */

/* After the pair, where the rights are. */
void perf_clocks_open(struct perf_source *s);
void perf_clocks_close(struct perf_source *s);
uint64_t perf_clocks_files(const struct perf_source *s);

/* A CPU's busy time, of its clocks or else of the ticks that are in *out. */
void perf_clocks_fill(struct perf_source *s, unsigned i, int64_t now_ns,
		      struct cpu_sample *out);

/* power.c: source_ops.power */
struct power_source *perf_power(struct source *base, struct err *e);

/* ---- plan.c ---- */

/*
 * How important a slot of the set is, lower is more, after the pair (0) and a
 * leader (1): the first metric of the preset that needs it, those that the
 * preset keeps before the others.
 */
unsigned perf_slot_rank(const struct perf_source *s, const struct eventset *set,
			unsigned kind, unsigned slot);

/*
 * One kind's next[] for the set (NULL: the fixed pair) without the slots that
 * are left out.
 */
void perf_plan_kind(struct perf_source *s, const struct eventset *set,
		    unsigned kind, uint32_t left_out);

/* The whole set, on every kind. */
void perf_plan(struct perf_source *s, const struct eventset *set);

/*
 * 0 where cycles, or of the kernel's own events one, can be opened on some CPU;
 * or the errno.
 */
int perf_try_open(struct perf_source *s, bool hardware);

/*
 * Could what is counted, or was, be opened again? False and *e: not now, and
 * counters that are open should stay so.
 */
bool perf_could_count(struct perf_source *s, struct err *e);

/* Descriptors that next[] takes on the CPUs that are on line. */
uint64_t perf_count_files(const struct perf_source *s);

/* ---- program.c ---- */

/* Counts by next[] from now on. False and *e: plan[] goes on. */
bool perf_open_plan(struct perf_source *s, struct err *e);

bool perf_program(struct source *base, const struct eventset *set,
		  struct err *e);

/* Says again which kinds' PMUs count nothing at all: one may have come back. */
void perf_note_without_pmu(struct perf_source *s);

/* ---- fit.c ---- */

/* A set is new: leaves out of it at once what does not fit. */
void perf_fit_begin(struct perf_source *s);

/*
 * After a reading: leaves out what does not fit, tries again what did not.
 * True: some CPUs have other events from now on.
 */
bool perf_fit(struct perf_source *s);

/*
 * The cores leave so many slots to processes, the least important; 0: all of
 * the set counts again. False: that cannot be opened now.
 */
bool perf_yield_slots(struct perf_source *s, unsigned slots);

/* Slots that take a counter of that kind, without the most important. */
uint32_t perf_slots_beyond(struct perf_source *s, unsigned kind, unsigned keep);

/* ---- processes.c ---- */

/* Where there is a list of them, info.processes says so. */
void perf_processes_open(struct perf_source *s);
void perf_processes_close(struct perf_source *s);

/* They go on with the source that takes the place of `old`. */
void perf_processes_take_over(struct perf_source *s, struct perf_source *old);

/* source_ops.processes */
bool perf_processes_read(struct source *base, const struct process_wish *w,
			 struct process_reading *out, struct err *e);

/* ---- tracks.c ---- */

/* Files that may be open for processes; raises the limit for `want`. */
uint64_t perf_tracks_file_budget(struct perf_source *s, uint64_t want);

/* Reads the counters: right after the look at the list. */
void perf_tracks_read(struct perf_source *s, int64_t awake_ns);

/* Who is counted from now on. */
void perf_tracks_choose(struct perf_source *s, const struct process_wish *w,
			int64_t awake_ns);

/* Looks at the threads of the process that is open; which it is, or NULL. */
const struct proc_entry *perf_tracks_threads(struct perf_source *s,
					     const struct process_wish *w,
					     const struct stamp *now);

/* Of those that have ended, and were read for the last time. */
void perf_tracks_drop_gone(struct perf_source *s);

/* Of all; who is counted is chosen anew. */
void perf_tracks_close(struct perf_source *s);

/* ---- process_events.c ---- */

/*
 * What the last reading of the counters says, and then as it is wished: who is
 * counted is chosen by another plan then. Between perf_tracks_read and
 * perf_tracks_choose.
 */
void perf_traced_read(struct perf_source *s, const struct process_wish *w,
		      struct process_traced *out);

/* After the threads of the process that is open were read: those, and files. */
void perf_traced_finish(struct perf_source *s, struct process_traced *out);

/* Cycles and instructions alone, of the part's kind. */
void perf_traced_plan_pair(const struct perf_source *s, struct task_part *to);

/* Closes what counts them. */
void perf_traced_close(struct perf_source *s);

#endif

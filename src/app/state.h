/* State of a running ktop; each part is written by its own file. */
#ifndef APP_STATE_H
#define APP_STATE_H

#include "base/clock.h"
#include "base/ticker.h"
#include "monitor/account.h"
#include "monitor/monitor.h"
#include "options/options.h"
#include "out/sink.h"
#include "process/child.h"
#include "process/marks.h"
#include "source/source.h"
#include "ui/ui.h"

#include <signal.h>

enum { SECOND_NS = 1000 * 1000 * 1000 };

struct app;

/* ---- messages.c: the loop shows them ---- */

enum { MESSAGE_BYTES = 640, MESSAGES_KEPT = 40 };

struct messages {
	unsigned first, n;
	char text[MESSAGES_KEPT][MESSAGE_BYTES];
};

/* Drops the oldest message if full. */
void messages_add(struct messages *n, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* The oldest, valid until the next messages_add; or NULL. */
const char *messages_take(struct messages *n);

/* ---- counting.c ---- */

enum { REFUSED_WORDS = 32 }; /* 64 events each */

/* Events that the system refuses: bits of one catalog. */
struct refused {
	const struct catalog *catalog; /* or NULL */
	uint64_t bit[REFUSED_WORDS];
};

struct counting {
	struct eventset set; /* counted, or to be reacquired */
	struct err why;      /* why counting failed at the start */
	bool ipc;            /* the user chose fixed counters only */
	bool retake;         /* reacquire the counters when possible */
	uint32_t possible, preset_refused; /* bits as in ui_status */
	struct refused refused;            /* for the picker */
};

struct rotation {
	bool on;
	unsigned n, at;
	int preset[OPTIONS_ROTATE_MAX];
	char name[160]; /* "basic, branch" */
};

/* counting.why: the reason if only part of the request is counted. */
bool counting_start(struct app *a, struct err *e);
/* Counts a preset; true: the events have changed. */
bool counting_use_preset(struct app *a, int preset);
bool counting_toggle_ipc(struct app *a);
/* Counts single events; makes a preset if named. */
bool counting_use_events(struct app *a, const struct ui_events *chosen);

/* Releases the counters; true: events were counted. */
bool counting_release(struct app *a);
/* Reacquires the counters; counting_retry_resume retries. */
void counting_resume(struct app *a, bool full);
void counting_retry_resume(struct app *a);

void rotation_toggle(struct app *a);
void rotation_use_next(struct app *a);

const uint64_t *counting_refused(struct app *a);

/* macOS 14.4 to 15 counts for tools only events on a list (xnu a64/kpc.c,
 * cpc_arm64_events.c), fewer than in databases. os: "macOS 15.4". */
void refused_init(struct refused *r, const struct catalog *c, const char *os);
/* Learns refused events from the set that counts. */
void refused_learn(struct refused *r, const struct eventset *set);
/* From a failed call, which refused all events. */
void refused_learn_all(struct refused *r, const struct eventset *set,
		       const struct err *e);
/* Are all events of the set known to be refused? */
bool refused_all(struct refused *r, const struct eventset *set);

/* ---- changed CPUs: renew the source ---- */

struct renewal {
	int64_t opened_ns; /* time of the last renewal; 0: never */
	int64_t wait_ns;   /* wait before the next attempt; 0: no failure */
	unsigned machines; /* number of renewals */
};

enum renewal_result {
	RENEWAL_NONE,
	RENEWAL_LATER, /* will be retried */
	RENEWAL_DONE,
	RENEWAL_GONE /* the source ends: *e */
};

/* Call between intervals: renews at most once a second, and retries. */
enum renewal_result renewal_of_machine(struct app *a, struct err *e);
enum renewal_result renewal_of_recording(struct app *a, struct err *e);

/* ---- sampling.c: readings to frames ---- */

enum { REPORTED_ZEROS_MAX = 32 };

enum sampled {
	SAMPLED_NOTHING, /* a baseline: no frame */
	SAMPLED_FRAME,
	SAMPLED_FAILED, /* may succeed later */
	SAMPLED_GONE,   /* no more readings: sampling.why */
	SAMPLED_END
};

/* Events already reported as zero; pointers are only compared. */
struct reported_zeros {
	const char *event[REPORTED_ZEROS_MAX];
	unsigned n;
};

struct sampling {
	struct sample *sample;
	uint64_t frames;
	bool worked;              /* some reading succeeded */
	uint64_t failed;          /* consecutive failures */
	bool gone;                /* permanently */
	struct err why;           /* reason of the last failure */
	bool counted;             /* anything was ever counted */
	bool in_use;              /* other programs used all counters */
	char reported[256];       /* the source's last notice */
	bool impossible_reported; /* impossible counts were reported */
	struct reported_zeros reported_zeros;
};

bool sampling_open(struct app *a, struct err *e);
void sampling_close(struct app *a);
/* NULL and *e on failure. */
struct monitor *sampling_monitor(const struct app *a, struct err *e);

/* Takes a sample and sets a->frame. */
enum sampled sampling_read_frame(struct app *a);
/* Call after program(). */
void sampling_read_baseline(struct app *a);
/* Call before counting single events: adds their rates. */
void sampling_add_rates(struct app *a, const struct eventset *set);

/* Each reading interrupts all CPUs; short periods need --force. */
bool sampling_period_ok(const struct app *a, int64_t period_ns, struct err *e);

/* ---- processes ---- */

struct process_reader {
	struct process_reading reading;
	char reported[sizeof((struct err *)NULL)->text]; /* last failure */
	char notice[sizeof((struct process_reading *)NULL)->notice];
	char tracing[PROCESS_TRACED_WHY + 32]; /* the last message on events */
	bool restart_reported;
	bool was_requested;   /* requested at the last reading */
	bool shown;           /* the screen shows processes */
	bool early_requested; /* an early sample was requested since then */
	int32_t opened;       /* process open on the screen; -1: none */
	bool counted;         /* some process ever had counts */
};

/* False and *e: the source has no list of processes. */
bool processes_check(struct app *a, struct err *e);
/* Call after monitor_feed, which made f (may be NULL). */
void process_reader_read(struct app *a, const struct frame *f);
/* Did a key open processes or threads since then? */
bool process_was_opened(struct app *a);
/* Is this the first reading, without rates, on a screen? */
bool process_sample_wanted_early(struct app *a);

/* ---- power.c ---- */

struct power_feed;

/* Needs a monitor; a missing energy source is no error. */
void power_feed_open(struct app *a);
void power_use_monitor(struct app *a);
/* Call before feeding a sample of that time. */
void power_read_due(struct app *a, int64_t now_ns);
/* Reads at once: at the start and end of a run. */
void power_read_early(struct app *a);
void power_feed_close(struct app *a);

/* ---- outlets.c ---- */

enum { NAMED_SIZE = 64 };

struct outlet {
	struct sink *sink; /* NULL: closed */
	struct sink_about about;
	char name[256];
	uint64_t frames, lost;
	bool gone; /* its reader has closed: not an error */
};

struct outlets {
	struct outlet outlet[OUTPUTS_ALL];
	struct view *batch_view; /* the view for rows of -b; NULL: all rows */
	unsigned marks; /* markers so far, numbered from 1 per recording */
	struct marks mark_file; /* markers of other programs */
};

/* Are the outputs separate and possible? Creates nothing. */
bool outlets_check(const struct app *a, struct err *e);
bool outlets_open(struct app *a, struct err *e);
void outlets_close(struct app *a);
/* After a failed start: removes the files created. */
void outlets_discard(struct app *a);

/* False: the reader of the only output is gone. */
bool outlets_write_frame(struct app *a);
bool outlets_flush(struct app *a);
bool outlets_hold_back(const struct app *a);
/* Records a change of the topology from `was`. */
bool outlets_change_topology(struct app *a, const struct topology *was,
			     struct err *e);

/* Call after the last frame. */
void outlets_write_marker(struct app *a, const struct stamp *at,
			  const char *text);
bool outlets_keep_markers(const struct app *a);
/* Starts or stops recording (key c). */
void outlets_toggle_recording(struct app *a);

/* "ktop-20261120-140322.csv", with a number from n = 2 on. False: no time. */
bool make_name_by_time(const struct app *a, const char *ending, unsigned n,
		       char name[NAMED_SIZE]);

/* ---- marking.c: key m, SIGUSR1, `ktop mark`, recordings ---- */

/* A marker that waits for its name or the first frame. */
struct waiting_mark {
	bool is, named;
	unsigned number;
	struct stamp at;
	char name[MARKS_TEXT_SIZE];
};

struct marking {
	struct waiting_mark key, outside;
	unsigned nshown; /* the run's last markers */
	struct waiting_mark shown[UI_MARKS];
	struct ui_mark listed[UI_MARKS];
};

/* moment as in UI_MARK; name "": unnamed. */
void marking_add_by_key(struct app *a, int64_t moment);
void marking_set_name(struct app *a, const char *name);
/* Adds a marker for SIGUSR1, with `ktop mark`'s text or none. */
void marking_add_from_outside(struct app *a);
void marking_add_recorded(struct app *a, const struct stamp *at,
			  const char *name);
/* Writes waiting markers: after a frame, at the end. */
void marking_write_waiting(struct app *a);
void marking_write_at_end(struct app *a);
/* Markers so far, by time; returns their number. */
unsigned marking_list(struct app *a, const struct ui_mark **out);

/* ---- screen.c ---- */

struct screen {
	bool wanted;   /* a screen; else batch text or only a recording */
	struct ui *ui; /* NULL: closed */
	char message[600];
	int64_t message_until_ns;
	int64_t cost_at_ns, cost_cpu_ns; /* at the last measurement */
	double own_cpu_pct;
	uint64_t skipped;      /* refreshes */
	char shot[NAMED_SIZE]; /* name of the last saved screen */
	unsigned shots;        /* copies with that name */
};

bool screen_open(struct app *a, struct err *e);
void screen_close(struct app *a);
void screen_show(struct app *a, const char *text);
/* False: the terminal is gone. ended: there are no more frames. */
bool screen_draw(struct app *a, bool ended);
/* Saves the screen as text (key A) and reports the file's name. */
void screen_save_text(struct app *a);

/* ---- loop.c ---- */

struct loop {
	sigset_t wait;  /* signal mask during sleep */
	uint64_t files; /* the limit of open files at the start */
	struct ticker ticker;
	bool stop;
	bool changed;     /* changed by keys, not drawn yet */
	bool holding;     /* --hold: all frames are shown */
	int code;         /* exit code */
	struct err error; /* error printed after the terminal is restored */
};

/* Sets loop.code and loop.error. */
void loop_run(struct app *a);
void loop_show_messages(struct app *a);
/* Call after closing the source: waits briefly for slow readers. */
void loop_drain(struct app *a);
/* Stops until the job owns the terminal. False: no shell resumes it. */
bool job_wait_for_terminal(const struct app *a, struct err *e);

/* ---- replay.c ---- */

/* Drops root privileges first. NULL and *e on failure. */
struct source *replay_open_source(struct app *a, struct err *e);
/* Writes the frame's markers to outputs, as for a live machine. */
void replay_note_frame(struct app *a);

bool replay_is_resting(const struct app *a);
int64_t replay_next_frame_ns(struct app *a);
/* Stays at the end, where users may go back. */
void replay_stay_at_end(struct app *a);

/* Handles a replay key with its text. *next: take a frame. False and *e: read
 * error. */
bool replay_handle_key(struct app *a, enum ui_replay_action action,
		       const char *text, bool *next, struct err *e);
/* Valid until the next call. NULL: streamed. */
const struct ui_replay *replay_status(const struct app *a);

/* ---- save.c ---- */

/* --filter, --sort, --pin: names that no machine has are an error, in the
 * config file a notice. */
bool row_options_check(struct app *a, struct err *e);

void save_choices(struct app *a, const struct ui_request *r);
void save_preset(struct app *a, int preset);

/* ---- run.c ---- */

struct run {
	struct child child;
	struct account account;
	bool moved; /* the CPUs changed */
};

/* Call after counting has started. */
bool run_start(struct app *a, struct err *e);
/* Adapts the totals to changed CPUs. False and *e: out of memory. */
bool run_change_topology(struct app *a, const struct topology *was,
			 struct err *e);
/* Call after SIGCHLD, or at exit. */
bool run_has_ended(struct app *a);
/* The command's exit code, or that of the failure; 0: none. */
int run_code(const struct app *a);
void run_report(const struct app *a);
void run_free(struct app *a);

/* Each part is written by its own file only; all may read it. */
struct app {
	const struct options *o;
	struct user user;       /* shared with the screen */
	struct ui_options look; /* options of the screen that are valid here */
	bool text;
	int64_t period_ns;
	struct source *source;
	const struct clock *clock;
	struct monitor *monitor;
	const struct metric *metric[METRIC_MAX];
	const struct frame *frame; /* NULL before the first frame */
	struct messages messages;

	struct sampling sampling;
	struct process_reader process_reader;
	struct power_feed *power; /* or NULL */
	struct counting counting;
	struct rotation rotation;
	struct renewal renewal;
	struct outlets outlets;
	struct marking marking;
	struct screen screen;
	struct loop loop;
	struct replay_pace *pace; /* replay on screen, or NULL */
	struct run *run;          /* or NULL */
	char crash_line[160];     /* text for the crash handler */
	void *crash;              /* its alternate stack */
};

#endif

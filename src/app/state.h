/* State of a running ktop. Only the file that a section names writes it. */
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

/* ---- messages.c ---- */

enum { MESSAGE_BYTES = 640, MESSAGES_KEPT = 40 };

struct messages {
	unsigned first, n;
	char text[MESSAGES_KEPT][MESSAGE_BYTES];
};

/* Drops the oldest message if the queue is full. */
void messages_add(struct messages *n, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* Takes the oldest message, valid until the next messages_add; NULL: none. */
const char *messages_take(struct messages *n);

/* ---- counting.c ---- */

enum { REFUSED_WORDS = 32 }; /* words of refused.bit, for 64 events each */

/* Events that the system refuses: a bit for each event of the catalog. */
struct refused {
	const struct catalog *catalog;
	uint64_t bit[REFUSED_WORDS];
};

struct counting {
	struct eventset set; /* the counted events, or those to reacquire */
	struct err why;
	bool ipc;
	bool retake; /* acquiring failed: retry at each interval */
	uint32_t possible, preset_refused; /* bits as in ui_status */
	struct refused refused;
};

struct rotation {
	bool on;
	unsigned n, at;
	int preset[OPTIONS_ROTATE_MAX];
	char name[160]; /* names of the presets: "basic, branch" */
};

/* False and *e: ktop cannot start. counting.why set: no events are counted. */
bool counting_start(struct app *a, struct err *e);
/* Counts the events of a preset. True: the counted events have changed. */
bool counting_use_preset(struct app *a, int preset);
bool counting_toggle_ipc(struct app *a);
/* Counts the chosen events as a preset; saves the preset if it has a name. */
bool counting_use_events(struct app *a, const struct ui_events *chosen);

/* Releases the counters. True: events were counted, for counting_resume. */
bool counting_release(struct app *a);
/* If `full`, reacquires the counters; counting_retry_resume retries. */
void counting_resume(struct app *a, bool full);
void counting_retry_resume(struct app *a);

void rotation_toggle(struct app *a);
void rotation_use_next(struct app *a);

const uint64_t *counting_refused(struct app *a);

/* macOS 14.4 to 15 lets tools count only events on a list (xnu a64/kpc.c,
 * cpc_arm64_events.c), fewer than Apple's database has. os: "macOS 15.4". */
void refused_init(struct refused *r, const struct catalog *c, const char *os);
void refused_learn(struct refused *r, const struct eventset *set);
/* Marks all events of the set as refused if e says that macOS refuses them. */
void refused_learn_all(struct refused *r, const struct eventset *set,
		       const struct err *e);
/* Does the system refuse all configurable events of the set? */
bool refused_all(struct refused *r, const struct eventset *set);

/* ---- counting.c: a new source after the CPUs have changed ---- */

struct renewal {
	int64_t opened_ns; /* awake time of the last attempt; 0: none yet */
	int64_t wait_ns;   /* ns to wait after a failure; 0: no failure */
	unsigned machines;
};

enum renewal_result {
	RENEWAL_NONE,
	RENEWAL_LATER, /* failed; another attempt follows */
	RENEWAL_DONE,
	RENEWAL_GONE /* the old source has ended: see *e */
};

/* Renews an outdated source, at most once a second; call between intervals. */
enum renewal_result renewal_of_machine(struct app *a, struct err *e);
enum renewal_result renewal_of_recording(struct app *a, struct err *e);

/* ---- sampling.c ---- */

enum { REPORTED_ZEROS_MAX = 32 };

enum sampled {
	SAMPLED_NOTHING, /* a baseline, or a frame before the part */
	SAMPLED_FRAME,
	SAMPLED_FAILED, /* no reading now; a later one may succeed */
	SAMPLED_GONE,   /* no more readings; sampling.why has the reason */
	SAMPLED_END
};

struct reported_zeros {
	const char *event[REPORTED_ZEROS_MAX];
	unsigned n;
};

struct sampling {
	struct sample *sample;
	uint64_t frames;
	bool worked;
	uint64_t failed; /* consecutive failed readings */
	bool gone;
	struct err why;
	bool counted; /* cycles or events were counted */
	bool in_use;  /* other programs used all counters in the last frame
			 without counts */
	char reported[256];
	bool impossible_reported;
	struct reported_zeros reported_zeros;
};

bool sampling_open(struct app *a, struct err *e);
void sampling_close(struct app *a);
/* NULL and *e on failure. */
struct monitor *sampling_monitor(const struct app *a, struct err *e);

/* Takes a sample; SAMPLED_FRAME: sets a->frame. */
enum sampled sampling_read_frame(struct app *a);
void sampling_read_baseline(struct app *a);
/* Binds the metrics of event rates to the set; call before counting the set. */
void sampling_add_rates(struct app *a, const struct eventset *set);

/* False and *e: so short an interval on so many CPUs needs --force. */
bool sampling_period_ok(const struct app *a, int64_t period_ns, struct err *e);

/* ---- processes ---- */

struct process_reader {
	struct process_reading reading;
	char reported[sizeof((struct err *)NULL)->text];
	char notice[sizeof((struct process_reading *)NULL)->notice];
	char tracing[PROCESS_TRACED_WHY + 32];
	bool restart_reported;
	bool was_requested;
	bool shown;
	bool early_requested;
	int32_t opened; /* pid of the process open on the screen; -1: none */
	bool counted;
};

/* False and *e: --processes or --trace-processes does not apply. */
bool processes_check(struct app *a, struct err *e);
/* Reads the processes; call after monitor_feed, which made f (NULL: none). */
void process_reader_read(struct app *a, const struct frame *f);
/* Did a key open the processes or a process since the last call? */
bool process_was_opened(struct app *a);
/* Do all processes, or all threads, lack values? True once per opening. */
bool process_sample_wanted_early(struct app *a);

/* ---- power.c ---- */

struct power_feed;

void power_feed_open(struct app *a);
void power_use_monitor(struct app *a);
/* Reads energy if it is due; call before feeding a sample taken at now_ns. */
void power_read_due(struct app *a, int64_t now_ns);
void power_read_early(struct app *a);
void power_feed_close(struct app *a);

/* ---- outlets.c ---- */

enum { NAMED_SIZE = 64 };

struct outlet {
	struct sink *sink;
	struct sink_about about;
	char name[256];
	uint64_t frames, lost;
	bool gone; /* the output's reader has ended, which is no error */
};

struct outlets {
	struct outlet outlet[OUTPUTS_ALL];
	struct view *batch_view; /* order of rows for -b; NULL: all rows */
	unsigned marks;          /* number of the recording's last marker */
	struct marks mark_file;
};

/* False and *e: outputs conflict or cannot be written. Creates no file. */
bool outlets_check(const struct app *a, struct err *e);
bool outlets_open(struct app *a, struct err *e);
void outlets_close(struct app *a);
void outlets_discard(struct app *a);

/* False: the reader of an output has ended, and without a screen ktop ends. */
bool outlets_write_frame(struct app *a);
bool outlets_flush(struct app *a);
bool outlets_hold_back(const struct app *a);
bool outlets_change_topology(struct app *a, const struct topology *was,
			     struct err *e);

void outlets_write_marker(struct app *a, const struct stamp *at,
			  const char *text);
bool outlets_keep_markers(const struct app *a);
void outlets_toggle_recording(struct app *a);

/* "ktop-20261120-140322.csv"; n > 1 adds "-n". False: no local time. */
bool make_name_by_time(const struct app *a, const char *ending, unsigned n,
		       char name[NAMED_SIZE]);

/* ---- marking.c: markers by key m, SIGUSR1, `ktop mark` or a recording ---- */

/* A marker to be written once it has a name and there is a frame. */
struct waiting_mark {
	bool is, named;
	unsigned number;
	struct stamp at;
	char name[MARKS_TEXT_SIZE];
};

struct marking {
	struct waiting_mark key, outside;
	unsigned nshown;
	struct waiting_mark shown[UI_MARKS];
	struct ui_mark listed[UI_MARKS];
};

/* Adds a marker at `moment` (as in UI_MARK); marking_set_name writes it. */
void marking_add_by_key(struct app *a, int64_t moment);
void marking_set_name(struct app *a, const char *name);
/* Adds a marker for SIGUSR1; `ktop mark` may have left a text for it. */
void marking_add_from_outside(struct app *a);
void marking_add_recorded(struct app *a, const struct stamp *at,
			  const char *name);
void marking_write_waiting(struct app *a);
void marking_write_at_end(struct app *a);

/* Call when the screen is closed. */
void marking_report_unsaved(const struct app *a);
unsigned marking_list(struct app *a, const struct ui_mark **out);

/* ---- screen.c ---- */

struct screen {
	bool wanted; /* false: ktop prints text or only records */
	struct ui *ui;
	char message[600];
	int64_t message_until_ns;
	int64_t cost_at_ns, cost_cpu_ns; /* at the last measurement */
	double own_cpu_pct;
	uint64_t skipped; /* refreshes that the terminal was too slow for */
	char shot[NAMED_SIZE]; /* last saved name, without number and ending */
	unsigned shots;        /* last number used with `shot` */
};

bool screen_open(struct app *a, struct err *e);
void screen_close(struct app *a);
void screen_show(struct app *a, const char *text);
/* False: the terminal has gone. ended: no frame will follow. */
bool screen_draw(struct app *a, bool ended);
void screen_save_text(struct app *a);

/* ---- loop.c ---- */

struct loop {
	sigset_t wait;  /* signal mask while ktop sleeps */
	uint64_t files; /* limit of open files at the start, for the command */
	struct ticker ticker;
	bool stop;
	bool changed; /* a key changed the screen, which is not drawn yet */
	bool holding; /* the simulation has ended; --hold keeps the screen */
	int code;
	struct err error; /* printed after the terminal is restored */
};

void loop_run(struct app *a);
void loop_show_messages(struct app *a);
/* Waits for slow readers of the outputs; call after closing the source. */
void loop_drain(struct app *a);
/* Stops ktop until its job owns the terminal. False: no shell resumes it. */
bool job_wait_for_terminal(const struct app *a, struct err *e);

/* ---- replay.c ---- */

/* Opens the recording without root privileges. NULL and *e on failure. */
struct source *replay_open_source(struct app *a, struct err *e);
void replay_note_frame(struct app *a);

bool replay_is_resting(const struct app *a);
int64_t replay_next_frame_ns(struct app *a);
void replay_stay_at_end(struct app *a);

/* Performs a replay action. *next: read a frame. False and *e: a read failed.
 */
bool replay_handle_key(struct app *a, enum ui_replay_action action,
		       const char *text, bool *next, struct err *e);
/* Valid until the next call. NULL: a streamed recording, without an index. */
const struct ui_replay *replay_status(const struct app *a);

/* ---- save.c ---- */

/* Checks --filter, --sort, --pin and --theme. A wrong value is an error; in the
 * config file it is a notice, and the option is ignored. */
bool row_options_check(struct app *a, struct err *e);

void save_choices(struct app *a, const struct ui_request *r);
void save_preset(struct app *a, int preset);

/* ---- run.c ---- */

struct run {
	struct child child;
	struct account account;
	bool moved;
};

/* Starts the command; call after counting has started. */
bool run_start(struct app *a, struct err *e);
bool run_change_topology(struct app *a, const struct topology *was,
			 struct err *e);
/* Has the command ended? Call after SIGCHLD, and at exit. */
bool run_has_ended(struct app *a);
/* Exit code of the command, or of the failure to start it; 0: no command. */
int run_code(const struct app *a);
void run_report(const struct app *a);
void run_free(struct app *a);

struct app {
	const struct options *o;
	struct user user;
	struct ui_options look; /* the screen's options, without invalid ones */
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
	struct power_feed *power; /* NULL: no energy source */
	struct counting counting;
	struct rotation rotation;
	struct renewal renewal;
	struct outlets outlets;
	struct marking marking;
	struct screen screen;
	struct loop loop;
	struct replay_pace *pace; /* replay on a screen; NULL: none */
	struct run *run;          /* `ktop -- COMMAND`; NULL: none */
	char crash_line[160];
	void *crash; /* stack of the crash handler */
};

#endif

/* State of a running ktop; each part is written by its file. */
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

/* Drops the oldest if full. */
void messages_add(struct messages *n, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* The oldest, valid until the next messages_add; or NULL. */
const char *messages_take(struct messages *n);

/* ---- counting.c ---- */

enum { REFUSED_WORDS = 32 }; /* 64 events each */

/* Events the system refuses: bits, for one catalog. */
struct refused {
	const struct catalog *catalog; /* or NULL */
	uint64_t bit[REFUSED_WORDS];
};

struct counting {
	struct eventset set; /* wanted: counted, or to be reacquired */
	struct err why;      /* why it was not counted at the start */
	bool ipc;            /* by the user */
	bool retake;         /* reacquire after a stop, when possible */
	uint32_t possible, preset_refused; /* bits as in ui_status */
	struct refused refused;            /* for the picker */
};

struct rotation {
	bool on;
	unsigned n, at;
	int preset[OPTIONS_ROTATE_MAX];
	char name[160]; /* "basic, branch" */
};

/* counting.why: not everything requested. */
bool counting_start(struct app *a, struct err *e);
/* Keys; true: other events are counted now. */
bool counting_use_preset(struct app *a, int preset);
bool counting_toggle_ipc(struct app *a);
/* Single events; becomes a preset if named. */
bool counting_use_events(struct app *a, const struct ui_events *chosen);

/* Releases the counters; true: events were counted. */
bool counting_release(struct app *a);
/* Reacquires; counting_retry_resume retries. */
void counting_resume(struct app *a, bool full);
void counting_retry_resume(struct app *a);

void rotation_toggle(struct app *a);
/* The next set of the rotation. */
void rotation_use_next(struct app *a);

const uint64_t *counting_refused(struct app *a);

/* macOS 14.4 to 15 counts for tools only events on a list (xnu a64/kpc.c,
 * cpc_arm64_events.c), fewer than in databases. os: "macOS 15.4". */
void refused_init(struct refused *r, const struct catalog *c, const char *os);
/* From a set in force. */
void refused_learn(struct refused *r, const struct eventset *set);
/* From a failure, if *e means that. */
void refused_learn_all(struct refused *r, const struct eventset *set,
		       const struct err *e);
/* All its events are known to be refused? */
bool refused_all(struct refused *r, const struct eventset *set);

/* ---- changed CPUs: renews the source ---- */

struct renewal {
	int64_t opened_ns; /* last renewal; 0: none */
	int64_t wait_ns;   /* until the next try; 0: no failure */
	unsigned machines; /* number of renewals */
};

enum renewed {
	RENEWED_NOT,
	RENEWED_LATER, /* will be retried */
	RENEWED_WELL,
	RENEWED_GONE /* end: *e */
};

/* Between intervals, at most once a second; retries. */
enum renewed renewal_of_machine(struct app *a, struct err *e);
/* For a recording. */
enum renewed renewal_of_recording(struct app *a, struct err *e);

/* ---- sampling.c: readings to frames ---- */

enum { ZERO_TOLD_MAX = 32 };

enum sampled {
	SAMPLED_NOTHING, /* a baseline */
	SAMPLED_FRAME,
	SAMPLED_FAILED, /* may succeed later */
	SAMPLED_GONE,   /* no more: sampling.why */
	SAMPLED_END
};

/* Reported zero events; pointers are only compared. */
struct zero_told {
	const char *event[ZERO_TOLD_MAX];
	unsigned n;
};

struct sampling {
	struct sample *sample;
	uint64_t frames;
	bool worked;     /* a reading succeeded */
	uint64_t failed; /* in a row */
	bool gone;       /* permanently */
	struct err why;  /* of the last failure */
	bool counted;    /* anything, ever */
	bool held;       /* counters were in use, ever */
	char told[256];  /* the last notice of the source */
	bool doubt_told; /* impossible counts were reported */
	struct zero_told zero_told;
};

bool sampling_open(struct app *a, struct err *e);
void sampling_close(struct app *a);
/* NULL and *e. */
struct monitor *sampling_monitor(const struct app *a, struct err *e);

/* Sets a->frame. */
enum sampled sampling_read_frame(struct app *a);
/* After program(). */
void sampling_read_baseline(struct app *a);
/* Before a set of single events: adds their rates. */
void sampling_add_rates(struct app *a, const struct eventset *set);

/* Every reading interrupts all CPUs: false and *e without --force. */
bool sampling_period_ok(const struct app *a, int64_t period_ns, struct err *e);

/* ---- processes ---- */

struct watching {
	struct process_reading reading;
	char told[sizeof((struct err *)NULL)->text]; /* last failure */
	char notice[sizeof((struct process_reading *)NULL)->notice];
	char tracing[PROCESS_TRACED_WHY + 32]; /* last message on events */
	bool restart_told;
	bool wished;    /* at the last reading */
	bool shown;     /* for watching_was_opened */
	bool hurried;   /* watching_wants_early_sample was true since then */
	int32_t opened; /* while shown; -1: none */
	bool counted;   /* some process had counts */
};

/* False and *e: the source has no processes. */
bool processes_check(struct app *a, struct err *e);
/* After monitor_feed, which made f (may be NULL). */
void watching_read(struct app *a, const struct frame *f);
/* Did a key show processes or threads since then? */
bool watching_was_opened(struct app *a);
/* First reading, without rates, on a screen? */
bool watching_wants_early_sample(struct app *a);

/* ---- power.c ---- */

struct power_feed;

/* Needs a monitor; no message if there is none. */
void power_feed_open(struct app *a);
/* For a new monitor. */
void power_use_monitor(struct app *a);
/* Before feeding a sample of that time. */
void power_read_due(struct app *a, int64_t now_ns);
/* Reads now, as a run starts or ends. */
void power_read_early(struct app *a);
void power_feed_close(struct app *a);

/* ---- outlets.c ---- */

enum { NAMED_SIZE = 64 };

struct outlet {
	struct sink *sink; /* NULL: closed */
	struct sink_about about;
	char name[256];
	uint64_t frames, lost;
	bool gone; /* its reader is gone: no loss */
};

struct outlets {
	struct outlet outlet[OUTPUTS_ALL];
	struct view *batch_view; /* rows of -b; NULL: all */
	unsigned marks;          /* used so far, from 1 per recording */
	struct marks mark_file;  /* from outside */
};

/* Separate, possible files? Creates nothing. */
bool outlets_check(const struct app *a, struct err *e);
bool outlets_open(struct app *a, struct err *e);
void outlets_close(struct app *a);
/* After a failed start: removes created files. */
void outlets_discard(struct app *a);

/* False: an output made only for a reader has lost it. */
bool outlets_write_frame(struct app *a);
bool outlets_flush(struct app *a);
/* Does one wait for room? */
bool outlets_hold_back(const struct app *a);
/* The topology changed from `was`. */
bool outlets_change_topology(struct app *a, const struct topology *was,
			     struct err *e);

/* After the last frame. */
void outlets_write_marker(struct app *a, const struct stamp *at,
			  const char *text);
bool outlets_keep_markers(const struct app *a);
/* Key c. */
void outlets_toggle_recording(struct app *a);

/* "ktop-20261120-140322.csv", numbered from n = 2. False: no time. */
bool make_name_by_time(const struct app *a, const char *ending, unsigned n,
		       char name[NAMED_SIZE]);

/* ---- marking.c: key m, SIGUSR1, `ktop mark`, recordings ---- */

/* Waits for its name or the first frame. */
struct waiting_mark {
	bool is, named;
	unsigned number;
	struct stamp at;
	char name[MARKS_TEXT_SIZE];
};

struct marking {
	struct waiting_mark key, outside;
	unsigned nshown; /* of this run, the last ones */
	struct waiting_mark shown[UI_MARKS];
	struct ui_mark told[UI_MARKS];
};

/* moment as in UI_MARK; name "": plain. */
void marking_add_by_key(struct app *a, int64_t moment);
void marking_set_name(struct app *a, const char *name);
/* SIGUSR1, with `ktop mark`'s text or none. */
void marking_add_from_outside(struct app *a);
/* Of a replay. */
void marking_add_recorded(struct app *a, const struct stamp *at,
			  const char *name);
/* Writes waiting markers: after a frame, at the end. */
void marking_write_waiting(struct app *a);
void marking_write_at_end(struct app *a);
/* Markers so far, by time; returns the number. */
unsigned marking_list(struct app *a, const struct ui_mark **out);

/* ---- screen.c ---- */

struct screen {
	bool wanted;   /* else batch text, or only a recording */
	struct ui *ui; /* NULL: closed */
	char message[600];
	int64_t message_until_ns;
	int64_t cost_at_ns, cost_cpu_ns; /* own CPU use, measured each second */
	double own_cpu_pct;
	uint64_t skipped;      /* refreshes */
	char shot[NAMED_SIZE]; /* moment of the last saved screen */
	unsigned shots;        /* its numbers used */
};

bool screen_open(struct app *a, struct err *e);
void screen_close(struct app *a);
/* For some seconds. */
void screen_show(struct app *a, const char *text);
/* False: the terminal is gone. ended: no more frames. */
bool screen_draw(struct app *a, bool ended);
/* Key A: saves the screen as text, and says where. */
void screen_save_text(struct app *a);

/* ---- loop.c ---- */

struct loop {
	sigset_t wait;  /* signal mask while asleep */
	uint64_t files; /* ktop's original limit of open files */
	struct ticker ticker;
	bool stop;
	bool changed;     /* by keys, not drawn yet */
	bool holding;     /* --hold: nothing more comes */
	int code;         /* exit code */
	struct err error; /* printed after the terminal is restored */
};

/* Sets loop.code and loop.error. */
void loop_run(struct app *a);
void loop_show_messages(struct app *a);
/* After closing the source: gives slow readers a moment. */
void loop_drain(struct app *a);
/* Stops until the screen has its terminal. False: no shell can give it. */
bool job_wait_for_terminal(const struct app *a, struct err *e);

/* ---- replay.c ---- */

/* Drops root's rights first. NULL and *e. */
struct source *replay_open_source(struct app *a, struct err *e);
/* Writes the frame's markers to outputs, as live. */
void replay_note_frame(struct app *a);

/* Paused or at the end. */
bool replay_is_resting(const struct app *a);
/* To the next frame. */
int64_t replay_next_frame_ns(struct app *a);
/* At the end users may go back. */
void replay_stay_at_end(struct app *a);

/* A replay key and typed text. *next: take a frame. False and *e: unreadable.
 */
bool replay_handle_key(struct app *a, enum ui_replay_action wish,
		       const char *text, bool *next, struct err *e);
/* Until the next call. NULL: streamed. */
const struct ui_replay *replay_status(const struct app *a);

/* ---- save.c ---- */

/* --filter, --sort, --pin: only what no machine has is an error, in the config
 * file a notice. */
bool row_options_check(struct app *a, struct err *e);

/* To the config file. */
void save_choices(struct app *a, const struct ui_request *r);
void save_preset(struct app *a, int preset);

/* ---- run.c ---- */

struct run {
	struct child child;
	struct account account;
	bool moved; /* the CPUs changed */
};

/* After counting has started. */
bool run_start(struct app *a, struct err *e);
/* Totals continue on changed CPUs. False and *e: memory. */
bool run_change_topology(struct app *a, const struct topology *was,
			 struct err *e);
/* After SIGCHLD, or at exit. */
bool run_has_ended(struct app *a);
/* The command's code, or the reason; 0: none. */
int run_code(const struct app *a);
/* Totals to standard error. */
void run_report(const struct app *a);
void run_free(struct app *a);

/* A part is written by its file only; all may read. */
struct app {
	const struct options *o;
	struct user user;       /* with the screen's */
	struct ui_options look; /* without unusable parts */
	bool text;
	int64_t period_ns;
	struct source *source;
	const struct clock *clock;
	struct monitor *monitor;
	const struct metric *metric[METRIC_MAX];
	const struct frame *frame; /* NULL before the first */
	struct messages messages;

	struct sampling sampling;
	struct watching watching;
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
	char crash_line[160];     /* printed by a crash */
	void *crash;              /* its stack */
};

#endif

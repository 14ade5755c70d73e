/* A running ktop: what its files share and what each of them owns. */
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

/* ---- news.c: sentences for the user; the loop says them ---- */

enum { NEWS_SENTENCE = 640, NEWS_SENTENCES = 40 };

struct news {
	unsigned first, n;
	char text[NEWS_SENTENCES][NEWS_SENTENCE];
};

/* Where there is no room left, the oldest sentence makes it. */
void news_add(struct news *n, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* The oldest sentence, which is valid until the next news_add; NULL: none. */
const char *news_take(struct news *n);

/* ---- counting.c: presets, chosen events, rotation, IPC mode ---- */

enum { REFUSED_WORDS = 32 }; /* 64 events of a catalog in each */

/* Events that the system will not count: a bit for each of one catalog. */
struct refused {
	const struct catalog *catalog; /* that it is about; NULL: none */
	uint64_t bit[REFUSED_WORDS];
};

struct counting {
	struct eventset set; /* wanted: counted, or to be taken again */
	struct err why;      /* it is not counted, as of the start */
	bool ipc;            /* the user chose IPC mode */
	bool retake; /* what a stop gave back, when the kernel lets us */
	uint32_t possible, preset_refused; /* a bit each: as ui_status */
	struct refused refused;            /* events, for the picker */
};

/* Presets that take turns. */
struct rotation {
	bool on;
	unsigned n, at;
	int preset[OPTIONS_ROTATE_MAX];
	char name[160]; /* "basic, branch" */
};

/* What can be had of what the options ask for; counting.why: not all of it. */
bool counting_start(struct app *a, struct err *e);
/* By a key: do the counters count something else from now on? */
bool counting_swap(struct app *a, int preset);
bool counting_toggle_ipc(struct app *a);
/* Events chosen one by one: a preset, where a name is given. */
bool counting_events(struct app *a, const struct ui_events *chosen);

/* Gives the counters back; was anything counted with them (full)? */
bool counting_release(struct app *a);
/* Takes them again; where that has to wait counting_retake does. */
void counting_resume(struct app *a, bool full);
void counting_retake(struct app *a);

void rotation_toggle(struct app *a);
/* The next set, if presets take turns. */
void rotation_turn(struct app *a);

const uint64_t *counting_refused(struct app *a);

/*
 * From macOS 14.4 to 15 the kernel counts for tools what stands on a list of
 * its own (xnu a64/kpc.c, cpc_arm64_events.c); databases name more. os is the
 * source's: "macOS 15.4".
 */
void refused_begin(struct refused *r, const struct catalog *c, const char *os);
/* What a set in force was counted without. */
void refused_learn(struct refused *r, const struct eventset *set);
/* What could not be counted at all, if that is what *e says. */
void refused_learn_all(struct refused *r, const struct eventset *set,
		       const struct err *e);
/* Is every event of it known to be refused? */
bool refused_all(struct refused *r, const struct eventset *set);

/* ---- the machine has other CPUs now: the source is renewed ---- */

struct renewal {
	int64_t opened_ns; /* the source was, for other CPUs; 0: at the start */
	int64_t wait_ns;   /* until it is tried again; 0: it went well */
	unsigned machines; /* how often that was */
};

enum renewed {
	RENEWED_NOT,
	RENEWED_LATER, /* it failed and is tried again */
	RENEWED_WELL,
	RENEWED_GONE /* nothing goes on: *e */
};

/* Between two ticks, at most once a second; what fails is tried again. */
enum renewed renewal_of_machine(struct app *a, struct err *e);
/* The same before a frame of a recording that has other CPUs. */
enum renewed renewal_of_recording(struct app *a, struct err *e);

/* ---- sampling.c: from a source's reading to a frame ---- */

enum { ZERO_TOLD_MAX = 32 };

/* What a reading came to. */
enum sampled {
	SAMPLED_NOTHING, /* it was a baseline */
	SAMPLED_FRAME,
	SAMPLED_FAILED, /* the next one may succeed */
	SAMPLED_GONE,   /* none will: sampling.why says why */
	SAMPLED_END     /* of the recording */
};

/* Events that were said to count nothing, borrowed; never looked into. */
struct zero_told {
	const char *event[ZERO_TOLD_MAX];
	unsigned n;
};

struct sampling {
	struct sample *sample;
	uint64_t frames;
	bool worked;     /* a reading has come */
	uint64_t failed; /* readings in a row that did not */
	bool gone;       /* and no other will come */
	struct err why;  /* the last one failed */
	bool counted;    /* anything, in some frame */
	bool held;       /* others had all counters, in some frame */
	char told[256];  /* of the source's notices, the last */
	bool doubt_told; /* that counts cannot be true */
	struct zero_told zero_told;
};

bool sampling_open(struct app *a, struct err *e);
void sampling_close(struct app *a);
/* Another monitor for it. NULL and *e. */
struct monitor *sampling_monitor(const struct app *a, struct err *e);

/* One reading; a->frame is the frame that it makes. */
enum sampled sampling_take(struct app *a);
/* A reading that is only a baseline, after program(). */
void sampling_baseline(struct app *a);
/* A set chosen by events is about to come into force: its rates are metrics. */
void sampling_rates_follow(struct app *a, const struct eventset *set);

/* Each reading interrupts every CPU. False and *e: not without --force. */
bool sampling_period_ok(const struct app *a, int64_t period_ns, struct err *e);

/* ---- processes: when they are read, and how their readings fare ---- */

struct watching {
	struct process_reading reading;
	char told[sizeof((struct err *)NULL)->text]; /* why it failed, last */
	char notice[sizeof((struct process_reading *)NULL)->notice];
	char tracing[PROCESS_TRACED_WHY + 32]; /* how events fare, last told */
	bool restart_told;
	bool wished;    /* at the last reading of the cores */
	bool shown;     /* as watching_begins saw it last */
	bool hurried;   /* so watching_hurries said, since then */
	int32_t opened; /* with shown; -1: none */
	bool counted;   /* some process had counts */
};

/* Can the source tell of processes, if they are asked for? */
bool watching_check(struct app *a, struct err *e);
/* After monitor_feed, which made f (or NULL): processes of the same moment. */
void watching_take(struct app *a, const struct frame *f);
/* Has a key brought processes, or threads of one, on the screen since then? */
bool watching_begins(struct app *a);
/* Is this the first reading, without numbers, with somebody who looks on? */
bool watching_hurries(struct app *a);

/* ---- power.c: energy, traffic and clocks, beside the counters ---- */

struct power_feed;

/* With a monitor; nothing is said where there is none. */
void power_begin(struct app *a);
/* The monitor is another one. */
void power_follow(struct app *a);
/* Before a sample of that moment is fed. */
void power_take(struct app *a, int64_t now_ns);
/* A reading at once, before one of the counters: a run begins or ends. */
void power_hurry(struct app *a);
void power_end(struct app *a);

/* ---- outlets.c: recordings, batch text, exports ---- */

enum { NAMED_SIZE = 64 };

/* An output and how it fares. */
struct outlet {
	struct sink *sink; /* NULL: closed */
	struct sink_about about;
	char name[256];
	uint64_t frames, lost;
	bool gone; /* its reader left: nothing after that is a loss */
};

struct outlets {
	struct outlet outlet[OUTPUTS_ALL];
	struct view *batch_view; /* chooses rows of -b; NULL: all */
	unsigned marks;          /* numbered so far, from 1 in each recording */
	struct marks mark_file;  /* marks from outside */
};

/* Can the outputs be had, each its own file? Nothing is made or emptied. */
bool outlets_check(const struct app *a, struct err *e);
bool outlets_open(struct app *a, struct err *e);
void outlets_close(struct app *a);
/* All of them, of a start that failed: what was made is taken back. */
void outlets_discard(struct app *a);

/* False: nobody reads any more what was only made to be read. */
bool outlets_frame(struct app *a);
bool outlets_flush(struct app *a);
/* Does one hold back bytes until there is room for them? */
bool outlets_hold_back(const struct app *a);
/* The source's topology is another now; `was` is the one before. */
bool outlets_machine(struct app *a, const struct topology *was, struct err *e);

/* A mark of that time, after the last frame. */
void outlets_mark(struct app *a, const struct stamp *at, const char *text);
/* Does one of them keep marks? */
bool outlets_take_marks(const struct app *a);
/* Key c. */
void outlets_toggle_recording(struct app *a);

/*
 * "ktop-20261120-140322.csv", with a number n from 2 on where that time comes
 * again. False: the clock tells no time.
 */
bool named_by_time(const struct app *a, const char *ending, unsigned n,
		   char name[NAMED_SIZE]);

/* ---- marking.c: by key m, by SIGUSR1 or `ktop mark`, or of a recording ----
 */

/* Made, and not yet written: it waits for its name or the first frame. */
struct waiting_mark {
	bool is, named;
	unsigned number;
	struct stamp at;
	char name[MARKS_TEXT_SIZE];
};

struct marking {
	struct waiting_mark key, outside;
	unsigned nshown; /* of this run, for the charts: the last ones */
	struct waiting_mark shown[UI_MARKS];
	struct ui_mark told[UI_MARKS];
};

/* Key m, of a moment as in UI_MARK, and what was typed then; "": plain. */
void marking_key(struct app *a, int64_t moment);
void marking_name(struct app *a, const char *name);
/* SIGUSR1, with the text that `ktop mark` left, or none. */
void marking_outside(struct app *a);
/* A mark of a recording that is replayed. */
void marking_recorded(struct app *a, const struct stamp *at, const char *name);
/* After a frame, and before the outputs close: what waited. */
void marking_frame(struct app *a);
void marking_end(struct app *a);
/* For the screen: the marks up to now, by time; returns how many. */
unsigned marking_tell(struct app *a, const struct ui_mark **out);

/* ---- screen.c: its state before a drawing; key A ---- */

struct screen {
	bool wanted;       /* not batch text, nor a recording alone */
	struct ui *ui;     /* NULL: closed */
	char message[600]; /* shown for a while */
	int64_t message_until_ns;
	int64_t cost_at_ns, cost_cpu_ns; /* own cost, measured each second */
	double own_cpu_pct;
	uint64_t skipped;      /* refreshes */
	char shot[NAMED_SIZE]; /* the moment of the last one that was saved */
	unsigned shots;        /* numbers that moment has used */
};

bool screen_open(struct app *a, struct err *e);
void screen_close(struct app *a);
/* A sentence to show for a few seconds. */
void screen_show(struct app *a, const char *text);
/* False: the terminal is gone. ended: no more frames come. */
bool screen_draw(struct app *a, bool ended);
/* Key A: the screen as text in the current folder; says where. */
void shot_save(struct app *a);

/* ---- loop.c: the one place that sleeps, speaks, suspends, draws, stops ----
 */

struct loop {
	sigset_t wait;  /* mask while asleep */
	uint64_t files; /* limit on open ones that ktop was started with */
	struct ticker ticker;
	bool stop;
	bool changed;     /* by keys, and not drawn yet */
	bool holding;     /* --hold: nothing more will come */
	int code;         /* exit code */
	struct err error; /* said after the terminal is back */
};

/* Until there is a reason to stop; then loop.code and loop.error say which. */
void loop_run(struct app *a);
/* Says what news there are. */
void loop_show_messages(struct app *a);
/* After the source is closed: a moment for a slow reader of the outputs. */
void loop_drain(struct app *a);
/* A screen waits for its terminal, stopped. False: no shell can give it. */
bool job_await_front(const struct app *a, struct err *e);

/* ---- replay.c: the recording's pace, its marks, and the way in ---- */

/* Gives up root's rights, opens the recording; NULL and *e. */
struct source *replay_begin(struct app *a, struct err *e);
/* A frame was read: the outputs get its marks, as they did when it was live. */
void replay_note_frame(struct app *a);

/* Paused, or at its end: no frame is due before a key. */
bool replay_rests(const struct app *a);
/* Until the next frame is due. */
int64_t replay_left_ns(struct app *a);
/* The recording is over. That is no reason to leave: users go back in it. */
void replay_stay_at_end(struct app *a);

/*
 * A key of the replay, and what was typed. *next: the loop takes the next
 * frame. False and *e: the recording cannot be read.
 */
bool replay_handle_key(struct app *a, enum ui_replay_wish wish,
		       const char *text, bool *next, struct err *e);
/* For the screen; valid until the next call. NULL: it cannot be gone in. */
const struct ui_replay *replay_status(const struct app *a);

/* ---- save.c: --filter, --sort and --pin on this machine; key w ---- */

/* What is only not on this machine is a notice, and so is one of the file. */
bool rows_check(struct app *a, struct err *e);

/* Writes what was chosen on the screen into the config file. */
void save_choices(struct app *a, const struct ui_request *r);
/* The same for a preset; what came of it is in the news. */
void save_preset(struct app *a, int preset);

/* ---- run.c: measuring around a command, if there is one ---- */

struct run {
	struct child child;
	struct account account;
	bool moved; /* the machine got other CPUs */
};

/* Starts the command once counting runs; false and *e. */
bool run_start(struct app *a, struct err *e);
/* The machine has other CPUs: the totals go on. False and *e: no memory. */
bool run_machine(struct app *a, const struct topology *was, struct err *e);
/* After SIGCHLD, or before leaving: has the command ended? */
bool run_ended(struct app *a);
/* The command's exit code, or why it could not be run; 0: there is none. */
int run_code(const struct app *a);
/* In the end: totals to standard error. */
void run_report(const struct app *a);
void run_free(struct app *a);

/* A part is written by the file of its name; everybody may read it. */
struct app {
	const struct options *o;
	struct user user;       /* the options', and what the screen added */
	struct ui_options look; /* the options', without what is unusable */
	bool text;              /* batch text is wanted */
	int64_t period_ns;
	struct source *source;
	const struct clock *clock; /* the source's */
	struct monitor *monitor;
	const struct metric *metric[METRIC_MAX];
	const struct frame *frame; /* the last; NULL before the first */
	struct news news;

	struct sampling sampling;
	struct watching watching;
	struct power_feed *power; /* NULL: none */
	struct counting counting;
	struct rotation rotation;
	struct renewal renewal;
	struct outlets outlets;
	struct marking marking;
	struct screen screen;
	struct loop loop;
	struct replay_pace *pace; /* of a replay on the screen; NULL */
	struct run *run;          /* around a command; NULL: none */
	char crash_line[160];     /* what a crash prints */
	void *crash;              /* where its handler runs */
};

#endif

/* Values as the few cells a person reads, with what is uncertain about them. */
#ifndef UI_VIEW_VALUE_H
#define UI_VIEW_VALUE_H

#include "ui/view/view.h"

enum { VALUE_TEXT_SIZE = 24, VALUE_RATE_W = 5 };

/* Marks of a value that stand as `~`. */
enum { VALUE_ESTIMATED = VALUE_SCALED | VALUE_MODES | VALUE_UNLIKE };

struct value_shown {
	char text[VALUE_TEXT_SIZE];
	enum role role;
};

/*
 * v in at most w cells: with its decimals, fewer, none, or in k, M, G, so that
 * no column ever jumps. "-" for NAN.
 */
void value_number(double v, int decimals, int w, char text[VALUE_TEXT_SIZE]);

/* "+15.2", "-0.37"; 0 for what rounds to it. */
void value_change(double change, int decimals, int w,
		  char text[VALUE_TEXT_SIZE]);

/* Cells of w that a value of m takes at most: rates are 19.3M, not 19286017. */
int value_width(const struct metric *m, int w);

/* A metric (or COLUMN_BUSY) of a row; why there is none, if so. */
void value_show(const struct view *v, unsigned scope, int metric, int w,
		struct value_shown *out);

/* What all values of a row are looked at for, looked up once. */
struct value_row {
	unsigned scope;
	const double *value;  /* [metric], as the next one */
	const uint8_t *state; /* with its marks */
	enum value_state ipc;
	bool kernel; /* as view_row_kernel */
};

void value_row_take(const struct view *v, unsigned scope,
		    struct value_row *out);
void value_row_show(const struct view *v, const struct value_row *row,
		    int metric, int w, struct value_shown *out);

/*
 * A row's bottleneck in LAYOUT_BOTTLENECK_W cells without its `!`: "memory", "?
 * see 2"; empty where another column says why there is none.
 */
void value_show_bottleneck(const struct view *v, unsigned scope,
			   struct value_shown *out);

/* What a row begins with: in five cells, or idle, off, stale. */
void value_show_main(const struct view *v, unsigned scope,
		     struct value_shown *out);

/* Whose the slots are that the four shares leave, where it can be seen; NULL.
 */
const char *value_slots_rest(const struct view *v);

/* What a column says; before it an event's name in full. Into text, or m's. */
enum { VALUE_SAYS_SIZE = 1024 };
const char *value_says(const struct metric *m, char text[VALUE_SAYS_SIZE]);
int value_column_width(const struct view *v, int metric);

/*
 * The command that samples the process in the next tool, perf record or
 * xctrace; false: for this system there is none.
 */
bool view_next_tool(const struct view *v, const struct process_row *row,
		    struct buf *out);

#endif

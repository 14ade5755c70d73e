/* Formats values for a few cells, with their reliability. */
#ifndef UI_VIEW_VALUE_H
#define UI_VIEW_VALUE_H

#include "ui/view/view.h"

enum { VALUE_TEXT_SIZE = 24, VALUE_RATE_W = 5 };

enum { VALUE_ESTIMATED = VALUE_SCALED | VALUE_MODES | VALUE_UNLIKE };

struct value_shown {
	char text[VALUE_TEXT_SIZE];
	enum role role;
};

/* At most w cells: fewer decimals, then k, M, G. "-" for NAN. */
void value_number(double v, int decimals, int w, char text[VALUE_TEXT_SIZE]);

/* "+15.2", "-0.37"; "0" if it rounds to 0. */
void value_change(double change, int decimals, int w,
		  char text[VALUE_TEXT_SIZE]);

/* Width of the metric, at most w; rates need less: 19.3M. */
int value_width(const struct metric *m, int w);

/* Shows a metric or COLUMN_BUSY; if the value is missing, the reason. */
void value_show(const struct view *v, unsigned scope, int metric, int w,
		struct value_shown *out);

struct value_row {
	unsigned scope;
	const double *value;
	const uint8_t *state;
	enum value_state ipc;
	bool kernel;
};

void value_row_take(const struct view *v, unsigned scope,
		    struct value_row *out);
void value_row_show(const struct view *v, const struct value_row *row,
		    int metric, int w, struct value_shown *out);

/* The bottleneck without `!`, in LAYOUT_BOTTLENECK_W cells: "memory", "? see
 * 2"; empty if another column has the reason. */
void value_show_bottleneck(const struct view *v, unsigned scope,
			   struct value_shown *out);

/* The main value of a row in five cells, or idle, off, stale. */
void value_show_main(const struct view *v, unsigned scope,
		     struct value_shown *out);

/* Legend of the slots outside the four shares; NULL: less than 2 %. */
const char *value_slots_rest(const struct view *v);

/* The event's full name and the column's meaning. Points into text or m. */
enum { VALUE_SAYS_SIZE = 1024 };
const char *value_explain(const struct metric *m, char text[VALUE_SAYS_SIZE]);
int value_column_width(const struct view *v, int metric);

/* The command that samples the process (perf record, xctrace). False: none on
 * this system. */
bool view_next_tool(const struct view *v, const struct process_row *row,
		    struct buf *out);

#endif

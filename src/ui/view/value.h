/* Formats values for narrow cells, with marks of their reliability. */
#ifndef UI_VIEW_VALUE_H
#define UI_VIEW_VALUE_H

#include "ui/view/view.h"

enum { VALUE_TEXT_SIZE = 24, VALUE_RATE_W = 5 };

enum { VALUE_ESTIMATED = VALUE_SCALED | VALUE_MODES | VALUE_UNLIKE };

struct value_shown {
	char text[VALUE_TEXT_SIZE];
	enum role role;
};

/* Formats v in at most w cells: fewer decimals, then k, M, G, T. NAN: "-". */
void value_number(double v, int decimals, int w, char text[VALUE_TEXT_SIZE]);

/* Formats a change: "+15.2", "-0.37"; "0" if it rounds to 0. */
void value_change(double change, int decimals, int w,
		  char text[VALUE_TEXT_SIZE]);

/* Cells of a value, at most w; a rate needs only VALUE_RATE_W ("19.3M"). */
int value_width(const struct metric *m, int w);

/* Formats a metric or COLUMN_BUSY, or the reason why the value is missing. */
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

/* Formats the bottleneck: "memory", "~memory" (estimated), "unknown"; "-" if
 * these events or a missing IPC cannot show one. */
void value_show_bottleneck(const struct view *v, unsigned scope,
			   struct value_shown *out);

/* Formats a row's main value in five cells, or the reason why it is missing. */
void value_show_main(const struct view *v, unsigned scope,
		     struct value_shown *out);

/* Legend of slots outside the four shares; NULL: they are less than 2 %. */
const char *value_slots_rest(const struct view *v);

/* The column's text; for an event with its full name. Points into text or m. */
enum { VALUE_SAYS_SIZE = 1024 };
const char *value_explain(const struct metric *m, char text[VALUE_SAYS_SIZE]);
int value_column_width(const struct view *v, int metric);

/* Writes the command that samples the process (perf record, xctrace). False:
 * this system has none. */
bool view_next_tool(const struct view *v, const struct process_row *row,
		    struct buf *out);

#endif

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

void value_change(double change, int decimals, int w,
		  char text[VALUE_TEXT_SIZE]);

int value_width(const struct metric *m, int w);

/* Formats the value, the change since the reference, or why it is missing. */
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

/* Formats the bottleneck: "memory", "~memory" (estimated), "unknown", or "-" if
 * the counted events or a missing IPC cannot show a bottleneck. */
void value_show_bottleneck(const struct view *v, unsigned scope,
			   struct value_shown *out);

/* As value_show, for the main value in five cells. */
void value_show_main(const struct view *v, unsigned scope,
		     struct value_shown *out);

/* Legend of slots outside the four shares; NULL: below 2 % or unknown. */
const char *value_slots_rest(const struct view *v);

/* Explains the metric; for an event with its name. Points into text or m. */
enum { VALUE_SAYS_SIZE = 1024 };
const char *value_explain(const struct metric *m, char text[VALUE_SAYS_SIZE]);
int value_column_width(const struct view *v, int metric);

/* Writes the command that samples the process (perf record, xctrace). False: no
 * command is known. */
bool view_next_tool(const struct view *v, const struct process_row *row,
		    struct buf *out);

#endif

/* State of the help: position and search. */
#ifndef UI_VIEW_HELP_H
#define UI_VIEW_HELP_H

#include <stdbool.h>

enum { HELP_PARTS = 8, HELP_TEXT_SIZE = 40, HELP_NOWHERE = -1 };

/* The next draw searches, since only a draw has the lines. */
enum help_seek { HELP_STAY, HELP_NEXT, HELP_PREVIOUS };

struct help {
	int top;
	int lines, rows;
	int part[HELP_PARTS]; /* first line of each part, at the last draw */
	int nparts;
	bool typing;
	char text[HELP_TEXT_SIZE];
	enum help_seek seek;
	int at;
	int rank, hits;
};

void help_open(struct help *h);

/* False: the help has no action for the key. */
bool help_key(struct help *h, int key);

void help_scroll(struct help *h, int by);

int help_part(const struct help *h);

#endif

/* Position and search in the help. */
#ifndef UI_VIEW_HELP_H
#define UI_VIEW_HELP_H

#include <stdbool.h>

enum { HELP_PARTS = 8, HELP_TEXT_SIZE = 40, HELP_NOWHERE = -1 };

/* Done by the next draw, which knows the lines. */
enum help_seek { HELP_STAY, HELP_NEXT, HELP_PREVIOUS };

struct help {
	int top;
	int lines, rows;
	int part[HELP_PARTS]; /* first lines, of the last draw */
	int nparts;
	bool typing;
	char text[HELP_TEXT_SIZE]; /* search; "": none */
	enum help_seek seek;
	int at;         /* line of the match; HELP_NOWHERE */
	int rank, hits; /* this match, of all */
};

void help_open(struct help *h);

/* False: a key of the screen. */
bool help_key(struct help *h, int key);

void help_scroll(struct help *h, int by);

int help_part(const struct help *h);

#endif

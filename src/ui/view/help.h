/* Where one is in the help, and what is searched for in it. */
#ifndef UI_VIEW_HELP_H
#define UI_VIEW_HELP_H

#include <stdbool.h>

enum { HELP_PARTS = 8, HELP_TEXT_SIZE = 40, HELP_NOWHERE = -1 };

/* What the next draw, which knows the lines, is to look for. */
enum help_seek { HELP_STAY, HELP_NEXT, HELP_PREVIOUS };

struct help {
	int top;              /* first line shown */
	int lines, rows;      /* there are, and fit; of the last draw */
	int part[HELP_PARTS]; /* their first lines, of the same */
	int nparts;
	bool typing;
	char text[HELP_TEXT_SIZE]; /* searched for; "": nothing */
	enum help_seek seek;
	int at;         /* line that was found last; HELP_NOWHERE */
	int rank, hits; /* which of how many lines that have it */
};

/* Opens it at its begin. */
void help_open(struct help *h);

/* A key of its own: true. Others are those of the screen. */
bool help_key(struct help *h, int key);

void help_scroll(struct help *h, int by);

/* The part that the first line shown is of, from 0. */
int help_part(const struct help *h);

#endif

/* The screen: what it is told before a drawing. */
#ifndef APP_SCREEN_H
#define APP_SCREEN_H

#include "app/named.h"
#include "base/err.h"

#include <stdbool.h>
#include <stdint.h>

struct app;
struct ui;

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

/* A sentence to show for a few seconds; and the end of it. */
void screen_show(struct app *a, const char *text);
void screen_hush(struct app *a);

/* False: the terminal is gone. ended: no more frames come. */
bool screen_draw(struct app *a, bool ended);

#endif

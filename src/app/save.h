/* Key W and kept presets: what was chosen on the screen goes to the file. */
#ifndef APP_SAVE_H
#define APP_SAVE_H

#include <stdbool.h>

struct app;
struct ui_request;

/* Writes what was chosen on the screen into the config file. */
void save_choices(struct app *a, const struct ui_request *r);

/* The same for a preset; false: it failed, and the news say why. */
bool save_preset(struct app *a, int preset);

#endif

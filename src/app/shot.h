/* Key A: the screen as it is, kept in files. */
#ifndef APP_SHOT_H
#define APP_SHOT_H

struct app;

/* As text and as SVG, in the current folder, named by the time; says where. */
void shot_save(struct app *a);

#endif

/* Key A: the screen as it is, kept in a file. */
#ifndef APP_SHOT_H
#define APP_SHOT_H

struct app;

/* As text in the current folder, named by the time; says where. */
void shot_save(struct app *a);

#endif

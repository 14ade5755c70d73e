/* What stands around the list of processes: views, headline, notice, trust. */
#ifndef UI_PANELS_PROCESS_HEAD_H
#define UI_PANELS_PROCESS_HEAD_H

#include "ui/view/view.h"

/* In the place of the presets, which do not change what processes have. */
void process_views_draw(struct canvas *c, const struct view *v);

int process_headline_rows(const struct view *v);
void process_headline_draw(struct canvas *c, const struct view *v);

/* Below the overview's headline: who most likely it is; or nothing. */
void process_culprit_draw(struct canvas *c, const struct view *v, int y,
			  unsigned scope);

/* What the source wants known of processes, or why they have no IPC. */
void process_notice(const struct view *v, struct buf *b);

/* cost: ktop's own, as text. */
void process_trust_draw(struct canvas *c, const struct view *v,
			const char *cost);

#endif

/*
 * What a command starts, where the system adds up nothing of it: looked at now
 * and then. What ends between two looks leaves what it had at the last.
 */
#ifndef STAT_TREE_H
#define STAT_TREE_H

#include "kperf/host.h"

struct tree;

/* Of the process `root`, just made. NULL: none can be listed, or no memory. */
struct tree *tree_new(const struct host_api *host, int32_t root);
void tree_free(struct tree *t);

void tree_look(struct tree *t);

/* How many were seen; their totals are added to *sum. NULL: none. */
unsigned tree_sum(const struct tree *t, struct host_usage *sum);

#endif

/* Counting a command through what a Mac, real or simulated, says of a pid. */
#ifndef STAT_HOST_H
#define STAT_HOST_H

#include "kperf/host.h"
#include "stat/counter.h"

/* host is borrowed. NULL and *e: no memory. */
struct counter *counter_host_open(const struct host_api *host, struct err *e);

/* On the machine that runs, or one that it starts, and stops when it is closed.
 */
struct counter *counter_sim_open(const struct options *o, struct err *e);

#endif

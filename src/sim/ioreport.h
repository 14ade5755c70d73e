/* The simulated libIOReport of the simulation in sim.h. */
#ifndef SIM_IOREPORT_H
#define SIM_IOREPORT_H

#include "power/ioreport.h"

const struct ioreport_api *sim_ioreport(void);

/* Number of objects that are not released */
unsigned sim_ioreport_objects(void);

/* Call it before sim_stop. */
void sim_ioreport_stop(void);

#endif

/* The simulated Mac's libIOReport; one instance, as in sim.h. */
#ifndef SIM_IOREPORT_H
#define SIM_IOREPORT_H

#include "power/ioreport.h"

const struct ioreport_api *sim_ioreport(void);

/* Objects that exist: none once everything was released. */
unsigned sim_ioreport_objects(void);

/* Forgets the machine; before sim_stop. */
void sim_ioreport_stop(void);

#endif

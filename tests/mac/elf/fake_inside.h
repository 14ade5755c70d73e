/* What the files of the fake Mac share; tests include fake_mac.h instead. */
#ifndef MAC_FAKE_INSIDE_H
#define MAC_FAKE_INSIDE_H

#include "fake_mac.h"

/* The Mac in use. */
const struct fake_mac *fake_now(void);

/* Counts a call that can fail; true: now it has to. */
bool fake_fails(enum fake_call call);

/* Counts objects handed out (1) or given back (-1). */
void fake_hold(int objects);

void fake_mistake(void);

/* All ports are invalid from now on. */
void fake_objects_forget(void);

#endif

/* Names of outputs, looked at before any of them is made or emptied. */
#ifndef OUT_PLACE_H
#define OUT_PLACE_H

#include "out/target.h"

/* Do both names lead to one file, one that is there or is still to be made? */
bool place_same(const char *a, const char *b);

/*
 * Would target_open take the name, as far as that can be seen from outside? A
 * FIFO or a device is not touched. False and *e: no, in target_open's words.
 */
bool place_check(const char *path, enum target_mode mode, struct err *e);

/* Bytes of the file and its segments; 0: there is none. */
uint64_t place_bytes(const char *path);

#endif

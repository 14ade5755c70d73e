/* Keys out of the bytes a terminal sends. */
#ifndef UI_TERM_TERMKEYS_H
#define UI_TERM_TERMKEYS_H

#include <stdbool.h>
#include <stddef.h>

/*
 * The key at the head of `at`, its bytes in *used (0: the bytes may be the
 * start of a longer one). Unknown sequences are KEY_NONE with *used set.
 */
int termkeys_next(const unsigned char *at, size_t len, size_t *used);

#endif

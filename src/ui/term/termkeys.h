/* Keys and answers out of the bytes a terminal sends. */
#ifndef UI_TERM_TERMKEYS_H
#define UI_TERM_TERMKEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The key at the head of `at`, its bytes in *used (0: the bytes may be the
 * start of a longer one). Unknown sequences are KEY_NONE with *used set.
 */
int termkeys_next(const unsigned char *at, size_t len, size_t *used);

/* Answers of the terminal among the keys: what its ground is, what it is. */

/*
 * OSC 11 asks for the ground. Terminals that do not know it stay silent, but
 * nearly all say what they are (DA1): behind its answer none is to come.
 */
#define TTY_REPLY_ASK "\033]11;?\033\\\033[c"

enum tty_reply_kind {
	TTY_REPLY_NONE, /* no answer begins here */
	TTY_REPLY_PART, /* one may, its end has not come */
	TTY_REPLY_GROUND,
	TTY_REPLY_DEVICE
};

struct tty_reply {
	enum tty_reply_kind kind;
	size_t len;   /* of a whole one */
	bool known;   /* a ground that could be read */
	uint32_t rgb; /* of it: 0xRRGGBB */
};

/* What the bytes at `at` begin with. */
struct tty_reply tty_reply_next(const unsigned char *at, size_t len);

#endif

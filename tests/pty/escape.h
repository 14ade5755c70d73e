/* A scanner of the escape sequences on their way into libvterm 0.1. */
#ifndef TESTS_PTY_ESCAPE_H
#define TESTS_PTY_ESCAPE_H

#include <stdbool.h>
#include <stddef.h>

#define ESCAPE_MODES 32

enum escape_state {
	ESCAPE_GROUND,
	ESCAPE_START,
	ESCAPE_CSI,
	ESCAPE_STRING,
	ESCAPE_STRING_END,
};

/*
 * libvterm 0.1 neither keeps "dim" nor tells which private modes are on. So
 * dim becomes its font 9, which it does keep, and the modes are kept here.
 */
struct escape {
	enum escape_state state;
	char seq[256];
	size_t len;
	int mode[ESCAPE_MODES]; /* private modes away from their defaults */
	unsigned nmodes;
	bool keypad; /* application keypad: ESC = */
	bool region; /* rows above or below do not scroll */
	int rows;
	void (*out)(const char *bytes, size_t len, void *user);
	void *user;
	char ground[8]; /* "rrggbb", answered to OSC 11; "": not known */
	void (*reply)(const char *bytes, size_t len, void *user);
	void *reply_user;
};

#define ESCAPE_DIM_FONT 9

void escape_feed(struct escape *e, const char *bytes, size_t len);
bool escape_ground(struct escape *e, const char *rrggbb);
bool escape_mode_changed(const struct escape *e, int mode);

#endif

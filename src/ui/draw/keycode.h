/* Codes of keys and clicks, as tty_key (ui/term/tty.h) returns them. */
#ifndef UI_DRAW_KEYCODE_H
#define UI_DRAW_KEYCODE_H

enum {
	KEY_NONE = 0,
	KEY_CTRL_C = 3,
	KEY_TAB = 9,
	KEY_CTRL_L = 12,
	KEY_RETURN = 13,
	KEY_CTRL_U = 21,
	KEY_CTRL_Z = 26,
	KEY_ESCAPE = 27,
	KEY_ERASE = 127,
	KEY_UP_ARROW = 256,
	KEY_DOWN_ARROW,
	KEY_LEFT_ARROW,
	KEY_RIGHT_ARROW,
	KEY_PAGE_UP,
	KEY_PAGE_DOWN,
	KEY_TO_HOME,
	KEY_TO_END,
	KEY_FUNCTION_1,
	KEY_FUNCTION_3,
	KEY_FUNCTION_4,
	KEY_FUNCTION_6,
	KEY_FUNCTION_10,
	KEY_BACK_TAB,
	KEY_PASTE, /* pasted text follows, until KEY_PASTE_END */
	KEY_PASTE_END,
	KEY_SIZE /* the terminal's size changed */
};

/* A mouse event contains its cell: KEY_MOUSE_* | x << 12 | y, counted from the
 * upper left. */
enum {
	KEY_MOUSE_CLICK = 1 << 24,
	KEY_MOUSE_UP = 2 << 24,
	KEY_MOUSE_DOWN = 3 << 24,
	KEY_MOUSE_MASK = 3 << 24,
	KEY_MOUSE_SIDE = 4095
};

/* A click on a preset or a sort column: the constant plus its index. */
enum { KEY_GO_PRESET = 1 << 26, KEY_GO_SORT = 1 << 27 };

/* A non-ASCII letter: KEY_LETTER | its code point; larger than other codes. */
enum { KEY_LETTER = 1 << 28 };

#endif

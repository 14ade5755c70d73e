/* Replays on the screen: what is told of them, and their own keys. */
#ifndef UI_VIEW_REPLAY_H
#define UI_VIEW_REPLAY_H

#include <stdbool.h>
#include <stdint.h>

/* Something that happened, for the timeline. */
struct ui_moment {
	uint64_t frame;
	char letter; /* m mark, w swap, g gap, ! stolen, x lost, + a new run */
};

struct ui_replay {
	uint64_t at, frames;   /* at: 0 is the first */
	uint64_t number, last; /* in the file: its own, and the run's last */
	double time_s, length_s;
	double speed; /* 1: as it was */
	bool paused, ended;
	const struct ui_moment *moment; /* [nmoments] */
	unsigned nmoments;
};

/* What a request UI_REPLAY wants, in its arg. */
enum ui_replay_wish {
	UI_REPLAY_PAUSE, /* or go on */
	UI_REPLAY_BACK,
	UI_REPLAY_FORTH, /* a frame */
	UI_REPLAY_MINUTE_BACK,
	UI_REPLAY_MINUTE_FORTH,
	UI_REPLAY_FIRST,
	UI_REPLAY_LAST,
	UI_REPLAY_SLOWER,
	UI_REPLAY_FASTER,
	UI_REPLAY_NEXT, /* mark or change of state */
	UI_REPLAY_PREVIOUS,
	UI_REPLAY_GO /* text: a frame's number, or a time with a unit or : */
};

enum { UI_REPLAY_TYPED = 32 };

/* What is being typed behind `:`. */
struct replay_typing {
	bool on;
	char text[UI_REPLAY_TYPED];
};

/*
 * True when the key belongs to replays: then *wish is what it asks for, or -1
 * (typing goes on). After UI_REPLAY_GO `text` of t is what was typed.
 */
bool replay_key_press(struct replay_typing *t, int key, int *wish);

struct replay_key {
	int code[2];
	enum ui_replay_wish wish;
	const char *keys, *name; /* name: for the last line; NULL: not there */
	const char *text;
	const char *line; /* in place of keys in the last line; NULL: keys */
};

/* In the order in which the last line has them; NULL past the last. */
const struct replay_key *replay_key_at(unsigned i);
bool replay_key_is(int key);

#endif

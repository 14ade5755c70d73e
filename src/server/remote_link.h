/*
 * The screen side's end of the counter server's socket: one request, one
 * answer, and a patience that ends. A server that is stopped or hangs in the
 * kernel must not freeze the screen; its answer is taken when it comes.
 */
#ifndef SERVER_REMOTE_LINK_H
#define SERVER_REMOTE_LINK_H

#include "base/err.h"
#include "server/wire.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct remote_link {
	int fd;
	bool gone;         /* for good */
	bool warm;         /* it has answered a reading: it can */
	enum wire_op due;  /* asked and not answered yet; 0: nothing */
	int64_t silent_ns; /* awake since it did not answer; 0: it does */
	uint16_t tag;
	uint32_t payload;  /* bytes of the answer, once its head is known */
	size_t have;       /* bytes of it here, with the head */
	unsigned char *in; /* [size]: the answer, with its head */
	size_t size;
};

enum remote_turn { REMOTE_ANSWERED, REMOTE_LATE, REMOTE_GONE };

/* Room for answers of so many bytes; false when memory is short. */
bool remote_link_room(struct remote_link *l, size_t payload);

/*
 * Sends what w holds behind the room for its head; nothing may be due. False
 * and *e: the server is gone, or the request too long.
 */
bool remote_link_send(struct remote_link *l, enum wire_op op,
		      struct wire_out *w, struct err *e);

/*
 * Takes the answer that is due into *in, borrowed until the next call; waits
 * for it as long as its call may take, and no more at all for a server that
 * has already been late. LATE and GONE come with *e.
 */
enum remote_turn remote_link_take(struct remote_link *l, struct wire_in *in,
				  struct err *e);

/* The same, with a patience of so many milliseconds. */
enum remote_turn remote_link_wait(struct remote_link *l, int patience_ms,
				  struct wire_in *in, struct err *e);

/* Notes that no call can succeed any more; false. */
bool remote_link_lost(struct remote_link *l, struct err *e);

#endif
